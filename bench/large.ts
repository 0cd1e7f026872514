/** Calls of some megabytes, and what other calls wait beside them. The server is a process of its own. */
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { addToken } from '../src/server/auth/tokens.ts'
import { CLI, event, makeHome, stop } from '../test/hosts/harness.ts'
import { type Report, round, summary } from './measure.ts'
import { started } from './servers.ts'

const POLICY = 'version: 1\ntool_families: [claude-code]\nlimits: { max_bytes: 10485760 }\nserver: { rates: { agents: 10000000 } }\n'
const MEGABYTES = [0, 1, 3, 9]
const ROUNDS = 5
/** Decisions before the clock counts. */
const WARM = 5_000

export async function large(): Promise<readonly Report[]> {
  const home = makeHome()
  const agent = { name: 'bench', role: 'agent', tenant: null, as: { role: null, user: null }, expiresAt: null } as const
  const token = addToken(home.state, agent, Date.now()).secret
  const environment = { ...home.environment, COUNTERSIGN_POLICY: join(home.user, 'countersign.yaml') }
  writeFileSync(environment.COUNTERSIGN_POLICY, POLICY)
  const gate = await started([CLI, 'serve', '--listen', '127.0.0.1:0'], environment)
  const post = posting({ url: gate.url, token })
  const small = event('git status', 'toolu_small')
  try {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < WARM / 8; i++) await post(small)
      }),
    )
    const rows: (string | number)[][] = []
    for (const megabytes of MEGABYTES) {
      const seen = []
      for (let i = 0; i < ROUNDS; i++) seen.push(await beside(post, { small, large: writeOf(megabytes, `toolu_${megabytes}_${i}`) }))
      const took = summary(
        '',
        seen.map(({ took }) => took),
      ).p50
      // The median of the rounds: in each some other work of the machine may fall on one small call.
      const longest = summary(
        '',
        seen.map(({ longest }) => longest),
      ).p50
      const name = megabytes === 0 ? 'nothing large, for comparison' : `Write of ${megabytes} MB`
      rows.push([name, megabytes === 0 ? '-' : round(took / 1000), round(longest / 1000)])
    }
    const notes = [`Small calls one after the other, each to be answered before the next; the median of ${ROUNDS} rounds.`]
    return [{ title: 'Large calls', columns: ['', 'ms', 'longest small call beside it, ms'], rows, notes }]
  } finally {
    await stop(gate.child)
    home.remove()
  }
}

/** As bytes: a text would be encoded by this process while it waits for small calls, and they would seem to take that long. */
function writeOf(megabytes: number, id: string): Buffer {
  const line = 'The quick brown fox jumps over the lazy dog, again and again; nothing here is a secret.\n'
  const content = line.repeat(Math.ceil((megabytes * 1e6) / line.length))
  const base = JSON.parse(event('', id)) as Record<string, unknown>
  return Buffer.from(JSON.stringify({ ...base, tool_name: 'Write', tool_input: { file_path: join('/tmp', `${id}.txt`), content } }))
}

type Post = (body: string | Buffer) => Promise<void>

/** Microseconds that the large call took, and the slowest of the small ones that were asked meanwhile. */
async function beside(post: Post, { small, large: body }: { readonly small: string; readonly large: Buffer }) {
  let over = false
  let longest = 0
  const others = (async () => {
    for (let i = 0; i < 50 || !over; i++) {
      const started = performance.now()
      await post(small)
      longest = Math.max(longest, (performance.now() - started) * 1000)
    }
  })()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const started = performance.now()
  await post(body)
  const took = (performance.now() - started) * 1000
  over = true
  await others
  return { took, longest }
}

function posting({ url, token }: { readonly url: string; readonly token: string }): Post {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return (body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request(`${url}/v1/hooks/claude-code`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => (response.statusCode === 200 && text.includes('{') ? resolve() : reject(new Error(text.slice(0, 200)))))
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
