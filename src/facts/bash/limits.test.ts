import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { facts } from './harness.ts'

/** Hostile sizes and shapes: always an answer, never an exception, and never silence where something was left out. */

const many = (text: string, count: number): string => text.repeat(count)

const HOSTILE: readonly (readonly [string, string])[] = [
  ['text past the limit', `rm x\n${many('a ', 40_000)}`],
  ['nested substitutions', many('$(', 2_000) + many(')', 2_000)],
  ['nested quoted substitutions', many('"$(', 2_000)],
  ['nested backticks', many('`', 5_000)],
  ['nested subshells', many('( ', 5_000) + many(') ', 5_000)],
  ['nested groups', many('{ ', 5_000)],
  ['nested arithmetic', `echo $((${many('(', 3_000)}1${many(')', 3_000)}))`],
  ['long arithmetic', `echo $((${many('1+', 10_000)}$(rm x)))`],
  ['nested tests', `[[ ${many('( ', 2_000)} a ]]`],
  ['nested ifs', many('if true; then ', 2_000)],
  ['many here-documents', many('cat <<E\nE\n', 3_000)],
  ['nested parameters', many('$' + '{a:-', 2_000)],
  ['subscripts in each other that nothing closes', `ssh h '${many('1local $' + '{a[find . -exec ', 333)}'`],
  ['parameters of which each may be many words', `curl ${many('$*', 30_000)}`],
  ['many commands', many('rm x;', 10_000)],
  ['nested process substitutions', many('<(<<{}$[', 120)],
  ['ways into directories in each other', `curl a.${many('>(cd a.', 43)}`],
  ['ever deeper directories', many('cd export Ａa;', 4_000)],
  ['ever deeper directories of PowerShell', `pwsh -c '${many('; cd Ａ', 600)}'`],
  ['one pattern redirected ever again', `{ ${many('<?', 15_000)} x; }`],
  ['patterns of which none is like another', `{ ${Array.from({ length: 8_000 }, (_, at) => `<a${at}?`).join('')} x; }`],
  ['PHP of values that may be several, in loops in each other', `php -r '${many('while %aset -- ', 2_050)}'`],
  ['arms that nothing closes', `case x in ${many('a) ', 20_000)} esac`],
  ['ends of arms alone', `case x in ${many(')', 60_000)} x esac`],
  ['loops that are functions, in each other', `bash <<E\n${many('..f() a;select x in a; do ', 380)}`],
  ['calls that nothing closes, for a program that nobody knows', `xbash-exec <<'E'\n${many('-exec{', 1_600)}\nE\n`],
  ['subshells that nothing closes', `x=${many('}; !(', 12_000)}`],
  ['descriptors that are not known, ever again', `rm ${many('<&,$x', 12_000)}`],
  ['one file named ever again', `echo x ${many('>> y <> y ', 1_400)}`],
  [
    'links that lead into themselves',
    `! true && : || echo "$?" && ${many('ln ?" && ', 2)}sh  lnx ?" && ${many('ln ?" && ', 3)}ln -sf ../x y; cp -`,
  ],
  ['conditions of SQL behind each other', `psql -c '${many('if ', 20_000)}'`],
  ['parameters of PowerShell that are given each other', `pwsh -c '${many('-e:', 20_000)}x'`],
  ['members of PowerShell behind each other', `pwsh -c '${many('$x.', 9_900)}y'`],
  ['a way through a directory of thousands of names', `(cd ${many('$PWD', 1_700)}/; rm -rf x)`],
  ['process substitutions in functions in each other', `bash <<E\n${many('f(){ a;|<(', 260)}a\nE\n`],
  ['links of links', `x='ln -sf ../x y; ${many('ln -s y z; ', 60)}'; eval "$x"; eval "$x"`],
  [
    'a function called ever more often',
    'f() { g; g; }; g() { h; h; }; h() { i; i; }; i() { j; j; }; j() { k; k; }; k() { l; l; }; l() { m; m; }; m() { n; n; }; n() { o; o; }; o() { p; p; }; p() { rm x; rm x; }; f; f',
  ],
  ['nested loops', `${many('for i in 1 2 3 4 5 6 7 8; do ', 8)}rm x${many('; done', 8)}`],
  ['wide braces', 'rm {1..9}{1..9}{1..9}{1..9}{1..9}'],
  ['nested shells', Array.from({ length: 30 }).reduce<string>((text) => `bash -c ${JSON.stringify(text).slice(0, 20_000)}`, 'rm x')],
  ['nested wrappers', `${many('env ', 500)}rm x`],
  ['evals of evals', `${many('eval ', 300)}rm x`],
  ['arithmetic in arithmetic', `echo ${many('$((', 400)}1${many('))', 400)}`],
  ['code that braces copy', '$CMD{1..9} "$(xargs{1..9}{1..9} rm)"{1..9}{1..9}'],
  ['a text that doubles itself', `x=aaaaaaaaaa; ${many('x=$x$x$x$x$x$x$x$x$x$x; ', 8)} rm "$x"`],
  ['a quoted text that doubles itself', `x=aaaaaaaaaa; ${many('x="$x$x$x$x$x$x$x$x$x$x"; ', 8)} eval "$x"`],
  ['a long word from braces', `rm {a,b}${many('$IFS', 4_000)}`],
  ['thousands of redirections', `a ${many('>b ', 20_000)}`],
  ['thousands of targets of one command', `export ${many('PATH=/tmp:$PATH ', 4_000)}`],
  ['a long text decoded again and again', `echo ${many('A', 60_000)}${many(' | tr a-z b-za', 60)} | sh`],
  ['loops in loops', 'for a in {1..32}; do for b in {1..32}; do for c in {1..32}; do rm -rf "$a/$b/$c" & done; done; done'],
  [
    'branches with many variables',
    `${Array.from({ length: 500 }, (_, at) => `v${at}=1`).join(';')};${many('if a; then x=1; else x=2; fi;', 90)}`,
  ],
  ['substitutions before a long text', `${many('$(', 500)}${many('a ', 20_000)}`],
  ['functions that are bodies of functions', many('f() ', 4_000)],
  ['nested functions', many('f() {', 4_000)],
  ['nested named functions', many('function f ', 4_000)],
  ['nested coprocesses', many('coproc ', 8_000)],
  ['functions without end', Array.from({ length: 3_000 }, (_, at) => `f${at}(){ :; }`).join(';')],
  ['nested old arithmetic', many('$[', 30_000) + many(']', 30_000)],
  ['nested old arithmetic in quotes', `echo "${many('$[', 30_000)}${many(']', 30_000)}"`],
  ['many words handed through many defaults', `echo ${many('$' + '{x:-', 300)}}${many(' a', 700)}`],
  ['brackets without end in arithmetic', `echo $((${many('[&', 30_000)}`],
  ['brackets without end in an arithmetic command', `((${many('a[&', 20_000)}"]"))`],
  ['brackets without end in the head of a loop', `for ((i=${many('[&', 20_000)};;)); do :; done`],
  ['one PowerShell command of thousands of words', `pwsh -c '${many('curl -cgit ', 5_400)}'`],
  ['PowerShell loops in each other', `pwsh -c '${many('while (', 37)} x${many(')', 37)}'`],
  ['PowerShell loops over known items in each other', `pwsh -c '${many('foreach ($a in 1,2,3,4) {', 30)}${many('}', 30)}'`],
  ['a text of awk that grows with every word', `awk '${many('1local ', 9_990)}`],
  ['code that is handed to itself', `perl -e '${many('eval "map { ', 13)}x${many('} (1,2)"', 13)}'`],
  ['PowerShell tables that are keys of tables', `pwsh -c '${many('@{ ', 10_000)}'`],
  ['PowerShell that goes ever deeper', `pwsh -c '${many('cd done\n', 7_000)}'`],
  ['PowerShell of thousands of stages', `pwsh -c '${many('a|', 4_000)}a'`],
  ['PowerShell assignments in each other', `pwsh -c '${many('+=', 15_000)}'`],
  ['PowerShell values of values', `pwsh -c '$a${many('=$b', 10_000)}'`],
  ['JavaScript loops that are read twice', `node -e '${many('for(function(){', 25)}'`],
  ['keys that are read twice', `node -e 'x=${many('{[', 25)}y${many('](z)}', 25)}'`],
  ['loops over nothing in each other', `f() { ${many('for i ', 14)}}; f a b c d e`],
  ['functions side by side', many('f() {}$*', 7_500)],
  ['functions side by side in code', `echo '${many('f() {}$*', 7_500)}' | sh`],
  ['code in thousands of texts', `python3 -c '${many('f"{f(a)}";', 6_000)}'`],
  ['a case of thousands of arms', `case x in ${many('a) b;; ', 9_000)} esac`],
  ['values that take each other over', `x=$(curl h); ${Array.from({ length: 500 }, () => 'x="$x$(curl h)"').join(';')}; curl $x`],
  ['a text that repeats itself', `x='${many('curl https://x.example/i$x;', 400)}'; $x; eval "$x"`],
]

