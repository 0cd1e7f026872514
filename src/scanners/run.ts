/** Runs a scanner as a program of its own. Every end has its name; none of them is an allow. */
import type { Json } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { runProgram } from '../lookup/program.ts'
import type { ScanOutcome } from './report.ts'

export interface ScanRequest {
  /** Absolute program and its arguments. */
  readonly command: readonly string[]
  /** What it gets on standard input. */
  readonly input: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export type RunScanner = (request: ScanRequest) => Promise<ScanOutcome>

const KINDS = { missing: 'missing', late: 'timeout', loud: 'failed', signal: 'failed' } as const

/** Never rejects. */
export const runScanner: RunScanner = async ({ command, ...rest }) => {
  const end = await runProgram({ argv: command, ...rest })
  if (!end.ended) return { kind: KINDS[end.fault], message: `\`${command[0] ?? ''}\`: ${end.message}` }
  return { kind: 'ended', code: end.code, report: reportOf(end.stdout) }
}

function reportOf(bytes: Uint8Array): Json | undefined {
  const read = readJson(bytes)
  return read.ok ? read.value : undefined
}
