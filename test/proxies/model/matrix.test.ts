/**
 * Every API, as a stream and whole, with stock clients: every kind of call, and everything that can become of it. What is written to
 * the client before the gate has decided holds no byte of the call; what runs is the very same, and clients read it as without us.
 */
import { expect } from 'vitest'
import { proves } from '../../proves.ts'
import { CLIENTS, type Client, type Seen, STOPS } from '../../support/model-clients.ts'
import { ABSENT, answerOf, type Cell, isWhole, KINDS, leaked, matrixPolicy, OUTCOMES, secretOf, TOOLS } from '../../support/model-matrix.ts'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'

interface Written {
  /** How many decisions there were before. */
  readonly after: number
  readonly text: string
}

/** Everything that the proxy writes to its clients, from here on. */
function record({ proxy, decided }: ProxyBench): Written[] {
  const written: Written[] = []
  proxy.server.prependListener('request', (_request, response) => {
    const write = response.write.bind(response)
    response.write = (chunk: Buffer) => {
      written.push({ after: decided.length, text: chunk.toString('utf8') })
      return write(chunk)
    }
  })
  return written
}

const seenBy = (client: Client, url: string, cell: Cell): Promise<Seen | 'error'> =>
  client.ask(url, { tools: TOOLS, hosted: cell.kind === 'hosted' }).catch((error: unknown) => {
    // A client that trips over what it gets, not over a connection that broke.
    if (error instanceof TypeError && error.cause === undefined) throw error
    return 'error' as const
  })

/** What came of a cell, in words; `expected` has the words that it should be. */
async function outcomeOf(cell: Cell, { client, bench, written }: { client: Client; bench: ProxyBench; written: Written[] }) {
  const answer = answerOf(cell)
  bench.answer(answer)
  bench.use(matrixPolicy(cell.outcome))
  written.length = 0
  bench.decided.length = 0
  const seen = await seenBy(client, bench.url, cell)
  const secret = secretOf(cell)
  const total = bench.decided.length
  const before = written.filter(({ after }) => after < total || total === 0)
  const early = leaked(before.map(({ text }) => text).join(''), secret)
  const all = written.map(({ text }) => text).join('')
  if (early > 0) return `${early} of an undecided call left`
  if (leaked(all, secret) === 0) return stoppedAs(cell, seen)
  if (!all.includes(answer.pieces.join(''))) return 'it runs, and is another one'
  const direct = await seenBy(client, bench.upstream, cell)
  return JSON.stringify(direct) === JSON.stringify(seen) ? 'it runs' : `it runs, but ${JSON.stringify(seen)} for ${JSON.stringify(direct)}`
}

function stoppedAs({ api, kind, outcome }: Cell, seen: Seen | 'error'): string {
  if (seen === 'error') return outcome === 'cut' || outcome === 'bad' ? 'stopped' : 'stopped, and the client fails'
  const others = seen.calls.filter(({ name }) => name === 'other').length
  if (seen.calls.length > others) return `stopped, and the client has ${JSON.stringify(seen.calls)}`
  if (others === 0 && seen.stop === STOPS[api].calls && seen.stop !== STOPS[api].none) return 'stopped, and the client waits for a call'
  if (kind === 'parallel' && others === 0 && (outcome === 'deny' || outcome === 'ask')) return 'stopped, with the call beside it'
  return 'stopped'
}

function expectedOf(cell: Cell): string {
  if (cell.outcome === 'allow') return 'it runs'
  if (cell.outcome === 'early') return isWhole(cell) ? 'it runs' : 'stopped'
  return 'stopped'
}

for (const client of CLIENTS) {
  proves(['T12', 'SIG-51'], `${client.title}: every kind of call, whatever becomes of it`, async () => {
    const { api, streams } = client
    const bench = await proxyBench()
    const written = record(bench)
    const cells = KINDS.filter((kind) => !ABSENT.has(`${api} ${kind}`)).flatMap((kind) =>
      OUTCOMES.map((outcome): Cell => ({ api, streams, kind, outcome })),
    )
    const [came, expected]: [Record<string, string>, Record<string, string>] = [{}, {}]
    for (const cell of cells) {
      const title = `${cell.kind}, ${cell.outcome}`
      came[title] = await outcomeOf(cell, { client, bench, written })
      expected[title] = expectedOf(cell)
    }
    expect(came).toEqual(expected)
  })
}
