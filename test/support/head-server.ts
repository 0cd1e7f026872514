/** A server that keeps one head, as people would run one: GET answers it, PUT replaces it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface HeadServer {
  readonly url: string
  /** Null: nothing was written yet. */
  text: string | null
  /** Answers so instead, or not at all. */
  fails: 'no' | 'hangs' | 'redirects' | 'breaks'
  /** Methods that were asked, with the token that they carried. */
  readonly asked: string[]
}

export async function headServer(): Promise<HeadServer> {
  const state: { -readonly [K in keyof HeadServer]: HeadServer[K] } = { url: '', text: null, fails: 'no', asked: [] }
  const server = createServer((request, response) => {
    state.asked.push(`${request.method} ${request.headers.authorization ?? ''}`.trim())
    if (state.fails === 'hangs') return
    if (state.fails === 'redirects') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (state.fails === 'breaks') return void response.writeHead(500).end('inner workings')
    if (request.method === 'GET') return void response.writeHead(state.text === null ? 404 : 200).end(state.text ?? '')
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      state.text = body
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads/s3cret-name`
  return state
}
