/** Events as no API sends them, or not like that: the decisions are the same where clients read the same, and nothing undecided leaves. */
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { anthropic } from '../../../src/proxies/model/anthropic/api.ts'
import { chat } from '../../../src/proxies/model/chat/api.ts'
import { gemini } from '../../../src/proxies/model/gemini/api.ts'
import { responses } from '../../../src/proxies/model/responses/api.ts'
import { proves } from '../../proves.ts'
import { leaked } from '../../support/model-matrix.ts'
import { through } from '../../support/model-through.ts'
import { anthropicEvents, chatEvents, type Said } from '../../support/model-turns.ts'
import { geminiEvents, responsesEvents } from '../../support/model-turns-more.ts'

const SECRET = '5f0c9d8ab3e7461f2d94c0b1a87e6f35'
const SAID: readonly Said[] = [
  { text: 'hello' },
  { call: { id: 'call_1', name: 'no', args: { secret: SECRET } } },
  { text: 'and' },
  { call: { id: 'call_2', name: 'no_more', args: { secret: SECRET, more: [1, { deep: SECRET }] } } },
]
const RUNS: readonly Said[] = [
  { text: 'größer →' },
  { call: { id: 'call_1', name: 'run', args: { a: 'ü' } } },
  { call: { id: 'call_2', name: 'no', args: {} } },
]

const APIS = [
  ['anthropic', anthropic, anthropicEvents],
  ['chat', chat, chatEvents],
  ['responses', responses, responsesEvents],
  ['gemini', gemini, geminiEvents],
] as const

/** The same event for every reader of the format. */
const OTHERWISE: readonly ((event: string) => string)[] = [
  (event) => event.replaceAll('data: ', 'data:'),
  (event) => `: a comment\n${event}`,
  (event) => event.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
  (event) => `id: 7\nretry: 100\n${event}`,
  // A line end within JSON is white space, wherever one may stand.
  (event) => event.replace('data: {', 'data: {\ndata: '),
  (event) => event,
]

type Damage = readonly [kind: 'drop' | 'twice' | 'swap' | 'again', at: number]
const damages: fc.Arbitrary<readonly Damage[]> = fc.array(fc.tuple(fc.constantFrom('drop', 'twice', 'swap', 'again'), fc.nat(200)), {
  minLength: 1,
  maxLength: 5,
})

function damaged(events: readonly string[], damage: readonly Damage[]): readonly string[] {
  const all = [...events]
  for (const [kind, number] of damage) {
    const at = all.length === 0 ? 0 : number % all.length
    const [event] = all.slice(at, at + 1)
    if (event === undefined) continue
    if (kind === 'drop') all.splice(at, 1)
    if (kind === 'twice') all.splice(at, 0, event)
    if (kind === 'again') all.push(event)
    if (kind === 'swap') all.splice(at, 2, ...all.slice(at, at + 2).toReversed())
  }
  return all
}

for (const [name, api, events] of APIS) {
  describe(name, () => {
    proves('T12', 'events that are written otherwise are decided the same', async () => {
      const plain = await through(api, [Buffer.from(events(RUNS).join(''))])
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(OTHERWISE.length - 1), { minLength: 1, maxLength: 20 }), async (ways) => {
          const written = events(RUNS).map((event, at) => (OTHERWISE[ways[at % ways.length] ?? 0] ?? String)(event))
          const { asked, bytes } = await through(api, [Buffer.from(written.join(''))])
          expect(asked).toEqual(plain.asked)
          expect(bytes).not.toMatch(/call_2/)
        }),
        { numRuns: 60 },
      )
    })

    proves('T12', 'events that are missing, come twice or in another order: of calls that may not run nothing leaves', async () => {
      await fc.assert(
        fc.asyncProperty(damages, fc.boolean(), async (damage, cut) => {
          const { bytes } = await through(api, [Buffer.from(damaged(events(SAID), damage).join(''))], cut)
          expect(leaked(bytes, SECRET)).toBe(0)
        }),
        { numRuns: 150 },
      )
    })
  })
}
