/**
 * An editor, an agent, and the gate between them: ordinary work goes on, what is destructive is asked about at the editor, and what is denied
 * never reaches it. Needs `npm ci && npm run build`; works in a directory of its own and takes it away again.
 *
 *   node examples/acp/demo.mjs
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

const CLI = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const AGENT = fileURLToPath(new URL('agent.mjs', import.meta.url))

const home = mkdtempSync(join(tmpdir(), 'countersign-demo-'))
const project = join(home, 'project')
const env = { PATH: process.env.PATH ?? '', HOME: home, COUNTERSIGN_HOME: join(home, '.countersign'), NO_COLOR: '1' }
const policy = join(home, 'countersign.yaml')

/** What the demo has to show; anything else is a failure. */
function shows(what, holds) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) process.exitCode = 1
}

const [asked, ran] = [[], []]
let answer = 'no'
let said = ''
let heard = () => {}

const editor = client({ name: 'demo-editor' })
  .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
    asked.push(options.map(({ name }) => name).join(', '))
    const why = toolCall.content?.at(-1)?.content?.text
    console.log(`? ${toolCall.title}\n  ${why}\n  ${asked.at(-1)} → ${answer}`)
    const chosen = options.find(({ kind }) => kind === (answer === 'yes' ? 'allow_once' : 'reject_once'))
    return { outcome: { outcome: 'selected', optionId: chosen.optionId } }
  })
  .onRequest(methods.client.fs.writeTextFile, ({ params: { path, content } }) => {
    writeFileSync(path, content)
    return {}
  })
  .onRequest(methods.client.terminal.create, ({ params: { command } }) => {
    ran.push(command)
    return { terminalId: `t-${ran.length}` }
  })
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate !== 'agent_message_chunk') return
    said += update.content.text
    heard()
  })

try {
  mkdirSync(project)
  writeFileSync(policy, 'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\n')
  const child = spawn(process.execPath, [CLI, 'acp', '--policy', policy, '--', process.execPath, AGENT], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { agent } = editor.connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)))
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities })
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: project, mcpServers: [] })
  const prompt = async (text) => {
    said = ''
    // What the agent says may be handed over after the end of its turn.
    const answered = new Promise((resolve) => {
      heard = resolve
    })
    console.log(`\n> ${text.replaceAll(home, '~')}`)
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
    await answered
    console.log(`< ${said.trim().replaceAll(home, '~')}`)
  }

  const notes = join(project, 'NOTES.md')
  await prompt(`write ${notes}: Release on Friday.`)
  shows('an ordinary change runs, and nobody is asked', readFileSync(notes, 'utf8') === 'Release on Friday.' && asked.length === 0)
  await prompt('run git status')
  shows('an ordinary command runs, and nobody is asked', ran.join() === 'git status' && asked.length === 0)
  await prompt('run git push --force origin main')
  shows('a push that drops history is asked about at the editor, and does not run', asked.length === 1 && ran.length === 1)
  answer = 'yes'
  await prompt('ask to run git push --force origin main')
  shows('agreed to, it runs, and the person is asked once', asked.length === 2 && ran.at(-1) === 'git push --force origin main')
  shows(
    'no answer that would end all questions is offered',
    asked.every((names) => !names.includes('Always')),
  )
  const own = join(home, '.countersign', 'countersign.yaml')
  await prompt(`write ${own}: default: allow`)
  shows("the gate's own policy is not written, and nobody is asked", !existsSync(own) && asked.length === 2)
  child.stdin.end()
  await new Promise((resolve) => child.once('close', resolve))

  console.log('\n$ countersign audit verify')
  process.stdout.write(execFileSync(process.execPath, [CLI, 'audit', 'verify'], { env, encoding: 'utf8' }).replaceAll(home, '~'))
} finally {
  rmSync(home, { recursive: true, force: true })
}
