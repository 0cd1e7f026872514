/** Answers each question once and keeps the answer: what a decision records, and what a replay is built from (P10). */
import type { ViewAnswer } from '../core/decision.ts'
import type { Json } from '../core/json.ts'
import type { View } from '../facts/view.ts'

export type Question = ViewAnswer['question']

export class Memory {
  readonly #answers = new Map<Question, Map<string, unknown>>()
  readonly #recorded: ViewAnswer[] = []

  /** The remembered answer, or the one that `ask` gives now. Answers are plain data, so they are their own record. */
  once<T extends Json | object | null>(question: Question, subject: string, ask: () => T): T {
    const answers = this.#answers.get(question) ?? new Map<string, unknown>()
    if (answers.size === 0) this.#answers.set(question, answers)
    const known = answers.get(subject)
    if (known !== undefined) return known as T
    const answer = ask()
    answers.set(subject, answer)
    this.#recorded.push({ question, subject, answer: answer as Json })
    return answer
  }

  recorded(): readonly ViewAnswer[] {
    return [...this.#recorded]
  }
}

/** The part of a View that answers host names from what was looked up before; nothing where nothing was. */
export function lookedUp(hosts: ReadonlyMap<string, readonly string[]> | undefined, memory: Memory): Pick<View, 'hosts'> {
  if (hosts === undefined) return {}
  return { hosts: (name) => memory.once('hosts', name, () => hosts.get(name) ?? null) }
}

/** What a call makes of a file is asked beside what the file is. */
export function editing(subject: string, edit: unknown): string {
  return edit === undefined ? subject : `edited:${subject}`
}

/** Questions that carry a bound are recorded with it: another bound is another question. */
export function bounded(subject: string, limit: number): string {
  return `${limit}:${subject}`
}