describe('hostile text is bounded and said to be', () => {
  for (const [name, text] of HOSTILE) {
    test(name, () => {
      const found = facts(text)
      expect(found.coverage).toBe('partial')
      expect(found.effects.some((item) => item.verb === 'opaque' || item.action === 'program:unknown')).toBe(true)
      expect(found.effects.length).toBeLessThan(10_000)
      expect(found.effects.filter((item) => item.reason?.includes('to its end'))).toEqual([])
    })
  }
})

// A list of origins that doubled at every level would not come to an end here.
for (const [name, open, close] of [
  ['substitutions', 'echo y "$(', ')"'],
  ['defaults', '"$' + '{x:-$(id)', '}"'],
  ['substitutions of unknown output', 'date "$(id)" "$(', ')"'],
] as const)
  test(`where ${name} in each other come from is told once`, () => {
    const found = facts(`rm ${name === 'defaults' ? '' : '$('}${many(open, 40)}${many(close, 40)}${name === 'defaults' ? '' : ')'}`)
    expect(found.effects.length).toBeLessThan(200)
  })

test('where a value comes from that is named again and again is told once', () => {
  const found = facts(`x="$(${many('curl h;', 300)})"; curl ${many('$x', 20_000)}`)
  expect(found.effects.length).toBeLessThan(1_000)
  expect(found.effects.some((item) => item.reason?.includes('to its end'))).toBe(false)
})

