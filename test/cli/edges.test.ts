/** The edges of the command line: readers that go away, full disks, help with examples, JSON where it prints for people. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, event, type Home, makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'

let home: Home
beforeAll(() => {
  home = makeHome()
})
afterAll(() => home.remove())

const bash = (command: string) => JSON.stringify({ tool: 'Bash', args: { command } })

/** The exit code of the command line when its output cannot be written. */
function statusInto(sink: string, args: readonly string[], input: string): string {
  const script = `{ "$NODE" "$CLI" ${args.join(' ')}; echo $? >&3; } 3>"$OUT" ${sink}`
  const out = join(home.user, 'status')
  spawnSync('/bin/bash', ['-c', script], {
    input,
    env: { ...home.environment, NODE: process.execPath, CLI, OUT: out },
    cwd: home.user,
    timeout: 180_000,
  })
  return execFileSync('cat', [out], { encoding: 'utf8' }).trim()
}

describe('output that cannot be written', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['check'], bash('git status')],
    [['check'], bash('git push --force origin main')],
    [['effects'], bash('git status')],
    [['hook', 'claude-code'], event('git status')],
    [['audit', 'tail', '--json'], ''],
    [['audit', 'export'], ''],
    [['demo'], ''],
    [['--help'], ''],
  ]
  for (const sink of ['| true', '>/dev/full']) {
    proves(
      'T30',
      `${sink}: never exit 1, which a host reads as "run it"`,
      async () => {
        await commandLine(home, ['check'], bash('git status'))
        for (const [args, input] of cases) expect([args, statusInto(sink, args, input)]).toEqual([args, expect.stringMatching(/^[0234]$/)])
        for (const [args, input] of cases.slice(1, 4)) {
          if (sink !== '| true') expect([args, statusInto(sink, args, input)]).toEqual([args, '2'])
        }
      },
      180_000,
    )
  }
})

describe('help', () => {
  /** Every command and every command below it, as the program itself lists them. */
  async function everyCommand(above: readonly string[] = []): Promise<readonly (readonly string[])[]> {
    const { status, stdout } = await commandLine(home, [...above, '--help'])
    expect([above, status, stdout]).toEqual([above, 0, expect.stringMatching(/\nExample:\n {2}\S/)])
    const listed = stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? ''
    const names = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap((match) => match[1] ?? []).filter((name) => name !== 'help')
    const below: (readonly string[])[] = []
    for (const name of names) below.push(...(await everyCommand([...above, name])))
    return [above, ...below]
  }

  test('every command has an example', async () => {
    const names = (await everyCommand()).map((command) => command.join(' '))
    expect(names).toEqual(expect.arrayContaining(['', 'check', 'hook', 'policy lint', 'grants add', 'audit verify', 'replay', 'demo']))
    expect(names.length).toBeGreaterThanOrEqual(29)
  })
})

describe('JSON where it prints for people', () => {
  test('init and uninstall say what they would change', async () => {
    const other = makeHome()
    const dry = JSON.parse((await commandLine(other, ['init', '--dry-run', '--json'])).stdout) as {
      dry_run: boolean
      changes: { path: string }[]
    }
    expect([dry.dry_run, dry.changes.length, existsSync(other.state)]).toEqual([true, 3, false])
    expect(JSON.parse((await commandLine(other, ['init', '--yes', '--json'])).stdout)).toMatchObject({
      dry_run: false,
      changes: [{}, {}, {}],
    })
    expect(JSON.parse((await commandLine(other, ['init', '--yes', '--json'])).stdout)).toEqual({ dry_run: false, changes: [] })
    expect(JSON.parse((await commandLine(other, ['uninstall', '--yes', '--json'])).stdout)).toMatchObject({ changes: [{}] })
    other.remove()
  })

  test('demo: one line per call and one for the log, whatever policy this machine has', async () => {
    mkdirSync(home.state, { recursive: true, mode: 0o700 })
    const before = (await commandLine(home, ['demo', '--json'])).stdout
    writeFileSync(join(home.state, 'countersign.yaml'), 'version: 1\nrules:\n  deny:\n    - { tool: "*", reason: no }\n')
    const lines = (await commandLine(home, ['demo', '--json'])).stdout.trim().split('\n')
    const decisions = (text: string) => [...text.matchAll(/"decision":"(\w+)"/g)].map((match) => match[1])
    expect(decisions(lines.join('\n'))).toEqual(decisions(before))
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ records: lines.length - 1, intact: true })
    writeFileSync(join(home.state, 'countersign.yaml'), 'version: 1\n')
  })

  test('replay --score', async () => {
    const file = join(home.user, 'calls.jsonl')
    const call = { tool: 'Bash', args: { command: 'git status' } }
    writeFileSync(file, `${JSON.stringify({ id: 'r1', source: 'a', kind: 'session', calls: [call], label: { verdict: 'allow' } })}\n`)
    const run = await commandLine(home, ['replay', file, '--score', '--json'])
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(JSON.parse(run.stdout)).toMatchObject({ file: 'calls.jsonl', calls: 1 })
  })
})

