/** All agents that can be gated, for whoever asks about more than one: reading every adapter takes a hook longer than to decide. */
import type { HostAdapter } from './adapter.ts'
import { ROWS } from './index.ts'

export const HOSTS: readonly HostAdapter[] = Object.values(ROWS).map((row) => row())
