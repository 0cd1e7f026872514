/** A real npm publishes to a registry that speaks its protocol, and the way back takes it off again. */
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bash } from '../test/support/calls.ts'
import { startRegistry } from '../test/support/npm-registry.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { policyOf } from '../test/support/workplace.ts'
import { openGate } from './open.ts'
import { captureIn, openCaptures } from './undo/captures.ts'
import { npmBack } from './undo/npm.ts'
import { stepsOf, take } from './undo/undo.ts'

const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: {}\n'
const TOKEN = 'token-of-this-test'
const HOUR = 3_600_000

async function place() {
  const registry = await startRegistry(TOKEN)
  onTestFinished(() => registry.stop())
  const root = realpathSync(temporaryDirectory())
  const [work, home] = [join(root, 'work'), join(root, 'home')]
  mkdirSync(work)
  writeFileSync(
    join(work, '.npmrc'),
    `registry=${registry.url}\n//${new URL(registry.url).host}/:_authToken=${TOKEN}\ncache=${root}/cache\n`,
  )
  const version = (text: string): void => writeFileSync(join(work, 'package.json'), JSON.stringify({ name: '@acme/thing', version: text }))
  // The registry answers in this process.
  const publish = () => promisify(execFile)('npm', ['publish'], { cwd: work, timeout: 60_000 })
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(POLICY), degraded: null }) })
  onTestFinished(() => close())
  const store = openCaptures(home)
  const decide = async (command: string) => gate.decide(bash(command, { cwd: work, session: null }))
  const back = async (id: unknown) => {
    const parts = { store, ways: null, now: Date.now, variable: () => null }
    const steps = await stepsOf(captureIn(store.read(String(id)) ?? ''), parts)
    const problems: string[] = []
    for (const step of steps) problems.push(...(step.problem === null ? await take(step, parts) : [step.problem]))
    return { lines: steps.flatMap(({ lines }) => lines), problems }
  }
  return { registry, work, version, publish, decide, back }
}

test('the only version is deprecated, a later one is unpublished, and the registry is as before', async () => {
  const { registry, version, publish, decide, back, work } = await place()
  version('1.0.0')
  const first = await decide('npm publish')
  expect([first.decision, first.undo?.ways]).toEqual(['allow', [{ name: 'npm:publish', exercised: true }]])
  await publish()
  expect(await back(first.undo?.id)).toEqual({ lines: ["npm deprecate @acme/thing@1.0.0 'published by mistake'"], problems: [] })
  expect(registry.packages()['@acme/thing']?.versions['1.0.0']?.deprecated).toBe('published by mistake')
  const before = [registry.packages(), registry.tarballs()]
  version('1.1.0')
  const second = await decide('npm publish')
  await publish()
  expect(registry.tarballs().length).toBe(2)
  expect(await back(second.undo?.id)).toEqual({ lines: ['npm unpublish @acme/thing@1.1.0'], problems: [] })
  expect([registry.packages(), registry.tarballs()]).toEqual(before)
  expect(await back(second.undo?.id)).toEqual({ lines: [], problems: [] })
  const published = { top: work, package: '@acme/thing', version: '1.0.0', registry: null }
  expect(await npmBack(published, 0, 73 * HOUR)).toEqual(['npm', 'deprecate', '@acme/thing@1.0.0', 'published by mistake'])
}, 120_000)

test('names and versions that are options or commands are not taken from a manifest', async () => {
  const { decide, work, back } = await place()
  for (const manifest of [
    { name: '--registry=http://evil', version: '1.0.0' },
    { name: 'x', version: '1.0.0 --force' },
    { name: 'a b', version: '1.0.0' },
  ]) {
    writeFileSync(join(work, 'package.json'), JSON.stringify(manifest))
    const { undo } = await decide('npm publish')
    expect([manifest.name, undo?.ways, undo?.id]).toEqual([manifest.name, [{ name: 'npm:publish by hand', exercised: false }], null])
  }
  await expect(back('und_none')).rejects.toThrow()
})
