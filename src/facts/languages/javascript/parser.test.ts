import { describe, expect, test } from 'vitest'
import { parse } from '../parsers.ts'
import { nodeLine } from '../syntax/outline.ts'

/** Syntax trees of JavaScript and TypeScript: what is kept of each construct. */

describe('expressions', () => {
  for (const [code, expected] of [
    ['1 + 2 * 3 - 4', '{ (1 + (2 * 3) - 4) }'],
    ['a ** b, -x, !y, ~z, typeof w, void 0, delete a.b', '{ ((a ** b); (- x); (! y); (~ z); (typeof w); (void 0); (delete a.b)) }'],
    ['(a && b || c) ?? d', '{ (either (either (either a b) c) d) }'],
    ['a ? b : c ? d : e', '{ (a; (either b (c; (either d e)))) }'],
    ['a.b?.c?.[d]?.(e)', '{ a.b.c[d](e) }'],
    [`a[0]['b'](c)`, '{ a[0]["b"](c) }'],
    ['new A(b), new A, new a.b.C(d), new (f())(g)', '{ (new A(b); new A(); new a.b.C(d); new f()(g)) }'],
    ['f(...a, b)', '{ f(*a, b) }'],
    [
      `[1, ...a, , 2], { a, b: 1, 'c': 2, [d]: 3, ...e, f() {}, get g() { return 1 }, async h() {}, *i() {} }`,
      '{ ([1, ...a, (), 2]; {"a": a, "b": 1, "c": 2, d: 3, ...e: (), "f": (fn _() {  }), "g": (fn _() { (return 1) }), "h": (fn _() {  }), "i": (fn _() {  })}) }',
    ],
    [
      'x => y, (a, b = 1, ...c) => ({ d: a }), async x => { await x }',
      '{ ((fn _(x) (return y)); (fn _(a, b=1, *c) (return {"d": a})); (fn _(x) { (await x) })) }',
    ],
    ['function (a, { b, c: d = 1 }, [e]) { return a }', '{ (fn _(a, {"b": b, "c": d = 1}, [e]) { (return a) }) }'],
    ['function* g() { yield 1; yield* b }', '{ g = (fn g() { (yield 1); (yield b) }) }'],
    [`\`a\${b}c\`, tag\`d\${e}\``, '{ ((template "a" b "c"); tag((template "d" e))) }'],
    ['/re/g.test(x)', '{ ().test(x) }'],
    ['a = b, c += d, e ??= f', '{ (a = b; c += d; e ??= f) }'],
    ['i++, --j', '{ (i += 1; j += 1) }'],
    ['(a, b, c)', '{ (a; b; c) }'],
    ['a as B, c!, <T>d, e satisfies F', '{ (a; c; d; e) }'],
    ['f<T>(a), g<A, B<C>>(d)', '{ { ((f < T > a); (g < A); (B < (C >> d))) }; { (f(a); g(d)) } }'],
    [`import('a'), import.meta.url`, '{ (import("a"); import.meta.url) }'],
    [
      'class A extends B { x = 1; #y = 2; static z = 3; constructor(a) { super(a) } get p() { return 1 } static m() {} async *n() {} }',
      '{ (class A { x = 1; #y = 2; z = 3; constructor = (fn constructor(a) { super(a) }); p = (fn p() { (return 1) }); m = (fn m() {  }); n = (fn n() {  }) }) }',
    ],
  ] as const)
    test(code, () => expect(nodeLine(parse('node', code))).toBe(expected))
})

describe('statements', () => {
  for (const [code, expected] of [
    [
      'const a = 1, { b, c: { d = 2 }, ...e } = f, [g, , h = 3, ...i] = j',
      '{ { a = 1; {"b": b, "c": {"d": d = 2}, ...e: ()} = f; [g, (), h = 3, ...i] = j } }',
    ],
    ['let x; var y = 1', '{ x; y = 1 }'],
    ['if (a) b; else if (c) d; else { e }', '{ (if a c b | d | { e }) }'],
    ['for (let i = 0; i < n; i++) f(i)', '{ { i = 0; (loop - - ((i < n); i += 1;) f(i)) } }'],
    ['for (;;) a()', '{ { (forever - - ((); ();) a()) } }'],
    ['for (const a of b) c(a)', '{ (loop a b - c(a)) }'],
    ['for (const a in b) c(a)', '{ (loop a b - c(a)) }'],
    ['for await (const a of b) c', '{ (loop a b - c) }'],
    ['while (a) b; while (true) c', '{ (loop - - a b); (forever - - true c) }'],
    ['do { a } while (b)', '{ (loop - - b { a }) }'],
    ['switch (a) { case 1: b; break; default: c }', '{ (if a 1 {  } | { b; (stop) } | { c }) }'],
    ['try { a } catch (e) { b } finally { c }', '{ { { a }; (if  { b }); { c } } }'],
    ['try { a } catch { b }', '{ { { a }; (if  { b }) } }'],
    ['throw new E(a)', '{ (stop new E(a)) }'],
    ['return a', '{ (return a) }'],
    ['label: for (;;) { continue label }', '{ { (forever - - ((); ();) {  }) } }'],
    [
      `import a, { b as c } from 'd'; import * as e from 'f'; import 'g'; import type { H } from 'i'`,
      '{ (import a=d c=d.b); (import e=f); (import ); (import H=i.H) }',
    ],
    [`import { x } from './local.js'`, '{ require("./local.js") }'],
    [`export const a = 1; export default function f() {} export { b }; export * from 'c'`, '{ f = (fn f() {  }); a = 1; ((b; b); ()) }'],
    ['function f<T extends A>(a: T, b?: string, this: C): Promise<T> { return a }', '{ f = (fn f(a, b, this) { (return a) }) }'],
    ['const f = (a: A): B => a; const g: C<D>[] = []; let h!: E', '{ f = (fn _(a) (return a)); g = []; h }'],
    ['interface A { b: string; c(): void } type D = { e: F } | G; enum H { I = 1 } declare const j: K', '{ (H; (I; 1)); j }'],
    [
      'abstract class A<T> implements B<T> { constructor(private readonly c: D, public e = 1) {} private f?: G; abstract h(): void }',
      '{ (class A { constructor = (fn constructor(c, e=1) {  }); "f"; h = () }) }',
    ],
    ['async function f() { for (const x of y) await z(x) }', '{ f = (fn f() { (loop x y - (await z(x))) }) }'],
    [
      `a
b
(c)`,
      '{ a; b(c) }',
    ],
    [`'use strict'; debugger`, '{ "use strict" }'],
    ['<div a={b}>{c(d)}</div>', '{ (((b)); c(d)) }'],
  ] as const)
    test(code, () => expect(nodeLine(parse('node', code))).toBe(expected))
})

describe('broken text', () => {
  for (const code of ['f(', ')', 'if (', 'x = = 1', '}'])
    test(code, () => expect(() => parse('node', code)).toThrow('the code cannot be read'))
})
