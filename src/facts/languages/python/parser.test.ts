import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { nodeLine } from '../syntax/outline.ts'

/** Syntax trees of Python: what is kept of each construct. */

describe('expressions', () => {
  for (const [code, expected] of [
    ['1 + 2 * 3 - 4', '{ (1 + (2 * 3) - 4) }'],
    ['a ** b ** c', '{ (a ** b ** c) }'],
    ['-x + ~y', '{ ((- x) + (~ y)) }'],
    ['not a and b or c', '{ (either (either (not a) b) c) }'],
    ['a < b <= c', '{ (a < b <= c) }'],
    ['a if b else c', '{ (b; (either a c)) }'],
    ['a.b.c(d)[e]', '{ a.b.c(d)[e] }'],
    ['f(1, *a, k=2, **b)', '{ f(1, *a, k: 2, **b) }'],
    ['x[1:2], x[:], x[::2], x[a:b:c]', '{ [x[1:2:], x[::], x[::2], x[a:b:c]] }'],
    [`[1, *a], (1,), (), {1, 2}, {'a': 1, **b}`, '{ [[1, ...a], [1], [], [1, 2], {"a": 1, ...b: ()}] }'],
    ['[x for x in y if z for w in x]', '{ (list of x for x in y if z for w in x) }'],
    ['{k: v for k, v in d.items()}', '{ (dict of [k, v] for [k, v] in d.items()) }'],
    ['(x async for x in y)', '{ (list of x for x in y) }'],
    ['lambda a, b=1, *c, **d: a + b', '{ (fn _(a, b=1, *c, *d) (return (a + b))) }'],
    ['await f(x)', '{ (await f(x)) }'],
    ['x := 1', '{ (x := 1) }'],
    [`'a' 'b' f'{c}'`, '{ (template "a" "b" (template c)) }'],
    [`f'a{b + 1}c'`, '{ (template "a" (b + 1) "c") }'],
    [`b'x', 1.5, 0x10, True, None`, '{ ["x", 1.5, 16, true, null] }'],
    ['a @ b // c % d << e & f | g ^ h', '{ ((((a @ b // c % d) << e) & f) | (g ^ h)) }'],
    ['a is not b, c not in d, e is f, g in h', '{ [(a is not b), (c not in d), (e is f), (g in h)] }'],
    ['print(x, file=y)', '{ print(x, file: y) }'],
    ['(yield x), (yield from y)', '{ [(x), (y)] }'],
    ['x[a, b]', '{ x[[(a), (b)]] }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('python', code))).toBe(expected))
})

describe('statements', () => {
  for (const [code, expected] of [
    ['x = y = 1', '{ { x = 1; y = x } }'],
    ['a, b = b, a', '{ [a, b] = [b, a] }'],
    ['(a, *b), c = d', '{ [[a, ...b], c] = d }'],
    ['x += 1; y: int = 2; z: str', '{ { x += 1; y = 2; z } }'],
    ['del a, b[c]', '{ ([a, b[c]];) }'],
    ['assert a, b', '{ ([a, b];) }'],
    ['raise E(x) from y', '{ (stop (E(x); y;)) }'],
    ['return', '{ (return) }'],
    ['pass; break; continue', '{ { (();); (stop); (();) } }'],
    ['global a; nonlocal b', '{ { (a;); (b;) } }'],
    ['import a, b.c, d as e', '{ (import a=a b=b e=d) }'],
    ['from a import b, c as d', '{ (import b=a.b d=a.c) }'],
    ['from a.b import *', '{ (import a.b.*) }'],
    ['from . import a; from ..b import c', '{ { (import a=..a); (import c=..b.c) } }'],
    [
      `if a: b
elif c: d
else: e`,
      '{ (if a c b | d | e) }',
    ],
    [
      `while a: b
else: c`,
      '{ { (loop - - a b); c } }',
    ],
    ['while True: x', '{ (forever - - true x) }'],
    ['for a, b in c: d', '{ (loop [a, b] c - d) }'],
    [
      `for x in y:
    z
else:
    w`,
      '{ { (loop x y - { z }); { w } } }',
    ],
    ['async for x in y: z', '{ (loop x y - z) }'],
    ['with a as b, c: d', '{ { b = a; c; d } }'],
    ['with (a as b, c as d): e', '{ { b = a; d = c; e } }'],
    [
      `try: a
except (B, C) as e: d
else: f
finally: g`,
      '{ { a; f; g; (if [B, C] d) } }',
    ],
    [
      `try: a
except* E: b`,
      '{ { a; (if E b) } }',
    ],
    ['def f(a, b=1, /, *c, d: int = 2, **e) -> int: return a', '{ f = (fn f(a, b=1, (), *c, d=2, *e) (return a)) }'],
    ['async def f(): await g()', '{ f = (fn f() (await g())) }'],
    [
      `class A(B, metaclass=C):
    x = 1
    def m(self): pass`,
      '{ (class A { x = 1; m = (fn m(self) (();)) }) }',
    ],
    [
      `@a.b(c)
def f(): pass`,
      '{ a.b(c); f = (fn f() (();)) }',
    ],
    [
      `match a:
    case 1 | 2: b
    case {'k': v} if v: c
    case _: d`,
      '{ (if a (1 | 2) (v; (either {"k": v} ())) _ b | c | d) }',
    ],
    ['match = 1; case = 2', '{ { match = 1; case = 2 } }'],
    [`if __name__ == '__main__': main()`, '{ { main() } }'],
    ['type X = int', '{ int }'],
    [`print 'x'`, '{ { print; "x" } }'],
    [`exec 'code'`, '{ exec("code") }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('python', code))).toBe(expected))
})

describe('broken text', () => {
  for (const [code, expected] of [
    ['f(', '{ f() }'],
    [')', '{ ? }'],
    ['if', '{ (if () ()) }'],
    ['x = = 1', '{ { x = 1; () = x } }'],
    [
      'def',
      `{ 
 = (fn 
() {  }) }`,
    ],
  ] as const)
    test(code, () => expect(nodeLine(parse('python', code))).toBe(expected))
})
