import type { ParsedCommand, Word } from '../../host.ts'

/** A link that is made: a second name under which what is behind it can be read and written later. */
interface Link {
  readonly source: Word
  readonly into: Word
  /** Whether `into` is the directory that the link is put in, not the link itself. */
  readonly inside: 'yes' | 'no' | 'maybe'
}

/** What a link leads to: for a symbolic one `../x` counts from the directory of the link, wherever `ln` runs. */
export function pointedAt({ source, into, inside }: Link, parsed: ParsedCommand): Word {
  const at = into.text
  if (!parsed.flag('-s', '--symbolic') || parsed.flag('-r', '--relative')) return source
  if (at === null || source.glob || source.text?.startsWith('../') !== true) return source
  const directory = inside === 'yes' ? at : at.slice(0, at.lastIndexOf('/') + 1)
  if (directory === '' || directory === '.') return source
  const path = `${directory}${directory.endsWith('/') ? '' : '/'}${source.text}`
  return { ...source, text: path, prefix: path }
}
