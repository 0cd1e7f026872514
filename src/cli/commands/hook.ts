import { fstatSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../core/json.ts'
import { type HostAdapter, secondsFor } from '../../hosts/adapter.ts'
import { answerFor } from '../../hosts/answer.ts'
import { HUNG_FILE, hookKey, nonceOf, SILENCE_SECONDS, sealed } from '../../hosts/seal.ts'
import { bytesDigest, digester, type OpenedGate, stateDirectory } from '../../open.ts'
import { startForHooks } from '../daemon.ts'
import { deliveriesOf } from '../deliveries.ts'
import { openForCommand } from '../open.ts'
import { recordResult } from '../results.ts'
import { recordPrompt, withWords } from '../session-words.ts'
import { EXIT, readStdin, UsageError, writeAll } from '../terminal.ts'
import { userName } from '../user.ts'
import { agentNamed } from './agent.ts'

/** `countersign hook <agent>`: one native event on stdin, one native answer on stdout, in one write. */
export async function hook(agent: string, options: { policy?: string; sealed?: boolean }): Promise<number> {
  const host = agentNamed(agent)
  const nonce = options.sealed === true ? nonceOf(process.env.COUNTERSIGN_NONCE) : null
  if (options.sealed === true && nonce === null) throw new UsageError('a sealed answer needs a number of its own in `COUNTERSIGN_NONCE`')
  const event = readStdin()
  const asked: Asked = { host, event, nonce, policy: options.policy ?? null }
  const answer = JSON.stringify(warnedOnce(asked, await withinDeadline(host, decideEvent(asked))))
  if (isNowhere(1)) throw new UsageError('standard output is closed, so the answer cannot be written and the call is refused')
  const text = nonce === null ? `${answer}\n` : sealed(answer, { key: hookKey(stateDirectory()), nonce, event })
  if (nonce !== null) writeAll(1, text)
  else await new Promise<void>((resolve, reject) => process.stdout.write(text, (error) => (error == null ? resolve() : reject(error))))
  if (wantsDaemon(nonce)) startForHooks(stateDirectory())
  return EXIT.ok
}

/** True for the null device: what this process was started with closed is that, and writing to it never fails. */
function isNowhere(descriptor: number): boolean {
  const [written, nowhere] = [fstatSync(descriptor), statSync(devNull)]
  return written.isCharacterDevice() && written.rdev === nowhere.rdev
}

/** Of each second that the hook has: what it waits for another hook that began to decide the same event. The rest is for deciding. */
const WAIT_SHARE_MS = 500

export interface Asked {
  readonly host: HostAdapter
  readonly event: Uint8Array
  readonly nonce: string | null
  readonly policy: string | null
}

/** Over the state directory of this process. Rejects where the gate cannot be opened. */
export async function decideEvent(asked: Asked): Promise<JsonObject> {
  const opened = openFor(asked)
  try {
    return await answerOver(opened, asked)
  } finally {
    opened.close()
  }
}

/** The gate over the state directory of this process, with the patience of the host. */
export function openFor({ host, policy }: Pick<Asked, 'host' | 'policy'>): OpenedGate {
  return openForCommand({ policy, record: true, patienceMs: secondsFor(host.about) * 700 })
}

/** The answer of a gate that is open to one event. */
export function answerOver(opened: OpenedGate, { host, event, nonce }: Omit<Asked, 'policy'>): Promise<JsonObject> {
  const home = stateDirectory()
  return answerFor(host, event, {
    gate: opened.gate,
    digest: bytesDigest,
    definitionDigest: digester.definitionDigest,
    entrypoint: entrypointOf(host),
    limits: opened.limits,
    deadline: opened.deadline,
    role: process.env.COUNTERSIGN_ROLE || null,
    user: userName(),
    prompt: (prompt) => recordPrompt(opened, prompt),
    withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
    result: (result, handover) => recordResult(opened, result, { handover: handover ?? null }),
    deliveries: deliveriesOf(opened, { home, waitMs: secondsFor(host.about) * WAIT_SHARE_MS }),
    place: process.env.COUNTERSIGN_PLACE || null,
    // A daemon that was asked and did not answer may come back.
    handover: nonce === null || !process.env.COUNTERSIGN_HANDOVER ? null : { nonce, takesOver: true },
  })
}

/** How the host was started. The installed hook hands it on under our name; an unset variable as an empty one. */
function entrypointOf({ entrypointVariable }: HostAdapter): string | null {
  return process.env.COUNTERSIGN_ENTRYPOINT || (entrypointVariable === null ? null : process.env[entrypointVariable]) || null
}

/** Only the installed hook starts a daemon, and none that hangs is there; a judge that is an agent itself needs none. */
function wantsDaemon(nonce: string | null): boolean {
  const { COUNTERSIGN_DAEMON: daemon, COUNTERSIGN_HANDOVER: handover, COUNTERSIGN_JUDGE_DEPTH: depth } = process.env
  return nonce !== null && daemon !== 'off' && handover !== 'hung' && !depth
}

/** The person at the host is told of a daemon that hangs at the first call that it costs its silence, and not at each. */
function warnedOnce({ host, nonce }: Asked, answer: JsonObject): JsonObject {
  if (nonce === null || process.env.COUNTERSIGN_HANDOVER !== 'hung') return answer
  const first = markHung(join(stateDirectory(), HUNG_FILE))
  return first ? host.told(answer, HUNG) : answer
}

const HUNG = `Countersign: the daemon gave no answer for ${SILENCE_SECONDS} seconds, so this call was decided without it. Restart \`countersign serve\`.`

/** True for the first; the time of the file says how long hooks need not wait for it again. */
function markHung(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    try {
      utimesSync(path, new Date(), new Date())
    } catch {
      // Nobody is spared the wait.
    }
    return false
  }
}

/** Answers before the host stops waiting: its timeout would let the call run (D6, T30). */
async function withinDeadline(host: HostAdapter, answer: Promise<JsonObject>): Promise<JsonObject> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<JsonObject>((resolve) => {
    timer = setTimeout(
      () => resolve(host.denial('Countersign: the gate did not decide in time, so the call was refused. (timeout.gate)')),
      secondsFor(host.about) * 900,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
