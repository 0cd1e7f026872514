import type { Json } from '../../../core/json.ts'
import type { CommandContext, Invocation, ParsedCommand } from '../../host.ts'
import { firstOf } from '../tasks/nearest.ts'
import { yamlOf } from '../tasks/project-yaml.ts'
import type { Loader } from './load.ts'

/** A command that loads code of the project, with its words as far as they are known. */
export interface Follow {
  readonly loader: Loader
  readonly context: CommandContext
  readonly invocation: Invocation
  readonly parsed: ParsedCommand
  /** Words that are no option and no value of one. */
  readonly operands: readonly string[]
  /** All words behind the program. */
  readonly words: readonly string[]
}

/** Loads what a command loads. */
export type Follower = (follow: Follow) => void

/** The value of the first of these options, written as `--name value`, `--name=value` or `-nvalue`. */
export function optionOf(words: readonly string[], ...names: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    for (const name of names) {
      if (word === name) return words[at + 1] ?? null
      if (name.startsWith('--') && word.startsWith(`${name}=`)) return word.slice(name.length + 1)
      if (name.length === 2 && word.startsWith(name) && !word.startsWith('--')) return word.slice(2).replace(/^=/, '')
    }
  }
  return null
}

/** Every value of such options. */
export function optionsOf(words: readonly string[], ...names: readonly string[]): readonly string[] {
  return words.flatMap((_, at) => {
    const rest = words.slice(at, at + 2)
    const value = names.some((name) => rest[0] === name || rest[0]?.startsWith(`${name}=`)) ? optionOf(rest, ...names) : null
    return value === null ? [] : [value]
  })
}

/** The directory of a path; the empty text where it names none. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** A file of settings in YAML where the command works; null where there is none that can be read. */
export function yamlIn(name: string, { context, invocation: { span } }: Follow): Json {
  const found = firstOf([name], { context, span })
  return found === null ? null : yamlOf(found)
}
