import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { nodeLine } from '../syntax/outline.ts'

/** Syntax trees of Ruby: what is kept of each construct, and what is left unsaid in it. */

describe('expressions', () => {
  for (const [code, expected] of [
    ['1 + 2 * 3 - 4', '{ (1 + (2 * 3) - 4) }'],
    ['a && b || !c and not d or e', '{ (either (either (either a b) (! c)) (not d) e) }'],
    ['a ? b : c', '{ (a; (either b c)) }'],
    ['a.b.c(d)[e]&.f', '{ a.b().c(d)[e].f() }'],
    ['A::B.c, A::b, ::D', '{ [A.B.c(), A.b(), D] }'],
    [`f 1, 2; f(1, 2); f a: 1, 'b' => 2; f(*a, **b, &c)`, '{ f(1, 2); f(1, 2); f(a: 1, b: 2); f((* a), (** b), (& c)) }'],
    [`[1, *a], { a: 1, 'b' => 2, **c }, (1..2), 1...3`, '{ [[1, (* a)], {"a": 1, "b": 2, (** c): ()}, ((1 .. 2)), (1 ... 3)] }'],
    [
      '->(x) { y }, lambda { |x| x }, proc do |a, (b, c), *d| 1 end',
      '{ [(fn _(x) (y())), (fn _(x) (x())), (fn _(a, b, c, *d) (1; { {  } }))] }',
    ],
    [
      'a.each { |x| x }, a.map(&:b), a.each do |x, i| x end',
      '{ [a.each((fn _(x) (x()))), a.map((& "b")), a.each((fn _(x, i) (x(); { {  } })))] }',
    ],
    [
      `"a#{b}c", 'd', :e, %w[f g], \`h #{i}\`, %x(j), "k" "l"`,
      '{ [(template "a" b() "c"), "d", "e", ["f", "g"], (command "h " i()), (command "j"), (template "k" "l")] }',
    ],
    ['x =~ /a/, x !~ /b/', '{ [(x =~ ()), (x !~ ())] }'],
    ['@a, @@b, $c, nil, true, self', '{ [@a, @@b, $c, null, true, self] }'],
    [
      'a = b = 1; a += 1; a ||= 2; a << 3; a, b = 1, 2; a, (b, *c) = d; a.b = 1; a[0] = 2',
      '{ a = b = 1; a += 1; a ||= 2; a << 3; [a, b] = [1, 2]; [a, [b, ...c]] = d; a.b = 1; a[0] = 2 }',
    ],
    ['x rescue y', '{ (either x() y) }'],
    ['defined?(x), !x, -y, +z, ~w', '{ [(defined? (x())), (! x), (- y), (+ z), (~ w)] }'],
    ['puts [1, 2].inspect; puts x[1]; puts (1 + 2)', '{ puts([1, 2].inspect()); puts(x[1]); puts(((1 + 2))) }'],
    ['fork; gets; foo; foo.bar; foo?; foo!', '{ fork(); gets(); foo(); foo.bar(); foo?(); foo!() }'],
    ['a.b c; a.b c do d end', '{ a.b(c); a.b(c((fn _() (d(); { {  } })))) }'],
    ['yield 1, 2', '{ yield(1, 2) }'],
    ['super; super(1)', '{ super(); super(1) }'],
    ['case x when 1, 2 then a when String then b else c end', '{ (if x [1, 2] String { a() } | { b() } | { c() }) }'],
    ['if a then b elsif c then d else e end', '{ (if a c { b() } | { d() } | { e() }) }'],
    ['x = if a then 1 else 2 end', '{ x = (if a { 1 } | { 2 }) }'],
    ['begin; a; rescue B, C => e; d; else; f; ensure; g; end', '{ { { a() }; (if  { d() }); { f() }; { g() } } }'],
    [
      'while a do b end; until c do d end; loop do e end; for x in y do z end',
      '{ (loop - - a { b() }); (loop - - c { d() }); loop((fn _() (e(); { {  } }))); (loop x y - { z() }) }',
    ],
  ] as const)
    test(code, () => expect(nodeLine(parse('ruby', code))).toBe(expected))
})

describe('statements', () => {
  for (const [code, expected] of [
    ['a if b; c unless d; e while f; g until h', '{ (if b a()); (if d c()); (loop - - f e()); (loop - - h g()) }'],
    ['def f(a, b = 1, *c, d:, e: 2, **g, &h) a end', '{ f = (fn f(a, b=1, *c, d, e=2, *g, *h) ({ a() })) }'],
    ['def f = 1; def self.g; 2; end; def h?; 3; end', '{ f = (fn f() (return 1)); g = (fn g() ({ 2 })); h? = (fn h?() ({ 3 })) }'],
    ['class A < B; attr_reader :x; def m; @y; end; end', '{ (class A { attr_reader("x"); m = (fn m() ({ @y })) }) }'],
    ['module A; B = 1; class << self; def c; end; end; end', '{ (class A { B = 1; (class  { c = (fn c() ({  })) }) }) }'],
    [
      `unless a
  b
else
  c
end`,
      '{ (if a { b() } | { c() }) }',
    ],
    [
      `x
  .y
  .z(1)`,
      '{ x.y().z(1) }',
    ],
    [
      `x = [
  1,
  2
]`,
      '{ x = [1, 2] }',
    ],
    [`return 1 if a; break; next; raise A, 'b'; exit 1`, '{ (if a (return 1)); (stop); (stop [A, "b"]); (stop 1) }'],
    ['BEGIN { a }; END { b }', '{ BEGIN((fn _() (a()))); END((fn _() (b()))) }'],
    ['alias a b; undef c', '{  }'],
    [
      `puts <<~E
  a #{b}
E`,
      '{ puts((template "  a " b() "\\n")) }',
    ],
    [`require 'a'; include B`, '{ require("a"); include(B) }'],
    ['a.b(c) { |d| e }.f', '{ a.b(c, (fn _(d) (e()))).f() }'],
    ['x.y = z.w 1', '{ x.y = z.w(1) }'],
    ['private def f; 1; end', '{ private(f = (fn f() ({ 1 }))) }'],
    ['a&.b ||= 1', '{ a.b ||= 1 }'],
    ['p(*a) { }', '{ p((* a), (fn _() ())) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('ruby', code))).toBe(expected))
})

describe('broken text', () => {
  for (const [code, expected] of [
    ['f(', '{ f() }'],
    [')', '{ ? }'],
    ['if', '{ (if () {  }) }'],
    [
      'def',
      `{ 
 = (fn 
() ({  })) }`,
    ],
    ['end', '{ ? }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('ruby', code))).toBe(expected))
})
