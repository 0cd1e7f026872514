import { createInterface } from 'node:readline'
import type { ToolCall } from '../../core/call.ts'
import type { Decision } from '../../core/decision.ts'
import { toldDecision } from '../../core/wire.ts'
import type { Gate } from '../../gate.ts'
import { parseCall } from '../../ingress/call.ts'
import type { Refusal } from '../../ingress/refusal.ts'
import { bytesDigest, digester } from '../../open.ts'
import { explainDecision } from '../explain.ts'
import { loadInForce, openForCommand } from '../open.ts'
import { outcomeLines } from '../outcomes/explain.ts'
import { EXIT, exitOf, print, readStdin, UsageError, visible, warn } from '../terminal.ts'

export interface CheckOptions {
  readonly policy?: string
  readonly explain?: boolean
  readonly record?: boolean
  readonly vouchTask?: boolean
  readonly lines?: boolean
}

/** `countersign check`: one call on stdin, its decision on stdout. */
export async function check(options: CheckOptions): Promise<number> {
  if (options.lines === true) return checkLines(options)
  const bytes = readStdin()
  const started = performance.now()
  const parsed = parseCall(bytes, { digester })
  const ingress = Math.round((performance.now() - started) * 1000)
  const { gate, close } = openForCommand({ policy: options.policy ?? null, record: options.record !== false })
  try {
    if (!parsed.ok) {
      await refused(gate, bytes, parsed.refusal)
      return printRefusal(parsed.refusal)
    }
    const decision = await gate.decide(callFromHere(parsed.call, options), ingress)
    if (options.explain === true) for (const line of explained(decision, parsed.call, { gate, options })) print(visible(line))
    else print(JSON.stringify(toldDecision(decision), null, 2))
    return exitOf(decision.decision)
  } finally {
    close()
  }
}

interface Explaining {
  readonly gate: Gate
  readonly options: CheckOptions
}

/** The decision, and what the outcome rule says of a repetition. */
function explained(decision: Decision, call: ToolCall, { gate, options }: Explaining): readonly string[] {
  const { policy } = loadInForce(options.policy ?? null)
  return [...explainDecision(decision, call), ...(policy === null ? [] : outcomeLines(call, gate.facts(call), policy))]
}

/** One call a line, one decision a line, each before the next line is read. A line that is no call is answered by its fault. */
async function checkLines(options: CheckOptions): Promise<number> {
  if (options.explain === true) throw new UsageError('`--lines` answers in JSON; leave out `--explain`')
  const { gate, close } = openForCommand({ policy: options.policy ?? null, record: options.record !== false })
  let code: number = EXIT.ok
  try {
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const bytes = Buffer.from(line)
      const parsed = parseCall(bytes, { digester })
      if (parsed.ok) print(JSON.stringify(toldDecision(await gate.decide(callFromHere(parsed.call, options), 0))))
      else {
        await refused(gate, bytes, parsed.refusal)
        code = printRefusal(parsed.refusal)
      }
    }
    return code
  } finally {
    close()
  }
}

/** The call from where this command runs, unless it says where it comes from. */
function callFromHere(call: ToolCall, { vouchTask }: CheckOptions): ToolCall {
  return { ...call, cwd: call.cwd ?? process.cwd(), context: { ...call.context, vouched: vouchTask === true } }
}

async function refused(gate: Pick<Gate, 'refuse'>, bytes: Uint8Array, { code, message }: Refusal): Promise<void> {
  await gate.refuse({ code, message, digest: bytesDigest(bytes), agent: null, session: null, cwd: process.cwd() })
}

/** Bad input: what and where (the message says both), and the way out, on stderr and as JSON; exit 2. */
export function printRefusal(refusal: Refusal): number {
  warn(`countersign: ${visible(refusal.message)}`)
  if (refusal.help !== '') warn(`  ${refusal.help}`)
  print(
    JSON.stringify({
      error: refusal.code,
      message: refusal.message,
      pointer: refusal.pointer,
      line: refusal.line,
      column: refusal.column,
      offset: refusal.offset,
      help: refusal.help,
    }),
  )
  return EXIT.usage
}
