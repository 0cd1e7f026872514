/** Whatever happens to the gate, the host sees a denial: every way to die, with real processes (T30). */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hookKey, nonceOf, sealed } from '../../src/hosts/seal.ts'
import { hookCommand, quote, shimScript } from '../../src/hosts/shim.ts'
import { proves } from '../proves.ts'
import { CLI, event, type Home, makeHome, permission, type Run, runHook } from './harness.ts'

/** Not only ASCII: lengths are counted in bytes. */
const EVENT = event("echo 'ü 日本'")
const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}'

/** A home each for those who wait side by side. */
const PLACES = ['perl', 'curl'] as const

let home: Home
let homes: Readonly<Record<(typeof PLACES)[number], Home>>
beforeAll(() => {
  home = newHome()
  homes = { perl: newHome(), curl: newHome() }
})
afterAll(() => {
  for (const each of [home, ...Object.values(homes)]) each.remove()
})

function newHome(): Home {
  const made = makeHome()
  mkdirSync(join(made.state, 'run'), { recursive: true, mode: 0o700 })
  hookKey(made.state)
  return made
}

/** A directory in which only these programs are found; the shim looks for programs in no other. */
function pathWith(...programs: readonly string[]): string {
  const directory = join(home.state, `path-${programs.join('-') || 'bare'}`)
  if (existsSync(directory)) return directory
  mkdirSync(directory)
  for (const program of [
    ...programs.filter((name) => !name.startsWith('fake-')),
    'sh',
    'cat',
    'env',
    'timeout',
    'sleep',
    'sha256sum',
    'stat',
    'od',
    'tr',
  ]) {
    const real = execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    symlinkSync(real, join(directory, program))
  }
  return directory
}

const PATIENCE = 30

interface Gate {
  readonly name: string
  readonly script: string | null
  readonly node?: string
  /** Where the shim finds its programs; default where the system keeps them. */
  readonly path?: string
  /** What the host hands in; default the event. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Default: the one that all share. */
  readonly at?: Home
  /** What the gate has for an answer; default so long that a loaded machine does not make a refusal of an answer. */
  readonly seconds?: number
}

/** The shim over a stand-in for the gate: `sh` runs the script that the case describes. */
async function through({
  name,
  script,
  node = '/bin/sh',
  path,
  input = EVENT,
  environment = {},
  at = home,
  seconds = PATIENCE,
}: Gate): Promise<Run> {
  const program = join(at.state, `${name}.sh`)
  if (script !== null) writeFileSync(program, script)
  const shim = join(at.state, `${name}-hook`)
  const text = shimScript({
    agent: 'claude-code',
    title: 'a test',
    entrypoint: null,
    home: at.state,
    node,
    program,
    pin: null,
    seconds,
    ...(path === undefined ? {} : { path }),
  })
  writeFileSync(shim, text)
  chmodSync(shim, 0o700)
  return runHook(hookCommand(shim, text), input, { ...at.environment, ...environment })
}

/** The directory with a client of its own making. */
function pathWithClient(name: string, client: string): string {
  const directory = pathWith(`fake-${name}`)
  const program = join(directory, 'perl')
  writeFileSync(program, `#!/bin/sh\n${client}\n`)
  chmodSync(program, 0o700)
  return directory
}

/** Shell that says this answer as the gate does: under the seal over the event in the file, which it was handed. */
function sealing(answer: string, file = '"$COUNTERSIGN_HOME/heard"'): string {
  return `k=$(cat "$COUNTERSIGN_HOME/keys/hook.key"); e=$(cat ${file}; echo .); e=\${e%.}; t=$(printf '%s\\n' "$k" "$COUNTERSIGN_NONCE" "$e" '${answer}' "$k" | sha256sum); printf '%s\\n.%s\\n' '${answer}' "\${t%% *}"`
}

/** A stand-in that keeps what it was handed and says a whole denial. */
const LISTENING = `PATH=/usr/bin:/bin; cat > "$COUNTERSIGN_HOME/heard"; ${sealing(DENY)}`
const heardBy = (at = home): string => readFileSync(join(at.state, 'heard'), 'utf8')

function expectRefused(name: string, run: Run): void {
  expect([name, run.status, run.stdout]).toEqual([name, 2, ''])
  expect(run.stderr.trim()).not.toBe('')
}

