import { type Target, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { keepsSecrets } from '../../resources/path/index.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/** Searches for secrets where they were typed, logged, committed or kept: the workspace as it is now is everybody's to search. */

/** Programs whose output is a record of what was said or done. */
const RECORDS: ReadonlySet<string> = new Set(
  'history fc journalctl dmesg log docker podman nerdctl kubectl oc docker-compose heroku last terraform tofu'.split(' '),
)

/** Of programs that tell much else: what of it holds what was said, set or made. */
const TELLING: ReadonlyMap<string, RegExp> = new Map([
  ...['docker', 'podman', 'nerdctl', 'docker-compose'].map((name) => [name, /^(?:logs|inspect|config|history|save|export)$/] as const),
  ...['kubectl', 'oc'].map((name) => [name, /^logs$/] as const),
  ...['terraform', 'tofu'].map((name) => [name, /^(?:pull|show)$/] as const),
])

/** Places outside of the workspace in which a search goes over everything. */
const WIDE: ReadonlySet<string> = new Set(['home', 'system', 'elsewhere'])

/** Whole words that name secrets; a name of a program's own, such as `parseToken`, is none. */
const WORDS: ReadonlySet<string> = new Set(
  'password passwords passwd passphrase secret secrets token tokens apikey credential credentials bearer privatekey'.split(' '),
)
const PAIRS: ReadonlySet<string> = new Set(['api key', 'api keys', 'access key', 'secret key', 'private key', 'auth token'])
/** How keys of well-known services begin. */
const BEGINS = /(?:AKIA|ASIA|ghp_|gho_|github_pat_|xox[bap]|sk-|sk_live|AIza|eyJ|BEGIN [A-Z ]{0,12}PRIVATE)/

/** A part of each of the words: most patterns hold none. */
const MAY_ASK = /pass|secret|token|key|credential|bearer/i

/** True of a pattern that asks for secrets. Linear. */
export function asksForSecrets(text: string): boolean {
  if (BEGINS.test(text)) return true
  if (!MAY_ASK.test(text)) return false
  const words = text
    .slice(0, 512)
    .toLowerCase()
    .split(/[^a-z]{1,16}/)
    .filter((word) => word !== '')
  return words.some((word, at) => WORDS.has(word) || PAIRS.has(`${word} ${words[at + 1] ?? ''}`))
}

const asking = (args: readonly Word[]) => args.some(({ text }) => text !== null && !text.startsWith('-') && asksForSecrets(text))

/** `grep`, `git log -S` and their kin. */
export function reportSearch(execution: Execution): readonly Detected[] {
  const { invocation } = execution
  const { name, args, input } = invocation
  const value = optionValue(invocation.args, name === 'git' ? /^-[SG]|^--grep-reflog/ : /^-g|^--grep/)
  let where: string | null = null
  let wide: Target | null = null
  if (name === 'git') where = inHistory(args, value)
  else if (name === 'journalctl') where = value !== null && asksForSecrets(value) ? 'the journal' : null
  else {
    // Where it searches is known at once; most searches go over the workspace.
    if (input.kind === 'pipe') where = recordOf(execution, input.producers)
    wide = where === null ? wideSearch(execution) : null
    where ??= wide?.value ?? null
    if (where !== null && !asking(args)) where = null
  }
  if (where === null) return NOTHING
  const { home } = execution.site.analysis.view
  const attributes = typeof wide?.real === 'string' && keepsSecrets(wide.real, home) ? { kept: true } : {}
  return found(target('resource', where), { verb: 'read', action: 'seek:secrets', span: invocation.span, attributes })
}

/** The value of the option, attached or in the next word. */
function optionValue(args: readonly Word[], option: RegExp): string | null {
  for (const [at, { text }] of args.entries()) {
    const found = text === null ? null : option.exec(text)
    if (found === null || text === null) continue
    const rest = text.slice(found[0].length).replace(/^=/, '')
    return rest === '' ? (args[at + 1]?.text ?? null) : rest
  }
  return null
}

/** Names of programs are what people look for in the history of code; only those of secrets are meant. */
function inHistory(args: readonly Word[], value: string | null): string | null {
  const [command] = args.filter(({ text }) => text === null || !text.startsWith('-'))
  if (command?.text === 'log' && value !== null && asksForSecrets(value)) return 'the history of the repository'
  if (command?.text !== 'grep' || !asking(args)) return null
  return args.some(({ text }) => text === null) ? 'the history of the repository' : null
}

function recordOf({ site }: Execution, producers: readonly string[]): string | null {
  const record = producers.find((name) => RECORDS.has(name))
  const telling = record === undefined ? undefined : TELLING.get(record)
  if (record !== undefined && telling !== undefined) {
    const asked = lastOf(site.analysis.commands, record, telling)
    return asked === null ? null : `the output of ${record} ${asked}`
  }
  if (record !== undefined) return record === 'history' || record === 'fc' ? 'what was typed before' : `the output of ${record}`
  const patches =
    producers.includes('git') && lastOf(site.analysis.commands, 'git', /^(?:-p|-u|--patch|show|stash|cat-file|rev-list)$/) !== null
  return patches ? 'the history of the repository' : null
}

/** Such a word of the last run of the program before the one at hand; null where it has none. */
function lastOf(commands: Execution['site']['analysis']['commands'], program: string, word: RegExp): string | null {
  for (let at = commands.length - 2; at >= 0 && at > commands.length - 8; at--) {
    const command = commands[at]
    if (command?.program === program) return command.argv.find((text) => text !== null && word.test(text)) ?? null
  }
  return null
}

function wideSearch({ site, start }: Execution): Target | null {
  const { effects } = site.analysis
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    if (item?.verb === 'read' && item.attributes.recursive === true && WIDE.has(item.target.scope)) return item.target
  }
  return null
}

/** Subcommands that list what a password store holds, or show all of an entry but its secret. */
const LISTS: ReadonlyMap<string, RegExp> = new Map([
  ['pass', /^(?:ls|list|find|search|grep)$/],
  ['gopass', /^(?:ls|list|find|search|grep)$/],
  ['security', /^find-(?:generic|internet)-password$/],
  ['op', /^(?:item|items|vault)$/],
  ['bw', /^list$/],
  ['rbw', /^(?:ls|list|search)$/],
  ['lpass', /^ls$/],
])

/** What a store of passwords holds: names and owners of secrets. */
export function reportStore({ site, invocation, start }: Execution): readonly Detected[] {
  const { name, args } = invocation
  const [first, second] = args.filter(({ text }) => text === null || !text.startsWith('-'))
  // A secret that is shown is told already.
  if (site.analysis.effects.slice(start).some(({ action }) => action?.startsWith('secret:') === true)) return NOTHING
  const bare = first === undefined && (name === 'pass' || name === 'gopass') && args.length === 0
  const lists = bare || (first?.text !== undefined && first.text !== null && LISTS.get(name)?.test(first.text) === true)
  if (!lists || (name === 'op' && second?.text !== 'list' && second?.text !== 'ls')) return NOTHING
  return found(target('resource', `the password store of ${name}`), { verb: 'read', action: 'seek:names', span: invocation.span })
}
