/** A real `gh` acts on a repository at a server that speaks GitHub's API, and the way back makes it what it was. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe as always, expect, test as one, onTestFinished } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures } from '../../src/undo/captures.ts'
import { stepsOf, take, type UndoParts } from '../../src/undo/undo.ts'
import { bash } from '../support/calls.ts'
import { startHub } from '../support/hub.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

/** Missing in CI it is a failure; elsewhere it is said before the run (test/support/missing.ts). */
const missing = process.env.CI !== 'true' && spawnSync('gh', ['--version']).status !== 0
const describe = always.skipIf(missing)
const test = one.skipIf(missing)

const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: { require_way_back: false }\n'

async function place() {
  const root = realpathSync(temporaryDirectory())
  const [work, home, settings] = [join(root, 'work'), join(root, 'home'), join(root, 'gh')]
  for (const directory of [work, settings]) mkdirSync(directory)
  const socket = join(root, 'hub.sock')
  const hub = await startHub(socket)
  onTestFinished(() => hub.stop())
  writeFileSync(join(settings, 'config.yml'), `http_unix_socket: ${socket}\n`)
  const environment = { GH_CONFIG_DIR: settings, GH_TOKEN: 'token-of-this-test' }
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  const run = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: work, timeout: 60_000 })
  await run('git init -q -b fix . && git remote add origin https://github.com/acme/shop.git')
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(POLICY), degraded: null }) })
  onTestFinished(() => close())
  const parts: UndoParts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  return {
    hub,
    run,
    decide: async (command: string) => gate.decide(bash(command, { cwd: work, session: null })),
    back: async (id: unknown) => {
      const steps = await stepsOf(captureIn(parts.store.read(String(id)) ?? ''), parts)
      const problems: string[] = []
      for (const step of steps) problems.push(...(step.problem === null ? await take(step, parts) : [step.problem]))
      return { lines: steps.flatMap(({ lines }) => lines), problems }
    },
  }
}

interface Case {
  readonly command: string
  /** The same act where the client asks more of the server than the server here knows. */
  readonly as?: string
  readonly name: string
  readonly lines: readonly string[]
}

const API = 'gh api --hostname github.com --method'
const CASES: readonly Case[] = [
  {
    command: 'gh release create v3 --notes x',
    name: 'gh:release',
    lines: [`${API} DELETE repos/acme/shop/releases/11`, `${API} DELETE repos/acme/shop/git/refs/tags/v3`],
  },
  {
    command: 'gh release create v2 --repo acme/shop --notes x',
    name: 'gh:release',
    lines: ['gh api --method DELETE repos/acme/shop/releases/11'],
  },
  {
    command: 'gh pr create --title new --body x',
    as: 'gh api repos/acme/shop/pulls -f head=fix -f base=main -f title=new',
    name: 'gh:pr-create',
    lines: [`${API} PATCH repos/acme/shop/pulls/4 -f state=closed`],
  },
  {
    command: 'gh pr create --head other --repo github.com/acme/shop --title new --body x',
    as: 'gh api repos/acme/shop/pulls -f head=other -f base=main -f title=new',
    name: 'gh:pr-create',
    lines: [`${API} PATCH repos/acme/shop/pulls/4 -f state=closed`],
  },
  {
    command: 'gh repo edit acme/shop --description "it\'s $(id)" --enable-wiki',
    name: 'gh:repo-edit',
    lines: ["gh api --method PATCH repos/acme/shop -f 'description=a shop' -F has_wiki=false"],
  },
]

describe('what gh changes is taken back', () => {
  one.each(CASES)('$command', async ({ command, as = command, name, lines }) => {
    const { hub, decide, run, back } = await place()
    const before = hub.state()
    const { decision, undo } = await decide(command)
    expect([decision, undo?.ways]).toEqual(['allow', [{ name, exercised: true }]])
    expect([hub.state(), hub.changes()]).toEqual([before, []])
    await run(as)
    expect(hub.state()).not.toEqual(before)
    expect(await back(undo?.id)).toEqual({ lines, problems: [] })
    expect(hub.state()).toEqual(before)
    expect(await back(undo?.id)).toEqual({ lines: [], problems: [] })
  })
})

test('a merge gets a request that reverts it, once it was merged', async () => {
  const { hub, decide, run, back } = await place()
  const { undo } = await decide('gh pr merge 3 --squash')
  expect([undo?.ways, await back(undo?.id)]).toEqual([[{ name: 'gh:pr-merge', exercised: true }], { lines: [], problems: [] }])
  await run('gh api --method PUT repos/acme/shop/pulls/3/merge')
  expect((await back(undo?.id)).problems).toEqual([])
  expect(hub.state()).toMatchObject({ reverted: ['PR_3'] })
})

describe('nothing is asked, and a person is told what to do', () => {
  const BY_HAND: readonly string[] = [
    'gh pr merge --squash',
    'gh pr merge "$(cat number)" --squash',
    'gh pr merge 3 --auto',
    'gh release create "v$(date +%s)" --notes x',
    'gh release create -- --help',
    'gh pr create --repo acme/../../x --title a --body b',
    'gh pr create --head=-X --title a --body b',
    'gh repo edit acme/shop/x/y --description z',
    'curl -X POST https://api.github.com/repos/acme/shop/pulls -d @body',
  ]
  one.each(BY_HAND)('%s', async (command) => {
    const { hub, decide } = await place()
    const { decision, undo } = await decide(command)
    expect([decision, undo?.id ?? null, hub.changes()]).toEqual(['allow', null, []])
    expect(JSON.stringify(undo?.ways ?? [])).not.toMatch(/"gh:[a-z-]+"/)
  })
})

test('a release that is there already stays', async () => {
  const { hub, decide, back } = await place()
  const before = hub.state()
  const { undo } = await decide('gh release create v1 --notes x')
  expect([undo?.id ?? null, hub.state()]).toEqual([null, before])
  await expect(back(undo?.id)).rejects.toThrow()
})
