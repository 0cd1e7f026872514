/**
 * A tool that goes by several names: a host runs the names of server and tool together, and its settings say which server is meant, or
 * do not say it surely. Rules hold under each of them, and only raise: of a judgement under another name what counts is what the name
 * or the tables of its tool brought up, and nothing of what permits.
 */
import type { ToolCall } from './call.ts'
import { type Judgement, settle } from './decide.ts'
import type { Finding } from './finding.ts'
import type { ToolName } from './tool-name.ts'
import { compare } from './verdict.ts'

/** A name that no policy and no table has: what is found under it is found under every name. */
const NAMELESS: ToolName = { server: null, name: '\u0000' }

export interface Naming {
  /** As a call of the tool that it is, under another name. */
  readonly spelled: (call: ToolCall) => Judgement
  /** As if it were a call of this tool. */
  readonly judged: (call: ToolCall) => Judgement
}

/** The judgement of the call, with what each of its other names adds. */
export function underAllNames(call: ToolCall, own: Judgement, { spelled, judged }: Naming): Judgement {
  const added = new Map<string, Finding>()
  const known = new Set(own.findings.map(identity))
  for (const [sure, judge] of [[true, spelled] as const, [false, judged] as const]) {
    const names = (call.alsoNamed ?? []).filter((name) => name.sure === sure)
    if (names.length === 0) continue
    const always = new Set(judge(renamed(call, NAMELESS)).findings.map(identity))
    const found = names.flatMap((name) => judge(renamed(call, name)).findings)
    for (const each of found.filter(isRaising))
      if (!known.has(identity(each)) && !always.has(identity(each))) added.set(identity(each), each)
  }
  return added.size === 0 ? own : settle([...own.findings, ...added.values()])
}

/** True where one of the names of the call's tool is meant. */
export function anyName({ tool, alsoNamed = [] }: Pick<ToolCall, 'tool' | 'alsoNamed'>, isMeant: (name: ToolName) => boolean): boolean {
  return isMeant(tool) || alsoNamed.some(isMeant)
}

function renamed({ alsoNamed: _, ...call }: ToolCall, { server, name }: ToolName): ToolCall {
  return { ...call, tool: { ...call.tool, server, name } }
}

/** That nobody permits a name is nothing that this name brought up. */
function isRaising({ layer, rule, verdict }: Finding): boolean {
  return compare(verdict, 'flag') >= 0 && !(layer === 'policy' && rule === 'default')
}

/** The registry names its findings by the tool. */
function identity({ layer, rule, code, verdict, scope }: Finding): string {
  return JSON.stringify([layer, layer === 'registry' ? null : rule, code, verdict, scope?.name ?? null])
}
