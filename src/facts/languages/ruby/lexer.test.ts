import { describe, expect, test } from 'vitest'
import { tokenLine } from '../syntax/outline.ts'
import { lexRuby } from './lexer.ts'

/** Tokens of Ruby: symbols, percent literals, heredocs, line ends. */

describe('names, numbers, operators', () => {
  for (const [code, expected] of [
    ['x = 1', 'x = #1 ⏎'],
    ['@a @@b $c $0 $! A B::C empty? save! x=', '@a @@b $c $0 $! A B :: C empty? save! x = ⏎'],
    ['1 2.5 1e3 0x1f 0b11 1_000 1..9 1...9', '#1 #2.5 #1e3 #0x1f #0b11 #1_000 #1 .. #9 #1 ... #9 ⏎'],
    ['a + b - c * d / e % f ** g', 'a + b - c * d / e % f ** g ⏎'],
    ['a == b != c <=> d === e =~ f !~ g', 'a == b != c <=> d === e =~ f !~ g ⏎'],
    ['a && b || c ! d & e | f ^ g << h >> i', 'a && b || c ! d & e | f ^ g << h >> i ⏎'],
    ['a += 1; b ||= 2; c &&= 3; d <<= 4; e **= 5', 'a += #1 ; b ||= #2 ; c &&= #3 ; d <<= #4 ; e **= #5 ⏎'],
    ['a&.b a::b ->(x) { x }', 'a &. b a :: b -> ( x ) { x } ⏎'],
    ['x ? y : z', 'x ? y : z ⏎'],
    ['a.b!(c) if d?', 'a . b! ( c ) if d? ⏎'],
    ['[*a, **b, &c]', '[ * a , ** b , & c ] ⏎'],
    [`{ a: 1, 'b': 2, :c => 3, "d" => 4 }`, '{ "a" => #1 , "b" => #2 , "c" => #3 , "d" => #4 } ⏎'],
    ['f a: 1, b: 2', 'f "a" => #1 , "b" => #2 ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexRuby(code))).toBe(expected))
})

describe('symbols and strings', () => {
  for (const [code, expected] of [
    [':a :b? :"c d"', '"a" "b" ? "c d" ⏎'],
    ['x ? :a : :b', 'x ? "a" : "b" ⏎'],
    ['select(&:even?)', 'select ( & "even?" ) ⏎'],
    [`'a' "b" 'it\\'s' 'a#{b}'`, `"a" "b" "it's" "a#{b}" ⏎`],
    [`"a#{b}c" "#{x}" "#{h['k']}" "\\u{41}\\n\\e"`, `template("a" {b} "c") template({x}) template({h['k']}) "A\\n\\u001b" ⏎`],
    ['"a" "b"', '"a" "b" ⏎'],
    ['%w(a b)', 'words("a" "b") ⏎'],
    ['%i[c d]', 'words("c" "d") ⏎'],
    ['%W{e f}', 'words("e" "f") ⏎'],
    ['%q(g)', '"g" ⏎'],
    ['%Q(h #{i})', 'template("h " {i}) ⏎'],
    ['%(j)', '"j" ⏎'],
    [
      `%w[
k
l
]`,
      'words("k" "l") ⏎',
    ],
    ['x = %w[a b], %i[c]', 'x = words("a" "b") , words("c") ⏎'],
    ['puts %w[a b].inspect', 'puts words("a" "b") . inspect ⏎'],
    ['%x(ls #{d}) `ls #{d}`', 'command("ls " {d}) command("ls " {d}) ⏎'],
    ['?a', '"a" ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexRuby(code))).toBe(expected))
})

describe('symbols and strings: what cannot be read says so', () => {
  for (const [code, message] of [
    [`'unclosed`, 'a string is not closed'],
    ['"unclosed #{x', 'an interpolation is not closed'],
  ] as const)
    test(code, () => expect(() => lexRuby(code)).toThrow(message))
})

describe('regular expressions and division', () => {
  for (const [code, expected] of [
    ['/abc/ =~ x', 'regex(abc) =~ x ⏎'],
    ['x =~ /a#{b}c/i', 'x =~ regex(ac {b}) ⏎'],
    ['split /,/', 'split regex(,) ⏎'],
    ['a / b / c', 'a / b / c ⏎'],
    ['x /y', 'x / y ⏎'],
    ['x /y/ z', 'x regex(y) z ⏎'],
    ['x / y / z', 'x / y / z ⏎'],
    ['%r{a/b}x', 'regex(a/b) ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexRuby(code))).toBe(expected))
})

describe('heredocs', () => {
  for (const [code, expected] of [
    [
      `<<E
a #{b}
E`,
      'template("a " {b} "\\n") ⏎ ⏎',
    ],
    [
      `<<~E
  a
  E`,
      '"  a\\n" ⏎ ⏎',
    ],
    [
      `<<-'E'
a #{b}
E`,
      '"a #{b}\\n" ⏎ ⏎',
    ],
    [
      `f(<<A, <<B)
one
A
two
B`,
      'f ( "one\\n" , "two\\n" ) ⏎ ⏎',
    ],
    [
      `<<~\`E\`
ls
E`,
      'command("ls\\n") ⏎ ⏎',
    ],
    ['a << b', 'a << b ⏎'],
    [`x << 'y'`, 'x << "y" ⏎'],
  ] as const)
    test(code, () => expect(tokenLine(lexRuby(code))).toBe(expected))
})

describe('lines and comments', () => {
  for (const [code, expected] of [
    [
      `a
b`,
      'a ⏎ b ⏎',
    ],
    [
      `a # comment
b`,
      'a ⏎ b ⏎',
    ],
    [
      `a \\
b`,
      'a b ⏎',
    ],
    [
      `f(a,
b)`,
      'f ( a , ⏎ b ) ⏎',
    ],
    [
      `[a,
b]`,
      '[ a , ⏎ b ] ⏎',
    ],
    [
      `=begin
text
=end
a`,
      '⏎ a ⏎',
    ],
    [
      `a
__END__
not read`,
      'a ⏎ ⏎',
    ],
  ] as const)
    test(code, () => expect(tokenLine(lexRuby(code))).toBe(expected))
})
