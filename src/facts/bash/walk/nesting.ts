import { LIMITS } from '../state/budget.ts'

/**
 * Whether a text nests so much that to parse it would take too long. Read without its quoting: what stands in quotes may only add,
 * and no command that somebody means comes near the bounds.
 */

/** Signs that open a nested script; each may cost the parser a pass over the rest. */
const MAX_OPENERS = 512

/** Heads of functions without an end between them. */
const MAX_BODIES = 800

/** Functions of one text: the parser goes from each into what stands right behind it. */
const MAX_FUNCTIONS = 1_500

/** Arithmetic in arithmetic that is too deep has as many UTF-16 units in its signs alone; everything else that is looked for has more. */
const SHORTEST_DEEP = 3 * LIMITS.depth

/** A text that is shorter can only reach a bound by the signs themselves: names of functions and coprocesses are longer. */
const SHORTEST_WIDE = 4_000

/** Such signs times UTF-16 units. */
const MAX_PASSES = 4_000_000

/** True where the text is not to be parsed. Linear. */
export function nestsTooMuch(text: string): boolean {
  // Most commands are shorter than any of the nesting below is.
  if (text.length < SHORTEST_DEEP) return false
  if (text.length < SHORTEST_WIDE && signsIn(text) <= LIMITS.depth) return false
  const code = withoutData(text)
  const openers = openersIn(text)
  if (openers > MAX_OPENERS || openersIn(code) * code.length > MAX_PASSES || subscriptsIn(code) * code.length > MAX_PASSES) return true
  // Each level of these has an opener of its own.
  if (openers > LIMITS.depth) {
    if (depthOf(code, SUBSTITUTIONS, ')') > LIMITS.depth || depthOf(code, PARAMETERS, '}') > LIMITS.depth) return true
    if (depthOf(text, ARITHMETIC, '))') > LIMITS.depth) return true
  }
  return depthOf(code, BODIES, '}') > MAX_BODIES || functionsIn(code) > MAX_FUNCTIONS
}

/** Every sign that opens anything. */
function signsIn(text: string): number {
  let signs = 0
  for (let i = 0; i < text.length; i++) if (OPENING.has(text.charCodeAt(i))) signs++
  return signs
}

const OPENING: ReadonlySet<number> = new Set([...'`([{<'].map((sign) => sign.charCodeAt(0)))

function openersIn(text: string): number {
  let openers = 0
  // A lookahead, so that the second sign of `<<(` counts by itself.
  for (const _ of text.matchAll(/`|\$(?=[({[])|<(?=[(<])|>(?=\()/g)) openers++
  return openers
}

/** How deep substitutions stand in each other: what is deeper would not be walked, and the parser reads the rest anew for each. */
const SUBSTITUTIONS = /[$<>]\(|\)/g
/** The same of parameters. */
const PARAMETERS = /\$\{|\}/g

/** How deep signs that open stand in each other; `end` closes one. */
function depthOf(text: string, signs: RegExp, end: string): number {
  let depth = 0
  let deepest = 0
  for (const [sign] of text.matchAll(signs)) {
    depth = sign === end ? Math.max(0, depth - 1) : depth + 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** The text without the bodies of here-documents that are not expanded: nothing nests in them. Only for what reading costs. */
function withoutData(text: string): string {
  let rest = text
  let code = ''
  for (let found = QUOTED.exec(rest); found !== null; found = QUOTED.exec(rest)) {
    const line = rest.indexOf('\n', found.index)
    const end = line < 0 ? -1 : rest.indexOf(`\n${found[1] ?? ''}\n`, line)
    if (end < 0) break
    code += rest.slice(0, line)
    rest = rest.slice(end + 1)
  }
  return code + rest
}

const QUOTED = /<<-?[ \t]*(?:['"\\])([A-Za-z_]\w*)/

/** Brackets in and behind the heads of loops that count: each may be searched for its end through the whole script. */
function subscriptsIn(text: string): number {
  const head = text.search(/\bfor\s*\(\(/)
  return head < 0 ? 0 : text.slice(head).split('[').length - 1
}

/** How deep `$((` may stand in each other: each level is read again for every one around it. */
const ARITHMETIC = /\$\(\(|\)\)/g

function functionsIn(text: string): number {
  let heads = 0
  for (const _ of text.matchAll(/\([ \t]*\)/g)) heads++
  return heads
}

/** How deep functions and coprocesses may stand in each other: the parser goes into each body. */
const BODIES = /\([ \t]*\)|\b(?:function|coproc)\s|\}/g