describe('the process that stands in for the daemon', () => {
  const deaths: readonly (readonly [string, string | null])[] = [
    ['exit-1', 'echo oops; exit 1'],
    ['exit-1-with-a-sealed-deny', `${LISTENING}; exit 1`],
    ['exit-0-empty', 'exit 0'],
    ['exit-127', 'exit 127'],
    ['not-json', 'echo hello'],
    ['log-line-first', `echo starting; ${LISTENING}`],
    ['a-line-after-it', `${LISTENING}; echo done`],
    ['half-json', `printf '%s' '${DENY.slice(0, 40)}'`],
    ['half-json-that-ends-well', `printf '%s\\n' '${DENY.slice(0, -1)}'`],
    ['whole-json-without-seal', `printf '%s\\n' '${DENY}'`],
    ['the-mark-of-a-seal-alone', `printf '%s\\n.\\n' '${DENY}'`],
    ['a-seal-of-somebody-else', `printf '%s\\n.%s\\n' '${DENY}' ${'ab'.repeat(32)}`],
    ['a-seal-over-another-event', `cat >/dev/null; echo other > "$COUNTERSIGN_HOME/other"; ${sealing(DENY, '"$COUNTERSIGN_HOME/other"')}`],
    ['a-seal-of-before', `cat > "$COUNTERSIGN_HOME/heard"; COUNTERSIGN_NONCE=${'0'.repeat(32)}; ${sealing(DENY)}`],
    ['two-lines-under-one-seal', `cat > "$COUNTERSIGN_HOME/heard"; ${sealing('{"a":1}\n{"b":2}')}`],
    ['sealed-but-no-object', `cat > "$COUNTERSIGN_HOME/heard"; ${sealing('"x"')}`],
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
      const hangs = ([name]: (typeof deaths)[number]) => name.startsWith('hang')
      const ended = await Promise.all(
        deaths.filter(hangs).map(async ([name, script]) => ({ name, run: await through({ name, script, seconds: 1 }) })),
      )
      for (const { name, run } of ended) expectRefused(name, run)
      for (const [name, script] of deaths.filter((death) => !hangs(death))) expectRefused(name, await through({ name, script }))
      expectRefused('missing-node', await through({ name: 'missing-node', script: 'exit 0', node: '/nonexistent/node' }))
      const whole = await through({ name: 'whole', script: LISTENING })
      expect([whole.status, permission(whole.stdout), whole.stdout.trim()]).toEqual([0, 'deny', DENY])
    },
    180_000,
  )

  proves(['T30', 'T31'], 'a denial that cannot be written is exit 2: stdout closed, full, or read by nobody', async () => {
    await through({ name: 'unread', script: LISTENING })
    const shim = join(home.state, 'unread-hook')
    const installed = hookCommand(shim, readFileSync(shim, 'utf8'))
    const status = join(home.state, 'status')
    for (const [who, command] of [
      ['installed, dash', `dash -c ${quote(installed)}`],
      ['installed, bash', `bash -c ${quote(installed)}`],
      ['the command line', `${quote(process.execPath)} ${quote(CLI)} hook claude-code`],
    ] as const) {
      for (const [name, line] of [
        ['closed', `${command} >&-; echo $? > ${quote(status)}`],
        ['full', `${command} >/dev/full; echo $? > ${quote(status)}`],
        ['nobody', `{ sleep 0.2; ${command}; echo $? > ${quote(status)}; } | true; while [ ! -s ${quote(status)} ]; do sleep 0.05; done`],
      ] as const) {
        rmSync(status, { force: true })
        const { stderr } = await runHook(line, EVENT, home.environment)
        expect([who, name, readFileSync(status, 'utf8').trim()]).toEqual([who, name, '2'])
        if (name !== 'nobody') expect(stderr).toContain('countersign: ')
      }
    }
  })

  proves('T30', 'a missing, unreadable or broken hook script is a refusal, too', async () => {
    const broken = join(home.state, 'broken-hook')
    writeFileSync(broken, '\u0000\u0001not a script')
    chmodSync(broken, 0o700)
    const plain = join(home.state, 'plain-hook')
    writeFileSync(plain, '#!/bin/sh\nexit 0\n', { mode: 0o600 })
    const text = (script: string) => (script === '/nonexistent/hook' ? '' : readFileSync(script, 'utf8'))
    for (const script of ['/nonexistent/hook', broken, plain])
      expectRefused(script, await runHook(hookCommand(script, text(script)), EVENT, home.environment))
  })

  proves('T30', 'the command starts no script but the one that was installed, and takes no exit code for an answer', async () => {
    const path = join(home.state, 'other-hook')
    const installed = '#!/bin/sh\nexit 0\n'
    for (const [name, text] of [
      ['empty', ''],
      ['exits well', '#!/bin/sh\nexit 0\n# changed'],
      ['answers well', `#!/bin/sh\nprintf '%s .\\n' '{}'\n`],
      ['garbage', '\u0000\u0001'],
      ['the one that was installed, which says nothing', installed],
    ] as const) {
      writeFileSync(path, text, { mode: 0o700 })
      expectRefused(name, await runHook(hookCommand(path, installed), EVENT, home.environment))
    }
  })
})

