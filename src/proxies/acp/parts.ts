/** What stands behind the traffic between an editor and its agent. */
import type { Principal } from '../../core/call.ts'

export interface AcpSide {
  readonly principal: Principal
  /** Of sessions that tell none. */
  readonly cwd: string
  /** Before the ids of the agent's own sessions. */
  readonly prefix: string
  /** A person sits at the editor and answers its questions. False: they are answered by approvals. */
  readonly attended: boolean
}
