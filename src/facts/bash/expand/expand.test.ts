// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { commands, facts } from '../harness.ts'

const WORLD = { env: { TMPDIR: '/scratch', SHELL: '/bin/zsh' } }

/** Command text and the words of its last command. */
const EXACT: readonly (readonly [string, string])[] = [
  // quoting
  [`p a 'b c' "d e" f\\ g`, 'p a b c d e f g'],
  [`p $'a\\x41\\t\\u00e9'`, 'p aA\té'],
  [`p "a\\$b\\\\c\\n"`, 'p a$b\\c\\n'],
  [`p pu''sh pu""sh p\\ush`, 'p push push push'],
  ['p a\\\nb', 'p ab'],
  [`p $"hi"`, 'p hi'],
  // variables
  ['x=1; p $x "$x" ${x}y', 'p 1 1 1y'],
  ['x="a b"; p $x "$x"', 'p a b a b'],
  ['export x=1 y=2; p $x$y', 'p 12'],
  ['readonly x=1; p $x', 'p 1'],
  ['declare -r x=1; p $x', 'p 1'],
  ['f() { local x=1; p $x; }; f', 'p 1'],
  ['x=1; x+=2; p $x', 'p 12'],
  ['p $HOME ~ ~/x $PWD ~me/y ~root', 'p /home/me /home/me /home/me/x /repo /home/me/y /root'],
  ['p $USER $TMPDIR $SHELL', 'p me /scratch /bin/zsh'],
  ['p "~" \\~ a~', 'p ~ ~ a~'],
  ['x=~/a; p $x', 'p /home/me/a'],
  ['x=1; y=x; p ${!y}', 'p 1'],
  ['x=; p a$x"b"', 'p ab'],
  // parameter operations
  ['p ${x:-y} ${x-y}', 'p y y'],
  ['x=1; p ${x:-y} ${x:+z}', 'p 1 z'],
  ['x=; p ${x:-y}', 'p y'],
  ['p ${x:=y}; p $x', 'p y'],
  ['x=a.tar.gz; p ${x%.*} ${x%%.*} ${x#*.} ${x##*.}', 'p a.tar a tar.gz gz'],
  ['x=/a/b/c; p ${x##*/} ${x%/*}', 'p c /a/b'],
  ['x=aXbXc; p ${x/X/-} ${x//X/-} ${x/#a/z} ${x/%c/z}', 'p a-bXc a-b-c zXbXc aXbXz'],
  ['x=file1; p ${x%[0-9]} ${x/[!f]*/}', 'p file f'],
  ['x=abcdef; p ${x:1:2} ${x:2} ${x: -2}', 'p bc cdef ef'],
  ['x=ab; p ${#x}', 'p 2'],
  ['x=ab; p ${x^^} ${x^}', 'p AB Ab'],
  ['x=AB; p ${x,,} ${x,}', 'p ab aB'],
  // arrays and positional parameters
  ['a=(1 2 "3 4"); p "${a[@]}"', 'p 1 2 3 4'],
  ['a=(1 2); a+=(3); p ${a[2]} ${#a[@]} $a', 'p 3 3 1'],
  ['set -- a b c; p $1 $3 $# "$@"', 'p a c 3 a b c'],
  ['set -- a b; shift; p "$@"', 'p b'],
  ['f() { p "$2" "$@"; }; f a b', 'p b a b'],
  // arithmetic
  ['p $((1+2*3)) $(( (1+2)*3 )) $((7/2)) $((2**3))', 'p 7 9 3 8'],
  ['x=4; p $((x+1)) $((x>3?1:0))', 'p 5 1'],
  ['x=1; ((x+=2)); p $x', 'p 3'],
  ['p $((0x10)) $((010))', 'p 16 8'],
  // braces
  ['p {a,b}{1,2}', 'p a1 a2 b1 b2'],
  ['p {1..3} {3..1} {01..03} {a..c}', 'p 1 2 3 3 2 1 01 02 03 a b c'],
  ['p x{,y} {a} "{a,b}" \\{a,b}', 'p x xy {a} {a,b} {a,b}'],
  ['p {a,{b,c}d} {1..6..2}', 'p a bd cd 1 3 5'],
  ['x=1; p {$x,"a b"}', 'p 1 a b'],
  // splitting
  ['x="a:b"; IFS=:; p $x', 'p a b'],
  ['x=" a  b "; p $x', 'p a b'],
  // substitutions with known output
  ['p $(echo a b) "$(echo a b)" `echo c`', 'p a b a b c'],
  ['p $(printf "%s-%s" a b)', 'p a-b'],
  ['p $(echo YWJj | base64 -d)', 'p abc'],
  ['p $(basename /a/b.c .c) $(dirname /a/b)', 'p b /a'],
  ['p $(pwd)/x $(whoami)', 'p /repo/x me'],
  ['p `echo \\`echo deep\\``', 'p deep'],
  ['p ${ echo new; }', 'p new'],
  ['p $(seq 1 3)', 'p 1 2 3'],
  ['p $(echo b; echo a)', 'p b a'],
]

