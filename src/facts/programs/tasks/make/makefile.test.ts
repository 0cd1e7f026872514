import { describe, expect, test } from 'vitest'
import { lines } from '../../../bash/harness.ts'
import { Makefile } from './makefile.ts'

/** Rules of make as text: what a target runs, and that a hostile file costs no more than its size. */

const made = (makefile: string, files: Readonly<Record<string, string>> = {}, command = 'make'): readonly string[] =>
  lines(command, { files: { '/repo/Makefile': makefile, ...files } }).filter((line) => /^(?:write fs:touch|opaque)/.test(line))

const MORE = 'opaque the rules of `make` come to more than can be followed'
const UNREAD = 'opaque the rules of `make` with those they include are more than is read'

describe('what a target needs and what is included', () => {
  const b = 'b:\n\ttouch /tmp/b\n'
  for (const [makefile, files, expected] of [
    [`all: b\n${b}`, {}, ['write fs:touch /tmp/b']],
    [`all: | b\n${b}`, {}, ['write fs:touch /tmp/b']],
    [`all: c | b # d\n${b}`, {}, ['write fs:touch /tmp/b']],
    [`N = b\nall: $(N)\n$(N):\n\ttouch /tmp/$@\n`, {}, ['write fs:touch /tmp/b']],
    ['all: a.x\n%.x:\n\ttouch /tmp/$@\n', {}, ['write fs:touch /tmp/a.x']],
    ['all: b\nb:\nb c:\n\ttouch /tmp/$@\n', {}, ['write fs:touch /tmp/b']],
    ['all: b\n  include mk\n', { '/repo/mk': b }, ['write fs:touch /tmp/b']],
    ['all: b\nifdef X\n  -include mk\nendif\n', { '/repo/mk': b }, ['write fs:touch /tmp/b']],
    ['all: b\ninclude none mk\n', { '/repo/mk': b }, ['write fs:touch /tmp/b']],
    ['all: b\ninclude mk\n', { '/repo/mk': 'include mk2\n', '/repo/mk2': b }, ['write fs:touch /tmp/b']],
    ['all:\n\ttrue\ninclude $(X)/mk\n', {}, ['opaque which rules `make` includes is not known']],
    ['all:\n\ttrue\ninclude *.mk\n', {}, ['opaque which rules `make` includes is not known']],
    ['all:\n\ttrue\ninclude Makefile\n', {}, [UNREAD]],
    ['b = /tmp/no\nall:\n\ttouch /tmp/$$(b)\n', {}, ['write fs:touch /tmp/$(b)']],
    ['all:\n\tb=/tmp/b; touch $$b $@\n', {}, ['write fs:touch /tmp/b', 'write fs:touch /repo/all']],
    ['all:\n\tset /tmp/b; for i in "$$@"; do touch $$i; done\n', {}, ['write fs:touch /tmp/b']],
    [`all:\n\ttrue\n${'include mk\n'.repeat(20)}`, { '/repo/mk': '' }, []],
    [`all:\n\ttrue\n${'include mk\n'.repeat(40)}`, { '/repo/mk': '' }, [UNREAD]],
    ['all:\n\ttrue\ninclude mk mk\n', { '/repo/mk': '# x\n'.repeat(40_000) }, [UNREAD]],
  ] as const)
    test(JSON.stringify(makefile).slice(0, 60), () => expect(made(makefile, files)).toEqual(expected))
})

describe('files that come to more than they hold', () => {
  const needs = `all: ${Array.from({ length: 100 }, (_, i) => `a${i}`).join(' ')}\n`
  for (const [title, makefile] of [
    ['names from a long variable', `V = ${'x '.repeat(10_000)}\n${needs}${'$(V): x\n\ttrue\n'.repeat(1_000)}`],
    ['very many patterns', `${needs}${'%: x\n'.repeat(9_000)}`],
    ['recipes from a long variable', `V = ${'x'.repeat(30_000)}\n${needs}\n%:\n\t: $(V)\n`],
    ['very many rules', `${needs}${'x: y\n'.repeat(5_001)}`],
    ['very many rules of other files', `${'x: y\n'.repeat(5_001)}${needs}\trm a\n`],
    ['very many commands that are read', `${needs}${'$(shell ls)\n'.repeat(1_001)}`],
    ['commands in commands that are read', `${needs}${`${'$(shell '.repeat(40)}\n`.repeat(40)}`],
    ['lines that are read', `V = ${'x'.repeat(30_000)}\n${'$(shell : $(V))\n'.repeat(1_000)}all:\n\ttrue\n`],
  ] as const)
    test(title, () => expect(made(makefile).filter((line) => line.startsWith('opaque'))).toContain(MORE))

  test('variables that name each other end', () => {
    const file = new Makefile(`A = $(A)$(A)${'x'.repeat(1_000)}\n`, new Map())
    expect(file.expanded('$(A)', '').length).toBeLessThan(100_000)
  })

  test('as many as that are read', () => {
    const file = new Makefile(`${'x: y\n'.repeat(5_000)}${'$(shell ls)\n'.repeat(1_000)}`, new Map())
    expect([file.exhausted, file.targets.length, file.read.length]).toEqual([false, 5_000, 1_000])
  })

  test('from then on nothing is known', () => {
    const file = new Makefile('V = x\n', new Map())
    expect(file.expanded('$(V)', '')).toBe('x')
    file.expanded('y'.repeat(600_000), '')
    expect([file.exhausted, file.expanded('$(V)', '')]).toEqual([true, '$UNKNOWN'])
  })
})
