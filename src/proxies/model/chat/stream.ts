/**
 * Chunks of chat completions. What holds fragments of calls waits until its choice is finished, for fragments of several calls may
 * come in any order; everything else passes at once.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { Judge, Output, StreamRewriter } from '../api.ts'
import { edited, type Located, locate, partAt, reach, reachList, reachText, replacing } from '../json.ts'
import { type Frame, frameText, withData } from '../sse.ts'
import { holdsCall } from '../unknown.ts'
import { Calls, type GrowingCall, ruleOn } from './calls.ts'
import { argumentsOf, type Fragment, holdsFragments, rewritten, split, withContent } from './chunk.ts'

export function chatStream(judge: Judge): StreamRewriter {
  const machine = new Machine(judge)
  return { frame: (frame) => machine.frame(frame), end: (how) => machine.end(how) }
}

const NOTHING: Output = []

/** A choice of the answer. */
class Choice {
  calls = new Calls()
  waiting: Fragment[] = []
  /** Text was sent on already. */
  spoke = false
  released = 0
}

class Machine {
  private readonly judge: Judge
  private readonly choices = new Map<number, Choice>()

  constructor(judge: Judge) {
    this.judge = judge
  }

  frame(frame: Frame): Output | Promise<Output> {
    if (frame.data === null) return [frame.bytes]
    if (frame.data.trim() === '[DONE]') return this.done(frame)
    const chunk = frame.legible ? locate(frame.data) : null
    if (chunk === null) return this.refused(frame, 'an event that is no JSON')
    const choices = reachList(chunk.value, 'choices')
    const odd = isOdd(chunk.value, choices)
    if (odd !== null) return this.refused(frame, odd)
    if (choices.length === 0) return [frame.bytes]
    if (choices.some(holdsFragments)) return this.fragments(split(frame, chunk))
    const finishing = choices.some((choice) => reachText(choice, 'finish_reason') !== null)
    for (const choice of choices) if (reachText(choice, 'delta', 'content')) this.choiceOf(choice).spoke = true
    return finishing ? this.finish(frame, chunk) : [frame.bytes]
  }

  async end(how: 'ended' | 'cut'): Promise<Output> {
    const open = [...this.choices.values()].filter(({ waiting }) => waiting.length > 0)
    if (open.length === 0) return NOTHING
    const what = how === 'cut' ? 'the answer was cut off' : 'the answer ended'
    const out: (Buffer | string)[] = []
    for (const choice of open) {
      for (const call of choice.calls.all)
        call.ruling = await this.judge.unjudged({ why: 'incomplete', what, name: call.name, sample: call.input })
      if (choice.calls.all.every(({ ruling }) => ruling?.kind === 'run')) out.push(...choice.waiting.map(({ frame }) => frame.bytes))
    }
    return [...out, frameText(JSON.stringify({ error: { message: CUT, type: 'upstream_error', param: null, code: 'incomplete' } }))]
  }

  private choiceOf(choice: Json): Choice {
    const index = reach(choice, 'index')
    const key = typeof index === 'number' ? index : 0
    const known = this.choices.get(key) ?? new Choice()
    this.choices.set(key, known)
    return known
  }

  /** The text of a chunk goes on; its fragments wait, unless the choice ends with them. */
  private async fragments(parts: readonly (Fragment | Frame)[]): Promise<Output> {
    const out: (Buffer | string)[] = []
    for (const part of parts) {
      if (!('chunk' in part)) {
        out.push(...(await this.frame(part)))
        continue
      }
      const [data = null] = reachList(part.chunk.value, 'choices')
      const choice = this.choiceOf(data)
      const legacy = reach(data, 'delta', 'function_call')
      const delta = partAt(part.chunk.root, 'choices', 0, 'delta')
      for (const [at, item] of reachList(data, 'delta', 'tool_calls').entries())
        part.calls.push(choice.calls.item(item, argumentsOf(part.chunk, partAt(delta, 'tool_calls', at))))
      if (isJsonObject(legacy)) part.calls.push(choice.calls.legacy(legacy, argumentsOf(part.chunk, partAt(delta, 'function_call'))))
      choice.waiting.push(part)
      const reason = reachText(data, 'finish_reason')
      if (reason !== null) out.push(...(await this.decide(choice, reason)))
    }
    return out
  }

