/** The URL room: URL and host words to targets, with the attributes that rules need. */
import type { JsonObject } from '../../../core/json.ts'
import type { Target } from '../../effect.ts'
import { describeUrl, hostScope, normaliseHost, type UrlFacts } from './describe.ts'

export { apiEffect } from './apis.ts'
export { describeUrl, type UrlFacts } from './describe.ts'
export { hostNames, resolvedHost } from './resolved.ts'
export { type FoundUrl, urlsIn } from './scan.ts'
export { hostKind } from './services.ts'

/** The target a URL or scheme-less host names; the scope is that of its most dangerous reading. */
export function urlTarget(text: string): Target {
  const facts = describeUrl(text)
  return { kind: 'url', value: text, real: facts.host, scope: facts.scope, classes: [] }
}

/** The target a bare host or address names. */
export function hostTarget(text: string): Target {
  const host = normaliseHost(text.trim())
  return { kind: 'host', value: text, real: host === '' ? null : host, scope: host === '' ? 'unknown' : hostScope(host), classes: [] }
}

/** Attributes of an effect on a URL; absent where they say nothing. */
export function urlAttributes(facts: UrlFacts): JsonObject {
  return {
    ...(facts.scheme === null ? {} : { scheme: facts.scheme }),
    ...(facts.port === null ? {} : { port: facts.port }),
    ...(facts.domain === null ? {} : { domain: facts.domain }),
    ...(facts.credentials ? { credentials: true } : {}),
    ...(facts.punycode ? { punycode: true } : {}),
    ...(facts.confusable ? { confusable: true } : {}),
    ...(facts.rebinding ? { rebinding: true } : {}),
    ...(facts.disguised ? { disguised: true } : {}),
    ...(facts.otherHosts.length > 0 ? { other_hosts: facts.otherHosts } : {}),
    ...(facts.kind === null ? {} : { host_kind: facts.kind }),
    ...(facts.nested === null ? {} : { nested_scope: facts.nested }),
  }
}
