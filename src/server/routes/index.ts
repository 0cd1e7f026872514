/** Every route there is; a new one is one entry in a file of this folder. */
import type { ServerParts } from '../parts.ts'
import type { Route } from '../route.ts'
import { approvalLooks, approvalRoutes } from './approvals.ts'
import { auditLooks, type LookingParts, verifyRoutes } from './audit.ts'
import { baselineRoutes } from './baselines.ts'
import { channelRoutes } from './channels.ts'
import { consoleRoutes } from './console.ts'
import { type DecidingParts, decisionRoutes } from './decisions.ts'
import { eventRoutes } from './events.ts'
import { hookRoutes } from './hooks.ts'
import { loginRoutes } from './login.ts'
import { oidcRoutes } from './oidc.ts'
import { policyRoutes } from './policy.ts'
import { receiptRoutes } from './receipts.ts'
import { sessionLooks, sessionRoutes } from './sessions.ts'
import { statsLooks } from './stats.ts'
import { systemRoutes } from './system.ts'
import { undoRoutes } from './undo.ts'

export function routesOf(parts: ServerParts): readonly Route[] {
  const routes = [
    ...callsOf(parts),
    ...looksOf(parts),
    ...approvalRoutes(parts),
    ...channelRoutes(parts),
    ...loginRoutes(parts),
    ...oidcRoutes(parts),
    ...verifyRoutes(parts),
    ...receiptRoutes(parts),
    ...sessionRoutes(parts),
    ...undoRoutes(parts),
    ...baselineRoutes(parts),
    ...policyRoutes(parts),
    ...eventRoutes(parts),
  ]
  return [...routes, ...systemRoutes(parts, routes), ...consoleRoutes(parts)]
}

/** Routes that a thread with a store to read can answer. */
export function looksOf(parts: LookingParts & Pick<ServerParts, 'queue'>): readonly Route[] {
  return [...approvalLooks(parts), ...auditLooks(parts), ...sessionLooks(parts), ...statsLooks(parts)]
}

/** Routes that a thread with a gate can answer. */
export function callsOf(parts: DecidingParts & Pick<ServerParts, 'home' | 'build'>): readonly Route[] {
  return [...decisionRoutes(parts), ...hookRoutes(parts)]
}
