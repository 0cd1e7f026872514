/** Dry runs of real programs: in the sandbox, or as they are where a policy names the program and the gate lets the dry run. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { bash } from '../test/support/calls.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { triedOut } from '../test/support/trials.ts'
import { policyOf } from '../test/support/workplace.ts'
import type { JsonObject } from './core/json.ts'
import { openGate } from './open.ts'

/** Asks about every command that is no dry run. */
const ASK = `hazards: { packs: [] }
rules:
  ask: [{ tool: Bash, when: '!args.command.contains("--dry-run")', reason: careful }]
  allow: [{ tool: Bash, when: "true", reason: fine }]
`
const STRICT = 'rules: { ask: [{ tool: Bash, reason: careful }] }\n'

function place(section: string, rules = ASK) {
  const [home, work] = [temporaryDirectory(), realpathSync(temporaryDirectory())]
  const { gate, queue, close } = openGate({ home, policy: () => ({ policy: policyOf(`${rules}${section}`), degraded: null }) })
  onTestFinished(() => close())
  const preview = async (command: string): Promise<JsonObject> => {
    const { approval } = await gate.decide(bash(command, { cwd: work }))
    return (queue.show(approval?.id ?? '', { tenant: null })?.sheet.preview ?? {}) as JsonObject
  }
  return { work, preview, decide: (command: string) => gate.decide(bash(command, { cwd: work })) }
}

