import type { Call, Passed } from './run.ts'
import { elementOf, itemsOf, list, taintOf, type Value } from './value.ts'

/** Methods of collections that call a function for their items: `map`, `forEach`, `each` … */
const PER_ITEM: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'filter',
  'find',
  'some',
  'every',
  'flatMap',
  'each',
  'each_with_index',
  'collect',
  'select',
  'reject',
  'any?',
  'all?',
  'each_line',
  'each_char',
  'times',
  'tap',
  'then',
  'each_entry',
  'glob',
])

/** Calls the function for each item; undefined where the method is no such one or no function is passed. */
export function callableOn(call: Call): Value | undefined {
  const { self, name, args, run } = call
  const fn = args.at(-1)
  if (self === null || fn === undefined || !PER_ITEM.has(name)) return undefined
  if (fn.kind !== 'function' && !(fn.kind === 'ref' && run.profile.functions.has(fn.name))) return undefined
  if (name === 'tap' || name === 'then') {
    const result = run.call(fn, passed(self))
    return name === 'then' ? result : self
  }
  const items = self.kind === 'list' || self.kind === 'text' ? itemsOf(self) : null
  if (items !== null && items.length <= 256 && run.roomy()) {
    const results = items.map((item) => run.call(fn, passed(item)))
    return name === 'filter' || name === 'select' || name === 'reject' || name.startsWith('each') || name === 'forEach'
      ? self
      : list(results)
  }
  if (items !== null) run.acts.first(items, 256)
  const item = passed(elementOf(self))
  const result = fn.kind === 'function' ? run.again(fn, item) : run.call(fn, item)
  return list([result], true, taintOf(self))
}

function passed(item: Value): Passed {
  return { args: [item], named: new Map(), make: false }
}
