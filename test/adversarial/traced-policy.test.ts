/**
 * What the kernel saw of a daemon that judged a call in a repository with a policy of its own (T42): as long as nobody trusts that file,
 * no program was started, nothing was reached and no file was opened that the daemon does not also open for a policy that says nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answers } from '../../src/server/daemon.ts'
import { CLI, type Home, makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { receiver } from '../support/receiver.ts'
import { askSocket } from '../support/server.ts'

let home: Home
const ran = () => join(home.user, 'repo/ran')
beforeAll(() => {
  home = makeHome()
  write('repo/node_modules/evil/package.json', '{"name":"evil","type":"module","exports":"./index.js"}')
  write('repo/node_modules/evil/index.js', 'export const m = {}')
  write('repo/secret', `whsec_${Buffer.alloc(32, 9).toString('base64')}\n`, 0o600)
  write('repo/program.sh', '#!/bin/sh\necho "$1" >> "$(dirname "$0")/ran"\n', 0o755)
})
afterAll(() => home.remove())

function write(path: string, text: string, mode = 0o644): string {
  const whole = join(home.user, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text, { mode })
  return whole
}

/** Everything that a policy can have started or reached, at once: through this program and this port. */
function reaching(port: number): string {
  const [program, url] = [join(home.user, 'repo/program.sh'), `http://127.0.0.1:${port}`]
  return `version: 1
default: ask
unregistered: ask
guards:
  scanners: [{ name: s, command: ["${program}", scanner] }]
  ssrf: { resolve: true, strict: true }
judges:
  program: { provider: command, command: ["${program}", judge], on_error: ask }
  web: { provider: http, url: "${url}/judge", on_error: ask }
  module: { provider: ai-sdk, module: { name: evil, export: m }, model: x, on_error: ask }
tool_validation:
  - { type: semantic, judge_agent: program }
  - { type: semantic, judge_agent: web }
  - { type: semantic, judge_agent: module }
contracts:
  providers: { p: { tools: [WebFetch], http: "${url}/lookup/{url}" } }
  tools: { WebFetch: { constraints: [{ kind: known, of: { state: p } }] } }
approvals:
  channels:
    - { name: c, type: command, command: ["${program}", channel] }
    - ${webhook('w', port)}
`
}

/** A channel that tells whatever waits to a receiver. */
const webhook = (name: string, port: number): string =>
  `{ name: ${name}, type: webhook, allow_private: true, url: "http://127.0.0.1:${port}/${name}", secrets: ["file:${join(home.user, 'repo/secret')}"] }`

interface Traced {
  /** `executed PROGRAM WORD`, `opened PATH`, `reached ADDRESS`. */
  readonly seen: ReadonlySet<string>
  /** The scopes that judged the calls. */
  readonly scopes: readonly string[]
}

interface Policies {
  readonly project: string
  readonly operator: string
  /** How many approvals the operator's channel was told of; whatever was to be told elsewhere is told then, too. */
  readonly told: () => number
}

interface Answer {
  readonly approval: object | null
  readonly policy: { readonly scopes?: readonly { readonly scope: string; readonly trusted: boolean }[] }
}

/** Starts a daemon under the tracer, has it judge three calls in the repository, and stops it. */
async function traced(name: string, { project, operator, told }: Policies): Promise<Traced> {
  write('repo/countersign.yaml', project)
  const policy = write('operator.yaml', operator)
  const [trace, socket] = [join(home.user, `${name}.trace`), join(home.state, 'run/gate.sock')]
  const options = ['-f', '-qq', '-y', '-s', '4096', '-e', 'trace=%process,%network,open,openat,openat2,creat', '-o', trace]
  const child = spawn('strace', [...options, process.execPath, CLI, 'serve', '--no-listen', '--policy', policy], {
    env: home.environment,
    cwd: home.user,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  // Under the tracer there is a while between the socket's file and whoever listens at it.
  while (!(await answers(socket))) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const scopes: string[] = []
  let waiting = 0
  for (const [tool, args] of [
    ['Bash', { command: 'curl -s https://names.example/x' }],
    ['WebFetch', { url: 'https://names.example/y', prompt: 'x' }],
    ['wire_money', { amount: 5 }],
  ] as const) {
    const call = { tool, args, session: name, cwd: join(home.user, 'repo'), principal: { agent: 'a' } }
    const { body } = await askSocket<Answer>(socket, '/v1/decisions', { body: call })
    if (body.approval !== null) waiting += 1
    scopes.push((body.policy.scopes ?? []).map(({ scope, trusted }) => `${scope} ${trusted}`).join(', '))
  }
  while (told() < waiting) await new Promise((resolve) => setTimeout(resolve, 20))
  // The tracer keeps signals from itself; it ends with what it traces.
  process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()), 'SIGTERM')
  await ended
  return { seen: new Set(readFileSync(trace, 'utf8').split('\n').flatMap(eventOf)), scopes }
}

