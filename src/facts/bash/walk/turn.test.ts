// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { facts } from '../harness.ts'

/** Ways into a directory in every position: where the shell is afterwards hangs on how they ended, and on who looks. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/dir/c.txt': 'c', '/repo/dir/sub/d.txt': 'd', '/usr/bin/rm': '' } }

/** What is made after the command, by place; `~` where it is only possible, `?` for a place that is not known. */
const AFTER: readonly (readonly [command: string, places: string])[] = [
  // However the way in is spelled.
  ['time cd dir; touch z', '/repo/dir/z'],
  ['time -p cd dir; touch z', '/repo/dir/z'],
  ['! cd dir; touch z', '/repo/dir/z'],
  ['! ! cd dir; touch z', '/repo/dir/z'],
  ['command cd dir; touch z', '/repo/dir/z'],
  ['builtin cd dir; touch z', '/repo/dir/z'],
  ['eval cd dir; touch z', '/repo/dir/z'],
  ['{ cd dir; }; touch z', '/repo/dir/z'],
  ['go() { cd "$1"; }; go dir; touch z', '/repo/dir/z'],
  ['time cd gone; touch z', '/repo/z'],
  ['! cd gone; touch z', '/repo/z'],
  ['command cd gone; touch z', '/repo/z'],
  ['eval cd gone; touch z', '/repo/z'],
  ['go() { cd "$1"; }; go gone; touch z', '/repo/z'],
  ['. /dev/stdin <<< "cd gone"; touch z', '/repo/z'],
  // Behind chains.
  ['make || ! cd dir; touch z; time cd sub; touch y', '/repo/z ~/repo/dir/z /repo/sub/y ~/repo/dir/sub/y ~/repo/y'],
  ['make && ! cd dir; touch z', '/repo/z ~/repo/dir/z'],
  ['! cd dir && touch z', '/repo/z'],
  ['! cd dir || touch z', '~/repo/dir/z'],
  ['! cd gone && touch z', '/repo/z'],
  ['eval "cd gone" && touch z', '/repo/gone/z'],
  ['eval "cd gone" || touch z', '~/repo/z'],
  ['go() { cd "$1"; }; go gone || touch z', '~/repo/z'],
  ['go() { cd "$1"; }; go dir || exit; touch z', '/repo/dir/z'],
  ['go() { cd "$1" || return 1; }; go gone; touch z', '/repo/gone/z ~/repo/z'],
  ['make || time cd dir; touch z', '/repo/z ~/repo/dir/z'],
  ['make || eval cd dir; touch z', '/repo/z ~/repo/dir/z'],
  ['if time cd gone; then touch y; fi; touch z', '~/repo/gone/y /repo/z'],
  ['if ! cd gone; then touch y; fi; touch z', '~/repo/y /repo/z'],
  ['if cd dir; then touch y; else touch x; fi; touch z', '~/repo/dir/y ~/repo/x /repo/dir/z ~/repo/z'],
  ['if cd gone; then :; elif cd dir; then :; fi; touch z', '/repo/dir/z'],
  ['if cd gone; then :; elif cd dir && make; then :; fi; touch z', '/repo/dir/z'],
  ['if make; then :; elif make && cd dir; then :; fi; touch z', '/repo/z ~/repo/dir/z'],
  ['if make; then :; elif { cd dir; false; }; then :; else touch y; fi; touch z', '~/repo/dir/y /repo/z ~/repo/dir/z'],
  ['if cd dir; make && cd sub; then :; else touch y; fi', '~/repo/dir/sub/y ~/repo/dir/y'],
  ['if make && cd dir; then touch y; else touch x; fi', '~/repo/dir/y ~/repo/x'],
  ['while cd gone; do touch y; done; touch z', '~/repo/y /repo/z'],
  ['until cd dir; do touch y; done; touch z', '~/repo/dir/y ? ~/repo/dir/z'],
  ['cd gone | cat; touch z', '/repo/z'],
  ['cd dir & touch z', '/repo/z'],
  ['cd gone; (touch z)', '/repo/z'],
  ['(cd gone; touch z)', '/repo/z'],
  ['x=$(cd gone; touch z)', '/repo/z'],
  ['cd gone; touch z &', '/repo/z'],
  ['cd gone & cd dir; touch z', '/repo/dir/z'],
  ['f() { cd gone; true & }; f && touch z', '/repo/z'],
  ['cd gone\nf() { touch z; }; f', '/repo/z'],
  ['for i in 1 2; do cd gone; done; touch z', '/repo/z'],
  ['case x in x) cd gone ;; esac; touch z', '/repo/z'],
  ['shopt -s lastpipe; ls | cd gone; touch z', '/repo/z'],
  ['shopt -s lastpipe; ls | cd dir; touch z', '/repo/dir/z'],
  // What perhaps made, moved or took it.
  ['make || mv dir d2; cd dir; cd d2; touch z', '/repo/dir/d2/z ~/repo/d2/z ~/repo/dir/z ~/repo/z'],
  ['tar xf a.tar; cd gone; touch z', '/repo/gone/z ~/repo/z'],
  ['tar xf a.tar && cd gone && touch z', '/repo/gone/z'],
  ['mkdir new; rm -r new; cd new; touch z', '/repo/z'],
  ['mkdir new; mv new d2; cd new; touch z', '/repo/new/z ~/repo/z'],
  ['chmod +x a.txt; cd gone; touch z', '/repo/z'],
  ['cd "$X"; rm -rf build; cd /repo; touch z', '/repo/z'],
  // Moved while it is in there.
  ['cd dir; mv ../dir ../d2; touch z', '? ~/repo/dir/z'],
  ['cd dir/sub; mv ../../dir ../../d2; touch z', '? ~/repo/dir/sub/z'],
  ['cd dir; mv c.txt ..; touch z', '/repo/dir/z'],
  ['mv dir d2; touch d2/z', '/repo/d2/z'],
  ['(cd dir; mv ../dir ../d2); touch z', '/repo/z'],
  ['cd dir; (mv ../dir ../d2); touch z', '? ~/repo/dir/z'],
  ['ln -sfn dir l; cd l; ln -sfn dir/sub ../l; touch z', '? ~/repo/dir/sub/z'],
  ['ln -s dir l; ln -s l m; ln -sfn dir/sub l; touch m/z', '/repo/dir/z ~/repo/dir/sub/z'],
  ['make && cd dir; cd sub; cd -; touch z', '? ~/repo/dir/z ~/repo/z'],
  // What cannot be gone into, but by the machine's owner.
  ['chmod 600 dir; cd dir; touch z', '/repo/dir/z ~/repo/z'],
  ['chmod 755 dir; cd dir; touch z', '/repo/dir/z'],
  ['chmod -R u+rwX dir; cd dir; touch z', '/repo/dir/z'],
  // What the shell says of the place may be set.
  ['PWD=/repo/dir/sub; cd dir; cd "$OLDPWD"; touch z', '/repo/dir/sub/z'],
  ['PWD=/gone; cd dir; touch "$PWD/z"', '/repo/dir/z'],
  // More than one word, and words that search.
  ['cd dir sub; touch z', '/repo/dir/z ~/repo/z'],
  ['chdir dir; touch z', '/repo/dir/z ~/repo/z'],
  ['CDPATH=dir; cd sub; touch z', '/repo/dir/sub/z'],
  ['CDPATH=dir; make && mkdir dir/new; cd new; touch z', '/repo/dir/new/z ~/repo/new/z ~/repo/z'],
  ['CDPATH=dir; cd ./sub; touch z', '/repo/z'],
  ['CDPATH=$X; cd sub; touch z', '?'],
  // Errors that end the shell, and those that somebody looks at.
  ['set -e; cd gone; touch z', '/repo/gone/z'],
  ['set -e; set +e; cd gone; touch z', '/repo/z'],
  ['set -eu; set +o errexit; cd gone; touch z', '/repo/z'],
  ['(set -e); cd gone; touch z', '/repo/z'],
  ['bash -c "set -e"; cd gone; touch z', '/repo/z'],
  ['set -e; { cd gone; touch z; } || true', '/repo/z'],
  ['set -e; f() { cd gone; touch z; }; f && true', '/repo/z'],
  ['set -e; if { cd gone; touch z; }; then :; fi', '/repo/z'],
  ['set -e; ! { cd gone; touch z; }', '/repo/z'],
  ['set -e; f() { cd gone; touch z; }; f', '/repo/gone/z'],
  // The stack of directories.
  ['pushd dir; popd; touch z', '/repo/z'],
  ['time pushd gone; popd; touch z', '/repo/z'],
  ['pushd gone || pushd dir; touch z', '/repo/dir/z'],
  // Links that were perhaps not made.
  ['make || ln -s dir l; touch l/z', '/repo/dir/z'],
  ['make || ln -sfn dir a.txt; touch a.txt', '/repo/dir ~/repo/a.txt'],
  ['make && ln -sf b.txt a.txt; touch a.txt', '/repo/b.txt ~/repo/a.txt'],
  ['ln -sf b.txt a.txt; touch a.txt', '/repo/b.txt'],
  ['ln -s b.txt a.txt; touch a.txt', '/repo/b.txt ~/repo/a.txt'],
  ['rm a.txt; ln -s b.txt a.txt; touch a.txt', '/repo/b.txt'],
  ['ln -s x l; make && ln -sf y l; touch l', '/repo/y ~/repo/x ~/repo/l'],
  ['ln -s x l && touch l', '/repo/x'],
  ['if make; then ln -s dir l; fi; cd l; touch z', '/repo/dir/z ~/repo/z'],
  ['if make; then ln -s dir l; cd l; touch z; fi', '~/repo/dir/z'],
]

