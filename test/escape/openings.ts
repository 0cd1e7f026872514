/**
 * Holes in the sandbox, opened on purpose: a `bwrap` of our own stands before the machine's, takes walls out of the words that it was given, and
 * becomes the machine's. The runner, the stage and the command are the ones that always run. An attempt that such a hole does not show is a check
 * that cannot fail.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLACES } from '../../src/sandbox/sandbox.ts'

export type Swap = readonly [from: readonly string[], to: readonly string[]]

export interface Opening {
  /** Words that are replaced; each has to be there. */
  readonly swaps?: readonly Swap[]
  /** Lines of bash before it. */
  readonly before?: readonly string[]
  /** A program that is started with bubblewrap and its words as arguments, and becomes it. */
  readonly around?: readonly string[]
  /** True: bubblewrap is left out altogether. */
  readonly none?: boolean
  /** The stage that watches nothing: what the other one watches dies with it, whatever wall is open. */
  readonly stage?: 'shell'
}

const SEPARATOR = '\x1f'

/** Between separators, as a word of bash. */
function joined(words: readonly string[]): string {
  const text = [SEPARATOR, ...words.map((word) => word + SEPARATOR)].join('')
  return `$'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll(SEPARATOR, '\\x1f')}'`
}

function swapped([from, to]: Swap): string {
  return [
    `[[ $all == *${joined(from)}* ]] || { echo 'bwrap: there is no wall to open' >&2; exit 1; }`,
    `all=\${all//${joined(from)}/${joined(to)}}`,
  ].join('\n')
}

/** Places in which the programs of a sandbox with that hole are found. Only trials are opened; the sandbox's own look around is not. */
export function opened({ swaps = [], before = [], around = [], none = false }: Opening, directory: string): readonly string[] {
  mkdirSync(directory, { recursive: true })
  const real = 'bwrap=$(PATH=/usr/bin:/usr/local/bin:/bin:/run/current-system/sw/bin command -v bwrap)'
  const alone = [`while [ "$1" != -- ]; do shift; done; shift`, `printf '{"child-pid": %d}' $$ >&6`, 'cd /; exec "$@"']
  const edited = [
    `IFS=$'\\x1f'; all=$'\\x1f'"$*"$'\\x1f'; unset IFS`,
    ...swaps.map(swapped),
    `mapfile -t -d $'\\x1f' words < <(printf '%s' "\${all#?}")`,
    ...before,
    `exec ${around.map((word) => joined([word]).replaceAll('\\x1f', '')).join(' ')} "$bwrap" "\${words[@]}"`,
  ]
  const lines = ['#!/bin/bash', real, `case " $* " in *' --info-fd '*) ;; *) exec "$bwrap" "$@" ;; esac`, ...(none ? alone : edited)]
  const path = join(directory, 'bwrap')
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o755)
  return [directory, ...PLACES]
}
