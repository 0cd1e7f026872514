/** The same fixture over HTTP: both eras, without sessions of its own. */
import { createServer } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { factory } from './fixture.ts'

const handler = createMcpHandler(factory)
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answer = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, { method: request.method ?? 'GET', headers, signal: gone.signal, ...body }),
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.flushHeaders()
  if (answer.body !== null) for await (const part of answer.body) response.write(part)
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stderr.write(`listening at http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp\n`)
})
