/**
 * Events of a response. An item that its client would run is held from its first event until it is decided; what may not run becomes
 * a message in its place, also in the event at the end, which says everything once more.
 */
import type { Json, JsonObject } from '../../../core/json.ts'
import type { Begun, Judge, Output, Ruling, StreamRewriter } from '../api.ts'
import { type Edit, edited, type Located, locate, partAt, reach, reachList, reachText, replacing, sourceOf } from '../json.ts'
import { settled } from '../judge.ts'
import { type Frame, frameText, withData } from '../sse.ts'
import { holdsCall } from '../unknown.ts'
import { beginItem, callIdOf, changedItem, essenceOf, type Kind, kindOfItem, messageItem, textPart } from './items.ts'
import { Sequence } from './sequence.ts'
import { type Replaced, replacementId, whatWasWithheld } from './withheld.ts'

interface Held {
  readonly index: number
  readonly kind: Kind
  item: Json
  /** What its deltas add up to; null: none came. */
  grown: string | null
  /** Its input as an event of its own says it. */
  told: string | null
  /** Set once it is whole. */
  begun: Begun | null
  ruling: Ruling | null
  /** Stands in its place. */
  readonly message: string
}

interface Waiting {
  readonly frame: Frame
  readonly event: Located
  readonly held: Held | null
  readonly starts: boolean
}

export function responsesStream(judge: Judge): StreamRewriter {
  const machine = new Machine(judge)
  return { frame: (frame) => machine.frame(frame), end: (how) => machine.end(how) }
}

const NOTHING: Output = []
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'])

class Machine {
  private readonly judge: Judge
  private readonly open = new Map<number, Held>()
  private readonly done = new Map<number, Held>()
  private readonly kinds = new Map<number, Kind>()
  private readonly replaced: Replaced[] = []
  private readonly sequence = new Sequence()
  private queue: Waiting[] = []

  constructor(judge: Judge) {
    this.judge = judge
  }

  frame(frame: Frame): Output | Promise<Output> {
    if (frame.data === null || frame.data.trim() === '[DONE]') return [frame.bytes]
    const event = frame.legible ? locate(frame.data) : null
    if (event === null) return this.refused({ frame, event: NO_EVENT }, 'an event that is no JSON')
    const here = { frame, event }
    const type = reachText(event.value, 'type') ?? ''
    if (type === 'response.output_item.added') return this.added(here)
    if (type === 'response.output_item.done') return this.finished(here)
    if (reach(event.value, 'response') !== undefined) return this.state(here, ENDS.has(type))
    const index = reach(event.value, 'output_index')
    return typeof index === 'number' ? this.within(here, index, type) : this.unknown(here, type)
  }

  async end(how: 'ended' | 'cut'): Promise<Output> {
    if (this.open.size === 0) return NOTHING
    const out = await this.close(how === 'cut' ? 'the answer was cut off' : 'the answer ended', true)
    const error = { type: 'error', sequence_number: this.sequence.next(), code: 'incomplete', message: CUT, param: null }
    return [...out, frameText(JSON.stringify(error), 'error')]
  }

  private added(here: Here): Output | Promise<Output> {
    const index = reach(here.event.value, 'output_index')
    const item = reach(here.event.value, 'item')
    if (typeof index !== 'number' || item === undefined || this.open.has(index)) return this.refused(here, 'an item that begins oddly')
    const kind = kindOfItem(item, this.judge)
    this.kinds.set(index, kind)
    if (kind === 'plain' || kind === 'provided') return this.pass(here)
    const held = this.hold(index, kind, item)
    this.queue.push({ ...here, held, starts: true })
    return NOTHING
  }

  private hold(index: number, kind: Kind, item: Json): Held {
    const held: Held = { index, kind, item, grown: null, told: null, begun: null, ruling: null, message: replacementId() }
    this.open.set(index, held)
    return held
  }

  /** An event about one item. */
  private within(here: Here, index: number, type: string): Output | Promise<Output> {
    const held = this.open.get(index)
    if (held === undefined) {
      const kind = this.kinds.get(index)
      const fits = kind === 'provided' || !holdsCall({ ...(here.event.value as JsonObject), type: CALLING.test(type) ? type : '' })
      return fits ? this.pass(here) : this.refused(here, 'an event of a call that was not begun')
    }
    const { value } = here.event
    const delta = reachText(value, 'delta')
    if (delta !== null && DELTA.test(type)) held.grown = (held.grown ?? '') + delta
    held.told = reachText(value, 'arguments') ?? reachText(value, 'input') ?? held.told
    this.queue.push({ ...here, held, starts: false })
    return NOTHING
  }

