/** `countersign import promptise`: a classifier in the seed's own shape, and what of it is code. */
import { describe, expect, test } from 'vitest'
import { decide, imported } from './harness.ts'

const FILE = `from promptise import ApprovalPolicy, AutoApprovalClassifier, ApprovalRule, WebhookApprovalHandler

async def is_low_risk(req):
    return len(str(req.arguments)) < 100

classifier = AutoApprovalClassifier(
    allow_rules=[
        ApprovalRule(tool="get_*", reason="read-only"),
        ApprovalRule(tool="*", user="admin@acme.com", reason="admin bypass"),
        ApprovalRule(predicate=is_low_risk, reason="small payload"),
    ],
    deny_rules=[
        ApprovalRule(tool="exec_shell", reason="too risky"),
        ApprovalRule(tool="shell", argument_contains="rm -rf", reason="dangerous command"),
        ApprovalRule(tool="wire_*", predicate=is_low_risk),
        ApprovalRule(tool="open", argument_contains="'path': '/etc"),
    ],
    ask_rules=[ApprovalRule(tool="get_payroll")],
    read_only_prefixes=("get_", "list_"),
    llm_classifier=safety_check,
    fallback=WebhookApprovalHandler(url="https://approvals.internal/api", secret=KEY),
)

policy = ApprovalPolicy(tools=["*"], handler=classifier, timeout=120, on_timeout="allow", max_retries_after_deny=3, deny_window=600)
`

describe('a classifier', () => {
  const file = imported('promptise', FILE, 'approvals.py')

  for (const [want, call] of [
    ['flag', { tool: 'get_user', args: {} }],
    ['flag', { tool: 'list_things', args: {} }],
    ['ask', { tool: 'count_things', args: {} }],
    ['deny', { tool: 'exec_shell', args: { command: 'ls' }, principal: { user: 'admin@acme.com' } }],
    ['deny', { tool: 'shell', args: { command: 'rm -rf build' } }],
    ['ask', { tool: 'wire_money', args: { to: 'x' }, principal: { user: 'admin@acme.com' } }],
    ['deny', { tool: 'open', args: { path: '/etc/shadow' } }],
    ['ask', { tool: 'get_payroll', args: {} }],
    ['ask', { tool: 'set_flag', args: {} }],
    ['flag', { tool: 'set_flag', args: {}, principal: { user: 'admin@acme.com' } }],
  ] as const) {
    test(`${want}: ${JSON.stringify(call)}`, async () => expect((await decide(file, call)).decision).toBe(want))
  }

  test('every line that was not carried over is named', () => {
    expect(file.lines).toEqual([
      '6 allow_rules differs',
      '6 read_only_auto_allow differs',
      '10 allow_rules.predicate left',
      '15 deny_rules.predicate left',
      '16 deny_rules.argument_contains differs',
      '20 AutoApprovalClassifier.llm_classifier left',
      '21 WebhookApprovalHandler.secret left',
      '21 fallback differs',
      '21 fallback.url differs',
      '24 on_timeout differs',
    ])
  })

  test('approvals: the clock, the memory of a no, and the webhook that is told', () => {
    expect(file.data.approvals).toEqual({
      approve_within: '120s',
      denials: { limit: 3, within: '600s' },
      channels: [
        {
          name: 'fallback',
          type: 'webhook',
          url: 'https://approvals.internal/api',
          secrets: ['env:APPROVALS_SECRET'],
          allow_private: true,
        },
      ],
    })
  })
})

describe('what cannot be read never permits', () => {
  for (const [title, source, want] of [
    ['computed allow rules', 'AutoApprovalClassifier(allow_rules=load(), fallback=h)', 'ask'],
    ['computed deny rules', 'AutoApprovalClassifier(allow_rules=[ApprovalRule()], deny_rules=load(), fallback=h)', 'ask'],
    [
      'a deny rule with a computed tool',
      'AutoApprovalClassifier(allow_rules=[ApprovalRule()], deny_rules=[ApprovalRule(tool=NAME + "x")])',
      'ask',
    ],
    ['an allow rule with a computed user', 'AutoApprovalClassifier(allow_rules=[ApprovalRule(user=who())])', 'ask'],
    ['a spread list', 'AutoApprovalClassifier(allow_rules=[ApprovalRule()], deny_rules=[*BASE])', 'ask'],
    ['an empty rule allows everything, as there', 'AutoApprovalClassifier(allow_rules=[ApprovalRule()])', 'flag'],
    ['names alone are off where they are off', 'AutoApprovalClassifier(read_only_auto_allow=False)', 'ask'],
  ] as const) {
    test(title, async () => expect((await decide(imported('promptise', source), { tool: 'do_it', args: {} })).decision).toBe(want))
  }
})
