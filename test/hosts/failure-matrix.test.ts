/** Whatever happens to the gate, the host sees a denial: every way to die, with real processes (T30). */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hookCommand, shimScript } from '../../src/adapters/hooks/claude-code/shim.ts'
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

/** A PATH on which only these programs are found. */
function pathWith(...programs: readonly string[]): string {
  const directory = join(home.state, `path-${programs.join('-') || 'bare'}`)
  if (existsSync(directory)) return directory
  mkdirSync(directory)
  for (const program of [...programs, 'sh', 'cat', 'env', 'timeout', 'sleep']) {
    const real = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    symlinkSync(real, join(directory, program))
  }
  return directory
}

interface Gate {
  readonly name: string
  readonly script: string | null
  readonly node?: string
  readonly path?: string
}

/** The shim over a stand-in for the gate: `sh` runs the script that the case describes. */
async function through({ name, script, node = '/bin/sh', path }: Gate): Promise<Run> {
  const program = join(home.state, `${name}.sh`)
  if (script !== null) writeFileSync(program, script)
  const shim = join(home.state, `${name}-hook`)
  writeFileSync(shim, shimScript({ home: home.state, node, program, seconds: 1 }))
  chmodSync(shim, 0o700)
  return runHook(hookCommand(shim), EVENT, { ...home.environment, ...(path === undefined ? {} : { PATH: path }) })
}

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
          const rescued = await through({ name: 'alive', script: `printf '%s\\n.\\n' '${DENY}'`, path })
          expect([name, rescued.status, permission(rescued.stdout)]).toEqual([name, 0, 'deny'])
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

  proves('T31', 'without any client the stand-in decides', async () => {
    const server = await listen((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${sealed.length}\r\n\r\n${sealed}`))
    expectRefused('no client', await through({ name: 'alone', script: 'exit 1', path: pathWith() }))
    await close(server)
  })
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
