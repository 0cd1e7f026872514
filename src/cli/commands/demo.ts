import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditVerify } from '../../audit/log.ts'
import { decisionToJson } from '../../core/wire.ts'
import { parseCall } from '../../ingress/call.ts'
import { digester, openGate } from '../../open.ts'
import { createFixedView } from '../../view/fixed.ts'
import { NEUTRAL } from '../../view/world.ts'
import { explainDecision } from '../explain.ts'
import { loadShipped } from '../open.ts'
import { coloured, EXIT, print, visible } from '../terminal.ts'
import { packageRoot } from '../version.ts'

/** `countersign demo`: shipped calls through the shipped policy, recorded and verified in a directory that is thrown away. */
export async function demo(options: { json?: boolean }): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-demo-'))
  const state = loadShipped()
  const { gate, close } = openGate({
    home,
    policy: () => state,
    view: () => createFixedView({ ...NEUTRAL, gate: [`${NEUTRAL.home}/.countersign`] }),
  })
  try {
    for (const line of readFileSync(join(packageRoot(), 'examples/demo/calls.jsonl'), 'utf8').split('\n')) {
      if (line.trim() === '') continue
      const parsed = parseCall(line, { digester })
      if (!parsed.ok) throw new Error(`a shipped call cannot be read: ${parsed.refusal.message}`)
      const decision = await gate.decide({ ...parsed.call, cwd: parsed.call.cwd ?? NEUTRAL.cwd })
      if (options.json === true) {
        print(JSON.stringify({ call: parsed.call.args, ...decisionToJson(decision) }))
        continue
      }
      print(`${coloured(decision.decision).padEnd(6)} ${visible(JSON.stringify(parsed.call.args))}`)
      for (const detail of explainDecision(decision, parsed.call).slice(0, 1)) print(`       ${visible(detail)}`)
    }
  } finally {
    close()
  }
  const report = auditVerify({ directory: home })
  if (options.json === true) print(JSON.stringify({ records: report.total, intact: report.ok }))
  else print(`${report.total} decisions recorded; the log ${report.ok ? 'holds' : 'does NOT hold'}`)
  rmSync(home, { recursive: true, force: true })
  return report.ok ? EXIT.ok : EXIT.broken
}
