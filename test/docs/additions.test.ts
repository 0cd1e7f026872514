/** ARCHITECTURE.md is enough for a stranger: one of each is added to a copy of the sources, which still has its types and does what was added. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../hosts/harness.ts'
import { ADDITIONS, type Edit, PROBE } from './additions.ts'

/** What the table names that this test does not add: a parser of a language or of a provider's wire is no afternoon's work. */
const LEFT_OUT = ['language that is parsed', 'model API', 'client of a service', 'detector (what no single command tells)', 'policy field']

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'countersign-stranger-'))
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true, filter: (path) => !/\.test\.ts$|__snapshots__/.test(path) })
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(ROOT, name), join(copy, name))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const edit of ADDITIONS.flatMap(({ edits }) => edits)) make(edit)
  writeFileSync(join(copy, 'probe.ts'), PROBE)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function make({ file, after, text }: Edit): void {
  const path = join(copy, file)
  mkdirSync(dirname(path), { recursive: true })
  const whole = after === undefined ? '' : readFileSync(path, 'utf8')
  const at = whole.indexOf(after ?? '')
  if (at < 0) throw new Error(`${file} has no longer: ${after}`)
  writeFileSync(path, [whole.slice(0, at), after, text, whole.slice(at + (after ?? '').length)].join(''))
}

const table = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('### To add')[1]?.split('\n\n')[1] ?? ''
const rows = table
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the table', () => {
  test('has a row for each addition, and no row that is not tried', () => {
    expect(rows.map(([, what]) => what).toSorted()).toEqual([...ADDITIONS.map(({ what }) => what), ...LEFT_OUT].toSorted())
  })

  for (const { what, files, edits } of ADDITIONS) {
    test(`names every place of: ${what}`, () => {
      const row = rows.find(([, name]) => name === what)?.join(' ') ?? ''
      const touched = [...new Set(edits.map(({ file }) => file))]
      expect(touched).toHaveLength(files)
      for (const { file, after } of edits) {
        const [name, folder] = [file.split('/').at(-1) ?? '', dirname(file).split('/').slice(0, 3).join('/')]
        const pattern = row.includes(name) || row.includes(folder) || (after === undefined && row.includes(dirname(dirname(file))))
        expect(pattern, `${what}: ${file}`).toBe(true)
      }
    })
  }

  test('a command, an MCP family and a host take three files at most', () => {
    const few = ['shell command', "MCP family, or a host's own tools", 'host (an agent)']
    for (const { what, files } of ADDITIONS) if (few.includes(what)) expect(files).toBeLessThanOrEqual(3)
  })
})

describe('the copy', () => {
  test('has its types', () => {
    writeFileSync(
      join(copy, 'tsconfig.copy.json'),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions: { types: ['node'] }, include: ['src', 'probe.ts'] }),
    )
    const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.copy.json', '--singleThreaded']
    expect(spawnSync(process.execPath, compile, at()).stdout).toBe('')
  })

  test('does what was added', async () => {
    const bundle = { bundle: true, format: 'esm', platform: 'node', packages: 'external' } as const
    await build({ ...bundle, absWorkingDir: copy, entryPoints: ['probe.ts'], outfile: join(copy, 'probe.mjs') })
    const told = JSON.parse(execFileSync(process.execPath, ['probe.mjs'], at())) as Record<string, unknown>
    expect(told).toMatchObject({
      problems: null,
      command: ['delete nothing /srv/old'],
      code: expect.arrayContaining([expect.stringMatching(/^delete .*\/srv\/data$/)]),
      family: ['delete shop:close main'],
      words: expect.arrayContaining([expect.stringMatching(/^delete cli:delete /)]),
      hazard: expect.arrayContaining(['hazard stranger-shop hazard.destruction']),
      layer: expect.arrayContaining(['strangers role strangers.unknown']),
      host: expect.arrayContaining(['stranger', 'claude-code']),
      route: expect.arrayContaining(['/v1/stranger']),
      store: 5,
    })
  })
})

const at = () => ({ cwd: copy, encoding: 'utf8' as const, env: { ...process.env, HOME: copy, NO_COLOR: '1' } })
