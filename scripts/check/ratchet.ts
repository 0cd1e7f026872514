/**
 * What does not hold yet stands in exceptions.json, counted per file or folder. It may only shrink: more than is listed breaks the
 * check, and so does less, until the list says so (`--shrink` lowers its numbers, and never raises one).
 */
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'scripts/check/exceptions.json'

type Counts = Readonly<Record<string, number>>

/** One kind of exception: what was counted, and how to say it. */
export interface Ratchet {
  /** Its name in exceptions.json. */
  readonly name: string
  /** How often it occurs, by path; zero is left out. */
  readonly found: ReadonlyMap<string, number>
  /** What one occurrence is called: `functions above a complexity of 15`. */
  readonly what: string
}

/** What is worse than the list, and what is better than the list and not said there. */
export function ratchet({ name, found, what }: Ratchet): readonly string[] {
  const lists = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Counts>>
  const listed = lists[name] ?? {}
  if (process.argv.includes('--shrink')) shrink(lists, name, found)
  const paths = [...new Set([...Object.keys(listed), ...found.keys()])].toSorted()
  return paths.flatMap((path) => {
    const [now, before] = [found.get(path) ?? 0, listed[path] ?? 0]
    if (now > before) return [`${path}: ${now} ${what}${before === 0 ? '' : `, ${before} at most`}`]
    return now < before && !process.argv.includes('--shrink')
      ? [`${path}: only ${now} ${what} left of ${before}: say so with \`npm run check:shrink\``]
      : []
  })
}

function shrink(lists: Readonly<Record<string, Counts>>, name: string, found: ReadonlyMap<string, number>): void {
  const kept = Object.entries(lists[name] ?? {}).flatMap(([path, before]) => {
    const now = Math.min(before, found.get(path) ?? 0)
    return now === 0 ? [] : [[path, now] as const]
  })
  const written = { ...lists, [name]: Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
  writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`)
}
