import { elementOf, known, pieces } from '../interpret/reading.ts'
import type { Call, Handler } from '../interpret/run.ts'
import { CLEAN, either, FROM, flag, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { bomb, directoryOf, runaway, wrote } from './act.ts'

/** What the tables of Perl, Ruby and PHP share: lists that flatten, files by mode, programs as one line or as words. */

/** Arguments with lists among them laid flat, as Perl passes them. */
export function flattened(args: readonly Value[]): { items: readonly Value[]; open: boolean } {
  let open = false
  const items = args.flatMap((value) => {
    if (value.kind !== 'list') return [value]
    open = open || value.open
    return value.items
  })
  return { items, open }
}

/** One word goes to a shell, several are a program with its arguments. */
export function runsOneOrMany(args: readonly Value[], call: Call): void {
  runaway(call)
  if (/fork/.test(call.name) && call.run.state.endless) bomb(call)
  const { items, open } = flattened(args)
  const [first] = items
  call.run.acts.inside(directoryOf(call), () => {
    if (items.length === 1 && first !== undefined && !open) call.run.acts.shell(first, call.name)
    else call.run.acts.command(items, call.name, { open })
  })
}

/** The act for every item of every argument, from `start` on. */
export function forEach(act: (path: Value, call: Call) => void, start = 0): Handler {
  return (call) => {
    const { items, open } = flattened(call.args.slice(start))
    for (const item of call.run.acts.first(items, 64)) act(item, call)
    if (open && items.length === 0) act(UNKNOWN, call)
    return undefined
  }
}

/** A file that `mode` opens: `<`, `>`, `>>`, `+<`, `r`, `w`, `a`, `r+` … */
export function openedAs(call: Call, path: Value, mode: string): Value {
  const writes = /[>wax+c]/.test(mode)
  const reads = !writes || /\+/.test(mode)
  const taint = reads ? call.run.acts.read(path) : CLEAN
  if (writes) call.run.acts.write(path, /a|>>/.test(mode) ? { attributes: { append: true } } : {})
  return object('file', { path, each: unknown(taint) }, taint)
}

/** A text without its first characters; those that are not known stay unknown. */
export function dropped(value: Value, count: number): Value {
  const [first, ...rest] = pieces(value)
  return typeof first === 'string' ? part([first.slice(count).trimStart(), ...rest], taintOf(value)) : value
}

/** A text without its last characters. */
export function cutBack(value: Value, pattern: RegExp): Value {
  const all = pieces(value)
  const last = all.at(-1)
  return typeof last === 'string' ? part([...all.slice(0, -1), last.replace(pattern, '')], taintOf(value)) : value
}

/** Names that a glob pattern stands for. */
export function globbed(value: Value): Value {
  return value.kind === 'text' ? { ...value, glob: /[*?[{]/.test(value.text) } : value
}

/** A program's streams, as an object of type `process`. */
export function processObject(): Value {
  return object('process', {}, flag(FROM.process))
}

/** What is in any item of a collection of files. */
export function directory(path: Value): Value {
  const below = part([...pieces(path), '/', null], CLEAN)
  return object('directory', { path, each: below }, CLEAN)
}

/** Writing to a handle: a file keeps what it holds, a connection sends it, a program reads it. */
export function emits(call: Call, handle: Value, data: readonly Value[]): void {
  if (handle.kind !== 'object') return
  const content = data.length === 1 && data[0] !== undefined ? data[0] : list(data)
  const path = handle.fields.get('path')
  if (handle.type === 'file' && path !== undefined) wrote(call, path, content)
  const host = handle.fields.get('host')
  const from = taintOf(content)
  if (handle.type === 'socket' && (from.bits & (FROM.file | FROM.environment | FROM.process)) !== 0) {
    if ((from.bits & FROM.process) !== 0 && (from.bits & FROM.socket) !== 0) call.run.acts.remoteShell()
    else if (host !== undefined) call.run.acts.reach(host, { verb: 'send', action: 'net:socket', payload: content })
  }
  const shell = handle.fields.get('shell')
  if (shell !== undefined) call.run.acts.shell(content, known(shell) ?? 'sh')
}

/** Calls the function that is passed last with what was opened, as Ruby's blocks are. */
export function yields(call: Call, value: Value): Value {
  const fn = call.args.at(-1)
  if (fn?.kind !== 'function') return value
  return either([call.run.call(fn, { args: [value], named: new Map(), make: false })])
}

/** Arguments without the function that is passed last. */
export function withoutBlock(args: readonly Value[]): readonly Value[] {
  return args.at(-1)?.kind === 'function' ? args.slice(0, -1) : args
}

/** A function called for each item of a list, with the item as only argument. */
export function mapped(call: Call, fn: Value, source: Value): Value {
  if (source.kind === 'list' && !source.open && source.items.length <= 64 && call.run.roomy())
    return list(source.items.map((item) => call.run.call(fn, { args: [item], named: new Map(), make: false })))
  return list([call.run.call(fn, { args: [elementOf(source)], named: new Map(), make: false })], true, taintOf(source))
}

export const EMPTY: Value = text('')
