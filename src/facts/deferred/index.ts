/**
 * Content that is written now and runs, or is obeyed, later: the commands in files that are run because of their names, analysed as
 * any others, MCP servers in settings, and text that is made out as an order to a model. Pure over the View.
 */

import { analyseShell } from '../bash/index.ts'
import type { Earlier } from '../bash/state/earlier.ts'
import { type Effect, effect, lowOpaque, target } from '../effect.ts'
import type { DeferredFact, WrittenFact } from '../facts.ts'
import { languages } from '../languages/index.ts'
import { addressesModels } from '../resources/text/addressed.ts'
import type { StringAt } from '../resources/text/walk.ts'
import type { View } from '../view.ts'
import { codeOf, type Format, formatOf, pipelineOf } from './formats.ts'
import { pageTakes } from './pages.ts'
import { doubtPlanted, plantedIn } from './planted.ts'
import { serversIn } from './servers.ts'
import { type PutText, putByCode, putByPush, putByTool } from './texts.ts'

/** What is looked at in one call: files, commands in a file, UTF-16 units of a text and of all of them, effects of a file. */
const MAX_FILES = 16
const MAX_COMMANDS = 64
const LONGEST = 65_536
const MAX_TEXT = 262_144
const MAX_EFFECTS = 2_048
/** Units of work that are left to what the call itself does: half of what one analysis may cost. */
const SPENT_BEFORE = 125_000

export interface Deferred {
  /** What written files would do when they are run. */
  readonly deferred: readonly DeferredFact[]
  /** What the content itself does as soon as it is there, and what the call may run of what earlier calls left. */
  readonly effects: readonly Effect[]
  /** What is to be remembered of files that do harm once something runs them. */
  readonly planted: readonly WrittenFact[]
}

export interface DeferredInput {
  /** All strings of the arguments. */
  readonly strings: readonly StringAt[]
  readonly effects: readonly Effect[]
  readonly written: readonly WrittenFact[]
  readonly view: View
  readonly earlier: Pick<Earlier, 'watcher' | 'planted' | 'file'>
  /** Where the call works; null where that is not known. */
  readonly cwd: string | null
  /** The call is shell text or code, so its arguments are no content of files. */
  readonly code: boolean
}

/** What the call leaves in files and messages for others to run or to obey. */
export function deferredBy(input: DeferredInput): Deferred {
  const { strings, effects, written, code } = input
  const leaves = effects.some(({ verb }) => LEAVES.has(verb))
  const put = !leaves ? [] : code ? putByCode(written) : putByTool(strings, effects)
  const left = leaves ? leftIn(put, input) : { deferred: [], effects: [] }
  const planted = plantedIn(put, input)
  return { deferred: left.deferred, effects: [...left.effects, ...doubtPlanted(planted, input)], planted: planted.remembered }
}

function leftIn(put: readonly PutText[], input: DeferredInput): Omit<Deferred, 'planted'> {
  const { strings, effects, view, code, earlier } = input
  const deferred: DeferredFact[] = []
  const own: Effect[] = []
  const spent: Spent = { work: SPENT_BEFORE, files: 0, text: 0, passed: null }
  for (const each of code ? [] : putByPush(strings, effects)) {
    const fact = deferredIn(each, { view, watched: null, pushed: true }, spent)
    if (fact !== null) deferred.push(fact)
  }
  for (const each of put) {
    const fact = deferredIn(each, { view, watched: earlier.watcher(each.path), pushed: false }, spent)
    if (fact !== null) deferred.push(fact)
    for (const server of serversIn(each.path, each.text)) own.push(addsServer(server, each.path))
    const taken = pageTakes(each)
    if (taken !== null) own.push(taken)
  }
  if (spent.passed !== null) own.push(passedOver(spent.passed))
  const reader = addressee(input)
  if (reader !== null) own.push(reader)
  return { deferred, effects: own }
}

const LEAVES: ReadonlySet<Effect['verb']> = new Set(['write', 'send', 'publish', 'persist'])

/** What is used up of the bounds of one call. */
interface Spent {
  work: number
  files: number
  text: number
  /** The first file of which not everything was looked at. */
  passed: string | null
}

/** All commands of all files of a call share the bound of one analysis; what is past it is said, and looked at when it runs. */
interface Standing {
  readonly view: View
  /** What runs it at once; null where nothing does. */
  readonly watched: string | null
  /** It goes into a repository on another machine. */
  readonly pushed: boolean
}

function formatIn({ path, text }: PutText, { watched, pushed }: Standing): Format | null {
  // In a repository elsewhere a path begins at its root.
  return formatOf(pushed ? `/${path}` : path, text) ?? (pushed ? pipelineOf(path) : watched === null ? null : codeOf(path))
}

function deferredIn(put: PutText, standing: Standing, spent: Spent): DeferredFact | null {
  const { path, text } = put
  const { view } = standing
  const format = formatIn(put, standing)
  if (format === null) return null
  spent.files++
  spent.text += text.length
  if (text.length > LONGEST || spent.text > MAX_TEXT || spent.files > MAX_FILES) {
    spent.passed ??= path
    return null
  }
  const cwd = format.ground === 'host' ? view.cwd : null
  const found: Effect[] = []
  const commands = format.commands(text)
  let seen = 0
  for (const command of commands.slice(0, MAX_COMMANDS)) {
    const language = format.language === undefined ? {} : { language: format.language }
    const { effects, work } = analyseShell(command, { pointer: '', view, languages, cwd, used: spent.work, ...language })
    spent.work = work
    found.push(...effects)
    if (found.length > MAX_EFFECTS || !Number.isFinite(work)) break
    seen++
  }
  if (seen < commands.length) spent.passed ??= path
  if (found.length === 0) return null
  return { path, format: format.name, ground: format.ground, ...runBy(standing, format), effects: found.slice(0, MAX_EFFECTS) }
}

/** What runs the file where no gate stands before it, as far as that is known. */
function runBy({ watched, pushed }: Standing, format: Format): Pick<DeferredFact, 'watched' | 'pushed'> {
  if (pushed) return { pushed }
  const runner = watched ?? format.runner
  return runner === undefined ? {} : { watched: runner }
}

function passedOver(path: string): Effect {
  return lowOpaque(`\`${path}\` holds more that runs later than was looked at`, null)
}

function addsServer(server: string, path: string): Effect {
  return effect('persist', target('agent', server), {
    action: 'agent:mcp-add',
    certainty: 'likely',
    reason: 'the written text names servers that an agent starts or asks',
    attributes: { server, in: path },
  })
}

/** Text that is made out as an order to a model, in what is written or sent. */
function addressee({ strings, effects }: DeferredInput): Effect | null {
  const found = strings.find(({ text, key }) => !key && addressesModels(text))
  if (found === undefined) return null
  const on = effects.find(({ verb }) => LEAVES.has(verb))
  return effect(on?.verb ?? 'write', target('agent', 'whoever reads it'), {
    action: 'agent:address',
    certainty: 'likely',
    span: { pointer: found.pointer, start: 0, end: found.text.length },
  })
}
