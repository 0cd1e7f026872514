/** Which policies judged a call, read from the decision. Pure. */
import { isJsonObject, type Json, own } from '../../../src/core/json.ts'
import { listOf, textOf } from './call.ts'

export interface JudgingPolicy {
  readonly scope: string
  readonly path: string | null
  readonly digest: string
  readonly says: string
}

export interface Judging {
  readonly scopes: readonly JudgingPolicy[]
  /** Files that were found and not read, each with the check that failed. */
  readonly unread: readonly string[]
}

export function judging(policy: Json | undefined): Judging {
  const scopes = listOf(policy, 'scopes').flatMap((each) => {
    const [scope, digest] = [textOf(each, 'scope'), textOf(each, 'digest')]
    if (!isJsonObject(each) || scope === null || digest === null) return []
    const governs = own(each, 'governs') === true
    const says = governs ? 'governs' : scope === 'project' && own(each, 'trusted') !== true ? 'only tightens' : 'raises'
    return [{ scope, digest, path: textOf(each, 'path'), says }]
  })
  const unread = listOf(policy, 'unread').map((each) =>
    [textOf(each, 'path'), textOf(each, 'problem')].filter((part) => part !== null).join(': '),
  )
  return { scopes, unread }
}
