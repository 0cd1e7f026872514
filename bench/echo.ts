/** The least that answers over HTTP here: hono reads JSON and sends a part of it back. The floor under `http.ts`. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.post('/v1/decisions', async (context) => {
  const call: { readonly tool?: string } = await context.req.json()
  return context.json({ decision: 'allow', tool: call.tool ?? null, text: 'x'.repeat(1_200) })
})
const server = createAdaptorServer({ fetch: app.fetch })
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
