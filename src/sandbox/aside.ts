/** What a program left in the directories that were its own: they were empty, and nothing of the machine's was seen there. */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownPlaces, SCRATCH } from './cell.ts'
import { isInside } from './private.ts'
import { OWN, type Trial } from './stage.ts'

const MOST_TOLD = 20
const MOST_LOOKED_AT = 2_000

/** Names as the program had them. A directory is told where nothing is in it. */
export function asideIn(trial: Trial, stage: number | undefined): readonly string[] {
  const mounted = [...trial.places, ...trial.reads, ...trial.cell.programs]
  const found: string[] = []
  let left = MOST_LOOKED_AT
  const own = ownPlaces(trial.cell.home)
  const waiting = own.flatMap((path, index) => (path === SCRATCH ? [] : [{ path, at: `/proc/${stage}/root${OWN}/${index}` }]))
  for (let next = waiting.pop(); next !== undefined && left > 0 && found.length < MOST_TOLD; next = waiting.pop()) {
    const { path, at } = next
    const entries = entriesIn(at)
    left -= entries.length + 1
    // What is mounted below stands in a directory of its name here.
    const isWay = own.includes(path) || mounted.some((place) => isInside(place, path))
    if (entries.length === 0 && !isWay) found.push(path)
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push({ path: join(path, entry.name), at: join(at, entry.name) })
      else if (!mounted.includes(join(path, entry.name))) found.push(join(path, entry.name))
    }
  }
  return found.slice(0, MOST_TOLD).toSorted()
}

function entriesIn(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
