/** A command tried out over copies of the directories that it works on, without network and without keys; what it left is the preview. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Json, JsonObject } from '../core/json.ts'
import type { KeptChanges, Preview } from '../core/preview.ts'
import { NO_SIZE } from '../core/preview.ts'
import type { Facts } from '../facts/facts.ts'
import type { View } from '../facts/view.ts'
import type { Trials, Tried } from '../sandbox/overlay.ts'
import { hiddenIn, isInside } from '../sandbox/private.ts'
import type { Keeping } from './apply/contents.ts'
import type { PreviewCommand } from './command.ts'
import { type Observed, observe } from './observed.ts'
import { placesOf } from './places.ts'

export interface TrialLimits {
  readonly timeMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  readonly spaceBytes: number
  readonly processes: number
}

export interface TrialParts {
  readonly trials: Trials
  readonly view: View
  readonly digest: (domain: string, value: Json) => string
  readonly sha256: (text: string) => string
  readonly env: (name: string) => string | undefined
  readonly limits: TrialLimits
  /** Keeps what is left, so that exactly it can be made. Absent: nothing is kept. */
  readonly keeping?: Keeping
}

/** Never rejects for what the machine cannot do: then the preview says so, and nothing was run. Rejects where a trial broke. */
export async function tryCommand(command: PreviewCommand, facts: Facts, parts: TrialParts): Promise<Preview> {
  const outcome = await tried(command.words, facts, parts)
  if (typeof outcome === 'string') return untried(outcome, parts)
  const kept = parts.keeping === undefined ? null : keptOf(outcome, parts.keeping)
  const preview = previewOf(outcome, parts)
  return kept === null ? preview : { ...preview, kept, shown: { ...preview.shown, apply: { ...kept } } }
}

/** Only a trial that went to its end, and whose every change was seen, can be made as it was seen. */
function keptOf({ tried: ran, unseen, copies }: Outcome, keeping: Keeping): KeptChanges {
  if (ran.ended !== null || ran.status !== 0) return { problem: 'it did not end well when it was tried out' }
  if (ran.more || unseen.length > 0) return { problem: 'part of what it would do was not seen' }
  if (ran.closed.length > 0) return { problem: 'files that it changes cannot be read' }
  if (ran.unread) return { problem: 'extended attributes of what it changes could not be read' }
  return keeping.finish(ran.changes, copies)
}

/** Why nothing was run, in words, or what came of it. */
export async function tried(words: readonly string[], facts: Facts, parts: TrialParts): Promise<Outcome | string> {
  const places = placesOf(facts, parts.view)
  if (typeof places === 'string') return `A trial is not possible: ${places}.`
  const problem = await parts.trials.problem()
  if (problem !== null) return `The sandbox is unavailable here, so the command was not tried out: ${problem}.`
  const { copies, reads, unseen } = places
  const programs = programsOf(parts.env('PATH') ?? '', parts.view)
  const mounted = [...copies, ...reads, ...programs].map((real) => ({ real }))
  const trial = {
    places: copies,
    reads,
    cell: {
      hidden: hiddenIn(mounted, parts.view.gate),
      programs,
      cwd: parts.view.realpath(parts.view.cwd ?? '/').real,
      environment: environmentOf(parts.env),
      identity: { uid: process.getuid?.() ?? 65_534, gid: process.getgid?.() ?? 65_534 },
      home: parts.view.home,
      settings: SETTINGS,
      limits: parts.limits,
    },
  }
  const ran = await parts.trials.run(words, trial, parts.keeping === undefined ? {} : { keep: parts.keeping.file })
  const seen = observe(ran.changes, { view: parts.view, sha256: parts.sha256, now: Date.now() })
  const missed = [...new Set([...unseen, ...ran.aside])]
  return { tried: ran, seen, unseen: missed, copies, hidden: trial.cell.hidden.length }
}

/** Nothing was run, and the preview says why. */
export function untried(note: string, { digest }: Pick<TrialParts, 'digest'>): Preview {
  const shown: JsonObject = { kind: 'none', exit_code: null, files: [], network: [], programs: null, output: null, note }
  return {
    digest: digest('countersign/preview/v1', { kind: 'none' }),
    shown,
    seen: { unsupported: note, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false },
  }
}

export interface Outcome {
  readonly tried: Tried
  readonly seen: Observed
  readonly unseen: readonly string[]
  /** Directories that it worked on as copies. */
  readonly copies: readonly string[]
  readonly hidden: number
}

function previewOf(outcome: Outcome, { digest }: TrialParts): Preview {
  const { tried, seen } = outcome
  const network = networkOf(tried)
  const exitCode = tried.ended === null ? tried.status : null
  const shown: JsonObject = {
    kind: 'sandbox',
    exit_code: exitCode,
    ended: tried.ended,
    files: seen.files,
    network,
    programs: programsShown(tried),
    output: outputOf(tried),
    note: noteOf(outcome),
  }
  return {
    digest: digest('countersign/preview/v1', { kind: 'sandbox', exitCode, ended: tried.ended, files: seen.stable, more: tried.more }),
    shown,
    seen: { unsupported: null, exitCode, ended: tried.ended, size: seen.size, effects: seen.effects, network: network.length > 0 },
  }
}

