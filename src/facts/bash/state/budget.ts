/** What one analysis may cost, and what it did so far. */

/** Bounds of one analysis. Past any of them the rest is opaque, never silently dropped. */
export const LIMITS = {
  /** UTF-16 units of one script. */
  text: 65_536,
  /** UTF-16 units of all scripts together, each as often as it is run. */
  read: 131_072,
  /** Commands walked, loops unrolled and functions called included. */
  steps: 600,
  effects: 1_500,
  /** Effects of all commands together, a single one with thousands of words included. */
  mostEffects: 2_000,
  /** Units of work, about a tenth of a microsecond each: bounds what many cheap commands cost together. */
  work: 180_000,
  /** Nested scripts, functions, substitutions and syntax. */
  depth: 64,
  wrappers: 16,
  /** Commands of one pipeline: each hands on where everything before it came from. */
  stages: 64,
  /** Words that one word may become. */
  words: 256,
  /** Bytes read of a script file. */
  file: 65_536,
} as const

/** What things cost, in units of work. */
export const WORK = {
  step: 150,
  word: 15,
  /** A literal or an expansion of a word. */
  part: 10,
  effect: 25,
  redirect: 50,
  /** A node of a loop that is looked through for what it assigns: for loops in each other again and again. */
  node: 3,
  /** One way of a branch, or a subshell; and each variable that is carried into it and back. */
  branch: 100,
  variable: 3,
  /** A command that is walked in another directory, too: with what stands in it, which may be walked so again. */
  place: 1_000,
  /** A link that is followed from now on. */
  link: 2_500,
  /** UTF-16 units of a path, and of one whose names have other forms. */
  path: 2,
  folded: 6,
  /** A pattern that is held against what is there and against the places of secrets. */
  pattern: 100,
  /** A program in another language, and the UTF-16 units of its text. */
  program: 1_000,
  code: 2,
} as const

/** What was used up, or may be. */
interface Used {
  /** UTF-16 units parsed. */
  read: number
  steps: number
  /** What was done, in units of its own. */
  work: number
}

const WHOLE: Used = LIMITS
/** What files of the project may use up of it together, as long as the call itself is small: the rest of the call is looked at in any case. */
const OF_FILES: Used = { read: LIMITS.read * 0.75, steps: LIMITS.steps * 0.75, work: LIMITS.work * 0.75 }
/** Of what is left, one file may use up so much, and then its parts: what comes behind it is looked at, too. */
const OF_ONE = 0.7
const OF_PARTS = 0.4

/** What was used up over one call, through all nested scripts. */
export class Budget implements Used {
  read = 0
  steps = 0
  work = 0
  /** A bound was passed, and that was said. */
  exhausted = false
  /** What may be used up now. */
  #limit = WHOLE
  /** What files of the project used up. */
  readonly #files: Used = { read: 0, steps: 0, work: 0 }

  /** Counts one command, after so many effects; false once a bound is passed. */
  step(effects: number): boolean {
    this.steps++
    return this.steps <= this.#limit.steps && effects <= LIMITS.effects && this.spend(WORK.step)
  }

  /** Counts work; false once the bound is passed. */
  spend(units: number): boolean {
    this.work += units
    return this.work <= this.#limit.work
  }

  /** True once more was parsed than is. */
  get isRead(): boolean {
    return this.read > this.#limit.read
  }

  /** Nothing is left from now on. */
  end(): void {
    this.work = Number.POSITIVE_INFINITY
    this.exhausted = true
  }

  /**
   * Walks a file of the project, in a share of what is left. What is past it is not walked: the `parts` of the file are looked at, and
   * whatever stands behind it.
   */
  file(walk: () => void, parts?: () => void): void {
    const before = { read: this.read, steps: this.steps, work: this.work }
    const outer = this.#limit
    const own = (unit: keyof Used): number => before[unit] - this.#files[unit]
    const small = outer !== WHOLE || UNITS.every((unit) => own(unit) <= WHOLE[unit] - OF_FILES[unit])
    if (this.exhausted || !small) {
      walk()
      return
    }
    const room = outer === WHOLE ? OF_FILES : outer
    try {
      this.#limit = this.#share(room, OF_ONE)
      walk()
      if (!this.exhausted) return
      this.#resume()
      this.#limit = this.#share(room, OF_PARTS)
      parts?.()
    } finally {
      this.#resume()
      this.#limit = outer
      if (outer === WHOLE) for (const unit of UNITS) this.#files[unit] += this[unit] - before[unit]
    }
  }

  /** That share of what is left of the room. */
  #share(room: Used, share: number): Used {
    const of = (unit: keyof Used): number => Math.max(this[unit], this[unit] + (room[unit] - this[unit]) * share)
    return { read: of('read'), steps: of('steps'), work: of('work') }
  }

  /** Counts no more than the limit in force. */
  #resume(): void {
    if (!this.exhausted) return
    this.exhausted = false
    for (const unit of UNITS) this[unit] = Math.min(this[unit], this.#limit[unit])
  }

  /** A file of the project is walked in bounds of its own. */
  get ofFile(): boolean {
    return this.#limit !== WHOLE
  }
}

const UNITS = ['read', 'steps', 'work'] as const
