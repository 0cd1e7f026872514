/**
 * A yes is never wider than what was seen. Each row is a call that somebody approved and one that comes later; `hostile` rows differ in
 * what tells one target from another, `ordinary` rows are the same act again, perhaps in other words. Labels were written before the
 * verdicts were looked at.
 */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { DeclaredEffect } from '../../src/policy/policy.ts'
import { proves } from '../proves.ts'
import { bash, callOf } from '../support/calls.ts'
import { workplace } from '../support/workplace.ts'
import { grantsCover, offered, type Seen, seen, sessionCovers } from './width.ts'

const KUBECTL = 'kubectl --context staging -n web'
const PSQL = 'psql -h staging.example -d shop'

const HOSTILE: readonly (readonly [what: string, approved: string, later: string])[] = [
  ['another context', `${KUBECTL} delete pod a`, 'kubectl --context production -n web delete pod a'],
  ['another context, and all', `${KUBECTL} delete pod -l app=x`, 'kubectl --context production delete pods --all'],
  ['no context', `${KUBECTL} delete pod a`, 'kubectl -n web delete pod a'],
  ['another namespace', `${KUBECTL} delete pod a`, 'kubectl --context staging -n kube-system delete pod a'],
  ['no namespace', `${KUBECTL} delete pod a`, 'kubectl --context staging delete pod a'],
  ['all namespaces', `${KUBECTL} delete pod a`, `${KUBECTL} delete pod a -A`],
  ['another selector', `${KUBECTL} delete pod -l app=x`, `${KUBECTL} delete pod -l app=y`],
  ['no selector', `${KUBECTL} delete pod -l app=x`, `${KUBECTL} delete pod`],
  ['all instead of a selector', `${KUBECTL} delete pod -l app=x`, `${KUBECTL} delete pod --all`],
  ['another field selector', `${KUBECTL} delete pod --field-selector a=b`, `${KUBECTL} delete pod --field-selector a=c`],
  ['another pod', `${KUBECTL} delete pod a`, `${KUBECTL} delete pod b`],
  ['a pod beside it', `${KUBECTL} delete pod a`, `${KUBECTL} delete pod a b`],
  ['another kind', `${KUBECTL} delete pod a`, `${KUBECTL} delete deployment a`],
  ['another cluster', `${KUBECTL} delete pod a`, `${KUBECTL} --cluster prod delete pod a`],
  ['another server', `${KUBECTL} delete pod a`, `${KUBECTL} --server https://prod delete pod a`],
  ['another kubeconfig', `${KUBECTL} delete pod a`, `${KUBECTL} --kubeconfig /tmp/prod delete pod a`],
  ['a kubeconfig before it', `${KUBECTL} delete pod a`, `KUBECONFIG=/tmp/prod ${KUBECTL} delete pod a`],
  ['a kubeconfig that is exported', `${KUBECTL} delete pod a`, `export KUBECONFIG=/tmp/prod; ${KUBECTL} delete pod a`],
  [
    'a context that the call makes',
    `${KUBECTL} delete pod a`,
    `kubectl config set-context staging --cluster=prod && ${KUBECTL} delete pod a`,
  ],
  ['force', `${KUBECTL} delete pod a`, `${KUBECTL} delete pod a --force`],
  ['a file of others', `${KUBECTL} delete -f pod.yaml`, `${KUBECTL} delete -f other.yaml`],
  ['a release for a pod', `${KUBECTL} delete pod web`, 'helm --kube-context staging -n web uninstall web'],
  ['on another machine', `${KUBECTL} delete pod a`, `ssh prod ${KUBECTL} delete pod a`],
  ['another patch', `${KUBECTL} patch deploy web -p '{"a":1}'`, `${KUBECTL} patch deploy web -p '{"a":2}'`],
  ['another number of replicas', `${KUBECTL} scale --replicas=3 deploy/web`, `${KUBECTL} scale --replicas=0 deploy/web`],
  ['another host', `${PSQL} -c "DROP TABLE users"`, 'psql -h production.example -d shop -c "DROP TABLE users"'],
  ['no host', `${PSQL} -c "DROP TABLE users"`, 'psql -d shop -c "DROP TABLE users"'],
  ['a host before it', `${PSQL} -c "DROP TABLE users"`, 'PGHOST=production.example psql -d shop -c "DROP TABLE users"'],
  ['a host that is exported', 'psql -d shop -c "DROP TABLE users"', 'export PGHOST=prod; psql -d shop -c "DROP TABLE users"'],
  ['another database', `${PSQL} -c "DROP TABLE users"`, 'psql -h staging.example -d payroll -c "DROP TABLE users"'],
  ['another table', `${PSQL} -c "DROP TABLE users"`, `${PSQL} -c "DROP TABLE orders"`],
  ['another schema', `${PSQL} -c "DROP TABLE a.users"`, `${PSQL} -c "DROP TABLE b.users"`],
  ['a table beside it', `${PSQL} -c "DROP TABLE users"`, `${PSQL} -c "DROP TABLE users, orders"`],
  ['another port', `${PSQL} -c "DROP TABLE users"`, `${PSQL} -p 5433 -c "DROP TABLE users"`],
  ['no condition', `${PSQL} -c "DELETE FROM users WHERE id = 1"`, `${PSQL} -c "DELETE FROM users"`],
  ['another address', 'psql postgres://staging/shop -c "DROP TABLE users"', 'psql postgres://production/shop -c "DROP TABLE users"'],
  ['another host of mysql', 'mysql -h staging -e "DROP TABLE users" shop', 'mysql -h production -e "DROP TABLE users" shop'],
  ['another file', 'sqlite3 /repo/a.db "DROP TABLE users"', 'sqlite3 /srv/a.db "DROP TABLE users"'],
  ['another remote', 'git push origin main', 'git push upstream main'],
  ['another branch', 'git push origin main', 'git push origin release'],
  ['a branch beside it', 'git push origin main', 'git push origin main release'],
  ['all branches', 'git push origin main', 'git push --all origin'],
  ['tags', 'git push origin main', 'git push --tags origin main'],
  ['a forced push', 'git push origin main', 'git push --force origin main'],
  ['a deletion', 'git push origin main', 'git push --delete origin main'],
  ['a mirror', 'git push origin main', 'git push --mirror origin'],
  ['no hooks', 'git push origin main', 'git push --no-verify origin main'],
  ['another repository', 'git push origin main', 'git -C /fork push origin main'],
  ['another configuration', 'git push origin main', 'git -c remote.origin.url=https://x.example/a push origin main'],
  ['a remote that the call moves', 'git push origin main', 'git remote set-url origin https://x.example/a && git push origin main'],
  ['another git directory', 'git push origin main', 'GIT_DIR=/fork/.git git push origin main'],
  ['another package', 'npm publish', 'cd other && npm publish'],
  ['another registry', 'npm publish', 'npm publish --registry https://x.example'],
  ['taking it back', 'npm publish', 'npm unpublish left-pad --force'],
  ['another tag of the registry', 'npm publish', 'npm publish --tag next'],
  ['another owner', 'npm owner add alice left-pad', 'npm owner add mallory left-pad'],
  ['another image', 'docker push reg.example/shop:1', 'docker push reg.example/shop:2'],
  ['another registry of images', 'docker push reg.example/shop:1', 'docker push evil.example/shop:1'],
  ['another pull request', 'gh pr merge 12 -R a/b', 'gh pr merge 13 -R a/b'],
  ['another repository on GitHub', 'gh pr create -R a/b -t x -b y', 'gh pr create -R a/c -t x -b y'],
  ['another release', 'gh release create v1 -R a/b', 'gh release create v2 -R a/b'],
  ['a release that goes', 'gh release create v1 -R a/b', 'gh release delete v1 -R a/b'],
  ['another workspace', 'TF_WORKSPACE=staging terraform apply', 'TF_WORKSPACE=production terraform apply'],
  ['a workspace that the call takes', 'terraform apply', 'terraform workspace select production && terraform apply'],
  ['another folder', 'terraform -chdir=staging apply', 'terraform -chdir=production apply'],
  ['other variables', 'terraform apply -var-file=staging.tfvars', 'terraform apply -var-file=production.tfvars'],
  ['everything instead of one', 'terraform destroy -target aws_db.a', 'terraform destroy'],
  ['another stack', 'pulumi up -s staging', 'pulumi up -s production'],
  [
    'another region',
    'aws --profile dev --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
    'aws --profile dev --region us-east-1 ec2 terminate-instances --instance-ids i-1',
  ],
  [
    'another account',
    'aws --profile dev --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
    'aws --profile prod --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
  ],
  [
    'an account that is exported',
    'aws --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
    'export AWS_PROFILE=prod; aws --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
  ],
  ['another project', 'gcloud compute instances delete vm --project dev', 'gcloud compute instances delete vm --project prod'],
  ['no project', 'gcloud compute instances delete vm --project dev', 'gcloud compute instances delete vm'],
  ['another subscription', 'az vm delete -n vm -g rg --subscription a', 'az vm delete -n vm -g rg --subscription b'],
  ['another bucket', 'aws --profile a --region b s3 rm s3://x/y', 'aws --profile a --region b s3 rm s3://z/y'],
  ['everything below', 'aws --profile a --region b s3 rm s3://x/y', 'aws --profile a --region b s3 rm s3://x/y --recursive'],
  ['another application', 'fly deploy -a shop', 'fly deploy -a payroll'],
  ['production', 'vercel deploy', 'vercel deploy --prod'],
  ['another machine', 'ssh staging systemctl restart x', 'ssh production systemctl restart x'],
  ['another migration', 'DATABASE_URL=postgres://a/x npx prisma migrate deploy', 'DATABASE_URL=postgres://b/x npx prisma migrate deploy'],
  ['another charge', 'stripe refunds create --charge ch_1 --amount 100', 'stripe refunds create --charge ch_2 --amount 100'],
  ['another amount', 'stripe refunds create --charge ch_1 --amount 100', 'stripe refunds create --charge ch_1 --amount 100000'],
]

