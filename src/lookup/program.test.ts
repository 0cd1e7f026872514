import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { type ProgramEnd, type ProgramRun, runProgram } from './program.ts'

const run = (code: string, more: Partial<ProgramRun> = {}): Promise<ProgramEnd> =>
  runProgram({ argv: [process.execPath, '-e', code], input: '', timeoutMs: 20_000, ...more })
const said = (end: ProgramEnd): string => (end.ended ? `${end.code} ${end.stdout.toString('utf8')}` : end.fault)

describe('a program', () => {
  const cases: readonly (readonly [title: string, code: string, more: Partial<ProgramRun>, expected: string])[] = [
    ['ends', '', {}, '0 '],
    ['ends with a code', 'process.exitCode=7', {}, '7 '],
    ['prints', "process.stdout.write('é')", {}, '0 é'],
    ['reads its input', 'process.stdin.pipe(process.stdout)', { input: 'hello' }, '0 hello'],
    ['need not read its input', "process.stdout.write('x')", { input: 'y'.repeat(1_000_000) }, '0 x'],
    ['has an environment of its own', 'process.stdout.write(Object.keys(process.env).sort().join())', {}, '0 LANG,PATH'],
    ['is given variables', 'process.stdout.write(process.env.A)', { env: { A: 'b' } }, '0 b'],
    ['is in the root', 'process.stdout.write(process.cwd())', {}, '0 /'],
    [
      'has no terminal, and nobody hears its complaints',
      "process.stderr.write('no');process.stdout.write(String(process.stdin.isTTY))",
      {},
      '0 undefined',
    ],
    ['is ended by a signal', "process.kill(process.pid,'SIGTERM');setInterval(()=>{},1000)", {}, 'signal'],
    ['writes too much', "process.stdout.write('x'.repeat(2_000_000))", {}, 'loud'],
    ['takes too long', 'setInterval(()=>{},1000)', { timeoutMs: 200 }, 'late'],
    ['ignores that it is to end', "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)", { timeoutMs: 200 }, 'late'],
  ]
  for (const [title, code, more, expected] of cases) test(title, async () => expect(said(await run(code, more))).toBe(expected))

  for (const argv of [['/nonexistent/program'], ['/'], ['/etc/passwd'], [], ['/bin/a\0b'], ['/bin/true', 'a\0b']]) {
    test(`\`${argv.join(' ')}\` cannot be run`, async () =>
      expect(said(await runProgram({ argv, input: '', timeoutMs: 1_000 }))).toBe('missing'))
  }

  test('arguments are no shell’s', async () => {
    const argv = [process.execPath, '-e', 'process.stdout.write(process.argv.slice(1).join("|"))', '--', '$(id)', '`id`', '; ls', '*', '']
    expect(said(await runProgram({ argv, input: '', timeoutMs: 20_000 }))).toBe('0 $(id)|`id`|; ls|*|')
  })

  test('what it leaves running is ended with it', async () => {
    const mark = join(temporaryDirectory(), 'alive')
    const child = join(temporaryDirectory(), 'child.cjs')
    writeFileSync(child, `setTimeout(()=>require('node:fs').writeFileSync(${JSON.stringify(mark)},''),700)`)
    const code = `require('node:child_process').spawn(process.execPath,[${JSON.stringify(child)}],{stdio:'ignore'}).unref()`
    expect(said(await run(code))).toBe('0 ')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(existsSync(mark)).toBe(false)
  })

  test('is ended when nobody waits any more, also before it began', async () => {
    const stop = new AbortController()
    const running = run('setInterval(()=>{},1000)', { signal: stop.signal })
    stop.abort()
    expect(said(await running)).toBe('late')
    expect(said(await run('', { signal: AbortSignal.abort() }))).toBe('late')
  })
})