function eventOf(line: string): readonly string[] {
  const executed = /\bexecve(?:at)?\([^"]*"([^"]*)", \["[^"]*"(?:, "([^"]*)")?/.exec(line)
  if (executed !== null) return [`executed ${executed[1]} ${executed[2] ?? ''}`]
  const opened = /\b(?:open|openat|openat2|creat)\([^"]*"([^"]*)"/.exec(line)
  // Files beside the log have a name of their own each time.
  if (opened !== null) return [`opened ${opened[1]?.replace(/\.aside-[\w-]+$/, '.aside').replace(/^\/proc\/\d+/, '/proc/PID')}`]
  const reached = /\b(?:connect|sendto|sendmsg|sendmmsg)\(.*?(?:sin6?_port=htons\((\d+)\)|sun_path=("[^"]*"))/.exec(line)
  return reached === null ? [] : [`reached ${reached[1] ?? reached[2]}`]
}

/**
 * Node keeps the compiled code of the gate's own program, and SQLite what does not fit into memory, under names of chance;
 * the engine of Node looks at the processor's clock when it first measures a time, which falls into either run.
 */
const isOwn = (event: string): boolean =>
  event.startsWith(`opened ${join(home.state, 'cache')}/`) ||
  /^opened (?:\/(?:var\/)?tmp\/etilqs_|\/sys\/devices\/system\/cpu\/)/.test(event)

const strace = spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0
if (!strace && process.env.CI !== 'true') {
  test.skip('no system call is traced here: strace is not installed', () => {})
} else {
  describe('a policy that a repository brings, under the tracer', () => {
    proves(
      ['T42', 'T40'],
      'starts nothing, reaches nothing and has nothing opened; as a file of the operator, it does all of that',
      async () => {
        const [mine, theirs] = [await receiver(), await receiver()]
        const operator = `version: 1\ndefault: ask\nunregistered: ask\napprovals: { channels: [${webhook('mine', mine.port)}] }\n`
        const silent = await traced('silent', { project: 'version: 1\n', operator, told: () => mine.seen.length })
        const before = mine.seen.length
        const hostile = await traced('hostile', { project: reaching(theirs.port), operator, told: () => mine.seen.length - before })
        const told = () =>
          existsSync(ran()) && readFileSync(ran(), 'utf8').includes('channel') ? theirs.seen.filter(({ path }) => path === '/w').length : 0
        const own = await traced('own', { project: 'version: 1\n', operator: reaching(theirs.port), told })
        const more = ({ seen }: Traced): readonly string[] => [...seen].filter((event) => !silent.seen.has(event) && !isOwn(event))
        for (const { scopes } of [silent, hostile]) expect(scopes).toEqual(Array(3).fill('user true, project false'))
        expect(more(hostile)).toEqual([])
        const program = join(home.user, 'repo/program.sh')
        const did = more(own).filter((event) => !/^opened .*\/node_modules\/(?!evil)/.test(event))
        expect(did).toEqual(
          expect.arrayContaining([
            ...['scanner', 'judge', 'channel'].map((word) => `executed ${program} ${word}`),
            `reached ${theirs.port}`,
            'opened /etc/hosts',
            expect.stringMatching(/^opened .*\/node_modules\/evil\/package\.json$/),
          ]),
        )
        expect(theirs.seen.map(({ path }) => path.split('/')[1])).toEqual(expect.arrayContaining(['judge', 'lookup', 'w']))
      },
    )
  })
}
