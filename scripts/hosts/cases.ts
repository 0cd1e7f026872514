/** What is tried with each client: marker files say whether the call ran. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gateProgram, packageRoot, packageVersion } from '../../src/cli/version.ts'
import type { Change, HostAdapter } from '../../src/hosts/adapter.ts'
import { pluginChanges } from '../../src/hosts/claude-code/plugin.ts'
import { type Client, pluginIn } from './clients.ts'
import { OWN_PROCESSES } from './installed.ts'
import { startModel } from './model.ts'

export const CASES = ['allow', 'deny', 'ask', 'approved', 'approved twice', 'crash', 'hang', 'missing', 'empty', 'garbage'] as const
export type Case = (typeof CASES)[number]

export interface Outcome {
  readonly ran: boolean
  /** Whether the model heard the gate's own words. */
  readonly heard: boolean
  /** The end of what the client said, for people who look into a failure. */
  readonly said: string
}

/** Programs that stand in for Node in the installed hook: each fails in its own way. */
const FAILING: Readonly<Partial<Record<Case, string>>> = {
  crash: '#!/bin/sh\nkill -9 $$\n',
  hang: '#!/bin/sh\nsleep 600\n',
  empty: '#!/bin/sh\nexit 0\n',
  garbage: '#!/bin/sh\necho hello\n',
}

interface Place {
  readonly home: string
  readonly work: string
  readonly marker: string
  readonly environment: Readonly<Record<string, string>>
}

/** Every case, each in a home of its own. */
export async function* outcomes(client: Client, program: string, host: HostAdapter): AsyncGenerator<readonly [Case, Outcome]> {
  for (const name of ['allow', 'deny', ...(Object.keys(FAILING) as Case[]), 'missing'] as const) {
    const place = makePlace()
    try {
      yield [
        name,
        await run({ client, program, place, command: commandFor(name, place), prepare: () => install(name, { place, client, host }) }),
      ]
    } finally {
      leave(client, place)
    }
  }
  yield* asked(client, program)
}

/** One call that is asked about, three times in one session: not before the yes, once after it, and not again. */
async function* asked(client: Client, program: string): AsyncGenerator<readonly [Case, Outcome]> {
  const place = makePlace()
  const ran: boolean[] = []
  const between = (): void => {
    ran.push(existsSync(place.marker))
    if (existsSync(place.marker)) unlinkSync(place.marker)
    if (ran.length > 1) return
    const listed = cli(place, ['approvals', 'list', '--json']).split('\n')[0] ?? ''
    const waiting = (listed.startsWith('{') ? JSON.parse(listed) : {}) as { id?: string }
    cli(place, ['approvals', 'approve', waiting.id ?? ''])
  }
  const prepare = () => cli(place, initArguments(client, place))
  const asking = { client, program, place, command: commandFor('ask', place), prepare }
  try {
    if (client.endsOnDenial === true) {
      yield ['ask', await run(asking)]
      return
    }
    const { heard, said } = await run({ ...asking, times: 3, between })
    for (const [at, name] of (['ask', 'approved', 'approved twice'] as const).entries())
      yield [name, { ran: ran[at] ?? false, heard, said }]
  } finally {
    leave(client, place)
  }
}

/** Settings of the machine outlive a home. */
function leave(client: Client, place: Place): void {
  if (client.as === 'managed') cli(place, initArguments(client, place, 'uninstall'))
  rmSync(place.home, { recursive: true, force: true })
}

function makePlace(): Place {
  const home = mkdtempSync(join(tmpdir(), 'cs-client-'))
  const work = join(home, 'work')
  mkdirSync(work)
  spawnSync('git', ['init', '-q', work])
  const environment = {
    HOME: home,
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    NO_COLOR: '1',
    COUNTERSIGN_DAEMON: 'off',
    SHELL: '/bin/bash',
  }
  return { home, work, marker: join(work, 'marker'), environment }
}

/** The marker is made first: a call that is stopped leaves none. */
function commandFor(name: Case, { home, marker }: Place): string {
  if (name === 'deny') return `touch ${marker} && echo x >> ${join(home, '.countersign', 'countersign.yaml')}`
  if (name === 'ask') return `touch ${marker} && git push --force origin main`
  return `touch ${marker}`
}

function cli({ environment, work }: Place, args: readonly string[]): string {
  const run = spawnSync(process.execPath, [join(packageRoot(), 'dist/cli/bin.js'), ...args], {
    env: environment,
    cwd: work,
    encoding: 'utf8',
  })
  return run.stdout
}

type Program = ReturnType<typeof gateProgram>

interface Installing {
  readonly place: Place
  readonly client: Client
  readonly host: HostAdapter
}

function initArguments({ host, as }: Client, { home }: Place, command: 'init' | 'uninstall' = 'init'): readonly string[] {
  const where = as === 'plug-in' ? ['--plugin', pluginIn(home)] : ['--agent', host, ...(as === 'managed' ? ['--managed'] : [])]
  return [command, ...where, '--yes']
}

/** The files that `init` writes for the client. */
function changesFor({ place, client, host }: Installing, program: Program): readonly Change[] {
  if (client.as === 'plug-in') return pluginChanges(pluginIn(place.home), program, packageVersion())
  return host.install({ scope: client.as === 'managed' ? 'managed' : 'user', ...program })
}

/** As `init` does it; where the gate is to fail, with a program in the place of Node. */
function install(name: Case, installing: Installing): void {
  const { place, client } = installing
  const node = join(place.home, 'node')
  const before = process.env.HOME
  process.env.HOME = place.home
  try {
    const script = changesFor(installing, gateProgram()).find(({ path }) => path.endsWith('-hook'))?.path ?? ''
    cli(place, initArguments(client, place))
    if (name === 'missing') rmSync(script)
    const text = FAILING[name]
    if (text === undefined) return
    writeFileSync(node, text, { mode: 0o755 })
    for (const { path, after, mode } of changesFor(installing, { ...gateProgram(), node })) writeFileSync(path, after ?? '', { mode })
  } finally {
    process.env.HOME = before
  }
}

interface Run {
  readonly client: Client
  readonly program: string
  readonly place: Place
  readonly command: string
  readonly prepare: () => void
  /** How often the model asks for the call, and what happens between. Default: once. */
  readonly times?: number
  readonly between?: () => void
}

async function run({ client, program, place, command, prepare, times, between }: Run): Promise<Outcome> {
  const model = await startModel(command, times, between)
  try {
    const start = { home: place.home, url: model.url }
    client.prepare?.(start)
    prepare()
    const args = client.args.map((each) => each.replace('{home}', place.home))
    const line = client.leavesDaemon === true ? [...OWN_PROCESSES, program, ...args] : [program, ...args]
    const said = await everythingSaid(line, { ...place.environment, ...client.environment(start) }, place.work)
    return { ran: existsSync(place.marker), heard: /ountersign/.test(model.told()), said }
  } finally {
    model.close()
  }
}

/** All that the client says until it ends; it and what it started are killed after four minutes. */
function everythingSaid(line: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(line[0] ?? '', line.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const end = (): void => {
      clearTimeout(timer)
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of it has ended.
      }
      resolve(said.slice(-2_000))
    }
    const timer = setTimeout(end, 240_000)
    child.on('error', end)
    child.on('close', end)
  })
}
