/** A server on the official SDK: it notes what it ran, so that nobody has to believe what it says. */
import { appendFileSync } from 'node:fs'
import { acceptedContent, fromJsonSchema, inputRequired, McpServer, type McpServerFactory } from '@modelcontextprotocol/server'

const marker = process.env.MARKER ?? ''

function ran(name: string, args: unknown): { content: { type: 'text'; text: string }[] } {
  appendFileSync(marker, `${name} ${JSON.stringify(args)}\n`)
  return { content: [{ type: 'text', text: `${name} ran` }] }
}

const anything = () => fromJsonSchema<Record<string, unknown>>({ type: 'object', properties: { id: { type: 'number' } } })

export const factory: McpServerFactory = ({ era }) => {
  const server = new McpServer({ name: 'fixture', version: '1' }, { capabilities: { logging: {}, tools: { listChanged: true } } })
  for (const name of ['echo', 'forbidden', 'delete_account'])
    server.registerTool(name, { description: `the tool ${name}`, inputSchema: anything() }, async (args) => ran(name, args))
  server.registerTool('progress', { description: 'tells how far it is', inputSchema: anything() }, async (args, ctx) => {
    const token = ctx.mcpReq._meta?.progressToken
    for (let progress = 1; token !== undefined && progress <= 3; progress += 1)
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress, total: 3 } })
    return ran('progress', args)
  })
  server.registerTool('asks', { description: 'asks the user something', inputSchema: anything() }, async (args, ctx) => {
    if (era === 'modern') {
      const said = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'who')
      if (said === undefined) return inputRequired({ inputRequests: { who: inputRequired.elicit(QUESTION) }, requestState: 'state-1' })
      return ran('asks', { ...args, said })
    }
    const { content } = await server.server.elicitInput(QUESTION)
    return ran('asks', { ...args, said: content })
  })
  return server
}

const QUESTION = {
  mode: 'form' as const,
  message: 'Who?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] },
}
