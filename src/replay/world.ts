/**
 * The machine that a recorded session ran on, as far as its own calls tell: whose home, which workspace. A recording does
 * not say it; judged as anybody else's machine, every path in it would be somebody else's.
 */
import { type Json, type JsonObject, own } from '../core/json.ts'
import type { World } from '../view/world.ts'
import type { Recording } from './read.ts'
import { NEUTRAL } from './run.ts'

/** Arguments that name a file which the session works on. */
const FILE_ARGUMENTS = ['file_path', 'notebook_path', 'path', 'AbsolutePath', 'TargetFile']
const HOMES = /\/(?:Users|home)\/[A-Za-z0-9._-]+/g

/** The world of a recording: its home is where most of its paths lie, its workspace what its files have in common. */
export function worldOfRecording(recording: Recording): World {
  const homes = new Map<string, number>()
  const files: string[] = []
  for (const { args } of recording.calls) {
    for (const text of strings(args)) for (const [home] of text.matchAll(HOMES)) homes.set(home, (homes.get(home) ?? 0) + 1)
    for (const name of FILE_ARGUMENTS) {
      const value = own(args, name)
      if (typeof value === 'string' && value.startsWith('/')) files.push(value)
    }
  }
  const [home = NEUTRAL.home] = [...homes.entries()].toSorted((a, b) => b[1] - a[1])[0] ?? []
  const cwd =
    home === NEUTRAL.home && files.length === 0
      ? NEUTRAL.cwd
      : (workspace(files, home) ?? firstDirectory(recording, home) ?? `${home}/project`)
  return { home, cwd, gate: [`${home}/.countersign`] }
}

/** The deepest directory that holds every file below the home; null where they share nothing but the home. */
function workspace(files: readonly string[], home: string): string | null {
  const below = files
    .filter((file) => file.startsWith(`${home}/`) && !file.startsWith(`${home}/.`))
    .map((file) => file.split('/').slice(0, -1))
  const [first] = below
  if (first === undefined) return null
  let shared = first.length
  for (const segments of below) {
    let same = 0
    while (same < shared && segments[same] === first[same]) same++
    shared = same
  }
  const directory = first.slice(0, shared).join('/')
  return directory.length > home.length ? directory : null
}

/** Where the first command that says so goes. */
function firstDirectory(recording: Recording, home: string): string | null {
  for (const { args } of recording.calls) {
    const command = own(args, 'command')
    const match = typeof command === 'string' ? /(?:^|[;&\s])cd\s+(\/[^\s;&|"']+)/.exec(command) : null
    if (match?.[1]?.startsWith(`${home}/`) === true) return match[1].replace(/\/$/, '')
  }
  return null
}

function strings(args: JsonObject): string[] {
  const found: string[] = []
  const open: Json[] = [args]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') found.push(next)
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
  return found
}
