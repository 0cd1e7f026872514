/** What a yes to one call would cover beyond it: the offers and the session of the first call, held against a second one. */
import { createHash } from 'node:crypto'
import { type Marking, type Subject, standingDigest } from '../../src/approvals/binding.ts'
import { type GrantProposal, type Proposed, proposalsFor, widestGrant } from '../../src/approvals/proposals.ts'
import type { ToolCall } from '../../src/core/call.ts'
import { createDigester } from '../../src/core/digest.ts'
import type { Finding } from '../../src/core/finding.ts'
import { analyse } from '../../src/facts/analyse.ts'
import type { Facts } from '../../src/facts/facts.ts'
import { type Act, actsOf } from '../../src/grants/acts.ts'
import { outside } from '../../src/grants/grant.ts'
import type { DeclaredEffect } from '../../src/policy/policy.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { policyOf } from '../support/workplace.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const NOW = 1_767_225_600_000

/** Two repositories whose `origin` are not the same, packages, manifests, a chart. */
const WORLD = {
  home: '/home/user',
  cwd: '/repo',
  files: {
    '/repo/package.json': '{"name":"left-pad"}',
    '/repo/other/package.json': '{"name":"right-pad"}',
    '/repo/pod.yaml': 'kind: Pod\n',
    '/repo/drop.sql': 'DROP TABLE users;\n',
  },
  git: {
    '/repo': {
      top: '/repo',
      branch: 'main',
      aliases: {},
      remotes: { origin: 'https://git.example/acme/shop.git', upstream: 'https://git.example/up/shop.git' },
    },
    '/fork': { top: '/fork', branch: 'main', aliases: {}, remotes: { origin: 'https://git.example/mallory/shop.git' } },
  },
} as const

export interface Seen {
  readonly call: ToolCall
  readonly facts: Facts
  readonly acts: readonly Act[]
}

/** The call as the gate sees it, where these files stand, too. */
export function seen(call: ToolCall, declared: readonly DeclaredEffect[] = [], more: Readonly<Record<string, string>> = {}): Seen {
  const files = { ...WORLD.files, ...more }
  const view = createFixedView({ ...WORLD, files, cwd: call.cwd ?? '/repo', digest: (text) => `sha256:${sha256(text)}` })
  const state = { written: { size: 0, get: () => undefined } }
  const facts = analyse(call, view, { state, canaryTokens: [], declared, maxCommandBytes: 65_536 })
  return { call, facts, acts: actsOf(facts, call.args) }
}

/** What the form would offer for it, were every effect of it asked about. */
export function offered({ acts }: Seen): Proposed {
  const asks = acts.map(({ effect: { action, target } }): Finding => {
    const evidence = { action, target: target.value }
    const base = { layer: 'hazard', rule: 'r', code: 'hazard.publish', message: '', advice: null } as const
    return { ...base, verdict: 'ask', evidence, resolvers: ['grant', 'human'] }
  })
  const binding = { agent: 'a', role: null, user: null, tenant: null, session: null }
  return proposalsFor({ acts, asks, session: null, grant: { within: 60_000, uses: 3 }, binding, now: NOW })
}

/** True where grants of the first call's form let everything through that the second changes. */
export function grantsCover(first: Seen, second: Seen): boolean {
  const grants = offered(first).offers.filter((each): each is GrantProposal => each.kind === 'grant')
  const wanted = second.acts.filter(({ effect: { action, verb } }) => action !== null && CHANGING.has(verb))
  return wanted.length > 0 && wanted.every(({ effect }) => grants.some((grant) => outside(widestGrant(grant), effect) === null))
}

const CHANGING: ReadonlySet<string> = new Set(['delete', 'publish', 'pay', 'send', 'change', 'execute'])

/** True where a yes for the session to the first call lets the second through. */
export function sessionCovers(first: Seen, second: Seen): boolean {
  const one = standing(first)
  return one !== null && one === standing(second)
}

function standing({ call, facts }: Seen): string | null {
  const { digest } = createDigester(sha256)
  const subject: Subject = { call, facts, policy: policyOf(''), callDigest: '', edit: null, findings: [], preview: null, now: NOW }
  return standingDigest(subject, digest satisfies Marking['digest'])
}
