/** Which process stands for the client. Labels were written before any answer was looked at. */
import { describe, expect, test } from 'vitest'
import { hostProcess, type Process } from './host-process.ts'

const PROXY = 'countersign mcp --name mail -- npx -y mail-server'

/** Processes from the one that started the proxy upwards, as their command lines. */
type Chain = readonly (readonly string[])[]

function hostOf(chain: Chain): string | null {
  const processes = chain.map((words, at): Process => ({ pid: 100 + at, parent: 101 + at, started: '1', words }))
  return hostProcess(100, (pid) => processes[pid - 100] ?? null)?.words.join(' ') ?? null
}

const words = (line: string): readonly string[] => line.split(' ')
const TERMINAL: Chain = [['-bash'], ['tmux'], ['systemd', '--user'], ['systemd']]

const INLINE = ['claude', '--mcp-config', '{"command":"countersign","args":["mcp"]}']

const CASES: readonly (readonly [title: string, chain: Chain, host: string | null])[] = [
  ['the client itself', [['claude'], ...TERMINAL], 'claude'],
  ['a client that is a program of Node', [['node', '/opt/gemini/bundle/gemini.js'], ...TERMINAL], 'node /opt/gemini/bundle/gemini.js'],
  ['a shell that the client gave the command line to', [['sh', '-c', ...words(PROXY)], ['Cursor Helper'], ['Cursor']], 'Cursor Helper'],
  ['npx', [words(`npm exec ${PROXY}`), ['codex']], 'codex'],
  ['npx in a shell', [words(`npm exec ${PROXY}`), ['/bin/sh', '-c', ...words(`npx ${PROXY}`)], ['codex']], 'codex'],
  ['our own program in the place of the name', [['node', '/opt/dist/cli/bin.js', 'mcp', '--name', 'x'], ['codex']], 'codex'],
  ['env', [words(`env A=1 ${PROXY}`), ['codex']], 'codex'],
  ['a script of the shell', [['bash', './mail.sh'], ['codex']], 'codex'],
  ['a person at a shell', [['bash'], ['tmux']], 'bash'],
  ['a person at a login shell', TERMINAL, '-bash'],
  ['a client that was given its servers in its command line', [INLINE, ...TERMINAL], INLINE.join(' ')],
  ['nobody is left', [['systemd']], null],
  ['nobody is left in a container', [['/sbin/docker-init', '--', 'codex']], null],
  ['a client that is the first process of a container', [['codex']], 'codex'],
  ['it is gone', [], null],
  ['launchers without end', Array.from({ length: 30 }, () => words(`env ${PROXY}`)), null],
]

describe('the process that had the proxy started', () => {
  for (const [title, chain, host] of CASES)
    test(title, () => {
      expect(hostOf(chain)).toBe(host)
    })
})
