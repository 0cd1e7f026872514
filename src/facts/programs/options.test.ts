import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandSpec, Invocation, Word } from '../host.ts'
import { sliceWord } from '../resources/text/word.ts'
import { readCommand } from './options.ts'

const SPAN = { pointer: '/command', start: 0, end: 0 }

/** A word: `$` makes the rest unknown. */
function word(text: string): Word {
  const at = text.indexOf('$')
  const known = at < 0 ? text : text.slice(0, at)
  return { text: at < 0 ? text : null, prefix: known, glob: false, dynamic: at >= 0, span: SPAN }
}

function invocation(words: readonly string[]): Invocation {
  return { name: 'tool', program: word('tool'), args: words.map(word), env: new Map(), input: { kind: 'none' }, piped: false, span: SPAN }
}

const SPEC: CommandSpec = {
  flags: ['-r', '-R', '-f', '-v', '--recursive', '--force', '--verbose', '--no-preserve-root', '-name'],
  options: { '-o': 'write', '--output': 'write', '-n': 'data', '--number': 'data', '-jar': 'script' },
  optionalValues: ['-i', '--color'],
  inert: ['--help', '--version', '--dry-run', '--mode=plan', '-h'],
}

const read = (line: string, spec: CommandSpec = SPEC) => readCommand(spec, invocation(line.split(' ').filter((part) => part !== '')))
const texts = (words: readonly Word[]) => words.map((item) => item.text ?? `${item.prefix}$`)

describe('flags', () => {
  const ON: readonly (readonly [string, string])[] = [
    ['-r', '-r'],
    ['-rf', '-r'],
    ['-rf', '-f'],
    ['-fr', '-r'],
    ['-vrf', '-f'],
    ['--recursive', '--recursive'],
    ['--recurs', '--recursive'],
    ['--rec', '--recursive'],
    ['--forc', '--force'],
    ['--no-pres', '--no-preserve-root'],
    ['a b -f c', '-f'],
    ['--force=true', '--force'],
    ['--force=$x', '--force'],
    ['--no-force --force', '--force'],
    ['-zrf', '-r'],
    ['-name', '-name'],
    ['-o out -f', '-f'],
    ['--output=out -f', '-f'],
    ['--color -f', '-f'],
  ]
  for (const [line, name] of ON) test(`${line} has ${name}`, () => expect(read(line).parsed.flag(name)).toBe(true))

  const OFF: readonly (readonly [string, string])[] = [
    ['', '-r'],
    ['-- -r', '-r'],
    ['-o -r', '-r'],
    ['--output -f', '-f'],
    ['-o-r', '-r'],
    ['--force --no-force', '--force'],
    ['--force --force=false', '--force'],
    ['--force --force=0', '--force'],
    ['--ver', '--verbose'], // --verbose or --version: neither
    ['--r=x', '--force'],
  ]
  for (const [line, name] of OFF) test(`${line} has no ${name}`, () => expect(read(line).parsed.flag(name)).toBe(false))

  test('the last of several names wins', () => {
    expect(read('--force --no-force').parsed.flag('-f', '--force')).toBe(false)
    expect(read('--no-force -f').parsed.flag('-f', '--force')).toBe(true)
  })
})

