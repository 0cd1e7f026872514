/** What a call leaves behind for the calls after it, besides what was decided. Pure. */
import type { Facts } from '../facts/facts.ts'
import type { Holds } from '../session/memory/events.ts'
import { taskOf } from './analyse.ts'
import { aimedAt, fileHash, type HistoryContext, isKnownFile, pathOf } from './history.ts'
import { provenanceOf } from './origin.ts'

/** Verbs by which a call takes something in. */
const TAKES: ReadonlySet<string> = new Set(['read', 'execute', 'opaque'])

/** What the result of a call will hold. What a tool of somebody else tells is the user's own, unless it comes off the network. */
export function holdsOf({ effects }: Pick<Facts, 'effects'>, hostTool: boolean): Holds | null {
  const read = effects.filter(({ verb }) => TAKES.has(verb))
  if (read.some(({ target }) => target.classes.includes('credential') || target.kind === 'variable')) return 'secret'
  if (read.some(({ target }) => target.classes.includes('personal'))) return 'private'
  return hostTool || effects.some(({ verb }) => verb === 'fetch') ? null : 'private'
}

const MAX_FILES = 16

/** Hashes of the files that then hold what came from the network, or a copy of a secret. */
export function filesLeft(context: HistoryContext): readonly number[] {
  const { effects } = context.facts
  const { cwd } = context.call
  const written = effects.flatMap((effect) => (effect.verb === 'write' ? (pathOf(effect, cwd) ?? []) : []))
  if (written.length === 0) return []
  // What is moved is deleted where it was.
  const read = effects.filter(({ verb }) => verb === 'read' || verb === 'delete')
  const known = (holds: 'fetched' | 'secret') => read.some((effect) => isKnownFile(holds, pathOf(effect, cwd) ?? '', context))
  const fetched = fetches(context.facts) || known('fetched')
  const secret = read.some(({ target }) => target.classes.includes('credential')) || known('secret')
  const holds = [...(fetched ? (['fetched'] as const) : []), ...(secret ? (['secret'] as const) : [])]
  return holds.flatMap((each) => written.map((path) => fileHash(context.key, each, path))).slice(0, MAX_FILES)
}

/**
 * A repository is fetched to be worked in, and is no file of unknown content. Neither are the packages that a manifest of the project
 * names: `go mod tidy && go build -o shop` makes a program of the project.
 */
function fetches({ effects, commands }: Pick<Facts, 'effects' | 'commands'>): boolean {
  return (
    effects.some(({ verb, attributes: { source } }) => verb === 'fetch' && source !== 'manifest') &&
    !commands.some(({ program }) => program === 'git')
  )
}

/** Whom and what the call is aimed at, where the user did not name it. */
export function aimsUnnamed(context: HistoryContext): readonly string[] {
  const known = { ...context, task: taskOf(context.call) }
  const traced = new Map((context.facts.flow?.arguments ?? []).map(({ text, origin }) => [text, origin]))
  return aimedAt(context).filter((text) => !NAMED.has(toldOf(text, traced) ?? provenanceOf(text, known).origin))
}

/** As the call was judged by it. Who vouches for a value does not say where it comes from. */
function toldOf(text: string, traced: ReadonlyMap<string, string>): string | null {
  const origin = traced.get(text) ?? null
  return origin === 'declassified' ? null : origin
}

const NAMED: ReadonlySet<string> = new Set(['user', 'derived'])
