import { describe, expect, test } from 'vitest'
import { judged, useGate } from '../../projects/harness.ts'

/** Servers that are ended by name: those of the workspace, which an agent started, and those of others. Labels before verdicts. */

useGate()

const PROCESSES = [
  { command: 'node node_modules/.bin/next dev', cwd: '.' },
  { command: 'next-server (v15)', cwd: '.' },
  { command: 'python3 -m http.server 8080', cwd: 'dist' },
  { command: 'node /home/dev/other/server.js', cwd: '/home/dev/other' },
  { command: 'vim src/cart.ts', cwd: '.', terminal: true },
  { command: 'claude', cwd: '.' },
  { command: 'java -jar idea.jar', cwd: '/opt/idea' },
]
const ROWS = {
  runs: [
    'pkill -f "next dev"',
    'pkill -9 -f next-server',
    "pkill -f 'http.server 8080' || true",
    'pkill -f "next dev"; sleep 1; ls',
    'killall next-server',
    'pkill -x next-server',
    'pkill -f nothing-like-it',
    "pgrep -f 'next dev' | xargs kill",
    'pgrep -f "http.server 8080" | xargs -r kill -TERM',
    'kill $(pgrep -f next-server)',
    'for p in $(pgrep -x next-server); do kill -9 $p; done',
  ],
  asks: [
    'pkill node',
    'pkill -f node',
    'killall node',
    'pkill -f cart.ts',
    'pkill claude',
    'pkill -f server',
    'pkill java',
    "pkill -f 'next|java'",
    'pkill -f .',
    'pkill -u dev next-server',
    'pkill -v next-server',
    'sudo pkill -f "next dev"',
    'ssh build.acme.example pkill -f "next dev"',
    'pkill -f "$NAME"',
    'pgrep node | xargs kill',
    'kill $(pgrep -f server)',
    'kill $(pgrep -x next-server; pgrep java)',
    'pgrep -u dev next-server | xargs kill',
    'pgrep -v next-server | xargs kill',
    'pgrep -f "$NAME" | xargs kill',
    'sudo kill $(pgrep -f claude)',
    "ps aux | grep next | awk '{print $2}' | xargs kill",
    'ssh build.acme.example "pgrep -f next-server | xargs kill"',
  ],
} as const

describe.each(['runs', 'asks'] as const)('%s', (label) => {
  for (const command of ROWS[label])
    test(command, async () => expect(await judged({}, [command], { processes: PROCESSES })).toMatchObject({ label }))
})

test('nobody looked what runs', async () => {
  expect(await judged({}, ['pkill -f "next dev"'])).toMatchObject({ label: 'asks' })
})
