/** What importers read: values of a configuration with the line that each stands on, whatever language it is written in. */

export interface SourceFile {
  /** As the user named it. */
  readonly path: string
  readonly text: string
}

/** Where a value stands: the file and the line, counted from 1. */
export interface Place {
  readonly path: string
  readonly line: number
}

export interface Entry {
  readonly key: string
  readonly place: Place
  readonly value: Value
}

export type Value = { readonly place: Place } & (
  | { readonly kind: 'scalar'; readonly scalar: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  /** Python only: a call such as `ToolSpec(risk_tier=…)`; positional arguments come first. */
  | { readonly kind: 'call'; readonly name: string; readonly positional: readonly Value[]; readonly named: readonly Entry[] }
  /** Python only: a dotted name that stands for no value of the file, such as `RiskTier.HIGH`. */
  | { readonly kind: 'name'; readonly name: string }
  /** Whatever an importer cannot know without running it. */
  | { readonly kind: 'code'; readonly text: string }
)

/** A file that cannot be read as what it should be: nothing of it is imported. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource'

  constructor({ path, line }: Place, problem: string) {
    super(`${path}:${line}: ${problem}`)
  }
}
