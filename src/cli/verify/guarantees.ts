/** The guarantees of a policy, each tried out on a gate of its own. */
import type { StoredApproval } from '../../approvals/store.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Decision } from '../../core/decision.ts'
import { runs } from '../../core/verdict.ts'
import { gatedBy } from '../../grants/actions.ts'
import type { Layer } from '../../layers/layer.ts'
import { LAYERS, type OpenedGate } from '../../open.ts'
import type { Bench, Opened } from './bench.ts'
import type { EntryPoint } from './entries.ts'
import { AGENT, COMMANDS, exampleCall, TOOL_CALLS, UNKNOWN_TOOL, USER } from './examples.ts'

export interface Line {
  readonly guarantee: string
  readonly state: 'holds' | 'fails' | 'not_applicable'
  readonly detail: string
}

const line = (guarantee: string, state: Line['state'], detail: string): Line => ({ guarantee, state, detail })
const said = ({ decision, code }: Decision): string => `${decision} ${code}`

export async function guaranteesOf(bench: Bench, entries: readonly EntryPoint[]): Promise<readonly Line[]> {
  return [
    enforced(bench),
    ...(await gated(bench, entries)),
    ...(await ofApprovals(bench)),
    ...(await failClosed(bench)),
    ...entries.flatMap(({ name, refuses }) =>
      refuses === null ? [] : [line(`fail-closed: ${name}`, refuses ? 'holds' : 'fails', 'what the host is told where the gate fails')],
    ),
  ]
}

function enforced({ policy: { mode } }: Bench): Line {
  return mode === 'enforce'
    ? line('enforced', 'holds', 'what is denied or asked does not run')
    : line('enforced', 'fails', '`mode: shadow` lets every call run and only records what would have been decided')
}

/** Examples by command, tool calls last. */
export function exampleCalls(cwd: string): readonly { readonly call: ToolCall; readonly command: string | null }[] {
  return [
    ...COMMANDS.map((command) => ({ call: exampleCall({ server: null, name: 'Bash', definition: null }, { command }, cwd), command })),
    ...TOOL_CALLS.map(({ server, name, args }) => ({ call: exampleCall({ server, name, definition: null }, args, cwd), command: null })),
  ]
}

async function gated(bench: Bench, entries: readonly EntryPoint[]): Promise<readonly Line[]> {
  const { gate } = bench.policy.capabilities
  if (gate.size === 0) return [line('gated', 'not_applicable', 'the policy gates no action (`capabilities.gate`)')]
  const { gate: looking } = bench.open().gate
  const known = exampleCalls(bench.work).map((example) => ({ ...example, actions: actionsOf(looking.facts(example.call)) }))
  const lines: Line[] = []
  const through: Through = { bench, entries, gate: bench.open().gate.gate }
  for (const name of gate) {
    const covered = known.filter(({ actions }) => actions.some((action) => gatedBy(new Set([name]), action) !== null))
    if (covered.length === 0) lines.push(line(`gated: ${name}`, 'not_applicable', 'there is no example of a call with this action here'))
    else lines.push(await asksEverywhere(name, covered, through))
  }
  return lines
}

function actionsOf({ effects }: ReturnType<OpenedGate['gate']['facts']>): readonly string[] {
  return effects.flatMap(({ action }) => action ?? [])
}

interface Through {
  readonly bench: Bench
  readonly entries: readonly EntryPoint[]
  /** On which nobody granted anything. */
  readonly gate: OpenedGate['gate']
}

type Example = ReturnType<typeof exampleCalls>[number]

/** Each example through each entry that can carry it. */
async function asksEverywhere(name: string, examples: readonly Example[], { bench, entries, gate }: Through): Promise<Line> {
  const told: string[] = []
  let granted = false
  for (const { call, command } of examples) {
    for (const entry of [null, ...entries]) {
      const through = entry === null ? 'the gate' : entry.name
      if (entry !== null && command === null) continue
      const answer =
        entry === null
          ? await gate.decide({ ...call, session: `verify ${name} ${told.length}` })
          : await entry.decide(gate, command ?? '', bench.work)
      if (answer === null) continue
      if (!runs(answer.decision)) told.push(`${through}: ${said(answer)}`)
      else if (answer.resolutions.some(({ by }) => by === 'grant')) granted = true
      else return line(`gated: ${name}`, 'fails', `through ${through} \`${command ?? call.tool.name}\` runs: ${said(answer)}`)
    }
  }
  if (told.length === 0 && granted) return line(`gated: ${name}`, 'not_applicable', 'a grant of the policy itself covers the example')
  return line(`gated: ${name}`, 'holds', [...new Set(told)].join('; '))
}

