/**
 * Answers a gateway's external authorization over HTTP (Envoy's `ext_authz`, and what speaks it) for MCP servers: 200 where every
 * tool call in the message may run, 403 otherwise. The first part of the path names the server, as `path_prefix` in envoy.yaml.
 *
 * COUNTERSIGN_TOKEN=… node authz.mjs [port]      COUNTERSIGN_URL is http://127.0.0.1:7433 unless told otherwise
 */
import { createServer } from 'node:http'

const { COUNTERSIGN_URL: url = 'http://127.0.0.1:7433', COUNTERSIGN_TOKEN: token = '' } = process.env

const server = createServer(async (request, response) => {
  const { status, message } = await authorize(request).catch((error) => ({ status: 403, message: `nobody can be asked: ${error.message}` }))
  const body = status === 200 ? '' : JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } })
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
})

async function authorize(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  if (request.headers['x-envoy-auth-partial-body'] === 'true') return no('the message is longer than the gateway shows')
  if (request.headers['content-encoding'] !== undefined) return no('the message is packed')
  if (text === '') return request.method === 'POST' ? no('the gateway shows no message; set `with_request_body`') : { status: 200 }
  if (!namesOnce(text)) return no('a name stands twice in the message, and two readers could take two of them')
  const given = JSON.parse(text)
  const messages = Array.isArray(given) ? given : [given]
  for (const { method, params } of messages) {
    if (method !== 'tools/call') continue
    const decision = await decide({
      server: request.url.split('/')[1],
      tool: params.name,
      args: params.arguments ?? {},
      ...(request.headers['mcp-session-id'] === undefined ? {} : { session: request.headers['mcp-session-id'] }),
    })
    if (decision.status !== 200) return decision
  }
  return { status: 200 }
}

async function decide(call) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/decisions`, { method: 'POST', headers, body: JSON.stringify(call) })
  const said = await response.json()
  if (response.status === 200 && said.modified_arguments == null) return { status: 200 }
  return no(`The call of \`${call.tool}\` did not run. ${said.agent_reason ?? said.message ?? ''}`)
}

const no = (message) => ({ status: 403, message })

/** True where no object of the text has a name twice. */
function namesOnce(text) {
  const open = []
  let last = null
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const name = JSON.parse(last)
      if (open.at(-1)?.has(name)) return false
      open.at(-1)?.add(name)
    }
    last = token
  }
  return true
}

server.listen(Number(process.argv[2] ?? 9191), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
