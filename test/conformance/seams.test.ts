/** The corpus through every seam that is no agent's hook. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Case, readCorpus } from './corpus.ts'
import { afterHalt, HALTED } from './halted.ts'
import { inShort } from './normal.ts'
import { makePlace, type Place } from './place.ts'
import { differences, type Through, through } from './seam.ts'
import { commandLine, http, library, type Opened } from './seams/direct.ts'
import { aiSdk, anthropicRunner, claudeAgent, library as embedded } from './seams/frameworks.ts'
import { HOST_SEAMS, LIBRARY, SEAMS } from './seams/list.ts'
import { langchain, mastra, mcpClient, openAiAgents, python } from './seams/loops.ts'
import { mcpHttp, mcpStdio } from './seams/mcp.ts'
import { modelProxy } from './seams/models.ts'

let place: Place
let cases: readonly Case[]
let like: Through
beforeAll(async () => {
  place = makePlace()
  cases = readCorpus(place)
  const bench = library(place)
  like = await through(LIBRARY, bench, cases)
  await bench.close()
}, 60_000)
afterAll(() => place.remove())

test('the corpus has at least 250 calls, of which a good part run and a good part do not', () => {
  const counts = new Map<string, number>()
  for (const { decision } of cases) counts.set(decision, (counts.get(decision) ?? 0) + 1)
  expect(cases.length).toBeGreaterThanOrEqual(250)
  for (const verdict of ['allow', 'ask', 'deny']) expect([verdict, (counts.get(verdict) ?? 0) >= 60]).toEqual([verdict, true])
})

test('the library decides as the corpus says, and the log keeps what stands beside it', async () => {
  expect(differences({ seam: LIBRARY, cases, places: place, seen: like, like })).toEqual([])
  const lines = cases.map(({ id }) => JSON.stringify({ id, ...inShort(like.records.get(id) as never, place) }))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('corpus/records.jsonl')
})

type Open = (place: Place, cases: readonly Case[]) => Opened | Promise<Opened>

const OPEN: Readonly<Record<string, Open>> = {
  'create-gate': embedded,
  cli: commandLine,
  http,
  'mcp-stdio': mcpStdio,
  'mcp-http': mcpHttp,
  'model-json': (at) => modelProxy(at, false),
  'model-sse': (at) => modelProxy(at, true),
  'ai-sdk': aiSdk,
  'openai-agents': openAiAgents,
  langchain,
  mastra,
  anthropic: anthropicRunner,
  'claude-agent': claudeAgent,
  'mcp-client': mcpClient,
  python,
}

describe.each(SEAMS.filter((seam) => seam !== LIBRARY && !HOST_SEAMS.includes(seam)))('$title', (seam) => {
  test('decides as the library does, records the same, and says so', async () => {
    const bench = await (OPEN[seam.name] as Open)(place, cases)
    const seen = await through(seam, bench, cases)
    const stopped = await afterHalt(seam, bench, cases)
    await bench.close()
    expect(differences({ seam, cases, places: place, seen, like })).toEqual([])
    expect(stopped ?? HALTED).toEqual(HALTED)
  }, 60_000)
})
