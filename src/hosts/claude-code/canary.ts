/** Calls that nobody can know beforehand, sent through the installed command as the host sends them. Nothing of them is ever run. */
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'

export interface Canary {
  readonly session: string
  readonly id: string
  /** `deny` for a call into the gate's own files, null for a read of nothing. */
  readonly expected: 'deny' | null
  readonly event: JsonObject
}

/** Two calls that no policy permits and a harmless one, in any order; each kind, name and session is new. */
export function canaries(home: string): readonly Canary[] {
  const file = (): string => join(home, randomBytes(6).toString('hex'))
  const hostile: readonly (() => JsonObject)[] = [
    () => ({ tool_name: 'Bash', tool_input: { command: `rm -rf ${file()} ${home}` } }),
    () => ({ tool_name: 'Bash', tool_input: { command: `echo ${randomBytes(4).toString('hex')} > ${file()}` } }),
    () => ({ tool_name: 'Write', tool_input: { file_path: file(), content: randomBytes(8).toString('hex') } }),
    () => ({
      tool_name: 'Edit',
      tool_input: { file_path: join(home, 'countersign.yaml'), old_string: 'enforce', new_string: randomBytes(4).toString('hex') },
    }),
  ]
  const first = randomInt(hostile.length)
  const second = (first + 1 + randomInt(hostile.length - 1)) % hostile.length
  const calls = [first, second].map((at) => canary('deny', hostile[at]?.() ?? {}))
  calls.splice(randomInt(3), 0, canary(null, { tool_name: 'Read', tool_input: { file_path: `${randomBytes(6).toString('hex')}.md` } }))
  return calls
}

function canary(expected: Canary['expected'], call: JsonObject): Canary {
  const [session, id] = [randomUUID(), `toolu_${randomBytes(12).toString('hex')}`]
  const event = { session_id: session, transcript_path: '', cwd: process.cwd(), hook_event_name: 'PreToolUse', tool_use_id: id, ...call }
  return { session, id, expected, event }
}

/** The permission decision in the answer, `no opinion`, or what went wrong. */
export function send(command: string, { event }: Canary): string {
  const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-cli', COUNTERSIGN_DAEMON: 'off' }
  const run = spawnSync('/bin/sh', ['-c', command], { input: JSON.stringify(event), encoding: 'utf8', timeout: 60_000, env })
  if (run.status !== 0) return `exit ${run.status ?? run.signal}: ${run.stderr.trim()}`
  const read = readJson(run.stdout)
  const output = read.ok && isJsonObject(read.value) ? own(read.value, 'hookSpecificOutput') : undefined
  if (!isJsonObject(output)) return 'no valid answer'
  const decision = own(output, 'permissionDecision')
  return decision === undefined ? 'no opinion' : String(decision)
}
