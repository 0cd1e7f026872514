/** Roles of arguments as a policy writes them: `target:party`, `content`. */
import type { RoleOverrides } from './of-call.ts'
import { ARGUMENT_ROLES, type ArgumentRole, type RoleOf, type TargetSort } from './role.ts'

/** A bare `target` is somebody. */
export const WRITTEN_ROLES = [...ARGUMENT_ROLES, 'target:party', 'target:place', 'target:thing'] as const
export type WrittenRole = (typeof WRITTEN_ROLES)[number]

export function rolesFrom(written: ReadonlyMap<string, WrittenRole> | undefined): RoleOverrides {
  return new Map([...(written ?? [])].map(([name, role]) => [name, roleOf(role)]))
}

function roleOf(written: WrittenRole): RoleOf {
  const [role, sort] = written.split(':') as [ArgumentRole, TargetSort | undefined]
  return { role, sort: role === 'target' ? (sort ?? 'party') : null, by: 'policy' }
}
