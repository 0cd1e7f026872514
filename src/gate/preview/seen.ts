/**
 * Calls are tried out before people are asked. What is seen is judged like what a call says of itself, and only raises: a trial that went
 * well permits nothing.
 */
import { type Judgement, settle } from '../../core/decide.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import { anyName } from '../../core/other-names.ts'
import type { Preview, PreviewSize, Seen } from '../../core/preview.ts'
import { compare, runs } from '../../core/verdict.ts'
import type { Facts } from '../../facts/facts.ts'
import type { GateParts, ResolveContext } from '../../gate.ts'
import { finding } from '../../layers/finding.ts'
import type { Policy } from '../../policy/policy.ts'
import type { PreviewSection } from '../../policy/preview/model.ts'
import { operatorPolicies } from '../../policy/scopes/model.ts'

export interface Trying {
  readonly found: Judgement
  readonly context: ResolveContext
  /** What the layers find where these are the facts. */
  readonly judged: (facts: Facts) => readonly Finding[]
}

export interface TriedOut {
  readonly found: Judgement
  readonly preview: Preview | null
}

/** True where this call is to be tried out: people would be asked, or a policy wants to see it in any case. */
export function isToBeTried({ preview }: GateParts, found: Judgement, { policy, call }: ResolveContext): boolean {
  if (preview === undefined || compare(found.verdict, 'deny') >= 0) return false
  return found.verdict === 'ask' || sectionsOf(policy).some((section) => section.run === 'always' && concerns(section, call))
}

export async function tryOut({ preview: run }: GateParts, { found, context, judged }: Trying): Promise<TriedOut> {
  const sections = sectionsOf(context.policy).filter((section) => concerns(section, context.call))
  let preview: Preview | null = null
  let problem: string | null = null
  try {
    preview = (await run?.(context)) ?? null
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  const raised = [
    ...sections.flatMap((section) => findingsOf(section, { preview, problem, context })),
    ...(sections.length === 0 ? [] : effectsOf(preview?.seen, { found, context, judged })),
  ]
  return { preview, found: raised.length === 0 ? found : settle([...found.findings, ...raised]) }
}

function sectionsOf(policy: Policy): readonly PreviewSection[] {
  return operatorPolicies(policy).flatMap(({ preview }) => preview ?? [])
}

function concerns({ onlyForTools }: PreviewSection, call: ResolveContext['call']): boolean {
  return onlyForTools === null || anyName(call, ({ server, name }) => onlyForTools.some((pattern) => pattern.matches(server, name)))
}

interface Result {
  readonly preview: Preview | null
  readonly problem: string | null
  readonly context: ResolveContext
}

function findingsOf(section: PreviewSection, { preview, problem }: Result): readonly Finding[] {
  if (problem !== null)
    return [raised('run', section.onFailure, { code: 'preview.failed', message: `the call could not be tried out: ${problem}` })]
  const seen = preview?.seen
  if (preview === null || (seen !== undefined && seen.unsupported !== null)) {
    const why = seen?.unsupported ?? 'nothing here can try this tool out'
    return section.onUnsupported === null ? [] : [raised('support', section.onUnsupported, { code: 'preview.unsupported', message: why })]
  }
  // INVARIANT: what a runner only says in prose is never read as harmless (SIG-W6).
  if (seen === undefined)
    return section.onUnsupported === null
      ? []
      : [
          raised('support', section.onUnsupported, {
            code: 'preview.unsupported',
            message: 'the runner does not say in fields what it saw',
          }),
        ]
  if (seen.ended !== null)
    return [raised('run', section.onFailure, { code: 'preview.failed', message: `the trial was ended at its limit: ${seen.ended}` })]
  const failed = (seen.exitCode ?? 0) !== 0 && section.onExit === 'ask'
  return [
    ...(failed
      ? [raised('exit', 'ask', { code: 'preview.error_exit', message: `tried out, the command ended with ${seen.exitCode}` })]
      : []),
    ...sizesOf(section, seen.size),
  ]
}

function sizesOf({ askAbove }: PreviewSection, size: PreviewSize): readonly Finding[] {
  return (['files', 'deleted', 'lines', 'rows'] as const).flatMap((name) => {
    const most = askAbove[name]
    if (most === null || size[name] <= most) return []
    const what = name === 'deleted' ? 'delete files' : `change ${name}`
    const message = `the call would ${what}: ${size[name]}, and up to ${most} pass without a question`
    return [raised(name, 'ask', { code: 'preview.size', message, evidence: { [name]: size[name], most } })]
  })
}

interface Raising {
  readonly code: Finding['code']
  readonly message: string
  readonly evidence?: JsonObject
}

function raised(rule: string, verdict: 'ask' | 'deny', { code, message, evidence = {} }: Raising): Finding {
  return finding({ layer: 'preview', rule, verdict, code, message, evidence })
}

/** What the layers say of the effects that were seen, beyond what they said of the call; and the network, where no effect tells of it. */
function effectsOf(seen: Seen | undefined, { found, context, judged }: Trying): readonly Finding[] {
  if (seen === undefined) return []
  const known = new Set(found.findings.map(named))
  const { facts } = context
  const observed: Facts = { ...facts, effects: seen.effects, commands: [], scripts: [], deferred: [], written: [], coverage: 'full' }
  const beyond = seen.effects.length === 0 ? [] : judged(observed).filter((each) => !runs(each.verdict) && each.verdict !== 'abstain')
  const added = beyond.filter((each) => each.layer !== 'policy' && !known.has(named(each)))
  const silent = seen.network && !facts.effects.some(({ verb }) => NETWORK.has(verb))
  return [
    ...added.map((each) => ({ ...each, message: `${each.message} (seen when the call was tried out)` })),
    ...(silent ? [raised('network', 'ask', { code: 'preview.effect', message: 'tried out, the call reached for the network' })] : []),
  ]
}

const NETWORK: ReadonlySet<string> = new Set(['fetch', 'send', 'publish', 'pay'])

function named({ layer, rule, code, verdict }: Finding): string {
  return `${layer} ${rule} ${code} ${verdict}`
}
