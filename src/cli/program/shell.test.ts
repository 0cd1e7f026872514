/** The command line runs from code that was kept, without it, and beside code that it must not run; each way it says the same. */
import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../../test/hosts/harness.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'

const CALL = '{"tool":"Bash","args":{"command":"rm -rf /"}}'

interface Ended {
  readonly status: number
  readonly out: string
  readonly error: string
}

/** A package of its own to change. */
let root: string
let code: string
const program = (name = 'load.cjs') => join(root, 'dist/cli', name)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  for (const name of ['package.json', 'dist/build-id', 'dist/cli']) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  // The build keeps the code for the Node that ran it, which may be another one.
  for (const name of readdirSync(program(''))) if (name.startsWith('code-') && !name.includes(`-${process.version}-`)) rmSync(program(name))
  const home = join(root, 'home')
  mkdirSync(home)
  execFileSync(process.execPath, [program('compile.cjs'), home, ''], { env: { HOME: home, PATH: process.env.PATH ?? '' }, input: CALL })
  code = program(readdirSync(program('')).find((name) => name.startsWith('code-')))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function node(argv: readonly string[], input = ''): Promise<Ended> {
  const home = temporaryDirectory()
  const env = { HOME: home, PATH: process.env.PATH ?? '', COUNTERSIGN_DAEMON: 'off' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, argv, { env, cwd: home, maxBuffer: 1 << 26 }, (error, out, said) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, error: said }),
    )
    child.stdin?.on('error', () => {}).end(input)
  })
}

const decided = async () => {
  const { status, out } = await node([program(), 'check', '--no-record'], CALL)
  const { decision, code } = JSON.parse(out) as { decision: string; code: string }
  return [status, decision, code]
}

/** What V8 says of the code of a chunk is nowhere to be seen; that the file was opened is. */
const isAsked = async (): Promise<boolean> => {
  const path = join(temporaryDirectory(), 'asked.cjs')
  writeFileSync(
    path,
    `const fs = require('node:fs'); const { openSync } = fs
fs.openSync = (path, ...more) => { if (path === ${JSON.stringify(code)}) process.exit(77); return openSync(path, ...more) }`,
  )
  return (await node(['--require', path, program(), '--version'])).status === 77
}

describe('the command line', () => {
  test('decides the same with the code that was kept and without it, by each of its files', async () => {
    expect(await isAsked()).toBe(true)
    const whole = await decided()
    expect(whole.slice(0, 2)).toEqual([4, 'deny'])
    renameSync(code, `${code}.away`)
    expect(await decided()).toEqual(whole)
    renameSync(`${code}.away`, code)
    expect((await node([program('bin.js'), '--version'])).out).toBe((await node([program(), '--version'])).out)
  })

  test('is linked so that each of its modules runs, but the threads, which are handed their work', async () => {
    const asked = `process.stdout.write(JSON.stringify(require(${JSON.stringify(program())}).runAll()), () => process.exit(0))`
    const failed = JSON.parse((await node(['-e', asked])).out) as readonly string[]
    expect(failed.filter((fault) => !/workerData|for a thread/.test(fault))).toEqual([])
  })

  test('runs no code that others can write, that is no file, or that is not whole', async () => {
    const expected = await decided()
    const bytes = readFileSync(code)
    chmodSync(code, 0o664)
    expect([await isAsked(), await decided()]).toEqual([false, expected])
    chmodSync(code, 0o644)
    for (const length of [0, 10, bytes.length - 1]) {
      truncateSync(code, length)
      expect([length, await decided()]).toEqual([length, expected])
      writeFileSync(code, bytes)
    }
    rmSync(code)
    mkdirSync(code)
    expect([await isAsked(), await decided()]).toEqual([false, expected])
    rmSync(code, { recursive: true })
    writeFileSync(code, bytes)
  })

  test('ends with 2 where it is not whole', async () => {
    const [pack, away] = [program('program.pack'), program('away.pack')]
    renameSync(pack, away)
    const ended = await node([program(), '--version'])
    renameSync(away, pack)
    expect([ended.status, ended.error]).toEqual([2, expect.stringContaining('countersign: the program cannot be started')])
  })

  test('writes all that it has to say into a pipe, and ends with the code of the command', async () => {
    const schema = await node([program(), 'policy', 'schema'])
    expect([schema.status, JSON.parse(schema.out)]).toEqual([0, expect.objectContaining({ type: 'object' })])
    expect((await node([program(), 'nothing'])).status).toBe(2)
    expect((await node([program(), 'check'], '{"tool":1}')).status).toBe(2)
  })
})

describe('compiling the command line', () => {
  test('is done by many at once, and leaves one file; where it fails it leaves none', async () => {
    rmSync(code)
    const ended = await Promise.all([1, 2].map(() => node([program('compile.cjs'), temporaryDirectory(), ''], CALL)))
    expect(ended.map(({ status }) => status)).toEqual([0, 0])
    const kept = () => readdirSync(program('')).filter((name) => name.startsWith('code-'))
    expect(kept()).toEqual([basename(code)])
    expect(await isAsked()).toBe(true)
    rmSync(code)
    const failed = await node([program('compile.cjs'), join(root, 'none'), ''], CALL)
    expect([failed.status, kept()]).toEqual([2, []])
  }, 60_000)
})
