/** Anthropic's events: a block with a call is held from its start until it is decided; a block that may not run becomes text in its place. */
import type { Json } from '../../../core/json.ts'
import type { Begun, Judge, Output, Ruling, StreamRewriter } from '../api.ts'
import { edited, type Located, locate, partAt, reach, reachList, reachText, replacing, sourceOf } from '../json.ts'
import { settled } from '../judge.ts'
import { type Frame, frameText, withData } from '../sse.ts'
import { holdsCall } from '../unknown.ts'
import { kindOfBlock } from './blocks.ts'

interface Held {
  readonly index: number
  readonly block: Json
  /** Text of the input that the block begins with; most begin with an empty one. */
  readonly given: string
  /** Of the deltas, in their order. */
  input: string
  /** Why it is not what it should be; null: nothing is wrong so far. */
  odd: string | null
  /** Set once it is whole. */
  begun: Begun | null
  ruling: Ruling | null
}

/** An event that waits, with the call that it belongs to; null: it only keeps its place. */
interface Waiting {
  readonly frame: Frame
  readonly held: Held | null
  readonly starts: boolean
}

export function anthropicStream(judge: Judge): StreamRewriter {
  const machine = new Machine(judge)
  return { frame: (frame) => machine.frame(frame), end: (how) => machine.end(how) }
}

const NOTHING: Output = []
const DROPPED = 'a delta of a call in a block that holds none'

class Machine {
  private readonly judge: Judge
  private readonly open = new Map<number, Held>()
  private queue: Waiting[] = []
  /** Blocks that the client will run. */
  private calls = 0
  /** Blocks of tools that the provider runs: their input comes in deltas, too. */
  private readonly provided = new Set<number>()

  constructor(judge: Judge) {
    this.judge = judge
  }

  frame(frame: Frame): Output | Promise<Output> {
    if (frame.data === null) return this.pass(frame)
    const event = frame.legible ? locate(frame.data) : null
    if (event === null) return this.unreadable(frame)
    switch (reachText(event.value, 'type')) {
      case 'content_block_start':
        return this.start(frame, event)
      case 'content_block_delta':
        return this.delta(frame, event)
      case 'content_block_stop':
        return this.stop(frame, event)
      case 'message_delta':
      case 'message_stop':
        return this.finish(frame, event)
      case 'message_start':
        return this.messageStart(frame, event)
      case 'ping':
      case 'error':
        return [frame.bytes]
      default:
        return holdsCall(event.value) ? this.refused(frame, 'an unknown event that may hold a call') : [frame.bytes]
    }
  }

  async end(how: 'ended' | 'cut'): Promise<Output> {
    if (this.open.size === 0) return NOTHING
    const out = await this.settle(how === 'cut' ? 'the answer was cut off' : 'the answer ended', true)
    return [...out, frameText(JSON.stringify({ type: 'error', error: { type: 'api_error', message: CUT } }), 'error')]
  }

  /** The first event may bring content already. */
  private messageStart(frame: Frame, event: Located): Output | Promise<Output> {
    return reachList(event.value, 'message', 'content').some((block) => holdsCall(block))
      ? this.refused(frame, 'a message that begins with calls', () => {
          const content = partAt(event.root, 'message', 'content')
          return content === undefined ? [] : [withData(frame, edited(event, [replacing(content, '[]')]))]
        })
      : this.pass(frame)
  }

  private start(frame: Frame, event: Located): Output | Promise<Output> {
    const index = reach(event.value, 'index')
    const block = reach(event.value, 'content_block')
    if (typeof index !== 'number' || block === undefined || this.open.has(index)) return this.refused(frame, 'a block that starts oddly')
    const kind = kindOfBlock(block, this.judge)
    if (kind === 'plain' || kind === 'provided') {
      if (kind === 'provided') this.provided.add(index)
      return this.pass(frame)
    }
    const odd = kind === 'call' ? null : 'a block of a kind that is not known, or that nobody asked for'
    const given = partAt(event.root, 'content_block', 'input')
    const held: Held = {
      index,
      block,
      given: given === undefined ? '{}' : sourceOf(event, given),
      input: '',
      odd,
      begun: null,
      ruling: null,
    }
    this.open.set(index, held)
    this.queue.push({ frame, held, starts: true })
    return NOTHING
  }

