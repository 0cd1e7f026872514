/** What calls add up to whatever a policy says: rules over time and flow that hold by default, in the words that policies have. */
import type { ResolverKind } from '../../core/finding.ts'
import type { Enforcement } from '../../core/verdict.ts'

export interface BuiltinSequence {
  readonly id: string
  readonly when: string
  readonly enforcement: Enforcement
  readonly resolvers: readonly ResolverKind[]
  readonly reason: string
}

const OUT = 'effects.exists(e, e.verb in ["send", "publish", "pay"])'
const UNNAMED = '(flows_from("*", "untrusted") || flows_from("*", "nowhere"))'
const ENCODERS = '["base64", "base32", "basenc", "xxd", "od", "gzip", "bzip2", "xz", "zstd", "zip", "7z", "tar", "openssl", "gpg", "age"]'
const HUMAN: readonly ResolverKind[] = ['human']

export const BUILTIN_SEQUENCES: readonly BuiltinSequence[] = [
  {
    id: 'rule-of-two',
    when: `holds("untrusted") && (holds("private") || holds("secret")) && ${OUT} && ${UNNAMED}`,
    enforcement: 'advisory',
    resolvers: HUMAN,
    reason: 'the session took in text of others and what is private, and the call is a way out that the user did not name',
  },
  {
    id: 'secret-way-out',
    // Where the request is known, the flow of data is judged by it, which tells more.
    when: `!holds("request") && holds("untrusted") && holds("secret") && ${OUT} && ${UNNAMED}`,
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'the session took in text of others and a secret, and the call is a way out that nobody is known to have asked for',
  },
  {
    id: 'read-encode-send',
    when: `formerly(holds("secret") && commands.exists(c, c.program in ${ENCODERS})) && ${OUT}`,
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'a secret was read, then something was encoded or packed, and now something is sent',
  },
  {
    id: 'secret-in-pieces',
    when: 'sends("secret")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'parts of a secret that the session read go out with this call, or went out with calls before it',
  },
  {
    id: 'fetched-then-run',
    when: 'flows_from("*", "fetched")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'what came from the network in an earlier call is run',
  },
  {
    id: 'copy-then-use',
    when: 'flows_from("*", "secret")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'a file holds a copy of a secret under another name',
  },
  {
    id: 'denied-other-way',
    when: 'flows_from("*", "denied")',
    enforcement: 'soft',
    resolvers: HUMAN,
    reason: 'the call is aimed at what a denied call was aimed at',
  },
  {
    id: 'denial-burst',
    when: 'count(decision in ["deny", "halt"], "20 calls") >= 4 || count(decision in ["deny", "halt"], "1h") >= 12',
    enforcement: 'advisory',
    resolvers: HUMAN,
    reason: 'many calls of the session were denied within a short time',
  },
]
