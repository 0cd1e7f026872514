import type { Locals } from './expand.ts'

/** What a recipe is given: the shell that runs it, and variables of its target. */

const PLAIN_FLAG = /^(?:-[A-Za-z]*|[+-]o|[+-]O|pipefail|errexit|nounset|extglob|--norc|--noprofile|--)$/

interface Handed {
  readonly text: string
  /** What starts the shell: `env PATH=… sh`. */
  readonly starting: string | null
}

/** A recipe as a shell is handed it that the file names, empty where it names none; the text alone where that is a usual one. */
export function handed(text: string, shell: string, flags: string): Handed {
  const [, before = '', program] = /^(.*?\s)?(?:\S*\/)?((?:ba|da|z|k|a)?sh(?:\.exe)?)$/s.exec(shell) ?? []
  if ((shell === '' || program !== undefined) && flags.split(/\s+/).every((flag) => flag === '' || PLAIN_FLAG.test(flag)))
    return { text, starting: before === '' ? null : `${before}true` }
  const quoted = text.replaceAll("'", `'\\''`)
  return { text: `${shell === '' ? '/bin/sh' : shell} ${flags === '' ? '-c' : flags} '${quoted}'`, starting: null }
}

/** `$@` and what is made of it. */
export function automatic(target: string, locals: Locals): Locals {
  const slash = target.lastIndexOf('/')
  const own: readonly (readonly [string, string])[] = [
    ['@', target],
    ['@D', slash < 0 ? '.' : target.slice(0, slash)],
    ['@F', target.slice(slash + 1)],
  ]
  return new Map([...locals, ...own.map(([name, text]) => [name, { text, simple: true }] as const)])
}

/** What make sets itself. */
export const IMPLICIT: ReadonlyMap<string, string> = new Map([
  ['MAKE', 'make'],
  ['RM', 'rm -f'],
  ['CC', 'cc'],
  ['CXX', 'g++'],
  ['AR', 'ar'],
  ['AS', 'as'],
  ['LD', 'ld'],
  ['SHELL', '/bin/sh'],
])