const ORDINARY: readonly (readonly [what: string, approved: string, later: string])[] = [
  ['the same pod', `${KUBECTL} delete pod a`, `${KUBECTL} delete pod a`],
  ['the same pod in other words', `${KUBECTL} delete pod a`, 'kubectl delete pod/a --namespace=web --context=staging'],
  ['the same selector', `${KUBECTL} delete pod -l app=x`, `${KUBECTL} delete pod --selector app=x`],
  ['a namespace of the cluster', 'kubectl --context staging delete ns old', 'kubectl --context=staging delete ns old'],
  ['the same table', `${PSQL} -c "DROP TABLE users"`, 'psql --host staging.example --dbname shop -c "drop table users"'],
  ['the same push', 'git push origin main', 'git push origin HEAD:main'],
  ['the same push from another branch', 'git push origin main', 'git   push origin main'],
  ['the same address', 'git push https://git.example/a/b main', 'git push https://git.example/a/b main'],
  ['the same package', 'npm publish', 'npm publish .'],
  ['the same image', 'docker push reg.example/shop:1', 'docker image push reg.example/shop:1'],
  ['a pull request of the same repository', 'gh pr create -R a/b -t x -b y', 'gh pr create -R a/b -t z -b y'],
  [
    'the same machine',
    'aws --profile dev --region eu-west-1 ec2 terminate-instances --instance-ids i-1',
    'AWS_PROFILE=dev aws ec2 terminate-instances --region eu-west-1 --instance-ids i-1',
  ],
  ['the same project', 'gcloud compute instances delete vm --project dev', 'gcloud compute instances delete vm --project=dev'],
]

