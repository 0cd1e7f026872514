import type { Finding } from '../../core/finding.ts'
import { type Effect, resolvedName } from '../../facts/effect.ts'
import type { Facts } from '../../facts/facts.ts'
import { finding, spanJson } from '../finding.ts'

const REACHING = new Set(['fetch', 'send', 'publish', 'execute'])
const WEB = new Set(['http', 'https'])

/**
 * The strict guard of addresses (FUL-18..31): whatever leads a call to another host than a public one, or by another way than
 * the web, is denied; so is a host that is not known before the call runs.
 * Where redirects are followed from there, people are asked: they lead to a host that nobody knows yet.
 */
export function addressFindings(facts: Facts, allowHosts: readonly string[]): readonly Finding[] {
  return facts.effects.flatMap((effect) => {
    const reason = refusal(effect, allowHosts)
    if (reason === null) return followed(effect, allowHosts)
    return finding({
      layer: 'integrity',
      rule: 'address',
      verdict: 'deny',
      code: 'integrity.address',
      message: `\`${resolvedName(effect.target)}\` ${reason}`,
      evidence: { target: effect.target.value, scope: effect.target.scope, span: spanJson(effect.span) },
    })
  })
}

/** The hosts that the policy lets through are believed in where they send a call, too. */
function followed({ target, attributes, span }: Effect, allowHosts: readonly string[]): readonly Finding[] {
  if (attributes.redirects !== 'followed' || isVouched(target, allowHosts)) return []
  const found = finding({
    layer: 'integrity',
    rule: 'redirect',
    verdict: 'ask',
    code: 'integrity.redirect',
    message: `\`${resolvedName(target)}\` may send the call on to any other address`,
    evidence: { target: target.value, span: spanJson(span) },
  })
  return [found]
}

function isVouched({ real }: Effect['target'], allowHosts: readonly string[]): boolean {
  return real !== null && allowHosts.some((host) => covers(host, real))
}

function refusal({ verb, target, attributes }: Effect, allowHosts: readonly string[]): string | null {
  if (!REACHING.has(verb) || (target.kind !== 'url' && target.kind !== 'host')) return null
  if (isVouched(target, allowHosts)) return null
  const scheme = Object.hasOwn(attributes, 'scheme') ? attributes.scheme : null
  if (typeof scheme === 'string' && !WEB.has(scheme)) return `is reached over \`${scheme}\``
  if (target.scope === 'public') return null
  return target.scope === 'unknown' ? 'is not known before the call runs' : `is a ${target.scope} address`
}

function covers(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
