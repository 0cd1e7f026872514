import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Ordinary JavaScript and TypeScript, of which nothing is to be said. */

describe('computing and printing', () => {
  for (const code of [
    `console.log('hello', 1 + 2 * 3 ** 4 % 5, ~1, !x, -y, +z, 1 << 2 >>> 1, a & b | c ^ d, typeof x, void 0)`,
    'const x = [1, 2, 3].map(n => n * 2).filter(n => n > 2).reduce((a, b) => a + b, 0); console.log(x)',
    'const { a, b: { c = 1 } = {}, ...rest } = obj; const [d, , e = 2, ...f] = arr; console.log(a, c, rest, d, e, f)',
    `console.log(JSON.stringify({ a: [1, null, true] }, null, 2), JSON.parse('[1]'), Object.keys({}), Object.entries({ a: 1 }), Array.isArray([]))`,
    `console.log('a,b'.split(',').join('-').toUpperCase().replace(/a/g, 'b').padStart(5).slice(1, 2), \`t \${1 + 1} \${\`n \${2}\`}\`)`,
    `console.log(Math.max(1, 2), parseInt('10', 2), Number('1'), (1.5).toFixed(1), isNaN(NaN), new Date().toISOString(), Date.now())`,
    `const m = new Map([['a', 1]]); m.set('b', 2); for (const [k, v] of m) console.log(k, v); const s = new Set([1]); s.add(2); s.delete(1)`,
    `console.log(/a(?<n>\\d+)/u.exec('a1')?.groups.n, 'x'.match(/x/g), /[/]\\//.test('/'))`,
    'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } console.log(fib(10))',
    'class A extends B { #p = 1; static s = 2; constructor() { super(); this.x = 1 } get y() { return this.#p } set y(v) { this.#p = v } async *g() { yield 1 } static { this.t = 3 } [Symbol.iterator]() { return [][Symbol.iterator]() } } new A().y = 2',
    `const o = { a, 'b-c': 1, [d]: 2, e() {}, async f() {}, *g() {}, get h() { return 1 }, ...rest }; console.log(o?.a?.[0]?.(), o.e(), 'a' in o, delete o.a, o instanceof Object)`,
    'label: for (let i = 0, j = 10; i < j; i++, j--) { if (i % 2) continue label; if (i > 5) break; console.log(i) }',
    'switch (x) { case 1: case 2: console.log(1); break; default: console.log(2) } do { x-- } while (x > 0); while (x < 3) x++',
    `try { throw new TypeError('x', { cause: e }) } catch ({ message }) { console.error(message) } finally { console.log(1) }`,
    'const p = new Promise((res, rej) => setTimeout(res, 10)); await Promise.all([p, Promise.resolve(1)]); p.then(x => x + 1).catch(console.error)',
    'x ??= 1; x ||= 2; x &&= 3; x **= 2; x >>>= 1; let y = x ? a : b ? c : d; const n = 1_000n, h = 0xff, b2 = 0b1, e = 1e-3',
    `import React, { useState } from 'react'; export default function App({ n }: { n: number }) { const [s, setS] = useState<number>(0); return <div className="a" onClick={() => setS(s + n)}>{s} text {\`t\`}<br /></div> }`,
    `import type { X } from './x'; export type Y<T> = { [K in keyof T]?: T[K] } & X; export interface Z extends Y<string> { (a: number): void; readonly b?: string } declare module 'm' {} namespace N { export const a = 1 } abstract class C<T> implements Z { protected abstract f(): void } const v = <T,>(x: T): x is T => x satisfies unknown as any`,
    `const path = require('path'); console.log(path.join('a', 'b'), path.resolve('x'), path.basename('/a/b.js', '.js'), path.extname('a.b'), __dirname, __filename)`,
    `const { performance } = require('perf_hooks'); const assert = require('assert'); assert.strictEqual(1, 1); console.log(performance.now(), process.version, process.platform, process.argv, process.cwd(), process.memoryUsage(), process.pid)`,
    `const crypto = require('crypto'); console.log(crypto.createHash('sha256').update('x').digest('hex'), crypto.randomUUID(), Buffer.from('x').toString('base64'))`,
    `const rl = require('readline').createInterface({ input: process.stdin }); rl.on('line', l => console.log(l.trim())); rl.question('?', a => rl.close())`,
    `const EventEmitter = require('events'); const e = new EventEmitter(); e.on('x', v => console.log(v)); e.emit('x', 1)`,
    `describe('x', () => { beforeEach(() => {}); it('works', async () => { expect(1 + 1).toBe(2); await expect(f()).rejects.toThrow() }) })`,
    `const express = require('express'); const app = express(); app.get('/', (req, res) => res.send('x')); module.exports = app`,
    `document.querySelector('#a').addEventListener('click', e => { e.preventDefault(); e.target.textContent = 'x' }); localStorage.setItem('a', 'b')`,
    `const z = require('zod'); const S = z.object({ a: z.string() }); S.parse({ a: 'x' }); const _ = require('lodash'); _.map([1], x => x); _.template('x')`,
    `self.postMessage({ a: 1 }); worker.postMessage('x'); window.parent.postMessage('x', '*'); chrome.runtime.sendMessage({ a: 1 }, r => r)`,
    `const w = new WeakMap(), q = Symbol('x'), g = globalThis, r = new RegExp('a', 'g'), t = new Intl.NumberFormat().format(1), pr = new Proxy({}, {})`,
    `if (require.main === module) { main() } process.exit(0); process.exitCode = 1; 'use strict'; debugger;`,
  ])
    test(code, () => expect(summary('node', code)).toEqual([]))
})

describe('mentions', () => {
  for (const code of [
    `console.log("require('child_process').execSync('rm -rf /')")`,
    `// require('child_process').execSync('comment')`,
    `/* eval('comment') */ const s = 'eval(x)'; const t = \`execSync('x')\`; console.log(s, t)`,
    `/execSync\\('rm'\\)/.test(s); const r = /eval/; s.replace(/rm -rf/g, '')`,
    `const commands = ['rm', '-rf', '/']; const names = { eval: 1, exec: 2 }; console.log(names.eval, names['exec'])`,
    `function exec(x) { console.log(x) } exec('ls'); const m = /x/; m.exec('y'); 'a'.match(/b/)`,
    `const evaluate = x => x; evaluate('1 + 1'); obj.eval; obj.exec; store.unlink('a'); list.remove('b'); map.delete('c')`,
    `const child_process = { execSync: x => x }; child_process.execSync('ls')`,
  ])
    test(code, () => expect(summary('node', code)).toEqual([]))
})
