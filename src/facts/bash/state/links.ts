import type { Effect, Target, Verb } from '../../effect.ts'

/**
 * Symbolic links and second names that a call makes: what is done to them is done to where they lead,
 * and where they were perhaps not made to what their names stand for then.
 */

/** How a link came to be. */
export interface Linker {
  readonly made: Effect
  /** It may have failed: another thing of that name was there. */
  readonly mayFail: boolean
  /** Another link of the call that it leads to. */
  readonly through: string
  /** What the name stands for if it was not made. */
  readonly before: readonly Target[]
}

/** What a call has linked so far: the part of the analysis that this room knows. */
interface Linking {
  readonly files: {
    /** Where links lead, by the path of the link. */
    readonly links: ReadonlyMap<string, Target>
    readonly linkers: Map<string, Linker>
    /** Other places that a path leads to, by the place that it leads to if all links on the way were made. */
    readonly others: ReadonlyMap<string, readonly Target[]>
    forgetTargets(): void
  }
  readonly doubted: ReadonlySet<Effect>
}

/**
 * What is done to a link that the call made is done to where it leads, but for taking it away or making it. Where the link, or one
 * on the way, was perhaps not made, it is done to what the name stands for then.
 */
export function led(
  target: Target,
  { verb, action }: { readonly verb: Verb; readonly action?: string | null | undefined },
  analysis: Linking,
): Target[] {
  const { real, kind, value } = target
  if (real === null) return [target]
  const others = analysis.files.others.get(real) ?? []
  const to = verb === 'delete' || action === 'fs:link' ? undefined : analysis.files.links.get(real)
  if (to === undefined) return others.length === 0 ? [target] : [target, ...others.map((other) => ({ ...other, kind, value }))]
  return [to, ...unmade(real, analysis), ...others].map((place) => ({ ...place, kind, value }))
}

/** The link is perhaps gone, and what leads through it leads nowhere then. */
export function unlinked(link: string, analysis: Linking): void {
  const { linkers } = analysis.files
  for (const [name, linker] of linkers) if (name === link || linker.through === link) linkers.set(name, { ...linker, mayFail: true })
  analysis.files.forgetTargets()
}

/** What the name of a link stands for if the link was not made; nothing where it surely was. */
export function unmade(link: string, { files: { linkers }, doubted }: Linking): readonly Target[] {
  const linker = linkers.get(link)
  return linker !== undefined && (linker.mayFail || doubted.has(linker.made)) ? linker.before : []
}
