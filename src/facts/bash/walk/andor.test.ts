// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { facts, lines } from '../harness.ts'

/** What a chain of `&&` and `||` leaves: what stands before may have failed, and then the rest did not happen. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/dir/c.txt': 'c', '/repo/dir/sub/d.txt': 'd', '/usr/bin/rm': '' } }

/** What is deleted after the command, by place; `?` for a place or a name that is not known. */
const AFTER: readonly (readonly [command: string, places: string])[] = [
  // Where the shell is.
  ['grep -q x a.txt && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['true && cd dir; rm z', '/repo/dir/z'],
  ['false && cd dir; rm z', '/repo/z'],
  ['true || cd dir; rm z', '/repo/z'],
  ['false || cd dir; rm z', '/repo/dir/z'],
  ['make && cd dir && make; rm z', '/repo/dir/z ~/repo/z'],
  ['cd dir && make; rm z', '/repo/dir/z'],
  ['cd dir && make && cd sub; rm z', '/repo/dir/sub/z ~/repo/dir/z'],
  ['cd dir && make && cd ..; rm z', '/repo/z ~/repo/dir/z'],
  ['make || cd dir; rm z', '/repo/z ~/repo/dir/z'],
  ['make && cd dir || cd dir/sub; rm z', '/repo/dir/z ~/repo/dir/sub/z'],
  ['cd dir || exit 1; rm z', '/repo/dir/z'],
  ['cd dir || { echo no; exit 1; }; rm z', '/repo/dir/z'],
  ['make && cd dir || exit 1; rm z', '/repo/dir/z'],
  ['make && exit; rm z', '/repo/z'],
  ['make || exit; cd dir; rm z', '/repo/dir/z'],
  ['cd gone && make; rm z', '/repo/z'],
  ['cd gone && make || cd dir; rm z', '/repo/dir/z'],
  ['cd gone || cd dir; rm z', '/repo/dir/z'],
  ['make && pushd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['pushd gone; rm z', '/repo/z'],
  ['pushd gone; popd; rm z', '/repo/z'],
  ['x=1 && cd dir; rm z', '/repo/dir/z'],
  ['x=$(make) && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['true && cd dir; rm z', '/repo/dir/z'],
  ['echo in && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['echo in > log && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['[ -f a ] && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  ['[[ -f a ]] && cd dir && make; rm z', '/repo/dir/z ~/repo/z'],
  ['if make && cd dir; then make; fi; rm z', '/repo/dir/z ~/repo/z'],
  ['if ! cd dir; then exit; fi; rm z', '/repo/dir/z'],
  ['if cd gone; then make; fi; rm z', '/repo/z'],
  ['if make; then cd dir; else exit; fi; rm z', '/repo/dir/z'],
  ['case $1 in a) cd dir ;; *) exit ;; esac; rm z', '/repo/z ~/repo/dir/z'],
  ['f() { make && cd dir; }; f; rm z', '/repo/dir/z ~/repo/z'],
  ['{ make && cd dir; }; rm z', '/repo/dir/z ~/repo/z'],
  ['(make && cd dir); rm z', '/repo/z'],
  ['make && cd dir & rm z', '/repo/z'],
  ['bash -c "make && cd dir; rm z"', '/repo/dir/z ~/repo/z'],
  ['make && cd dir\nrm z', '/repo/dir/z ~/repo/z'],
  ['. /dev/stdin <<< "cd dir"; rm z', '/repo/dir/z'],
  ['. /dev/stdin <<< "cd dir" && rm z', '/repo/dir/z'],
  ['. /dev/fd/0 <<< "cd dir; return; cd sub"; rm z', '/repo/dir/sub/z ~/repo/dir/z'],
  ['source /dev/stdin a <<< "x=\\$1"; rm "$x"', '/repo/a'],
  ['bash /dev/stdin <<< "cd dir"; rm z', '/repo/z'],
  ['grep x a.txt || echo "cd dir" > c.sh; . ./c.sh; rm z', '/repo/dir/z ~/repo/z'],
  ['grep x a.txt && echo "cd dir" > c.sh; . ./c.sh; rm z', '/repo/dir/z ~/repo/z'],
  ['echo "cd dir" > c.sh; . ./c.sh; rm z', '/repo/dir/z'],
  ['echo "cd dir" > c.sh && . ./c.sh; rm z', '/repo/dir/z ~/repo/z'],
  ['[ -f a ] && { ln -s dir d1; ln -s d1 d2; cd d2; rm z; }', '~/repo/dir/z'],
  ['ln -s dir l; rm -rf l/; cd dir; rm z', '/repo/dir /repo/dir/z ~/repo/z'],
  // Links that are perhaps not there.
  ['ln -s dir d1; cd d1; rm z', '/repo/dir/z'],
  ['ln -s dir d1; ln -s d1 d2; cd d2; rm z', '/repo/dir/z'],
  ['make || ln -s dir d1; cd d1; rm z', '/repo/dir/z ~/repo/z'],
  ['make || ln -s dir d1; cd -P d1; rm z', '/repo/dir/z ~/repo/z'],
  ['make && ln -s dir d1; cd d1; rm z', '/repo/dir/z ~/repo/z'],
  ['make || ln -s dir d1; ln -s d1 d2; cd d2; rm z', '/repo/dir/z ~/repo/z'],
  // Functions that call themselves.
  ['f() { "$@"; }; f f rm z', '/repo/z'],
  ["g() { echo 'g() { rm z; }; g' | bash; }; g", '/repo/z'],
  ['make && f() { rm x; f() { rm z; }; }; f; f', '~/repo/x ~/repo/z ~/repo/x'],
  ['ev() { eval "$1"; }; ev \'{ f() { "$@"; }; f f rm z; } | cat\'', '/repo/z'],
  ["trap 'rm z' EXIT; make && cd dir", '?'],
  ['set -e; make && cd dir; rm z', '/repo/dir/z ~/repo/z'],
  // Of `!` it ends nothing.
  ['set -e; make && ! cd dir; rm z', '/repo/z ~/repo/dir/z'],
  ['set -e; make || ! cd dir; rm z', '/repo/z ~/repo/dir/z'],
  ['set -e; ! cd dir; rm z', '/repo/dir/z'],
  // Each of the places moves on.
  ['make && cd dir; cd sub; rm z', '/repo/dir/sub/z ~/repo/sub/z ~/repo/z'],
  ['make && cd dir; cd /repo/dir; rm z', '/repo/dir/z'],
  ['make && cd dir; rm "$PWD/z"', '/repo/dir/z ~/repo/z'],
  ['make && cd dir; x=$PWD; rm "$x/z"', '?'],
  ['make && cd dir; (rm z)', '/repo/dir/z ~/repo/z'],
  ['make && cd dir; rm z | cat', '/repo/dir/z ~/repo/z'],
  ['make && cd dir; { rm z; } > log', '/repo/dir/z ~/repo/z'],
  ['make && cd dir; f() { rm z; }; f', '/repo/dir/z ~/repo/z'],
  ['make && cd dir; for i in 1; do rm z; done', '/repo/dir/z ~/repo/z'],
  ['make && cd "$D"; rm z', '? ~/repo/z'],
  // What variables and functions are.
  ['make && x=a; rm "$x"', '?'],
  ['true && x=a; rm "$x"', '/repo/a'],
  ['x=a && make; rm "$x"', '/repo/a'],
  ['x=a; make && x=b; rm "$x"', '?'],
  ['x=a; make && x=b || exit; rm "$x"', '/repo/b'],
  ['make && x=a && rm "$x"', '/repo/a'],
  ['make && f() { rm a; }; f', '~/repo/a'],
  ['make && rm() { command rm "$1.own"; }; rm z', '~/repo/z.own ~/repo/z'],
]

describe('after a chain', () => {
  for (const [command, expected] of AFTER)
    test(command, () => {
      const told = facts(command.replaceAll('\\n', '\n'), WORLD).effects.filter(({ verb }) => verb === 'delete')
      const places = told.map(({ certainty, target }) => (target.real === null ? '?' : (certainty === 'possible' ? '~' : '') + target.real))
      expect(places.join(' ')).toBe(expected)
    })
})

describe('inside of a chain', () => {
  for (const [command, expected] of [
    ["PS4='$(rm z)'; set -x; cd dir; ls", 'possible delete z'],
    ['make && cd dir && rm z', 'delete /repo/dir/z'],
    ['cd dir && make || rm z', 'possible delete /repo/dir/z'],
    ['cd dir && make || rm z', 'possible delete /repo/z'],
    ['cd gone || rm z', 'possible delete /repo/z'],
    ['false && make && rm z', 'possible delete /repo/z'],
    ['true || rm z', 'possible delete /repo/z'],
    ['exit && rm z', 'possible delete /repo/z'],
    ['[ -f a ] && make && rm z', 'possible delete /repo/z'],
    ['[ -f a ] || make && rm z', 'possible delete /repo/z'],
    ['make && rm z', 'delete /repo/z'],
    ['make && cd dir; echo x > z', 'possible write /repo/z'],
    ['make && cd dir; { echo x; } > z', 'possible write /repo/z'],
  ] as const)
    test(`${command}: ${expected}`, () => expect(lines(command, WORLD)).toContain(expected))

  test('what does not hang on the directory is told once', () => {
    const told = lines('make && cd dir; curl https://h.example/x; nosuch', WORLD)
    expect(told.filter((line) => line.includes('h.example'))).toHaveLength(1)
    expect(told.filter((line) => line.includes('nosuch'))).toHaveLength(1)
    expect(facts('make && cd dir; rm z', WORLD).commands.filter(({ program }) => program === 'rm')).toHaveLength(1)
  })
})

describe('what only some ways gave a variable', () => {
  for (const [command, expected] of [
    ["make && x='a[$(rm z)]'; (( x ))", 'delete /repo/z'],
    ["if make; then x='a[$(rm z)]'; fi; (( x ))", 'delete /repo/z'],
    ['make && x=\'$(rm z)\'; : "${x@P}"', 'delete /repo/z'],
    ["make && PATH=$PWD/bin:/usr/bin; printf '#!/bin/sh\\nrm z\\n' > bin/ls; ls a.txt", 'possible delete /repo/z'],
    ["make && PATH=$PWD/bin:/usr/bin; printf '#!/bin/sh\\nrm z\\n' > bin/ls; ls a.txt", 'possible read fs:list /repo/a.txt'],
  ] as const)
    test(`${command}: ${expected}`, () => expect(lines(command, WORLD)).toContain(expected))
})

describe('a directory that was taken away', () => {
  for (const [command, places] of [
    ['rm -r dir; cd dir; touch z', '/repo/z'],
    ['make && rm -r dir; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['make && mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['ls a.txt && mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['make x || mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['grep x a.txt || mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['grep x a.txt || mkdir -p x/y && cd x/y && touch 1; cd x; touch z', '~/repo/x/y/1 /repo/x/z ~/repo/x/y/z ~/repo/z'],
    ['[ -d new ] || mkdir new; cd new; touch z', '/repo/new/z'],
    ['[[ -d new ]] || mkdir -p new/x; cd new; touch z', '/repo/new/z'],
    ['ls new || mkdir new; cd new; touch z', '/repo/new/z'],
    ['ls a.txt || mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['[ -e a.txt ] || mkdir new; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['[[ ! -d new/ ]] || mkdir new; cd new; touch z', '/repo/new/z'],
    ['D=new; [ -d "$D" ] || mkdir -p "$D"; cd "$D"; touch z', '/repo/new/z'],
    ['[ -d new ] || { mkdir -p new/x; ls; }; cd new/x; touch z', '/repo/new/x/z'],
    ['cd new || mkdir new; cd new; touch z', '/repo/new/z'],
    ['mkdir new && cd new; touch z', '/repo/new/z ~/repo/z'],
    ['[ -f a ] && rm -r dir; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['xargs rm -r < a.txt; cd dir; touch z', '/repo/dir/z'],
    ['xargs rm -r < none.txt; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['rm -rf "$X"; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['rm -rf d*; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['rm -rf x*; cd dir; touch z', '/repo/dir/z'],
    ['rm -rf *; cd dir; touch z', '/repo/z'],
    ["find . -name '*.log' -delete; cd dir; touch z", '/repo/dir/z ~/repo/z'],
    ['find dir -delete; cd dir; touch z', '/repo/z'],
    ['mv dir other; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['rmdir dir; cd dir; touch z', '/repo/dir/z ~/repo/z'],
    ['rm -r dir; mkdir dir; cd dir; touch z', '/repo/dir/z'],
    ['[ -f a ] && rm -r dir; mkdir -p dir; cd dir; touch z', '/repo/dir/z'],
    ['rm dir/c.txt; cd dir; touch z', '/repo/dir/z'],
    ['rm -r dir/sub; cd dir; touch z', '/repo/dir/z'],
    ['rm -r dir; ln -s dir l; cd l; touch z', '/repo/z'],
    ['ln -s dir l; cd l; touch z', '/repo/dir/z'],
    ['make || ln -s dir l; cd l; touch z', '/repo/dir/z ~/repo/z'],
    ['rm -r dir; pushd dir; touch z', '/repo/z'],
    ['cd dir; rm -r sub; cd sub; touch z', '/repo/dir/z'],
    ['[ -f a ] && make; cd new; touch z', '/repo/new/z ~/repo/z'],
    ['ls a.txt && cd dir; cd sub; touch z', '/repo/dir/sub/z ~/repo/z'],
  ] as const)
    test(command, () => {
      const told = facts(command, WORLD).effects.filter(({ action }) => action === 'fs:touch')
      expect(told.map(({ certainty, target }) => (certainty === 'possible' ? '~' : '') + target.real).join(' ')).toBe(places)
    })
})

describe('a place to put files that may be a directory', () => {
  for (const [command, places] of [
    ['mv a.txt dir', '/repo/dir/a.txt'],
    ['rm -r dir; mv a.txt dir', '/repo/dir'],
    ['rm -r dir && mv a.txt dir', '/repo/dir'],
    ['[ -f a ] && rm -r dir; mv a.txt dir', '/repo/dir/a.txt /repo/dir'],
    ['mkdir new; mv a.txt new', '/repo/new /repo/new/a.txt'],
    ['mkdir -p new/sub; cp a.txt new', '/repo/new/sub /repo/new/a.txt'],
    ['[ -f a ] && mkdir new; cp a.txt new', '/repo/new /repo/new/a.txt /repo/new'],
    ['cp a.txt new', '/repo/new'],
    ['ln -s dir l; ln -sfn dir/sub l; touch l/x', '/repo/l /repo/l /repo/dir/sub/x'],
    ['ln -s dir l; cp a.txt l', '/repo/l /repo/dir/a.txt'],
    ["trap 'rm -r dir' USR1; kill -USR1 $$; mv a.txt dir", '/repo/dir/a.txt /repo/dir'],
    ['bash -c \'trap "rm -r dir" USR1; kill -USR1 0\'; mv a.txt dir', '/repo/dir/a.txt /repo/dir'],
    ["trap 'rm -r dir' ERR; make; trap - ERR; mv a.txt dir", '/repo/dir/a.txt /repo/dir'],
    ["trap 'rm -r dir' USR1; mv a.txt dir", '/repo/dir/a.txt'],
    ["trap 'rm -r dir' EXIT; kill 1; mv a.txt dir", '/repo/dir/a.txt'],
  ] as const)
    test(command, () => {
      const told = facts(command, WORLD).effects.filter(({ verb }) => verb === 'write')
      expect(told.map(({ target }) => target.real).join(' ')).toBe(places)
    })
})

describe('what only looks like an end goes on, and what only looks as if it went well may fail', () => {
  const take = "v='rm -rf ~'"
  for (const command of [
    `if true; then ${take}; break; fi`,
    `if true; then ${take}; return; fi`,
    `case a in a) ${take}; continue ;; esac`,
    `exit() { :; }; if true; then ${take}; exit; fi`,
    `if true; then exit() { :; }; ${take}; exit; unset -f exit; fi`,
    `shopt -s expand_aliases; alias exit=true\nif true; then ${take}; exit; fi`,
    `BASH_ALIASES[exit]=true; if true; then ${take}; exit; fi`,
    `enable -n exit; if true; then ${take}; exit; fi`,
    `shopt -s execfail; if true; then ${take}; exec nothere; fi`,
    `if true; then ${take}; exit 1 2; fi`,
    `x='1 2'; if true; then ${take}; exit $x; fi`,
    `if true; then ${take}; exit < nothere; fi`,
    `exec >&-; echo x || ${take}`,
    `shopt -s nothing || ${take}`,
    `alias nothing || ${take}`,
    `export 1=1 || ${take}`,
    `f() { :; }; readonly -f f; f() { :; } || ${take}`,
  ])
    test(command, () => {
      const found = facts(`v=ls; ${command}; $v`)
      const runs = found.effects.some(({ verb, target }) => verb === 'delete' && target.classes.includes('home-root'))
      const unknown = found.effects.some(({ verb, action }) => verb === 'opaque' || action === 'code:dynamic')
      expect(runs || unknown).toBe(true)
    })
})

describe('where nothing is known of a directory, the way on which it is not there may be taken', () => {
  const take = "v='rm -rf ~'"
  for (const command of [
    `v=ls; cd "$1" || ${take}; $v`,
    `v=ls; cd "$1" && v=ls || ${take}; $v`,
    `${take}; cd "$1" && v=ls; $v`,
    `${take}; if cd "$1"; then v=ls; fi; $v`,
    `cd "$1"; v=ls; cd "$2" || ${take}; $v`,
    `v=ls; cd /srv/elsewhere || ${take}; $v`,
    `v=ls; cd nowhere/deeper || ${take}; $v`,
    `v=ls; pushd "$1" || ${take}; $v`,
  ])
    test(command, () => {
      const told = facts(command, {}).effects
      const runs = told.some(({ verb, target }) => verb === 'delete' && target.classes.includes('home-root'))
      expect(runs || told.some(({ verb, action }) => verb === 'opaque' || action === 'code:dynamic')).toBe(true)
    })
  test('it is in no other directory for it', () => {
    const told = facts('cd /srv/elsewhere && make; rm z', {}).effects.filter(({ verb }) => verb === 'delete')
    expect(told.map(({ target }) => target.real)).toEqual(['/srv/elsewhere/z'])
  })
})

describe('a script that was perhaps written over', () => {
  for (const [command, known] of [
    ['echo rm z > s.sh; bash s.sh', true],
    ['ls && echo rm z > s.sh; bash s.sh', true],
    ['ls && echo rm z > s.sh && bash s.sh', true],
    ['ls && echo rm z > a.txt; bash a.txt', false],
    ['ls && echo rm z > a.txt && bash a.txt', true],
    ['ls || echo rm z > a.txt; bash a.txt', false],
    ['if ls; then echo rm z > a.txt; fi; bash a.txt', false],
    ['if ls; then echo rm z > s.sh; else echo rm y > s.sh; fi; bash s.sh', false],
    ['echo ls > s.sh; ls && echo rm z > s.sh; bash s.sh', false],
    ['true && echo rm z > a.txt; bash a.txt', true],
  ] as const)
    test(command, () => expect(facts(command, WORLD).coverage).toBe(known ? 'full' : 'partial'))
})

describe('chains that are long', () => {
  const many = (part: string): string => Array.from({ length: 2_000 }, () => part).join('')
  for (const [name, text] of [
    ['ways in', `x${many(' && cd a')}; rm z`],
    ['ways in and other ways', `x${many(' && cd a || cd b')}; rm z`],
    ['variables', `x${many(' && a=1 && y')}; rm z`],
    ['chains', many('x && cd a; ')],
    ['chains with functions', `f() { x && cd a; }; ${many('f; ')}`],
    ['chains in functions in functions', `f() { x && cd a; y; }; g() { f; f; f; }; h() { g; g; g; }; ${many('h; ')}`],
  ] as const)
    test(name, () => {
      const { effects, work } = facts(text, WORLD)
      expect(effects.length).toBeLessThan(2_100)
      expect(work).toBeGreaterThan(0)
    })
})
