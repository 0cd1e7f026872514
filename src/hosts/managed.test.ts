/** Settings of the machine: what `init --managed` writes into them, as data; nothing is written here. */
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { gateProgram } from '../cli/version.ts'
import { InstallError } from './adapter.ts'
import { HOSTS } from './all.ts'
import { requirementsEntry } from './codex/requirements.ts'
import { group, type Items, machineEntry } from './entries.ts'

const MANAGED = HOSTS.filter(({ name, about }) => name !== 'vscode' && about.scopes.includes('managed'))
const COMMAND = `/bin/sh -c 's=/etc/x/countersign/hook; "$s" \\ "quoted"'`
const items: Items = (command) => {
  const gate = group(command, { timeout: 75 })
  return { PreToolUse: gate, PostToolUse: gate, UserPromptSubmit: group(command, { timeout: 75 }, null) }
}

test('hosts with settings of the machine', () => {
  expect(MANAGED.map(({ name }) => name)).toEqual(['claude-code', 'codex', 'gemini-cli', 'cursor', 'copilot-cli', 'qwen-code', 'windsurf'])
})

describe.each(MANAGED)('$name', (host) => {
  test('one hook for every user: it lies beside the settings, belongs to root, and names no home', () => {
    const changes = host.install({ scope: 'managed', ...gateProgram() })
    const script = changes.find(({ path }) => path.endsWith(`${host.name}-hook`))
    expect(changes.some(({ path }) => path === host.settingsPath({ scope: 'managed', ...gateProgram() }))).toBe(true)
    expect(changes.every(({ path }) => /^\/(?:etc|Library)\//.test(path))).toBe(true)
    expect(script).toMatchObject({ mode: 0o755, after: expect.stringContaining("place='managed'") })
    expect(script?.after).toContain('home=$HOME/.countersign')
  })
})

describe('requirements.toml of Codex', () => {
  const entry = requirementsEntry('requirements.toml', items)

  test.each([null, '', 'allowed_sandbox_modes = ["read-only"]\n', '# of the house\n[mcp_servers.docs.identity]\ncommand = "docs"\n'])(
    'beside %j: the hooks are on and stand there, and what was there comes back',
    (before) => {
      const after = entry.written(before, COMMAND)
      const read = parse(after) as { features: unknown; hooks: { PreToolUse: unknown[] } }
      expect(read.features).toEqual({ hooks: true })
      expect(read.hooks.PreToolUse).toEqual([{ matcher: '*', hooks: [{ type: 'command', command: COMMAND, timeout: 75 }] }])
      expect([entry.command(after), entry.holds(after, COMMAND), entry.holds(after, 'x')]).toEqual([COMMAND, true, false])
      expect(entry.written(after, COMMAND)).toBe(after)
      expect(entry.cleaned(after)).toBe(before === null || before === '' ? null : before)
    },
  )

  test.each([
    '[features]\nweb_search = true\n',
    'features.hooks = false\n',
    '[hooks]\nmanaged_dir = "/x"\n',
    '[[hooks.PreToolUse]]\n',
    '"features" = {}\n',
  ])('%j: a table of the operator is not written over', (before) => expect(() => entry.written(before, COMMAND)).toThrow(InstallError))

  test('a file without our part is left as it is', () => {
    for (const text of ['', 'a = 1\n', '[features]\nhooks = true\n'])
      expect([entry.cleaned(text), entry.command(text)]).toEqual([text, null])
  })
})

describe.each([
  ['hooksConfig', { enabled: true }, { enabled: false }],
  ['disableAllHooks', false, true],
] as const)('settings of the machine with %s', (name, pinned, otherwise) => {
  const entry = machineEntry('settings.json', items, { [name]: pinned })

  test('hooks stand there and cannot be switched off', () => {
    for (const before of [null, '{}', '{"theme":"x"}', JSON.stringify({ [name]: pinned })]) {
      const after = entry.written(before, COMMAND)
      expect(JSON.parse(after)).toMatchObject({ [name]: pinned, hooks: { PreToolUse: [{ hooks: [{ command: COMMAND }] }] } })
      expect([entry.holds(after, COMMAND), entry.command(after), entry.written(after, COMMAND)]).toEqual([true, COMMAND, after])
      expect(JSON.parse(entry.cleaned(after) ?? '{}')).toEqual(before?.includes('theme') === true ? { theme: 'x' } : {})
    }
  })

  test('where the operator switches them off, nothing is written; where somebody else does later, they do not hold', () => {
    expect(() => entry.written(JSON.stringify({ [name]: otherwise }), COMMAND)).toThrow(InstallError)
    const after = JSON.parse(entry.written(null, COMMAND))
    expect(entry.holds(JSON.stringify({ ...after, [name]: otherwise }), COMMAND)).toBe(false)
    const { [name]: _, ...rest } = after
    expect(entry.holds(JSON.stringify(rest), COMMAND)).toBe(false)
  })
})
