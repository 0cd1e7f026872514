/** The daemon learns baselines by itself where the policy has one: soon after it began, and then every hour. */
import { type BaselineStore, learnFrom } from '../../open-baseline-changes.ts'
import type { BaselineSection } from '../../policy/baseline/model.ts'
import { warn } from '../terminal.ts'

const FIRST_MS = 60_000
const EVERY_MS = 3_600_000

export interface LearningParts extends BaselineStore {
  /** Of the policy in force; null: nothing is learned. */
  readonly section: () => BaselineSection | null
  /** Told what went wrong; it is tried again an hour later. Default: standard error. */
  readonly note?: (line: string) => void
  /** Milliseconds until the first time; default a minute. */
  readonly firstMs?: number
}

export interface Learning {
  /** Waits for what is under way. */
  readonly stop: () => Promise<void>
}

const complain = (line: string): void => warn(`countersign: ${line}`)

export function startLearning({ section, note = complain, firstMs = FIRST_MS, ...at }: LearningParts): Learning {
  let under: Promise<void> = Promise.resolve()
  const learn = async (): Promise<void> => {
    const by = section()
    if (by === null || !by.learns) return
    try {
      await learnFrom(at, { by, author: 'daemon' })
    } catch (error) {
      note(`baselines could not be learned: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const run = (): void => {
    under = learn()
    timer = setTimeout(run, EVERY_MS).unref()
  }
  let timer = setTimeout(run, firstMs).unref()
  return {
    stop: async () => {
      clearTimeout(timer)
      await under
    },
  }
}
