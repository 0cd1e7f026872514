import { describe, expect, test } from 'vitest'
import { yamlOf } from './project-yaml.ts'

const read = (text: string) => yamlOf({ path: '/repo/a.yml', text, answer: null })

describe('what files of people hold is read', () => {
  for (const [text, expected] of [
    ['a: 1', { a: 1 }],
    ['a: [b, {c: d}]', { a: ['b', { c: 'd' }] }],
    ['- - - a', [[['a']]]],
    ['a: |\n  if [ -f x ]; then echo "$A"; fi\n', { a: 'if [ -f x ]; then echo "$A"; fi\n' }],
    ['a: |\n  case $1 in\n    a) b ;;\n  esac\n  echo ]]\n', { a: 'case $1 in\n  a) b ;;\nesac\necho ]]\n' }],
    ['a: what? is - this, no', { a: 'what? is - this, no' }],
    ['a: Ready ? Go', { a: 'Ready ? Go' }],
    ['a: |\n  x=$(( a ? b : c ))\n', { a: 'x=$(( a ? b : c ))\n' }],
    ['a: https://x.example/?b=c&d', { a: 'https://x.example/?b=c&d' }],
    ['a: ls *.c -l -a -b -c -d -e -f -g -h', { a: 'ls *.c -l -a -b -c -d -e -f -g -h' }],
    ['a: &x 1\nb: *x', { a: 1, b: 1 }],
    ['a: 1\na: 2', { a: 2 }],
    ['cmd: "{{.A}} {{.B}}"', { cmd: '{{.A}} {{.B}}' }],
    [`a:\n${'  - echo hi\n'.repeat(600)}`, { a: Array(600).fill('echo hi') }],
  ] as const) {
    test(JSON.stringify(text.slice(0, 60)), () => expect(read(text)).toEqual(expected))
  }
})

describe('what may cost too much is not read at all', () => {
  for (const [what, text] of [
    ['open lists', '['.repeat(5_000)],
    ['open mappings', '{'.repeat(3_000)],
    ['mappings in mappings', '{a: '.repeat(3_000)],
    ['keys in keys', '? '.repeat(400)],
    ['keys in keys, line by line', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}? `).join('\n')],
    ['keys in a list', '- ? a\n'],
    ['lists in one line', '- '.repeat(9)],
    ['values in one line', ': '.repeat(9)],
    ['mappings in one line', 'a: '.repeat(9)],
    ['quotes', '"'.repeat(2_001)],
    ['closed lists', ']'.repeat(17)],
    ['closed mappings', 'x: }\n'.repeat(17)],
    ['commas', `[${','.repeat(2_001)}]`],
    ['lines', 'a\n'.repeat(2_001)],
    ['comments', '#\n'.repeat(2_001)],
    ['items', '- a\n'.repeat(1_001)],
    ['tags', `- ${'!a '.repeat(2_001)}`],
    ['anchors', `- ${'&a '.repeat(2_001)}`],
    ['text', `a: ${'x'.repeat(24_576)}`],
    ['an alias of many', `a: &a [b]\n${Array.from({ length: 40 }, (_, i) => `b${i}: *a`).join('\n')}`],
  ] as const) {
    test(what, () => expect(read(text)).toBeNull())
  }
})
