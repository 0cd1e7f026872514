import type { Call, Handler } from '../interpret/run.ts'
import { unknown, type Value } from '../interpret/value.ts'

/** The one name of every function of Node, and what its callbacks are called with. */

const PREFIXES = /^(?:node:|globalThis\.|global\.|window\.|self\.|process\.mainModule\.|module\.)/

const SAME: ReadonlyMap<string, string> = new Map([
  ['Bun.env', 'process.env'],
  ['import.meta.env', 'process.env'],
  ['fs.promises', 'fs'],
  ['fs/promises', 'fs'],
  ['fs-extra', 'fs'],
  ['graceful-fs', 'fs'],
  ['path/posix', 'path'],
  ['path.posix', 'path'],
  ['path.default', 'path'],
  ['fs.default', 'fs'],
  ['child_process.default', 'child_process'],
])

export function canonical(name: string): string {
  let result = name.replace(PREFIXES, '').replace(PREFIXES, '')
  for (const [from, to] of SAME) {
    if (result === from) return to
    if (result.startsWith(`${from}.`)) result = to + result.slice(from.length)
  }
  // `readFileSync`, `readFile` of callbacks and of promises do the same.
  return result.startsWith('fs.') && result.endsWith('Sync') ? result.slice(0, -4) : result
}

/** The callback of a call gets what the call gives. */
export function answers(call: Call, value: Value): void {
  const fn = call.args.findLast((v) => v.kind === 'function' || v.kind === 'ref')
  if (fn === undefined || (fn.kind === 'ref' && !call.run.profile.functions.has(fn.name))) return
  const first: Value = fn.kind === 'function' && fn.fn.params.length > 1 ? { kind: 'constant', value: null } : value
  call.run.call(fn, { args: [first, value, value], named: new Map(), make: false })
}

/** Node's own convention: the last argument is called with the result. */
export function answering(handler: Handler): Handler {
  return (call) => {
    const value = handler(call) ?? unknown(call.taint)
    answers(call, value)
    return value
  }
}
