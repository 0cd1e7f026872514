/**
 * Tools that a provider runs by itself. Nobody can stop such a call once the model made it, so the tool is judged when a request
 * offers it: what may not run is taken out, and where the API can ask its client about each call, it is told to.
 */
import type { ProviderTool } from './api.ts'
import type { Located } from './json.ts'
import { createJudge, type JudgeParts, type Outcome } from './judge.ts'
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
  readonly tools: readonly ProviderTool[]
  readonly parts: Omit<JudgeParts, 'hold' | 'offered'>
  /** Until when a tool that was allowed need not be judged again, by what it was allowed for. */
  readonly known: Map<string, number>
}

/** Every turn of a conversation offers its tools again: one decision holds for a while. */
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 10_000

export async function offering({ located, tools, parts, known }: Offering): Promise<Offered> {
  const kinds = new Set<string>()
  const strip: ProviderTool[] = []
  const gate: ProviderTool[] = []
  for (const tool of tools) {
    const said = await judged(tool, parts, known)
    if (said === 'runs' || (said === 'asks' && tool.asksClient)) for (const kind of tool.kinds) kinds.add(kind)
    if (said === 'asks' && tool.asksClient) gate.push(tool)
    else if (said !== 'runs') strip.push(tool)
  }
  const places = (of: readonly ProviderTool[]) => of.flatMap((tool) => tool.places)
  const body = restricted(located, { strip: places(strip), gate: places(gate) })
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
  const ruling = await judge.call({ server: tool.server, name: tool.name, form: 'json', input: JSON.stringify(tool.args) })
  if (ruling.kind !== 'run') return (outcome as Outcome | null)?.stopped === 'pending' ? 'asks' : 'stops'
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(key, now + REMEMBERED_MS)
  return 'runs'
}
