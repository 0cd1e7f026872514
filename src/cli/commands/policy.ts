import { readFileSync, writeFileSync } from 'node:fs'
import { familyTool } from '../../facts/tools/index.ts'
import { VOCABULARY } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { formatPolicyError } from '../../policy/errors.ts'
import { explainPolicy } from '../../policy/explain/explain.ts'
import { readPolicy, readText, sha256 } from '../../policy/file.ts'
import { formatPolicy } from '../../policy/format.ts'
import { policySchema } from '../../policy/schema.ts'
import { formatPolicyWarning } from '../../policy/warnings.ts'
import { COMPILE, policyPath } from '../open.ts'
import { EXIT, print, UsageError } from '../terminal.ts'

interface Options {
  readonly json?: boolean
}

/** `policy lint`: errors and warnings, each with its place; exit 1 where there is any error. */
export async function lint(file: string | undefined, options: Options): Promise<number> {
  const { path, result } = compileFile(file)
  const errors = result.ok ? [] : result.errors
  const warnings = result.ok ? result.policy.warnings : []
  if (options.json === true) print(JSON.stringify({ path, errors, warnings }, null, 2))
  else {
    for (const error of errors) print(formatPolicyError(error))
    const text = warnings.length === 0 ? '' : textOf(file)
    for (const warning of warnings) print(formatPolicyWarning(warning, { path, text }))
    if (errors.length + warnings.length === 0) print(`${path}: holds`)
  }
  return errors.length === 0 ? EXIT.ok : EXIT.broken
}

/** `policy explain`: what the policy does with one tool, in words. */
export async function explain(file: string | undefined, options: Options & { tool: string }): Promise<number> {
  const { result } = compileFile(file)
  if (!result.ok) throw new UsageError(result.errors.map(formatPolicyError).join('\n'))
  const text = explainPolicy(result.policy, options.tool, (server, name) => familyTool(server, name))
  print(options.json === true ? JSON.stringify({ tool: options.tool, text }) : text)
  return EXIT.ok
}

/** `policy fmt`: the canonical form; comments stay. */
export async function fmt(file: string | undefined, options: Options & { write?: boolean }): Promise<number> {
  const path = file ?? policyPath(null)
  const text = path === null ? DEFAULT_POLICY : readText(path)
  if (typeof text !== 'string') throw new UsageError(formatPolicyError(text))
  const formatted = formatPolicy(text)
  if (options.write === true && path !== null) {
    if (formatted !== text) writeFileSync(path, formatted)
    return EXIT.ok
  }
  process.stdout.write(formatted)
  return EXIT.ok
}

/** `policy schema`: JSON Schema of the file, for editors. */
export async function schema(): Promise<number> {
  print(JSON.stringify(policySchema(VOCABULARY), null, 2))
  return EXIT.ok
}

function textOf(file: string | undefined): string {
  const path = file ?? policyPath(null)
  return path === null ? DEFAULT_POLICY : readFileSync(path, 'utf8')
}

function compileFile(file: string | undefined) {
  const path = file ?? policyPath(null)
  if (path === null) return { path: 'shipped default', result: compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 }) }
  return { path, result: readPolicy(path, { ...COMPILE, asOf: Date.now() }) }
}