describe('where the shell is', () => {
  for (const [command, expected] of AFTER)
    test(command, () => {
      const told = facts(command, WORLD).effects.filter(({ action }) => action === 'fs:touch')
      const places = told.map(({ certainty, target }) => (target.real === null ? '?' : (certainty === 'possible' ? '~' : '') + target.real))
      expect([...new Set(places)].join(' ')).toBe(expected)
    })
})

describe('names with blanks', () => {
  const world = { files: { ...WORLD.files, '/repo/sp ace.txt': '' } }
  for (const [command, expected] of [
    ['for f in *.txt; do touch $f.s; done', null],
    ['for f in *.txt; do touch "$f.s"; done', '/repo/*.txt.s'],
    ['for f in d*; do touch $f.s; done', '/repo/d*.s'],
    ['set -- *.txt; touch $1', null],
    ['touch *.txt', '/repo/*.txt'],
  ] as const)
    test(`are cut where they are not quoted: ${command}`, () => {
      const told = facts(command, world).effects.filter(({ action }) => action === 'fs:touch')
      expect(told.map(({ target }) => target.real)).toEqual([expected])
    })

  test('`cdable_vars` is said', () => expect(facts('shopt -s cdable_vars; cd v', WORLD).coverage).toBe('partial'))
})

describe('a script that is perhaps not the one that is there', () => {
  for (const [command, known] of [
    ['ln -s a.txt s.sh; bash s.sh', true],
    ['make || ln -sf c.txt a.txt; bash a.txt', false],
    ['make || cp dir/c.txt a.txt; bash a.txt', false],
    ['make && ln -sfn sub dir/x; bash dir/x/d.txt', true],
    ['cp dir/c.txt a.txt; bash a.txt', true],
  ] as const)
    test(command, () => expect(facts(command, WORLD).coverage).toBe(known ? 'full' : 'partial'))
})

describe('PWD that the call set itself', () => {
  for (const [text, place] of [
    ['PWD=/etc; cd nowhere; rm -rf "$PWD"', '/etc'],
    ['PWD=/etc; cd "$1"; rm -rf "$PWD"', null],
    ['PWD=/etc; make && cd dir; rm -rf "$PWD"', null],
    ['PWD=/etc; cd dir; rm -rf "$PWD"', '/repo/dir'],
  ] as const)
    test(text, () => {
      const deleted = facts(text, WORLD).effects.filter(({ verb }) => verb === 'delete')
      expect(deleted.map(({ target }) => target.real)).toEqual([place])
    })
  test('without it, it is where the shell is', () => {
    const deleted = facts('cd dir; rm -rf "$PWD/z"', WORLD).effects.filter(({ verb }) => verb === 'delete')
    expect(deleted.map(({ target }) => target.real)).toEqual(['/repo/dir/z'])
  })
})
