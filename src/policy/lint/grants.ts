/** Warnings about grants that are legal and change nothing, or end when nobody expects it. */
import { overlap } from '../../grants/actions.ts'
import type { Grant } from '../../grants/grant.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'

export interface PlacedGrant {
  readonly grant: Grant
  readonly at: Range
}

/** Warns of grants whose action needs none (ROS-24), and of those that are over at `options.asOf`. */
export function lintGrants(placed: readonly PlacedGrant[], gate: ReadonlySet<string>, { options, warn }: CompileContext): void {
  for (const { grant, at } of placed) {
    const { action, expires } = grant
    if (![...gate].some((name) => overlap(action, name))) {
      warn('lint.grant_not_gated', `\`${action}\` is not gated, so this grant changes nothing`, at)
    }
    if (expires !== null && options.asOf !== undefined && expires <= options.asOf) {
      const end = new Date(expires).toISOString()
      warn('lint.grant_expired', `the grant of \`${action}\` ended at ${end}`, at)
    }
  }
}
