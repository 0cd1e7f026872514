/** Sends a request on to the model API, and an answer back that nobody looks into. */
import type { IncomingMessage } from 'node:http'
import { fault, headOf } from './exchange.ts'
import { AUTH_HEADERS, type Headers, requestHeaders, send } from './upstream.ts'
import type { Asking } from './visit.ts'

const NO_HEADERS = (): Headers => ({})

/** Null where there is no answer: the client was told so, or is gone. */
export async function sent(asking: Asking, body: Buffer): Promise<IncomingMessage | null> {
  const { here, reply, signal } = asking
  const { house, request, destination } = here
  const headers = headersFor(asking, body)
  if (headers === null) return failed(asking, 'Countersign has no key for this model API.')
  try {
    const answer = await send(destination, { method: request.method ?? 'GET', headers, body, signal })
    const { statusCode = 502 } = answer
    if (statusCode < 300 || statusCode >= 400) return answer
    answer.destroy()
    return failed(asking, 'The model API sent the request elsewhere, where Countersign does not follow.')
  } catch (error) {
    if (reply.finished) return null
    house.note(`${destination.upstream.url} cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
    return failed(asking, 'The model API cannot be reached.')
  }
}

function failed({ reply, api }: Asking, message: string): null {
  fault({ reply, api, headers: NO_HEADERS }, 502, message)
  return null
}

/** Null where the key that has to be added is not there. */
function headersFor({ here }: Asking, body: Buffer): Headers | null {
  const { house, request, destination, caller } = here
  const encoded = body === here.body ? [] : ['content-encoding']
  const { key } = destination.upstream
  if (key === null) return requestHeaders(request.headers, { drop: [...caller.drop, ...encoded] })
  const secret = house.env(key.env) ?? ''
  if (secret === '') {
    house.note(`the variable \`${key.env}\` holds no key for ${destination.upstream.url}`)
    return null
  }
  return { ...requestHeaders(request.headers, { drop: [...caller.drop, ...AUTH_HEADERS, ...encoded] }), ...keyHeader(key.header, secret) }
}

function keyHeader(header: string, secret: string): Headers {
  return { [header]: header === 'authorization' ? `Bearer ${secret}` : secret }
}

export async function piped(answer: IncomingMessage, { reply }: Asking): Promise<void> {
  const { 'content-encoding': encoding, 'content-length': length } = answer.headers
  const { status, headers } = headOf(answer, { headers: NO_HEADERS })
  const body = {
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    ...(length === undefined ? {} : { 'content-length': length }),
  }
  reply.begin({ status, headers: { ...headers, ...body } })
  try {
    for await (const chunk of answer) await reply.write(chunk as Buffer)
    reply.end()
  } catch {
    reply.destroy()
  }
}
