/** Effects in words that a reviewer understands, each with the part of the call it was read from. Pure. */
import { atPointer, type Json, type JsonObject } from '../../core/json.ts'
import type { Effect, Span, Target } from '../effect.ts'
import type { Facts } from '../facts.ts'
import { ACTS, CLASSES, FLAGS, MEANT, PLACED, PLACES, SOURCES, TOLD, UNSAID, WORDS } from './words.ts'

const UNSEEN = 'part of what runs was not read: its own effects may be more than these'

/** Every effect of a call, one line each, in the order of the call; `cwd`: the directory that names are told from. */
export function explainFacts(facts: Facts, args: JsonObject, cwd: string | null = null): readonly string[] {
  const lines = facts.effects.map((effect) => explainEffect(effect, args, cwd))
  if (facts.coverage === 'partial' && !facts.effects.some(({ verb }) => verb === 'opaque')) lines.push(UNSEEN)
  return lines.length === 0 ? ['nothing that can be seen'] : lines
}

/** One effect: what, on what, how surely, whether it can be undone, and from which words. */
export function explainEffect(effect: Effect, args: JsonObject, cwd: string | null = null): string {
  const { act, target, real, action, remarks, certainty, final, reason } = effectWords(effect, cwd)
  const name = target === null ? '' : ` ${target === '' ? 'something unknown' : quoted(target)}`
  const subject = `${act}${name}${real === null ? '' : ` (${real.as} ${quoted(real.name)})`}${action === null ? '' : ` [${action}]`}`
  const said = [subject, ...remarks, certainty, final ? 'cannot be undone' : null, reason].filter((part) => part !== null)
  const source = sourceOf(effect, args)
  return `${said.join(', ')}${source === null ? '' : `  ← ${source}`}`
}

/** An effect in words, in parts, for whoever sets them in type. Targets, remarks and reasons may hold text of the agent. */
export interface EffectWords {
  /** `writes`, `pushes to`; the whole of it where it cannot be told what is done. */
  readonly act: string
  /** Null where it cannot be told; empty where it is not known. */
  readonly target: string | null
  /** `in full`: the whole of a name that is told in part; `really`: what it is in truth. Null where neither adds anything. */
  readonly real: { readonly as: 'in full' | 'really'; readonly name: string } | null
  readonly action: string | null
  /** What kind of thing it is, where, and how. */
  readonly remarks: readonly string[]
  /** Null: certain. */
  readonly certainty: string | null
  /** It cannot be undone. */
  readonly final: boolean
  readonly reason: string | null
}

/** The words for one effect; names in the directory `cwd` are not told in full. */
export function effectWords(effect: Effect, cwd: string | null = null): EffectWords {
  const { verb, target, action, reason } = effect
  const untold = verb === 'opaque'
  return {
    act: untold ? `${WORDS.opaque} ${reason ?? 'what this part does'}` : (ACTS.get(`${verb} ${action}`) ?? WORDS[verb]),
    // A table that finds no name in the arguments puts the act in its place.
    target: untold ? null : target.value === action ? '' : target.value,
    real: untold ? null : realOf(target, cwd),
    action: untold ? null : action,
    remarks: remarksOn(effect),
    certainty: untold || effect.certainty === 'certain' ? null : effect.certainty,
    final: !effect.reversible && !untold,
    reason: untold || (action !== null && SELF_EVIDENT.has(action)) ? null : reason,
  }
}

/** Actions whose words are their reason. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['code:remote', 'code:downloaded', 'code:decoded'])

function realOf({ value, real, kind }: Target, cwd: string | null): EffectWords['real'] {
  if (real === null || real === value) return null
  if (kind === 'url' || kind === 'host') return namesHost(value, real) ? null : { as: 'really', name: real }
  const rest = value.replace(/^\.\/|\/$/g, '')
  const isPlain = !rest.startsWith('/') && !rest.split('/').some((part) => part === '..' || part === '.' || part === '')
  if (isPlain ? real === `${cwd}/${rest}` : value === '.' && real === cwd) return null
  return { as: isPlain && real.endsWith(`/${rest}`) ? 'in full' : 'really', name: real }
}

/** The host stands plainly at the start of the address, with nothing before it and at most a port behind it. */
function namesHost(value: string, host: string): boolean {
  const start = /^(?:https?|ssh|wss?):\/\//.exec(value)?.[0].length ?? 0
  return value.startsWith(host, start) && /^(?::\d{1,5})?(?:[/?#]|$)/.test(value.slice(start + host.length))
}

function remarksOn({ action, target, attributes }: Effect): readonly string[] {
  const { classes, scope } = target
  const remarks = classes.flatMap((each) => CLASSES[each] ?? [])
  if (scope !== 'unknown' && !classes.some((each) => PLACED.get(each) === scope)) remarks.push(PLACES[scope])
  for (const [name, value] of Object.entries(attributes)) {
    const said =
      isUnsaid(name, value, { action, target, attributes }) || value === target.value || value === target.real
        ? null
        : attribute(name, value)
    if (said !== null && !remarks.includes(said)) remarks.push(said)
  }
  return remarks
}

/** What the act, the target or another attribute says already. */
function isUnsaid(name: string, value: Json, { action, target, attributes }: Pick<Effect, 'action' | 'target' | 'attributes'>): boolean {
  if (UNSAID.has(name) || (name === 'remote' && value === true)) return true
  const text = String(value)
  if (name === 'method') return value === 'GET' || action === `http:${text.toLowerCase()}`
  if (name === 'port') return target.value.endsWith(`:${text}`) || target.value.includes(`:${text}/`)
  if (name === 'object') return Object.hasOwn(attributes, text)
  return name === 'scheme' && (value === 'http' || value === 'https')
}

/** Null: not so. */
function attribute(name: string, value: Json): string | null {
  if (name === 'where' && value === false) return 'every row'
  if (value === false || value === null) return null
  const plain = name.replaceAll('_', ' ')
  if (value === true) return FLAGS.get(name) ?? plain
  const text = (Array.isArray(value) ? value : [value]).map(toldValue).join(', ')
  const meant = MEANT.get(`${name} ${text}`)
  if (meant !== undefined) return meant
  return (name === 'source' ? SOURCES.get(text) : undefined) ?? `${TOLD.get(name) ?? plain} ${text}`
}

/** Text of the agent in quotes where it could be taken for words of ours. */
function toldValue(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[\w./:@%+=*-]+$/.test(value) ? value : quoted(value)
}

/** In quotes that it cannot end. */
function quoted(text: string): string {
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``
}

/** The part of the call that an effect was read from; where only a whole argument is known, the name of that. */
function sourceOf({ span, target }: Effect, args: JsonObject): string | null {
  if (span !== null) return excerpt(span, args)
  return target.value === '' ? null : (Object.keys(args).find((name) => args[name] === target.value) ?? null)
}

function excerpt(span: Span, args: JsonObject): string | null {
  const text = atPointer(args, span.pointer)
  if (typeof text !== 'string') return null
  const part = text.slice(span.start, span.end).replaceAll('\n', ' ⏎ ')
  return part.length > 80 ? `${part.slice(0, 77)}…` : part
}