describe('values', () => {
  const VALUES: readonly (readonly [string, string, string | null])[] = [
    ['-o out', '-o', 'out'],
    ['-oout', '-o', 'out'],
    ['-vo out', '-o', 'out'],
    ['-voout', '-o', 'out'],
    ['--output out', '--output', 'out'],
    ['--output=out', '--output', 'out'],
    ['--out=out', '--output', 'out'],
    ['--output=', '--output', ''],
    ['-o --', '-o', '--'],
    ['-o', '-o', null],
    ['-o a -o b', '-o', 'b'],
    ['-i.bak', '-i', '.bak'],
    ['-i .bak', '-i', null],
    ['--color=always', '--color', 'always'],
    ['--color always', '--color', null],
    ['-jar x.jar', '-jar', 'x.jar'],
  ]
  for (const [line, name, expected] of VALUES) {
    test(`${line}: ${name} is ${expected}`, () => expect(read(line).parsed.value(name)?.text ?? null).toBe(expected))
  }

  test('all values, in order', () => expect(texts(read('-o a x --output=b -oc').parsed.values('-o', '--output'))).toEqual(['a', 'b', 'c']))
  test('an unknown value keeps its known beginning', () => {
    expect(texts(read('--output=/etc/$x').parsed.values('--output'))).toEqual(['/etc/$'])
    expect(texts(read('-o/etc/$x').parsed.values('-o'))).toEqual(['/etc/$'])
    expect(texts(read('-o$x').parsed.values('-o'))).toEqual(['$'])
  })
  test('single-dash long options take `=`', () => {
    const spec: CommandSpec = { options: { '-out': 'write' }, singleDashLong: true }
    expect(read('-out=plan', spec).parsed.value('-out')?.text).toBe('plan')
    expect(read('-out plan', spec).parsed.value('-out')?.text).toBe('plan')
  })
})

describe('operands', () => {
  const OPERANDS: readonly (readonly [string, readonly string[]])[] = [
    ['a -r b', ['a', 'b']],
    ['-o out a', ['a']],
    ['-- -r --force', ['-r', '--force']],
    ['a -- b', ['a', 'b']],
    ['- a', ['-', 'a']],
    ['--unknown a', ['a']],
    ['--unknown=x a', ['a']],
    ['-z a', ['a']],
    ['$x a', ['$', 'a']],
    ['--color a', ['a']],
    ['-n 5 a', ['a']],
    ['-5 a', ['a']],
  ]
  for (const [line, expected] of OPERANDS) test(line, () => expect(texts(read(line).parsed.operands)).toEqual(expected))

  test('words after `--` are the rest too', () => expect(texts(read('a -- b c').parsed.rest)).toEqual(['b', 'c']))
  test('operands end the options where the spec says so', () => {
    const spec: CommandSpec = { flags: ['-t'], stopAtOperand: true }
    expect(texts(read('-t host rm -rf -- x', spec).parsed.operands)).toEqual(['host', 'rm', '-rf', '--', 'x'])
  })
  test('unknown options are told', () => expect(texts(read('--weird -z -r$x a').parsed.unknown)).toEqual(['--weird', '-z', '-r$']))
})

describe('subcommands', () => {
  const TREE: CommandSpec = {
    flags: ['--verbose'],
    options: { '-C': 'data', '--profile': 'data' },
    aliases: { rm: 'remove' },
    subcommands: {
      remote: { subcommands: { add: { flags: ['-f'] }, remove: {} }, aliases: { rm: 'remove' } },
      remove: { flags: ['-f'], options: { '-C': 'write' } },
      push: { flags: ['-f', '--force'] },
    },
  }
  const PATHS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['push origin', ['push'], ['origin']],
    ['-C dir push origin', ['push'], ['origin']],
    ['--profile=x push', ['push'], []],
    ['push --profile x origin', ['push'], ['origin']],
    ['--verbose remote add name url', ['remote', 'add'], ['name', 'url']],
    ['remote --verbose rm name', ['remote', 'remove'], ['name']],
    ['rm x', ['remove'], ['x']],
    ['--wat value push x', ['push'], ['value', 'x']],
    ['remote', ['remote'], []],
    ['nonsense push', [], ['nonsense', 'push']],
    ['-- push x', ['push'], ['x']],
    ['constructor', [], ['constructor']],
    ['__proto__ push', [], ['__proto__', 'push']],
  ]
  for (const [line, path, operands] of PATHS) {
    test(line, () => {
      const { parsed } = read(line, TREE)
      expect(parsed.path).toEqual(path)
      expect(texts(parsed.operands)).toEqual(operands)
    })
  }

  test('an option means what the innermost command says', () => {
    expect(read('remove -C out', TREE).uses[0]?.role).toBe('write')
    expect(read('-C out remove', TREE).uses[0]?.role).toBe('data')
  })

  const UNRESOLVED: readonly (readonly [string, string | null | undefined])[] = [
    ['push x', undefined],
    ['nonsense', 'nonsense'],
    ['$cmd', null],
    ['$opts push', null],
    ['remote nonsense', 'nonsense'],
    ['--wat value push', undefined],
    ['', undefined],
  ]
  for (const [line, expected] of UNRESOLVED) {
    test(`what is not resolved in \`${line}\``, () => expect(read(line, TREE).unresolved?.text).toBe(expected))
  }
})

