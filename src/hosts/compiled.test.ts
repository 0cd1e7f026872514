/** Code that was compiled beforehand is used for the program and the Node that it was compiled for, and the hook decides without it. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cli, event, installedCommand, makeHome, permission, ROOT, runHook } from '../../test/hosts/harness.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { codeFile, compileProgram } from './compiled.ts'
import { pinProgram } from './program.ts'
import { quote } from './shim.ts'

/** A program of its own to change. */
let program: string
const directory = mkdtempSync(join(tmpdir(), 'countersign-compiled-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
beforeAll(() => {
  cpSync(join(ROOT, 'dist/hook'), directory, { recursive: true })
  program = join(directory, 'load.cjs')
})

describe('the code of the program', () => {
  test('lies elsewhere for each program, whatever its length', () => {
    const directory = temporaryDirectory()
    const one = join(directory, 'load.cjs')
    writeFileSync(one, 'a')
    writeFileSync(join(directory, 'program.pack'), 'b')
    const before = codeFile(one)
    writeFileSync(join(directory, 'program.pack'), 'c')
    expect(codeFile(one)).not.toBe(before)
    writeFileSync(join(directory, 'program.pack'), 'b')
    expect(codeFile(one)).toBe(before)
  })

  test('is not made where it cannot be, and leaves nothing behind', () => {
    const directory = temporaryDirectory()
    const broken = join(directory, 'load.cjs')
    writeFileSync(broken, 'process.exit(1)')
    expect(compileProgram({ node: process.execPath, program: broken })).toBe(false)
    expect(readdirSync(directory)).toEqual(['load.cjs'])
  })

  test('is made once, and held by the hook as the program is', () => {
    for (const name of readdirSync(join(program, '..'))) if (name.startsWith('code-')) rmSync(join(program, '..', name))
    expect(pinProgram({ node: process.execPath, program }).code).toBeNull()
    expect(compileProgram({ node: process.execPath, program })).toBe(true)
    const pin = pinProgram({ node: process.execPath, program })
    expect(pin.code).toBe(codeFile(program))
    expect(pin.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([process.execPath, program, join(program, '../program.pack'), pin.code]),
    )
    expect(readdirSync(join(program, '..')).filter((name) => name.startsWith('code-')).length).toBe(1)
  })
})

describe('the installed hook', () => {
  test('decides with the code, without it, and with code that V8 does not take; what it does not hold it does not start', async () => {
    const home = makeHome()
    try {
      expect(cli(home, ['init', '--yes']).status).toBe(0)
      const script = join(home.state, 'bin/claude-code-hook')
      const text = readFileSync(script, 'utf8')
      expect(text).toContain(`COUNTERSIGN_CODE=${quote(codeFile(join(ROOT, 'dist/hook/load.cjs')))}`)
      const code = join(home.user, 'code')
      for (const [title, content, expected] of [
        ['none', null, 'deny'],
        ['not for this source', '{"places":[[0,4]],"engine":null}\nabcd', 'deny'],
        ['no code at all', 'what', null],
      ] as const) {
        if (content !== null) writeFileSync(code, content)
        const asked = content === null ? '' : code
        const changed = text.replace(/COUNTERSIGN_CODE='[^']*'/, `COUNTERSIGN_CODE='${asked}'`)
        writeFileSync(script, changed)
        const { hookCommand } = await import('./shim.ts')
        const run = await runHook(hookCommand(script, changed), event(`rm -rf ${home.user}`), home.environment)
        expect([title, run.status]).toEqual([title, expected === null ? 2 : 0])
        if (expected !== null) expect([title, permission(run.stdout)]).toEqual([title, expected])
      }
      writeFileSync(script, text)
      const run = await runHook(installedCommand(home), event(`rm -rf ${home.user}`), home.environment)
      expect([run.status, permission(run.stdout)]).toEqual([0, 'deny'])
      expect(existsSync(join(home.state, 'cache'))).toBe(true)
    } finally {
      home.remove()
    }
  }, 180_000)
})
