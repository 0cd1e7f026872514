import type { Effect, Span } from '../effect.ts'
import { effect, opaque, target } from '../effect.ts'
import type { CommandContext, CommandTable, Input, Invocation, Word } from '../host.ts'
import { nothingKept } from '../host-harness.ts'
import type { GitAnswer, View } from '../view.ts'
import { applySpec } from './apply.ts'

/**
 * For tests of command tables: reads one simple command line, applies a table to it, and collects what the table says. It
 * knows quotes, `$x` (a word nobody knows) and `VAR=value` prefixes, and no other shell syntax.
 */

const SPAN: Span = { pointer: '/command', start: 0, end: 0 }

/** Everything a table said of a command. */
export interface Recording {
  readonly effects: readonly Effect[]
  /** Shell texts it handed on; null where not known. */
  readonly shells: readonly (string | null)[]
  /** Commands it handed on, as one line each. */
  readonly commands: readonly string[]
  /** Source texts: `python:print(1)`. */
  readonly codes: readonly string[]
  readonly reasons: readonly string[]
}

export interface World {
  readonly cwd?: string
  readonly git?: Partial<GitAnswer>
  /** Absolute paths that exist. */
  readonly files?: readonly string[]
  readonly input?: Input
}

/** A word as the walker would hand it over: `$` makes it unknown from there, an unquoted `*` a glob. */
export function word(text: string): Word {
  const at = text.indexOf('$')
  if (at >= 0) return { text: null, prefix: text.slice(0, at), glob: false, dynamic: true, span: SPAN }
  return { text, prefix: text, glob: text.includes('*'), dynamic: false, span: SPAN }
}

/** Splits at blanks outside quotes; quotes are taken off. */
export function words(line: string): readonly Word[] {
  const found: Word[] = []
  let text: string | null = null
  let quote = ''
  let literal = false
  const end = () => {
    if (text !== null) found.push(literal ? { ...word(''), text, prefix: text } : word(text))
    text = null
    literal = false
  }
  for (const char of line) {
    if (quote !== '') {
      if (char === quote) quote = ''
      else text = (text ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      literal = literal || char === "'"
      text ??= ''
    } else if (char === ' ') end()
    else text = (text ?? '') + char
  }
  end()
  return found
}

function viewOf(world: World): View {
  const cwd = world.cwd ?? '/repo'
  const files = new Set(world.files ?? [])
  return {
    home: '/home/me',
    user: 'me',
    cwd,
    roots: ['/repo'],
    temporary: ['/tmp'],
    gate: [],
    realpath: (path) => ({ real: path, type: files.has(path) ? 'file' : 'missing', links: 1 }),
    read: () => null,
    env: () => null,
    list: () => null,
    git: () => ({ top: cwd, branch: 'main', remotes: { origin: 'https://git.example/o/r.git' }, aliases: {}, ...world.git }),
    committed: () => null,
    identity: () => null,
    answers: () => [],
  }
}

/** Splits `VAR=value` prefixes off. */
function invocationOf(all: readonly Word[], input: Input): Invocation | null {
  const env = new Map<string, Word>()
  let at = 0
  for (; at < all.length; at++) {
    const equals = /^[A-Za-z_][A-Za-z0-9_]*=/.exec(all[at]?.prefix ?? '')
    const item = all[at]
    if (equals === null || item === undefined) break
    const length = equals[0].length
    env.set(equals[0].slice(0, -1), {
      ...item,
      text: item.text === null ? null : item.text.slice(length),
      prefix: item.prefix.slice(length),
    })
  }
  const program = all[at]
  if (program === undefined) return null
  const name = program.prefix.slice(program.prefix.lastIndexOf('/') + 1)
  return { name, program, args: all.slice(at + 1), env, input, piped: false, span: SPAN }
}

/** Applies the tables to a command line and records what they say. Commands handed on are looked up in the same tables. */
export function record(tables: readonly CommandTable[], line: string, world: World = {}): Recording {
  const effects: Effect[] = []
  const shells: (string | null)[] = []
  const commands: string[] = []
  const codes: string[] = []
  const reasons: string[] = []
  const view = viewOf(world)
  const run = (all: readonly Word[], input: Input) => {
    const invocation = invocationOf(all, input)
    const spec = invocation === null ? undefined : tables.find((table) => Object.hasOwn(table, invocation.name))?.[invocation.name]
    if (invocation !== null && spec !== undefined) applySpec(spec, invocation, context)
  }
  const context: CommandContext = {
    ...nothingKept(view),
    view,
    cwd: view.cwd,
    project: null,
    ofProject: () => false,
    path: (item) => {
      const text = item.text ?? item.prefix
      const real = text.startsWith('/') ? text : `${view.cwd}/${text}`
      return { ...target('path', text === '' ? '(unknown)' : text), real, scope: real.startsWith('/repo') ? 'workspace' : 'elsewhere' }
    },
    url: (item) => target('url', item.text ?? `${item.prefix}*`, 'public'),
    thing: (kind, value) => target(kind, value),
    parameters: () => [],
    beside: () => [view.cwd ?? '/repo'],
    emit: (verb, on, options) => effects.push(effect(verb, on, options)),
    command: (all, wrapper, input) => {
      commands.push(all.map((item) => item.text ?? `${item.prefix}*`).join(' '))
      if (wrapper !== '') run(all, input ?? { kind: 'none' })
    },
    shell: (text) => shells.push(text),
    code: (language, text) => codes.push(`${language}:${text}`),
    script: (language, path) => codes.push(`${language}:@${path.text}`),
    module: (language, path) => codes.push(`${language}:@${path.text}`),
    ran: () => {},
    stdin: (language) => codes.push(`${language}:-`),
    within: (_, body) => body(context),
    sql: (text) => codes.push(`sql:${text}`),
    opaque: (reason, span) => {
      reasons.push(reason)
      effects.push(opaque(reason, span ?? SPAN))
    },
  }
  run(words(line), world.input ?? { kind: 'none' })
  return { effects, shells, commands, codes, reasons }
}

/** One effect on one line: `publish git:push origin`, with `!` where it cannot be undone. */
export function show(item: Effect): string {
  return `${item.verb} ${item.action ?? '-'} ${item.target.value}${item.reversible || item.verb === 'opaque' ? '' : ' !'}`
}

/** The effects of a command line, one line each. */
export function shown(tables: readonly CommandTable[], line: string, world: World = {}): readonly string[] {
  return record(tables, line, world).effects.map(show)
}
