/** A stage while a trial stands on it, whoever keeps it. */
import type { AttributeReader } from './attributes.ts'
import type { Ground, Trial } from './stage.ts'

/** What a stage is put up for, and on what. */
export interface On {
  readonly trial: Trial
  readonly ground: Ground
}

/** Hears what a stage says. */
export interface StageListener {
  readonly output: (from: 'stdout' | 'stderr', chunk: Buffer) => void
  /** bubblewrap made the sandbox's first process; nothing runs in it before `release`. */
  readonly stands: (pid: number) => void
  /** Instead of an overlay. */
  readonly copied: (files: number) => void
  /** Whether the command may use sockets that have a name, which it may unless a directory of programs is not an overlay. */
  readonly sockets: (areOpen: boolean) => void
  /** The command ended, and the layers still stand. All of its output was heard. */
  readonly done: (status: number, programs: Programs | null) => void
  /** Nothing ran, or nobody knows how it ended. */
  readonly failed: (message: string) => void
}

export interface OpenStage {
  /** A process in whose root the layers stand. */
  readonly pid: () => number | undefined
  readonly release: () => void
  readonly attributes: AttributeReader['read']
  /** Ends everything that was started for the trial. */
  readonly end: () => void
}

/** What a command started, itself not counted. */
export interface Programs {
  readonly starts: number
  readonly listed: readonly ListedProgram[]
}

export interface ListedProgram {
  readonly path: string
  /** Its words, from the first one on; cut where they are long. */
  readonly words: string
  readonly times: number
}

/** What both stages say in lines. */
export interface StageLines {
  readonly copied: (files: number) => void
  readonly sockets: (areOpen: boolean) => void
  readonly programs: (programs: Programs | null) => void
  readonly done: (status: number) => void
  readonly failed: (message: string) => void
}

export function heardLine(line: string, hear: StageLines): void {
  const at = line.indexOf(' ')
  const [word, rest] = [line.slice(0, at), line.slice(at + 1)]
  if (word === 'copied') hear.copied(Number(rest))
  else if (word === 'sockets') hear.sockets(rest === 'open')
  else if (word === 'programs') hear.programs(programsIn(rest))
  else if (word === 'done') hear.done(Number(rest))
  else hear.failed(word === 'problem' ? `an overlay cannot be mounted: ${rest}` : rest)
}

function programsIn(text: string): Programs | null {
  const [starts = '', ...listed] = text.trim().split(' ')
  if (!/^\d+$/.test(starts)) return null
  const decoded = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')
  const programs = listed.map((each) => {
    const [times = '', path = '', words = ''] = each.split(',')
    return { path: decoded(path), words: decoded(words), times: Number(times) }
  })
  return { starts: Number(starts), listed: programs }
}

/** The process that bubblewrap names, once it did. */
export function sandboxIn(info: string): number | null {
  const pid = /"child-pid": (\d+)/.exec(info)?.[1]
  return pid === undefined ? null : Number(pid)
}
