/** Entries that stand here: a call in the form of each agent whose hook is installed, read by its adapter and answered in its form. */
import { createHash, randomUUID } from 'node:crypto'
import type { Decision } from '../../core/decision.ts'
import type { Gate } from '../../gate.ts'
import type { HostAdapter } from '../../hosts/adapter.ts'

export interface EntryPoint {
  readonly name: string
  /** Null: the host cannot be asked in this way. An answer that the host takes for a yes is a decision to run. */
  readonly decide: (gate: Pick<Gate, 'decide'>, command: string, cwd: string) => Promise<Decision | null>
  /** Whether the host hears a denial where the gate fails; null: it cannot be told here. */
  readonly refuses: boolean | null
}

export function entryOf(host: HostAdapter): EntryPoint {
  const { exercise } = host
  return {
    name: host.name,
    refuses: exercise === undefined ? null : exercise.heard(host.denial('tried out')) === 'deny',
    decide: async (gate, command, cwd) => {
      if (exercise === undefined) return null
      const proposal = { session: `verify ${randomUUID()}`, id: randomUUID(), cwd, call: { kind: 'shell', command } } as const
      const bytes = new TextEncoder().encode(JSON.stringify(exercise.propose(proposal)))
      const event = host.parse(bytes, { digest: digestOf, entrypoint: null, user: null })
      if (event.kind !== 'call') throw new Error(`${host.name}: its own form of a call is read as ${event.kind}`)
      const decision = await gate.decide(event.call, 0, { attended: false, rewrites: false })
      const heard = exercise.heard((event.speaker ?? host).reply(decision, true))
      return heard === 'none' ? { ...decision, decision: 'allow' } : decision
    },
  }
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
