import { describe, expect, test } from 'vitest'
import { isScalar, parseDocument } from 'yaml'
import { rangeInFile } from './offsets.ts'

/** The word `needle` must be found in the file where the value has it. */
describe('offsets lead from the value back to the file', () => {
  for (const [title, file] of [
    ['plain', 'when: a b needle c\n'],
    ['plain over lines', 'when: a b\n   c needle\n   d\n'],
    ['plain over an empty line', 'when: a\n\n   b needle\n'],
    ['single quotes', "when: 'it''s a needle'\n"],
    ['single quotes over lines', "when: 'it''s\n  a\n\n  needle'\n"],
    ['double quotes', 'when: "a \\"b\\" \\u00e9\\x41\\n \\\\ needle"\n'],
    ['double quotes over lines', 'when: "a\n   b\n   needle"\n'],
    ['double quotes with a folded escape', 'when: "a \\\n   needle"\n'],
    ['literal block', 'when: |\n  a\n    b needle\n'],
    ['literal block with header', 'when: |2-\n   a\n   needle\n'],
    ['literal block with comment', 'when: | # why\n  a needle\n'],
    ['folded block', 'when: >\n  a\n  b\n\n  c needle\n'],
    ['folded block, CRLF', 'when: >\r\n  a\r\n  needle\r\n'],
    ['astral characters', 'when: "\u{1f600}\u{1f600} needle"\n'],
    ['flow', '{ when: a needle }\n'],
    ['indented list', 'x:\n  - y:\n      - when: >-\n          a\n          needle b\n'],
  ] as const) {
    test(title, () => {
      let seen = 0
      const document = parseDocument(file)
      const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return
        if ('items' in node) for (const item of node.items as unknown[]) visit(item)
        if ('value' in node && !isScalar(node)) visit(node.value)
        if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return
        const start = node.value.indexOf('needle')
        const located = { value: node.value, at: { start: node.range[0], end: node.range[1] }, node }
        const found = rangeInFile(file, located, { start, end: start + 6 })
        expect(file.slice(found.start, found.end)).toBe('needle')
        const end = rangeInFile(file, located, { start: node.value.length, end: node.value.length })
        expect(end.start).toBeGreaterThanOrEqual(found.end)
        expect(end.start).toBeLessThanOrEqual(file.length)
        seen++
      }
      visit(document.contents)
      expect(seen).toBe(1)
    })
  }
})
