import { describe, expect, test } from 'vitest'
import { families, familyTool, findTool, runsCommands, splitName } from './registry.ts'

describe('servers and bare names', () => {
  for (const [server, name, expected] of [
    [null, 'Read', [null, 'Read']],
    [null, 'mcp__github__create_issue', ['github', 'create_issue']],
    [null, 'mcp__a_b__c__d', ['a_b', 'c__d']],
    [null, 'mcp_github_create_issue', ['github', 'create_issue']],
    [null, 'mcp__', [null, 'mcp__']],
    [null, 'mcp__x', [null, 'mcp__x']],
    [null, 'mcp____x', [null, 'mcp____x']],
    ['github', 'create_issue', ['github', 'create_issue']],
    ['github', 'mcp__github__create_issue', ['github', 'create_issue']],
    ['github', 'mcp__other__create_issue', ['github', 'mcp__other__create_issue']],
  ] as const) {
    test(`${server} ${name}`, () => expect(splitName(server, name)).toEqual({ server: expected[0], name: expected[1] }))
  }
})

describe('which table knows a tool', () => {
  for (const [server, name, expected] of [
    [null, 'Read', 'claude-code sure'],
    [null, 'apply_patch', 'codex sure'],
    [null, 'run_shell_command', 'gemini-cli sure'],
    ['filesystem', 'read_file', 'mcp-filesystem sure'],
    ['my-filesystem-server', 'read_file', 'mcp-filesystem sure'],
    ['acme', 'read_file', 'mcp-filesystem guess'],
    ['github', 'create_issue', 'mcp-github sure'],
    ['gitlab', 'create_issue', 'mcp-gitlab sure'],
    ['slack', 'send_message', 'mcp-slack sure'],
    ['gmail', 'send_message', 'mcp-email sure'],
    [null, 'mcp__slack__slack_post_message', 'mcp-slack sure'],
    [null, 'frobnicate', null],
    ['acme', 'Read', null],
    ['acme', 'Bash', null],
    [null, 'constructor', null],
    [null, '__proto__', null],
    [null, 'toString', null],
  ] as const) {
    test(`${server} ${name}`, () => {
      const found = findTool(server, name)
      expect(found === null ? null : `${found.family.family} ${found.sure ? 'sure' : 'guess'}`).toBe(expected)
    })
  }
})

describe('what the registry is told', () => {
  for (const [server, name, expected] of [
    [null, 'Read', { family: 'claude-code', riskTier: 'low', irreversible: false }],
    [null, 'Bash', { family: 'claude-code', riskTier: 'medium' }],
    ['bank', 'send_money', { family: 'mcp-payment', riskTier: 'high', irreversible: true }],
    ['github', 'delete_repository', { family: 'mcp-github', riskTier: 'critical', irreversible: true }],
    ['acme', 'send_money', null],
    [null, 'frobnicate', null],
  ] as const) {
    test(`${server} ${name}`, () => {
      const found = familyTool(server, name)
      if (expected === null) expect(found).toBe(null)
      else expect(found).toMatchObject(expected)
    })
  }
  test('a name of several hosts goes to the one that the policy lists', () => {
    expect(familyTool(null, 'read_file', new Set(['gemini-cli']))?.family).toBe('gemini-cli')
    expect(familyTool(null, 'grep_search', new Set(['cascade']))?.family).toBe('cascade')
  })
  test('families have names of their own', () => expect(new Set(families()).size).toBe(families().length))
})

describe('whether a tool runs commands', () => {
  for (const [tool, expected] of [
    ['Bash', true],
    ['PowerShell', true],
    ['Read', false],
    ['Edit', false],
    ['WebFetch', false],
    ['Glob', false],
    ['filesystem/read_file', false],
    ['nobody_knows_this', null],
    ['B*', null],
    ['*', null],
    ['unknown-server/read_file', null],
    ['constructor', null],
  ] as const) {
    test(`${tool}: ${expected}`, () => expect(runsCommands(tool)).toBe(expected))
  }
})
