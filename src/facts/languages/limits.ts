/** The bounds of code analysis. Whatever lies beyond them is reported as opaque, never skipped in silence. */
export const LIMITS = {
  /** UTF-16 units of source text. */
  text: 65_536,
  /** Tokens of one source text; each interpolation in it counts as four. */
  tokens: 12_000,
  /** Nesting of expressions and blocks. */
  depth: 60,
  /** Interpolations inside interpolations. */
  interpolations: 8,
  /** Links of one chain of members, calls and indices. */
  chain: 80,
  /** Nodes evaluated on the straight way through the program. */
  steps: 60_000,
  /** Of these, those after which no loop is followed a second time. */
  rounds: 15_000,
  /** Nodes evaluated inside calls of the program's own functions and unrolled loops. */
  inlined: 40_000,
  /** Own functions entered from own functions. */
  calls: 6,
  /** Characters of a folded string. */
  folded: 65_536,
  /** Characters written by all foldings together. */
  foldedInAll: 3_000_000,
  /** Characters of code and command lines that one program hands on. */
  handed: 262_144,
  /** Items of a folded list. */
  items: 4_096,
  /** Items of a constant list whose loop is followed item by item. */
  unrolled: 16,
  /** Values a variable is followed as, where branches give it several. */
  options: 16,
} as const

/** Thrown where a bound is reached or a text cannot be read; its message becomes the reason of an opaque effect. */
export class CodeLimit extends Error {
  override readonly name = 'CodeLimit'
}
