import type { JsonObject } from '../../core/json.ts'
import type { HostAdapter } from '../../hosts/adapter.ts'
import { answerFor } from '../../hosts/answer.ts'
import { GATE_SECONDS, SEAL } from '../../hosts/seal.ts'
import { bytesDigest, digester } from '../../open.ts'
import { openForCommand } from '../open.ts'
import { recordResult } from '../results.ts'
import { EXIT, readStdin } from '../terminal.ts'
import { userName } from '../user.ts'
import { agentNamed } from './agent.ts'

/** `countersign hook <agent>`: one native event on stdin, one native answer on stdout, in one write. */
export async function hook(agent: string, options: { policy?: string; sealed?: boolean }): Promise<number> {
  const host = agentNamed(agent)
  const answer = await withinDeadline(host, decideOne(host, options.policy ?? null))
  const text = `${JSON.stringify(answer)}\n${options.sealed === true ? `${SEAL}\n` : ''}`
  await new Promise<void>((resolve, reject) => process.stdout.write(text, (error) => (error == null ? resolve() : reject(error))))
  return EXIT.ok
}

async function decideOne(host: HostAdapter, policy: string | null): Promise<JsonObject> {
  const opened = openForCommand({ policy, record: true, patienceMs: GATE_SECONDS * 700 })
  try {
    return await answerFor(host, readStdin(), {
      gate: opened.gate,
      digest: bytesDigest,
      definitionDigest: digester.definitionDigest,
      // The shim hands on an unset variable as an empty one.
      entrypoint: process.env.CLAUDE_CODE_ENTRYPOINT || null,
      user: userName(),
      result: (event) => recordResult(opened, event),
    })
  } finally {
    opened.close()
  }
}

/** Answers before the host stops waiting: its timeout would let the call run (D6, T30). */
async function withinDeadline(host: HostAdapter, answer: Promise<JsonObject>): Promise<JsonObject> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<JsonObject>((resolve) => {
    timer = setTimeout(
      () => resolve(host.denial('Countersign: the gate did not decide in time, so the call was refused. (timeout.gate)')),
      GATE_SECONDS * 900,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
