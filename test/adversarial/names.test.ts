/** What a name cannot tell: weaknesses of gates that judge by names and substrings, each tried on ours. */
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project' }

function gateUnder(text: string) {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  return openGate({ home: '/h', record: false, policy: () => ({ policy, degraded: null }), view: () => createFixedView(WORLD) }).gate
}

async function verdict(gate: ReturnType<typeof gateUnder>, call: JsonObject): Promise<string> {
  const read = callFromJson({ args: {}, cwd: WORLD.cwd, ...call }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return (await gate.decide(read.call)).decision
}

describe('one tool, two tiers', () => {
  const gate = gateUnder('version: 1\ntools: { http_request: { risk_tier: low } }\nrules: { read_only: { auto_allow: true } }')
  const url = 'https://api.example.com/users/7'
  for (const [args, expected] of [
    [{ method: 'GET', url }, 'allow'],
    [{ url }, 'allow'],
    [{ method: 'DELETE', url }, 'ask'],
    [{ method: 'POST', url, body: 'x' }, 'ask'],
    [{ method: 'PUT', url, body: 'x' }, 'ask'],
    [{ method: 'GET', url: 'http://169.254.169.254/latest/meta-data' }, 'deny'],
  ] as const) {
    proves('SIG-W4', `${JSON.stringify(args)}: ${expected}`, async () =>
      expect(await verdict(gate, { tool: 'http_request', args })).toBe(expected),
    )
  }
})

const VOUCHED =
  'version: 1\nunregistered: ask\ntool_families: [claude-code]\nlayers: { registry: { enforcement: advisory } }\nrules: { read_only: { auto_allow: true, prefixes: default } }'

describe('names that are vouched for, with effects that say otherwise', () => {
  const gate = gateUnder(VOUCHED)
  for (const [title, call, expected] of [
    ['a query that reads', { tool: 'query_database', args: { sql: 'SELECT 1' } }, 'runs'],
    ['a query that drops', { tool: 'query_database', args: { sql: 'DROP TABLE users' } }, 'never'],
    ['a query that deletes behind a read', { tool: 'query_database', args: { query: 'SELECT 1; DELETE FROM users' } }, 'never'],
    ['a fetch that carries a secret out', { tool: 'fetch_url', args: { url: 'http://169.254.169.254/latest/meta-data' } }, 'never'],
    ['a fetch that posts', { tool: 'fetch_url', args: { url: 'https://x.example', method: 'POST', body: 'x' } }, 'never'],
    ['a file of credentials', { tool: 'read_file', args: { path: '/home/user/.ssh/id_rsa' } }, 'never'],
  ] as const) {
    proves('PRO-W4', title, async () => {
      const found = await verdict(gate, call)
      if (expected === 'runs') expect(found).toMatch(/allow|flag/)
      else expect(found).not.toMatch(/allow|flag/)
    })
  }
})

describe('names that are not split, or not read', () => {
  const gate = gateUnder(VOUCHED)
  test('one that is vouched for is permitted', async () => expect(await verdict(gate, { tool: 'get_users' })).toBe('flag'))
  for (const tool of ['fetch_purgecache', 'get_deletes', 'getanddelete', 'show_löschen', 'list_borrar', 'g\u0435t_users', 'ｇｅｔ_users']) {
    proves('PRO-W5', `${tool} is not permitted by what it is called`, async () => expect(await verdict(gate, { tool })).toBe('ask'))
  }
})

describe('spellings of one deletion', () => {
  const gate = gateUnder(`version: 1
tool_families: [claude-code]
rules:
  deny:
    - when: 'effects.exists(e, e.verb == "delete" && has(e.attributes.recursive) && e.attributes.recursive == true)'
      reason: no recursive deletion
`)
  for (const command of [
    'rm -rf build',
    'rm  -rf build',
    'rm -fr build',
    'rm -r -f build',
    'rm -Rf build',
    'rm --recursive --force build',
    'rm --recurs build',
    'rm build -rf',
    'rm -f -- build; rm -r build',
    "r''m -rf build",
    '\\rm -rf build',
    '/bin/rm -rf build',
    'command rm -rf build',
    'X=rf; rm -$X build',
    "$'\\x72m' -rf build",
    'busybox rm -rf build',
    'echo build | xargs rm -rf',
    'env rm -rf build',
    'find build -delete',
  ]) {
    proves('PRO-W9', command, async () => expect(await verdict(gate, { tool: 'Bash', args: { command } })).toBe('deny'))
  }

  for (const command of ['rm -f build', "echo 'rm -rf build'", 'git commit -m "rm -rf build"', 'grep -rf patterns build']) {
    proves('PRO-W9', `${command} is none`, async () => expect(await verdict(gate, { tool: 'Bash', args: { command } })).not.toBe('deny'))
  }
})
