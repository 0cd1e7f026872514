import type { CommandContext, ParsedCommand } from '../../host.ts'
import type { Develops } from '../development/develop.ts'
import { ranUnread } from '../loads.ts'
import { type InstallOptions, installs, removes } from './packages.ts'

/** What the tools of single languages have in common: building, testing, running, and the packages of the language. */

export const BUILD: Develops = { action: 'dev:build', operands: 'data' }
export const TEST: Develops = { action: 'dev:test', operands: 'data' }
export const RUN: Develops = { action: 'dev:run', operands: 'data', stopAtOperand: true }

/** What the package commands of a language tool share. */
export function packages(manager: string, manifest: string, more: Partial<InstallOptions> = {}) {
  const options: InstallOptions = { manager, manifest, ...more }
  return {
    add: installs(options),
    update: installs({ ...options, verb: 'upgrade' }),
    remove: removes(manager),
  }
}

/** `dart x.dart`, `crystal x.cr`: a word that is no subcommand is a source file. */
export const sources =
  (pattern: RegExp) =>
  (parsed: ParsedCommand, context: CommandContext): boolean => {
    const first = parsed.operands[0]
    if (first?.text == null || parsed.path.length > 0 || !pattern.test(first.text)) return false
    ranUnread(first, context)
    return true
  }
