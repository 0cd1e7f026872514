/** Copies of the head of the log, as commands look at them. */
import type { Elsewhere } from '../audit/log.ts'
import { headCopiesOf } from '../open-copies.ts'
import type { Policy } from '../policy/policy.ts'
import type { HeadMark, Signer } from '../store/chain.ts'
import { COPY_DEADLINE_MS } from '../store/copies/keep.ts'
import { copyProblem, type ReadCopyOf, readCopies } from '../store/copies/read.ts'
import { readCounter, signMark } from '../store/sqlite/counter.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { loadInForce } from './open.ts'

/** Every copy that the operator's policy names. A policy that cannot be used may hide some of them: then null. */
export async function copiesInForce(policy: string | null, ring: ReadonlyMap<string, Signer>): Promise<readonly ReadCopyOf[] | null> {
  const state = loadInForce(policy)
  return state.policy === null ? null : copiesOf(state.policy, ring)
}

export const NO_POLICY = 'the policy cannot be used, so nobody knows where heads of the log are kept'

/** Every copy that these policies name, read. */
export function copiesOf(policy: Policy, ring: ReadonlyMap<string, Signer>): Promise<readonly ReadCopyOf[]> {
  return readCopies(headCopiesOf(policy), ring, REACHING)
}

/** What verifying the log takes from the copies. */
export async function elsewhere(copies: Promise<readonly ReadCopyOf[] | null>, directory: string): Promise<Elsewhere> {
  const read = await copies
  if (read === null) return { heads: [], foreign: [], silent: [NO_POLICY] }
  const { heads, foreign, silent } = copiesReport(read, directory, loadKeys(directory).ring)
  return { heads, foreign, silent: silent.map(({ detail }) => detail) }
}

const REACHING = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  env: (name: string) => process.env[name],
  deadlineMs: COPY_DEADLINE_MS,
}

export interface CopiesReport {
  /** Heads that the log must still have. */
  readonly heads: readonly HeadMark[]
  /** Heads of another log. */
  readonly foreign: readonly string[]
  /** Copies that tell nothing, and what is wrong with them. */
  readonly silent: readonly { readonly required: boolean; readonly detail: string }[]
}

/** What the copies say of the log in this directory. */
export function copiesReport(copies: readonly ReadCopyOf[], directory: string, ring: ReadonlyMap<string, Signer>): CopiesReport {
  const counter = readCounter(directory, ring)
  const epoch = counter.state === 'found' ? counter.mark.epoch : 0
  return {
    heads: copies.flatMap(({ reading }) => (reading.state === 'found' && reading.mark.epoch >= epoch ? [reading.mark] : [])),
    foreign: copies.flatMap(({ place, reading }) =>
      reading.state === 'foreign' ? [`the copy of the log's head at ${place.name} is of another log: ${reading.detail}`] : [],
    ),
    silent: copies.flatMap(({ spec, place, reading }) => {
      const detail = copyProblem(place.name, reading)
      return detail === null ? [] : [{ required: spec.required, detail }]
    }),
  }
}

/** Begins the copies anew, after a loss was accepted. Answers what could not be written; its old head is of an earlier epoch. */
export async function beginCopies(directory: string, copies: readonly ReadCopyOf[], now: number): Promise<readonly string[]> {
  const { current, ring } = loadKeys(directory)
  const counter = readCounter(directory, ring)
  const store = openStore({ directory })
  const head = store.head()
  store.close()
  const epoch = counter.state === 'found' ? counter.mark.epoch : 0
  const text = JSON.stringify(signMark('head', { head, epoch, at: now }, current))
  const written = copies.map(async ({ place, reading }) => {
    const silent = copyProblem(place.name, reading)
    if (silent !== null) return [silent]
    return place.write(text).then(
      () => [],
      (error: unknown) => [`the copy at ${place.name} could not be written: ${error instanceof Error ? error.message : 'it failed'}`],
    )
  })
  return (await Promise.all(written)).flat()
}
