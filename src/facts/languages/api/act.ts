import type { EffectOptions } from '../../effect.ts'
import type { Language } from '../../host.ts'
import { payloadOf } from '../interpret/payload.ts'
import { known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, joinTaint, list, object, taintOf, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { outputValue } from './output.ts'

/** The vocabulary the tables of all languages are written in: one handler per kind of effect, by argument. */

/** An argument by position and names; `self` is the object. */
export type At = number | 'self' | readonly [number, ...string[]]

export function at(call: Call, where: At): Value | undefined {
  if (where === 'self') return call.self ?? undefined
  return typeof where === 'number' ? call.args[where] : argument(call, where[0], ...where.slice(1).filter((n) => typeof n === 'string'))
}

/** What is read gives unknown text that comes from the file. */
export function reads(where: At, options: EffectOptions = {}): Handler {
  return (call) => {
    const path = at(call, where)
    return path === undefined ? undefined : unknown(call.run.acts.read(path, options))
  }
}

export function writes(where: At, content: At | null = null, options: EffectOptions = {}): Handler {
  return (call) => {
    const path = at(call, where)
    if (path === undefined) return undefined
    call.run.acts.write(path, options)
    const value = content === null ? undefined : at(call, content)
    if (value !== undefined) wrote(call, path, value)
    return undefined
  }
}

/** Remembers what was written where: it may be run later. */
export function wrote(call: Call, path: Value, content: Value): void {
  const name = known(path)
  if (name === null || name.length < 3) return
  const { bits, from } = taintOf(content)
  const remote = from.find((e) => e.verb === 'fetch')
  if ((bits & FROM.network) !== 0 && remote !== undefined) call.run.state.downloaded.set(name, remote)
  else if (known(content) !== null) call.run.state.written.set(name, content)
  if (call.run.state.endless) exhausts(call, 'fills the disk')
}

export function exhausts(call: Call, how: string): void {
  call.run.acts.once('execute', call.run.context.thing('resource', 'machine'), {
    action: 'resource:exhaust',
    reversible: false,
    reason: `a loop ${how}`,
  })
}

export function deletes(where: At, options: EffectOptions = {}): Handler {
  return (call) => {
    const path = at(call, where)
    if (path !== undefined) call.run.acts.delete(path, options)
    return undefined
  }
}

export const TREE: EffectOptions = { attributes: { recursive: true } }

export function changes(where: At, action: string, attributes: (call: Call) => EffectOptions = () => ({})): Handler {
  return (call) => {
    const path = at(call, where)
    if (path !== undefined) call.run.acts.change(path, { action, ...attributes(call) })
    return undefined
  }
}

/** `chmod`: the mode as octal digits where it is known. */
export function chmods(where: At, mode: At): Handler {
  return changes(where, 'fs:chmod', (call) => {
    const value = at(call, mode)
    return value?.kind === 'number'
      ? { attributes: { mode: value.value.toString(8) } }
      : value?.kind === 'text'
        ? { attributes: { mode: value.text } }
        : {}
  })
}

/** Several things at once; the last value counts. */
export function all(...handlers: readonly Handler[]): Handler {
  return (call) => {
    let value: Value | undefined
    for (const handler of handlers) value = handler(call) ?? value
    return value
  }
}

/** The program goes to another directory. */
export function enters(where: At): Handler {
  return (call) => {
    call.run.acts.enter(at(call, where) ?? UNKNOWN)
    return undefined
  }
}

/** Copies: reads the first, writes the second. */
export function copies(from: At = 0, to: At = 1, more: EffectOptions = {}): Handler {
  return (call) => {
    const [source, goal] = [at(call, from), at(call, to)]
    const taint = source === undefined ? CLEAN : call.run.acts.read(source, { action: 'fs:copy', ...more })
    if (goal !== undefined) {
      call.run.acts.write(goal, { action: 'fs:copy', ...more })
      wrote(call, goal, unknown(taint))
    }
    return goal
  }
}

/** Moves: the first is gone, the second is written. */
export function moves(from: At = 0, to: At = 1): Handler {
  return (call) => {
    const [source, goal] = [at(call, from), at(call, to)]
    if (source !== undefined) call.run.acts.delete(source, { action: 'fs:move', reversible: true })
    if (goal !== undefined) call.run.acts.write(goal, { action: 'fs:move' })
    return goal
  }
}

/** Links: the second becomes a name for the first. */
export function links(from: At = 0, to: At = 1): Handler {
  return (call) => {
    const [source, goal] = [at(call, from), at(call, to)]
    if (goal !== undefined)
      call.run.acts.write(goal, { action: 'fs:link', attributes: source === undefined ? {} : { to: known(source) ?? '' } })
    return undefined
  }
}

export const OUTPUT: Value = unknown(flag(FROM.process))

/** Where a process is told to run: an argument of that name, or one of the settings. */
export function directoryOf({ named: given, args }: Call): Value | undefined {
  const settings = args.findLast((value) => value.kind === 'dict')
  return (
    given.get('cwd') ??
    given.get('chdir') ??
    (settings?.kind === 'dict' ? (settings.entries.get('cwd') ?? settings.entries.get('chdir')) : undefined)
  )
}

/** A command line for a shell; gives a process whose output is unknown. */
export function shells(where: At, gives: Value = OUTPUT): Handler {
  return (call) => {
    const line = at(call, where)
    runaway(call)
    if (line !== undefined) call.run.acts.inside(directoryOf(call), () => call.run.acts.shell(line, call.name))
    return gives === OUTPUT ? outputValue(call, line) : gives
  }
}

/** A program and its arguments, as separate arguments or one list. */
export function runs(where: At, gives: Value = OUTPUT): Handler {
  return (call) => {
    const first = at(call, where)
    runaway(call)
    if (first === undefined) return gives
    call.run.acts.inside(directoryOf(call), () => {
      if (first.kind === 'list') call.run.acts.command(first.items, call.name, { open: first.open, input: call.named.get('input') })
      else call.run.acts.command(typeof where === 'number' ? call.args.slice(where) : [first], call.name)
    })
    return gives
  }
}

/** Starting processes in a loop that nothing stops. */
export function runaway(call: Call): void {
  if (call.run.state.endless && /fork|spawn|popen|Popen|start|exec$/.test(call.name)) bomb(call)
}

export function bomb(call: Call): void {
  call.run.acts.once('execute', call.run.context.thing('process', 'fork'), {
    action: 'proc:fork-bomb',
    reversible: false,
    reason: 'processes start processes without end',
  })
}

/** `fork` by itself. */
export const forks: Handler = (call) => {
  if (call.run.state.endless) bomb(call)
  return UNKNOWN
}

/** Source text that is run. */
export function evaluates(where: At, language: Language): Handler {
  return (call) => {
    const source = at(call, where)
    if (source === undefined || source.kind === 'function') return undefined
    const name = known(source)
    // `eval('os.system')` is the function of that name.
    if (name !== null && /^[A-Za-z_][\w.]{0,80}$/.test(name)) return { kind: 'ref', name: call.run.profile.canonical(name) }
    call.run.acts.code(source, language, call.name)
    // What it sets is set here, too.
    call.run.here.blur((variable) => name === null || names(name, variable))
    return undefined
  }
}

/** Whether the text holds the name as a word. */
function names(text: string, name: string): boolean {
  const bare = name.replace(/^[$@%]/, '')
  for (let at = text.indexOf(bare); at >= 0; at = text.indexOf(bare, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + bare.length] ?? '')) return true
  return false
}