/** A clone with a commit that its bare remote, which is elsewhere, has not; its hook leaves a trace. */
function repository(work: string) {
  const remote = realpathSync(temporaryDirectory())
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', work, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  execFileSync('git', ['init', '-q', '--bare', remote])
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', remote)
  writeFileSync(join(work, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  const trace = join(work, 'hook-ran')
  writeFileSync(join(work, '.git/hooks/pre-push'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 })
  return { remote, trace, refs: () => execFileSync('git', ['-C', remote, 'for-each-ref'], { encoding: 'utf8' }) }
}

const DATABASE_SHELL = 'sqlite3'
const PATHS = (process.env.PATH ?? '').split(':')

/** Where this machine has no such program, its dry run falls back to a trial of the command itself, which says so. */
function withProgram(program: string, title: string, body: () => Promise<void>): void {
  if (PATHS.some((path) => existsSync(join(path, program)))) {
    triedOut(title, body)
    return
  }
  triedOut(`${title}: falls back where there is no ${program}`, async () => {
    const shown = await place('preview: {}\n').preview(`${program} a.db "delete from t"`)
    expect([shown.kind, shown.exit_code]).toEqual(['sandbox', 127])
  })
}

describe('a dry run', () => {
  triedOut('of git push runs as it is where the policy names git, and leaves remote and hooks alone', async () => {
    // The dry run itself is considered, and counts as tried out.
    for (const more of ['', ', run: always, require_dryrun_supported: true']) {
      const { work, preview } = place(`preview: { dry_runs: [git]${more} }\n`)
      const { trace, refs } = repository(work)
      const shown = await preview('git push origin main')
      expect(shown).toMatchObject({ kind: 'dry_run', program: 'git', sandboxed: false, exit_code: 0 })
      expect(shown.output).toContain('refs/heads/main:refs/heads/main\t[new branch]')
      expect([refs(), existsSync(trace)]).toEqual(['', false])
    }
  })
  triedOut('of git push stays in the sandbox otherwise, which has no remote', async () => {
    for (const section of ['preview: {}\n', 'preview: { dry_runs: [rsync] }\n']) {
      const { work, preview } = place(section)
      repository(work)
      expect((await preview('git push origin main')).kind).toBe('sandbox')
    }
  })
  triedOut('that the gate would ask about does not run as it is', async () => {
    const { work, preview } = place('preview: { dry_runs: [git] }\n', STRICT)
    repository(work)
    expect((await preview('git push origin main')).kind).toBe('sandbox')
  })
  withProgram('rsync', 'of rsync lists what it would copy and delete, and copies nothing', async () => {
    const { work, preview } = place('preview: {}\n')
    for (const [name, text] of [
      ['src/new', 'n'],
      ['dst/old', 'o'],
    ] as const) {
      mkdirSync(join(work, name.slice(0, 3)))
      writeFileSync(join(work, name), text)
    }
    const shown = await preview('rsync -a --delete src/ dst/')
    expect(shown).toMatchObject({ kind: 'dry_run', program: 'rsync', sandboxed: true })
    expect(shown.output).toMatch(/\*deleting +old\n[\s\S]*\+ new/)
    expect([existsSync(join(work, 'dst/old')), existsSync(join(work, 'dst/new'))]).toEqual([true, false])
  })
  withProgram('npm', 'of npm publish says what the package holds; its scripts run in the sandbox alone', async () => {
    const { work, preview } = place('preview: { dry_runs: [npm], time: 60s }\n')
    const scripts = { prepublishOnly: 'echo ran > published' }
    writeFileSync(join(work, 'package.json'), JSON.stringify({ name: 'acme-shop', version: '1.0.0', scripts }))
    writeFileSync(join(work, 'index.js'), '1\n')
    const shown = await preview('npm publish')
    expect(shown).toMatchObject({ kind: 'dry_run', program: 'npm', sandboxed: true })
    expect(shown.output).toMatch(/acme-shop@1\.0\.0/)
    expect(existsSync(join(work, 'published'))).toBe(false)
  })
  withProgram('sqlite3', 'of an SQL statement counts its rows, which a policy may set a limit for', async () => {
    const { work, preview, decide } = place('preview: { run: always, ask_above: { rows: 2 } }\n')
    const file = join(work, 'a.db')
    execFileSync(DATABASE_SHELL, [file, 'create table t (x); insert into t values (1), (2), (3)'])
    const before = readFileSync(file)
    expect(await preview('sqlite3 a.db "delete from t"')).toMatchObject({ kind: 'dry_run', program: 'sqlite', rows: 3, sandboxed: true })
    expect(readFileSync(file).equals(before)).toBe(true)
    writeFileSync(join(work, 'x.sql'), '-- all of them\nDELETE FROM t;\n')
    writeFileSync(join(work, 'shell.sql'), 'DELETE FROM t;\n.shell touch hit\n')
    expect(await preview('sqlite3 a.db < x.sql')).toMatchObject({ kind: 'dry_run', program: 'sqlite', rows: 3, sandboxed: true })
    // What is no SQL alone runs as it is, in the sandbox.
    expect(await preview('cat shell.sql | sqlite3 a.db')).toMatchObject({ kind: 'sandbox', exit_code: 0 })
    expect(existsSync(join(work, 'hit'))).toBe(false)
    const codes = (await decide('sqlite3 a.db "delete from t"')).findings.map(({ code }) => code)
    expect(codes).toContain('preview.size')
    const few = (await decide('sqlite3 a.db "delete from t where x = 1"')).findings.map(({ code }) => code)
    expect(few).not.toContain('preview.size')
  })
  withProgram('apt-get', 'of apt-get says what it would remove', async () => {
    const { preview } = place('preview: { dry_runs: [apt], time: 60s }\n', ASK.replace('"--dry-run"', '" -s "'))
    const shown = await preview('apt-get remove coreutils')
    expect([shown.kind, String(shown.output).includes('Remv coreutils')]).toEqual(['dry_run', true])
  })

  // Scripted: a program that prints what the manual of kubectl shows and ends with 1, as it does where there is a difference.
  triedOut('of kubectl shows the difference that it ends with 1 for', async () => {
    const bin = temporaryDirectory()
    const said =
      'diff -u -N /tmp/LIVE/apps.v1.Deployment.shop.web /tmp/MERGED/apps.v1.Deployment.shop.web\n-  replicas: 2\n+  replicas: 3\n'
    writeFileSync(join(bin, 'kubectl'), `#!/bin/sh\necho "$*" > ${bin}/asked\nprintf '${said.replaceAll('\n', '\\n')}'\nexit 1\n`, {
      mode: 0o755,
    })
    const path = process.env.PATH ?? ''
    process.env.PATH = `${bin}:${path}`
    onTestFinished(() => {
      process.env.PATH = path
    })
    const rules =
      'hazards: { packs: [] }\nrules: { ask: [{ tool: Bash, when: \'args.command.contains("apply")\', reason: careful }], allow: [{ tool: Bash, when: "true", reason: fine }] }\n'
    const { work, preview } = place('preview: { dry_runs: [kubectl] }\n', rules)
    writeFileSync(join(work, 'a.yaml'), 'kind: Deployment\n')
    const shown = await preview('kubectl apply -f a.yaml')
    expect(shown).toMatchObject({ kind: 'dry_run', program: 'kubectl', sandboxed: false, exit_code: 1, output: said.trimEnd() })
    expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('diff -f a.yaml\n')
  })
})
