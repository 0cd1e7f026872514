/** A scripted model on loopback for agents of frameworks: it asks for one call after the other, then says that it is done. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Body, WIRES } from './wires.ts'

export interface ScriptedModel {
  readonly url: string
  /** What the agent sent after each call that the model asked for. */
  readonly told: () => readonly string[]
  readonly close: () => void
}

/** `tools`: the tools that it asks for, in turn, by the last part of the name under which the agent offers them. */
export async function scriptedModel(tools: readonly string[], args: Body): Promise<ScriptedModel> {
  let calls = 0
  let prefix: string | null = null
  const told: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const wire = WIRES.find(({ at }) => at.test(request.url ?? ''))
      if (wire === undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}')
      // A request that neither begins with these tools nor answers the last call is one beside the conversation.
      const answers = calls > 0 && text.includes(`call_${calls}"`)
      if (answers) told[calls - 1] = text
      const name = tools[calls]
      if (calls === 0 && name !== undefined) prefix = new RegExp(`"name":"((?:[\\w-]+__)?)${name}"`).exec(text)?.[1] ?? null
      const asks = name !== undefined && prefix !== null && (answers || calls === 0)
      const streamed = text.includes('"stream":true')
      wire.answer(response, asks ? { id: `call_${++calls}`, name: `${prefix}${name}`, args } : 'Done.', streamed)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: () => told,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