  private async finish(frame: Frame, chunk: Located): Promise<Output> {
    const out: (Buffer | string)[] = []
    const edits: Parameters<typeof edited>[1][number][] = []
    for (const [at, data] of reachList(chunk.value, 'choices').entries()) {
      const reason = reachText(data, 'finish_reason')
      if (reason === null) continue
      const choice = this.choiceOf(data)
      out.push(...(await this.decide(choice, reason)))
      const part = partAt(chunk.root, 'choices', at, 'finish_reason')
      if (part !== undefined && choice.released === 0 && isCalling(reason)) edits.push(replacing(part, '"stop"'))
    }
    return [...out, edits.length === 0 ? frame.bytes : withData(frame, edited(chunk, edits))]
  }

  /** Some servers end without a reason: the mark at the end says that all is there. */
  private async done(frame: Frame): Promise<Output> {
    const out: (Buffer | string)[] = []
    for (const choice of this.choices.values()) out.push(...(await this.decide(choice, null)))
    return [...out, frame.bytes]
  }

  private async decide(choice: Choice, reason: string | null): Promise<Output> {
    if (choice.waiting.length === 0) return NOTHING
    await ruleOn(choice.calls.all, this.judge, reason)
    const { waiting } = choice
    const all = choice.calls.all
    choice.waiting = []
    const kept = all.filter(({ ruling }) => ruling?.kind !== 'block')
    choice.released += kept.length
    if (kept.length === all.length && all.every(({ ruling }) => ruling?.kind === 'run')) return waiting.map(({ frame }) => frame.bytes)
    const rest = waiting.flatMap((fragment) => rewritten(fragment, { kept, none: choice.released === 0 }) ?? [])
    return [...notesOf(all, { choice, sample: waiting[0] }), ...rest]
  }

  private async refused(frame: Frame, what: string): Promise<Output> {
    const ruling = await this.judge.unjudged({ why: 'uninspected', what, name: null, sample: frame.data ?? '' })
    return ruling.kind === 'run' ? [frame.bytes] : NOTHING
  }
}

const CUT = 'The answer of the model ended in the middle of a tool call, which was withheld.'

/** What is said in place of the calls that do not run, as text of the choice. */
function notesOf(
  calls: readonly GrowingCall[],
  { choice, sample }: { readonly choice: Choice; readonly sample: Fragment | undefined },
): Output {
  const notes = calls.flatMap(({ ruling }) => (ruling?.kind === 'block' ? [ruling.text] : []))
  if (notes.length === 0 || sample === undefined) return NOTHING
  const text = `${choice.spoke ? '\n\n' : ''}${notes.join('\n\n')}`
  choice.spoke = true
  return [withContent(sample, text)]
}

export function isCalling(reason: string): boolean {
  return reason === 'tool_calls' || reason === 'function_call'
}

const FRAGMENTS: ReadonlySet<string> = new Set(['tool_calls', 'function_call'])

/** A call in a place where this API has none. */
function isOdd(chunk: Json, choices: readonly Json[]): string | null {
  const top = isJsonObject(chunk) ? omit(chunk, new Set(['choices'])) : chunk
  if (holdsCall(top)) return 'an unknown event that may hold a call'
  for (const choice of choices) {
    if (!isJsonObject(choice)) return 'a choice that is none'
    const { delta = null } = choice
    if (holdsCall(omit(choice, new Set(['delta'])))) return 'a choice with a call beside its delta'
    if (isJsonObject(delta) && holdsCall(omit(delta, FRAGMENTS))) return 'a delta with a call of an unknown shape'
  }
  return null
}

function omit(value: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)))
}