test('letters of an endless bundle of flags are not read one by one', () => {
  const found = facts(`curl -${many('k', 50_000)}x http://proxy.test http://host.test`)
  expect(found.commands[0]?.program).toBe('curl')
  expect(found.effects.some((item) => item.target.value.includes('host.test'))).toBe(true)
})

test('broken text is read as far as it goes', () => {
  for (const text of ['rm x; echo $(', "rm x; echo 'a", 'rm x; if true', 'rm x; )', 'rm x; { ls', 'rm x; echo "${y']) {
    const found = facts(text)
    expect(
      found.effects.some((item) => item.verb === 'delete' && item.target.real === '/repo/x'),
      text,
    ).toBe(true)
    expect(found.coverage, text).toBe('partial')
  }
})

test('Ruby blocks before a `=` are read once', () => {
  const found = facts(`ruby -e '${many('case x in ${!xf(){ $"', 14)}'`)
  expect(found.effects.filter((item) => item.reason?.includes('again and again'))).toEqual([])
})

test('an alias of itself ends', () => {
  const found = facts('alias a=b b=a; a')
  expect(found.effects.map((item) => item.action)).toEqual(['program:unknown'])
})

test('a here-document without its end is one, as in bash', () => {
  expect(facts('rm x; cat <<E').effects.map((item) => item.verb)).toEqual(['delete'])
})

