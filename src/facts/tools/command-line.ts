/** Commands that come in parts: as a list of words, or as a program with its arguments beside it. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { scriptIndex, shellWords } from '../resources/text/quote.ts'
import type { Argument } from './spec.ts'

const LISTS: ReadonlySet<string> = new Set(['command', 'cmd', 'argv', 'commandline', 'command_line'])
const REST = ['args', 'arguments', 'argv', 'parameters']

/**
 * The whole command line that the argument is part of; null where it is told by an earlier part of the same list.
 * `{command: ["rm", "-rf", "a"]}` and `{command: "rm", args: ["-rf", "a"]}` both are `rm -rf a`.
 */
export function commandLine(argument: Argument, args: JsonObject): Argument | null {
  const { pointer } = argument
  const slash = pointer.indexOf('/', 1)
  const name = pointer.slice(1, slash === -1 ? undefined : slash)
  if (slash === -1) return withRest(argument, name, args)
  const index = pointer.slice(slash + 1)
  return index.includes('/') ? argument : listed(argument, { name, index, list: own(args, name) })
}

function withRest(argument: Argument, name: string, args: JsonObject): Argument {
  for (const key of REST) {
    const words = key === name ? undefined : own(args, key)
    if (isTexts(words)) return words.length === 0 ? argument : { ...argument, text: `${argument.text} ${shellWords(words)}` }
  }
  return argument
}

function listed(
  argument: Argument,
  at: { readonly name: string; readonly index: string; readonly list: Json | undefined },
): Argument | null {
  const { name, index, list } = at
  if (!LISTS.has(name.toLowerCase()) || !isTexts(list) || list.length === 0) return argument
  if (index !== '0') return null
  const script = scriptIndex(list)
  return { text: script >= 0 ? (list[script] ?? '') : shellWords(list), pointer: `/${name}` }
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && !isJsonObject(value) && value.every((item) => typeof item === 'string')
}
