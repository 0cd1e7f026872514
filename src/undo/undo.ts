/** The way back of one capture: what it would do now, and doing it. Whoever calls this has asked the gate. */
import type { Capture, CaptureStore, Way } from './captures.ts'
import { COMPENSATORS } from './catalogue.ts'
import type { Snapshot } from './files/kept.ts'
import { differences, restore } from './files/restore.ts'
import { takeSnapshot, written } from './files/snapshot.ts'
import { pushBack, restoreGit, runGit } from './git.ts'

/** One way with what it would do now. */
export interface Step {
  readonly way: Way
  /** What would happen, a line each; empty: it is as it was already. */
  readonly lines: readonly string[]
  /** What git would be called with, for pushes. */
  readonly words: readonly string[] | null
  /** Why it cannot be taken; null: it can. */
  readonly problem: string | null
  /** What it cannot take back, in words. */
  readonly cannot: string
}

export async function stepsOf({ ways }: Capture): Promise<readonly Step[]> {
  return Promise.all(ways.map(stepOf))
}

async function stepOf(way: Way): Promise<Step> {
  const compensator = COMPENSATORS.find(({ name }) => name === way.name)
  const step: Step = { way, lines: [], words: null, problem: null, cannot: compensator?.cannot ?? '' }
  switch (way.run) {
    case 'manual':
      return { ...step, problem: `a person has to do it: ${compensator?.how ?? 'no way is known'} (${compensator?.until ?? ''})` }
    case 'git-push':
      return pushStep(way, step)
    default:
      return { ...step, lines: differences(way.entries), cannot: [step.cannot, ...way.left.map((text) => `not kept: ${text}`)].join('; ') }
  }
}

async function pushStep({ push }: Extract<Way, { run: 'git-push' }>, step: Step): Promise<Step> {
  try {
    const words = await pushBack(push)
    if (words === null) return step
    if ('problem' in words) return { ...step, problem: words.problem }
    return { ...step, words, lines: [`git ${words.join(' ')}`] }
  } catch (error) {
    return { ...step, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Files that the steps would change, so that they can be kept first. */
export function filesOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ way }) => (way.run === 'files' || way.run === 'git' ? way.entries.map(({ path }) => path) : []))
}

/** What is there now, before it is replaced. */
export function keepCurrent(steps: readonly Step[], { blobs }: CaptureStore): Promise<Snapshot> {
  const everything = { maxFiles: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }
  return takeSnapshot(written(filesOf(steps)), blobs, everything)
}

/** Names that could not be put back, with the reason; empty: all is as it was. */
export async function take({ way, words }: Step, { blobs }: CaptureStore): Promise<readonly string[]> {
  switch (way.run) {
    case 'manual':
      return []
    case 'files':
      return restore(way.entries, blobs)
    case 'git':
      return restoreGit(way.state, way.entries, blobs)
    case 'git-push':
      if (words === null) return []
      try {
        await runGit(way.push.top, words)
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
  }
}
