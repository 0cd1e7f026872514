/** What cannot be kept, by each kind of capture: the policy's `on_failure` decides, and nothing is claimed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { bash } from '../support/calls.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

/** Nobody listens at port 1. */
const ADDRESSES = {
  CS_FAILING_POSTGRES: 'postgres://me:hidden-word@127.0.0.1:1/shop',
  CS_FAILING_MYSQL: 'mysql://me:hidden-word@127.0.0.1:1/shop',
  CS_FAILING_MONGODB: 'mongodb://me:hidden-word@127.0.0.1:1/shop',
  CS_FAILING_REDIS: 'redis://:hidden-word@127.0.0.1:1/0',
}
const databases = Object.keys(ADDRESSES).map((name) => {
  const engine = name.replace('CS_FAILING_', '').toLowerCase()
  return `${engine}: { engine: ${engine}, url_env: ${name}, names: [in_${engine}${engine === 'redis' ? ', default, "0"' : ''}] }`
})
const policy = (failure: 'deny' | 'pass'): string =>
  'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n' +
  `undo: { require_way_back: false, on_failure: ${failure}, databases: { ${databases.join(', ')} } }\n`

function place(failure: 'deny' | 'pass') {
  const root = realpathSync(temporaryDirectory())
  const [work, home, settings] = [join(root, 'work'), join(root, 'home'), join(root, 'gh')]
  for (const directory of [work, home, settings]) mkdirSync(directory)
  writeFileSync(join(settings, 'config.yml'), `http_unix_socket: ${join(root, 'nobody.sock')}\n`)
  const cluster = { server: 'http://127.0.0.1:1' }
  const kube = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  }
  writeFileSync(join(settings, 'kube'), JSON.stringify({ ...kube, users: [{ name: 'u', user: {} }], 'current-context': 'c' }))
  const env = { ...ADDRESSES, GH_CONFIG_DIR: settings, GH_TOKEN: 'none', KUBECONFIG: join(settings, 'kube') }
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  execFileSync('git', ['init', '-q', '-b', 'main', work])
  execFileSync('git', ['-C', work, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git'])
  writeFileSync(join(work, 'a'), 'a\n')
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(policy(failure)), degraded: null }) })
  onTestFinished(() => close())
  return { work, home, decide: (command: string) => gate.decide(bash(command, { cwd: work, session: null })) }
}
type Place = Pick<ReturnType<typeof place>, 'work' | 'home'>

/** The store is no directory that could be written to, whoever runs the test. */
function withoutStore({ home }: Place): void {
  writeFileSync(join(home, 'a-file'), '')
  rmSync(join(home, 'undo'), { recursive: true, force: true })
  symlinkSync('a-file', join(home, 'undo'))
}

const NOTHING = (): void => {}
interface Kind {
  readonly kind: string
  readonly command: string
  readonly arrange: (place: Place) => void
  /** A program without which it cannot be tried. */
  readonly needs: readonly string[]
}
const kind = (name: string, command: string, arrange: Kind['arrange'], needs: readonly string[] = []): Kind => ({
  kind: name,
  command,
  arrange,
  needs,
})
const KINDS: readonly Kind[] = [
  kind('files', 'echo new > a', withoutStore),
  kind('sqlite', 'sqlite3 shop.db "delete from orders"', withoutStore),
  kind('git', 'git clean -fd', ({ work }) => writeFileSync(join(work, '.git/config'), 'no settings [')),
  kind('git:push', 'git push nowhere main', ({ work }) => {
    execFileSync('git', ['-C', work, 'remote', 'add', 'nowhere', join(work, 'none.git')])
  }),
  kind('postgres', "psql -h 127.0.0.1 in_postgres -c 'drop table t'", NOTHING),
  kind('mysql', "mysql -h 127.0.0.1 in_mysql -e 'drop table t'", NOTHING),
  kind('mongodb', "mongosh in_mongodb --eval 'db.dropDatabase()'", NOTHING),
  kind('redis', 'redis-cli flushall', NOTHING),
  kind('npm', 'npm publish', ({ work }) => writeFileSync(join(work, 'package.json'), '{ "name": ')),
  kind('terraform', 'terraform state rm a.b', ({ work }) => writeFileSync(join(work, 'terraform.tfstate'), 'no state')),
  kind('kubernetes', 'kubectl delete deployment web', NOTHING, ['kubectl', 'version', '--client']),
  kind('github', 'gh release create v1 --notes x', NOTHING, ['gh', '--version']),
]

describe.each(KINDS)('$kind', ({ command, arrange, needs: [program, ...args] }) => {
  const missing = program !== undefined && spawnSync(program, args).status !== 0
  test.skipIf(missing)(
    'a capture that fails is answered by the policy',
    async () => {
      for (const failure of ['deny', 'pass'] as const) {
        const made = place(failure)
        arrange(made)
        const { decision, code, undo, reason } = await made.decide(command)
        const refused = failure === 'deny'
        expect([failure, decision, code === 'undo.capture_failed', undo?.id, undo?.problem === undefined]).toEqual([
          failure,
          refused ? 'deny' : 'allow',
          refused,
          refused ? undefined : null,
          refused,
        ])
        expect(`${reason}${JSON.stringify(undo ?? null)}`).not.toContain('hidden-word')
      }
    },
    30_000,
  )
})
