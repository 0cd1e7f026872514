import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reliabilityDiagram } from './svg.ts'

/** Every tag closed in order, every attribute quoted, no bare `<` or `&`: what an XML reader asks for. Null where it holds. */
function fault(xml: string): string | null {
  const open: string[] = []
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z][a-zA-Z0-9:-]*="[^"<]*")*)(\/?)>/y
  for (let at = 0; at < xml.length; ) {
    if (xml[at] !== '<') {
      if (xml[at] === '&' && !/^&(?:amp|lt|gt|quot);/.test(xml.slice(at, at + 6))) return `a bare & at ${at}`
      at++
      continue
    }
    tag.lastIndex = at
    const match = tag.exec(xml)
    if (match === null) return `no tag at ${at}: ${xml.slice(at, at + 40)}`
    const [whole, closing, name = '', , single] = match
    if (closing === '/') {
      if (open.pop() !== name) return `</${name}> closes another`
    } else if (single !== '/') open.push(name)
    at += whole.length
  }
  return open.length === 0 ? null : `left open: ${open.join()}`
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const bins = fc.array(
  fc.record({ told: share, observed: share, count: fc.nat(1_000), weight: fc.double({ min: 0, max: 1_000, noNaN: true }) }),
  { maxLength: 12 },
)

describe('a reliability diagram', () => {
  test('one circle and one bar per bin, where they belong', () => {
    const svg = reliabilityDiagram(
      [
        { told: 0.5, observed: 1, count: 3, weight: 3 },
        { told: 1, observed: 0, count: 1, weight: 1 },
      ],
      'judge j',
    )
    expect(svg.match(/<circle /g)).toHaveLength(2)
    expect(svg).toContain('<circle cx="236.0" cy="44.0" r="10.8">')
    expect(svg).toContain('<circle cx="416.0" cy="404.0" r="7.5">')
    expect(svg).toContain('told 0.500, observed 1.000, 3 calls')
  })

  const SURE: readonly (readonly [observed: number, count: number, top: string, bottom: string])[] = [
    [1, 1, '44.0', '329.6'],
    [1, 1_000, '44.0', '45.4'],
    [0, 1, '118.4', '404.0'],
    [0.5, 100, '189.4', '258.6'],
    [0.5, 0, '44.0', '404.0'],
  ]
  for (const [observed, count, top, bottom] of SURE) {
    test(`${count} calls of which ${observed} are benign: sure from ${bottom} up to ${top}`, () => {
      const svg = reliabilityDiagram([{ told: 0.5, observed, count, weight: 1 }], 'judge j')
      expect(svg).toContain(`<line x1="236.0" y1="${bottom}" x2="236.0" y2="${top}" class="sure"/>`)
    })
  }

  test('a long title is shortened where it is drawn, and whole in its label', () => {
    const title = 'judge '.repeat(20)
    const svg = reliabilityDiagram([], title)
    expect(svg).toContain(`aria-label="${title}"`)
    expect(svg).toContain('…</text>')
  })

  test('is well-formed for any bins and any title, and holds no number that is none', () => {
    fc.assert(
      fc.property(bins, fc.string({ unit: 'binary' }), (given, title) => {
        const svg = reliabilityDiagram(given, title)
        return fault(svg) === null && !/NaN|Infinity/.test(svg.replace(/aria-label="[^"]*"/, '').replace(/font-size:14px">.*/, ''))
      }),
    )
  })

  test('a title is text, never markup', () => {
    const svg = reliabilityDiagram([], '</text><script>alert("x")</script>&amp;\u0000')
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&lt;script&gt;alert(&quot;x&quot;)')
    expect(fault(svg)).toBeNull()
  })
})
