import type { Command } from 'unbash'
import type { Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { LIMITS } from '../state/budget.ts'
import { joinLeft } from '../state/join.ts'
import { merged } from '../state/origins.ts'
import { type ExecutionContext, type Output, UNKNOWN_OUTPUT } from '../state/state.ts'
import { isProgram } from './deferred.ts'

/** Aliases: text that stands before the rest of the words, where the shell expands it at all. */

/** A command whose name is an alias. */
interface Aliased {
  readonly text: string
  readonly node: Command
  readonly words: readonly Word[]
  readonly site: ExecutionContext
}

/** The alias that an unquoted command word names. */
export function aliasOf(node: Command, words: readonly Word[], site: ExecutionContext): string | null {
  if (site.scope.aliases.size === 0 || node.name === undefined || node.name.text !== node.name.value) return null
  return site.scope.aliases.get(words[0]?.text ?? '') ?? null
}

/**
 * Runs what the alias stands for, and the program of that name as well: a shell that is not interactive, or that read the whole line
 * before, expands no alias, so `alias rm=true; rm x` deletes.
 */
export function runAliased(aliased: Aliased, plain: (site: ExecutionContext) => Output): Output {
  const { text, words, site } = aliased
  const name = words[0]?.text ?? ''
  if (sameWithFlags(name, text) || !(isProgram(name) || site.scope.functions.has(name))) return runAlias(aliased)
  const other = site.scope.clone()
  const output = runAlias(aliased)
  other.certainty = 'possible'
  const printed = plain({ ...site, scope: other })
  joinLeft(site, [other])
  return output.text === printed.text ? output : { ...UNKNOWN_OUTPUT, from: merged(output.from ?? [], printed.from ?? []) }
}

/** `rm` as `rm -i`: the same with flags that take nothing back. */
function sameWithFlags(name: string, text: string): boolean {
  return text.startsWith(`${name} `) && /^(?: -[iIfprRlaAFG]+)+ ?$/.test(text.slice(name.length))
}

function runAlias({ text, node, words, site }: Aliased): Output {
  const { scope } = site
  const { positional, aliases } = scope
  const name = words[0]?.text ?? ''
  const span = words[0]?.span ?? { pointer: site.frame.pointer, start: 0, end: 0 }
  const { line, taken } = extended({ text, node, words, site })
  const rest = words.slice(1 + taken)
  scope.positional = [knownWord(name, span), ...rest]
  scope.aliases = new Map([...aliases].filter(([other]) => other !== name))
  scope.depth++
  const output = site.walker.text(rest.length > 0 ? `${line} "$@"` : line, { ...site, frame: { pointer: span.pointer, fixed: span } })
  scope.depth--
  scope.positional = positional
  scope.aliases = aliases
  return output
}

/** An alias that ends in a blank: the next word may be an alias, too. */
function extended({ text, node, words, site }: Aliased): { readonly line: string; readonly taken: number } {
  let line = text
  let taken = 0
  while (/\s$/.test(line) && line.length <= LIMITS.text) {
    const next = node.suffix[taken]
    if (next?.type !== 'Word' || next.text !== next.value || words[taken + 1]?.text !== next.value) break
    const more = site.scope.aliases.get(next.value)
    if (more === undefined) break
    line += more
    taken++
  }
  return { line, taken }
}