  private finished(here: Here): Output | Promise<Output> {
    const index = reach(here.event.value, 'output_index')
    const item = reach(here.event.value, 'item')
    const part = partAt(here.event.root, 'item')
    if (typeof index !== 'number' || item === undefined || part === undefined) return this.refused(here, 'an item that ends oddly')
    const text = sourceOf(here.event, part)
    const held = this.open.get(index)
    if (held !== undefined) {
      this.queue.push({ ...here, held, starts: false })
      return this.decide(held, { item, text })
    }
    const kind = kindOfItem(item, this.judge)
    if (kind === 'plain' || kind === 'provided') return this.pass(here)
    const late = this.hold(index, this.kinds.has(index) ? 'odd' : kind, item)
    this.queue.push({ ...here, held: late, starts: true })
    return this.decide(late, { item, text })
  }

  /** Where people are asked the other items are decided, too, before anybody waits: they see all of them at once. */
  private async decide(held: Held, { item, text }: { readonly item: Json; readonly text: string }): Promise<Output> {
    const odd = contradicts(held, item)
    held.item = item
    held.begun =
      odd === null
        ? await beginItem({ item, text, kind: held.kind }, this.judge)
        : settled(await this.judge.unjudged({ why: 'mismatch', what: odd, name: reachText(item, 'name'), sample: text }))
    if (held.begun.ruling === null) return NOTHING
    held.ruling = held.begun.ruling
    this.settle(held)
    return this.flush()
  }

  private settle(held: Held): void {
    this.open.delete(held.index)
    this.done.set(held.index, held)
    if (held.ruling?.kind === 'block') this.replaced.push({ message: held.message, item: held.item, note: held.ruling.text })
  }

  /** Waits for people; what is still open without having been whole never will be. */
  private async close(what: string, cut = false): Promise<Output> {
    for (const held of [...this.open.values()]) {
      const name = reachText(held.item, 'name')
      held.ruling =
        held.begun === null || cut
          ? await this.judge.unjudged({ why: 'incomplete', what, name, sample: held.grown ?? '' })
          : await held.begun.wait()
      this.settle(held)
    }
    return this.flush()
  }

  /** An event with the whole response: what it says of its items is what was decided of them. */
  private async state(here: Here, ends: boolean): Promise<Output> {
    const before = ends && this.open.size > 0 ? await this.close('the response ended before the call did') : NOTHING
    const edits: Edit[] = []
    for (const [index, item] of reachList(here.event.value, 'response', 'output').entries()) {
      const part = partAt(here.event.root, 'response', 'output', index)
      const text = part === undefined ? null : await this.repeated(index, item, sourceOf(here.event, part))
      if (part !== undefined && text !== null) edits.push(replacing(part, text))
    }
    if (ends) await this.judge.withheld?.(whatWasWithheld(reach(here.event.value, 'response') ?? null, this.replaced))
    const { response: _response, ...beside } = here.event.value as JsonObject
    if (holdsCall(beside)) return [...before, ...(await this.refused(here, 'an event with a call beside its response'))]
    const event = edits.length === 0 ? here.event : (locate(edited(here.event, edits)) ?? here.event)
    const frame = edits.length === 0 ? here.frame : { ...here.frame, bytes: withData(here.frame, event.text) }
    return [...before, ...(ends || this.queue.length === 0 ? [this.sequence.place({ frame, event })] : this.pass({ frame, event }))]
  }

  /** The text of an item that is not to be what it says; null: it stays. */
  private async repeated(index: number, item: Json, text: string): Promise<string | null> {
    const kind = kindOfItem(item, this.judge)
    const known = this.done.get(index)
    if (known?.ruling?.kind === 'block') return JSON.stringify(messageItem(known.message, known.ruling.text, 'completed'))
    if (kind === 'plain' || kind === 'provided') return null
    if (known?.ruling !== undefined && known.ruling !== null && essenceOf(known.item) === essenceOf(item))
      return known.ruling.kind === 'change' ? changedItem(text, known.ruling.input) : null
    const begun = await beginItem({ item, text, kind }, this.judge)
    const held: Held = { index, kind, item, grown: null, told: null, begun, ruling: await begun.wait(), message: replacementId() }
    this.settle(held)
    if (held.ruling?.kind === 'block') return JSON.stringify(messageItem(held.message, held.ruling.text, 'completed'))
    return held.ruling?.kind === 'change' ? changedItem(text, held.ruling.input) : null
  }

