/** Calls as a host proposes them, for tests: what a test does not say is the same everywhere. */
import type { ToolCall } from '../../src/core/call.ts'

export interface CallChanges extends Partial<Omit<ToolCall, 'principal'>> {
  readonly principal?: Partial<ToolCall['principal']>
}

/** A call of the agent `claude-code` for the user `me`, in `/repo`. */
export function callOf(name: string, args: ToolCall['args'], { principal, ...changes }: CallChanges = {}): ToolCall {
  return {
    tool: { server: null, name, definition: null },
    args,
    principal: { agent: 'claude-code', role: null, user: 'me', tenant: null, chain: [], ...principal },
    session: 's-1',
    cwd: '/repo',
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
    ...changes,
  }
}

export const bash = (command: string, changes?: CallChanges): ToolCall => callOf('Bash', { command }, changes)

/** Who a call is from where nobody is named. */
export const NOBODY: Partial<ToolCall['principal']> = { agent: null, user: null }
