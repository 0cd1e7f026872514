import type { Effect, Target } from '../../effect.ts'
import type { Linker } from './links.ts'

/** What a call did to files until now, and where paths lead since. */

/** Content that this very script puts into a file or a descriptor. */
export interface Written {
  /** Null where it is not statically known. */
  readonly text: string | null
  readonly decoded: boolean
  /** Effects that the content came from. */
  readonly from: readonly Effect[]
  /** It stood there before this call, which put plain text into it. */
  readonly edited?: boolean
  /** A compiler made it of files that were there before this call. */
  readonly built?: boolean
  /** Of what a compiler made: its sources are of the workspace, or were written by this call and only compute. */
  readonly own?: boolean
  /** Of what a compiler made: some of its sources were written by this call, and only their words were looked at. */
  readonly fresh?: boolean
  /** It is a copy of, or a link to, a file or directory that this call did not write. */
  readonly same?: Target
  /** What is put at the end of a file whose other content is not known. */
  readonly added?: string
}

export class Files {
  /** By resolved path, `/dev/fd/…` of process substitutions included. */
  readonly written = new Map<string, Written>()
  /** Where symbolic links lead that this very call makes, by the path of the link. */
  readonly links = new Map<string, Target>()
  /** Of files and links that this call made, by their paths. */
  get count(): number {
    return this.written.size + this.links.size
  }
  made(): readonly string[] {
    return [...new Set([...this.written.keys(), ...this.links.keys()])]
  }
  /** Places from which something was moved away. */
  readonly moves: string[] = []
  /** What made these links, and what their names stand for where it did not. */
  get linkers(): Map<string, Linker> {
    this.#linkers ??= new Map<string, Linker>()
    return this.#linkers
  }
  /** Other places that a path leads to if a link on the way was not made, by the place that it leads to if it was. */
  get others(): Map<string, readonly Target[]> {
    this.#others ??= new Map<string, readonly Target[]>()
    return this.#others
  }
  /** Directories that one command filled, and the download they came with; null where this machine filled them. See trees.ts. */
  readonly trees = new Map<string, Effect | null>()
  /** Targets by path, of words read in `cwd`, and matches by directory and pattern: the View answers once, so each is worked out once. */
  targetsFrom(cwd: string | null): Map<string, Target> {
    if (this.#nearby !== undefined && this.#nearby.cwd === cwd) return this.#nearby.targets
    this.#targets ??= new Map()
    const targets = this.#targets.get(cwd) ?? new Map<string, Target>()
    this.#targets.set(cwd, targets)
    this.#nearby = { cwd, targets }
    return targets
  }
  /** Paths lead elsewhere from now on. */
  forgetTargets(): void {
    this.#targets = undefined
    this.#nearby = undefined
    this.#others = undefined
  }
  get matches(): Map<string, readonly string[]> {
    this.#matches ??= new Map<string, readonly string[]>()
    return this.#matches
  }
  // Made when they are asked for: most commands need none of them.
  #targets: Map<string | null, Map<string, Target>> | undefined
  #nearby: { readonly cwd: string | null; readonly targets: Map<string, Target> } | undefined
  #matches: Map<string, readonly string[]> | undefined
  #linkers: Map<string, Linker> | undefined
  #others: Map<string, readonly Target[]> | undefined
}
