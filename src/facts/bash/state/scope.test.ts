import { describe, expect, test } from 'vitest'
import { facts } from '../harness.ts'

/** What a shell holds when a command runs: values that were put aside, left early or never handed on must not be believed. */

/** The real paths that are deleted; null for one that is not known. */
function deleted(text: string): readonly (string | null)[] {
  return facts(text)
    .effects.filter((item) => item.verb === 'delete')
    .map((item) => item.target.real)
}

const CASES: readonly (readonly [string, readonly (readonly [string, readonly (string | null)[]])[]])[] = [
  [
    'variables of a function are gone after it',
    [
      ['f() { local x=/tmp/a; }; x=/etc; f; rm -rf "$x"', ['/etc']],
      ['f() { declare x=/tmp/a; }; x=/etc; f; rm -rf "$x"', ['/etc']],
      ['f() { declare -g x=/tmp/a; }; x=/etc; f; rm -rf "$x"', ['/tmp/a']],
      ['f() { typeset x=/tmp/a; rm -rf "$x"; }; x=/etc; f', ['/tmp/a']],
      ['f() { if true; then local x=/tmp/a; fi; }; x=/etc; f; rm -rf "$x"', ['/etc']],
      ['f() { local x; x=/tmp/a; }; f; x=/etc; rm -rf "$x"', ['/etc']],
      ['f() { local x; rm -rf "$x/etc"; }; x=/tmp/a; f', ['/etc']],
      ['g() { x=/etc; }; f() { local x=/tmp/a; g; }; x=/tmp/b; f; rm -rf "$x"', ['/tmp/b']],
      ['g() { rm -rf "$x"; }; f() { local x=/etc; g; }; x=/tmp/b; f', ['/etc']],
    ],
  ],
  [
    'what returns early leaves its values behind',
    [
      ['f() { x=/etc; return; x=/tmp/a; }; f; rm -rf "$x"', [null]],
      ['f() { x=/etc; [ -f q ] && return 1; x=/tmp/a; }; f; rm -rf "$x"', [null]],
      ['f() { x=/etc; if a; then return; fi; x=/tmp/a; }; f; rm -rf "$x"', [null]],
      ['f() { cd /etc; return; cd /tmp; }; f; rm -rf x', ['/tmp/x', '/etc/x']],
      ['f() { x=/etc; return; }; f; rm -rf "$x"', ['/etc']],
      ['f() { for i in 1; do x=/etc; return; done; x=/tmp/a; }; f; rm -rf "$x"', [null]],
      ['f() { return; }; x=/tmp/a; f; rm -rf "$x"', ['/tmp/a']],
    ],
  ],
  [
    'what another name of a variable is given, the variable has',
    [
      ['x=/tmp/a; declare -n r=x; r=/etc; rm -rf "$x"', ['/etc']],
      ['declare -n r=x; x=/tmp/a; r=/etc; rm -rf "$x"', ['/etc']],
      ['x=/tmp/a; declare -n r=x q=r; q=/etc; rm -rf "$x"', ['/etc']],
      ['x=/tmp/a; typeset -n r=x; read r; rm -rf "$x"', [null]],
      ['f() { local -n r=$1; r=/etc; }; r=/tmp/r; x=/tmp/a; f x; rm -rf "$x" "$r"', ['/etc', '/tmp/r']],
      ['x=/tmp/a; declare -n r=$1; r=/etc; rm -rf "$x"', [null]],
      ['x=/tmp/a; declare -n r=q q=r; r=/etc; rm -rf "$x"', [null]],
      ['x=/tmp/a; declare -n r=x; r=/etc; rm -rf "$r"', [null]],
      ['x=/tmp/a; declare -n r=x; rm -rf "$x"', ['/tmp/a']],
    ],
  ],
  [
    'an alias may be set as an element',
    [
      ["BASH_ALIASES[r]='rm -rf /etc'; r", ['/etc']],
      ["BASH_ALIASES['r']='rm -rf /etc'; r", ['/etc']],
    ],
  ],
  [
    'what leaves a loop early does, too',
    [
      ['x=/etc; for i in 1 2; do break; x=/tmp/a; done; rm -rf "$x"', [null]],
      ['x=/etc; for i in 1 2; do [ $i = 1 ] && continue; x=/tmp/a; done; rm -rf "$x"', [null]],
      ['x=/etc; for i in 1 2; do for j in 1 2; do break 2; done; x=/tmp/a; done; rm -rf "$x"', [null]],
      ['for i in 1 2; do x=/tmp/$i; done; rm -rf "$x"', ['/tmp/2']],
      ['for i in a b; do [ -f $i ] || continue; rm -rf "$i"; done', ['/repo/a', '/repo/b']],
    ],
  ],
  [
    'the next round of a loop starts where the one before ended',
    [
      ['x=/tmp/a; while read -r l; do rm -rf "$x"; read -r x; done', ['/tmp/a', null]],
      ['while true; do rm -rf x; cd ..; done', ['/repo/x', null, '/repo/x', '/x']],
      ['while true; do (cd ..; rm -rf x); done', ['/x']],
      ['for f in *; do rm -rf x; cd ..; done', ['/repo/x', null, '/repo/x', '/x']],
    ],
  ],
  [
    'variables before a command hold for what it runs',
    [
      ["x=/tmp/a; x=/etc eval 'rm -rf $x'", ['/etc']],
      ['x=/tmp/a; f() { rm -rf $x; }; x=/etc f', ['/etc']],
      ['x=/tmp/a; f() { :; }; x=/etc f; rm -rf $x', ['/tmp/a']],
      ['x=/tmp/a; x=/etc rm -rf $x', ['/tmp/a']],
      ["x=/etc bash -c 'rm -rf $x'", ['/etc']],
      ['x=/etc true; rm -rf "$x"', [null]],
    ],
  ],
  [
    'a shell that is started has what is exported',
    [
      ["export x=/etc; bash -c 'rm -rf $x'", ['/etc']],
      ["x=/etc; export x; bash -c 'rm -rf $x'", ['/etc']],
      ["declare -x x=/etc; bash -c 'rm -rf $x'", ['/etc']],
      ["export x; x=/etc; bash -c 'rm -rf $x'", [null]],
      ["set -a; x=/etc; bash -c 'rm -rf $x'", ['/etc']],
      ["x=/tmp/safe; bash -c 'rm -rf $x/'", [null]],
      ["x=/tmp/safe; ssh host 'rm -rf $x'", [null]],
      ["export x=/tmp/safe; ssh host 'rm -rf $x'", [null]],
      ['x=/etc; (rm -rf $x)', ['/etc']],
      ['x=/etc; bash -c "rm -rf $x"', ['/etc']],
      ["rm() { :; }; bash -c 'rm -rf /etc'", ['/etc']],
      ["rm() { :; }; export -f rm; bash -c 'rm -rf /etc'", []],
      ["rm() { :; }; echo 'rm -rf /etc' | bash", ['/etc']],
    ],
  ],
  [
    'the home is what HOME says',
    [
      ['HOME=/etc; rm -rf ~/x', ['/etc/x']],
      ['HOME=$Y; rm -rf ~/x', [null]],
      ['rm -rf ~/x', ['/home/me/x']],
    ],
  ],
  [
    'options are read into variables that are not known',
    [
      ['OPTARG=/tmp/x; getopts b: o; rm -rf "$OPTARG"', [null]],
      ['o=/tmp/x; getopts b: o; rm -rf "$o"', [null]],
    ],
  ],
  [
    'the last command of a pipeline may run in the shell itself',
    [
      ['shopt -s lastpipe; x=/tmp/a; echo /etc | read x; rm -rf "$x"', ['/etc']],
      ['x=/tmp/a; echo /etc | read x; rm -rf "$x"', ['/tmp/a']],
    ],
  ],
  [
    'the stack of directories',
    [
      ['pushd /etc; pushd /tmp; popd; rm -rf x', ['/etc/x']],
      ['pushd /etc; pushd /tmp; popd; popd; rm -rf x', ['/repo/x']],
      ['pushd /etc; pushd /tmp; pushd; rm -rf x', ['/etc/x']],
      ['pushd /etc; pushd /tmp; pushd +2; rm -rf x', ['/repo/x']],
      ['pushd /etc; pushd /tmp; pushd -0; rm -rf x', ['/repo/x']],
      ['pushd /etc; pushd -n /tmp; rm -rf x; popd; rm -rf x', ['/etc/x', '/tmp/x']],
      ['pushd /etc; pushd /tmp; popd +1; popd; rm -rf x', ['/repo/x']],
      ['pushd /etc; popd -n; rm -rf x; popd; rm -rf x', ['/etc/x', '/etc/x']],
      ['popd; rm -rf x', ['/repo/x']],
      ['pushd $X; rm -rf x; popd; rm -rf x', [null, '/repo/x']],
      ['pushd /etc; rm -rf ~1/x ~0/x ~+1/x ~-0/x', ['/repo/x', '/etc/x', '/repo/x', '/repo/x']],
      ['if a; then pushd /etc; fi; popd; rm -rf x', [null]],
      ['(pushd /etc); rm -rf x', ['/repo/x']],
    ],
  ],
  [
    'where cd leads',
    [
      ['cd /etc; cd /tmp; rm -rf ~-/x', ['/etc/x']],
      ['cd $X; cd -; rm -rf x', ['/repo/x']],
      ['cd $X; cd $Y; cd -; rm -rf x', [null]],
      ['CDPATH=$Y; cd ssh; rm -rf x', [null]],
      ['CDPATH=$Y; cd ./ssh; rm -rf x', ['/repo/ssh/x']],
      ['CDPATH=$Y; cd /ssh; rm -rf x', ['/ssh/x']],
      ['CDPATH=; cd ssh; rm -rf x', ['/repo/ssh/x']],
      ['cd -P a/..; rm -rf x', [null]],
      ['cd -P /etc; rm -rf x', ['/etc/x']],
      ['HOME=/etc; cd; rm -rf x', ['/etc/x']],
      ['cd ""; rm -rf x', ['/repo/x']],
    ],
  ],
  [
    'traps run at the end, with what there is by then',
    [
      ["x=/tmp/a; trap 'rm -rf $x' EXIT", ['/tmp/a']],
      ["x=/tmp/a; trap 'rm -rf $x' EXIT; x=/etc", [null]],
      ["trap 'rm -rf $x' EXIT; x=/etc", ['/etc']],
      ["trap 'rm -rf $x' EXIT; x=/etc; false; x=/tmp/a", [null]],
      ['trap clean EXIT; clean() { rm -rf /etc; }', ['/etc']],
      ["trap 'rm -rf x' EXIT; cd /etc", [null]],
      ["if a; then trap 'rm -rf $x' EXIT; fi; x=/etc", [null]],
      ["(trap 'rm -rf /etc' EXIT)", ['/etc']],
      ['bash -c \'trap "rm -rf /etc" EXIT\'', ['/etc']],
      ["trap 'rm -rf $x' DEBUG; x=/etc", ['/etc']],
      ["trap 'rm -rf $x' ERR; x=/etc", ['/etc']],
      ["trap -- 'rm -rf /etc' 0", ['/etc']],
      ['trap - EXIT; rm -rf x', ['/repo/x']],
      ['trap \'trap "rm -rf /etc" EXIT\' INT', ['/etc']],
    ],
  ],
  [
    'text under descriptors runs where a shell reads it',
    [
      ["exec 3<<<'rm -rf /etc'; bash <&3", ['/etc']],
      ["exec 3<<<'rm -rf /etc'; exec 4<&3; bash <&4", ['/etc']],
      ["exec 3<<<'rm -rf /etc'; cat <&3 | bash", ['/etc']],
      ["exec 3<<<'rm -rf /etc'; . /dev/fd/3", ['/etc']],
      ["exec 3<<<'rm -rf /etc'; bash /proc/self/fd/3", ['/etc']],
      ["bash /dev/fd/3 3<<<'rm -rf /etc'", ['/etc']],
      ['bash /dev/fd/3 3<<E\nrm -rf /etc\nE', ['/etc']],
      [". /dev/fd/0 <<<'rm -rf /etc'", ['/etc']],
      ["exec 3<<<'rm -rf /etc'; exec 3<<<'rm -rf /tmp/a'; bash <&3", ['/tmp/a']],
    ],
  ],
  [
    'links that the call makes are followed',
    [
      ['ln -s /etc link; rm -rf link/x', ['/etc/x']],
      ['ln -s /etc link; cd link; rm -rf x', ['/etc/x']],
      ['ln -s /etc link; cd -P link; cd ..; rm -rf x', ['/x']],
      ['ln -s ../up dir/link; rm -rf dir/link/x', ['/repo/up/x']],
      ['ln -s /etc a; ln -s a/b b; rm -rf b/x', ['/etc/b/x']],
      ['ln -s "$X" link; rm -rf link/x', [null]],
      ['ln -s /etc link; rm link', ['/repo/link']],
      ['ln -s a b; ln -s b a; rm -rf a/x', ['/repo/a/x']],
    ],
  ],
  [
    'what a shell is given besides its input',
    [
      [`eval 'bash -c "rm -rf \\$1" _ /etc'`, ['/etc']],
      ['bash -s /etc <<< \'rm -rf "$1"\'', ['/etc']],
      ['echo \'rm -rf "$1"\' | sh -s -- /etc', ['/etc']],
      ['set -- /etc /tmp/a; while [ $# -gt 0 ]; do rm -rf "$1"; shift; done', ['/etc', null]],
    ],
  ],
  [
    'lists of words for completions are expanded',
    [
      ["complete -W '$(rm -rf /etc)' git", ['/etc']],
      ["compgen -W '$(rm -rf /etc)'", ['/etc']],
      ["compgen -C 'rm -rf /etc #' x", ['/etc']],
      ['f() { rm -rf /etc; }; compgen -F f', ['/etc']],
      ["compgen -W 'a b c' -- a", []],
    ],
  ],
]