/** A call that people are asked about on a fresh gate; null: the policy asks them about none of the examples. */
async function asked(opened: Opened, cwd: string): Promise<{ readonly call: ToolCall; readonly approval: StoredApproval } | null> {
  const unknown = exampleCall({ server: null, name: UNKNOWN_TOOL, definition: null }, { text: 'example' }, cwd)
  for (const call of [...exampleCalls(cwd).map((example) => example.call), unknown]) {
    const { approval } = await opened.gate.gate.decide(call)
    const found = approval === null ? null : opened.gate.queue.show(approval.id, { tenant: null })
    if (found !== null) return { call, approval: found }
  }
  return null
}

async function ofApprovals(bench: Bench): Promise<readonly Line[]> {
  const names = ['single use', 'expiry', 'four eyes', 'drift'] as const
  if ((await asked(bench.open(), bench.work)) === null)
    return names.map((name) => line(name, 'not_applicable', 'the policy asks people about none of the examples'))
  return [await singleUse(bench), await expiry(bench), await fourEyes(bench), await drift(bench)]
}

/** Names who together may approve, in their order. */
function peopleFor({ terms }: StoredApproval): readonly string[] {
  const some = terms.approvers ?? Array.from({ length: terms.quorum + 2 }, (_, at) => `human:countersign-verify-${at}`)
  return [...new Set([...terms.chain, ...some])]
}

/** True once everybody who has to agree did. */
async function approved({ gate: { queue } }: Opened, approval: StoredApproval): Promise<boolean> {
  for (const by of peopleFor(approval)) {
    const outcome = await queue.answer(approval.id, { tenant: null, by, verdict: 'approve' })
    if (outcome.approval.status === 'approved') return true
  }
  return false
}

interface Ready {
  readonly opened: Opened
  readonly call: ToolCall
  readonly approval: StoredApproval
}

/** A call that waits on a gate of its own. @throws where the policy asks about none: whoever calls this has looked. */
async function waitingOn(bench: Bench): Promise<Ready> {
  const opened = bench.open()
  const found = await asked(opened, bench.work)
  if (found === null) throw new Error('no example is asked about any more')
  return { opened, ...found }
}

const NOBODY_CAN = 'nobody can approve it: the people whom the policy names are too few, or asked themselves'

async function singleUse(bench: Bench): Promise<Line> {
  const { opened, call, approval } = await waitingOn(bench)
  if (!(await approved(opened, approval))) return line('single use', 'fails', NOBODY_CAN)
  const [first, second] = [await opened.gate.gate.decide(call), await opened.gate.gate.decide(call)]
  if (!runs(first.decision)) return line('single use', 'fails', `the approved call does not run at all: ${said(first)}`)
  return line('single use', runs(second.decision) ? 'fails' : 'holds', `the second time after one yes: ${said(second)}`)
}

async function expiry(bench: Bench): Promise<Line> {
  const late = await waitingOn(bench)
  late.opened.pass(late.approval.terms.approveWithin + 1)
  if (await approved(late.opened, late.approval)) return line('expiry', 'fails', 'a yes counts after the time for it is over')
  const { opened, call, approval } = await waitingOn(bench)
  if (!(await approved(opened, approval))) return line('expiry', 'fails', NOBODY_CAN)
  opened.pass(approval.terms.useWithin + 1)
  const decision = await opened.gate.gate.decide(call)
  const { approveWithin, useWithin } = approval.terms
  const times = `a yes within ${approveWithin / 1_000} s, its use within ${useWithin / 1_000} s`
  return line('expiry', runs(decision.decision) ? 'fails' : 'holds', `${times}; after that: ${said(decision)}`)
}