const both = (approved: string, later: string): readonly [Seen, Seen] => [seen(bash(approved)), seen(bash(later))]

describe('commands', () => {
  for (const [what, approved, later] of HOSTILE) {
    proves(['T23', 'T01'], `a yes does not reach ${what}: ${later}`, () => {
      const [first, second] = both(approved, later)
      expect([grantsCover(first, second), sessionCovers(first, second)]).toEqual([false, false])
    })
  }
  for (const [what, approved, later] of ORDINARY) {
    test(`a grant reaches ${what}: ${later}`, () => {
      const [first, second] = both(approved, later)
      expect([grantsCover(first, second), offered(first).withheld.filter(({ action }) => action !== 'sql:connect')]).toEqual([true, []])
    })
  }
})

describe('what the names of clusters lead to', () => {
  const [own, other] = ['/home/user/.kube/config', '/srv/kube/b']
  const kubeconfig = (server: string) => `clusters: [{ name: c, cluster: { server: "https://${server}" } }]\n`
  const POD = `${KUBECTL} delete pod a`
  const ROWS: readonly (readonly [
    what: string,
    before: Record<string, string>,
    after: Record<string, string>,
    later: string,
    same: boolean,
  ])[] = [
    ['the same kubeconfig', { [own]: kubeconfig('a') }, { [own]: kubeconfig('a') }, POD, true],
    ['none, before and after', {}, {}, POD, true],
    ['one that an earlier call changed', { [own]: kubeconfig('a') }, { [own]: kubeconfig('b') }, POD, false],
    ['one that an earlier call made', {}, { [own]: kubeconfig('b') }, POD, false],
    ['one that an earlier call took away', { [own]: kubeconfig('a') }, {}, POD, false],
    ['one that the call itself writes', { [own]: kubeconfig('a') }, { [own]: kubeconfig('a') }, `echo x > ~/.kube/config; ${POD}`, false],
    ['one that the call copies', { [own]: kubeconfig('a') }, { [own]: kubeconfig('a') }, `cp /tmp/b ~/.kube/config && ${POD}`, false],
    ['another file of the same content', { [own]: kubeconfig('a') }, { [other]: kubeconfig('a') }, `KUBECONFIG=${other} ${POD}`, false],
  ]
  for (const [what, before, after, later, same] of ROWS) {
    proves(['T23', 'T25'], `a yes ${same ? 'holds' : 'does not hold'} beside ${what}`, () => {
      const [first, second] = [seen(bash(POD), [], before), seen(bash(later), [], after)]
      expect([grantsCover(first, second), sessionCovers(first, second)]).toEqual([same, same])
    })
  }

  proves(['P7', 'T25'], 'a release of helm and the very same call are asked about again', async () => {
    for (const command of [POD, 'helm --kube-context staging -n web uninstall web']) {
      const at = workplace()
      at.files[own] = kubeconfig('a')
      const call = bash(command)
      const { id } = await at.asks(call)
      expect((await at.answer(id)).refused).toBeNull()
      at.files[own] = kubeconfig('b')
      expect(await at.says(call)).toMatch(/^ask /)
    }
  })

  test('and run once where nothing changed', async () => {
    const at = workplace()
    at.files[own] = kubeconfig('a')
    const { id } = await at.asks(bash(POD))
    expect((await at.answer(id)).refused).toBeNull()
    expect(await at.says(bash(POD))).toMatch(/^(?:allow|flag) /)
  })
})