export interface Reaching {
  readonly method?: string
  readonly action?: string
  /** Arguments whose content goes along. */
  readonly payload?: readonly At[]
  /** It always sends something. */
  readonly sends?: boolean
  /** What the answer is an object of. */
  readonly gives?: string
  /** Whether the client goes on to wherever the answer sends it; default: it does not. */
  readonly follows?: (call: Call) => boolean
}

/** Contacts the address in an argument. */
export function contacts(where: At, reaching: Reaching = {}): Handler {
  return (call) => {
    const address = at(call, where)
    if (address === undefined) return undefined
    const payload = (reaching.payload ?? []).map((c) => at(call, c)).filter((v) => v !== undefined)
    const verify = call.named.get('verify')
    const taint = call.run.acts.reach(address, {
      verb: reaching.sends === true || (payload.length > 0 && reaching.method !== 'GET') ? 'send' : 'fetch',
      ...(reaching.method === undefined ? {} : { method: reaching.method }),
      ...(reaching.action === undefined ? {} : { action: reaching.action }),
      payload: payload.length === 0 ? undefined : list(payload),
      insecure: verify?.kind === 'constant' && verify.value === false,
      along: call.taint,
      follows: reaching.follows?.(call) === true,
    })
    return reaching.gives === undefined ? unknown(taint) : object(reaching.gives, {}, taint)
  }
}

