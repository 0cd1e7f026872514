/** The same bytes, however they arrive: the same decisions, and the same bytes on the other side (T12). */
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { anthropic } from '../../../src/proxies/model/anthropic/api.ts'
import { chat } from '../../../src/proxies/model/chat/api.ts'
import { gemini } from '../../../src/proxies/model/gemini/api.ts'
import { responses } from '../../../src/proxies/model/responses/api.ts'
import { proves } from '../../proves.ts'
import { through } from '../../support/model-through.ts'
import { anthropicEvents, chatEvents, type Said } from '../../support/model-turns.ts'
import { geminiEvents, responsesEvents } from '../../support/model-turns-more.ts'

function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length))
}

const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom('data: x\n\n', 'größer → 日本', '\u0000 "{'))
const said: fc.Arbitrary<Said> = fc.oneof(
  words.filter((text) => text !== '').map((text) => ({ text })),
  fc.record({ thinking: words, signature: fc.base64String({ minLength: 8, maxLength: 40 }) }),
  fc
    .record({
      name: fc.constantFrom('run', 'run_too', 'no', 'no_more', 'other'),
      args: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue()),
    })
    .map((call) => ({ call })),
)

const APIS = [
  ['anthropic', anthropic, anthropicEvents],
  ['chat', chat, chatEvents],
  ['responses', responses, responsesEvents],
  ['gemini', gemini, geminiEvents],
] as const

for (const [name, api, events] of APIS) {
  describe(name, () => {
    const stream = fc
      .record({ turn: fc.array(said, { maxLength: 6 }), ends: fc.constantFrom('\n', '\r\n') })
      .map(({ turn, ends }) => Buffer.from(events(turn).join('').replaceAll('\n', ends)))

    proves('T12', 'any re-chunking of the same bytes gives the same decisions and the same bytes', async () => {
      await fc.assert(
        fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 40 }), async (bytes, places) => {
          expect(await through(api, cutAt(bytes, places))).toEqual(await through(api, [bytes]))
        }),
        { numRuns: 150 },
      )
    })

    proves('T12', 'byte by byte, too', async () => {
      const bytes = Buffer.from(
        events([{ text: 'größer →' }, { call: { name: 'no', args: { a: 'ü' } } }, { call: { name: 'run', args: {} } }]).join(''),
      )
      expect(
        await through(
          api,
          [...bytes].map((byte) => Buffer.from([byte])),
        ),
      ).toEqual(await through(api, [bytes]))
    })

    proves('T12', 'where everything may run the answer is the very same', async () => {
      const allowed = stream.filter((bytes) => !/"(?:no|no_more|other)"/.test(bytes.toString('utf8')))
      await fc.assert(
        fc.asyncProperty(allowed, fc.array(fc.nat(), { maxLength: 10 }), async (bytes, places) => {
          expect((await through(api, cutAt(bytes, places))).bytes).toBe(bytes.toString('latin1'))
        }),
        { numRuns: 100 },
      )
    })

    proves('T12', 'wherever the stream is cut: of a call that is not decided nothing is there', async () => {
      const bytes = Buffer.from(events([{ text: 'hello' }, { call: { name: 'secretive', args: { marker: 'MARKER-ARGUMENT' } } }]).join(''))
      for (let end = 0; end < bytes.length; end++) {
        const { bytes: out, asked } = await through(api, [bytes.subarray(0, end)], true)
        const decided = asked.some((each) => 'form' in each)
        if (!decided) expect(out, `cut after ${end} bytes`).not.toMatch(/secretive|MARKER/)
      }
    })
  })
}