function networkOf({ network }: Tried): readonly JsonObject[] {
  const { unreachable, connections, datagrams } = network
  const counted = [
    { kind: 'unreachable', attempts: unreachable },
    { kind: 'connection', attempts: connections },
    { kind: 'datagram', attempts: datagrams },
  ]
  return counted.filter(({ attempts }) => attempts > 0)
}

/** Null where nothing can record them here. */
export function programsShown({ programs }: Pick<Tried, 'programs'>): readonly JsonObject[] | null {
  return programs === null ? null : programs.listed.map(({ path, words, times }) => ({ path, words, times }))
}

function programsNote({ programs }: Tried): readonly string[] {
  if (programs === null) return ['Which programs it started is not recorded here.']
  const left = programs.starts - programs.listed.reduce((sum, { times }) => sum + times, 0)
  return left > 0 ? [`${left} more starts of programs are not listed.`] : []
}

function outputOf({ stdout, stderr }: Tried): string | null {
  const text = [stdout, ...(stderr === '' ? [] : [`[standard error]\n${stderr}`])].filter((part) => part !== '').join('\n')
  return text === '' ? null : text
}

const ENDED: Readonly<Record<NonNullable<Tried['ended']>, string>> = {
  time: 'It did not end within its time.',
  memory: 'It used more memory than it may.',
  processes: 'It started more processes than it may.',
  output: 'It wrote more output than it may.',
}

/** By a signal of its own making, as programs do that get no memory while they start; as a shell says it. */
const DIED: ReadonlySet<number | null> = new Set([132, 133, 134, 137, 139])
const NO_MEMORY = /out of memory|cannot allocate memory|memoryerror|bad_alloc|enomem|memory exhausted|allocation failed/i

function isShortOfMemory({ ended, status, stdout, stderr }: Tried): boolean {
  return ended === null && status !== 0 && (DIED.has(status) || NO_MEMORY.test(stderr) || NO_MEMORY.test(stdout))
}

function noteOf({ tried, seen, unseen, hidden }: Outcome): string {
  const list = (paths: readonly string[]): string =>
    `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
  return [
    'Seen on a copy, without network and without your keys: what depends on those, on other machines or on the time may differ.',
    ...(tried.copied === null ? [] : [`No overlay can be mounted here: its ${tried.copied} files were copied one by one.`]),
    ...(tried.sockets ? [] : ['Its programs could not talk to each other over local sockets (Unix domain) here.']),
    ...(tried.ended === null ? [] : [`${ENDED[tried.ended]} What it did until then is shown.`]),
    ...(isShortOfMemory(tried) ? ['It may have needed more memory than `preview.memory_mb` allows.'] : []),
    ...(networkOf(tried).length === 0 ? [] : ['It tried to reach the network and could not.']),
    ...programsNote(tried),
    ...(seen.internals === 0 ? [] : [`Git's own records of this are not shown (${seen.internals} files).`]),
    ...(seen.left === 0 ? [] : [`${seen.left} more files are not shown.`]),
    ...(tried.closed.length === 0 ? [] : [`What these hold could not be read: ${list(tried.closed)}.`]),
    ...(tried.unread ? ['Extended attributes could not be read here, so their changes are not shown.'] : []),
    ...(tried.more ? ['It changed more files than are compared.'] : []),
    ...(seen.linked.length === 0 ? [] : [`These have other names, whose content may change with them: ${list(seen.linked)}.`]),
    ...(unseen.length === 0 ? [] : [`What it would do here is not shown: ${list(unseen)}.`]),
    ...(hidden === 0 ? [] : [`It could not read files with keys (${hidden}).`]),
  ].join(' ')
}

/** Of the system, and not private. */
const SETTINGS = ['/etc/passwd', '/etc/group', '/etc/nsswitch.conf', '/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/mime.types']
/** Nothing else of the gate's environment: names of hosts, tokens and sockets stand there. */
const PASSED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM'] as const

function environmentOf(env: (name: string) => string | undefined): Readonly<Record<string, string>> {
  const passed = PASSED.flatMap((name) => (env(name) === undefined ? [] : [[name, env(name) ?? ''] as const]))
  const git = { GIT_AUTHOR_NAME: 'preview', GIT_AUTHOR_EMAIL: 'preview@localhost', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }
  return { ...Object.fromEntries(passed), ...git, GIT_COMMITTER_NAME: 'preview', GIT_COMMITTER_EMAIL: 'preview@localhost' }
}

/** Directories of the search path that the sandbox has not got, and the installation of Node. None holds the home, or is the gate's. */
function programsOf(path: string, { gate, home }: View): readonly string[] {
  const own = dirname(dirname(process.execPath))
  const wanted = [...path.split(':'), ...(own === '/' || own === '/usr' ? [] : [`${own}/bin`, own])]
  const system = /^\/(?:usr\/|bin$|sbin$|lib)/
  const usable = (at: string): boolean =>
    at.startsWith('/') && !system.test(at) && !isInside(home, at) && !gate.some((place) => isInside(at, place)) && canBeListed(at)
  return [...new Set(wanted.filter(usable))]
}

function canBeListed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
