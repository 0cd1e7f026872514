/** Takes tools out of a request, or has their calls asked of the client; everything else of it stays byte for byte. */
import { type Located, type Part, type Path, partAt, sourceOf } from './json.ts'

export interface Restriction {
  /** Items of lists, or members of objects, that go. What holds nothing any more goes with them. */
  readonly strip: readonly Path[]
  /** Tools that get `require_approval: "always"`. */
  readonly gate: readonly Path[]
}

/** Means nothing without tools. */
const CHOICES: readonly Path[] = [['tool_choice'], ['parallel_tool_calls'], ['toolConfig']]

export function restricted(body: Located, { strip, gate }: Restriction): string {
  if (strip.length === 0 && gate.length === 0) return body.text
  const marks = marksOf(strip, gate)
  const tools = partAt(body.root, 'tools')
  const none = tools !== undefined && rebuilt(body, { part: tools, path: ['tools'] }, marks) === null
  return rebuilt(body, { part: body.root, path: [] }, none ? marksOf([...strip, ...CHOICES], gate) : marks) ?? '{}'
}

interface Marks {
  readonly strip: ReadonlySet<string>
  readonly gate: ReadonlySet<string>
  /** Every place on the way to a mark. */
  readonly ways: ReadonlySet<string>
}

function marksOf(strip: readonly Path[], gate: readonly Path[]): Marks {
  const ways = [...strip, ...gate].flatMap((path) => path.map((_, length) => keyOf(path.slice(0, length))))
  return { strip: new Set(strip.map(keyOf)), gate: new Set(gate.map(keyOf)), ways: new Set(ways) }
}

interface Place {
  readonly part: Part
  readonly path: Path
}

/** Null where nothing is left of it. */
function rebuilt(body: Located, { part, path }: Place, marks: Marks): string | null {
  const key = keyOf(path)
  if (marks.strip.has(key)) return null
  if (marks.gate.has(key)) return gated(body, part)
  if (!marks.ways.has(key)) return sourceOf(body, part)
  if (part.items !== undefined) {
    const kept = part.items.flatMap((item, index) => rebuilt(body, { part: item, path: [...path, index] }, marks) ?? [])
    return kept.length === 0 ? null : `[${kept.join(',')}]`
  }
  const kept = [...(part.members ?? [])].flatMap(([name, member]) => {
    const value = rebuilt(body, { part: member.value, path: [...path, name] }, marks)
    return value === null ? [] : [`${JSON.stringify(name)}:${value}`]
  })
  return kept.length === 0 ? null : `{${kept.join(',')}}`
}

function gated(body: Located, part: Part): string {
  const kept = [...(part.members ?? [])].filter(([name]) => name !== 'require_approval')
  const members = kept.map(([name, { value }]) => `${JSON.stringify(name)}:${sourceOf(body, value)}`)
  return `{${[...members, '"require_approval":"always"'].join(',')}}`
}

function keyOf(path: Path): string {
  return JSON.stringify(path)
}
