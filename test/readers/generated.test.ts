/** Programs made at random from the forms of each language, a call in one place: it is always told, wherever it lands. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Language } from '../../src/facts/host.ts'
import { record } from '../../src/facts/languages/harness.ts'

interface Grammar {
  readonly language: Language
  /** Runs the command that is looked for. */
  readonly call: string
  /** Stands where nothing is looked for. */
  readonly plain: string
  readonly before: string
  /** Forms around a value, a hole for it each. */
  readonly expressions: readonly string[]
  /** Forms of statements around a value. */
  readonly statements: readonly string[]
}

const COMMON = ['(#)', 'f(#)', 'f(1, #)', 'f(g(#), 2)', '[1, #]', 'a[#]', '1 + #', '# + 1']

const GRAMMARS: readonly Grammar[] = [
  {
    language: 'python',
    before: 'import os\n',
    call: 'os.system("rm -rf /srv/data")',
    plain: 'x',
    expressions: [
      ...COMMON,
      '(lambda a=#: a)',
      '(x if # else y)',
      '[# for x in y]',
      '[x for x in y if #]',
      '{#: 1}',
      '{1, #}',
      'a[1:#]',
      'a[#, 1:2]',
      'f"{#}"',
      'f"{x:{#}}"',
      '(y := #)',
      'not #',
      'f(*#, k=1)',
      '(1, #)[0]',
      '{**f(#)}',
      'a.b(#).c',
      '(yield #)',
    ],
    statements: [
      '#',
      'x = #',
      'x: # = 1',
      'if #: pass',
      'while #: break',
      'for a in #: pass',
      'with # as a: pass',
      'assert #, 1',
      'del a[#]',
      'def f(a=#): pass',
      'def f(a: #) -> int: pass',
      '@f(#)\ndef g(): pass',
      'class A(#): pass',
      'try: pass\nexcept #: pass',
      'match #:\n  case 1 if x: pass',
      'match x:\n  case [a] if #: pass',
      'type A = #',
      'raise A from #',
      'def f():\n  return #',
      'if a: pass\nelif #: pass\nelse: pass',
    ],
  },
  {
    language: 'node',
    before: 'const c = require("child_process");\n',
    call: 'c.execSync("rm -rf /srv/data")',
    plain: 'x',
    expressions: [
      ...COMMON,
      '((a = #) => a)',
      '(x ? # : y)',
      '{ a: # }.a',
      '({ [#]: 1 })',
      '({ get a() { return # } })',
      '`a${#}b`',
      'f`${#}`',
      'a?.[#]',
      'a?.(#)',
      '(class { [#]() {} })',
      '(class { static { # } })',
      'new A(#)',
      '!#',
      '[...f(#)]',
      '(async () => { await # })',
      'a ?? #',
      '(x, #)',
      'function () { return # }',
    ].filter((form) => !form.startsWith('{ ') && !form.startsWith('function')),
    statements: [
      'void #;',
      'var x = #;',
      'const { a = # } = {};',
      'const { [#]: b } = {};',
      'if (#) ; else ;',
      'for (const a of #) ;',
      'for (; #; ) break;',
      'while (#) break;',
      'do ; while (#);',
      'switch (#) { case 1: }',
      'switch (1) { case #: }',
      'try { f(#) } catch { }',
      'try { throw 1 } catch ({ a = # }) { }',
      'class A extends f(#) { }',
      'class A { x = #; static y = 1 }',
      'function f(a = #) { }',
      'l: { f(#); break l }',
      'with (#) { a }',
      'throw #;',
    ],
  },
  {
    language: 'php',
    before: '<?php ',
    call: 'system("rm -rf /srv/data")',
    plain: '$x',
    expressions: [
      '(#)',
      'f(#)',
      'f(a: #)',
      '[1, #]',
      '$a[#]',
      '1 . #',
      '(fn($a = #) => $a)',
      '($x ? # : $y)',
      '($x ?: #)',
      'match (1) { 1 => #, default => 2 }',
      'new A(#)',
      '$a?->b(#)',
      'A::b(#)',
      '(string) #',
      '!#',
      '$a->{#}',
    ],
    statements: [
      '#;',
      '$x = #;',
      'echo #;',
      'if (#): endif;',
      'while (#) { break; }',
      'foreach (# as $a);',
      'for (; #; ) break;',
      'switch (1) { case #: }',
      'function f($a = #) { } f();',
      'class A { function f() { return #; } }',
      'try { f(#); } finally { }',
      'return #;',
    ],
  },
  {
    language: 'ruby',
    before: '',
    call: 'system("rm -rf /srv/data")',
    plain: 'x',
    expressions: [
      ...COMMON,
      '"a#{#}b"'.replace('#{#}', '#{@@}'),
      '(x ? # : y)',
      '{ a: # }',
      '[*f(#)]',
      '->(a = #) { a }',
      'a&.b(#)',
      '(x; #)',
      '!#',
      'f { # }',
      '(begin; #; end)',
    ],
    statements: [
      '#',
      'y = #',
      'if #; end',
      '1 if #',
      'while #; break; end',
      'case #; when 1; end',
      'case 1; when #; end',
      'begin; 1; rescue #; end',
      'def f(a = #); end',
      'class A; f(#); end',
      'f a: #',
      'a, b = 1, #',
    ],
  },
  {
    language: 'lua',
    before: '',
    call: 'os.execute("rm -rf /srv/data")',
    plain: 'x',
    expressions: [
      '(#)',
      'f(#)',
      '{1, #}',
      '{[#] = 1}',
      'a[#]',
      '1 + #',
      'not #',
      '(function() return # end)()',
      'a.b(#)',
      'f{#}',
      'x and #',
    ],
    statements: [
      'x = #',
      'local y <const> = #',
      'if # then end',
      'while # do break end',
      'repeat until #',
      'for i = 1, # do end',
      'for a in # do end',
      'f(#)',
      'do local z = # end',
      'goto l; do f(#) end ::l::',
    ],
  },
  {
    language: 'perl',
    before: '',
    call: 'system("rm", "-rf", "/srv/data")',
    plain: '$x',
    expressions: [
      '(#)',
      'f(#)',
      '[1, #]',
      '{ a => # }',
      '$a[#]',
      '1 . #',
      '($x ? # : $y)',
      'sub { # }',
      '(1 and #)',
      'A->b(#)',
      'do { # }',
      '!#',
    ],
    statements: [
      '#;',
      'my $y = #;',
      'if (#) { }',
      '1 if #;',
      'while (#) { last }',
      'for my $a (#) { }',
      'L: { f(#) }',
      'return #;',
      'eval { # };',
      'BEGIN { f(#) }',
    ],
  },
]

const DEPTH = 3

for (const { language, before, call, plain, expressions, statements } of GRAMMARS) {
  const fill = (form: string, value: string): string => form.replace(/(?<!")#(?!\{)|@@/, () => value)
  const nested = fc
    .array(fc.constantFrom(...expressions), { maxLength: DEPTH })
    .map((forms) => forms.reduceRight((value, form) => fill(form, value), call))
  const program = fc
    .tuple(fc.array(fc.constantFrom(...statements), { maxLength: 2 }), fc.constantFrom(...statements), nested)
    .map(([others, statement, value]) => [...others.map((form) => fill(form, plain)), fill(statement, value)].join('\n'))
  test(language, () => {
    fc.assert(
      fc.property(program, (source) => {
        const { shells, commands, codes, reasons } = record(language, before + source)
        expect([...shells, ...commands, ...codes].some((text) => text.includes('/srv/data')) || reasons.length > 0).toBe(true)
      }),
      { numRuns: 400, seed: 20_261_124 },
    )
  })
}
