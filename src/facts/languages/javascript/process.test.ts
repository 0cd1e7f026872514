import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** What programs for Node run: commands, shells, code from text, modules by name. */

describe('commands', () => {
  for (const [code, expected] of [
    [`require('child_process').execSync('ls -la')`, ['$ ls -la']],
    [`const cp = require('child_process'); cp.exec('id', (e, out) => console.log(out))`, ['$ id']],
    [`const { exec, spawn } = require('child_process'); exec('id'); spawn('git', ['push', '--force'])`, ['$ id', '> git push --force']],
    [
      `import { execSync as run } from 'node:child_process'; run(\`rm -rf \${d}\`)`,
      ['$ rm -rf $UNKNOWN_VALUE', 'opaque part of the command that `child_process.execSync` runs is not known'],
    ],
    [`import cp from 'child_process'; cp.spawnSync('sh', ['-c', 'id'])`, ['> sh -c id']],
    [`cp = require('child_process'); cp.spawn('ls -la', { shell: true })`, ['$ ls -la']],
    [`cp = require('child_process'); cp.spawn('ls', ['-la'], { shell: true, stdio: 'inherit' })`, ['$ ls -la']],
    [`cp = require('child_process'); cp.execFileSync('git', ['gc'])`, ['> git gc']],
    [`cp = require('child_process'); cp.execFile('/bin/sh', ['-c', 'id'], cb)`, ['> /bin/sh -c id']],
    [`cp = require('child_process'); cp.fork('./worker.js')`, ['script node:./worker.js']],
    [`cp = require('child_process'); cp.spawn(cmd, args)`, ['> ? ?']],
    [
      `cp = require('child_process'); cp.execSync(cmd)`,
      ['execute code:dynamic', 'opaque `child_process.execSync` runs a command that is not known before it runs'],
    ],
    [`require('child_process')['exec' + 'Sync']('id')`, ['$ id']],
    [`const { promisify } = require('util'); promisify(require('child_process').exec)('id')`, ['$ id']],
    [`await require('util').promisify(require('child_process').exec)('id')`, ['$ id']],
    [`import { execa } from 'execa'; await execa('git', ['gc'])`, ['> git gc']],
    [`import { $ } from 'zx'; await $\`ls -la\``, ['$ ls -la']],
    ['await Bun.$`id`', ['$ id']],
    [`new Deno.Command('git', { args: ['gc'] }).spawn()`, ['> git gc']],
    [`Bun.spawn(['git', 'gc'])`, ['> git gc']],
    [`require('shelljs').exec('id')`, ['$ id']],
    [`process.mainModule.require('child_process').execSync('id')`, ['$ id']],
    [`global.process.mainModule.require('child_process').execSync('id')`, ['$ id']],
    [`module.require('child_process').execSync('id')`, ['$ id']],
    [`process.binding('spawn_sync').spawn({ file: 'id' })`, ['opaque a program is started through an internal binding']],
    [`console.log(\`\${require('child_process').execSync('inside')}\`)`, ['$ inside']],
    [`const x = { y: require('child_process').execSync('value') }`, ['$ value']],
    [`[1].map(() => require('child_process').execSync('mapped'))`, ['$ mapped']],
    [`new Promise(r => require('child_process').execSync('promised'))`, ['$ promised']],
    [
      `x.then(() => require('child_process').execSync('then')).catch(() => require('child_process').execSync('catch'))`,
      ['$ catch', '$ then'],
    ],
    [`emitter.on('x', () => require('child_process').execSync('on'))`, ['$ on']],
    [`const h = { get a() { return require('child_process').execSync('getter') } }`, ['$ getter']],
    [`const f = (x = require('child_process').execSync('default')) => x`, ['$ default']],
    [`tag\`\${require('child_process').execSync('tagged')}\``, ['$ tagged']],
    [`/re/.test(require('child_process').execSync('regex'))`, ['$ regex']],
    [`a = b / require('child_process').execSync('division') / c`, ['$ division']],
    [`x => { require('child_process').execSync('arrow') }`, ['$ arrow']],
    [`async function* f() { for await (const x of y) require('child_process').execSync('await') }`, ['$ await']],
    [`<div>{require('child_process').execSync('jsx')}</div>`, ['$ jsx']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('code from text', () => {
  for (const [code, expected] of [
    [`eval('require("fs").unlinkSync("a")')`, ['delete a', 'node:require("fs").unlinkSync("a")']],
    ['eval(code)', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    [`new Function('require("fs").unlinkSync("a")')()`, ['delete a', 'node:require("fs").unlinkSync("a")']],
    [`Function('return 1')()`, ['node:return 1']],
    [`(0, eval)('1 + 1')`, ['node:1 + 1']],
    [`globalThis.eval('2')`, ['node:2']],
    [`window['eval']('3')`, ['node:3']],
    [`setTimeout('require("fs").unlinkSync("a")', 1)`, ['delete a', 'node:require("fs").unlinkSync("a")']],
    [`require('vm').runInNewContext('4')`, ['node:4']],
    [`new (require('vm').Script)('5').runInThisContext()`, ['node:5']],
    [`[].constructor.constructor('return process')()`, ['node:return process']],
    [`(() => {}).constructor('require("fs").unlinkSync("a")')()`, ['delete a', 'node:require("fs").unlinkSync("a")']],
    [
      `eval(Buffer.from('cmVxdWlyZSgiZnMiKS51bmxpbmtTeW5jKCJhIik=', 'base64').toString())`,
      ['delete a', 'execute code:decoded require("fs").unlinkSync("a")', 'node:require("fs").unlinkSync("a")'],
    ],
    [
      `eval(atob('cmVxdWlyZSgiZnMiKS51bmxpbmtTeW5jKCJhIik='))`,
      ['delete a', 'execute code:decoded require("fs").unlinkSync("a")', 'node:require("fs").unlinkSync("a")'],
    ],
    ['eval(String.fromCharCode(49, 43, 49, 43, 49))', ['execute code:decoded 1+1+1', 'node:1+1+1']],
    [`eval(unescape('%31%2b%31'))`, ['execute code:decoded 1+1', 'node:1+1']],
    [`eval(decodeURIComponent('%31%2b%31'))`, ['execute code:decoded 1+1', 'node:1+1']],
    [`eval('1+1;x'.split('').reverse().join(''))`, ['node:x;1+1']],
    [`eval(Buffer.from('312b31', 'hex').toString())`, ['execute code:decoded 1+1', 'node:1+1']],
    [
      `eval(require('zlib').gunzipSync(Buffer.from('H4sI', 'base64')).toString())`,
      ['execute code:decoded', 'opaque `eval` runs code that is not known before it runs'],
    ],
    [`eval(require('fs').readFileSync('x.js', 'utf8'))`, ['read x.js', 'script node:x.js']],
    ['eval(process.argv[2])', ['execute code:dynamic', 'opaque `eval` runs code that is not known before it runs']],
    [`process.stdin.on('data', d => eval(d.toString()))`, ['node:<stdin>']],
    [`require('./local')`, ['script node:./local']],
    [`require('/tmp/x.js')`, ['script node:/tmp/x.js']],
    [`import('/tmp/x.mjs')`, ['script node:/tmp/x.mjs']],
    [`require('node-serialize').unserialize(x)`, ['execute code:dynamic node-serialize.unserialize']],
    [`require('v8').deserialize(b)`, ['execute code:dynamic v8.deserialize']],
    [`process.dlopen(module, './x.node')`, ['execute code:native ./x.node']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})

describe('processes', () => {
  for (const [code, expected] of [
    ['process.kill(1234)', ['change proc:kill 1234']],
    [`process.kill(pid, 'SIGKILL')`, ['change proc:kill']],
    ['process.kill(1, 9)', ['change proc:kill 1']],
    [`while (true) require('child_process').fork(__filename)`, ['execute proc:fork-bomb fork', 'script node:script.js']],
    [`for (;;) { require('child_process').spawn('x') }`, ['> x', 'execute proc:fork-bomb fork']],
    ['process.setuid(0)', ['change privilege:switch 0']],
    [`let a = []; while (true) a.push('x')`, ['execute resource:exhaust memory']],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})
