import { elementOf, itemsOf } from './reading.ts'
import type { Call, Passed, Run } from './run.ts'
import { list, taintOf, type Value } from './value.ts'

/** Methods of collections that call a function for their items: `map`, `forEach`, `each` … */
const PER_ITEM: ReadonlySet<string> = new Set(
  (
    'map forEach filter find some every flatMap each each_with_index collect select reject any? all? each_line each_char times ' +
    'tap then each_entry glob'
  ).split(' '),
)

/** What orders, groups or picks items calls a function for each of them, too, and gives items back. */
const BY_ITEM: ReadonlySet<string> = new Set(
  'sort sort! sort_by sort_by! toSorted min_by max_by group_by partition findIndex findLast findLastIndex find_index detect'.split(' '),
)

/** Of these, what was gone through is what comes back. */
const GIVES_ITEMS = /^(?:filter|select|reject|forEach|each.*)$/

/** Calls the function for each item; undefined where the method is no such one or no function is passed. */
export function callableOn(call: Call): Value | undefined {
  const { self, name, args, run } = call
  const fn = call.named.get('key') ?? args.at(-1)
  if (self === null || fn === undefined || !isCallable(fn, run)) return undefined
  if (name === 'tap' || name === 'then') {
    const result = run.call(fn, passed(self))
    return name === 'then' ? result : self
  }
  if (BY_ITEM.has(name)) {
    callEach(fn, self, run)
    return self
  }
  if (!PER_ITEM.has(name)) return undefined
  const results = callEach(fn, self, run)
  return GIVES_ITEMS.test(name) && !results.open ? self : results
}

/** A function of the code, or one of the language that a table knows. */
export function isCallable(value: Value, run: Run): boolean {
  return value.kind === 'function' || (value.kind === 'ref' && run.profile.functions.has(value.name))
}

/** Calls the function for each item of a value; what it gives, as a list that is open where not all items are known. */
export function callEach(fn: Value, self: Value, run: Run): Extract<Value, { kind: 'list' }> {
  const items = self.kind === 'list' || self.kind === 'text' ? itemsOf(self) : null
  if (items !== null && items.length <= 256 && run.roomy()) return list(items.map((item) => run.call(fn, passed(item))))
  if (items !== null) run.acts.first(items, 256)
  const item = passed(elementOf(self))
  return list([fn.kind === 'function' ? run.again(fn, item) : run.call(fn, item)], true, taintOf(self))
}

function passed(item: Value): Passed {
  return { args: [item], named: new Map(), make: false }
}
