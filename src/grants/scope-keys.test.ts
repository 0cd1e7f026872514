/** Keys of a grant's scope: which actions have them, what they hold of an effect, and that nobody writes one that covers nothing. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { JsonObject } from '../core/json.ts'
import { effect, target } from '../facts/effect.ts'
import { compile, policy } from '../policy/testing/compiled.ts'
import { type GrantScope, outside } from './grant.ts'
import { NAME_FIELDS } from './scope-keys.ts'

const policyErrors = (text: string) => {
  const result = compile(`version: 1\n${text}`)
  return result.ok ? [] : result.errors
}

const NOBODY = { session: null, role: null, user: null, agent: null }

function problem(action: string, scope: GrantScope, made: ReturnType<typeof effect>): string | null {
  const grant = { id: 'g', action, scope, binding: NOBODY, notBefore: null, expires: null, count: null, parent: null } as const
  return outside({ ...grant, reason: '', author: 'test', source: 'store' }, made)
}

const kube = (attributes: JsonObject) => effect('delete', target('resource', 'pod/a'), { action: 'k8s:delete', attributes })
const sql = (attributes: JsonObject) => effect('delete', target('database', 'shop'), { action: 'sql:drop', attributes })
const pay = (attributes: JsonObject) => effect('pay', target('account', 'ACME'), { action: 'payment:transfer', attributes })
const cloud = (attributes: JsonObject) => effect('delete', target('resource', 'i-1'), { action: 'cloud:delete', attributes })

describe('a key holds', () => {
  const CASES: readonly (readonly [
    title: string,
    action: string,
    scope: GrantScope,
    made: ReturnType<typeof effect>,
    why: string | null,
  ])[] = [
    ['its context', 'k8s:*', { context: 'staging' }, kube({ context: 'staging' }), null],
    ['no other context', 'k8s:*', { context: 'staging' }, kube({ context: 'production' }), 'it is for another context'],
    ['no context that is not known', 'k8s:*', { context: 'staging' }, kube({}), 'its context is not known'],
    ['contexts by pattern', 'k8s:*', { context: 'dev-*' }, kube({ context: 'dev-1' }), null],
    ['its namespace', 'k8s:*', { namespace: 'web' }, kube({ namespace: 'web' }), null],
    ['not all namespaces', 'k8s:*', { namespace: 'web' }, kube({ namespace: 'web', all_namespaces: true }), 'its namespace is not known'],
    ['its selector', 'k8s:*', { selector: 'app=x' }, kube({ selector: 'app=y' }), 'it is for another selector'],
    ['its cluster', 'k8s:*', { cluster: 'a' }, kube({ cluster: 'b' }), 'it is for another cluster'],
    ['its host', 'sql:drop', { host: 'staging' }, sql({ host: 'production' }), 'it is for another host'],
    ['its database', 'sql:drop', { database: 'shop' }, sql({}), null],
    ['no other database', 'sql:drop', { database: 'payroll' }, sql({}), 'it is for another database'],
    ['its table', 'sql:drop', { table: 'users' }, sql({ table: 'orders' }), 'it is for another table'],
    ['its schema', 'sql:drop', { schema: 'a' }, sql({ table: 'a.users' }), null],
    ['no other schema', 'sql:drop', { schema: 'a' }, sql({ table: 'b.users' }), 'it is for another schema'],
    ['who is paid', 'payment', { payee: 'ACME' }, pay({}), null],
    ['nobody else who is paid', 'payment', { payee: 'ACME' }, pay({ recipient: 'MALLORY' }), 'it is for another payee'],
    ['its account', 'payment', { account: 'main' }, pay({ account: 'savings' }), 'it is for another account'],
    ['its IBAN', 'payment', { iban: 'DE1' }, pay({}), 'its iban is not known'],
    ['no currency that was not read', 'payment', { currency: 'EUR' }, pay({ amount: 1 }), 'its currency is not known'],
    ['another currency where one was read', 'payment', { currency: 'EUR' }, pay({ currency: 'USD' }), 'it is for another currency'],
    ['no amount that was not read', 'payment', { maxAmount: 1 }, pay({}), 'its amount is not known'],
    ['amounts up to its limit', 'payment', { maxAmount: 1 }, pay({ amount: 2 }), 'the amount is above its limit'],
    ['its region', 'cloud:delete', { region: 'eu-west-1' }, cloud({ region: 'us-east-1' }), 'it is for another region'],
    ['its project', 'cloud:delete', { project: 'dev' }, cloud({ project: 'prod' }), 'it is for another project'],
    ['its environment', 'cloud:delete', { environment: 'staging' }, cloud({ production: true }), 'it is for another environment'],
  ]
  for (const [title, action, scope, made, why] of CASES) proves('T23', title, () => expect(problem(action, scope, made)).toBe(why))
})

describe('a key that no effect of the action has is an error of the policy', () => {
  const section = (action: string, scope: string) =>
    `unregistered: ask\ncapabilities:\n  gate: ['${action}']\n  grants: { '${action}': { scope: ${scope} } }\n`
  const CASES: readonly (readonly [action: string, scope: string, fits: boolean])[] = [
    ['k8s:delete', '{ context: staging, namespace: web, selector: app=x }', true],
    ['k8s:*', '{ cluster: staging }', true],
    ['k8s:apply', '{ context: staging }', true],
    ['k8s:delete', '{ branch: main }', false],
    ['git:push', '{ remote: origin, branch: main, repository: a/b }', true],
    ['git:push', '{ namespace: web }', false],
    ['git:push', '{ max_amount: 5 }', false],
    ['npm:publish', '{ package: left-pad }', true],
    ['npm:publish', '{ context: staging }', false],
    ['payment', '{ payee: ACME, account: main, iban: DE1, max_amount: 5, currency: EUR }', true],
    ['payment', '{ host: bank }', false],
    ['sql:drop', '{ host: db, database: shop, schema: a, table: users }', true],
    ['sql:drop', '{ recipient_domain: acme.test }', false],
    ['mail:send', '{ recipient_domain: acme.test }', true],
    ['tf:apply', '{ workspace: staging, environment: staging }', true],
    ['cloud:delete', '{ region: eu, project: p, account: a }', true],
    ['git:push', 'origin', true],
  ]
  for (const [action, scope, fits] of CASES) {
    proves(['T23', 'T42'], `${action} ${fits ? 'has' : 'does not have'} ${scope}`, () => {
      const errors = policyErrors(section(action, scope))
      expect(errors.map(({ code, line }) => [code, line])).toEqual(fits ? [] : [['policy.wrong_value', 5]])
    })
  }

  test('the message says what is valid', () => {
    const [error] = policyErrors(section('npm:publish', '{ branch: main }'))
    expect([error?.message, error?.help]).toEqual([
      'no effect of `npm:publish` has `branch`, so this grant would cover nothing',
      'valid for it: `target`, `package`, `host`, `force`',
    ])
  })

  test('actions of tools that the policy describes may have any', () => {
    const text = `unregistered: ask\ntools: { purge: { effects: [{ verb: delete, action: crm:purge }] } }\ncapabilities: { gate: [crm:purge], grants: { crm:purge: { scope: { region: eu } } } }\n`
    expect(policy(text).capabilities.grants).toHaveLength(1)
  })
})

test('no key is called like an attribute that means something else', () => {
  for (const field of NAME_FIELDS) expect(field).toMatch(/^[a-z]+$/)
})
