/** Every route there is; a new one is one entry in a file of this folder. */
import type { ServerParts } from '../parts.ts'
import type { Route } from '../route.ts'
import { approvalRoutes } from './approvals.ts'
import { auditRoutes } from './audit.ts'
import { channelRoutes } from './channels.ts'
import { consoleRoutes } from './console.ts'
import { decisionRoutes } from './decisions.ts'
import { eventRoutes } from './events.ts'
import { hookRoutes } from './hooks.ts'
import { loginRoutes } from './login.ts'
import { oidcRoutes } from './oidc.ts'
import { policyRoutes } from './policy.ts'
import { receiptRoutes } from './receipts.ts'
import { sessionRoutes } from './sessions.ts'
import { statsRoutes } from './stats.ts'
import { systemRoutes } from './system.ts'

export function routesOf(parts: ServerParts): readonly Route[] {
  const routes = [
    ...decisionRoutes(parts),
    ...hookRoutes(parts),
    ...approvalRoutes(parts),
    ...channelRoutes(parts),
    ...loginRoutes(parts),
    ...oidcRoutes(parts),
    ...auditRoutes(parts),
    ...receiptRoutes(parts),
    ...sessionRoutes(parts),
    ...policyRoutes(parts),
    ...statsRoutes(parts),
    ...eventRoutes(parts),
  ]
  return [...routes, ...systemRoutes(parts, routes), ...consoleRoutes(parts)]
}