describe('inert options', () => {
  const INERT = ['--help', 'a --help', '-r --version', '--dry-run a', '--mode=plan', '-rh', '--no-dry-run --dry-run', '--dry-run=true']
  for (const line of INERT) test(`inert: ${line}`, () => expect(read(line).parsed.inert).toBe(true))

  const ACTIVE = [
    '',
    '-- --help',
    '-o --help',
    '--output --dry-run',
    '--output=--help',
    '--dry-run --no-dry-run',
    '--dry-run=false',
    '--dry-run=none',
    '--dry-run=$x',
    '--mode=apply',
    '--mode',
    '--hel',
    '--dry',
    '-zh',
    '--$x',
    '--help$x',
  ]
  for (const line of ACTIVE) test(`acts: ${line}`, () => expect(read(line).parsed.inert).toBe(false))

  test('only before operands where BSD getopt would stop', () => {
    const spec: CommandSpec = { ...SPEC, inertFirst: true }
    expect(read('-rf / --help', spec).parsed.inert).toBe(false)
    expect(read('-rf --help /', spec).parsed.inert).toBe(true)
  })
  test('a flag that a value option takes is its value, not a wish', () => {
    expect(read('-n --dry-run').parsed.inert).toBe(false)
  })
})

describe('for every command line', () => {
  const part = fc.constantFrom(
    '-r',
    '-rf',
    '-z',
    '--force',
    '--wat',
    '--wat=1',
    '-o',
    'x',
    '--',
    '-',
    '$v',
    '-$v',
    '--output',
    '-n',
    '--color',
    'y',
  )

  test('each word is an operand, an option, a value or the end of options', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (words) => {
        const { parsed, uses } = readCommand(SPEC, invocation(words))
        const written = (text: string | null) => words.some((word) => (text === null ? word.endsWith('$v') : word === text))
        const separate = uses.filter(({ value }) => value !== null && written(value.text)).length
        const known = parsed.operands.length + parsed.unknown.length + uses.length + separate
        expect(known).toBeGreaterThanOrEqual(words.filter((item) => item !== '--').length - 1)
      }),
    )
  })

  test('an unknown option never hides an operand', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), fc.nat(10), (words, at) => {
        const plain = words.filter((item) => item !== '-o' && item !== '--output' && item !== '-n')
        const before = texts(readCommand(SPEC, invocation(plain)).parsed.operands)
        const more = [...plain.slice(0, at), '--never-heard-of', ...plain.slice(at)]
        const after = texts(readCommand(SPEC, invocation(more)).parsed.operands)
        for (const operand of before) expect(after).toContain(operand)
      }),
    )
  })

  test('bundled, separate and long flags are the same', () => {
    fc.assert(
      fc.property(fc.constantFrom('-rf', '-fr', '-r -f', '--recursive --force', '--force -r', '-vrf'), fc.boolean(), (flags, first) => {
        const { parsed } = read(first ? `${flags} x` : `x ${flags}`)
        expect(parsed.flag('-r', '--recursive') && parsed.flag('-f', '--force')).toBe(true)
        expect(texts(parsed.operands)).toEqual(['x'])
      }),
    )
  })

  test('ten thousand words are read in one pass', () => {
    const words = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? `--unheard-of-${index}` : `-abcdefgh${index}`))
    expect(readCommand(SPEC, invocation(words)).parsed.unknown.length).toBeGreaterThanOrEqual(5_000)
  })
})

test('the rest of a word keeps what is known of it', () => {
  expect(sliceWord(word('--x=a'), 4)).toMatchObject({ text: 'a', prefix: 'a' })
  expect(sliceWord(word('--x=a$b'), 4)).toMatchObject({ text: null, prefix: 'a' })
})
