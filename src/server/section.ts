/** What the server does where there is no valid policy: it still answers, says why, and allows nothing. */
import type { ServerSection } from '../policy/policy.ts'

export const DEFAULT_SERVER: ServerSection = {
  listen: { host: '127.0.0.1', port: 7433 },
  tokens: 'optional',
  body: 'full',
  hosts: [],
  trustedProxies: [],
  publicUrl: null,
  rates: { agents: 120_000, people: 1_200, logins: 20 },
  oidc: null,
}