/** What a stand-in for the daemon does with what it is sent; the home tells whose key it has. */
type Behaviour = (socket: Socket, bytes: Buffer, at: Home) => void
type Answer = readonly [name: string, behave: Behaviour]

describe('the daemon', () => {
  const answers: readonly Answer[] = [
    ['resets', (socket) => socket.destroy()],
    ['500', (socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\n{}')],
    ['500 with a sealed body', (socket, request, at) => socket.end(`HTTP/1.1 500 Oops\r\n\r\n${sealOf(request, { at })}`)],
    ['403 with a sealed body', (socket, request, at) => socket.end(`HTTP/1.1 403 No\r\n\r\n${sealOf(request, { at })}`)],
    ['garbage', (socket) => socket.end('hello')],
    ['a sealed body without a head', (socket, request, at) => socket.end(sealOf(request, { at }))],
    ['empty 200', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
    ['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
    ['cut body', (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n${DENY}\n`)],
    ['body without seal', (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${DENY.length}\r\n\r\n${DENY}`)],
    [
      'a sealed body that is no object',
      (socket, request, at) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealOf(request, { answer: '"x"', at })}`),
    ],
    ['an impostor that knows no key', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${DENY}\n.${'0'.repeat(64)}\n`)],
    ['one that only has the mark of a seal', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${DENY}\n.\n`)],
    [
      'the answer to another event',
      (socket, request, at) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealOf(request, { about: event('true'), at })}`),
    ],
    [
      'an answer of before',
      (socket, _, at) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealOf(`x-countersign-nonce: ${'0'.repeat(32)}\r\n`, { at })}`),
    ],
    [
      'two lines under one seal',
      (socket, request, at) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealOf(request, { answer: '{}\n{}', at })}`),
    ],
    ['a seal in the middle', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n{\n.\n${DENY.slice(0, 30)}`)],
  ]
  /** What is waited for until it is given up: side by side, in homes of their own. */
  const silent: readonly Answer[] = [
    ['hangs', () => {}],
    ['half an answer, then silence', (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${DENY.slice(0, 30)}`)],
  ]

  describe.concurrent.each(PLACES)('that is asked by %s', (client) => {
    proves(['T30', 'T31'], 'is passed over where it fails in any way; when the stand-in fails as well, the call is refused', async () => {
      const path = pathWith(client)
      const isPassedOver = async ([name, behave]: Answer, at: Home): Promise<void> => {
        const server = await listen(behave, at)
        const [refused, rescued] = await Promise.all([
          through({ name: 'dead', script: 'exit 1', path, at }),
          through({ name: 'alive', script: LISTENING, path, at }),
        ])
        expectRefused(name, refused)
        expect([name, rescued.status, permission(rescued.stdout), heardBy(at)]).toEqual([name, 0, 'deny', EVENT])
        await close(server)
      }
      const waited = silent.map(async (answer) => {
        const at = newHome()
        await isPassedOver(answer, at).finally(at.remove)
      })
      for (const answer of answers) await isPassedOver(answer, homes[client])
      await Promise.all(waited)
    })
  })

  for (const client of PLACES) {
    proves('T30', `${client}: a whole answer passes as it is, and the daemon hears exactly the event`, async () => {
      let heard = ''
      const server = await listen((socket, bytes) => {
        heard += bytes
        if (heard.includes('"tool_input"')) socket.end(`HTTP/1.1 200 OK\r\n\r\n\n\n${sealOf(heard)}`)
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
          // Where the shell reads the event it drops line ends at its end, and JSON does not care.
          const handed = client === 'perl' ? input : input.replace(/\n$/, '')
          const server = await listen((socket, bytes) => {
            chunks.push(bytes)
            // Everything has come once the last byte of the event has.
            if (Buffer.concat(chunks).indexOf('\r\n\r\n') + 4 + Buffer.byteLength(handed) <= Buffer.concat(chunks).length) socket.destroy()
          })
          const run = await through({ name: 'large', script: LISTENING, path: pathWith(client), input })
          await close(server)
          const all = Buffer.concat(chunks).toString()
          const sent = all.slice(all.indexOf('\r\n\r\n') + 4)
          expect([client, run.status, sent.trimEnd() === input.trimEnd(), heardBy() === handed]).toEqual([client, 0, true, true])
        }
      }
    },
    180_000,
  )

  /** What a program in the place of the client does, and what comes of the call where the stand-in works. */
  const clients: readonly (readonly [string, string, 'stands in' | 'refused'])[] = [
    ['dies before it reads', 'exit 2', 'refused'],
    ['dies with the status of success', 'exit 0', 'refused'],
    ['dies after it read', 'cat >/dev/null; exit 1', 'refused'],
    ['is killed', 'kill -KILL $$', 'refused'],
    ['is killed after it read', 'cat >/dev/null; kill -SEGV $$', 'refused'],
    ['says half an answer', `printf '%s' '${DENY.slice(0, 30)}'`, 'refused'],
    ['says what looks like an answer', `printf '%s\\n.\\n' '${DENY}'`, 'refused'],
    ['says what looks like an answer and fails', `printf '%s\\n.\\n' '${DENY}'; exit 1`, 'refused'],
    ['hands nothing back', 'cat >/dev/null; exit 10', 'refused'],
    ['hands half of the event back', `IFS= read -r line; printf '%s%.20s' "$7" "$line"; exit 10`, 'refused'],
    ['hands the event back bare', 'cat; exit 10', 'refused'],
    ['hands the event back', `printf %s "$7"; cat; printf %s "$7"; exit 10`, 'stands in'],
    ['hands back what looks like an answer', `cat >/dev/null; printf '%s\\n.\\n' '${DENY}'; exit 10`, 'refused'],
    ['cannot be run', 'exit 126', 'stands in'],
    ['is not there after all', 'exit 127', 'stands in'],
  ]
  proves(
    ['T30', 'T31'],
    'a client that fails is a refusal, or costs its time alone: nothing that another program says is taken for an answer or an event',
    async () => {
      const server = await listen(() => {})
      for (const [name, client, expected] of clients) {
        const path = pathWithClient(name.replaceAll(' ', '-'), client)
        const [refused, run] = await Promise.all([
          through({ name: 'dead-after', script: 'exit 1', path }),
          through({ name: 'alive-after', script: LISTENING, path }),
        ])
        expectRefused(name, refused)
        if (expected === 'refused') expectRefused(name, run)
        else expect([name, run.status, run.stdout.trim(), heardBy()]).toEqual([name, 0, DENY, EVENT])
      }
      await close(server)
    },
    180_000,
  )

  proves('T31', 'without any client the stand-in decides', async () => {
    const server = await listen((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${DENY}\n.\n`))
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
        { LANG: 'C.UTF-8', LC_CTYPE: 'C.UTF-8' },
        { LC_ALL: 'C.UTF-8', LANGUAGE: 'de:fr' },
        { IFS: 'e', PS4: '$(exit 0)' },
        { COUNTERSIGN_POLICY: join(evil, 'policy.yaml'), COUNTERSIGN_HOME: evil, USER: 'root' },
        { input: EVENT, answer: `${ALLOW}\n.`, event: 'answered', socket: '/dev/null', home: evil, limit: '0', path: evil, watch: 'exit' },
        { CLAUDE_CODE_ENTRYPOINT: `cli"; print '${ALLOW}'; \r\nx-evil: 1` },
      ]
      const told = `set -- "$COUNTERSIGN_HOME" "\${COUNTERSIGN_POLICY-unset}" "\${USER-unset}" "\${NODE_OPTIONS-unset}"; printf '%s|' "$@" > "$1/told"; ${LISTENING}`
      const head = { heard: '' }
      for (const serving of [true, false]) {
        const server = serving
          ? await listen((socket, bytes) => {
              head.heard += bytes
              if (head.heard.includes('tool_input')) socket.end(`HTTP/1.1 200 OK\r\n\r\n${sealOf(head.heard)}`)
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
    180_000,
  )
})

interface Sealing {
  readonly answer?: string
  /** The event that the seal stands for. */
  readonly about?: string
  readonly at?: Home
}

/** An answer as the gate seals it for this request. */
function sealOf(request: string | Buffer, { answer = DENY, about = EVENT, at = home }: Sealing = {}): string {
  const nonce = nonceOf(/x-countersign-nonce: (\S+)/i.exec(String(request))?.[1])
  if (nonce === null) throw new Error('the hook sent no number of its own')
  return sealed(answer, { key: hookKey(at.state), nonce, event: Buffer.from(about) })
}

const sockets = new WeakMap<Server, Set<Socket>>()

function listen(behave: Behaviour, at = home): Promise<Server> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => behave(socket, bytes, at))
  })
  sockets.set(server, open)
  return new Promise((resolve) => server.listen(join(at.state, 'run/gate.sock'), () => resolve(server)))
}

function close(server: Server): Promise<void> {
  for (const socket of sockets.get(server) ?? []) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}
