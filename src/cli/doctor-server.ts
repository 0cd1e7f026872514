/** Whether the running server hears agents on loopback without a token: any user of the machine can ask then. */
import { request } from 'node:http'
import { isJsonObject } from '../core/json.ts'
import type { Check } from '../hosts/adapter.ts'
import { readJson } from '../ingress/json.ts'

/** Nothing where no server answers, or loopback is closed. */
export async function loopbackChecks(socketPath: string): Promise<readonly Check[]> {
  if (!(await isOpen(socketPath))) return []
  const detail =
    'agents on loopback need no token, whichever user of this machine they run as; start `countersign serve` without `--open-loopback`'
  return [{ name: 'loopback', state: 'warn', detail }]
}

function isOpen(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ socketPath, path: '/healthz', headers: { host: 'localhost' }, timeout: 2_000 }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const read = readJson(Buffer.concat(chunks))
        resolve(read.ok && isJsonObject(read.value) && read.value.open_loopback === true)
      })
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(false))
    sent.end()
  })
}
