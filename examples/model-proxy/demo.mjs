/**
 * `node examples/model-proxy/demo.mjs`: an agent, a model and `countersign proxy` between them, each a program or server of its own.
 * One call runs at once, one waits until a person says yes, one never arrives. Fails where the transcript is not `transcript.txt`.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { agent } from './agent.mjs'
import { model } from './model.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const countersign = join(here, '../../bin/countersign')
const home = mkdtempSync(join(tmpdir(), 'countersign-demo-'))
const env = { ...process.env, HOME: home, COUNTERSIGN_HOME: join(home, '.countersign'), COUNTERSIGN_DAEMON: 'off' }

const lines = []
const say = (line) => {
  lines.push(line)
  console.log(line)
}

/** The proxy, once it says where it answers. */
function startProxy(upstream) {
  const args = ['proxy', '--upstream', upstream, '--listen', '127.0.0.1:0', '--policy', join(here, 'countersign.yaml')]
  const child = spawn(countersign, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stderr.on('data', (chunk) => {
      printed += chunk
      const url = /answers at (\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve({ child, url })
    })
    child.once('exit', () => reject(new Error(`the proxy did not start: ${printed}`)))
  })
}

const run = async (...args) => (await promisify(execFile)(countersign, args, { env })).stdout

/** A person at another terminal, who looks at what waits and says yes. */
async function person() {
  for (;;) {
    const waiting = /^(apr_\w+)\s+pending.*?(refund_order .*?)\s{2}/m.exec(await run('approvals', 'list'))
    if (waiting === null) continue
    say(`person: sees ${waiting[2]}, says yes`)
    await run('approvals', 'approve', waiting[1])
    return
  }
}

const tools = {
  get_order: ({ order }) => `${order}: a mug, 40 EUR, delivered`,
  refund_order: ({ order, amount }) => `${amount} EUR for ${order} are on their way`,
  run_sql: ({ query }) => `done: ${query}`,
}

await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
const proxy = await startProxy(`http://127.0.0.1:${model.address().port}`)
try {
  const asked = person()
  await agent(`${proxy.url}/v1`, { tools, say })
  await asked
} finally {
  proxy.child.kill()
  model.close()
  model.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
}

const expected = readFileSync(join(here, 'transcript.txt'), 'utf8')
if (`${lines.join('\n')}\n` !== expected) {
  console.error(`\nthe transcript is another one; it should be:\n${expected}`)
  process.exitCode = 1
}
