import type { JsonObject } from '../../../core/json.ts'

/** What goes on when the call has ended: processes beside it, and those that were cut loose from it. */

/** What runs beside the call may outlive it; what waits for it brings it back. */
export const BESIDE: JsonObject = Object.freeze({ detached: '&' })

/** Wrappers after which neither the end of the call nor the loss of its terminal ends a process. */
const LOOSENING: ReadonlySet<string> = new Set(
  'nohup setsid screen tmux zellij nq tsp detach dtach abduco daemonize daemon start-stop-daemon systemd-run'.split(' '),
)

/** The attributes of effects inside of a wrapper. */
export function outliving(wrapper: string, attributes: JsonObject | null): JsonObject | null {
  return LOOSENING.has(wrapper) ? { ...attributes, detached: wrapper } : attributes
}
