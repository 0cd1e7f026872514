/**
 * A day of agents at one gate: `npm run soak:serve -- --decisions 300000`. Sessions begin, work (commands, files, calls of an MCP server, results that are
 * looked through, an ask now and then) and end, over HTTP at a real `countersign serve`. Fails where an answer is none, or where memory grows by more
 * than a tenth between the middle of the run and its end. Linux only.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { COMMANDS } from '../bench/commands.ts'
import { started } from '../bench/servers.ts'
import { addToken } from '../src/server/auth/tokens.ts'
import { CLI, makeHome, stop } from '../test/hosts/harness.ts'

const { values } = parseArgs({
  options: {
    decisions: { type: 'string', default: '300000' },
    callers: { type: 'string', default: '8' },
    /** Decisions of one session. */
    session: { type: 'string', default: '60' },
    /** Lines printed on the way. */
    points: { type: 'string', default: '20' },
  },
})
const [decisions, callers, perSession, points] = [values.decisions, values.callers, values.session, values.points].map(Number) as [
  number,
  number,
  number,
  number,
]
const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code, mcp-filesystem]
rules: { read_only: { auto_allow: true }, allow: [{ when: '!effects.exists(e, e.action == "net:send")', reason: work }] }
server: { rates: { agents: 10000000 } }
`
const home = makeHome()
const environment = { ...home.environment, COUNTERSIGN_POLICY: join(home.user, 'countersign.yaml') }
writeFileSync(environment.COUNTERSIGN_POLICY, POLICY)
const names = { name: 'soak', role: 'agent', tenant: null, as: { role: null, user: null }, expiresAt: null } as const
const token = addToken(home.state, names, Date.now()).secret
const agent = new Agent({ keepAlive: true, maxSockets: callers })

/** The call that a session makes as its nth: no two sessions say the same words. */
function callOf(index: number): { readonly tool: string; readonly args: object } {
  const own = `task-${Math.floor(index / perSession)}`
  const file = join(home.user, own, `part-${index % perSession}.ts`)
  const command = COMMANDS[index % COMMANDS.length] ?? 'true'
  const kinds = [
    { tool: 'Bash', args: { command } },
    { tool: 'Bash', args: { command: `${command.replaceAll('src', own)}; echo ${index}` } },
    { tool: 'Write', args: { file_path: file, content: `export const n${index} = ${index}\n`.repeat(1 + (index % 200)) } },
    { tool: 'Edit', args: { file_path: file, old_string: `n${index}`, new_string: `m${index}` } },
    { tool: 'Bash', args: { command: `python3 -c "print(${index})" > ${own}/out && node ${own}/part-${index % 7}.ts` } },
    { tool: 'mcp__filesystem__read_file', args: { path: file } },
    { tool: 'Bash', args: { command: `curl -s https://example.org/${own}/${index} | head -c 100` } },
  ]
  return kinds[index % kinds.length] as { readonly tool: string; readonly args: object }
}

interface Answer {
  readonly status: number
  readonly id: string
}

function post(url: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const said = JSON.parse(Buffer.concat(parts).toString() || '{}') as { readonly decision_id?: string; readonly id?: string }
        resolve({ status: answer.statusCode ?? 0, id: said.decision_id ?? said.id ?? '' })
      })
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

const { child, url } = await started([CLI, 'serve', '--listen', '127.0.0.1:0'], environment)
/** Resident memory of the server, in MiB. */
const memory = (): number => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024)
const seen: Record<number, number> = {}
let next = 0

async function caller(end: number): Promise<void> {
  for (let index = next++; index < end; index = next++) {
    const call = { ...callOf(index), session: `s-${Math.floor(index / perSession)}`, cwd: home.user, call_id: `c-${index}` }
    const { status } = await post(`${url}/v1/decisions`, call)
    seen[status] = (seen[status] ?? 0) + 1
    if (status !== 200 || index % 3 !== 0) continue
    const told = await post(`${url}/v1/results`, { ...call, result: `line of ${index}\n`.repeat(1 + (index % 400)) })
    if (told.status >= 400) seen[told.status] = (seen[told.status] ?? 0) + 1
  }
}

try {
  const curve: number[] = []
  for (let point = 1; point <= points; point++) {
    const end = Math.round((decisions * point) / points)
    next = Math.round((decisions * (point - 1)) / points)
    await Promise.all(Array.from({ length: callers }, () => caller(end)))
    curve.push(memory())
    console.log(JSON.stringify({ decisions: end, mebibytes: curve.at(-1), seen }))
  }
  const middle = Math.max(...curve.slice(Math.floor(points / 2) - 2, Math.floor(points / 2) + 1))
  const end = Math.max(...curve.slice(-3))
  const wrong = Object.keys(seen).filter((status) => !['200', '202', '403'].includes(status))
  console.log(JSON.stringify({ decisions, middle, end, wrong }))
  process.exitCode = wrong.length === 0 && end <= middle * 1.1 ? 0 : 1
} finally {
  agent.destroy()
  await stop(child)
  home.remove()
}
