import { describe, expect, test } from 'vitest'
import { intentOf } from './intent.ts'

describe('what a name claims', () => {
  for (const [name, expected] of [
    ['get_users', 'read'],
    ['listFiles', 'read'],
    ['search', 'read'],
    ['delete_user', 'delete resource:delete'],
    ['send_email', 'send mail:send'],
    ['post_update', 'send social:post'],
    ['transfer_funds', 'pay payment:transfer'],
    ['update_payment_method', 'change resource:change'],
    ['create_ticket', 'change resource:create'],
    ['deploy_service', 'publish resource:publish'],
    ['run_query', 'execute tool:execute'],
    ['schedule_job', 'persist resource:schedule'],
    ['call_aws', 'execute tool:execute'],
    ['call_customer', 'send sms:send'],
    ['text_editor', 'change resource:change'],
    ['text_user', 'send sms:send'],
    ['call', 'send sms:send'],
    ['grant_access', 'change account:security'],
    ['zzz', null],
    ['', null],
  ] as const) {
    test(`${JSON.stringify(name)} is ${expected}`, () => {
      const intent = intentOf(name)
      expect(intent === null ? null : [intent.verb, intent.action].filter((part) => part !== null).join(' ')).toBe(expected)
    })
  }

  test('to hand somebody over is no payment', () => expect(intentOf('transfer_to_human')?.verb).not.toBe('pay'))

  for (const [name, verb] of [
    ['fetch_and_purge_queue', 'delete'],
    ['show_and_delete', 'delete'],
    ['getAndDeleteUser', 'delete'],
    ['list_then_drop_tables', 'delete'],
    ['search_and_replace', 'change'],
    ['get-or-create-user', 'change'],
    ['validate_and_pay', 'pay'],
    ['delete_and_list', 'delete'],
    ['read_and_send_mail', 'send'],
    ['check_then_deploy', 'publish'],
    ['list_and_describe', 'read'],
    ['get_terms_and_conditions', 'read'],
    ['and_then', null],
  ] as const) {
    test(`of two verbs the graver one: ${name} is ${verb}`, () => expect(intentOf(name)?.verb ?? null).toBe(verb))
  }
})
