/**
 * Remembers, together with the decision, what an agent hands on to another one, or to itself for later, in a session that has taken in what
 * somebody else may have written: keyed hashes alone. A host tells the prompt of the agent that is started as it tells the user's, and this
 * is how it is known again. What only repeats the user's words is theirs.
 */
import type { JsonObject } from '../../core/json.ts'
import { winnowed } from '../../provenance/fingerprint.ts'
import { type HashKey, keyedHash } from '../../provenance/keyed-hash.ts'
import { textsWithin } from '../../provenance/result.ts'
import { compact, fold } from '../../provenance/text.ts'
import type { CounterKey, Store } from '../../store/store.ts'
import type { CommitContext, Spender } from '../commit.ts'

export interface HandedParts {
  /** True of a text that an agent of such a session handed on. */
  readonly isHanded: (text: string) => boolean
  readonly spender: Spender
}

export interface HandedSource {
  readonly store: Pick<Store, 'query' | 'now'>
  readonly key: () => HashKey
  /** The tool by which text of others came into the session of the call, or into the call itself; null: none did. */
  readonly source: (context: CommitContext) => string | null
}

/** How long it is remembered: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000
const HANDS_ON: ReadonlySet<string | null> = new Set(['agent:start', 'agent:task', 'agent:schedule', 'agent:message', 'agent:remote'])
const MAX_PIECES = 64
const MAX_RUNS = 128
const MAX_TEXT = 16_384
/** Shorter ones may stand anywhere. */
const SHORTEST = 8
/** Share of the runs of a prompt from which on it is what was handed on, with something around it. */
const SHARE = 0.5

export function createHandedParts({ store, key, source }: HandedSource): HandedParts {
  return {
    isHanded: (text) => {
      const now = store.now()
      const own = key()
      return store.query((tx) => {
        const known = (hash: number): boolean => tx.count(counterOf('', hash), now) > 0
        const plain = plainOf(text)
        if (plain.length >= SHORTEST && known(keyedHash(own, plain))) return true
        const runs = winnowed(own, text.slice(0, MAX_TEXT), MAX_RUNS)
        return runs.length > 0 && runs.filter(known).length >= runs.length * SHARE
      })
    },
    spender: {
      // An `ask` may be answered outside of the gate: the host asks its user and runs the call.
      wants: ({ decision }, context) =>
        decision !== 'deny' &&
        decision !== 'halt' &&
        context.call.session !== null &&
        context.basis?.facts.effects.some(({ action }) => HANDS_ON.has(action)) === true &&
        source(context) !== null,
      spend: (tx, _decision, { call, at, basis }) => {
        const words = (basis?.facts.commands ?? []).flatMap(({ argv }) => argv.filter((word) => word !== null))
        const life = { now: at, expiresAt: at + LIFE }
        for (const hash of hashesOf([...textsIn(call.args), ...words], userWords(call.context), key()))
          tx.add(counterOf(call.principal.tenant ?? '', hash), 1, life)
        return undefined
      },
    },
  }
}

function counterOf(tenant: string, hash: number): CounterKey {
  return [tenant, 'handed-on', String(hash)]
}

function plainOf(text: string): string {
  return compact(fold(text.slice(0, MAX_TEXT)))
}

function textsIn(args: JsonObject): readonly string[] {
  return textsWithin(args).map((text) => text.slice(0, MAX_TEXT))
}

function userWords({ task, vouched }: CommitContext['call']['context']): string {
  return vouched === true ? (task ?? '') : ''
}

function hashesOf(texts: readonly string[], words: string, key: HashKey): readonly number[] {
  const theirs = plainOf(words)
  const pieces = texts.map(plainOf).filter((plain) => plain.length >= SHORTEST && !theirs.includes(plain))
  const said = new Set(winnowed(key, words, MAX_RUNS))
  const runs = texts.flatMap((text) => winnowed(key, text, MAX_RUNS)).filter((run) => !said.has(run))
  return [...new Set([...pieces.slice(0, MAX_PIECES).map((plain) => keyedHash(key, plain)), ...runs.slice(0, MAX_RUNS)])]
}
