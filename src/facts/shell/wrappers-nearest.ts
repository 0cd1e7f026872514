import type { FileAnswer } from '../view.ts'
import type { CommandContext } from './spec.ts'

/** Project files that say what runs, read through the View. */

/** Bytes read of a project file. */
const LONGEST = 262_144

export interface Found {
  readonly path: string
  readonly file: FileAnswer
}

/** The file in the directory or the nearest one above it, at most eight up. */
export function nearest(name: string, context: CommandContext): Found | null {
  let directory = context.cwd ?? ''
  for (let step = 0; step < 8 && directory !== ''; step++) {
    const answer = context.view.read(`${directory}/${name}`, LONGEST)
    if (answer !== null) return { path: `${directory}/${name}`, file: answer }
    directory = directory.slice(0, directory.lastIndexOf('/'))
  }
  return null
}

/** The first of these files in a directory; null where none can be read whole. */
export function firstOf(names: readonly string[], directory: string, context: CommandContext): Found | null {
  for (const name of names) {
    const path = name.startsWith('/') ? name : `${directory}/${name}`
    const file = context.view.read(path, LONGEST)
    if (file !== null) return file.truncated ? null : { path, file }
  }
  return null
}
