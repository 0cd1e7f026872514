/** Whatever happens to the gate, the host sees a denial: every way to die, with real processes (T30). */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hookCommand, shimScript } from '../../src/hosts/claude-code/shim.ts'
import { proves } from '../proves.ts'
import { event, type Home, makeHome, permission, type Run, runHook } from './harness.ts'

/** Not only ASCII: lengths are counted in bytes. */
const EVENT = event("echo 'ü 日本'")
const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}'

let home: Home
beforeAll(() => {
  home = makeHome()
  mkdirSync(join(home.state, 'run'), { recursive: true, mode: 0o700 })
})
afterAll(() => home.remove())

/** A directory in which only these programs are found; the shim looks for programs in no other. */
function pathWith(...programs: readonly string[]): string {
  const directory = join(home.state, `path-${programs.join('-') || 'bare'}`)
  if (existsSync(directory)) return directory
  mkdirSync(directory)
  for (const program of [...programs.filter((name) => !name.startsWith('fake-')), 'sh', 'cat', 'env', 'timeout', 'sleep']) {
    const real = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    symlinkSync(real, join(directory, program))
  }
  return directory
}

interface Gate {
  readonly name: string
  readonly script: string | null
  readonly node?: string
  /** Where the shim finds its programs; default where the system keeps them. */
  readonly path?: string
  /** What the host hands in; default the event. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The shim over a stand-in for the gate: `sh` runs the script that the case describes. */
async function through({ name, script, node = '/bin/sh', path, input = EVENT, environment = {} }: Gate): Promise<Run> {
  const program = join(home.state, `${name}.sh`)
  if (script !== null) writeFileSync(program, script)
  const shim = join(home.state, `${name}-hook`)
  writeFileSync(shim, shimScript({ home: home.state, node, program, seconds: 1, ...(path === undefined ? {} : { path }) }))
  chmodSync(shim, 0o700)
  return runHook(hookCommand(shim), input, { ...home.environment, ...environment })
}

/** The directory with a client of its own making. */
function pathWithClient(name: string, client: string): string {
  const directory = pathWith(`fake-${name}`)
  const program = join(directory, 'perl')
  writeFileSync(program, `#!/bin/sh\n${client}\n`)
  chmodSync(program, 0o700)
  return directory
}

/** A stand-in that keeps what it was handed and says a whole denial. */
const LISTENING = `cat > "$COUNTERSIGN_HOME/heard"; printf '%s\\n.\\n' '${DENY}'`
const heardBy = (): string => readFileSync(join(home.state, 'heard'), 'utf8')

function expectRefused(name: string, run: Run): void {
  expect([name, run.status, run.stdout]).toEqual([name, 2, ''])
  expect(run.stderr.trim()).not.toBe('')
}

describe('the process that stands in for the daemon', () => {
  const deaths: readonly (readonly [string, string | null])[] = [
    ['exit-1', 'echo oops; exit 1'],
    ['exit-1-with-deny', `printf '%s\\n.\\n' '${DENY}'; exit 1`],
    ['exit-0-empty', 'exit 0'],
    ['exit-127', 'exit 127'],
    ['not-json', 'echo hello'],
    ['log-line-first', `echo starting; printf '%s\\n.\\n' '${DENY}'`],
    ['half-json', `printf '%s' '${DENY.slice(0, 40)}'`],
    ['half-json-that-ends-well', `printf '%s\\n' '${DENY.slice(0, -1)}'`],
    ['whole-json-without-seal', `printf '%s\\n' '${DENY}'`],
    ['sigkill', 'kill -KILL $$'],
    ['sigsegv', 'kill -SEGV $$'],
    ['hang', 'sleep 30'],
    ['hang-with-output', `printf '%s' '{'; sleep 30`],
    ['closed-stdout', 'exec 1>&-; echo x'],
    ['missing-program', null],
  ]
  proves(
    ['T30', 'ROS-W7', 'FUL-W1', 'ROS-31'],
    'every death is exit 2 with a reason and an empty stdout; a whole answer passes as it is',
    async () => {
      for (const [name, script] of deaths) expectRefused(name, await through({ name, script }))
      expectRefused('missing-node', await through({ name: 'missing-node', script: 'exit 0', node: '/nonexistent/node' }))
      const whole = await through({ name: 'whole', script: `printf '%s\\n.\\n' '${DENY}'` })
      expect([whole.status, permission(whole.stdout), whole.stdout.trim()]).toEqual([0, 'deny', DENY])
    },
    60_000,
  )

  proves('T30', 'a missing, unreadable or broken hook script is a refusal, too', async () => {
    const broken = join(home.state, 'broken-hook')
    writeFileSync(broken, '\u0000\u0001not a script')
    chmodSync(broken, 0o700)
    const plain = join(home.state, 'plain-hook')
    writeFileSync(plain, '#!/bin/sh\nexit 0\n', { mode: 0o600 })
    for (const script of ['/nonexistent/hook', broken, plain])
      expectRefused(script, await runHook(hookCommand(script), EVENT, home.environment))
  })
})

describe('the daemon', () => {
  const sealed = `${DENY}\n.\n`
  const answers: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['resets', (socket) => socket.destroy()],
    ['hangs', () => {}],
    ['500', (socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\n{}')],
    ['500 with a sealed body', (socket) => socket.end(`HTTP/1.1 500 Oops\r\ncontent-length: ${sealed.length}\r\n\r\n${sealed}`)],
    ['403 with a sealed body', (socket) => socket.end(`HTTP/1.1 403 No\r\ncontent-length: ${sealed.length}\r\n\r\n${sealed}`)],
    ['garbage', (socket) => socket.end('hello')],
    ['a sealed body without a head', (socket) => socket.end(sealed)],
    ['empty 200', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
    ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
    ['cut body', (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n${DENY}\n`)],
    ['body without seal', (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${DENY.length}\r\n\r\n${DENY}`)],
    ['a sealed body that is no object', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n"x"\n.\n')],
    ['a seal in the middle', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n{\n.\n${DENY.slice(0, 30)}`)],
    ['half an answer, then silence', (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${DENY.slice(0, 30)}`)],
  ]

  for (const client of ['perl', 'curl']) {
    proves(
      ['T30', 'T31'],
      `${client}: one that fails in any way is passed over; when the stand-in fails as well, the call is refused`,
      async () => {
        const path = pathWith(client)
        for (const [name, behave] of answers) {
          const server = await listen(behave)
          expectRefused(name, await through({ name: 'dead', script: 'exit 1', path }))
          const rescued = await through({ name: 'alive', script: LISTENING, path })
          expect([name, rescued.status, permission(rescued.stdout), heardBy()]).toEqual([name, 0, 'deny', EVENT])
          await close(server)
        }
      },
      60_000,
    )

    proves('T30', `${client}: a whole answer passes as it is, and the daemon hears exactly the event`, async () => {
      let heard = ''
      const server = await listen((socket, bytes) => {
        heard += bytes
        if (heard.includes('"tool_input"')) socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${sealed.length}\r\n\r\n${sealed}`)
      })
      const run = await through({ name: 'served', script: 'exit 1', path: pathWith(client) })
      await close(server)
      expect([run.status, run.stdout.trim(), run.stderr]).toEqual([0, DENY, ''])
      expect(heard.slice(heard.indexOf('\r\n\r\n') + 4)).toBe(EVENT)
      expect(heard).toMatch(new RegExp(`content-length: ${Buffer.byteLength(EVENT)}\r`, 'i'))
    })
  }

  proves(
    ['T30', 'T31'],
    'an event of any size gets to the daemon, and back out of it, byte for byte',
    async () => {
      const large = event(`echo '${'ü€😀x'.repeat(40_000)}'`)
      for (const client of ['perl', 'curl']) {
        for (const input of [large, '{}', '', 'no json', `${EVENT}\n`, `\n ${EVENT}`]) {
          rmSync(join(home.state, 'heard'), { force: true })
          const chunks: Buffer[] = []
          const server = await listen((socket, bytes) => {
            chunks.push(bytes)
            // Everything has come once the last byte of the event has.
            if (Buffer.concat(chunks).indexOf('\r\n\r\n') + 4 + Buffer.byteLength(input) <= Buffer.concat(chunks).length) socket.destroy()
          })
          const run = await through({ name: 'large', script: LISTENING, path: pathWith(client), input })
          await close(server)
          const all = Buffer.concat(chunks).toString()
          // The shell drops line ends at the end of what it reads, and JSON does not care.
          const sent = all.slice(all.indexOf('\r\n\r\n') + 4)
          expect([client, run.status, sent.trimEnd() === input.trimEnd(), heardBy() === input.replace(/\n$/, '')]).toEqual([
            client,
            0,
            true,
            true,
          ])
        }
      }
    },
    60_000,
  )

  const clients: readonly (readonly [string, string, 'refused' | 'rescued'])[] = [
    ['dies before it reads', 'exit 2', 'refused'],
    ['dies with the status of success', 'exit 0', 'refused'],
    ['dies after it read', 'cat >/dev/null; exit 1', 'refused'],
    ['is killed', 'kill -KILL $$', 'refused'],
    ['is killed after it read', 'cat >/dev/null; kill -SEGV $$', 'refused'],
    ['says half an answer', `printf '%s' '${DENY.slice(0, 30)}'`, 'refused'],
    ['says a whole answer and fails', `printf '%s\\n.\\n' '${DENY}'; exit 1`, 'refused'],
    ['hands nothing back', 'cat >/dev/null; exit 3', 'rescued'],
    ['hands half of the event back', `IFS= read -r line; printf '%.20s' "$line"; exit 3`, 'rescued'],
    ['hands the event back', 'cat; exit 3', 'rescued'],
    ['hands back what looks like an answer', `cat >/dev/null; printf '%s\\n.\\n' '${DENY}'; exit 3`, 'rescued'],
    ['cannot be run', 'exit 126', 'rescued'],
    ['is not there after all', 'exit 127', 'rescued'],
  ]
  proves(
    ['T30', 'T31'],
    'a client that fails is a refusal where the event may be lost, and nothing it hands back is taken for an answer',
    async () => {
      const server = await listen(() => {})
      for (const [name, client, expected] of clients) {
        const path = pathWithClient(name.replaceAll(' ', '-'), client)
        expectRefused(name, await through({ name: 'dead-after', script: 'exit 1', path }))
        const run = await through({ name: 'alive-after', script: LISTENING, path })
        if (expected === 'refused') expectRefused(name, run)
        else expect([name, run.status, run.stdout.trim()]).toEqual([name, 0, DENY])
      }
      await close(server)
    },
    60_000,
  )

  proves('T31', 'without any client the stand-in decides', async () => {
    const server = await listen((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${sealed.length}\r\n\r\n${sealed}`))
    expectRefused('no client', await through({ name: 'alone', script: 'exit 1', path: pathWith() }))
    await close(server)
  })
})

describe('the environment of a hook is also the agent\u2019s to set', () => {
  const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
  const impostor = `#!/bin/sh\nprintf '%s\\n.\\n' '${ALLOW}'\n`

  proves(
    'T30',
    'no program of its PATH, no option of its Perl, its Node or its curl, and no policy of its choice takes part in the answer',
    async () => {
      const evil = join(home.state, 'evil')
      mkdirSync(evil)
      for (const name of ['perl', 'curl', 'cat', 'timeout', 'env', 'node', 'sh', 'printf', 'command', 'nc']) {
        writeFileSync(join(evil, name), impostor, { mode: 0o700 })
      }
      writeFileSync(join(evil, 'Evil.pm'), `package Evil; print qq(${ALLOW.replaceAll('"', '\\"')}\\n.\\n); exit 0; 1`)
      writeFileSync(join(evil, '.curlrc'), 'output = /dev/null\n')
      const environments: readonly Readonly<Record<string, string>>[] = [
        { PATH: evil },
        { PATH: `${evil}:/usr/bin:/bin` },
        { PATH: '' },
        { PERL5OPT: `-I${evil} -MEvil` },
        { PERL5LIB: evil, PERL5OPT: '-MEvil' },
        { PERL5DB: 'BEGIN { print 1; exit }', PERL_SIGNALS: 'unsafe' },
        { NODE_OPTIONS: `--require ${join(evil, 'perl')}` },
        { CURL_HOME: evil, http_proxy: 'http://127.0.0.1:1' },
        { LC_ALL: 'xx_XX.nowhere', LANG: 'xx' },
        { IFS: 'e', PS4: '$(exit 0)' },
        { COUNTERSIGN_POLICY: join(evil, 'policy.yaml'), COUNTERSIGN_HOME: evil, USER: 'root' },
        { input: EVENT, answer: `${ALLOW}\n.`, event: 'answered', socket: '/dev/null', home: evil, limit: '0', path: evil, watch: 'exit' },
        { CLAUDE_CODE_ENTRYPOINT: `cli"; print '${ALLOW}'; \r\nx-evil: 1` },
      ]
      const told = `set -- "$COUNTERSIGN_HOME" "\${COUNTERSIGN_POLICY-unset}" "\${USER-unset}" "\${NODE_OPTIONS-unset}"; printf '%s|' "$@" > "$1/told"; cat >/dev/null; printf '%s\\n.\\n' '${DENY}'`
      const head = { heard: '' }
      const sealed = `${DENY}\n.\n`
      for (const serving of [true, false]) {
        const server = serving
          ? await listen((socket, bytes) => {
              head.heard += bytes
              if (head.heard.includes('tool_input')) socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealed}`)
            })
          : null
        for (const environment of environments) {
          head.heard = ''
          const run = await through({ name: 'watched', script: told, environment })
          expect([serving, environment, run.status, run.stdout.trim()]).toEqual([serving, environment, 0, DENY])
          if (serving) expect(head.heard).not.toContain('\r\nx-evil')
          else expect(readFileSync(join(home.state, 'told'), 'utf8')).toBe(`${home.state}|unset|unset|unset|`)
        }
        if (server !== null) await close(server)
      }
    },
    60_000,
  )
})

const sockets = new Set<Socket>()

function listen(behave: (socket: Socket, bytes: Buffer) => void): Promise<Server> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => behave(socket, bytes))
  })
  return new Promise((resolve) => server.listen(join(home.state, 'run/gate.sock'), () => resolve(server)))
}

function close(server: Server): Promise<void> {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  return new Promise((resolve) => server.close(() => resolve()))
}
