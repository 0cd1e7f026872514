/** The policy as the console looks at it: findings of a text, the text in force, and recorded calls decided again under another. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ToolCall } from '../core/call.ts'
import type { ViewAnswer } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { View } from '../facts/view.ts'
import { openGate, stateDirectory } from '../open.ts'
import { type CompileResult, compilePolicy } from '../policy/compile.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { sha256 } from '../policy/file.ts'
import type { Policy } from '../policy/policy.ts'
import type { FileText } from '../policy/section.ts'
import { recordedCallFrom } from '../replay/recorded-call.ts'
import type { PolicyFinding, PolicyTools, Redecided } from '../server/parts.ts'
import { createNodeView } from '../view/node.ts'
import { recordedFirst } from '../view/recorded.ts'
import { COMPILE } from './open.ts'

/** `path`: where the policy in force is. Of the files that a text names, only those that this policy names as well are read. */
export function policyTools(path: () => string | null): PolicyTools {
  return {
    lint: (text) => findingsOf(compile(text, path())),
    text: (at) => (at === null ? DEFAULT_POLICY : textOf(at)),
    replay: async (text, calls) => {
      const result = compile(text, path())
      return result.ok ? redecide(result.policy, calls) : null
    },
  }
}

/** Empty where the file is gone: the last good policy stays in force, and `degraded` says why. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const UNREAD = { problem: 'it is not read here: of the files that a text names, only those of the policy in force are' } as const

/** Whoever may look at the policy sends texts, and errors quote what files say: a text opens no file by naming it. */
function compile(text: string, path: string | null): CompileResult {
  const own = path === null ? new Map<string, FileText>() : namedFiles(path)
  return compilePolicy(text, { ...COMPILE, asOf: Date.now(), path: null, sha256, readFile: (name) => own.get(name) ?? UNREAD })
}

/** What the policy in force reads beside itself, by the name that it has there. */
function namedFiles(path: string): ReadonlyMap<string, FileText> {
  const files = new Map<string, FileText>()
  const readFile = (name: string): FileText => {
    const file = readBeside(dirname(path), name)
    files.set(name, file)
    return file
  }
  compilePolicy(textOf(path), { ...COMPILE, path: null, sha256, readFile })
  return files
}

function readBeside(directory: string, name: string): FileText {
  try {
    return { text: readFileSync(resolve(directory, name), 'utf8') }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

function findingsOf(result: CompileResult): readonly PolicyFinding[] {
  if (!result.ok)
    return result.errors.map(({ code, message, help, line, column }) => ({ level: 'error', code, message, help, line, column }))
  return result.policy.warnings.map(({ code, message, line, column }) => ({ level: 'warning', code, message, help: null, line, column }))
}

/** Judges are not asked: a look at the past costs nothing and sends nothing anywhere. */
async function redecide(policy: Policy, calls: readonly JsonObject[]): Promise<readonly Redecided[]> {
  const recorded = new WeakMap<ToolCall, readonly ViewAnswer[]>()
  const quiet = withoutJudges(policy)
  const { gate } = openGate({
    home: stateDirectory(),
    record: false,
    policy: () => ({ policy: quiet, degraded: null }),
    view: (call) => viewOf(call, recorded.get(call) ?? []),
  })
  const results: Redecided[] = []
  for (const body of calls) {
    const call = callOf(own(body, 'call') ?? null)
    if (call === null) {
      results.push({ decision: String(decisionOf(body).decision), codes: [] })
      continue
    }
    recorded.set(call, answersOf(decisionOf(body)))
    const decision = await gate.decide(call)
    results.push({
      decision: decision.decision,
      codes: [...new Set(decision.determining.map((at) => decision.findings[at]?.code ?? decision.code))],
    })
  }
  return results
}

function withoutJudges(policy: Policy): Policy {
  const plain = compilePolicy('version: 1\n', { ...COMPILE, path: null, sha256 })
  return plain.ok ? { ...policy, judges: plain.policy.judges } : policy
}

function decisionOf(body: JsonObject): JsonObject {
  const decision = own(body, 'decision')
  return isJsonObject(decision) ? decision : {}
}

/** The call of a record; null for input that never became one. */
function callOf(value: Json): ToolCall | null {
  const read = recordedCallFrom(value)
  return read.ok ? { ...read.call, context: { ...read.call.context, vouched: read.vouched === true } } : null
}

function answersOf({ view }: JsonObject): readonly ViewAnswer[] {
  return Array.isArray(view) ? (view as unknown as readonly ViewAnswer[]) : []
}

/** What was seen then; what was not looked at then is looked at now. */
function viewOf(call: ToolCall, answers: readonly ViewAnswer[]): View {
  return recordedFirst(createNodeView({ cwd: call.cwd, gate: [stateDirectory()] }), answers)
}
