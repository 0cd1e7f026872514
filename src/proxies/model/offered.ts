/**
 * Tools that a provider runs by itself. Nobody can stop such a call once the model made it, so the tool is judged when a request
 * offers it: what may not run is taken out, and where the API can ask its client about each call, it is told to.
 */
import type { ProviderTool, RequestFacts } from './api.ts'
import { type Located, partAt } from './json.ts'
import { createJudge, type JudgeParts, judgeCall, type Outcome } from './judge.ts'
import type { Memory } from './memory.ts'
import { restricted } from './restrict.ts'

export interface Offered {
  /** The request with what is left of its tools; null where nobody looked. */
  readonly body: string | null
  /** What the provider may run: an answer that holds more is not what was asked for. */
  readonly kinds: ReadonlySet<string>
  /** Names of tools that were taken out. */
  readonly withheld: readonly string[]
}

export interface Offering {
  readonly located: Located
  readonly facts: Pick<RequestFacts, 'providerTools' | 'strip'>
  readonly parts: Omit<JudgeParts, 'hold' | 'offered'>
  /** Until when a tool that was allowed need not be judged again, by what it was allowed for. */
  readonly known: Memory<number>
}

/** Every turn of a conversation offers its tools again: one decision holds for a while. */
const REMEMBERED_MS = 10 * 60_000

export async function offering({ located, facts, parts, known }: Offering): Promise<Offered> {
  const kinds = new Set<string>()
  const strip: ProviderTool[] = []
  const gate: ProviderTool[] = []
  for (const tool of facts.providerTools) {
    const said = await judged(tool, parts, known)
    if (said === 'runs' || (said === 'asks' && tool.asksClient)) for (const kind of tool.kinds) kinds.add(kind)
    if (said === 'asks' && tool.asksClient) gate.push(tool)
    else if (said !== 'runs') strip.push(tool)
  }
  const places = (of: readonly ProviderTool[]) => of.flatMap((tool) => tool.places)
  const settings = (facts.strip ?? []).filter((path) => partAt(located.root, ...path) !== undefined)
  const body = restricted(located, { strip: [...places(strip), ...settings], gate: places(gate) })
  return { body, kinds, withheld: strip.map(({ server, name }) => `${server}/${name}`) }
}

async function judged(tool: ProviderTool, parts: Offering['parts'], known: Offering['known']): Promise<'runs' | 'asks' | 'stops'> {
  const { requester, policy } = parts
  const key = JSON.stringify([policy().policy?.digest, requester.principal, requester.session, tool.server, tool.name, tool.args])
  const now = Date.now()
  if ((known.get(key) ?? 0) > now) return 'runs'
  let outcome: Outcome | null = null
  const seen = (each: Outcome): void => {
    outcome = each
    parts.seen(each)
  }
  const judge = createJudge({ ...parts, seen, offered: new Set(), hold: async () => false })
  const ruling = await judgeCall(judge, { server: tool.server, name: tool.name, form: 'json', input: JSON.stringify(tool.args) })
  if (ruling.kind !== 'run') return (outcome as Outcome | null)?.stopped === 'pending' ? 'asks' : 'stops'
  known.set(key, now + REMEMBERED_MS)
  return 'runs'
}
