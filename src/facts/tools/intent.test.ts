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

  const NAMES =
    'deploy_app create_payment share_bucket grant_role create_role update_password send_invoice post_message delete_tag delete_playlist delete_label buy_domain run_function schedule_job'.split(
      ' ',
    )
  const SERVERS = ['railway', 'azure', 'gcp', 'okta', 'gmail', 'ads', 'jenkins', 's3', 'heroku']
  test.each(NAMES)('no server makes it look milder: %s', (name) => {
    const alone = intentOf(name)
    for (const server of SERVERS) {
      const there = intentOf(name, server)
      expect([server, there?.irreversible, there?.tier]).toEqual([server, alone?.irreversible, alone?.tier])
      if (alone?.verb !== 'change') expect([server, there?.verb]).toEqual([server, alone?.verb])
    }
  })

  for (const [name, server, expected] of [
    ['restart_vm', 'azure', 'change cloud:update'],
    ['deactivate_user', 'crm', 'change account:security'],
    ['delete_user', 'okta', 'delete account:security'],
    ['update_filter', 'gmail', 'change mail:settings'],
    ['delete_tag', null, 'delete resource:delete'],
    ['delete_playlist', null, 'delete resource:delete'],
    ['remove_label', null, 'change resource:change'],
    ['remove_from_playlist', null, 'change resource:change'],
    ['clear_cart', null, 'change resource:change'],
  ] as const) {
    test(`${name} of ${server} is ${expected}`, () => {
      const { verb, action } = intentOf(name, server) ?? {}
      expect(`${verb} ${action}`).toBe(expected)
    })
  }
})
