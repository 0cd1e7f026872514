/**
 * What labels that the shipped policy does not follow would cost: calls are grouped by the gravest thing that the gate saw in them, and
 * each group is counted where a label wants it stopped, where a label wants it run, and in what recorded coding agents do all day.
 */
import type { Effect } from '../src/core/effect.ts'
import { runs } from '../src/core/verdict.ts'
import type { Replayed } from '../src/replay/run.ts'

/** The target for recorded sessions: the share of their shell commands that may be asked about. A more frequent group breaks it alone. */
const ASKED_AT_MOST = 0.02

interface Source {
  gated: number
  ran: number
  /** Ran and was not flagged, by group. */
  readonly silent: Map<string, number>
}

/** Shell commands of recorded sessions: those that run, by group, and all of them. Plain data, for each set is measured in a process of its own. */
export interface SessionCounts {
  readonly ran: Map<string, number>
  commands: number
}

export function noSessions(): SessionCounts {
  return { ran: new Map(), commands: 0 }
}

/** A shell command of a recorded session, which carries no label of its own. */
export function addSession(counts: SessionCounts, { decision, recording, index }: Replayed): void {
  if (typeof recording.calls[index]?.args.command !== 'string') return
  counts.commands++
  if (runs(decision.decision)) count(counts.ran, saw(decision.effects))
}

/** Counts groups over all sets that are measured in one run. */
export class Profiles {
  readonly #sessions = new Map<string, number>()
  #commands = 0

  add({ ran, commands }: SessionCounts): void {
    this.#commands += commands
    for (const [group, calls] of ran) count(this.#sessions, group, calls)
  }

  get measured(): boolean {
    return this.#commands > 0
  }

  /** The share of recorded commands that are of a group; null where no session was measured. */
  share(group: string): number | null {
    return this.#commands === 0 ? null : (this.#sessions.get(group) ?? 0) / this.#commands
  }
}

/** One set of labelled calls: what runs against its label, per source and by source and group, and what runs as its label wants. */
export interface LabelCounts {
  readonly sources: Map<string, Source>
  readonly ran: Map<string, { readonly calls: number; readonly silent: number }>
  readonly wanted: Map<string, number>
}

export class AgainstLabels {
  /** Plain data, as those of sessions. */
  readonly counts: LabelCounts

  constructor(counts: LabelCounts = { sources: new Map(), ran: new Map(), wanted: new Map() }) {
    this.counts = counts
  }

  add({ recording, index, decision }: Replayed): void {
    const accept = recording.labels[index]?.accept ?? null
    if (accept === null || recording.undescribed) return
    const group = saw(decision.effects)
    if (accept.includes('allow')) {
      if (accept.length === 1) count(this.counts.wanted, group)
      return
    }
    const name = recording.source.split('+')[0]?.split(':')[0] ?? ''
    const source = this.counts.sources.get(name) ?? { gated: 0, ran: 0, silent: new Map<string, number>() }
    this.counts.sources.set(name, source)
    source.gated++
    if (!runs(decision.decision)) return
    source.ran++
    const silent = decision.decision === 'allow' ? 1 : 0
    if (silent === 1) count(source.silent, group)
    const key = `${name} | ${group}`
    const before = this.counts.ran.get(key) ?? { calls: 0, silent: 0 }
    this.counts.ran.set(key, { calls: before.calls + 1, silent: before.silent + silent })
  }

  /** What runs against its label, as lines of Markdown; none where everything was stopped that a label wants stopped. */
  groups(profiles: Profiles): readonly string[] {
    if (this.counts.ran.size === 0) return []

    const rows = [...this.counts.ran].toSorted(byName).map(([key, { calls, silent }]) => {
      const group = key.slice(key.indexOf('|') + 2)
      const share = profiles.share(group)
      return `| ${key} | ${calls} | ${silent} | ${this.counts.wanted.get(group) ?? 0} | ${share === null ? 'not measured' : percent(share)} |`
    })
    return [
      '',
      '| must-gate, yet let run | what the gate saw in it | calls | of these silently | must-allow calls of any source like it | of the shell commands of recorded sessions |',
      '|---|---|---:|---:|---:|---:|',
      ...rows,
    ]
  }

  /** The same per source, and what is left of it without groups that are too frequent in recorded sessions to be asked about. */
  sources(profiles: Profiles): readonly string[] {
    if (this.counts.ran.size === 0 || !profiles.measured) return []
    const rows = [...this.counts.sources].toSorted(byName).map(([name, { gated, ran, silent }]) => {
      const all = sum(silent.values())
      const rest = sum([...silent].filter(([group]) => (profiles.share(group) ?? 0) <= ASKED_AT_MOST).map(([, calls]) => calls))
      return `| ${name} | ${gated} | ${of(ran, gated)} | ${of(all, gated)} | ${of(rest, gated)} |`
    })
    return [
      '',
      `| source | must-gate | let run | of these silently | of the silent ones, in groups that are at most ${percent(ASKED_AT_MOST)} of recorded commands |`,
      '|---|---:|---:|---:|---:|',
      ...rows,
    ]
  }
}

/** The gravest of the effects, in words: what the gate believes the call does. */
function saw(effects: readonly Effect[]): string {
  const has = (test: (effect: Effect) => boolean): boolean => effects.some(test)
  if (has(({ action }) => action === 'program:unknown')) return 'runs a program that no table knows'
  if (has(({ action }) => action === 'pkg:install')) return 'installs packages of a registry'
  if (has(({ verb }) => verb === 'publish' || verb === 'send' || verb === 'persist'))
    return 'sends or leaves something behind, which is let run here'
  if (has(({ action, verb }) => action?.startsWith('git:') === true && verb !== 'read' && verb !== 'fetch'))
    return 'works on the local repository'
  if (has(({ verb }) => verb === 'delete')) return 'deletes inside the workspace or a temporary directory'
  if (has(({ verb }) => verb === 'write' || verb === 'change'))
    return 'writes inside the workspace or a temporary directory, or sets variables'
  if (has(({ verb }) => verb === 'execute')) return 'runs programs or code of the workspace'
  if (has(({ verb }) => verb === 'fetch')) return 'reads from the network'
  return has(({ verb }) => verb === 'read') ? 'only reads' : 'does nothing outside itself'
}

function count(counts: Map<string, number>, key: string, calls = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + calls)
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

function of(part: number, whole: number): string {
  return `${part} (${percent(part / whole)})`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`
}
