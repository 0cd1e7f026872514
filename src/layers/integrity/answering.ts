/**
 * The agent never answers for a person (T22): it runs as the same user and reaches the same port, so what would let it log
 * in or approve is denied by every route: reading the secrets of the state directory, asking the server for anything that
 * is not for agents, and carrying a token.
 */
import type { Finding } from '../../core/finding.ts'
import type { Json } from '../../core/json.ts'
import { type Effect, hasClass, resolvedName } from '../../facts/effect.ts'
import type { Facts } from '../../facts/facts.ts'
import { matchName } from '../../facts/resources/path/patterns.ts'
import type { Policy } from '../../policy/policy.ts'
import { programsOf } from '../../policy/programs.ts'
import { finding, spanJson } from '../finding.ts'

export function answeringFindings(facts: Facts, policy: Policy, args: Json): readonly Finding[] {
  const token = carriesToken(args) ? [carried(facts)] : []
  // Not to be changed, but no secret: whoever runs a program reads it.
  const programs = new Set(programsOf(policy).flat())
  return [...facts.effects.flatMap((effect) => fromEffect(effect, { port: policy.server.listen.port, programs })), ...token]
}

interface Known {
  readonly port: number
  readonly programs: ReadonlySet<string>
}

function fromEffect(effect: Effect, { port, programs }: Known): readonly Finding[] {
  if (effect.verb === 'read' && !LOOKING.has(effect.action ?? '')) return isOneOf(programs, effect) ? [] : fromRead(effect)
  if (effect.verb === 'execute' && hasClass(effect.target, 'gate') && namesSecret(effect)) return [readsSecret(effect)]
  return REACHING.has(effect.verb) ? fromRequest(effect, port) : []
}

function isOneOf(programs: ReadonlySet<string>, { target, attributes }: Effect): boolean {
  return attributes.recursive !== true && (programs.has(resolvedName(target)) || programs.has(target.value))
}

/** Only names and sizes come out. */
const LOOKING: ReadonlySet<string> = new Set(['fs:list', 'fs:stat', 'fs:test'])

const SECRETS = ['operator-token', 'tokens.json', 'keys', 'audit.key', 'receipt.key'] as const

function fromRead(effect: Effect): readonly Finding[] {
  const { target, attributes } = effect
  if (hasClass(target, 'gate') && holdsSecret(effect)) return [readsSecret(effect)]
  const below = attributes.recursive === true && hasClass(target, 'home-root', 'filesystem-root') && !hasClass(target, 'other-user')
  return below ? [ask(effect, 'gate-holder', 'would read everything below it, the secrets of the gate included')] : []
}

/** A shell that runs a file prints the words that it does not know. */
function readsSecret(effect: Effect): Finding {
  return deny(effect, 'gate-secrets', 'would read what lets a person answer the gate')
}

function namesSecret({ target }: Effect): boolean {
  const names = [lastName(target.value), lastName(target.real ?? '')].filter((name) => name !== '')
  if (SECRETS.some((secret) => names.some((name) => matchName(widened(name), secret)))) return true
  return names.some((name) => name.toLowerCase().endsWith('.key'))
}

/** A file of the state directory says by its ending that it is none of the secrets; what has none may be the directory itself. */
function holdsSecret(effect: Effect): boolean {
  if (namesSecret(effect) || effect.attributes.recursive === true) return true
  // The real place of a pattern is the directory that it is in.
  return !/^[^.].*\.[a-z0-9-]+$/i.test(lastName(effect.target.value))
}

/** At least what a shell would take the name for: each of its wildcards as any run of characters. */
function widened(name: string): string {
  return name.toLowerCase().replaceAll(/\[[^\]]*\]?|\{[^}]*\}?|\\.|[?*+@!()|]/g, '*')
}

function lastName(path: string): string {
  return path.split('/').findLast((name) => name !== '' && name !== '.') ?? ''
}

const REACHING: ReadonlySet<Effect['verb']> = new Set(['fetch', 'send', 'change', 'execute', 'publish'])

/** An answer to an approval by its id is one to a gate, on whichever machine and port. */
const ANSWER = /^\/v1\/approvals\/apr_[^/]*\/(?:approve|deny|cancel)\/?$/