/** A payment as a server of that name offers it. */
const pay = (changes: JsonObject = {}) =>
  callOf(
    'send_money',
    { to: 'ACME', amount: 50, currency: 'EUR', ...changes },
    { tool: { server: 'bank', name: 'send_money', definition: null } },
  )

const PAYMENTS: readonly (readonly [what: string, later: ReturnType<typeof pay>, covered: boolean])[] = [
  ['the same', pay(), true],
  ['less', pay({ amount: 10 }), true],
  ['other words for it', pay({ memo: 'June' }), true],
  ['more', pay({ amount: 51 }), false],
  ['nothing known of the amount', pay({ amount: '50' }), false],
  ['less than nothing', pay({ amount: -50 }), false],
  ['another payee', pay({ to: 'MALLORY' }), false],
  ['another currency', pay({ currency: 'USD' }), false],
  ['no currency', pay({ currency: null }), false],
  ['another account that pays', pay({ account: 'savings' }), false],
  ['an IBAN beside the name', pay({ iban: 'DE00 1234' }), false],
  ['an argument that no table knows', pay({ beneficiary_bic: 'XXXX' }), false],
  ['a flag that no table knows', pay({ urgent: true }), false],
]

describe('payments', () => {
  for (const [what, later, covered] of PAYMENTS) {
    proves(['T23', 'T01'], `a yes to 50 EUR for ACME ${covered ? 'covers' : 'does not cover'} ${what}`, () => {
      const [first, second] = [seen(pay()), seen(later)]
      expect([grantsCover(first, second), sessionCovers(first, second)]).toEqual([covered, false])
    })
  }

  const UNGRANTABLE: readonly (readonly [what: string, call: ReturnType<typeof pay>, why: string])[] = [
    ['no amount', pay({ amount: null }), 'its amount is not known as a number'],
    ['an amount that is text', pay({ amount: '50' }), 'its amount is not known as a number'],
    ['no currency', pay({ currency: null }), 'its currency is not known'],
    [
      'an argument that is not understood',
      pay({ beneficiary_bic: 'X' }),
      'its effects do not tell all that the arguments say: beneficiary_bic',
    ],
  ]
  for (const [what, call, why] of UNGRANTABLE) {
    proves('T23', `no grant is offered where there is ${what}, and the form says why`, () => {
      const { offers, withheld } = offered(seen(call))
      expect([offers, withheld.map((each) => each.why)]).toEqual([[], [why]])
    })
  }

  const DECLARED: readonly DeclaredEffect[] = [{ verb: 'pay', action: 'payment:transfer', kind: 'account', value: 'bank/send_money' }]
  proves('T23', 'what the policy declares beside what is analysed is one act with it', () => {
    const call = seen(pay(), DECLARED)
    expect(call.facts.effects.filter(({ action }) => action === 'payment:transfer')).toHaveLength(2)
    expect(new Set(call.acts.map(({ index }) => index)).size).toBe(1)
    expect(offered(call).offers).toHaveLength(1)
    expect(offered(call).withheld).toEqual([])
  })
})

