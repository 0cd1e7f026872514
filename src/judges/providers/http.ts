/** A judge that is an HTTP service: gets the payload, answers with one of the two forms, at once or after being asked again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NoAnswer } from '../answer.ts'
import { attemptsWithin } from '../limits.ts'
import { keyOf } from '../wires/wire.ts'
import { exchange } from './fetch.ts'
import { headersOf } from './headers.ts'
import type { JudgeReply, JudgeRequest, ProviderParts } from './provider.ts'

/** How long to wait between two looks at a pending answer, as AEGIS does. */
const POLL_MS = 500

/** A 202 with a `location` on the same origin is looked at again until the time is over. */
export async function askHttp(
  { judge, payload, depth, timeoutMs, signal }: JudgeRequest,
  { fetch, env }: ProviderParts,
): Promise<JudgeReply> {
  const url = judge.url ?? ''
  const key = keyOf(judge, null, env)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'countersign-judge-depth': String(depth), ...authorization, ...headersOf(judge, env) }
  let answer = await exchange({ url, body: payload.body, headers, signal }, fetch)
  const pending = answer.status === 202 ? placeOf(answer.headers.get('location'), url) : null
  for (let left = attemptsWithin(timeoutMs, POLL_MS); pending !== null && answer.status === 202 && left > 0; left--) {
    await sleep(POLL_MS, undefined, { signal })
    answer = await exchange({ url: pending, headers, signal }, fetch)
  }
  if (answer.status === 202) throw new NoAnswer('timeout.judge', 'the judge did not finish')
  return { text: answer.text, marks: null }
}

function placeOf(location: string | null, url: string): string {
  if (location === null || !URL.canParse(location, url))
    throw new NoAnswer('judge.malformed', 'the judge does not say where its answer will be')
  const place = new URL(location, url)
  if (place.origin !== new URL(url).origin) throw new NoAnswer('judge.malformed', 'the judge sends to another origin for its answer')
  return place.href
}