describe('a policy is looked for from where the call comes from', () => {
  test('check finds the policy of the call’s directory, the hook that of the event’s', async () => {
    const directory = join(home.user, 'repo/deep')
    mkdirSync(directory, { recursive: true })
    writeFileSync(
      join(home.user, 'repo/countersign.yaml'),
      'version: 1\nunregistered: ask\nrules:\n  deny:\n    - { tool: Bash, reason: not here }\n',
    )
    writeFileSync(join(home.state, 'countersign.yaml'), 'version: 1\nunregistered: ask\n')
    const from = (cwd: string) => JSON.stringify({ tool: 'Bash', args: { command: 'git status' }, cwd })
    expect([
      (await commandLine(home, ['check'], from(directory))).status,
      (await commandLine(home, ['check'], from(home.user))).status,
    ]).toEqual([4, 3])
    expect((await commandLine(home, ['hook', 'claude-code'], event('git status', 't', { cwd: directory }))).stdout).toContain(
      'rules.denied',
    )
  })
})

describe('reading the log', () => {
  test('where there is none yet, it says so and makes none', async () => {
    const other = makeHome()
    for (const args of [['tail'], ['search', 'x'], ['show', 'x'], ['verify'], ['export']]) {
      const run = await commandLine(other, ['audit', ...args])
      expect([args, run.status, run.stderr.includes('there is no log yet')]).toEqual([args, 2, true])
    }
    expect(existsSync(other.state)).toBe(false)
    other.remove()
  })

  proves('P12', 'one that was taken away is not mistaken for none', async () => {
    const other = makeHome()
    await commandLine(other, ['check'], bash('git status'))
    for (const name of readdirSync(other.state).filter((file) => file.startsWith('countersign.'))) rmSync(join(other.state, name))
    const run = await commandLine(other, ['audit', 'verify'])
    expect([run.status === 0, run.stderr.includes('no log yet')]).toEqual([false, false])
    other.remove()
  })

  test('one cause that breaks every record is told by its first ones', async () => {
    const other = makeHome()
    for (let index = 0; index < 25; index++) await commandLine(home, ['check'], bash('git status'))
    const file = join(home.user, 'export.jsonl')
    writeFileSync(file, (await commandLine(home, ['audit', 'export'])).stdout)
    await commandLine(other, ['check'], bash('git status'))
    const run = await commandLine(other, ['audit', 'verify', file])
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/^unknown_key at 0: /)
    expect(run.stdout).toMatch(/\n… and \d+ more; --json lists them all\nthe log does NOT hold/)
    other.remove()
  })
})

describe('check --lines', () => {
  let own: Home
  beforeAll(() => {
    own = makeHome()
  })
  afterAll(() => own.remove())

  test('answers each line in its place; what is no call is told, and stops none that comes after it', () => {
    const lines = (input: readonly string[], ...more: readonly string[]) =>
      spawnSync(process.execPath, [CLI, 'check', '--lines', ...more], {
        input: input.join('\n'),
        env: own.environment,
        cwd: own.user,
        encoding: 'utf8',
      })
    const mixed = [bash('git status'), '', '{', bash('rm -rf ~'), '{"tool":"Bash","args":{},"args":{}}', '[]', bash('git log')]
    const { stdout, status } = lines(mixed)
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { decision?: string; error?: string })
    expect(answers.map(({ decision, error }) => decision ?? error)).toEqual([
      ...['allow', 'ingress.syntax', 'deny', 'ingress.duplicate_key', 'ingress.wrong_type', 'allow'],
    ])
    expect(status).toBe(2)
    expect(lines([bash('rm -rf ~')]).status).toBe(0)
    expect(lines([bash('ls')], '--explain').status).toBe(2)
  })
})
