/** Measures the parts of an evaluation in processes of their own, as many at once as there are processors: none knows of another. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Parts } from './evaluate-part.ts'

type Told<P extends keyof Parts> = Parameters<Parts[P]>[1]
type Answer<P extends keyof Parts> = Awaited<ReturnType<Parts[P]>>

export class Apart {
  readonly #data: string
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param data directory of the recorded sessions. */
  constructor(data: string) {
    this.#data = data
  }

  /** Parts begin in the order in which they are told. Rejects where its process ends without an answer. */
  async measure<P extends keyof Parts>(part: P, told: Told<P>): Promise<{ readonly result: Answer<P>; readonly printed: string }> {
    if (this.#running >= availableParallelism()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await answerOf(part, { part, data: this.#data, told })
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

function answerOf<P extends keyof Parts>(part: P, message: object): Promise<{ readonly result: Answer<P>; readonly printed: string }> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'evaluate-part.ts'), {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let printed = ''
  let answer: { readonly result: Answer<P> } | null = null
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.on('message', (told) => {
    answer = told as { readonly result: Answer<P> }
  })
  child.send(message)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (answer === null || code !== 0)
        reject(new Error(`evaluate: the process that measured \`${part}\` ended with ${code ?? 'a signal'}`))
      else resolve({ ...answer, printed })
    })
  })
}
