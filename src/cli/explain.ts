import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { explainEffect } from '../facts/explain/explain.ts'

/** A decision in words: what would happen, what speaks against it, who may still let it run. One line per fact. */
export function explainDecision(decision: Decision, call: ToolCall): readonly string[] {
  return [
    `${decision.decision}: ${decision.reason} (${decision.code})`,
    policyLine(decision),
    ...scopeLines(decision),
    'what the call would do:',
    ...(decision.effects.length === 0
      ? ['  nothing that can be seen']
      : decision.effects.map((effect) => `  ${explainEffect(effect, call.args, call.cwd)}`)),
    'what the layers found:',
    ...decision.findings.map((finding, index) => {
      const mark = decision.determining.includes(index) ? '*' : ' '
      const resolvers = finding.resolvers.length === 0 ? '' : `; may be resolved by ${finding.resolvers.join(', ')}`
      return `${mark} ${finding.verdict} from ${finding.layer}/${finding.rule}: ${finding.message}${originOf(finding)}${resolvers}`
    }),
    ...decision.resolutions.map(
      (resolution) => `resolved by ${resolution.by} ${resolution.id}: ${resolution.verdict}, ${resolution.reason}`,
    ),
    `recorded as ${decision.auditEntryId ?? 'nothing: the log could not be written'}`,
  ]
}

/** Every policy that judged, where there is more than one; and files that were found and not read. */
function scopeLines({ policySource: { scopes = [], unread = [] } }: Decision): readonly string[] {
  return [
    ...scopes.map(({ scope, path, governs, trusted }) => {
      const does = governs ? 'governs' : trusted ? 'only raises' : 'is not trusted: it only tightens'
      return `  ${scope} policy ${path ?? 'shipped default'} ${does}`
    }),
    ...unread.map(({ path, problem }) => `  project policy ${path} was not read (${problem})`),
  ]
}

function originOf({ scope }: Decision['findings'][number]): string {
  if (scope === undefined) return ''
  return ` [${scope.name} policy ${scope.path ?? 'shipped default'}${scope.line === null ? '' : `:${scope.line}`}]`
}

function policyLine({ policySource: { path, degraded }, policyDigest }: Decision): string {
  return `policy ${path ?? 'shipped default'} ${policyDigest.slice(0, 19)}${degraded === null ? '' : `, degraded: ${degraded}`}`
}
