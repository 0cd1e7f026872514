/** Rules with conditions on arguments, all of them on one tool, beside Cedar and Casbin with the same conditions. */
import cedarWasm from '@cedar-policy/cedar-wasm/nodejs'
import { newEnforcer, newModelFromString } from 'casbin'
import { gateOf, policyOf } from './gates.ts'
import { type Budget, type Report, SAMPLE_COLUMNS, type Sample, sample, sampleRows } from './measure.ts'
import { callOf } from './rules.ts'

const SIZES = [10, 100, 1_000] as const
const BUDGET: Budget = { count: 2_000, milliseconds: 3_000 }
const ALLOWED = 100

interface Request {
  readonly group: string
  readonly size: number
}

type Decide = (request: Request) => unknown

/** Rule `i` denies requests of `team-i` above the limit; everything else is allowed. */
export async function conditions(): Promise<readonly Report[]> {
  const reports: Report[] = []
  for (const count of SIZES) {
    const requests = Array.from({ length: 200 }, (_, i) => ({
      group: `team-${(i * 7) % count}`,
      size: i % 2 === 0 ? ALLOWED : ALLOWED + 1,
    }))
    const samples: Sample[] = []
    for (const [name, decide] of [await own(count), cedar(count), await casbin(count)] as const) {
      for (const request of requests) {
        const expected = request.size > ALLOWED ? 'deny' : 'allow'
        const answer = await decide(request)
        if (answer !== expected) throw new Error(`${name}, ${count} rules: ${answer} instead of ${expected}`)
      }
      samples.push(await sample(name, BUDGET, (i) => decide(requests[i % requests.length] ?? { group: '', size: 0 })))
    }
    const title = `Decision, ${count.toLocaleString('en')} rules with a condition each, over one tool`
    reports.push({ title, columns: SAMPLE_COLUMNS, rows: sampleRows(samples), notes: [] })
  }
  return reports
}

const teams = (count: number) => Array.from({ length: count }, (_, i) => `team-${i}`)

async function own(count: number): Promise<readonly [string, Decide]> {
  const rules = teams(count).map(
    (team) => `    - { tool: resize, when: 'args.group == "${team}" && args.size > ${ALLOWED}', reason: bench }`,
  )
  const head = [
    'version: 1',
    'default: deny',
    'tools: { resize: { risk_tier: low } }',
    'rules:',
    '  allow:',
    '    - { tool: resize, reason: bench }',
  ]
  const { gate } = gateOf({ policy: policyOf([...head, '  deny:', ...rules, ''].join('\n')) })
  return ['countersign', async ({ group, size }) => (await gate.decide(callOf('resize', 'user', { group, size }))).decision]
}

function cedar(count: number): readonly [string, Decide] {
  const forbidden = teams(count).map(
    (team) => `forbid(principal, action == Action::"resize", resource) when { context.group == "${team}" && context.size > ${ALLOWED} };`,
  )
  const id = `bench-${count}`
  const parsed = cedarWasm.preparsePolicySet(id, {
    staticPolicies: ['permit(principal, action == Action::"resize", resource);', ...forbidden].join('\n'),
  })
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed))
  const named = (type: string, of: string) => ({ type, id: of })
  const asked = { principal: named('User', 'user'), action: named('Action', 'resize'), resource: named('Tool', 'resize'), entities: [] }
  return [
    'cedar-wasm',
    ({ group, size }) => {
      const answer = cedarWasm.statefulIsAuthorized({ ...asked, context: { group, size }, preparsedPolicySetId: id })
      return answer.type === 'success' ? answer.response.decision : answer.type
    },
  ]
}

async function casbin(count: number): Promise<readonly [string, Decide]> {
  const model = newModelFromString(`
[request_definition]
r = obj, group, size
[policy_definition]
p = obj, cond, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.obj == p.obj && eval(p.cond)
`)
  const enforcer = await newEnforcer(model)
  await enforcer.addPolicies([
    ['resize', 'true', 'allow'],
    ...teams(count).map((team) => ['resize', `r.group == '${team}' && r.size > ${ALLOWED}`, 'deny']),
  ])
  return ['casbin', ({ group, size }) => (enforcer.enforceSync('resize', group, size) ? 'allow' : 'deny')]
}
