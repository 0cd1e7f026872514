/**
 * What calls add up to whatever a policy says: rules over time and flow that hold by default. Each stands here twice: as a policy would
 * say it, and as code, for to compile eight conditions takes longer than to decide a call. A test holds the two against each other.
 */
import type { ResolverKind } from '../../core/finding.ts'
import type { History } from '../../core/history.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { ConditionInput } from '../policy.ts'
import type { FoundMark, SequenceRule } from './model.ts'

export interface BuiltinSequence {
  readonly id: string
  readonly when: string
  readonly enforcement: Enforcement
  readonly resolvers: readonly ResolverKind[]
  readonly reason: string
  /** What `when` looks for in calls one by one, each under the text that names it. */
  readonly looks: readonly Look[]
  /** `when` as code; `ids` are those of `looks`. */
  readonly holds: (input: ConditionInput, history: History, ids: readonly string[]) => boolean
}

interface Look {
  /** What its id is made of, as `compileTemporal` says it. */
  readonly text: string
  readonly mark: Omit<FoundMark, 'id' | 'by' | 'value'>
  readonly value: FoundMark['value']
  readonly isIn: (input: ConditionInput, history: History, decision: string) => boolean
}

const OUT = 'effects.exists(e, e.verb in ["send", "publish", "pay"])'
const WAYS_OUT: ReadonlySet<unknown> = new Set(['send', 'publish', 'pay'])
const goesOut = ({ effects }: ConditionInput): boolean => effects.some((effect) => WAYS_OUT.has((effect as { verb: unknown }).verb))

const UNNAMED = '(flows_from("*", "untrusted") || flows_from("*", "nowhere"))'
const isUnnamed = (history: History): boolean => history.flowsFrom('*', 'untrusted') || history.flowsFrom('*', 'nowhere')

const ENCODER_NAMES = 'base64 base32 basenc xxd od gzip bzip2 xz zstd zip 7z tar openssl gpg age'.split(' ')
const ENCODERS: ReadonlySet<unknown> = new Set(ENCODER_NAMES)
const ENCODED = `holds("secret") && commands.exists(c, c.program in ["${ENCODER_NAMES.join('", "')}"])`
const encodes = ({ commands }: ConditionInput): boolean =>
  commands.some((command) => ENCODERS.has((command as { program: unknown }).program))

const DENIED = 'decision in ["deny", "halt"]'
const isDenied = (decision: string): boolean => decision === 'deny' || decision === 'halt'
const denials = (written: string, window: number): Look => ({
  text: `count ${DENIED} , ${written}`,
  mark: { kind: 'count', window, always: true },
  value: 1,
  isIn: (_input, _history, decision) => isDenied(decision),
})

const HUMAN: readonly ResolverKind[] = ['human']

export const BUILTIN_SEQUENCES: readonly BuiltinSequence[] = [
  {
    id: 'rule-of-two',
    when: `holds("untrusted") && (holds("private") || holds("secret")) && ${OUT} && ${UNNAMED}`,
    enforcement: 'advisory',
    resolvers: HUMAN,
    reason: 'the session took in text of others and what is private, and the call is a way out that the user did not name',
    looks: [],
    holds: (input, history) =>
      goesOut(input) && history.holds('untrusted') && (history.holds('private') || history.holds('secret')) && isUnnamed(history),
  },
  {
    id: 'secret-way-out',
    // Where the request is known, the flow of data is judged by it, which tells more.
    when: `!holds("request") && holds("untrusted") && holds("secret") && ${OUT} && ${UNNAMED}`,
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'the session took in text of others and a secret, and the call is a way out that nobody is known to have asked for',
    looks: [],
    holds: (input, history) =>
      goesOut(input) && !history.holds('request') && history.holds('untrusted') && history.holds('secret') && isUnnamed(history),
  },
  {
    id: 'read-encode-send',
    when: `formerly(${ENCODED}) && ${OUT}`,
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'a secret was read, then something was encoded or packed, and now something is sent',
    looks: [
      {
        text: `seen ${ENCODED}`,
        mark: { kind: 'seen', window: null, always: false },
        value: 0,
        isIn: (input, history) => encodes(input) && history.holds('secret'),
      },
    ],
    holds: (input, history, [encoded = '']) => goesOut(input) && history.lastSeen(encoded, null) !== null,
  },
  {
    id: 'secret-in-pieces',
    when: 'sends("secret")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'parts of a secret that the session read go out with this call, or went out with calls before it',
    looks: [],
    holds: (_, history) => history.sends('secret'),
  },
  {
    id: 'fetched-then-run',
    when: 'flows_from("*", "fetched")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'what came from the network in an earlier call is run',
    looks: [],
    holds: (_, history) => history.flowsFrom('*', 'fetched'),
  },
  {
    id: 'copy-then-use',
    when: 'flows_from("*", "secret")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'a file holds a copy of a secret under another name',
    looks: [],
    holds: (_, history) => history.flowsFrom('*', 'secret'),
  },
  {
    id: 'denied-other-way',
    when: 'flows_from("*", "denied")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'the call is aimed at what a denied call was aimed at',
    looks: [],
    holds: (_, history) => history.flowsFrom('*', 'denied'),
  },
  {
    id: 'denial-burst',
    when: `count(${DENIED}, "20 calls") >= 4 || count(${DENIED}, "1h") >= 12`,
    enforcement: 'advisory',
    resolvers: HUMAN,
    reason: 'many calls of the session were denied within a short time',
    looks: [denials('"20 calls"', -20), denials('"1h"', 3_600_000)],
    holds: (_, history, [calls = '', hour = '']) => history.count(calls, null) >= 4 || history.count(hour, null) >= 12,
  },
]

/** Texts that are looked for, and the ids under which a session remembers them. */
export type BuiltinIds = ReadonlyMap<string, string>

/** The rule with its code. Throws where one of its ids is missing. */
export function builtinAtWork({ looks, holds }: Pick<BuiltinSequence, 'looks' | 'holds'>, ids: BuiltinIds): Working {
  const named = looks.map((look) => ({ look, id: idIn(ids, look.text) }))
  const names = named.map(({ id }) => id)
  return {
    matches: (input, history) => holds(input, history, names),
    mayMatch: () => true,
    marks: (input, history, decision) =>
      named.flatMap(({ look, id }) => {
        const { mark, value } = look
        return isFound(look, { input, history, decision }) ? [{ id, ...mark, by: null, value }] : []
      }),
  }
}

type Working = Pick<SequenceRule, 'matches' | 'mayMatch' | 'marks'>

function idIn(ids: BuiltinIds, text: string): string {
  const id = ids.get(text)
  if (id === undefined) throw new Error('a built-in rule looks for what has no id')
  return id
}

interface Tried {
  readonly input: ConditionInput
  readonly history: History
  readonly decision: string
}

/** What cannot be told of a call is taken for found: no call gets by because of it. */
function isFound({ isIn }: Look, { input, history, decision }: Tried): boolean {
  try {
    return isIn(input, history, decision)
  } catch {
    return true
  }
}
