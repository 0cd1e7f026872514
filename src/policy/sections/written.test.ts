import { describe, expect, test } from 'vitest'
import { compile } from '../testing/compiled.ts'

/** The messages of a policy with these lines; none where it loads. */
function faults(lines: string): readonly string[] {
  const result = compile(`version: 1\nunregistered: ask\n${lines}`)
  return result.ok ? [] : result.errors.map(({ message, help }) => `${message} (${help ?? 'no help'})`)
}

const LONG = 'x'.repeat(513)

describe('a pattern of a tool that cannot be compiled is the same error in every section', () => {
  for (const [section, lines] of [
    ['scanners', `guards: { scanners: [{ name: s, command: [/bin/true], tools: ["${LONG}"] }] }`],
    ['judges', `judges: { j: { provider: embedded, always: ["${LONG}"] } }`],
    ['skip_judge', `judges: { j: { provider: embedded } }\nskip_judge: ["${LONG}"]`],
    ['roles', `roles: { r: { deny_list: ["${LONG}"] } }`],
  ] as const) {
    test(section, () => expect(faults(lines)).toEqual([expect.stringContaining('the pattern is longer than 512 characters')]))
  }
})

describe('a length of time', () => {
  for (const [lines, problem] of [
    ['approvals: { approve_within: 15m }', null],
    ['approvals: { approve_within: 7d }', null],
    ['approvals: { approve_within: 604800001ms }', '`604800001ms` is no time from 1ms to 7d (write it as `15m`, `2h` or `90s`)'],
    ['approvals: { approve_within: 0ms }', '`0ms` is no time from 1ms to 7d (write it as `15m`, `2h` or `90s`)'],
    ['approvals: { use_within: "1 day" }', '`1 day` is no time from 1ms to 1d (write it as `15m`, `2h` or `90s`)'],
    ['guards: { scanners: [{ name: s, command: [/bin/true], timeout: 60s }] }', null],
    [
      'guards: { scanners: [{ name: s, command: [/bin/true], timeout: 61s }] }',
      '`61s` is no time from 1ms to 60s (write it as `10s` or `500ms`)',
    ],
    [
      'guards: { scanners: [{ name: s, command: [/bin/true], timeout: "-1s" }] }',
      '`-1s` is no time from 1ms to 60s (write it as `10s` or `500ms`)',
    ],
    [
      'guards: { scanners: [{ name: s, command: [/bin/true], timeout: "5" }] }',
      '`5` is no time from 1ms to 60s (write it as `10s` or `500ms`)',
    ],
  ] as const) {
    test(lines, () => expect(faults(lines)).toEqual(problem === null ? [] : [problem]))
  }
})
