/** A small agent on the official SDK. It does what it is told to: the words after `run`, `write` and `ask to run` of the prompt. */
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

agent({ name: 'demo-agent' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 'demo' }))
  .onNotification(methods.agent.session.cancel, () => {})
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const [, act, rest] = /^(run|write|ask to run) (.*)$/s.exec(prompt[0].text)
    const done = await step(client, sessionId, { act, rest }).catch((error) => error.message)
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: done } },
    })
    return { stopReason: 'end_turn' }
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))

async function step(client, sessionId, { act, rest }) {
  if (act === 'write') {
    const [path, content] = rest.split(': ')
    await client.request(methods.client.fs.writeTextFile, { sessionId, path, content })
    return `wrote ${path}`
  }
  if (act === 'ask to run') {
    const toolCall = { toolCallId: 'call-1', title: rest, kind: 'execute', rawInput: { command: rest } }
    const { outcome } = await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options: OPTIONS })
    if (outcome.optionId !== 'yes') return 'I was told not to'
  }
  await client.request(methods.client.terminal.create, { sessionId, command: rest })
  return `ran ${rest}`
}
