/** An agent on the official SDK that does what the prompt says: steps as JSON. It answers with what became of each. */
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

interface Step {
  readonly request?: string
  readonly notify?: string
  readonly params?: Record<string, unknown>
  /** Milliseconds that a cancelled turn is waited for. */
  readonly wait?: number
}

let stopped: () => void = () => {}
let cancelled: Promise<void> = Promise.resolve()

const app = agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 's-1' }))
  .onNotification(methods.agent.session.cancel, () => stopped())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [block] = params.prompt
    const steps = JSON.parse(block?.type === 'text' ? block.text : '[]') as readonly Step[]
    const { sessionId } = params
    const became: unknown[] = []
    let ended = false
    cancelled = new Promise((resolve) => {
      stopped = () => {
        ended = true
        resolve()
      }
    })
    for (const { request, notify, params: given = {}, wait } of steps) {
      if (request !== undefined)
        became.push(
          await client.request(request, { sessionId, ...given }).then(
            (result) => ({ result }),
            ({ code, data }: { code?: number; data?: unknown }) => ({ error: { code, data } }),
          ),
        )
      if (notify !== undefined) await client.notify(notify, { sessionId, ...given })
      if (wait !== undefined) await Promise.race([cancelled, new Promise((resolve) => setTimeout(resolve, wait))])
    }
    const content = { type: 'text' as const, text: `became: ${JSON.stringify(became)}` }
    await client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } })
    return { stopReason: ended ? 'cancelled' : 'end_turn' }
  })

app.connect(
  ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
)
