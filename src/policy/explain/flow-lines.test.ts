import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { compile } from '../testing/compiled.ts'
import { parseFlowLines } from './flow-lines.ts'

const OPTIONS = { uniqueKeys: true, strict: true, version: '1.2', schema: 'core', prettyErrors: false } as const
const parse = (text: string): Document => parseDocument(text, OPTIONS)

/** Everything that a reader of the policy looks at. */
function tree(node: unknown): unknown {
  if (isMap(node)) return { map: node.range, flow: node.flow ?? false, items: node.items.map(({ key, value }) => [tree(key), tree(value)]) }
  if (isSeq(node)) return { seq: node.range, flow: node.flow ?? false, items: node.items.map(tree) }
  if (isScalar(node)) return { value: node.value, type: node.type, source: node.source, range: node.range }
  return node
}

/** Sixty-four plain lines and these: so that it is worth it. */
const many = (lines: string, indent = '  ') =>
  `version: 1\nrules:\n${Array.from({ length: 64 }, (_, i) => `${indent}- { tool: t${i}, user: u }\n`).join('')}${lines}`

const both = (text: string) => ({ fast: parseFlowLines(text, parse), plain: parse(text) })

describe('lines that are read', () => {
  for (const line of [
    '  - { tool: a, user: b, reason: c }\n',
    '  - {tool: a}\n',
    '  - { tool: a ,  user:   b }   \n',
    '  - { tool: "get_*", when: \'effects.exists(e, e.verb == "send" && e.x[0] > 1)\', reason: it leaves the house }\n',
    '  - { tool: "a: b # c, {d} - e", reason: \'x: y # z, [q]\' }\n',
    '  - { tool: "", user: \'\' }\n',
    '  - { tool: a/b-c_d.e@f, user: a - b }',
    '  - { tool: trueish, user: nullable }\n',
    '  - { tool: a }\n\n\n  - { tool: b }\n',
    '  # a comment\n  - { tool: a }\n',
    'more: text\n',
    'more:\n  inner:\n    - { a: b }\n    - c\n    - [d]\n',
  ]) {
    test(JSON.stringify(line), () => {
      const { fast, plain } = both(many(line))
      expect(plain.errors).toEqual([])
      expect(tree(fast?.contents)).toEqual(tree(plain.contents))
    })
  }
})

describe('lines that are left to the parser', () => {
  for (const line of [
    '  - { tool: a, tool: b }\n',
    '  - { tool: true, user: null, reason: ~ }\n',
    '  - { tool: 1, user: 1.5, reason: -x }\n',
    '  - { tool: [a, b], user: { c: d } }\n',
    '  - { tool: a } # why\n',
    '  - { tool: a, }\n',
    '  - { }\n',
    '  - { tool: "a\\n" }\n',
    "  - { tool: 'it''s' }\n",
    '  - { tool: é }\n',
    '  - { "tool": a }\n',
    '  - { tool:a }\n',
    '  - { tool }\n',
    '  - { tool: a\n      , user: b }\n',
    '  - { tool: &x a }\n',
    '  - { tool: !!str a }\n',
    '  - { tool: a }\r\n',
    '  -  { tool: a }\n',
    '  - - { tool: a }\n',
    '  - { tool: a#b, user: c:d }\n',
    '  - { true: a, null: b }\n',
  ]) {
    test(JSON.stringify(line), () => {
      const { fast, plain } = both(many(line))
      if (fast === null) expect(plain.errors.length).toBeGreaterThanOrEqual(0)
      else expect([fast.errors, tree(fast.contents)]).toEqual([plain.errors, tree(plain.contents)])
    })
  }
})

describe('what only looks like such lines', () => {
  for (const [title, text] of [
    ['inside of a literal block', many('text: |\n  - { tool: a }\n  - { tool: b }\n')],
    ['inside of a folded block', many('text: >-\n  - { tool: a }\n')],
    ['inside of quotes over lines', many('text: "x\n  - { tool: a }\n  y"\n')],
    ['inside of plain text over lines', many('text: x\n  - { tool: a }\n')],
    ['inside of a flow list', many('text: [\n  - { tool: a }\n  ]\n')],
    ['inside of a comment', many('# - { tool: a }\n')],
    ['behind a second document', many('---\n- { tool: a }\n')],
    ['at another depth', many('   - { tool: a }\n')],
    ['a placeholder that was written', many('  - _\n  - _x\n')],
  ] as const) {
    test(title, () => {
      const { fast, plain } = both(text)
      if (fast !== null) expect([fast.errors, tree(fast.contents)]).toEqual([plain.errors, tree(plain.contents)])
    })
  }

  test('few lines are not worth it', () => expect(parseFlowLines('a:\n  - { tool: x }\n', parse)).toBeNull())
})

test('every policy of the examples reads the same, many times over', () => {
  const examples = join(import.meta.dirname, '../../../examples')
  for (const name of readdirSync(examples)) {
    let text: string
    try {
      text = readFileSync(join(examples, name, 'countersign.yaml'), 'utf8')
    } catch {
      continue
    }
    const { fast, plain } = both(`${many('')}more:\n${text.replaceAll(/^/gm, '  ')}`)
    if (fast !== null) expect(tree(fast.contents)).toEqual(tree(plain.contents))
  }
})

test('whatever the lines are, it reads them as the parser does, or not at all', () => {
  const piece = fc.constantFrom(
    'tool',
    'user',
    'a b',
    'true',
    '1',
    '"x"',
    "'y'",
    ':',
    ': ',
    ', ',
    '{ ',
    ' }',
    '{',
    '}',
    '#',
    ' # ',
    '[',
    ']',
    '-',
    '- ',
    ' ',
    '\n  - ',
    '\\',
    '&',
    '*',
    '!',
    '|',
    '>',
    '%',
    '"',
    "'",
    'é',
    '\t',
    '~',
    'null',
  )
  const line = fc.array(piece, { maxLength: 12 }).map((pieces) => `  - { tool: ${pieces.join('')} }\n`)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const { fast, plain } = both(many(lines.join('')))
      if (fast === null) return
      expect(plain.errors).toEqual([])
      expect(tree(fast.contents)).toEqual(tree(plain.contents))
    }),
    { numRuns: 150, seed: 21 },
  )
})

test('errors stand where they stood', () => {
  const rules = Array.from({ length: 80 }, (_, i) => `    - { tool: t${i}, reason: r }`)
  const text = ['version: 1', 'rules:', '  deny:', ...rules, '    - { tool: x, resaon: y }', ''].join('\n')
  const result = compile(text)
  expect(result.ok ? [] : result.errors.map(({ code, line, column, excerpt }) => [code, line, column, excerpt[0]])).toEqual([
    ['policy.unknown_field', 84, 18, '    - { tool: x, resaon: y }'],
  ])
})
