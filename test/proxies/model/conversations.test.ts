/**
 * Conversations of two turns with thoughts, signatures and calls, some of which may not run: an answer in which everything may run is
 * the very same, the thoughts of every other one are, and what the client hands back of them reaches the model unchanged.
 * `npm run check:conversations` does ten thousand.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ApiName } from '../../../src/proxies/model/api.ts'
import { proves } from '../../proves.ts'
import { conversation, TALKS, thoughtsOf } from '../../support/model-conversations.ts'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import type { Said } from '../../support/model-turns.ts'
import { scripted } from '../../support/model-turns-more.ts'

const COUNT = Number(process.env.CONVERSATIONS ?? 240)
const SEED = Number(process.env.CONVERSATIONS_SEED ?? 20)
const POLICY = 'tools: { look: { risk_tier: low } }\nrules: { deny: [{ tool: no, reason: never }], allow: [{ tool: look }] }\n'

/** The answer, in pieces that end anywhere. */
function inPieces(answer: Scripted, cuts: readonly number[]): Scripted {
  const bytes = Buffer.concat(answer.pieces.map((piece) => Buffer.from(piece)))
  const places = [...new Set(cuts.map((cut) => Math.floor((bytes.length * cut) / 1000)))].toSorted((a, b) => a - b)
  return { ...answer, pieces: [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length)) }
}

/** The bytes of each answer as the client gets them. */
function record({ proxy }: ProxyBench): Buffer[][] {
  const answers: Buffer[][] = []
  proxy.server.prependListener('request', (_request, response) => {
    const chunks: Buffer[] = []
    answers.push(chunks)
    const write = response.write.bind(response)
    response.write = (chunk: Buffer) => {
      chunks.push(chunk)
      return write(chunk)
    }
  })
  return answers
}

/** Every call may run: the answer is the very same. Else each thought is there with the bytes it came in, and in its order. */
function expectSame(sent: Scripted, got: Buffer, said: readonly Said[]): void {
  const [text, came] = [sent.pieces.join(''), got.toString('utf8')]
  const mayRun = said.every((part) => !('call' in part) || part.call.name !== 'no')
  if (mayRun) expect(came).toBe(text)
  else {
    expect(came).not.toContain('"name":"no"')
    inOrder(
      came,
      said
        .flatMap((part) => ('thinking' in part ? [part.signature] : 'redacted' in part ? [part.redacted] : []))
        .map((each) => JSON.stringify(each)),
    )
  }
}

function inOrder(text: string, parts: readonly string[]): void {
  let from = 0
  for (const part of parts) {
    const at = text.indexOf(part, from)
    expect(at, part).toBeGreaterThanOrEqual(from)
    from = at + 1
  }
}

for (const [name, talk] of Object.entries(TALKS)) {
  const api = name as ApiName
  proves(
    'T12',
    `${api}: thoughts and signatures are the very same in both turns, there and back`,
    async () => {
      const bench = await proxyBench({ policy: POLICY })
      const answers = record(bench)
      let number = 0
      await fc.assert(
        fc.asyncProperty(conversation, async ({ streams, cuts, first, second }) => {
          const turns = [first, second].map((said) => ({ said, answer: scripted(api, streams, said) }))
          bench.answer(...turns.map(({ answer }) => inPieces(answer, cuts)))
          bench.asked.length = 0
          answers.length = 0
          await talk(bench.url, { opening: `conversation ${number++}`, streams })
          for (const [at, { said, answer }] of turns.entries()) expectSame(answer, Buffer.concat(answers[at] ?? []), said)
          inOrder(bench.asked[1]?.text ?? '', thoughtsOf(api, first))
        }),
        { numRuns: Math.ceil(COUNT / Object.keys(TALKS).length), seed: SEED, endOnFailure: true },
      )
    },
    60_000 + COUNT * 200,
  )
}