  private delta(frame: Frame, event: Located): Output | Promise<Output> {
    const index = reach(event.value, 'index')
    const held = typeof index === 'number' ? this.open.get(index) : undefined
    const json = reachText(event.value, 'delta', 'partial_json')
    if (held === undefined) {
      const fits = typeof index === 'number' && this.provided.has(index)
      return fits || !holdsCall(reach(event.value, 'delta') ?? null) ? this.pass(frame) : this.refused(frame, DROPPED)
    }
    if (json === null) held.odd ??= 'a delta of another kind within a call'
    else held.input += json
    this.queue.push({ frame, held, starts: false })
    return NOTHING
  }

  private stop(frame: Frame, event: Located): Output | Promise<Output> {
    const index = reach(event.value, 'index')
    const held = typeof index === 'number' ? this.open.get(index) : undefined
    if (held === undefined) return this.pass(frame)
    this.queue.push({ frame, held, starts: false })
    return this.decide(held)
  }

  /** Where people are asked the other calls are decided, too, before anybody waits: they see all of them at once. */
  private async decide(held: Held): Promise<Output> {
    held.begun = await this.begin(held)
    if (held.begun.ruling === null) return NOTHING
    held.ruling = held.begun.ruling
    this.open.delete(held.index)
    return this.flush()
  }

  private async begin({ block, given, input, odd }: Held): Promise<Begun> {
    const name = reachText(block, 'name')
    const told = isEmptyObject(reach(block, 'input') ?? {})
    if (odd === null && name !== null && (told || input === ''))
      return this.judge.begin({ server: null, name, form: 'json', input: input === '' ? given : input })
    const what = odd ?? (name === null ? 'a call without a name' : 'a call with two inputs')
    const why = odd === null ? 'mismatch' : 'uninspected'
    return settled(await this.judge.unjudged({ why, what, name, sample: JSON.stringify(block) + input }))
  }

  /** Waits for people; what is still open without having been whole never will be. */
  private async settle(what: string, cut = false): Promise<Output> {
    for (const held of this.open.values()) {
      const name = reachText(held.block, 'name')
      held.ruling =
        held.begun === null || cut
          ? await this.judge.unjudged({ why: 'incomplete', what, name, sample: held.input })
          : await held.begun.wait()
    }
    this.open.clear()
    return this.flush()
  }

  private async finish(frame: Frame, event: Located): Promise<Output> {
    const before = this.open.size === 0 ? NOTHING : await this.settle('the message ended before the call did')
    const reason = partAt(event.root, 'delta', 'stop_reason')
    const odd = reason !== undefined && reachText(event.value, 'delta', 'stop_reason') === 'tool_use' && this.calls === 0
    return [...before, odd ? withData(frame, edited(event, [replacing(reason, '"end_turn"')])) : frame.bytes]
  }

  /** At once, or behind what waits, for clients take blocks by their order. */
  private pass(frame: Frame): Output {
    if (this.queue.length === 0) return [frame.bytes]
    this.queue.push({ frame, held: null, starts: false })
    return NOTHING
  }

  private flush(): Output {
    if (this.open.size > 0) return NOTHING
    const waiting = this.queue
    this.queue = []
    return waiting.flatMap((each) => this.released(each))
  }

  private released({ frame, held, starts }: Waiting): Output {
    if (held === null || held.ruling === null) return [frame.bytes]
    const { ruling, index } = held
    if (ruling.kind === 'run') {
      if (starts) this.calls++
      return [frame.bytes]
    }
    if (!starts) return NOTHING
    if (ruling.kind === 'block') return textBlock(index, ruling.text)
    this.calls++
    return changedBlock(held, ruling.input)
  }

  private unreadable(frame: Frame): Output | Promise<Output> {
    return this.refused(frame, 'an event that is no JSON')
  }

  private async refused(frame: Frame, what: string, instead: () => Output = () => NOTHING): Promise<Output> {
    const ruling = await this.judge.unjudged({ why: 'uninspected', what, name: null, sample: frame.data ?? '' })
    return ruling.kind === 'run' ? this.pass(frame) : instead()
  }
}

const CUT = 'The answer of the model ended in the middle of a tool call, which was withheld.'

function isEmptyObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function event(data: { readonly type: string } & Record<string, unknown>): Buffer {
  return frameText(JSON.stringify(data), data.type)
}

function textBlock(index: number, text: string): Output {
  return [
    event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    event({ type: 'content_block_stop', index }),
  ]
}

function changedBlock({ index, block }: Held, input: string): Output {
  const start = { ...(block as Record<string, Json>), input: {} }
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: input } }),
    event({ type: 'content_block_stop', index }),
  ]
}
