/** The least that stands in front of a model API: bytes there, bytes back. The floor under `model-proxy.ts`. */
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const upstream = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true, noDelay: true })
const server = createServer({ noDelay: true }, (asked, reply) => {
  const { method, headers, url: path } = asked
  const { hostname: host, port } = upstream
  const onward = request({ host, port, method, path, headers, agent }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    reply.flushHeaders()
    answer.pipe(reply)
  })
  asked.pipe(onward)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
