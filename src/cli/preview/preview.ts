/** `countersign preview`: one call on stdin, what it would change on stdout; nothing of the machine is changed and nothing is recorded. */
import pc from 'picocolors'
import { redactJson } from '../../audit/redact.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { Preview } from '../../core/preview.ts'
import { parseCall } from '../../ingress/call.ts'
import { analyseCall, digester, type OpenOptions, openGate, stateDirectory } from '../../open.ts'
import { judgingFiles } from '../../open-files.ts'
import { previewOf } from '../../open-preview.ts'
import type { Policy } from '../../policy/policy.ts'
import type { PreviewSection } from '../../policy/preview/model.ts'
import { emptySession } from '../../session/state.ts'
import { createNodeView } from '../../view/node.ts'
import { printRefusal } from '../commands/check.ts'
import { withoutCredentials } from '../commands/effects.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, readStdin, visible, warn } from '../terminal.ts'
import { previewLines } from './lines.ts'

const MEBIBYTE = 1024 * 1024

/** Where the policy says nothing: a person asks here, and sees what there is. */
const USUAL: PreviewSection = {
  run: 'asked',
  dryRuns: [],
  modes: [],
  onlyForTools: null,
  onUnsupported: null,
  onFailure: 'deny',
  onExit: 'ask',
  apply: null,
  askAbove: { files: null, deleted: null, lines: null, rows: null },
  limits: { timeMs: 10_000, memoryBytes: 1_024 * MEBIBYTE, outputBytes: 16_384, spaceBytes: 256 * MEBIBYTE, processes: 256 },
}

/** Exit 0 where something was seen, 1 where the call could not be tried out, 2 where it could not be read. */
export async function preview(options: { json?: boolean; policy?: string }): Promise<number> {
  const parsed = parseCall(readStdin(), { digester })
  if (!parsed.ok) return printRefusal(parsed.refusal)
  const call = { ...parsed.call, cwd: parsed.call.cwd ?? process.cwd() }
  const { policy } = loadInForce(options.policy ?? null)
  const view = withoutCredentials(createNodeView({ cwd: call.cwd, gate: [stateDirectory(), ...judgingFiles(policy)] }))
  const facts = analyseCall(call, view, { state: emptySession(Date.now()), policy })
  const section = policy?.preview ?? USUAL
  const opened = policy === null || section.dryRuns.length === 0 ? null : openGate(judging(policy))
  try {
    const seen = await previewOf(call, facts, { view, section, ...(opened === null ? {} : { consider: opened.reviewing.consider }) })
    if (seen === null) return failed('nothing here can try this tool out')
    if (options.json === true) print(JSON.stringify(told(seen), null, 2))
    else for (const line of linesOf(seen)) print(line)
    return seen.seen !== undefined && seen.seen.unsupported !== null ? EXIT.broken : EXIT.ok
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    opened?.close()
  }
}

/** A gate that says what it would decide, and keeps nothing. */
function judging(policy: Policy): OpenOptions {
  return { home: stateDirectory(), policy: () => ({ policy, degraded: null }), record: false }
}

function failed(why: string): number {
  warn(visible(`countersign: the call could not be tried out: ${why}`))
  return EXIT.broken
}

/** `{ kind, exit_code, files, network, programs, output, …, digest }`, redacted as in the log. */
function told({ shown, digest }: Preview): JsonObject {
  const value = redactJson(shown).value
  return { ...(isJsonObject(value) ? value : {}), digest }
}

function linesOf(seen: Preview): readonly string[] {
  return [...previewLines(told(seen)), pc.dim(`digest ${seen.digest}`)]
}
