/** The law inside of `src/facts`, types counted: a part names only what stands before it in the list. */

const ROOT = 'src/facts/'

/** Parts in one line stand beside each other: of them, only those of the first line may name each other. */
const ORDER: readonly (readonly string[])[] = [
  ['actions', 'effect', 'explain', 'facts', 'host', 'view'],
  ['resources'],
  ['sql'],
  ['programs'],
  ['bash', 'languages'],
  ['tools'],
  ['deferred'],
  ['analyse'],
  ['index'],
]

/** What is wrong about the import; null where nothing is, or where it does not lie inside of the room. */
export function breaksFactsLaw(from: string, to: string): string | null {
  if (!from.startsWith(ROOT) || !to.startsWith(ROOT)) return null
  const [a, b] = [partOf(from), partOf(to)]
  const [low, high] = [rankOf(a), rankOf(b)]
  if (low < 0 || high < 0) return `${low < 0 ? from : to}: \`facts/${low < 0 ? a : b}\` has no place in the law yet`
  if (high < low || (low === high && (a === b || low === 0))) return null
  return `${from}: \`facts/${a}\` may not name \`facts/${b}\` (${to})`
}

function partOf(path: string): string {
  const [first = ''] = path.slice(ROOT.length).split('/')
  return first.replace(/\.ts$/, '')
}

function rankOf(part: string): number {
  return ORDER.findIndex((parts) => parts.includes(part))
}
