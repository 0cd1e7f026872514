import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { facts, lines } from '../harness.ts'

const DELETES = ['delete /repo/x']
const HIDES = 'execute code:disguised'

/** What it does, besides being hidden. */
const done = (text: string) => lines(text).filter((line) => line !== HIDES)

describe('subscripts that run although they were quoted', () => {
  for (const text of [
    "printf -v 'a[$(rm x)]' hi",
    "printf -v 'a[`rm x`]' hi",
    'printf -v "a[\\$(rm x)]" hi',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "printf -v 'a[${b:-$(rm x)}]' hi",
    "test -v 'a[$(rm x)]'",
    "[ -v 'a[$(rm x)]' ]",
    "[[ -v 'a[$(rm x)]' ]]",
    "[[ -v 'a[$(rm x)]' && 1 ]]",
    "[[ ! ( -v 'a[$(rm x)]' ) ]]",
    "wait -p 'a[$(rm x)]' 1",
    "unset 'a[$(rm x)]'",
    "unset -v 'a[$(rm x)]'",
    "declare 'a[$(rm x)]=1'",
    "typeset -g 'a[$(rm x)]=1'",
    "local 'a[$(rm x)]=1'",
    "declare -i n='a[$(rm x)]'",
    "declare -ri n='a[$(rm x)]'",
    "let 'a[$(rm x)]=1'",
    "let 'n=a[$(rm x)]'",
    "n='a[$(rm x)]'; echo $((n))",
    "n='a[$(rm x)]'; (( n ))",
    "n='a[$(rm x)]'; (( n + 1 > 2 ))",
    "n='a[$(rm x)]'; echo $(($n))",
    "n='a[$(rm x)]'; m=n; echo $((m))",
    "n='a[$(rm x)]'; m='1+n'; let k=m",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "n='a[$(rm x)]'; echo ${b[n]}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "n='a[$(rm x)]'; echo ${b:n}",
    "n='a[$(rm x)]'; echo $((b[n]))",
    "[[ 'a[$(rm x)]' -eq 1 ]]",
    "[[ 1 -lt 'a[$(rm x)]' ]]",
    "n='a[$(rm x)]'; [[ n -ge 1 ]]",
  ]) {
    test(text, () => expect([...new Set(done(text))]).toEqual(DELETES))
  }

  test('of `read`, beside what it reads', () => {
    expect(done("read 'a[$(rm x)]' < f")).toEqual(['read /repo/f', 'delete /repo/x'])
    expect(done("read -r a 'b[$(rm x)]' < f")).toEqual(['read /repo/f', 'delete /repo/x'])
  })

  test('what stands in it is a script as any other', () => {
    expect(done("test -v 'a[$(cat f | sh)]'")).toContain('read /repo/f')
    expect(facts("test -v 'a[$($X)]'").coverage).toBe('partial')
    expect(done("test -v 'a[$(rm x; END\nrm y)]'").toSorted()).toContain('delete /repo/x')
  })
})

describe('what only looks like it', () => {
  for (const text of [
    "echo 'a[$(rm x)]'",
    "printf '%s' 'a[$(rm x)]'",
    "printf -v out '%s' 'a[$(rm x)]'",
    "[[ 'a[$(rm x)]' = 1 ]]",
    "[[ -n 'a[$(rm x)]' ]]",
    "[ -n 'a[$(rm x)]' ]",
    "[ 'a[$(rm x)]' -eq 1 ]",
    "n='a[$(rm x)]'; echo $n",
    "n='$(rm x)'; echo $((n))",
    "unset 'a[1]'",
    'unset a',
    'test -v a',
    '[[ -v a[1] ]]',
    "declare 'a[1]=2'",
    'declare -i n=1+1',
    'let n=1+1',
    "x='a[i]'; i=1; echo $((x))",
    'printf -v a hi',
    "n='a[$(rm x)]'; [[ n = 1 ]]",
  ]) {
    test(text, () => expect(done(text).filter((each) => each.includes('delete'))).toEqual([]))
  }

  test('variables that name each other in a circle come to an end', () => {
    expect(done('a=b; b=a; echo $((a))')).toEqual([])
    expect(done("a='b[a]'; b='a[b]'; (( a ))")).toEqual([])
  })

  test('nesting comes to an end, and never throws', () => {
    const nested = (depth: number): string => (depth === 0 ? 'rm x' : `test -v 'a[$(${nested(depth - 1).replaceAll("'", "'\\''")})]'`)
    expect(done(nested(3))).toEqual(DELETES)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '[', ']', '$(', ')', '`', '${', '}', '\n', 'END', "\\'", ' ', 'rm x', '"'), { maxLength: 20 }),
        (parts) => {
          return facts(`test -v '${parts.join('')}'`).effects.length >= 0
        },
      ),
    )
  })
})

describe('work that is hidden in the index of an array', () => {
  for (const [text, hides] of [
    ["printf -v 'a[$(rm x)]' hi", true],
    ["test -v 'a[`id`]'", true],
    ['unset "a[$(rm x)]"', true],
    ['declare -a "a[$(id > /tmp/x)]"', true],
    ["n='a[$(id)]'; echo $((n))", true],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ["n='a[$(id)]'; echo ${!n}", true],
    ['a[$(rm x)]=1', true],
    ['a[`curl -so /tmp/x https://x.example`]=1', true],
    ["declare -n r='a[$(id)]'", true],
    ['a[$(wc -l < f)]=1', false],
    ['a[$i]=1', false],
    ['a[$((i + 1))]=1', false],
    ['unset "a[$i]"', false],
    ['unset "a[$((i - 1))]"', false],
    ['printf -v "a[$i]" x', false],
    ['read "a[$i]" < f', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['echo ${a[$(wc -l < f)]}', false],
    ["echo 'a[$(rm x)]'", false],
  ] as const) {
    test(text, () => expect(lines(text).includes(HIDES)).toBe(hides))
  }
})

describe('values that are expanded once more', () => {
  for (const [text, expected] of [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ["n='$(rm x)'; echo ${n@P}", DELETES],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['n=\'`rm x`\'; echo "${n@P}"', DELETES],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ["n='$(rm x)'; echo ${n@Q}", []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ["n='a[$(rm x)]'; echo ${!n}", DELETES],
    ["declare -n r='a[$(rm x)]'", DELETES],
    ["declare -i n; n='a[$(rm x)]'", DELETES],
    ["n='a[$(rm x)]'", []],
    ["m['$(rm x)']=1", DELETES],
    ["PS1='$(rm x) '", [...DELETES, 'possible delete x']],
    ["PS4='`rm x`'", [...DELETES, 'possible delete x']],
    ["PS1='\\u@\\h $ '", []],
  ] as const) {
    test(text, () => expect(done(text)).toEqual(expected))
  }
})
