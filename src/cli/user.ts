import { userInfo } from 'node:os'

/** By the user database: an environment is also the agent's to set. Null where it knows none. */
export function userName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}
