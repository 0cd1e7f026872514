import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What programs for Node, Deno and Bun do to files: each piece of code and everything that is said of it. */

describe('reading', () => {
  for (const [code, expected] of [
    [`require('fs').readFileSync('/etc/passwd', 'utf8')`, ['read /etc/passwd']],
    [`const fs = require('fs'); console.log(fs.readFileSync('a.txt').toString())`, ['read a.txt']],
    [`const { readFileSync } = require('fs'); readFileSync('a')`, ['read a']],
    [`const { readFileSync: r } = require('node:fs'); r('a')`, ['read a']],
    [`import fs from 'fs'; fs.readFileSync('a')`, ['read a']],
    [`import * as fs from 'node:fs'; fs.readFileSync('a')`, ['read a']],
    [`import { readFile } from 'fs/promises'; await readFile('a', 'utf8')`, ['read a']],
    [`import { promises as fs } from 'fs'; (async () => { await fs.readFile('a') })()`, ['read a']],
    [`fs.readFile('a', (err, data) => console.log(data))`, ['read a']],
    [`fs.promises.readFile('a').then(d => console.log(d))`, ['read a']],
    [`fs.createReadStream('a').pipe(process.stdout)`, ['read a']],
    [`const p = require('path'); fs.readFileSync(p.join(__dirname, 'a'))`, ['read ./a']],
    [`fs.readFileSync(\`\${process.env.HOME}/.ssh/id_rsa\`)`, ['read /home/me/.ssh/id_rsa']],
    [`fs.readFileSync(require('os').homedir() + '/.npmrc')`, ['read /home/me/.npmrc']],
    [`fs.readFileSync(\`/etc/\${name}\`)`, ['read /etc/*']],
    [`const f = fs.readFileSync; f('a')`, ['read a']],
    [`for (const f of fs.readdirSync('src')) fs.readFileSync(path.join('src', f))`, ['read src/*']],
    [`await Deno.readTextFile('a')`, ['read a']],
    [`await Bun.file('a').text()`, ['read a']],
    [`const j = require('./data.json')`, ['read ./data.json']],
    [`import data from './data.json'`, ['read ./data.json']],
    [`await import('./mod.mjs')`, ['script node:./mod.mjs']],
    [`fsExtra = require('fs-extra'); fsExtra.readJson('a')`, ['read a']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('writing', () => {
  for (const [code, expected] of [
    [`fs.writeFileSync('out.txt', 'x')`, ['write out.txt']],
    [`fs.writeFile('out.txt', 'x', () => {})`, ['write out.txt']],
    [`fs.appendFileSync('log', 'x\\n')`, ['write log']],
    [`fs.promises.writeFile('out', JSON.stringify({}))`, ['write out']],
    [`const { writeFile } = require('fs/promises'); await writeFile('/etc/cron.d/x', 'x')`, ['write /etc/cron.d/x']],
    [`fs.createWriteStream('out').write('x')`, ['write out']],
    [`const w = fs.createWriteStream('out'); w.end('x')`, ['write out']],
    [`fs.mkdirSync('a/b', { recursive: true })`, ['write fs:mkdir a/b']],
    [`fs.truncateSync('a', 0)`, ['write fs:truncate a']],
    [`const fd = fs.openSync('a', 'w'); fs.writeSync(fd, 'x'); fs.closeSync(fd)`, ['write a']],
    [`fs.openSync('a', 'r+')`, ['read a', 'write a']],
    [`fs.copyFileSync('a', 'b')`, ['read fs:copy a', 'write fs:copy b']],
    [`fs.cpSync('src', 'dst', { recursive: true })`, ['read fs:copy src', 'write fs:copy dst']],
    [`fs.renameSync('a', 'b')`, ['delete fs:move a', 'write fs:move b']],
    [`fs.symlinkSync('/etc/passwd', 'l')`, ['write fs:link l']],
    [`fs.chmodSync('a', 0o777)`, ['change fs:chmod a']],
    [`fs.chownSync('a', 0, 0)`, ['change fs:chown a']],
    [`await Deno.writeTextFile('a', 'x')`, ['write a']],
    [`await Bun.write('a', 'x')`, ['write a']],
    [`require('fs-extra').outputFile('a/b', 'x')`, ['write a/b']],
    [`fs.writeFileSync(process.argv[2], 'x')`, ['write *']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('removing', () => {
  for (const [code, expected] of [
    [`fs.unlinkSync('a')`, ['delete a']],
    [`fs.unlink('a', () => {})`, ['delete a']],
    [`await fs.promises.unlink('a')`, ['delete a']],
    [`fs.rmSync('d', { recursive: true, force: true })`, ['delete d']],
    [`fs.rmdirSync('d')`, ['delete d']],
    [`fs.rm('/', { recursive: true }, cb)`, ['delete /']],
    [`require('rimraf').sync('build')`, ['delete build']],
    [`const rimraf = require('rimraf'); rimraf('build', () => {})`, ['delete build']],
    [`require('fs-extra').removeSync('d')`, ['delete d']],
    [`fs.readdirSync('.').forEach(f => fs.unlinkSync(f))`, ['delete *']],
    [`['a', 'b'].forEach(f => fs.unlinkSync(f))`, ['delete a', 'delete b']],
    [`['a', 'b'].map(fs.unlinkSync)`, ['delete a', 'delete b']],
    [`for (const f of ['a', 'b']) { fs.unlinkSync(f) }`, ['delete a', 'delete b']],
    [`for (let i = 0; i < 3; i++) fs.unlinkSync(\`f\${i}\`)`, ['delete f1']],
    [`Promise.all(['a', 'b'].map(f => fs.promises.rm(f)))`, ['delete a', 'delete b']],
    [`const rm = f => fs.unlinkSync(f); rm('/etc/motd')`, ['delete /etc/motd']],
    [`function rm(f) { fs.unlinkSync(f) } rm('/etc/motd')`, ['delete /etc/motd']],
    [`function rm({ f, g = 'dflt' }) { fs.unlinkSync(g) } rm({ f: 'x' })`, ['delete *', 'delete dflt']],
    [`const rm = function (...fs2) { fs.unlinkSync(fs2[0]) }; rm('q')`, ['delete q']],
    [`class C { constructor(d) { this.d = d } go() { fs.unlinkSync(this.d) } } new C('/opt/x').go()`, ['delete /opt/x']],
    [`class C { static rm(f) { fs.unlinkSync(f) } } C.rm('s')`, ['delete s']],
    [`const o = { rm(f) { fs.unlinkSync(f) } }; o.rm('m')`, ['delete m']],
    [`const o = { f: 'data' }; fs.unlinkSync(o.f); fs.unlinkSync(o['f'])`, ['delete data']],
    [`const { f } = { f: 'destructured' }; fs.unlinkSync(f)`, ['delete destructured']],
    [`const [a, b] = ['x', 'y']; fs.unlinkSync(b)`, ['delete y']],
    [
      `if (x) fs.unlinkSync('one'); else if (y) fs.unlinkSync('two'); else { fs.unlinkSync('three') }`,
      ['delete one', 'delete three', 'delete two'],
    ],
    [`switch (x) { case 1: fs.unlinkSync('one'); break; default: fs.unlinkSync('other') }`, ['delete one', 'delete other']],
    [`try { fs.unlinkSync('a') } catch { fs.unlinkSync('b') } finally { fs.unlinkSync('c') }`, ['delete a', 'delete b', 'delete c']],
    [`while (x) { fs.unlinkSync('w') } do { fs.unlinkSync('d') } while (y)`, ['delete d', 'delete w']],
    [`fs.unlinkSync(x ? 'a' : 'b')`, ['delete a', 'delete b']],
    [`fs.unlinkSync(x || 'dflt'); fs.unlinkSync(y ?? 'nil')`, ['delete *', 'delete dflt', 'delete nil']],
    [`fs.unlinkSync('a' + 'b'); fs.unlinkSync(['a', 'b'].join('/'))`, ['delete a/b', 'delete ab']],
    [`fs.unlinkSync('x,y'.split(',')[1]); fs.unlinkSync('A'.toLowerCase())`, ['delete a', 'delete y']],
    [`let p = '/srv'; p += '/x'; fs.unlinkSync(p)`, ['delete /srv/x']],
    [`fs['unlinkSync']('a'); fs['unl' + 'inkSync']('b')`, ['delete a', 'delete b']],
    [`fs?.unlinkSync?.('a')`, ['delete a']],
    [`(0, fs.unlinkSync)('a')`, ['delete a']],
    [`fs.unlinkSync.call(null, 'a'); fs.unlinkSync.apply(null, ['b']); fs.unlinkSync.bind(null, 'c')`, ['delete a', 'delete b']],
    [`(async () => { await fs.promises.unlink('iife') })()`, ['delete iife']],
    [`setTimeout(() => fs.unlinkSync('later'), 10)`, ['delete later']],
    [`process.on('exit', () => fs.unlinkSync('exit'))`, ['delete exit']],
    [`label: for (;;) { fs.unlinkSync('loop'); break label }`, ['delete loop']],
    [`const g = function* () { yield fs.unlinkSync('gen') }`, ['delete gen']],
    [`export default () => fs.unlinkSync('exported')`, ['delete exported']],
    [`var a = 1, b = fs.unlinkSync('second'), c`, ['delete second']],
    [`void fs.unlinkSync('void'), fs.unlinkSync('comma')`, ['delete comma', 'delete void']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('TypeScript', () => {
  for (const [code, expected] of [
    [`const f: string = 'a' as string; fs.unlinkSync(f!)`, ['delete a']],
    [`function rm<T extends string>(f: T): void { fs.unlinkSync(f) } rm<string>('t')`, ['delete t']],
    [`interface X { a: string } type Y = X | null; enum E { A = 1 } fs.unlinkSync('after types')`, ['delete after types']],
    [`class C { private readonly d: string = 'x'; constructor(public e: string) {} rm(): void { fs.unlinkSync('ts') } }`, ['delete ts']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('the environment', () => {
  for (const [code, expected] of [
    ['console.log(process.env)', ['read *', 'read env:list *']],
    ['console.log(process.env.AWS_SECRET_ACCESS_KEY)', ['read AWS_SECRET_ACCESS_KEY', 'read env:get AWS_SECRET_ACCESS_KEY']],
    ['const { TOKEN } = process.env', ['read TOKEN']],
    [`process.env['API_KEY']`, ['read API_KEY']],
    [`process.env.LD_PRELOAD = '/tmp/x.so'`, ['change env:inject LD_PRELOAD']],
    [`process.env['PATH'] = '/tmp/x:' + process.env.PATH`, ['change env:inject PATH']],
    [`process.env.NODE_ENV = 'test'`, []],
    ['JSON.stringify(process.env)', ['read *']],
    ['Object.entries(process.env).forEach(([k, v]) => console.log(k, v))', ['read *', 'read env:list *']],
    [`process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`, ['change security:insecure NODE_TLS_REJECT_UNAUTHORIZED']],
    [`Deno.env.get('TOKEN')`, ['read TOKEN']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})
