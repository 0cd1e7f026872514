/** `countersign mcp install` and `uninstall`: servers that clients name in their files are put behind the proxy, and taken out again. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Change } from '../../../hosts/adapter.ts'
import { stateDirectory } from '../../../open.ts'
import { type Applying, applyChanges } from '../../changes/apply.ts'
import { print, visible } from '../../terminal.ts'
import { commandLineProgram } from '../../version.ts'
import { givenBack, type Standing, takenOver } from './entry.ts'
import { type ClientFile, chosenFiles, type ServerSpan } from './places.ts'

export interface InstallOptions extends Applying {
  readonly client?: readonly string[]
  readonly scope?: string
  readonly server?: readonly string[]
  readonly policy?: string
  readonly role?: string
  readonly lock?: string
}

export async function install(options: InstallOptions): Promise<number> {
  const notes: string[] = []
  const edited = editAll(options, (file, text, taken) => {
    let now = text
    for (const [name, { entry }] of serversIn(file, text, notes)) {
      if (options.server !== undefined && !options.server.includes(name)) continue
      const change = takenOver(name, entry, standing(file, options))
      if (change.kind === 'ours') continue
      const after = change.kind === 'left' ? null : file.format.replace(now, file.at, { name, entry: change.entry })
      if (after === null) notes.push(`\`${name}\` in ${file.path} stays as it is: ${change.kind === 'left' ? change.why : UNSAFE}`)
      else {
        taken.push({ path: file.path, at: file.at, name, before: pieceOf(file, now, name), after: pieceOf(file, after, name) })
        now = after
      }
    }
    return now
  })
  if (options.json !== true) for (const note of notes) print(visible(note))
  return applyChanges(edited, options, 'every server that can stand behind the proxy does')
}

export async function uninstall(options: InstallOptions): Promise<number> {
  const notes: string[] = []
  const edited = editAll(options, (file, text, taken) => {
    let now = text
    for (const [name, { entry }] of serversIn(file, text, notes)) {
      const back = givenBack(entry)
      if (back === null || (options.server !== undefined && !options.server.includes(name))) continue
      const index = taken.findLastIndex((each) => each.path === file.path && each.name === name && sameKeys(each.at, file.at))
      const [record] = index < 0 ? [] : taken.splice(index, 1)
      const after = asBefore(file, now, { name, entry: back, record })
      if (after === null) notes.push(`\`${name}\` in ${file.path} stays as it is: ${UNSAFE}`)
      else now = after
    }
    return now
  })
  if (options.json !== true) for (const note of notes) print(visible(note))
  return applyChanges(edited, options, 'no server stands behind the proxy')
}

const UNSAFE = 'it is written in a form that cannot be changed safely; change it by hand (docs/guide/mcp.md)'

/** What stood in a file before a server was taken over, and what stands there since. */
interface TakenRecord {
  readonly path: string
  readonly at: readonly string[]
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Byte for byte where nobody changed the entry since; else as the entry tells itself. */
function asBefore(
  file: ClientFile,
  text: string,
  { name, entry, record }: { readonly name: string; readonly entry: Record<string, unknown>; readonly record: TakenRecord | undefined },
): string | null {
  const span = file.format.read(text, file.at)?.get(name)
  if (span !== undefined && record !== undefined && text.slice(span.start, span.end) === record.after)
    return text.slice(0, span.start) + record.before + text.slice(span.end)
  return file.format.replace(text, file.at, { name, entry })
}

function pieceOf(file: ClientFile, text: string, name: string): string {
  const span = file.format.read(text, file.at)?.get(name)
  return span === undefined ? '' : text.slice(span.start, span.end)
}

/** What a project shares with others names no path of this machine. */
function standing({ scope }: ClientFile, { policy, role, lock }: InstallOptions): Standing {
  const { node, program } = commandLineProgram()
  const file = (flag: string, path: string | undefined) => (path === undefined ? [] : [flag, scope === 'project' ? path : resolve(path)])
  const options = [...file('--policy', policy), ...(role === undefined ? [] : ['--role', role]), ...file('--lock', lock)]
  return { program: scope === 'project' ? ['countersign'] : [node, program], options }
}

function serversIn(file: ClientFile, text: string, notes: string[]): readonly (readonly [string, ServerSpan])[] {
  const servers = file.format.read(text, file.at)
  if (servers === null) notes.push(`${file.path} cannot be read, so nothing in it was changed`)
  return [...(servers ?? [])]
}

/** The changes of all files, and of the record of them. Two places may stand in one file. */
function editAll(
  { client = [], scope }: InstallOptions,
  edit: (file: ClientFile, text: string, taken: TakenRecord[]) => string,
): readonly Change[] {
  const record = join(stateDirectory(), 'mcp', 'taken.json')
  const before = textOf(record)
  const taken: TakenRecord[] = before === null ? [] : (JSON.parse(before) as TakenRecord[])
  const texts = new Map<string, { readonly before: string; readonly after: string }>()
  for (const file of chosenFiles(client, scope)) {
    const text = texts.get(file.path)?.after ?? textOf(file.path)
    if (text === null) continue
    texts.set(file.path, { before: texts.get(file.path)?.before ?? text, after: edit(file, text, taken) })
  }
  const after = taken.length === 0 ? null : `${JSON.stringify(taken, null, 2)}\n`
  const files = [...texts].map(([path, text]) => ({
    path: realpathSync(path),
    ...text,
    mode: statSync(path).mode & 0o777,
    directoryMode: 0o700,
  }))
  return [{ path: record, before, after, mode: 0o600, directoryMode: 0o700 }, ...files].filter((change) => change.before !== change.after)
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
