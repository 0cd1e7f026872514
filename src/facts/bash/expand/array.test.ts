// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { facts } from '../harness.ts'

/** Arrays and parameters of which something may be several words, or none: a place that is not known must not be taken for an empty one. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/b.txt': 'b', '/usr/bin/rm': '' } }

/** What is deleted, by path; `?` for a name that is not known. */
const CASES: readonly (readonly [command: string, names: string])[] = [
  // Slices.
  ['a=(one two three); rm "${a[@]:1}"', 'two three'],
  ['a=(one two three); rm "${a[@]:1:1}"', 'two'],
  ['a=(one two three); rm ${a[*]:1}', 'two three'],
  ['a=(one two three); rm "${a[@]: -1}"', 'three'],
  ['a=(one two three); rm "${a[@]: -2:1}"', 'two'],
  ['set -- a b c; rm ${*:2}', 'b c'],
  ['set -- a b c; rm "${@:2}"', 'b c'],
  ['set -- a b c; rm "${@: -1}"', 'c'],
  ['set -- a b c; rm "${@:2:1}"', 'b'],
  ['make && a=(one two); rm "${a[@]:1}"', '?'],
  ['make && a=(one two); a+=(three); rm "${a[@]:1}"', '?'],
  ['make && a=(one two); a+=(three); rm "${a[0]}"', '?'],
  ['a=($(ls)); rm "${a[@]:1:2}"', '?'],
  ['a=($(ls) x y); rm "${a[@]:1:1}"', '?'],
  ['a=(x $(ls) y); rm "${a[@]:0:1}"', 'x'],
  ['a=(x $(ls) y); rm "${a[@]: -1}"', 'y'],
  ['a=("$(ls)" x y); rm "${a[@]:1:1}"', 'x'],
  ['mapfile -t a < f; rm "${a[@]:1}"', '?'],
  ['read -ra a; rm "${a[@]:1}"', '?'],
  // One element.
  ['a=(*.txt); rm "${a[1]}"', '*.txt'],
  ['a=(*.txt); rm "${a[0]}"', '*.txt'],
  ['a=(*.txt x); rm "${a[1]}"', '?'],
  ['a=(x *.txt); rm "${a[0]}"', 'x'],
  ['a=($(ls) x y); rm "${a[1]}"', '?'],
  ['a=($(ls) x y); rm "${a[-1]}"', 'y'],
  ['a=("$(ls)" x y); rm "${a[1]}"', 'x'],
  ['a=($x y); rm "${a[1]}"', '?'],
  ['a=x; a+=(y); rm "${a[1]}"', 'y'],
  ['a=x; a+=(y); rm "${a[@]}"', 'x y'],
  ['unset a; a+=(y); rm "${a[0]}"', 'y'],
  // Elements with indexes.
  ['a=([3]=x [1]=y); rm "${a[@]}"', 'y x'],
  ['a=([3]=x [1]=y); rm "${a[1]}"', '?'],
  ['declare -A m=([k]=v [l]="w w"); rm "${m[@]}"', 'v w w'],
  ['declare -A m=([k]=v [l]=w); rm "${m[l]}"', '?'],
  ['declare -A m=([k]=v); m+=([l]=w); rm "${m[0]}"', '?'],
  ['a=(x y z); unset "a[1]"; rm "${a[@]}"', 'x z'],
  ['a=(x y z); unset "a[1]"; rm "${a[1]}"', '?'],
  ['a=(x y z); unset "a[1]"; rm "f${#a[@]}"', '?'],
  ['a=(x y z); unset "a[1]"; a+=(d); rm "${a[@]: -1}"', '?'],
  ['a=([1]=x [1]=y); rm "f${#a[@]}"', '?'],
  ['a=([1]=x [1]=y); rm "${a[@]:1}"', '?'],
  // Separators that are perhaps others.
  ['make && IFS=:; x=a:b; rm $x', '?'],
  ['make && IFS=:; x=a:b; rm "$x"', 'a:b'],
  ['make && IFS=:; x=ab; rm $x', 'ab'],
  ['make && IFS=; x="a b"; rm $x', '?'],
  ['make && IFS=:; rm $(echo a:b)', '?'],
  ['IFS=:; x=a:b; rm $x', 'a b'],
  // Parameters.
  ['set -- *.txt; rm "$2"', '*.txt'],
  ['set -- $(ls); rm "$2"', '?'],
  ['set -- $(ls) x; rm "$2"', '?'],
  ['set -- "$(ls)" x; rm "$2"', 'x'],
  ['set -- x $(ls); rm "$1"', 'x'],
  ['set -- $(ls) x; shift; rm "$1"', '?'],
  ['set -- $(ls) x; shift; rm "$@"', '? x'],
  ['set -- "$(ls)" x; shift; rm "$@"', 'x'],
  ['f() { rm "$2"; }; f $(ls) x', '?'],
  ['f() { shift; rm "$1"; }; f *.txt', '*.txt'],
  ['f() { shift; rm "$1"; }; f a b', 'b'],
  ['set -- $(ls) x; rm "f$#"', '?'],
  ['set -- a b; rm "f$#"', 'f2'],
  ['a=($(ls) x); rm "f${#a[@]}"', '?'],
  ['a=(x y); rm "f${#a[@]}"', 'f2'],
]

describe('elements and parameters', () => {
  for (const [command, names] of CASES)
    test(command, () => {
      const told = facts(command, WORLD).effects.filter(({ verb }) => verb === 'delete')
      expect(told.map(({ target }) => (target.real === null && target.scope === 'unknown' ? '?' : target.value)).join(' ')).toBe(names)
    })
})