describe('words that are known', () => {
  for (const [text, expected] of EXACT) test(text, () => expect(commands(text, WORLD).at(-1)).toBe(expected))
})

/** Words that are not known: never a guess. */
const UNKNOWN: readonly (readonly [string, string])[] = [
  ['p $UNSET_ANYWHERE', 'p ?'],
  ['p "$1" $RANDOM $$', 'p ? ? ?'],
  ['p $(date)', 'p ?'],
  ['p pre$(date)', 'p ?'],
  ['x=$(cat f); p $x', 'p ?'],
  ['p ${x:?gone}', 'p ?'],
  ['x=(1 2); p ${x[$i]}', 'p ?'],
  ['p ${x@Q} ${!pre*}', 'p ? ?'],
  ['p $((RANDOM % 3)) $((1/0))', 'p ? ?'],
  ['p {1..100000}', 'p ?'],
  ['if true; then x=1; else x=2; fi; p $x', 'p ?'],
  ['x=1; while true; do x=2; done; p $x', 'p ?'],
  ['i=0; while true; do p $i; i=$((i+1)); done', 'p ?'],
  ['read x < f; p $x', 'p ?'],
  ['x=1; x[2]=3; p $x', 'p ?'],
]

describe('words that are not known', () => {
  for (const [text, expected] of UNKNOWN) test(text, () => expect(commands(text, WORLD).at(-1)).toBe(expected))
})

describe('what stands in an expansion runs, whatever comes of it', () => {
  for (const text of [
    'echo $(rm x)',
    'echo "`rm x`"',
    'echo ${y:-$(rm x)}',
    'echo ${y/$(rm x)/z}',
    'echo ${y:$(rm x)}',
    'echo ${y[$(rm x)]}',
    'echo $((a[$(rm x)]))',
    'echo $(( $(rm x) + 1 ))',
    'y[$(rm x)]=1',
    'y=($(rm x))',
    'echo {a,$(rm x)}',
    'echo {1..$(rm x)}',
    'echo @($(rm x)|b)',
    'cat <<E\n$(rm x)\nE',
    'cat <<< $(rm x)',
    'cat < $(rm x)',
    'echo > "$(rm x)"',
    'diff <(rm x) y',
    'tee >(rm x)',
    '[[ -n $(rm x) ]]',
    '[[ a == b || c =~ $(rm x) ]]',
    'case $(rm x) in a) ;; esac',
    'case a in $(rm x)) ;; esac',
    'for i in $(rm x); do :; done',
    'for ((i=$(rm x); i<1; i++)); do :; done',
    '((y = $(rm x)))',
    'A=$(rm x) ls',
    'export A=$(rm x)',
    'echo ${ rm x; }',
    'echo $"$(rm x)"',
  ]) {
    test(text, () => {
      const deleted = facts(text).effects.filter((item) => item.verb === 'delete')
      expect(deleted.map((item) => item.target.real)).toEqual(['/repo/x'])
    })
  }

  test('a quoted delimiter keeps a here-document from being expanded', () => {
    expect(facts("cat <<'E'\n$(rm x)\nE").effects).toEqual([])
  })
})

test('a value remembers what it is for paths: globs of a loop stay globs', () => {
  const [deleted] = facts('for f in *.log; do rm "$f"; done').effects.filter((item) => item.verb === 'delete')
  expect(deleted?.attributes.glob).toBe(true)
  expect(deleted?.target.scope).toBe('workspace')
})

test('the known beginning of an unknown path places it', () => {
  const scopes = ['rm "/etc/$x"', 'rm "$HOME/$x/y"', 'rm "$(mktemp -d)/f"', 'rm "$x"'].map((text) => {
    return facts(text).effects.find((item) => item.verb === 'delete')?.target.scope
  })
  expect(scopes).toEqual(['system', 'home', 'temporary', 'unknown'])
})
