/** Scanners of others in the gate: after the layers, before judges. They only raise; one without an answer is never a yes. */
import type { ToolCall } from '../core/call.ts'
import type { Judgement } from '../core/decide.ts'
import { settle } from '../core/decide.ts'
import type { Finding } from '../core/finding.ts'
import { atPointer } from '../core/json.ts'
import { anyName } from '../core/other-names.ts'
import type { ToolName } from '../core/tool-name.ts'
import { compare } from '../core/verdict.ts'
import type { Facts } from '../facts/facts.ts'
import type { Review } from '../gate.ts'
import { finding } from '../layers/finding.ts'
import type { ScannerPolicy } from '../policy/policy.ts'
import { readScan, type ScanOutcome } from '../scanners/report.ts'
import type { RunScanner } from '../scanners/run.ts'

export interface ScannerParts {
  readonly run: RunScanner
  readonly env: (name: string) => string | undefined
}

/** Where this stands in a scanner's arguments, the command line of the call stands when it runs. */
export const COMMAND_LINE = '{command}'

/** Most command lines of one call that one scanner is shown. */
const MAX_LINES = 8

export function createScannerReview(parts: ScannerParts): Review {
  return (judgement, context) => {
    const { scanners } = context.policy.guards
    if (scanners.length === 0 || compare(judgement.verdict, 'deny') >= 0) return judgement
    return review(judgement, scanners, { call: context.call, facts: context.facts, parts })
  }
}

/** One review after the other. */
export function inTurn(first: Review, second: Review): Review {
  return (judgement, context) => {
    const reviewed = first(judgement, context)
    return reviewed instanceof Promise ? reviewed.then((found) => second(found, context)) : second(reviewed, context)
  }
}

interface Scanning {
  readonly call: ToolCall
  readonly facts: Facts
  readonly parts: ScannerParts
}

async function review(judgement: Judgement, scanners: readonly ScannerPolicy[], scanning: Scanning): Promise<Judgement> {
  const found = await Promise.all(scanners.map((scanner) => scan(scanner, scanning)))
  const findings = found.flat()
  return findings.length === 0 ? judgement : settle([...judgement.findings, ...findings])
}

async function scan(scanner: ScannerPolicy, { call, facts, parts }: Scanning): Promise<readonly Finding[]> {
  const isMeant = ({ server, name }: ToolName): boolean => scanner.tools?.some((pattern) => pattern.matches(server, name)) ?? true
  if (!anyName(call, isMeant)) return []
  const perLine = scanner.command.includes(COMMAND_LINE)
  const lines = perLine ? commandLines(call, facts) : [null]
  if (lines.length > MAX_LINES) return [unanswered(scanner, `the call has more than ${MAX_LINES} command lines`, 'scanner.unavailable')]
  if (perLine && lines.includes(null))
    return [unanswered(scanner, 'a command of the call is no text that could be shown', 'scanner.unavailable')]
  const input = JSON.stringify({ tool_name: call.tool.name, tool_input: call.args })
  const env = Object.fromEntries(scanner.env.flatMap((key) => (parts.env(key) === undefined ? [] : [[key, parts.env(key) ?? '']])))
  const outcomes = await Promise.all(
    lines.map((line) => {
      const command = scanner.command.map((word) => (word === COMMAND_LINE && line !== null ? line : word))
      return parts.run({ command, input, env, timeoutMs: scanner.timeoutMs })
    }),
  )
  return outcomes.flatMap((outcome) => findingOf(scanner, outcome))
}

/** The arguments in which commands were found, whichever tool they are of (FUL-W4); null for one that is no single text. */
function commandLines({ args }: ToolCall, { commands }: Facts): readonly (string | null)[] {
  const pointers = new Set(commands.map(({ span }) => span.pointer))
  return [...pointers].map((pointer) => {
    const text = atPointer(args, pointer)
    return typeof text === 'string' ? text : null
  })
}

function findingOf(scanner: ScannerPolicy, outcome: ScanOutcome): readonly Finding[] {
  const { says, message, objections } = readScan(outcome, scanner.failOn)
  if (says === 'clear') return []
  if (says === 'unknown') return [unanswered(scanner, message, outcome.kind === 'timeout' ? 'timeout.scanner' : 'scanner.unavailable')]
  return [
    finding({
      layer: 'scanner',
      rule: scanner.name,
      verdict: says === 'blocked' ? 'deny' : 'flag',
      code: says === 'blocked' ? 'scanner.blocked' : 'scanner.noted',
      message: `scanner \`${scanner.name}\`: ${message}`,
      evidence: { objections: objections.map(({ severity, rule, title }) => ({ severity, rule, title })) },
    }),
  ]
}

function unanswered(scanner: ScannerPolicy, message: string, code: 'timeout.scanner' | 'scanner.unavailable'): Finding {
  const { name, onError } = scanner
  return finding({
    layer: 'scanner',
    rule: name,
    verdict: onError,
    code,
    message: `scanner \`${name}\` gave no answer: ${message}`,
    resolvers: ['human'],
  })
}