/** What people do there; other programs have such paths, too, but not on the port of the gate. */
const FOR_PEOPLE = [
  /^\/v1\/approvals\/batch\/?$/,
  /^\/v1\/sessions\/unlock\/?$/,
  /^\/v1\/approvals\/[^/]*\/(?:approve|deny|cancel)\/?$/,
  /^\/v1\/(?:login|logout|whoami)(?:\/|$)/,
  /^\/v1\/policy\/replay\/?$/,
] as const
const FOR_AGENTS = [
  /^\/v1\/(?:decisions|results)\/?$/,
  /^\/v1\/hooks\/[^/]+$/,
  /^\/v1\/approvals\/[^/]+$/,
  /^\/(?:healthz|readyz|metrics|openapi\.json)$/,
] as const

function fromRequest(effect: Effect, port: number): readonly Finding[] {
  const { target, action } = effect
  if (target.kind !== 'url' && target.kind !== 'host') return []
  const { at, path } = placeOf(effect)
  const answers = path !== null && ANSWER.test(path)
  if (!answers && !mayBeHere(effect)) return []
  const people = path !== null && (at === null || at === port) && FOR_PEOPLE.some((each) => each.test(path))
  if (answers || people) return [deny(effect, 'gate-answer', 'would answer the gate for a person')]
  if (at !== port) return []
  const plain = path !== null && action?.startsWith('net:') !== true
  if (plain && FOR_AGENTS.some((each) => each.test(path))) return []
  return [deny(effect, 'gate-request', 'would ask the gate for something that is not for agents')]
}

function mayBeHere({ target }: Effect): boolean {
  return target.scope === 'loopback' || target.scope === 'unknown'
}

interface Place {
  /** The port; null where it is not known before the call runs. */
  readonly at: number | null
  /** Decoded, as the server reads it; null where the target is no address of the web. */
  readonly path: string | null
}

function placeOf({ target, attributes }: Effect): Place {
  const bare = target.value.replace(/^["']|["']$/g, '')
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?(?::(\d+))?(\/[^?#]*)?(?:[?#].*)?$/i.exec(text)
  const url = URL.canParse(text) ? new URL(text) : null
  const named = url?.port || match?.[1] || (typeof attributes.port === 'string' ? attributes.port : '')
  const usual = url === null ? null : url.protocol === 'https:' ? 443 : 80
  return { at: named === '' ? usual : Number(named), path: decoded(url?.pathname ?? match?.[2] ?? null) }
}

function decoded(path: string | null): string | null {
  if (path === null) return null
  try {
    return decodeURIComponent(path)
      .replaceAll(/\/{2,}/g, '/')
      .toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}

const PREFIX = 'cst_'
const SECRET = /^[A-Za-z0-9_-]{43}$/

function holdsToken(text: string): boolean {
  for (let at = text.indexOf(PREFIX); at !== -1; at = text.indexOf(PREFIX, at + 1)) {
    const start = at + PREFIX.length
    if (SECRET.test(text.slice(start, start + 43))) return true
  }
  return false
}

/** A token of the server in an argument was read where no agent should read. It is never repeated. */
function carriesToken(value: Json): boolean {
  const waiting: Json[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string' && holdsToken(next)) return true
    if (Array.isArray(next)) waiting.push(...next)
    else if (typeof next === 'object' && next !== null) for (const [key, inner] of Object.entries(next)) waiting.push(key, inner as Json)
  }
  return false
}

function carried(facts: Facts): Finding {
  return finding({
    layer: 'integrity',
    rule: 'gate-token',
    verdict: 'deny',
    code: 'integrity.self_protection',
    message: `the arguments of \`${facts.tool.name}\` hold a token of the gate`,
  })
}

function deny(effect: Effect, rule: string, why: string): Finding {
  return about(effect, { rule, why, verdict: 'deny' })
}

function ask(effect: Effect, rule: string, why: string): Finding {
  return about(effect, { rule, why, verdict: 'ask' })
}

interface Said {
  readonly rule: string
  readonly why: string
  readonly verdict: 'ask' | 'deny'
}

function about({ verb, target, span }: Effect, { rule, why, verdict }: Said): Finding {
  const where = resolvedName(target)
  return finding({
    layer: 'integrity',
    rule,
    verdict,
    code: 'integrity.self_protection',
    message: `${verb} of \`${where}\` ${why}`,
    evidence: { verb, target: where, span: spanJson(span) },
    ...(verdict === 'ask' ? { resolvers: ['human'] } : {}),
  })
}