/** Asks for a name: what is of this machine in it leaves through whoever answers. */
export function resolves(where: At): Handler {
  return (call) => {
    const name = at(call, where)
    if (name === undefined || payloadOf(name) === null) return undefined
    call.run.acts.reach(name, { verb: 'send', action: 'net:dns-exfiltration', payload: name })
    return undefined
  }
}

/** An effect on something that is no path and no host. */
export function does(
  verb: 'change' | 'delete' | 'execute' | 'persist' | 'read' | 'send',
  action: string,
  what: {
    kind: Parameters<Call['run']['context']['thing']>[0]
    value?: At | string
    attributes?: EffectOptions['attributes']
    reversible?: boolean
  },
): Handler {
  return (call) => {
    const value =
      typeof what.value === 'string' && what.value !== 'self'
        ? what.value
        : what.value === undefined
          ? ''
          : (known(at(call, what.value as At)) ?? '')
    call.run.acts.emit(verb, call.run.context.thing(what.kind, value), {
      action,
      reversible: what.reversible ?? false,
      ...(what.attributes === undefined ? {} : { attributes: what.attributes }),
    })
    return undefined
  }
}

/** Gives a constant and does nothing. */
export function gives(value: Value): Handler {
  return () => value
}

/** The argument itself, as far as it is known. */
export function passes(where: At = 0): Handler {
  return (call) => at(call, where)
}

/** Runs what is passed later or elsewhere: the function argument is called with nothing known. */
export function calls(where: At, ...args: readonly At[]): Handler {
  return (call) => {
    const callee = at(call, where)
    if (callee === undefined) return undefined
    const values = args.map((a) => at(call, a)).filter((v) => v !== undefined)
    return call.run.call(callee, { args: values.flatMap((v) => (v.kind === 'list' ? v.items : [v])), named: new Map(), make: false })
  }
}

/** SQL for the database of the object. */
export function queries(where: At): Handler {
  return (call) => {
    const statement = at(call, where)
    if (statement === undefined) return undefined
    const field = call.self?.kind === 'object' ? call.self.fields.get('database') : undefined
    const name = field === undefined ? '' : (known(field) ?? '')
    const parts = pieces(statement)
    const sql = parts[0] === null ? null : parts.map((p) => p ?? 'unknown_value').join('')
    if (field === undefined && (sql === null || !SQL.test(sql))) return undefined
    // What is only in memory is gone with the program.
    if (name === ':memory:' && sql !== null && !/\b(?:attach|load_extension|vacuum\s{1,9}into)\b/i.test(sql)) return unknown(call.taint)
    call.run.context.sql(sql, call.run.span, call.run.context.thing('database', name))
    return unknown(joinTaint(flag(FROM.file), call.taint))
  }
}

const SQL =
  /^\s*(?:select|insert|update|delete|drop|truncate|alter|create|grant|revoke|with|replace|merge|attach|pragma|vacuum|copy|exec|call)\b/i

/** Several names for the same handler. */
export function named(names: string, handler: Handler): Table {
  return Object.fromEntries(names.split(' ').map((name) => [name, handler]))
}

/** One table of several, in which what stands at `'os.remove os.unlink'` stands under each of the two names; `new.X` is `new X(…)`. */
export function table(...tables: readonly Table[]): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>()
  for (const each of tables)
    for (const [names, handler] of Object.entries(each)) for (const name of names.split(' ')) handlers.set(name, handler)
  return handlers
}
