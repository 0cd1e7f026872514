/** The package as another program sees it: its sub-paths, and the guide's example run by a real process. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../hosts/harness.ts'

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>
}
const guide = readFileSync(join(ROOT, 'docs/guide/library.md'), 'utf8')

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-library-'))
  execFileSync('mkdir', [join(root, 'node_modules')])
  symlinkSync(ROOT, join(root, 'node_modules/countersign'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(module: string): string {
  writeFileSync(join(root, 'program.mjs'), module)
  return execFileSync(process.execPath, ['program.mjs'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 180_000,
    env: { HOME: root, PATH: '' },
    stdio: 'pipe',
  })
}

describe('sub-paths', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    '.': ['CallRefused', 'GateError', 'createGate'],
    './approvals': ['CallbackHandler', 'ElicitationHandler', 'QueueHandler', 'WebhookApprovalHandler', 'signWebhook', 'verifyWebhook'],
    './policy': ['compilePolicy', 'explainPolicy', 'formatPolicy', 'lintPolicy', 'policySchema'],
    './facts': ['analyse', 'createFixedView', 'createNodeView', 'explainFacts'],
    './advanced': ['LAYERS', 'createCodeRules', 'openGate', 'openStore', 'parseCall'],
    './promptise': ['AutoApprovalClassifier'],
    './ai-sdk': ['gateApproval', 'gateTools'],
    './anthropic': ['gateTools'],
    './openai-agents': ['gateTools'],
    './langchain': ['gateToolCalls'],
    './mastra': ['gateHooks', 'gateTools'],
    './mcp-client': ['gateClient'],
    './claude-agent': ['gateOptions'],
    './hooks/claude-code': ['answerHook', 'shimScript', 'withHooks', 'withoutHooks'],
  }
  const listed = Object.entries(manifest.exports).flatMap(([path, target]) => (typeof target === 'string' ? [] : [{ path, ...target }]))

  test('each is described in the guide', () => {
    expect(listed.map(({ path }) => path)).toEqual(Object.keys(expected))
    for (const { path } of listed) expect(guide).toContain(`| \`countersign${path.slice(1)}\` |`)
  })

  for (const { path, types, default: file } of listed) {
    test(`countersign${path.slice(1)} loads, has its types and its names`, () => {
      expect([types, file].map((name) => existsSync(join(ROOT, name)))).toEqual([true, true])
      const names = JSON.parse(run(`console.log(JSON.stringify(Object.keys(await import('countersign${path.slice(1)}'))))`)) as string[]
      expect(names.toSorted()).toEqual(expected[path])
    })
  }

  test('what is not listed cannot be imported', () => {
    expect(() => run(`await import('countersign/dist/lib/advanced.js')`)).toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

describe('docs/guide/library.md', () => {
  const [, program = ''] = /```ts\n([\s\S]*?)\n```/.exec(guide) ?? []

  test('its program prints what the guide says', async () => {
    const printed = [...(/It prints (.*)\.\n/.exec(guide)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text)
    expect(printed).toHaveLength(2)
    const { code } = await transform(program, { loader: 'ts', format: 'esm' })
    expect(run(code).trim().split('\n')).toEqual(printed)
  })

  test('its program is strict TypeScript, by the types that ship', () => {
    writeFileSync(join(root, 'program.mts'), program)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', '--types', 'node']
    const compiler = [join(ROOT, 'node_modules/.bin/tsc'), ...options, '--typeRoots', join(ROOT, 'node_modules/@types'), 'program.mts']
    expect(spawnSync(process.execPath, compiler, { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
  })
})
