/** Calls of one choice as they grow from fragments, read as its clients read them; where two clients would read two things, it is odd. */
import type { Json } from '../../../core/json.ts'
import type { Begun, Judge, Ruling } from '../api.ts'
import { reach, reachText } from '../json.ts'
import { settled } from '../judge.ts'

export interface GrowingCall {
  /** `index` of its fragments; null for the one call of `function_call`. */
  readonly index: number | null
  id: string | null
  form: 'json' | 'text'
  name: string | null
  input: string
  /** Why it cannot be judged; null: nothing is wrong so far. */
  odd: string | null
  ruling: Ruling | null
}

/** The calls of a choice, in the order in which they began. */
export class Calls {
  readonly all: GrowingCall[] = []

  /**
   * The call that an item of `tool_calls` belongs to.
   * @param source text of the item's arguments, for servers that send an object there.
   */
  item(item: Json, source: string): GrowingCall {
    const call = this.find(item)
    const kind = reach(item, 'custom') === undefined ? 'function' : 'custom'
    if (kind === 'custom') call.form = 'text'
    grow(call, { id: reachText(item, 'id'), name: reachText(item, kind, 'name') })
    append(call, reach(item, kind, kind === 'custom' ? 'input' : 'arguments'), source)
    const type = reach(item, 'type')
    if (type !== undefined && type !== null && type !== '' && type !== kind) call.odd ??= 'a call of a type that is not known'
    return call
  }

  /** The one call of a message in the first style of this API. */
  legacy(given: Json, source: string): GrowingCall {
    const call = this.all.find(({ index }) => index === null) ?? this.begin(null)
    grow(call, { id: null, name: reachText(given, 'name') })
    append(call, reach(given, 'arguments'), source)
    return call
  }

  private find(item: Json): GrowingCall {
    const index = reach(item, 'index')
    if (typeof index === 'number') return this.all.find((call) => call.index === index) ?? this.begin(index)
    const named = reachText(item, 'function', 'name') ?? reachText(item, 'custom', 'name')
    const last = this.all.at(-1)
    return last === undefined || (named !== null && named !== '') ? this.begin(this.all.length) : last
  }

  private begin(index: number | null): GrowingCall {
    const call: GrowingCall = { index, id: null, form: 'json', name: null, input: '', odd: null, ruling: null }
    this.all.push(call)
    return call
  }
}

function grow(call: GrowingCall, { id, name }: { readonly id: string | null; readonly name: string | null }): void {
  if (id !== null && id !== '') {
    if (call.id !== null && call.id !== id) call.odd ??= 'two calls under one index'
    call.id = id
  }
  if (name === null || name === '') return
  if (call.name !== null && call.name !== name) call.odd ??= 'a call with two names'
  call.name = name
}

function append(call: GrowingCall, fragment: Json | undefined, source: string): void {
  if (fragment === undefined || fragment === null) return
  if (typeof fragment === 'string') {
    call.input += fragment
    return
  }
  // Some servers send the object itself.
  if (call.input !== '') call.odd ??= 'arguments in two forms'
  call.input = source
}

/**
 * Has the gate decide calls that are whole: all of them, before anybody is waited for.
 * @param reason why the choice ended, as the model says it.
 */
export async function ruleOn(calls: readonly GrowingCall[], judge: Judge, reason: string | null): Promise<void> {
  const begun: (readonly [GrowingCall, Begun])[] = []
  const cut = reason !== null && CUTTING.has(reason) ? calls.at(-1) : undefined
  for (const call of calls) if (call.ruling === null) begun.push([call, await (call === cut ? beginCut : begin)(call, judge)])
  for (const [call, { wait }] of begun) call.ruling = await wait()
}

/** The model was stopped: half of a JSON text is none, but half of any other text is a text. */
const CUTTING: ReadonlySet<string> = new Set(['length', 'content_filter'])

async function beginCut(call: GrowingCall, judge: Judge): Promise<Begun> {
  if (call.form === 'json') return begin(call, judge)
  return settled(await judge.unjudged({ why: 'incomplete', what: 'the answer ended within the call', name: call.name, sample: call.input }))
}

async function begin({ name, form, input, odd }: GrowingCall, judge: Judge): Promise<Begun> {
  if (odd === null && name !== null) return judge.begin({ server: null, name, form, input: form === 'json' && input === '' ? '{}' : input })
  return settled(await judge.unjudged({ why: 'mismatch', what: odd ?? 'a call without a name', name, sample: input }))
}