const remove = (changes: JsonObject = {}) =>
  callOf(
    'kubectl_delete',
    { resourceType: 'pod', name: 'a', namespace: 'web', context: 'staging', ...changes },
    { tool: { server: 'kubernetes', name: 'kubectl_delete', definition: null } },
  )

describe('tools of servers', () => {
  const ROWS: readonly (readonly [what: string, later: ReturnType<typeof remove>, covered: boolean])[] = [
    ['the same', remove(), true],
    ['another context', remove({ context: 'production' }), false],
    ['another namespace', remove({ namespace: 'kube-system' }), false],
    ['another pod', remove({ name: 'b' }), false],
    ['another kind', remove({ resourceType: 'deployment' }), false],
    ['all of them', remove({ all: true }), false],
    ['all namespaces', remove({ allNamespaces: true }), false],
    ['a selector', remove({ labelSelector: 'app=x' }), false],
    ['a flag that no table knows', remove({ cascadeEverything: true }), false],
  ]
  for (const [what, later, covered] of ROWS) {
    proves(['T23', 'T01'], `a yes to one pod ${covered ? 'covers' : 'does not cover'} ${what}`, () => {
      const [first, second] = [seen(remove()), seen(later)]
      expect([grantsCover(first, second), sessionCovers(first, second) && !covered]).toEqual([covered, false])
    })
  }
})

const SOFT = 'capabilities: { gate: ["k8s:delete", git:push] }\nlayers: { capability: { enforcement: soft } }\nhazards: { packs: [] }\n'

describe('through the gate', () => {
  proves('T23', 'an approver sees the context, and the grant that is taken lets no other context through', async () => {
    const work = workplace(SOFT)
    const { id, proposals } = await work.asks(bash(`${KUBECTL} delete pod -l app=x`))
    const proposal = proposals.find(({ kind }) => kind === 'grant')
    expect(proposal).toMatchObject({
      action: 'k8s:delete',
      scope: { target: 'pod', context: 'staging', namespace: 'web', selector: 'app=x' },
    })
    expect(proposal?.text).toContain('context staging, namespace web, selector app=x')
    if (proposal?.kind !== 'grant') throw new Error('no grant is proposed')
    const { action, scope } = proposal
    const answered = await work.answer(id, { scope: { grant: { action, scope: { ...scope } as JsonObject } } })
    expect(answered.refused).toBeNull()
    expect((await work.decide(bash('kubectl --context production delete pods --all'))).decision).toBe('ask')
    expect((await work.decide(bash('kubectl --context production -n web delete pod -l app=x'))).decision).toBe('ask')
    expect((await work.decide(bash('kubectl -n web --context=staging delete pod -l app=x'))).decision).toMatch(/^(?:allow|flag)$/)
  })

  proves('T23', 'where the context is not known, no grant is offered and the approval says why', async () => {
    const work = workplace(SOFT)
    const { proposals, withheld } = await work.asks(bash('kubectl delete pod a'))
    expect(proposals.filter(({ kind }) => kind === 'grant')).toEqual([])
    expect(withheld).toEqual([{ action: 'k8s:delete', target: 'pod/a', why: 'its context is not known: name it with `--context`' }])
  })
})
