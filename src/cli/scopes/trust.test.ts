/** A person trusts the policy of a project: exactly that file, until a byte of what it rests on changes. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callFromJson } from '../../ingress/call.ts'
import { digester } from '../../open.ts'
import { loadPolicy } from '../../policy/watch.ts'
import { explainDecision } from '../explain.ts'
import { openForCommand, policyFileOptions } from '../open.ts'
import { scopeChecks } from './doctor.ts'
import { list, revoke, trust } from './trust.ts'

let root = ''
let printed: string[] = []
const repo = () => join(root, 'repo')
const BROUGHT = (script: string) => `version: 1
default: deny
tools: { Bash: {} }
rules: { allow: [{ tool: Bash, argument_contains: unknown-program, reason: ours }] }
guards: { scanners: [{ name: s, command: [/bin/sh, ${script}] }] }
contracts: { files: [tools.json] }
`
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-trust-'))
  mkdirSync(join(root, 'state'), { mode: 0o700 })
  mkdirSync(repo())
  writeFileSync(
    join(root, 'state/countersign.yaml'),
    'version: 1\nunregistered: ask\ntool_families: [claude-code]\nrules: { deny: [{ tool: Bash, argument_contains: forbidden }] }\n',
  )
  writeFileSync(join(repo(), 'scan.sh'), 'exit 0\n')
  writeFileSync(join(repo(), 'tools.json'), '{"tools": {}}')
  writeFileSync(join(repo(), 'countersign.yaml'), BROUGHT(join(repo(), 'scan.sh')))
  vi.stubEnv('COUNTERSIGN_HOME', join(root, 'state'))
  vi.stubEnv('COUNTERSIGN_POLICY', '')
  printed = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(root, { recursive: true, force: true })
})

const yes = async () => true
const standing = () => {
  const options = policyFileOptions(null)
  const { policy } = loadPolicy({ ...options, places: { ...options.places, cwd: repo(), managed: null } })
  return policy?.scopes?.inForce.map(({ scope, governs, trusted }) => `${scope}${governs ? ' governs' : ''}${trusted ? ' trusted' : ''}`)
}
const TRUSTED = ['user trusted', 'project governs trusted']
const TIGHTENS = ['user governs trusted', 'project']

async function decide(command: string) {
  const opened = openForCommand({ policy: null, record: true })
  try {
    const read = callFromJson({ tool: 'Bash', args: { command }, cwd: repo() }, { digester })
    if (!read.ok) throw new Error(read.refusal.message)
    return { decision: await opened.gate.decide(read.call), call: read.call }
  } finally {
    opened.close()
  }
}

describe('countersign trust', () => {
  test('shows in words what would change, and changes nothing without a yes', async () => {
    expect(await trust(repo(), async () => false)).toBe(2)
    const text = printed.join('')
    for (const part of [
      'permits (line 4): tool Bash',
      `runs a program: /bin/sh ${join(repo(), 'scan.sh')}`,
      'reads the file tools.json',
      'a call that nothing permits gets: deny (yours: ask)',
      `bound to the yes: ${join(repo(), 'scan.sh')}`,
    ])
      expect(text).toContain(part)
    expect(standing()).toEqual(TIGHTENS)
  })

  proves(['T41', 'T22'], 'nobody at a terminal, nothing trusted', async () => {
    await expect(trust(repo())).rejects.toThrow('only a person at a terminal')
    expect(standing()).toEqual(TIGHTENS)
  })

  proves('T41', 'after a yes it governs, and the operator’s own denials stay', async () => {
    expect((await decide('unknown-program')).decision.decision).not.toBe('allow')
    expect(await trust(repo(), yes)).toBe(0)
    expect(standing()).toEqual(TRUSTED)
    const { decision, call } = await decide('echo forbidden')
    expect([decision.decision, decision.code]).toEqual(['deny', 'rules.denied'])
    const words = explainDecision(decision, call).join('\n')
    expect(words).toContain(`project policy ${join(repo(), 'countersign.yaml')} governs`)
    expect(words).toContain(`[user policy ${join(root, 'state/countersign.yaml')}:4]`)
    expect(await list({})).toBe(0)
    expect(printed.join('')).toContain('as it was')
  })

  for (const [title, change] of [
    ['a comment', () => writeFileSync(join(repo(), 'countersign.yaml'), `${BROUGHT(join(repo(), 'scan.sh'))}# more\n`)],
    ['a file that it names', () => writeFileSync(join(repo(), 'tools.json'), '{"tools": {} }')],
    ['a program that it runs', () => writeFileSync(join(repo(), 'scan.sh'), 'curl evil\n')],
  ] as const) {
    proves('T41', `${title} that changes makes it untrusted again`, async () => {
      await trust(repo(), yes)
      change()
      expect(standing()).toEqual(TIGHTENS)
      expect((await decide('git status')).decision.findings.map(({ code }) => code)).toContain('policy.untrusted')
    })
  }

  proves('T41', 'a trusted file that cannot be read is asked about', async () => {
    await trust(repo(), yes)
    writeFileSync(join(repo(), 'countersign.yaml'), 'version: 9\n')
    expect((await decide('git status')).decision).toMatchObject({ decision: 'ask', code: 'policy.unread' })
    rmSync(join(repo(), 'countersign.yaml'))
    symlinkSync(join(root, 'state/countersign.yaml'), join(repo(), 'countersign.yaml'))
    await expect(trust(repo(), yes)).rejects.toThrow('it is a symbolic link')
  })

  test('revoked, it only tightens; what is not trusted cannot be revoked', async () => {
    await trust(repo(), yes)
    expect(await revoke(repo())).toBe(0)
    expect(standing()).toEqual(TIGHTENS)
    await expect(revoke(repo())).rejects.toThrow('is not trusted')
  })
})

test('doctor says who judges, and that a hostile file loosens nothing', async () => {
  const checks = await scopeChecks()
  expect(checks).toContainEqual({
    name: 'hostile project policy',
    state: 'ok',
    detail: 'a repository that brings a policy loosens nothing',
  })
  expect(checks[0]).toMatchObject({ name: 'user policy', state: 'ok' })
})

proves(
  'T41',
  'the policy that `init --policy` pins holds wherever the hook and the daemon start; a pin that leads nowhere allows nothing',
  () => {
    writeFileSync(join(root, 'mine.yaml'), 'version: 1\ndefault: deny\n')
    writeFileSync(join(root, 'state/policy-path'), `${join(root, 'mine.yaml')}\n`)
    const load = () => {
      const options = policyFileOptions(null)
      return loadPolicy({ ...options, places: { ...options.places, cwd: null, managed: null } })
    }
    expect(load().policy).toMatchObject({ default: 'deny', path: join(root, 'mine.yaml') })
    rmSync(join(root, 'mine.yaml'))
    expect(load().policy).toBeNull()
    writeFileSync(join(root, 'state/policy-path'), 'relative\n')
    expect(load().policy).toBeNull()
  },
)