async function fourEyes(bench: Bench): Promise<Line> {
  const { excludeRequester, fourEyes: behind, quorum, breakGlass } = bench.policy.approvals
  if (!behind && quorum < 2) return line('four eyes', 'not_applicable', 'the policy has neither `four_eyes` nor a `quorum` of two')
  const { opened, approval } = await waitingOn(bench)
  const { queue } = opened.gate
  const asking = [...(behind ? [`human:${USER}`] : []), ...(excludeRequester ? [`agent:${AGENT}`] : [])]
  for (const by of asking) {
    const { refused } = await queue.answer(approval.id, { tenant: null, by, verdict: 'approve' })
    if (refused === null) return line('four eyes', 'fails', `\`${by}\`, who asked, may approve`)
  }
  const [one = ''] = peopleFor(approval)
  for (let turn = 0; quorum > 1 && turn < 2; turn++) {
    const { approval: after } = await queue.answer(approval.id, { tenant: null, by: one, verdict: 'approve' })
    if (after.status === 'approved') return line('four eyes', 'fails', `one person is enough, where the policy wants ${quorum}`)
  }
  if (!(await approved(opened, approval))) return line('four eyes', 'fails', NOBODY_CAN)
  const glass = breakGlass.length === 0 ? '' : `; ${breakGlass.join(', ')} may break the glass alone`
  return line('four eyes', 'holds', `${quorum === 1 ? 'somebody else' : `${quorum} people`} have to agree${glass}`)
}

/** Between the yes and the call: another policy, and another definition of the tool. */
async function drift(bench: Bench): Promise<Line> {
  const { opened, call, approval } = await waitingOn(bench)
  if (!(await approved(opened, approval))) return line('drift', 'fails', NOBODY_CAN)
  const other = { policy: { ...bench.policy, digest: `sha256:${'0'.repeat(64)}` }, degraded: null }
  const underOther = await bench.open({ policy: other, home: opened.home }).gate.gate.decide(call)
  if (runs(underOther.decision)) return line('drift', 'fails', `a yes counts under another policy: ${said(underOther)}`)
  const second = await waitingOn(bench)
  if (!(await approved(second.opened, second.approval))) return line('drift', 'fails', NOBODY_CAN)
  const redefined = { ...second.call, tool: { ...second.call.tool, definition: `sha256:${'1'.repeat(64)}` } }
  const decision = await second.opened.gate.gate.decide(redefined)
  return runs(decision.decision)
    ? line('drift', 'fails', `a yes counts for a tool that was defined anew: ${said(decision)}`)
    : line('drift', 'holds', `under another policy: ${said(underOther)}; for a tool that was defined anew: ${said(decision)}`)
}

const BROKEN: Layer = {
  name: 'verify',
  onError: 'deny',
  evaluate: () => {
    throw new Error('broken on purpose')
  },
}

/** Failures that show only by a call that runs without them. */
const NEED_A_RUN: ReadonlySet<string> = new Set(['no place for the log', 'a layer that throws'])

async function failClosed(bench: Bench): Promise<readonly Line[]> {
  const call = exampleCall({ server: null, name: UNKNOWN_TOOL, definition: null }, {}, bench.work)
  const read = exampleCall({ server: null, name: 'Bash', definition: null }, { command: 'ls' }, bench.work)
  const tried: readonly (readonly [string, ToolCall, Parameters<Bench['open']>[0]])[] = [
    ['no valid policy', read, { policy: { policy: null, error: 'broken on purpose', path: null } }],
    ['no place for the log', read, { unwritable: true }],
    ['a layer that throws', read, { layers: [...LAYERS, BROKEN] }],
    ['a tool that nobody described', call, {}],
  ]
  const lines: Line[] = []
  for (const [name, example, changes] of tried) {
    // A call that does not run anyway shows nothing of what a failure changes.
    const untouched = NEED_A_RUN.has(name) ? await bench.open({}).gate.gate.decide(example) : null
    if (untouched !== null && !runs(untouched.decision)) {
      lines.push(line(`fail-closed: ${name}`, 'not_applicable', `the example does not run without the failure either: ${said(untouched)}`))
      continue
    }
    const decision = await bench.open(changes).gate.gate.decide(example)
    lines.push(line(`fail-closed: ${name}`, runs(decision.decision) ? 'fails' : 'holds', said(decision)))
  }
  return [...lines, ...lenient(bench)]
}

/** What the policy itself lets pass where something failed. */
function lenient({ policy: { undo, outcome } }: Bench): readonly Line[] {
  const settings = [
    ['undo.on_failure', undo?.onFailure ?? null, 'a call whose way back could not be kept'],
    ['outcome.on_unknown', outcome.onUnknown, 'an act that may have happened already'],
  ] as const
  return settings.map(([name, value, what]) =>
    value === null
      ? line(`fail-closed: ${name}`, 'not_applicable', 'the policy has no such section')
      : line(`fail-closed: ${name}`, value === 'pass' ? 'fails' : 'holds', `${what}: ${value}`),
  )
}
