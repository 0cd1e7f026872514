/** A real kubectl changes a cluster that speaks its protocol, and the way back makes it what it was. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe as always, test as each, expect, onTestFinished } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures } from '../../src/undo/captures.ts'
import { keepCurrent, stepsOf, take, type UndoParts } from '../../src/undo/undo.ts'
import { bash } from '../support/calls.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { revealed } from '../support/private-store.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

/** Missing in CI it is a failure; elsewhere it is said before the run (test/support/missing.ts). */
const missing = process.env.CI !== 'true' && spawnSync('kubectl', ['version', '--client']).status !== 0
const describe = always.skipIf(missing)
const test = each.skipIf(missing)

const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: {}\n'

const configOf = (url: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'stage',
    clusters: [{ name: 'stage', cluster: { server: url } }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'stage', context: { cluster: 'stage', user: 'me', namespace: 'shop' } }],
  })

const deployment = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop', labels: { app: name } },
  spec: { replicas, template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
})
const settings = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', labels: { app: name } },
  data: { value },
})

async function place() {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const root = realpathSync(temporaryDirectory())
  const [work, home, user] = [join(root, 'work'), join(root, 'home'), join(root, 'user')]
  for (const directory of [work, join(user, '.kube')]) mkdirSync(directory, { recursive: true })
  const config = join(user, '.kube/config')
  writeFileSync(config, configOf(cluster.url))
  const before = process.env.KUBECONFIG
  process.env.KUBECONFIG = config
  onTestFinished(() => {
    if (before === undefined) delete process.env.KUBECONFIG
    else process.env.KUBECONFIG = before
  })
  for (const object of [deployment('web', 3), settings('web', 'one'), settings('other', 'two')]) cluster.put(object)
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(POLICY), degraded: null }) })
  onTestFinished(() => close())
  const parts: UndoParts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  const plan = async (id: unknown) => stepsOf(captureIn(parts.store.read(String(id)) ?? ''), parts)
  return {
    home,
    cluster,
    work,
    config,
    parts,
    plan,
    decide: async (command: string) => gate.decide(bash(command, { cwd: work, session: null })),
    run: (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: work, timeout: 60_000 }),
    back: async (id: unknown) => {
      const steps = await plan(id)
      const problems: string[] = []
      for (const step of steps) problems.push(...(step.problem === null ? await take(step, parts) : [step.problem]))
      return { lines: steps.flatMap(({ lines }) => lines), problems }
    },
  }
}