  private unknown(here: Here, type: string): Output | Promise<Output> {
    const { type: _type, ...rest } = here.event.value as JsonObject
    return CALLING.test(type) || holdsCall(rest) ? this.refused(here, 'an unknown event that may hold a call') : [here.frame.bytes]
  }

  /** At once, or behind what waits, for clients take items by their order. */
  private pass(here: Here): Output {
    if (this.queue.length === 0) return [this.sequence.place(here)]
    this.queue.push({ ...here, held: null, starts: false })
    return NOTHING
  }

  private flush(): Output {
    if (this.open.size > 0) return NOTHING
    const waiting = this.queue
    this.queue = []
    return waiting.flatMap((each) => this.released(each))
  }

  private released({ frame, event, held, starts }: Waiting): Output {
    const ruling = held?.ruling ?? null
    if (held === null || ruling === null || ruling.kind === 'run') return [this.sequence.place({ frame, event })]
    if (!starts) return NOTHING
    return ruling.kind === 'block' ? this.messageEvents(held, ruling.text) : this.changedEvents(held, ruling.input)
  }

  private messageEvents({ index, message }: Held, text: string): Output {
    const item = { item_id: message, output_index: index }
    const content = { ...item, content_index: 0 }
    return [
      this.event('response.output_item.added', { output_index: index, item: messageItem(message, text, 'in_progress') }),
      this.event('response.content_part.added', { ...content, part: textPart('') }),
      this.event('response.output_text.delta', { ...content, delta: text, logprobs: [] }),
      this.event('response.output_text.done', { ...content, text, logprobs: [] }),
      this.event('response.content_part.done', { ...content, part: textPart(text) }),
      this.event('response.output_item.done', { output_index: index, item: messageItem(message, text, 'completed') }),
    ]
  }

  /** Begins and ends at once, with the arguments that people gave it. */
  private changedEvents({ index, item }: Held, input: string): Output {
    const changed = JSON.parse(changedItem(JSON.stringify(item), input)) as JsonObject
    const about = { item_id: reachText(item, 'id') ?? '', output_index: index }
    const told: Readonly<Record<string, string>> = { function_call: 'function_call_arguments', custom_tool_call: 'custom_tool_call_input' }
    const name = told[reachText(item, 'type') ?? '']
    const key = name === 'function_call_arguments' ? 'arguments' : 'input'
    const fresh = name === undefined ? changed : { ...changed, [key]: '', status: 'in_progress' }
    return [
      this.event('response.output_item.added', { output_index: index, item: fresh }),
      ...(name === undefined
        ? []
        : [
            this.event(`response.${name}.delta`, { ...about, delta: input }),
            this.event(`response.${name}.done`, { ...about, [key]: input }),
          ]),
      this.event('response.output_item.done', { output_index: index, item: changed }),
    ]
  }

  private event(type: string, data: JsonObject): Buffer {
    return frameText(JSON.stringify({ type, sequence_number: this.sequence.next(), ...data }), type)
  }

  private async refused({ frame, event }: Here, what: string): Promise<Output> {
    const ruling = await this.judge.unjudged({ why: 'uninspected', what, name: null, sample: frame.data ?? '' })
    return ruling.kind === 'run' ? this.pass({ frame, event }) : NOTHING
  }
}

interface Here {
  readonly frame: Frame
  readonly event: Located
}

const NO_EVENT: Located = { text: '{}', root: { start: 0, end: 2, members: new Map() }, value: {} }
const CUT = 'The answer of the model ended in the middle of a tool call, which was withheld.'
const CALLING = /call|tool|function|shell|patch|approval/i
const DELTA = /(?:arguments|input)\.delta$/

/** Clients read an input from its deltas, from its own event or from the item at the end: all of them say the same, or it is no call. */
function contradicts({ item: begun, grown, told }: Held, item: Json): string | null {
  if (reachText(begun, 'type') !== reachText(item, 'type')) return 'an item that changes its type'
  if (reachText(begun, 'name') !== reachText(item, 'name') || callIdOf(begun) !== callIdOf(item)) return 'an item that changes its name'
  const input = reachText(item, 'arguments') ?? reachText(item, 'input')
  if (input === null) return null
  return (grown !== null && grown !== input) || (told !== null && told !== input) ? 'an input that is told in two ways' : null
}
