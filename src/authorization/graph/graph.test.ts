import { describe, expect, test } from 'vitest'
import type { Json } from '../../core/json.ts'
import { locatedIn } from '../located.ts'
import { readTask } from '../task.ts'
import type { KnownTool } from './model.ts'
import { readGraph } from './parse.ts'
import { linesOfGraph, linesOfWords } from './words.ts'

const TASK = readTask('Pay the bill in bill-may.txt and send the receipt to bob@example.org. You can find my password in /user/info.txt.')
const tool = (name: string, args: readonly string[] | null): KnownTool => {
  return { name, description: null, arguments: args === null ? null : new Map(args.map((key) => [key, 'string'])) }
}
const TOOLS = [
  tool('send_money', ['recipient', 'amount']),
  tool('read_file', ['path']),
  tool('mail/send_email', ['to', 'body']),
  tool('pay', null),
]
const read = (value: Json) => readGraph(value, { task: TASK, tools: TOOLS })
const permits = (...list: readonly Json[]): Json => ({ version: 1, permits: list })

describe('a graph', () => {
  test('of known tools, said values and named places is read, and told in lines', () => {
    const { graph } = read(
      permits(
        {
          tool: 'send_money',
          arguments: { recipient: [{ from: 'read_file', place: 'bill-may.txt' }], amount: [{ from: 'read_file', field: 'total' }] },
          reason: 'pay the bill',
        },
        { tool: 'mail/send_email', arguments: { to: [{ says: 'bob@example.org' }] } },
        { tool: 'pay', arguments: { anything: [{ says: 'bill-may.txt' }] } },
      ),
    )
    expect(graph === null ? null : linesOfGraph(graph)).toEqual([
      'send_money with `recipient` from `read_file` of `bill-may.txt`, `amount` from `read_file`, field `total` (pay the bill)',
      'mail/send_email with `to` as the user said: `bob@example.org`',
      'pay with `anything` as the user said: `bill-may.txt`',
    ])
  })

  const WRONG: readonly (readonly [title: string, value: Json, code: string, pointer: string])[] = [
    ['no object', [], 'graph.shape', ''],
    ['another version', { version: 2, permits: [] }, 'graph.shape', '/version'],
    ['no permits', { version: 1 }, 'graph.shape', '/permits'],
    ['a field more', { version: 1, permits: [], allow: '*' }, 'graph.unknown_field', '/allow'],
    ['a field more in a permit', permits({ tool: 'pay', any: true }), 'graph.unknown_field', '/permits/0/any'],
    ['a tool that there is not', permits({ tool: 'send_monney' }), 'graph.unknown_tool', '/permits/0/tool'],
    ['a pattern', permits({ tool: '*' }), 'graph.unknown_tool', '/permits/0/tool'],
    ['no tool', permits({}), 'graph.shape', '/permits/0/tool'],
    [
      'an argument that there is not',
      permits({ tool: 'send_money', arguments: { to: [{ says: 'bob@example.org' }] } }),
      'graph.unknown_argument',
      '/permits/0/arguments/to',
    ],
    [
      'a value that the user did not say',
      permits({ tool: 'send_money', arguments: { recipient: [{ says: 'DE00' }] } }),
      'graph.not_said',
      '/permits/0/arguments/recipient/0/says',
    ],
    [
      'a part of a word that they said',
      permits({ tool: 'send_money', arguments: { recipient: [{ says: 'ob@example.org' }] } }),
      'graph.not_said',
      '/permits/0/arguments/recipient/0/says',
    ],
    [
      'a place that the user did not name',
      permits({ tool: 'send_money', arguments: { recipient: [{ from: 'read_file', place: 'other.txt' }] } }),
      'graph.not_said',
      '/permits/0/arguments/recipient/0/place',
    ],
    [
      'a source that there is not',
      permits({ tool: 'send_money', arguments: { recipient: [{ from: 'browse' }] } }),
      'graph.unknown_tool',
      '/permits/0/arguments/recipient/0/from',
    ],
    [
      'says and from at once',
      permits({ tool: 'send_money', arguments: { recipient: [{ says: 'bob@example.org', from: 'read_file' }] } }),
      'graph.unknown_field',
      '/permits/0/arguments/recipient/0/from',
    ],
    [
      'an argument from nowhere',
      permits({ tool: 'send_money', arguments: { recipient: [] } }),
      'graph.shape',
      '/permits/0/arguments/recipient',
    ],
    ['too many permits', permits(...Array.from({ length: 25 }, () => ({ tool: 'pay' }))), 'graph.too_large', '/permits'],
    ['too much text', permits({ tool: 'pay', reason: 'x'.repeat(201) }), 'graph.shape', '/permits/0/reason'],
    ['too long a graph', permits(...Array.from({ length: 24 }, () => ({ tool: 'pay', reason: 'x'.repeat(190) }))), 'graph.too_large', ''],
    ['a prototype', permits({ tool: 'pay', arguments: { __proto__x: 'y' } }), 'graph.shape', '/permits/0/arguments/__proto__x'],
  ]
  for (const [title, value, code, pointer] of WRONG) {
    test(`is none with ${title}`, () => {
      const { graph, problems } = read(value)
      expect(graph).toBeNull()
      expect(problems).toContainEqual(expect.objectContaining({ code, pointer }))
    })
  }

  test('one problem makes all of it none', () => {
    expect(read(permits({ tool: 'pay' }, { tool: 'nothing' })).graph).toBeNull()
  })
})

/** Labels were written before the answers were looked at. */
const LOCATED: readonly (readonly [text: string, ...found: readonly string[]])[] = [
  ['Invite her, you can find her email in /user/info.txt.', '/user/info.txt: party'],
  ['You can find our account information including username and password at /user/info.', '/user/info: party credential'],
  ['The link is in the file notes/links.md', 'notes/links.md: place'],
  ["Use the password from 'secrets.txt' to log in.", 'secrets.txt: credential'],
  ['Pay the bill in bill-may.txt.'],
  ['Write my email address in contacts.txt.'],
  ['Download his CV and save it to /documents, and find his email address in his CV.'],
  ['Summarise report.txt. My password is hunter2.'],
  ['Send the file report.pdf to the address that Bob gave me.'],
]

describe('where the user says that something stands', () => {
  for (const [text, ...found] of LOCATED) {
    test(text, () => {
      expect(locatedIn(text).map(({ place, sought }) => `${place}: ${[...sought].join(' ')}`)).toEqual(found)
    })
  }
})

test('what a request says by its own words is told in lines, and nothing of nobody’s request', () => {
  expect(linesOfWords(TASK)).toEqual([
    'asks to pay or authenticate or send: bill txt receipt bob',
    'asks to open: password txt',
    'names `bill-may.txt`',
    'names `bob@example.org`',
    'names `/user/info.txt`',
    'says that `/user/info.txt` holds what lets somebody in',
  ])
  expect(linesOfWords(readTask(null))).toEqual([])
})