const MANIFEST = (...objects: readonly object[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n')

describe('what kubectl changes is taken back', () => {
  const CASES: readonly [command: string, lines: readonly string[]][] = [
    ['kubectl delete deployment web', ['bring back Deployment.v1.apps/web in shop']],
    ['kubectl delete deploy/web cm/web', ['bring back Deployment.v1.apps/web in shop', 'bring back ConfigMap.v1./web in shop']],
    [
      'kubectl delete cm -l app=web && kubectl delete cm/other',
      ['bring back ConfigMap.v1./other in shop', 'bring back ConfigMap.v1./web in shop'],
    ],
    ['kubectl patch deploy web --type merge -p \'{"spec":{"replicas":0}}\'', ['put back Deployment.v1.apps/web in shop']],
    ['kubectl apply --validate=false -f changed.json', ['put back ConfigMap.v1./web in shop']],
    ['kubectl annotate deploy/web cm/absent a=b || true', ['put back Deployment.v1.apps/web in shop']],
    ['kubectl replace --validate=false -f changed.json', ['put back ConfigMap.v1./web in shop']],
    ['kubectl create --validate=false -f new.json', ['delete ConfigMap.v1./new in shop', 'delete Deployment.v1.apps/new in shop']],
    ['cd deploy && kubectl apply --validate=false -f web.json', ['put back Deployment.v1.apps/web in shop']],
    ['kubectl --context stage delete -f changed.json', ['bring back ConfigMap.v1./web in shop']],
  ]
  each.each(CASES)('%s', async (command, lines) => {
    const { cluster, work, decide, run, back } = await place()
    writeFileSync(join(work, 'changed.json'), MANIFEST(settings('web', 'changed')))
    writeFileSync(join(work, 'new.json'), MANIFEST({ kind: 'List', apiVersion: 'v1', items: [settings('new', 'x'), deployment('new', 1)] }))
    mkdirSync(join(work, 'deploy'))
    writeFileSync(join(work, 'deploy/web.json'), MANIFEST(deployment('web', 9)))
    const before = cluster.objects()
    const { decision, undo } = await decide(command)
    expect([decision, undo?.ways]).toEqual(['allow', [{ name: 'kubernetes', exercised: true }]])
    expect([cluster.objects(), cluster.changes()]).toEqual([before, []])
    await run(command)
    expect(cluster.objects()).not.toEqual(before)
    const told = await back(undo?.id)
    expect({ lines: told.lines.toSorted(), problems: told.problems }).toEqual({ lines: lines.toSorted(), problems: [] })
    expect(cluster.objects()).toEqual(before)
    expect(await back(undo?.id)).toEqual({ lines: [], problems: [] })
  })
})

test('the way back has a way back', async () => {
  const { cluster, decide, run, plan, parts } = await place()
  const command = 'kubectl delete deployment web'
  const { undo } = await decide(command)
  await run(command)
  const deleted = cluster.objects()
  const steps = await plan(undo?.id)
  const ways = await keepCurrent(steps, parts)
  for (const step of steps) expect(await take(step, parts)).toEqual([])
  expect(cluster.objects()).not.toEqual(deleted)
  for (const step of await stepsOf({ id: '', at: 0, until: 0, cwd: null, ways }, parts)) await take(step, parts)
  expect(cluster.objects()).toEqual(deleted)
})

describe('no way back is claimed', () => {
  const CASES: readonly string[] = [
    'kubectl delete namespace shop',
    'kubectl delete pvc/data',
    'kubectl delete pod,ns -l a=b',
    'kubectl --server http://127.0.0.1:1 delete deploy/web',
    'kubectl --as root delete deploy/web',
    'kubectl delete deploy/web -A --all',
    'ssh host kubectl delete deploy/web',
    'kubectl delete -f https://example.com/x.yaml',
    'kubectl delete -f -',
    'cp other .kubeconfig && KUBECONFIG=.kubeconfig kubectl delete deploy/web',
    'kubectl delete "deploy/$(cat name)"',
    "kubectl delete deploy/web -l 'a=b\n--server=x'",
  ]
  each.each(CASES)('%s', async (command) => {
    const { decide, cluster } = await place()
    const { undo } = await decide(command)
    expect(JSON.stringify(undo?.ways ?? [])).not.toContain('kubernetes')
    expect(cluster.changes()).toEqual([])
  })
})

test('a context that leads elsewhere by now, and a named file that changed, take nothing back', async () => {
  const { cluster, work, config, decide, run, back } = await place()
  writeFileSync(join(work, 'own.json'), configOf(cluster.url))
  const first = await decide('kubectl delete cm/other')
  const second = await decide('kubectl --kubeconfig own.json delete deploy/web')
  await run('kubectl delete cm/other && kubectl --kubeconfig own.json delete deploy/web')
  const after = cluster.objects()
  const other: Cluster = await startCluster()
  onTestFinished(() => other.stop())
  writeFileSync(config, configOf(other.url))
  writeFileSync(join(work, 'own.json'), `${configOf(cluster.url)}\n`)
  expect((await back(first.undo?.id)).problems).toEqual([expect.stringMatching(/^the context `stage` led to .* now$/)])
  expect((await back(second.undo?.id)).problems).toEqual([expect.stringMatching(/own\.json` was changed since/)])
  expect([cluster.objects(), other.changes()]).toEqual([after, []])
})

test('what is kept of a cluster is for nobody else to read', async () => {
  const { home, decide } = await place()
  const { undo } = await decide('kubectl delete cm/other')
  expect([undo?.ways, revealed(home, ['ConfigMap', 'kind', 'shop'])]).toEqual([[{ name: 'kubernetes', exercised: true }], []])
})

test('a cluster that does not answer is no silence', async () => {
  const { cluster, decide } = await place()
  await cluster.stop()
  const { decision, code } = await decide('kubectl delete deployment web')
  expect([decision, code]).toEqual(['deny', 'undo.capture_failed'])
}, 60_000)
