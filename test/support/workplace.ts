/** A gate over a store of its own with a queue beside it, in a described world: for tests of what people and agents do to approvals. */
import { onTestFinished } from 'vitest'
import type { ApprovalQueue, GivenAnswer } from '../../src/approvals/queue.ts'
import type { StoredApproval } from '../../src/approvals/store.ts'
import { COMPILE } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { GitAnswer, View } from '../../src/facts/view.ts'
import type { HostSide } from '../../src/gate.ts'
import { type OpenedGate, type OpenOptions, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { stateDirectoryOfTest } from './state.ts'

const BASE = 'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\n'

export interface Workplace {
  readonly home: string
  readonly files: Record<string, string>
  readonly opened: OpenedGate
  readonly queue: ApprovalQueue
  readonly decide: (call: ToolCall, host?: HostSide) => Promise<Decision>
  /** What the gate says, in short: decision and code. */
  readonly says: (call: ToolCall, host?: HostSide) => Promise<string>
  /** Asks, and answers what waits now. */
  readonly asks: (call: ToolCall) => Promise<StoredApproval>
  readonly answer: (id: string, answer?: Partial<GivenAnswer>) => ReturnType<ApprovalQueue['answer']>
  readonly stored: (id: string) => StoredApproval
  /** Another policy from now on. */
  readonly policy: (section: string) => void
}

const COMPILED = new Map<string, Policy>()

export function policyOf(section: string): Policy {
  const known = COMPILED.get(section)
  if (known !== undefined) return known
  const compiled = compilePolicy(`${BASE}${section}`, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  COMPILED.set(section, compiled.policy)
  return compiled.policy
}

const REPOSITORY: GitAnswer = {
  top: '/repo',
  branch: 'main',
  aliases: {},
  remotes: { origin: 'https://git.example/acme/shop.git', upstream: 'https://git.example/up/shop.git' },
}

/** Home `/home/user`, workspace `/repo`, and these files. */
export const describedView = (files: Readonly<Record<string, string>>): View =>
  createFixedView({
    home: '/home/user',
    cwd: '/repo',
    gate: ['/home/user/.countersign'],
    files,
    git: { '/repo': REPOSITORY },
    digest: (text) => `sha256:${sha256(text)}`,
  })

/** A gate of its own in the described world; `files` may be filled while it works. */
export function workplace(section = '', preview?: OpenOptions['preview']): Workplace {
  const home = stateDirectoryOfTest()
  const files: Record<string, string> = {}
  let policy = policyOf(section)
  const tried = preview === undefined ? {} : { preview }
  const opened = openGate({ home, policy: () => ({ policy, degraded: null }), view: () => describedView(files), ...tried })
  onTestFinished(() => opened.close())
  const { queue } = opened
  const stored = (id: string): StoredApproval => {
    const found = queue.show(id, { tenant: null })
    if (found === null) throw new Error(`there is no ${id}`)
    return found
  }
  const decide: Workplace['decide'] = (call, host) => opened.gate.decide(call, 0, host)
  return {
    home,
    files,
    opened,
    queue,
    decide,
    says: async (call, host) => {
      const { decision, code } = await decide(call, host)
      return `${decision} ${code}`
    },
    asks: async (call) => {
      const { approval, decision, code } = await decide(call)
      if (approval === null) throw new Error(`nothing waits: ${decision} ${code}`)
      return stored(approval.id)
    },
    answer: (id, answer) => queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve', ...answer }),
    stored,
    policy: (next) => {
      policy = policyOf(next)
    },
  }
}
