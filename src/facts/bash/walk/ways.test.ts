// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts } from '../harness.ts'

/**
 * What a shell may have made of a name by the time it is used: no way to a value, a function or a parameter is lost, and where one is
 * not known that is said. Each text runs `rm -rf ~` in bash, or may.
 */

/** Whether the deletion is seen, or that something is not known. */
function isTold(text: string): boolean {
  const { effects, commands } = facts(text)
  return (
    effects.some(
      ({ verb, target, action }) => (verb === 'delete' && target.real === '/home/me') || verb === 'opaque' || action === 'code:dynamic',
    ) || commands.some(({ program }) => program === null)
  )
}

const TOLD: readonly (readonly [what: string, texts: readonly string[]])[] = [
  [
    'a condition that may have failed in the middle',
    [
      "v='rm -rf ~'; if ls x && v=ls; then :; fi; $v",
      "v='rm -rf ~'; if grep -q x y && v=ls; then $v; else $v; fi",
      "v='rm -rf ~'; if ls x && v=ls; then :; elif true; then $v; fi",
      "v='rm -rf ~'; if true; ls x && v=ls; then :; fi; $v",
      'f() { "$@"; }; if ls x && f() { ls; }; then :; fi; f rm -rf ~',
    ],
  ],
  [
    'a case that falls through',
    [
      "v=ls; case x in x) v='rm -rf ~';& *) $v;; esac",
      "v=ls; case x in x) v='rm -rf ~';;& *) $v;; esac",
      "v=ls; case x in x) v='rm -rf ~';& y) :;& z) $v;; esac",
      "v=ls; case x in x) v='rm -rf ~';;& y) v=ls;; *) $v;; esac",
    ],
  ],
  [
    'what an earlier round left',
    [
      'f() { ls; }; while :; do f rm -rf ~; f() { "$@"; }; done',
      'f() { ls; }; for ((;;)); do f rm -rf ~; f() { "$@"; }; done',
      'f() { f() { f() { "$@"; }; }; }; while :; do f rm -rf ~; done',
      'a=ls; b=ls; while :; do $a; printf -v a %s "$b"; printf -v b %s \'rm -rf ~\'; done',
      "a=ls b=ls c=ls; g() { a=$b; b=$c; c='rm -rf ~'; }; while :; do $a; g; done",
      "a=ls b=ls c=ls d=ls e=ls g=ls; n() { a=$b; b=$c; c=$d; d=$e; e=$g; g='rm -rf ~'; }; while :; do $a; n; done",
      "while :; do ${w:-ls}; printf -v w 'rm -rf ~'; done",
      "set -- ls ls ls 'rm -rf ~'; until false; do $1; shift; done",
    ],
  ],
  [
    'a loop that has no round',
    [
      "v='rm -rf ~'; for i in $NOSUCH; do v=ls; done; $v",
      "v='rm -rf ~'; for i in $(cat list); do v=ls; done; $v",
      'v=\'rm -rf ~\'; for i in "$@"; do v=ls; done; $v',
      "v='rm -rf ~'; for i; do v=ls; done; $v",
      "v='rm -rf ~'; select i in $x; do v=ls; break; done; $v",
      "v='rm -rf ~'; for ((i=0;i<0;i++)); do v=ls; done; $v",
      "shopt -s nullglob; v='rm -rf ~'; for i in *.nosuch; do v=ls; done; $v",
      'for i in $NOSUCH; do rm() { :; }; done; rm -rf ~',
    ],
  ],
  [
    'what only some ways say of a variable',
    [
      "if x; then declare -n r=v; fi; v=ls; r='rm -rf ~'; $v",
      "v=ls; if x; then declare -n r=v; else declare -n r=w; fi; r='rm -rf ~'; $v",
      "if x; then declare -l v; fi; v='RM -RF ~'; $v",
      "if x; then declare -i n; fi; n='a[$(rm -rf ~)]'",
      "if x; then readonly v='rm -rf ~'; fi; v=ls; $v",
      "v='rm -rf ~'; if x; then set -a; fi; bash -c '$v'",
    ],
  ],
  [
    'more ways to a function than are followed',
    [
      'if a; then f() { ls; }; elif b; then f() { pwd; }; elif c; then f() { date; }; elif d; then f() { id; }; else f() { "$@"; }; fi; f rm -rf ~',
    ],
  ],
  [
    'what is read only',
    [
      "readonly v='rm -rf ~'\nv=ls\n$v",
      "readonly v='rm -rf ~'; unset v; $v",
      "readonly v='rm -rf ~'; read v <<< ls; $v",
      "readonly v='rm -rf ~'; printf -v v ls; $v",
      "readonly v='rm -rf ~'; f() { local v=ls; $v; }; f",
      "readonly v='rm -rf ~'; declare v=ls; $v",
      "readonly v='rm -rf ~'; export v=ls; $v",
      "readonly v='rm -rf ~'; for v in ls; do :; done; $v",
      "v='rm -rf ~'; readonly v; unset v; ${v:-ls}",
      "declare -r v='rm -rf ~'; unset v; $v",
      'f() { rm -rf ~; }; readonly -f f; f() { ls; }; f',
      'f() { "$@"; }; readonly -f f; f() { ls; }; f rm -rf ~',
      'f() { "$@"; }; declare -fr f; unset -f f; f rm -rf ~',
    ],
  ],
  [
    'a local variable that is taken away from inside',
    ["v='rm -rf ~'; f() { local v=ls; g; $v; }; g() { unset v; }; f", "v='rm -rf ~'; f() { local v=ls; g; }; g() { unset v; $v; }; f"],
  ],
  [
    'a name that is not known',
    [
      'v=ls; export "$1=rm -rf ~"; $v',
      'v=ls; printf -v "$1" \'rm -rf ~\'; $v',
      'v=ls; read "$1" <<< \'rm -rf ~\'; $v',
      'v=ls; mapfile -t "$1" <<< \'rm -rf ~\'; $v',
      'v=ls; getopts x: "$1" -x; $v',
      'v=ls; read "${p}v" <<< \'rm -rf ~\'; $v',
      'v=ls; unset "$1"; ${v:-rm -rf ~}',
      'printf -v "$1" \'rm -rf ~\'; ${v:-ls}',
      'v=ls; n=v; : ${!n:=rm -rf ~}; $v',
      'v=; n=v; : ${!n:=rm -rf ~}; $v',
      'v=ls; : ${!1:=rm -rf ~}; $v',
    ],
  ],
  [
    'a name for another variable',
    ["v=ls; declare -n r; r=v; r='rm -rf ~'; $v", "v=ls; declare -n r=w; for r in v; do r='rm -rf ~'; done; $v"],
  ],
  [
    'elements of arrays',
    [
      "a=(ls); printf -v 'a[0]' 'rm -rf ~'; ${a[0]}",
      "a=(ls); read 'a[0]' <<< 'rm -rf ~'; ${a[0]}",
      "a=(ls); declare 'a[0]=rm -rf ~'; ${a[0]}",
      'a=(ls rm -rf ~); unset \'a[0]\'; "${a[@]}"',
      'a=([1]=ls [0]=rm [2]=-rf [3]=~); "${a[@]}"',
      'declare -A m=([b]=ls [a]=rm [c]=-rf [d]=~); "${m[@]}"',
      'read -ra a <<< \'rm -rf /home/me\'; "${a[@]}"',
      'a=ls; read -a a <<< \'rm -rf /home/me\'; "${a[@]}"',
      'IFS=, read -a a <<< \'rm,-rf,/home/me\'; "${a[@]}"',
    ],
  ],
  [
    'a line that is not the first one, or not all of it',
    [
      "{ read x; read v; } <<< $'ls\\nrm -rf /home/me'; $v",
      "IFS=x read v <<< 'rm -rf /home/mex'; $v",
      "read -d x v <<< 'rm -rf /home/mex'; $v",
      "read -n 16 v <<< 'rm -rf /home/mexx'; $v",
      "read v <<< 'r\\m -rf /home/me'; $v",
      "read -u 3 v 3<<< 'rm -rf /home/me' <<< ls; $v",
    ],
  ],
  [
    'parameters that are set',
    ['set -- ls; set -o errexit rm -rf ~; "$@"', 'set -eo pipefail rm -rf ~; "$@"', 'set -- ls; set - rm -rf ~; "$@"'],
  ],
  [
    'what a trap finds',
    [
      'f() { "$@"; }; trap \'f rm -rf ~\' ERR; false; f() { ls; }',
      'trap \'f rm -rf ~\' ERR; f() { "$@"; }; false; f() { ls; }',
      'f() { ls; }; trap \'f rm -rf ~\' EXIT; f() { "$@"; }; exit; f() { ls; }',
      "trap -- '- ; rm -rf ~' EXIT",
      'trap \'"$@"\' ERR; set -- rm -rf ~; false; set -- ls',
      'trap \'"$@"\' EXIT; set -- rm -rf ~; exit; set -- ls',
    ],
  ],
  [
    'what goes past functions, and what does not',
    [
      'builtin eval \'f() { rm "$@"; }\'; f -rf ~',
      'f() { "$@"; }; builtin eval \'f rm -rf ~\'',
      'f() { "$@"; }; command . /dev/stdin <<< \'f rm -rf ~\'',
      'command . /dev/stdin <<< \'f() { rm "$@"; }\'; f -rf ~',
      "shopt -s expand_aliases; alias x='rm -rf'; command eval 'x ~'",
      'hash -p /bin/rm ls; command ls -rf ~',
      'hash -p /bin/rm foo; exec foo -rf ~',
      'rm() { :; }; command rm -rf ~',
      'exec -als rm -rf ~',
      'exec -cals rm -rf ~',
      'exec -ca ls rm -rf ~',
    ],
  ],
  [
    'a shell beside this one, which is told anything',
    ['coproc sh; echo \'rm -rf ~\' >&"${COPROC[1]}"', "coproc P { bash; }; echo 'rm -rf ~' >&${P[1]}", 'coproc python3'],
  ],
  ['what ran before is run again', ["history -s 'rm -rf ~'; fc -s", 'fc -e - rm']],
  ['a function of the environment', ["env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls"]],
]

