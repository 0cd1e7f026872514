import { toldDecision } from '../../core/wire.ts'
import { parseCall } from '../../ingress/call.ts'
import type { Refusal } from '../../ingress/refusal.ts'
import { bytesDigest, digester } from '../../open.ts'
import { explainDecision } from '../explain.ts'
import { openForCommand } from '../open.ts'
import { EXIT, exitOf, print, readStdin, visible, warn } from '../terminal.ts'

/** `countersign check`: one call on stdin, its decision on stdout. */
export async function check(options: { policy?: string; explain?: boolean; record?: boolean; vouchTask?: boolean }): Promise<number> {
  const bytes = readStdin()
  const started = performance.now()
  const parsed = parseCall(bytes, { digester })
  const ingress = Math.round((performance.now() - started) * 1000)
  const { gate, close } = openForCommand({ policy: options.policy ?? null, record: options.record !== false })
  try {
    if (!parsed.ok) {
      const { code, message } = parsed.refusal
      await gate.refuse({ code, message, digest: bytesDigest(bytes), agent: null, session: null, cwd: process.cwd() })
      return printRefusal(parsed.refusal)
    }
    const { cwd, context } = parsed.call
    const call = { ...parsed.call, cwd: cwd ?? process.cwd(), context: { ...context, vouched: options.vouchTask === true } }
    const decision = await gate.decide(call, ingress)
    if (options.explain === true) for (const line of explainDecision(decision, parsed.call)) print(visible(line))
    else print(JSON.stringify(toldDecision(decision), null, 2))
    return exitOf(decision.decision)
  } finally {
    close()
  }
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
