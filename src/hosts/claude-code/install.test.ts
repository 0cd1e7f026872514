import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, makeHome, permission, runHook } from '../../../test/hosts/harness.ts'
import { proves } from '../../../test/proves.ts'
import { gateProgram } from '../../cli/version.ts'
import { scopeNamed } from '../adapter.ts'
import { readSettings } from '../install.ts'
import { hookCommand } from '../shim.ts'
import { installChanges, type Places, placesOf, uninstallChanges } from './install.ts'

let root: string
let home: Home
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-install-'))
  home = makeHome()
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
  home.remove()
})

const write = (places: Places): void => {
  for (const { path, after, mode } of installChanges(places, gateProgram())) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, after ?? '', { mode })
  }
}
const event = (command: string) =>
  JSON.stringify({
    session_id: 's',
    transcript_path: '',
    cwd: home.user,
    hook_event_name: 'PreToolUse',
    tool_use_id: 't',
    tool_name: 'Bash',
    tool_input: { command },
  })

describe('scopes', () => {
  test('are known by name', () => {
    for (const scope of ['user', 'project', 'managed'] as const) expect(scopeNamed(scope)).toBe(scope)
    for (const name of ['', 'User', 'local', 'constructor']) expect(() => scopeNamed(name)).toThrow('valid: user, project, managed')
  })

  test('user and project share the script and the policy of the user', () => {
    const [user, project] = [placesOf('user'), placesOf('project')]
    expect([user.script, user.policy]).toEqual([project.script, project.policy])
    expect(project.settings).toBe(join(process.cwd(), '.claude/settings.json'))
  })
})

describe('what changes', () => {
  const places = (): Places => ({
    settings: join(root, 'settings.json'),
    script: join(root, 'state/bin/hook'),
    policy: join(root, 'state/countersign.yaml'),
    home: join(root, 'state'),
  })

  test('files of one user are private; nothing changes the second time', () => {
    expect(
      installChanges(places(), gateProgram()).map(({ path, mode, directoryMode }) => [path.slice(root.length), mode, directoryMode]),
    ).toEqual([
      ['/state/countersign.yaml', 0o600, 0o700],
      ['/state/bin/hook', 0o700, 0o700],
      ['/settings.json', 0o600, 0o700],
    ])
    write(places())
    expect(installChanges(places(), gateProgram())).toEqual([])
  })

  test('a policy that is there stays', () => {
    mkdirSync(join(root, 'state'))
    writeFileSync(join(root, 'state/countersign.yaml'), 'mine')
    expect(installChanges(places(), gateProgram()).map(({ path }) => path)).not.toContain(join(root, 'state/countersign.yaml'))
  })

  test('settings with a byte order mark are read, others that the host drops are not written over', () => {
    const { settings } = places()
    writeFileSync(settings, '\u{feff}{"model":"x"}')
    expect(readSettings(settings)).toMatchObject({ model: 'x' })
    for (const [text, message] of [
      ['{ // no\n}', 'not valid JSON'],
      ['{"a":1,"a":2}', 'not valid JSON'],
      ['[]', 'JSON object'],
      ['', 'not valid JSON'],
    ] as const) {
      writeFileSync(settings, text)
      expect(() => installChanges(places(), gateProgram())).toThrow(message)
    }
  })

  for (const [title, text] of [
    ['as we would write it', '{\n  "model": "x"\n}\n'],
    ['on one line, without an end', '{"model":"x"}'],
    ['with tabs, blanks and escapes', '{\n\t"model" : "\\u0078",\n\n "b":1.0 }  '],
    ['with a byte order mark', '\u{feff}{"model":"x"}\r\n'],
    [
      'with other hooks',
      '{"hooks":{"Stop":[], "PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]},"model":"x"}',
    ],
    ['empty', '{}'],
  ] as const) {
    test(`settings ${title} are byte for byte the same after all`, () => {
      writeFileSync(places().settings, text)
      for (let i = 0; i < 2; i++) write(places())
      expect(uninstallChanges(places())).toMatchObject([{ path: places().settings, after: text, mode: 0o644 }])
      writeFileSync(places().settings, text)
      expect(uninstallChanges(places())).toEqual([])
    })
  }

  test('settings that are new go again, and what was changed since stays', () => {
    write(places())
    expect(uninstallChanges(places())).toMatchObject([{ path: places().settings, after: null }])
    writeFileSync(places().settings, JSON.stringify({ ...readSettings(places().settings), model: 'y' }))
    expect(uninstallChanges(places())).toMatchObject([{ after: '{\n  "model": "y"\n}\n' }])
  })

  test('what was kept at another installation is not what comes back', () => {
    writeFileSync(places().settings, '{"model":"x"}')
    write(places())
    writeFileSync(places().settings, '{"model":"z"}')
    write(places())
    expect(uninstallChanges(places())).toMatchObject([{ after: '{"model":"z"}' }])
  })
})

describe('managed settings', () => {
  test('are for every user to read and for none to write', () => {
    expect(
      installChanges(placesOf('managed', root), gateProgram()).map(({ path, mode, directoryMode }) => [
        path.slice(root.length),
        mode,
        directoryMode,
      ]),
    ).toEqual([
      ['/countersign/claude-code-hook', 0o755, 0o755],
      ['/managed-settings.json', 0o644, 0o755],
    ])
  })

  proves(
    'T30',
    'the shared script decides with the state of whoever runs it, whatever a repository puts into the environment',
    async () => {
      const places = placesOf('managed', root)
      write(places)
      const command = hookCommand(places.script, readFileSync(places.script, 'utf8'))
      const environment = { ...home.environment, COUNTERSIGN_HOME: join(root, 'lax') }
      const denied = await runHook(command, event('rm -rf ~'), environment)
      expect([denied.status, permission(denied.stdout)]).toEqual([0, 'deny'])
      const passed = await runHook(command, event('git status'), environment)
      expect([passed.status, permission(passed.stdout)]).toEqual([0, null])
      for (const HOME of ['', 'relative']) {
        const refused = await runHook(command, event('git status'), { ...environment, HOME })
        expect([HOME, refused.status, refused.stdout, refused.stderr.includes('HOME')]).toEqual([HOME, 2, '', true])
      }
    },
    180_000,
  )
})