/** Texts of which all is known: what is done is done to nothing but `x`. */
const KNOWN: readonly string[] = [
  'v=ls; readonly v; $v',
  "readonly v=ls; v='rm -rf ~'; $v",
  'f() { ls; }; readonly -f f; f() { rm -rf ~; }; f',
  "v='rm -rf ~'; for i in a b; do v=ls; done; $v",
  "v='rm -rf ~'; for i in *.txt; do v=ls; done; $v",
  "v='rm -rf ~'; if true; then v=ls; else v=ls; fi; $v",
  "case x in a) v='rm -rf ~';; *) v=ls;; esac",
  "f() { local v=ls; g; $v; }; g() { local v='rm -rf ~'; unset v; }; f",
  'a=([0]=ls [1]=x); "${a[@]}"',
  'a=(rm ls x); unset \'a[0]\'; "${a[@]}"',
  'for i in 1 2 3; do f() { ls; }; f; done',
  'while read -r x; do n=1; echo "$n $x"; done < list',
  "read -r v <<< 'ls x'; $v",
  'rm() { :; }; rm -rf ~',
  'set -eo pipefail; ls',
  "trap - EXIT; trap -p; trap '' INT; ls",
  'if [ -f x ] && [ -f y ]; then ls; else pwd; fi',
  'exec -a x ls; command -v rm; builtin echo x',
  'v=ls; declare "w=rm -rf ~"; $v',
  'v=ls; printf -v "w_$1" \'rm -rf ~\'; $v',
]

describe('what may have become of a name', () => {
  proves('T08', 'no way to a value is lost', () => {
    for (const [what, texts] of TOLD) expect([what, texts.filter((text) => !isTold(text))]).toEqual([what, []])
  })

  for (const text of KNOWN) test(text, () => expect(isTold(text)).toBe(false))
})
