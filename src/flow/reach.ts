/** Whose words the result of a call is: who may have written what comes back. Pure. */
import type { ToolCall } from '../core/call.ts'
import type { Facts } from '../facts/facts.ts'
import type { Reach } from '../session/memory/events.ts'
import { actOf } from './acts.ts'
import { pathOf } from './history.ts'

export interface Reaching {
  readonly hostTool: boolean
  /** True of a file that the session wrote. */
  readonly wrote: (path: string) => boolean
}

type Reached = Pick<Facts, 'effects' | 'commands'>

/** Whose words the result of this call is. */
export function reachOfCall(call: Pick<ToolCall, 'tool' | 'args' | 'cwd' | 'apart'>, facts: Reached, { hostTool, wrote }: Reaching): Reach {
  const { effects } = facts
  if (hostTool) return reachInside(call, facts, wrote)
  const act = actOf(call.tool.name, effects, Object.keys(call.args).length > 0)
  if (act === null) return 'tool'
  return act === 'open' || act === 'post' || isAnsweredByHost(effects) ? 'network' : 'own'
}

/** What is sent to a URL is answered by whoever runs its host. */
function isAnsweredByHost(effects: Reached['effects']): boolean {
  return effects.some(({ verb, target }) => verb === 'send' && (target.kind === 'url' || target.kind === 'host'))
}

/** An agent with a session of its own, of which nobody says whose it is, may read there whatever it likes. */
function reachInside({ cwd, apart }: Pick<ToolCall, 'cwd' | 'apart'>, { effects, commands }: Reached, wrote: Reaching['wrote']): Reach {
  const isElsewhere = (action: string | null): boolean => action === 'agent:start' || (apart === true && action === 'agent:task')
  if (effects.some(({ verb, action }) => verb === 'fetch' || verb === 'send' || isElsewhere(action))) return 'network'
  const places = effects.flatMap((effect) => pathOf(effect, cwd) ?? [])
  if (places.some((path) => PACKAGES.test(path))) return 'network'
  const reads =
    effects.length > 0 &&
    effects.every(({ verb }) => verb === 'read') &&
    !commands.some(({ program }) => program === null || SAYS.has(program))
  return reads && !places.some(wrote) ? 'workspace' : 'made'
}

/** Where package managers put what other people wrote. */
const PACKAGES =
  /\/(?:node_modules|bower_components|site-packages|dist-packages|\.cargo\/(?:registry|git)|pkg\/mod|\.m2\/repository|vendor\/bundle)\//

/** Programs that say what they are told to say: in plain words, or as a program that is handed to them with the call. */
const SAYS: ReadonlySet<string> = new Set(
  (
    'echo printf awk gawk mawk nawk jq gojq jaq yq perl ruby python python2 python3 node nodejs bun deno php lua luajit tclsh Rscript julia ' +
    'osascript pwsh powershell bc dc m4 envsubst date yes seq'
  ).split(' '),
)
