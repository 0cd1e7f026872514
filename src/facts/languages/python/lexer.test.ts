import { describe, expect, test } from 'vitest'
import { tokenLine } from '../syntax/outline.ts'
import { lexPython } from './lexer.ts'

/** Tokens of Python: indentation, joined lines, every string prefix, numbers, operators. */

describe('names, numbers, operators', () => {
  for (const [code, expected] of [
    ['x = 1', 'x = #1 ⏎'],
    ['a.b(c)[d]', 'a . b ( c ) [ d ] ⏎'],
    ['x1 _y é naïve', 'x1 _y é naïve ⏎'],
    ['1 2.5 1e3 1E-5 0x1f 0o17 0b11 1_000 3j .5 1.', '#1 #2.5 #1e3 #1E-5 #0x1f #0o17 #0b11 #1_000 #3j #.5 #1 . ⏎'],
    ['a+b-c*d/e//f%g**h@i', 'a + b - c * d / e // f % g ** h @ i ⏎'],
    ['a<b>c<=d>=e==f!=g', 'a < b > c <= d >= e == f != g ⏎'],
    ['a<<b>>c&d|e^f~g', 'a << b >> c & d | e ^ f ~ g ⏎'],
    ['a+=1;b-=2;c*=3;d//=4;e**=5;f>>=6;g@=7', 'a += #1 ; b -= #2 ; c *= #3 ; d //= #4 ; e **= #5 ; f >>= #6 ; g @= #7 ⏎'],
    ['x:=1', 'x := #1 ⏎'],
    ['def f(a,/,*,b)->c:...', 'def f ( a , / , * , b ) -> c : ... ⏎'],
    ['lambda*a,**k:0', 'lambda * a , ** k : #0 ⏎'],
    ['@decorator', '@ decorator ⏎'],
    ['a if b else c', 'a if b else c ⏎'],
    ['not x is not y not in z', 'not x is not y not in z ⏎'],
    ['x;y;z', 'x ; y ; z ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexPython(code))).toBe(expected))
})

describe('strings', () => {
  for (const [code, expected] of [
    [`'a' "b"`, '"a" "b" ⏎'],
    [`'a\\'b' "c\\"d"`, `"a'b" "c\\"d" ⏎`],
    [`'\\n\\t\\\\\\x41\\u0042\\101\\z'`, '"\\n\\t\\\\ABAz" ⏎'],
    [
      `'''a
b'''`,
      '"a\\nb" ⏎',
    ],
    [`"""it's "quoted" here"""`, `"it's \\"quoted\\" here" ⏎`],
    [`r'\\n' R"\\d"`, '"\\\\n" "\\\\d" ⏎'],
    [`b'a\\x41' B"b"`, 'b"aA" b"b" ⏎'],
    [`rb'\\n' bR'\\x'`, 'b"\\\\n" b"\\\\x" ⏎'],
    [`u'x'`, '"x" ⏎'],
    [`'a' 'b' "c"`, '"a" "b" "c" ⏎'],
    [
      `'a\\
b'`,
      '"ab" ⏎',
    ],
    [`''`, '"" ⏎'],
    ['""""""', '"" ⏎'],
    [`'#' "not a # comment"`, '"#" "not a # comment" ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexPython(code))).toBe(expected))
})

describe('strings: what cannot be read says so', () => {
  for (const [code, message] of [
    [`'unclosed`, 'a string is not closed'],
    [
      `"unclosed
`,
      'a string is not closed',
    ],
    [`'''unclosed`, 'a string is not closed'],
    [
      `'a
b'`,
      'a string is not closed',
    ],
  ] as const)
    test(code, () => expect(() => lexPython(code)).toThrow(message))
})

describe('formatted strings', () => {
  for (const [code, expected] of [
    [`f'{x}'`, 'template({x}) ⏎'],
    [`f'a{b}c{d}e'`, 'template("a" {b} "c" {d} "e") ⏎'],
    [`f'{x!r:>{w}}'`, 'template({(x\n,(w\n))[0]}) ⏎'],
    [`f'{x:%Y-%m}'`, 'template({x}) ⏎'],
    [`f'{{literal}}'`, '"{literal}" ⏎'],
    [`f'{d["k"]}'`, 'template({d["k"]}) ⏎'],
    [`f"{d['k']}"`, `template({d['k']}) ⏎`],
    [`f'{x=}'`, 'template({x}) ⏎'],
    [`f'{a if b else c}'`, 'template({a if b else c}) ⏎'],
    [`f'{x == y}'`, 'template({x == y}) ⏎'],
    [`f'{f(1, 2)}{g()}'`, 'template({f(1, 2)} {g()}) ⏎'],
    [
      `f'''{x
+1}'''`,
      `template({x
+1}) ⏎`,
    ],
    [`rf'\\d{x}'`, 'template("\\\\d" {x}) ⏎'],
    [`f'plain'`, '"plain" ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexPython(code))).toBe(expected))
})

describe('formatted strings: what cannot be read says so', () => {
  for (const [code, message] of [[`f'{unclosed'`, 'a string is not closed']] as const)
    test(code, () => expect(() => lexPython(code)).toThrow(message))
})

describe('comments and lines', () => {
  for (const [code, expected] of [
    [' # only a comment', '⏎'],
    ['x # behind', 'x ⏎'],
    [
      `x
# between
y`,
      'x ⏎ y ⏎',
    ],
    [
      `x \\
+ y`,
      'x + y ⏎',
    ],
    [
      `(a,
 b,
 c)`,
      '( a , b , c ) ⏎',
    ],
    [
      `[
1,
2
]`,
      '[ #1 , #2 ] ⏎',
    ],
    [
      `{
'a': 1
}`,
      '{ "a" : #1 } ⏎',
    ],
    [
      `x


y`,
      'x ⏎ y ⏎',
    ],
    [
      `#!/usr/bin/env python
x`,
      'x ⏎',
    ],
    [
      `x
`,
      'x ⏎ ⏎',
    ],
  ] as const)
    test(code, () => expect(tokenLine(lexPython(code))).toBe(expected))
})

describe('indentation', () => {
  for (const [code, expected] of [
    [
      `if a:
    b`,
      'if a : ⏎ indent b ⏎ dedent',
    ],
    [
      `if a:
    b
c`,
      'if a : ⏎ indent b ⏎ dedent c ⏎',
    ],
    [
      `if a:
  if b:
    c
d`,
      'if a : ⏎ indent if b : ⏎ indent c ⏎ dedent dedent d ⏎',
    ],
    [
      `if a:
	b
c`,
      'if a : ⏎ indent b ⏎ dedent c ⏎',
    ],
    ['if a: b', 'if a : b ⏎'],
    [
      `if a:
    b
else:
    c`,
      'if a : ⏎ indent b ⏎ dedent else : ⏎ indent c ⏎ dedent',
    ],
    [
      `if a:
    b

    c`,
      'if a : ⏎ indent b ⏎ c ⏎ dedent',
    ],
    [
      `if a:
    # comment
    b`,
      'if a : ⏎ indent b ⏎ dedent',
    ],
    [
      `def f():
    x = (1,
2)
    y`,
      'def f ( ) : ⏎ indent x = ( #1 , #2 ) ⏎ y ⏎ dedent',
    ],
    [
      `while x:
    if y:
        break
z`,
      'while x : ⏎ indent if y : ⏎ indent break ⏎ dedent dedent z ⏎',
    ],
  ] as const)
    test(code, () => expect(tokenLine(lexPython(code))).toBe(expected))
})
