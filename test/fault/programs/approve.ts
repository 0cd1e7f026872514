/**
 * Goes through the life of approvals until it is killed: asks, changes every second one, answers, uses. Prints `ask <id>`,
 * `new <id>`, `yes <id>`, `ran <id>` once each is acknowledged. Argument: the state directory.
 */
import { writeSync } from 'node:fs'
import { answerApproval } from '../../../src/approvals/answer.ts'
import { COMPILE } from '../../../src/cli/open.ts'
import { openGate } from '../../../src/open.ts'
import { compilePolicy } from '../../../src/policy/compile.ts'
import { sha256 } from '../../../src/policy/file.ts'
import { loadKeys } from '../../../src/store/sqlite/keys.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { createFixedView } from '../../../src/view/fixed.ts'
import { approvedCall, POLICY } from '../approved-call.ts'

const [home = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const compiled = compilePolicy(POLICY, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  const view = () => createFixedView({ home: '/home/user', cwd: '/repo' })
  const opened = openGate({ home, policy: () => ({ policy, degraded: null }), view })
  const store = openStore({ directory: home })
  for (let number = 0; ; number += 1) {
    const call = approvedCall(`${process.pid}-${number}`)
    const id = (await opened.gate.decide(call)).approval?.id ?? 'none'
    writeSync(1, `ask ${id}\n`)
    if (number % 2 === 1) {
      await opened.queue.answer(id, { tenant: null, by: 'human:bob', verdict: 'approve', modifiedArguments: { changed: true } })
      writeSync(1, `new ${id}\n`)
    }
    const event = { kind: 'approve', at: Date.now(), by: 'human:alice', reason: '', breakGlass: false } as const
    await answerApproval(id, event, { store, keys: loadKeys(home) })
    writeSync(1, `yes ${id}\n`)
    const { resolutions } = await opened.gate.decide(call, 0, { attended: false, rewrites: true })
    writeSync(1, `ran ${resolutions[0]?.id ?? 'none'}\n`)
  }
}

main().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`)
  process.exitCode = 1
})
