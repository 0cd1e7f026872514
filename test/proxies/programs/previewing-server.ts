/** A server on the official SDK whose tools can only show what they would do; it notes what really happened, and whether it was asked to show. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer, type McpServerFactory } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const { MARKER: marker = '', ROWS: rows = '', DIES: dies } = process.env

type Properties = Record<string, { readonly type: string; readonly enum?: readonly string[] }>
type Args = Record<string, unknown>

const schemaOf = (properties: Properties) => fromJsonSchema<Args>({ type: 'object', properties: { to: { type: 'string' }, ...properties } })
const said = (text: string, structuredContent: Args | undefined = undefined, isError = false) => ({
  content: [{ type: 'text' as const, text }],
  ...(structuredContent === undefined ? {} : { structuredContent }),
  isError,
})

const acted = (name: string, args: Args) => {
  appendFileSync(marker, `${name} acted ${JSON.stringify(args)}\n`)
  return said(`${name} done`)
}

const shown = (name: string) => {
  appendFileSync(marker, `${name} showed\n`)
  const count = existsSync(rows) ? Number(readFileSync(rows, 'utf8')) : 1
  return said(`${count} rows would change`, { rows: count })
}

const factory: McpServerFactory = () => {
  const server = new McpServer({ name: 'fixture', version: '1' }, { capabilities: { tools: { listChanged: true } } })
  const tool = (name: string, properties: Properties, run: (args: Args) => ReturnType<typeof said> | Promise<ReturnType<typeof said>>) =>
    server.registerTool(name, { description: `the tool ${name}`, inputSchema: schemaOf(properties) }, async (args) => run(args))
  const flag = { dry_run: { type: 'boolean' } }
  tool('deploy', flag, (args) => (args.dry_run === true ? shown('deploy') : acted('deploy', args)))
  tool('plans', { mode: { type: 'string', enum: ['plan', 'run'] } }, (args) =>
    args.mode === 'plan' ? shown('plans') : acted('plans', args),
  )
  // Does not declare the argument, and acts whatever stands there.
  tool('ignores', {}, (args) => acted('ignores', args))
  // Declares one of another type.
  tool('counts', { dry_run: { type: 'number' } }, (args) => acted('counts', args))
  tool('prose', flag, (args) => (args.dry_run === true ? said('nothing happens, believe me') : acted('prose', args)))
  tool('fails', flag, (args) => (args.dry_run === true ? said('no', undefined, true) : acted('fails', args)))
  tool('hangs', flag, async (args) => (args.dry_run === true ? new Promise(() => {}) : acted('hangs', args)))
  // The money is gone, and so is the server.
  tool('transfer', {}, (args) => {
    const done = acted('transfer', args)
    if (dies === 'yes') process.exit(1)
    return done
  })
  return server
}

if (process.argv[2] !== 'http') serveStdio(factory)
else {
  const handler = createMcpHandler(factory)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const answer = await handler.fetch(new Request(`http://127.0.0.1${request.url}`, { method: request.method ?? 'GET', headers, ...body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body !== null) for await (const part of answer.body) response.write(part)
    response.end()
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.stderr.write(`listening at http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp\n`)
  })
}
