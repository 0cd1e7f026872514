import type { Span } from '../../effect.ts'
import type { CommandContext, Language, Word } from '../../host.ts'
import { doubt } from '../../resources/doubt.ts'
import { fileAt } from '../../resources/file-text.ts'
import { isSharp, sharpParts } from '../../resources/text/sharp.ts'
import { knownWord } from '../../resources/text/word.ts'

/** Code of the project that a program loads without being told: tests, settings that are programs, build files, applications. */

export interface Loading {
  readonly context: CommandContext
  readonly span: Span
  /** What loads it. */
  readonly by: string
}

/** Bytes of one file, as of any script; of all files that one command loads, characters that are read, and those that are analysed. */
const LONGEST = 65_536
const MAX_TEXT = 131_072
const MAX_PARTS = 16_384
/** What is counted of a file that is longer than what is read at once. */
const LONGEST_PARTS = 8_192

/** Counts what the command at hand has read. */
export class Loader {
  readonly #loading: Loading
  #room = MAX_TEXT
  #parts = MAX_PARTS
  #passed = false

  constructor(loading: Loading) {
    this.#loading = loading
  }

  get context(): CommandContext {
    return this.#loading.context
  }

  /** The text of a file, at an absolute path or beside the command; null where there is none, or where it cannot be read. */
  text(name: string): string | null {
    const { context, span } = this.#loading
    const path = this.path(name)
    const file = path === null ? null : fileAt(path, context, { span, limit: LONGEST })
    if (file === null) return null
    this.#room -= file.text?.length ?? LONGEST
    return file.text
  }

  /** Absolute; null where it is not known where the command runs. */
  path(name: string): string | null {
    const { cwd } = this.#loading.context
    return name.startsWith('/') ? name : cwd === null ? null : normal(`${cwd}/${name}`)
  }

  isThere(name: string): boolean {
    const path = this.path(name)
    if (path === null) return false
    return this.context.view.realpath(path).type === 'file' || this.context.written(this.#word(path)) !== null
  }

  /** Loads a file where it is there; what a file of the project cannot do by its words is not looked at further. */
  load(name: string, language: Language): boolean {
    const { context, by } = this.#loading
    const path = this.path(name)
    if (path === null || !this.isThere(path)) return false
    if (this.#room <= 0 || this.#parts <= 0) {
      this.#pass()
      return true
    }
    const text = this.text(path)
    if (context.ofProject(path)) {
      if (text !== null && !isSharp(text)) return true
      this.#parts -= text === null ? LONGEST_PARTS : sharpParts(language, text).length
    }
    context.within({ attributes: { loaded: by }, remote: false }, (inner) => inner.module(language, this.#word(path)))
    return true
  }

  /** The first of these that is there. */
  first(names: readonly string[], language: Language): void {
    names.some((name) => this.load(name, language))
  }

  /** Command lines that stand in a file of the project. */
  lines(file: string, lines: readonly string[]): void {
    const { context, span, by } = this.#loading
    const path = this.path(file)
    if (path === null || lines.length === 0) return
    context.within({ attributes: {}, remote: false, files: [path] }, (inner) => {
      for (const line of lines) inner.shell(line, span, by)
    })
  }

  /** Source text of a language that stands in a file of the project. */
  code(file: string, language: Language, text: string): void {
    const { context, span, by } = this.#loading
    const path = this.path(file)
    if (path !== null)
      context.within({ attributes: { loaded: by }, remote: false, files: [path] }, (inner) => inner.code(language, text, span))
  }

  /** A program that a file of the project says is fetched from an address, and runs; perhaps it is here already. */
  remote(file: string, address: string): void {
    const { context, span, by } = this.#loading
    const path = this.path(file)
    context.within({ attributes: { loaded: by }, remote: false, files: path === null ? [] : [path] }, (inner) =>
      inner.emit('execute', inner.url(knownWord(address, span)), {
        action: 'code:remote',
        reversible: false,
        certainty: 'possible',
        span,
        attributes: { by },
      }),
    )
  }

  /** The same in a directory of the project. */
  at(directory: string, body: (loader: Loader) => void): void {
    const path = this.path(directory)
    if (path === null) return
    this.context.within({ attributes: {}, remote: false, directory: this.#word(path) }, (context) => {
      const inner = new Loader({ ...this.#loading, context })
      ;[inner.#room, inner.#parts] = [this.#room, this.#parts]
      body(inner)
      ;[this.#room, this.#parts] = [inner.#room, inner.#parts]
    })
  }

  #pass(): void {
    if (!this.#passed) doubt(`\`${this.#loading.by}\` loads more files than are looked at`, this.#loading)
    this.#passed = true
  }

  #word(path: string): Word {
    return knownWord(path, this.#loading.span)
  }
}

/** Without `.` and `..`. */
export function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
