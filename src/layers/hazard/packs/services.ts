import type { Effect, TargetKind } from '../../../facts/effect.ts'
import type { HazardRule } from '../rule.ts'
import { asksToAct } from './asked.ts'
import { action, attribute, family, verb } from './match.ts'

/** Targets whose own rules say when they are asked about. */
const JUDGED_KINDS: ReadonlySet<TargetKind> = new Set<TargetKind>(['path', 'url', 'script', 'variable', 'database', 'code'])

/** What is ended, flashed or removed here is started, flashed or fetched again. */
const REDONE: ReadonlySet<string> = new Set(['proc', 'model', 'image', 'container', 'volume', 'vm', 'git', 'gh', 'gl', 'pkg'])
const LOCAL_CHAIN =
  /^(?:localhost|hardhat|anvil|ganache|local(?:net)?|dev(?:elopment|net)?|test|https?:\/\/(?:localhost|127\.0\.0\.1)\b.*)$/

function isRedone(effect: Effect): boolean {
  if (family(effect, 'chain')) return LOCAL_CHAIN.test(String(attribute(effect, 'network') ?? 'local'))
  return family(effect, ...REDONE) || action(effect, 'dev:device', 'dev:simulator')
}

/** What tools of services do there: to people, to money, to what is kept. */
export const services: readonly HazardRule[] = [
  {
    id: 'message',
    code: 'hazard.message',
    level: 'soft',
    reason: 'sends a message to somebody',
    advice: 'Draft the message and let your user send it.',
    safer: { tool: 'mcp__gmail__draft_email', args: { to: ['a@b.example'], subject: 'x', body: 'y' } },
    examples: {
      match: [
        'mail -s hi a@b.example < note.txt',
        { tool: 'mcp__slack__slack_post_message', args: { channel_id: 'C1', text: 'x' } },
        { tool: 'mcp__google-calendar__create-event', args: { summary: 'x', attendees: [{ email: 'a@b.example' }] } },
      ],
      not_match: [
        'echo mail',
        { tool: 'mcp__slack__slack_list_channels', args: {} },
        { tool: 'mcp__google-calendar__create-event', args: { summary: 'x' } },
      ],
    },
    verbs: ['send'],
    actions: ['mail', 'chat', 'sms', 'calendar', 'message', 'social'],
  },
  {
    id: 'asked-by-address',
    code: 'hazard.remote_change',
    level: 'soft',
    reason: 'opens an address that says that something is sent, deleted, paid or run there',
    advice: 'Ask your user to open it.',
    safer: 'curl -s https://api.example.com/messages?chat=1',
    examples: {
      match: [
        'curl -s "https://api.example.com/bot1/sendMessage?chat=1&text=hi"',
        { tool: 'WebFetch', args: { url: 'https://lists.example.com/unsubscribe?token=abc', prompt: 'x' } },
        'curl -s http://app.example.com/jolokia/exec/java.lang:type=Memory/gc',
        'curl -s "http://plug.example.com/cm?cmnd=Power%20Off"',
        'curl -s "http://plug.example.com/relay/0?turn=on"',
        'curl -s http://cam.example.com/cgi/reboot.cgi',
        'curl -s "https://app.example.com/items.php?action=delete&id=4"',
      ],
      not_match: [
        'curl -s "https://api.example.com/messages?send=true"',
        'curl -s https://example.com/sendMessage',
        { tool: 'WebFetch', args: { url: 'https://docs.example.com/api/sendMessage?lang=en', prompt: 'x' } },
        'curl -s "https://example.com/search?q=delete"',
        'curl -s "https://example.com/w/index.php?title=A&action=edit"',
        'curl -s "https://example.com/w/api.php?action=query&list=search"',
        'curl -s "https://example.com/page?action=open"',
        'curl -s "https://example.com/blog/reboot.html?turn=on"',
        'curl -s "http://localhost:3000/deleteUser?id=1"',
      ],
    },
    verbs: ['fetch'],
    when: ({ target }) => target.kind === 'url' && target.scope !== 'loopback' && asksToAct(target.value),
  },
  {
    id: 'payment',
    code: 'hazard.payment',
    level: 'soft',
    reason: 'moves money',
    advice: 'Prepare the payment and let your user confirm it.',
    safer: { tool: 'mcp__stripe__list_payment_intents', args: { limit: 3 } },
    examples: {
      match: ['curl -d amount=1 https://api.stripe.com/v1/charges', { tool: 'mcp__bank__send_money', args: { recipient: 'x', amount: 1 } }],
      not_match: ['echo pay', { tool: 'mcp__stripe__list_customers', args: {} }],
    },
    verbs: ['pay'],
  },
  {
    id: 'billing',
    code: 'hazard.payment',
    level: 'soft',
    reason: 'changes what somebody is charged from now on',
    advice: 'Prepare the change and let your user confirm it.',
    safer: { tool: 'mcp__stripe__list_subscriptions', args: { limit: 3 } },
    examples: {
      match: [
        'curl -d customer=cus_1 https://api.stripe.com/v1/subscriptions',
        { tool: 'mcp__stripe__cancel_subscription', args: { subscription: 'sub_1' } },
      ],
      not_match: ['curl https://api.stripe.com/v1/subscriptions', { tool: 'mcp__stripe__list_invoices', args: {} }],
    },
    actions: ['payment:billing'],
  },
  {
    id: 'mail-settings',
    code: 'hazard.persistence',
    level: 'soft',
    reason: 'changes what happens to mail that is yet to come: filters, forwarding, signatures, delegates',
    advice: 'Ask your user to change the settings of their mail themselves.',
    safer: { tool: 'mcp__gmail__search_emails', args: { query: 'from:a@b.example' } },
    examples: {
      match: [{ tool: 'mcp__gmail__create_filter', args: { criteria: {}, action: { forward: 'a@b.example' } } }],
      not_match: ['echo mail', { tool: 'mcp__gmail__modify_email', args: { messageId: '1', addLabelIds: ['READ'] } }],
    },
    actions: ['mail:settings'],
  },
  {
    id: 'agreement',
    code: 'hazard.remote_change',
    level: 'soft',
    reason: 'agrees, signs or refuses in the name of your user',
    advice: 'Show what is to be answered, and let your user answer it.',
    safer: { tool: 'mcp__gmail__draft_email', args: { to: ['a@b.example'], subject: 'x', body: 'y' } },
    examples: {
      match: [
        { tool: 'mcp__expenses__approve_report', args: { id: 'R1' } },
        { tool: 'mcp__docs__sign_contract', args: { id: 'c1' } },
      ],
      not_match: [{ tool: 'mcp__expenses__list_reports', args: {} }, 'git commit -s -m x'],
    },
    actions: ['agreement'],
    unregistered: true,
  },
  {
    id: 'service-deletion',
    code: 'hazard.destruction',
    level: 'soft',
    reason: 'deletes or cancels for good what a service keeps; nobody registered the tool',
    advice: 'Name what would be deleted, and let your user delete it.',
    safer: { tool: 'mcp__linear__list_issues', args: {} },
    examples: {
      match: [
        { tool: 'mcp__trello__delete_board', args: { boardId: 'b1' } },
        { tool: 'mcp__calendly__cancel_event', args: { uuid: 'e1' } },
        { tool: 'mcp__pinecone__delete-index', args: { name: 'docs' } },
      ],
      not_match: [
        { tool: 'mcp__trello__get_board', args: { boardId: 'b1' } },
        { tool: 'mcp__trello__remove_label', args: { cardId: 'c1', label: 'red' } },
        { tool: 'mcp__shop__clear_cart', args: {} },
      ],
    },
    verbs: ['delete'],
    actions: ['resource:delete'],
    unregistered: true,
    when: ({ reversible }) => !reversible,
  },
  {
    id: 'unknown-tool',
    code: 'hazard.remote_change',
    level: 'soft',
    reason: 'nobody registered the tool, its name says nothing that is known, and it is given something to act on',
    advice: 'Say what the tool does and to what, and let your user call it, or have it registered in the policy.',
    safer: { tool: 'mcp__linear__list_issues', args: {} },
    examples: {
      match: [
        { tool: 'mcp__lab__vent_chamber', args: { chamber: 'C2' } },
        { tool: 'mcp__telescope__slew_to', args: { ra: 10.6, dec: 41.2 } },
        { tool: 'mcp__acme__frobnicate', args: { order_id: 'o-1' } },
      ],
      not_match: [
        { tool: 'mcp__shop__cart_total', args: { cart: 'c1' } },
        { tool: 'mcp__weather__weekly_forecast', args: { city: 'Rome', days: 7 } },
        { tool: 'mcp__kitchen__recipe_finder', args: { ingredients: ['rice'] } },
        { tool: 'mcp__math__modulo', args: { a: 7, b: 3 } },
        { tool: 'mcp__acme__frobnicate', args: { city: 'Rome', limit: 3 } },
      ],
    },
    verbs: ['change'],
    actions: ['tool:change'],
    unregistered: 'unnamed',
  },
  {
    id: 'unregistered-production',
    code: 'hazard.remote_change',
    level: 'soft',
    reason: 'changes something in production by a tool that nobody registered',
    advice: 'Try it in an environment of its own, or let your user do it.',
    safer: { tool: 'mcp__linear__list_issues', args: {} },
    examples: {
      match: [
        { tool: 'mcp__flags__toggle_flag', args: { key: 'new-checkout', env: 'production' } },
        { tool: 'mcp__ops__scale_deployment', args: { namespace: 'shop-prod', name: 'api', replicas: 0 } },
      ],
      not_match: [
        { tool: 'mcp__flags__toggle_flag', args: { key: 'new-checkout', env: 'staging' } },
        { tool: 'mcp__flags__list_flags', args: { env: 'production' } },
        { tool: 'mcp__tracker__update_task', args: { title: 'production' } },
      ],
    },
    verbs: ['change'],
    unregistered: true,
    when: (effect) => attribute(effect, 'environment') === 'production',
  },
  {
    id: 'for-good',
    code: 'hazard.remote_change',
    level: 'soft',
    reason: 'deletes for good something that is no file here, or signs a transaction that nobody can take back',
    advice: 'Say what would be lost, and let your user do it.',
    safer: 'fastlane match development --readonly',
    examples: {
      match: ['fastlane match nuke distribution', 'esptool.py erase_flash', 'hardhat run deploy.js --network mainnet'],
      not_match: ['fastlane test', 'idf.py flash', 'kill 123', 'ollama rm llama3', 'hardhat run deploy.js --network localhost'],
    },
    verbs: ['delete', 'change'],
    otherwise: true,
    // What a tool that the policy registers does for good has the tier that the policy gave it.
    when: (effect, { commands }) =>
      commands.length > 0 &&
      (verb(effect, 'delete') || family(effect, 'chain')) &&
      !effect.reversible &&
      effect.certainty !== 'possible' &&
      !JUDGED_KINDS.has(effect.target.kind) &&
      !isRedone(effect),
  },
]