test('errors inside a substitution are not lost', () => {
  for (const text of ['echo $(if)', 'echo "`(`"', 'cat <(for)', 'echo $(echo $(while))']) {
    expect(
      facts(text).effects.some((item) => item.verb === 'opaque' && item.reason?.includes('syntax')),
      text,
    ).toBe(true)
  }
})

const PIECES = [
  ...[
    'rm',
    'x',
    '-rf',
    '/etc',
    'echo',
    'git',
    'push',
    'bash',
    '-c',
    'sudo',
    'xargs',
    'find',
    '.',
    '-exec',
    '{}',
    '\\;',
    'eval',
    'cat',
    'curl',
    'cd',
  ],
  ...[
    '$(',
    ')',
    '`',
    '"',
    "'",
    '$x',
    '${',
    '}',
    '$((',
    '))',
    '<(',
    '>(',
    '|',
    '|&',
    '&&',
    '||',
    ';',
    '&',
    '(',
    '{',
    '}',
    '[[',
    ']]',
    '!',
    '*',
    '?',
    '[',
  ],
  ...[
    '>',
    '>>',
    '<',
    '<<E',
    '<<<',
    '>&',
    '2>&1',
    '&>',
    '\n',
    'E\n',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'case',
    'esac',
    ';;',
    'f()',
    'x=1',
  ],
  ...['\\', '~', '=', 'A=', '$@', '$1', '{a,b}', '{1..3}', 'coproc', 'time', 'select', 'function', '#', '\0', '\u{1f600}', '\ud800', '\t'],
]

test('no text makes it throw, and everything it says has a place in the text', () => {
  const script = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 40 })
    .chain((pieces) => fc.constantFrom('', ' ').map((gap) => pieces.join(gap)))
  fc.assert(
    fc.property(script, (text) => {
      const found = facts(text)
      for (const item of [...found.effects, ...found.commands]) {
        const span = item.span
        expect(span !== null && span.start >= 0 && span.end >= span.start && span.start <= text.length, text).toBe(true)
      }
      const opaque = found.effects.some((item) => item.verb === 'opaque')
      if (opaque) expect(found.coverage).toBe('partial')
    }),
    { numRuns: 1_500 },
  )
})

test('the same text in the same world gives the same facts', () => {
  const script = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(' '))
  fc.assert(
    fc.property(script, (text) => {
      expect(facts(text)).toEqual(facts(text))
    }),
    { numRuns: 200 },
  )
})

/** A statement that removes `x`, inside everything a grammar can put around it. */
const removal: fc.Memo<string> = fc.memo((depth) => (depth <= 1 ? fc.constant('rm x') : fc.oneof(fc.constant('rm x'), around(depth - 1))))
const around = (depth: number): fc.Arbitrary<string> =>
  removal(depth).chain((inner) =>
    fc.constantFrom(
      `( ${inner} )`,
      `{ ${inner}; }`,
      `true && ${inner}`,
      `${inner} || true`,
      `if true; then ${inner}; fi`,
      `while true; do ${inner}; done`,
      `for i in 1; do ${inner}; done`,
      `case a in a) ${inner};; esac`,
      `f${depth}() { ${inner}; }; f${depth}`,
      `echo $( ${inner} )`,
      `cat <( ${inner} )`,
      `ls | { ${inner}; }`,
      `y=$( ${inner} )`,
      `! { ${inner}; }`,
      `eval '${inner.replaceAll("'", "'\\''")}'`,
      `bash -c '${inner.replaceAll("'", "'\\''")}'`,
      `cat <<EOF${depth}\n$( ${inner} )\nEOF${depth}\n`,
    ),
  )

test('no construct around a command hides it', () => {
  fc.assert(
    fc.property(around(4), (text) => {
      const found = facts(text)
      const seen = found.effects.some((item) => item.verb === 'delete' && item.target.real === '/repo/x')
      expect(seen || found.coverage === 'partial', text).toBe(true)
      if (found.coverage === 'full') expect(seen, text).toBe(true)
    }),
    { numRuns: 500 },
  )
})
