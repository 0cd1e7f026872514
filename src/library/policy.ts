/** `countersign/policy`: compile, lint, explain and format policies in a program of your own. */

import { COMPILE } from '../open-policy.ts'
import { type CompileOptions, type CompileResult, compilePolicy as compile } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'

export type { PolicyError } from '../policy/errors.ts'
export { explainPolicy } from '../policy/explain/explain.ts'
export { formatPolicy } from '../policy/format.ts'
export { lintPolicy } from '../policy/lint.ts'
export type { Policy } from '../policy/policy.ts'
export { policySchema } from '../policy/schema.ts'

/**
 * Compiles the text of a policy and runs its examples. Never throws: what is wrong is `errors`, each with a code and a position.
 * @param options `path` names the text in errors, default none; `readFile` reads files that it names, default none is read.
 */
export function compilePolicy(text: string, options: Partial<Pick<CompileOptions, 'path' | 'readFile'>> = {}): CompileResult {
  return compile(text, { ...COMPILE, path: null, ...options, sha256 })
}