for (const [title, cases] of CASES)
  describe(title, () => {
    for (const [text, expected] of cases) test(text, () => expect(deleted(text)).toEqual(expected))
  })

describe('a file that something wrote is not what it was', () => {
  for (const [text, partial] of [
    ["python3 -c \"open('script.sh', 'w').write(x)\"; bash script.sh", true],
    ['exec 3> script.sh; echo hi >&3; bash script.sh', true],
    ['ls 2> script.sh; bash script.sh', true],
    ['exec > script.sh; echo hi; bash script.sh', true],
    ['mv a.sh script.sh; bash script.sh', true],
    ['exec > >(sh); echo hi', true],
    ['hash -p /tmp/x git; git status', true],
    ["cat > script.sh <<< 'ls'; bash script.sh", false],
  ] as const)
    test(text, () => expect(facts(text).coverage === 'partial').toBe(partial))
})

test('a program that `hash` puts in the place of another is told', () => {
  expect(facts('hash -p /tmp/x git; git status').effects.map((item) => `${item.verb} ${item.target.real}`)).toContain('execute /tmp/x')
})

describe('what is done to a link that the call makes is done to where it leads', () => {
  for (const [text, expected] of [
    ['ln -s ~/.bashrc x; echo hi >> x', 'write /home/me/.bashrc'],
    ['ln -s ~/.ssh/id_rsa x; cat x', 'read /home/me/.ssh/id_rsa'],
    ['ln -s ~/.bashrc x; cp a x', 'write /home/me/.bashrc'],
    ['ed -s a <<< "w /etc/passwd"', 'write /etc/passwd'],
    ['hash -p /bin/rm xx; xx -rf /etc', 'delete /etc'],
  ] as const)
    test(text, () => expect(facts(text).effects.map((item) => `${item.verb} ${item.target.real}`)).toContain(expected))
})
