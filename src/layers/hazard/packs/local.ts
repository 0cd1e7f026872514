import type { Effect } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'
import type { HazardPack } from '../rule.ts'
import { action, attribute, onThisMachine } from './match.ts'

const TEMPORARY_FILE = /^\/(?:private\/)?(?:var\/)?tmp\/[^/]/

/** A database that tests make anew, or a file among the temporary ones; not one of another machine, and no other that is reached through it. */
export function isTestDatabase(effect: Effect, { effects }: Facts): boolean {
  const { value } = effect.target
  const file = TEMPORARY_FILE.test(value) && !value.includes('..') && !String(attribute(effect, 'table') ?? '').includes('.')
  if (!file && attribute(effect, 'environment') !== 'test') return false
  return effects.every((other) => !action(other, 'sql:attach') && (!action(other, 'sql:connect') || other.target.scope === 'loopback'))
}

export const local: HazardPack = {
  name: 'local',
  summary: 'changes of clusters, clouds and databases that stand here for trying things out',
  rules: [
    {
      id: 'local-cluster',
      code: 'hazard.remote_change',
      level: 'advisory',
      reason: 'changes a cluster or an emulated cloud on this machine',
      advice: null,
      safer: 'kubectl get pods --context kind-dev',
      examples: {
        match: [
          'kubectl delete pod api --context kind-dev',
          'helm uninstall shop --kube-context minikube',
          'aws --endpoint-url http://localhost:4566 s3 rb s3://x',
          'awslocal sqs purge-queue --queue-url http://localhost:4566/0/q',
        ],
        not_match: ['kubectl get pods --context kind-dev', 'kubectl delete pod api --context prod', 'aws s3 rb s3://x'],
      },
      verbs: ['change', 'delete', 'write', 'send', 'execute', 'publish'],
      actions: ['cloud', 'k8s', 'helm'],
      when: onThisMachine,
    },
    {
      id: 'test-database',
      code: 'hazard.destruction',
      level: 'advisory',
      reason: 'empties or drops a database of tests, or a temporary one',
      advice: null,
      safer: 'psql -l',
      examples: {
        match: ['dropdb --if-exists shop_test', 'RAILS_ENV=test rails db:drop', 'sqlite3 /tmp/x.db "DROP TABLE a"'],
        not_match: ['dropdb shop', 'dropdb -h db.example.com shop_test', 'psql -d shop_test -c "DROP DATABASE shop"'],
      },
      verbs: ['delete'],
      actions: ['sql:drop', 'sql:truncate', 'sql:flush'],
      when: (effect, facts) => effect.target.kind === 'database' && !effect.reversible && isTestDatabase(effect, facts),
    },
  ],
}
