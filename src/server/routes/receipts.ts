/** `GET /v1/receipts/key`: by which receipts are checked. */
import type { ServerParts } from '../parts.ts'
import { createReceipts } from '../receipts.ts'
import { type Route, route } from '../route.ts'

export function receiptRoutes({ home, now }: ServerParts): readonly Route[] {
  const receipts = createReceipts(home, now)
  return [
    route({
      method: 'GET',
      path: '/v1/receipts/key',
      tag: 'system',
      summary: 'The public key that receipts are checked with, in PEM',
      who: 'anyone',
      answers: { 200: { description: 'the key', type: 'application/x-pem-file' } },
      handle: () => new Response(receipts.publicKey(), { status: 200, headers: { 'content-type': 'application/x-pem-file' } }),
    }),
  ]
}
