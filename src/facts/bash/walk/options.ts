import type { ExecutionContext } from '../state/state.ts'

/** Options of the shell that say what becomes of it when something fails, and where `cd` goes. */

/** `set -e`, `set -euo pipefail`, `set +o errexit`, `set -P`. */
export function switchOptions(options: readonly string[], { scope }: ExecutionContext): void {
  for (const [at, text] of options.entries()) {
    const before = options[at - 1] ?? ''
    const named = /^[-+]\w*o$/.test(before)
    const on = (named ? before : text).startsWith('-')
    const letters = /^[-+][a-zA-Z]+$/.test(text)
    if (named ? text === 'errexit' : letters && text.includes('e')) scope.errexit = on
    if (named ? text === 'physical' : letters && text.includes('P')) scope.physical = on
  }
}
