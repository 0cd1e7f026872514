// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { analyseShell } from '../../src/facts/bash/index.ts'
import { languages } from '../../src/facts/languages/index.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'
import { Random } from './random.ts'

/**
 * Words as bash expands them against words as we do. Only builtins run, on words without substitutions and patterns, with file
 * names switched off. Where we say that a word is not known that is no difference; where we say that it is, it must be bash's.
 */

const SETUP = "x='one two'; y=abcabc; z=''; n=7; p=/usr/local/lib.tar.gz; q='a  b'; a=(first 'second one' third); unset u"

const LITERALS = [
  'a',
  'bc',
  'x.y',
  '1',
  '-',
  '_',
  '/',
  ':',
  '\\ ',
  '\\$',
  "\\'",
  '"q r"',
  "'s t'",
  "$'\\x41\\t'",
  '"\\$"',
  '"a\\\\b"',
  "''",
  '""',
  '=',
  ',',
]
const NAMES = ['x', 'y', 'z', 'n', 'p', 'q', 'u'] as const
const WORDS = ['d', 'e f', '$y', '"$x"', "'g'", '', '${n}', 'h$n'] as const
const PATTERNS = ['a', '*b', 'a*', '?', '*/', '/*', '*.', '.*', '[ab]', '[!a]', 'abc', '"*"', 'z'] as const

type Make = (random: Random) => string

const PARAMETERS: readonly Make[] = [
  (r) => `$${r.pick(NAMES)}`,
  (r) => `"$${r.pick(NAMES)}"`,
  (r) => `\${${r.pick(NAMES)}}`,
  (r) => `"\${${r.pick(NAMES)}}"`,
  (r) => `\${${r.pick(NAMES)}${r.pick([':-', '-', ':+', '+'])}${r.pick(WORDS)}}`,
  (r) => `"\${${r.pick(NAMES)}${r.pick([':-', '-', ':+', '+'])}${r.pick(['d', 'e f', '$y', '${n}'])}}"`,
  (r) => `\${#${r.pick(NAMES)}}`,
  (r) => `"\${${r.pick(NAMES)}${r.pick(['#', '##', '%', '%%'])}${r.pick(PATTERNS)}}"`,
  (r) => `"\${${r.pick(NAMES)}${r.pick(['/', '//', '/#', '/%'])}${r.pick(PATTERNS)}/${r.pick(['Z', '', 'q r'])}}"`,
  (r) => `"\${${r.pick(NAMES)}:${r.below(4)}}"`,
  (r) => `"\${${r.pick(NAMES)}:${r.below(4)}:${r.below(4)}}"`,
  (r) => `"\${${r.pick(NAMES)}: -${1 + r.below(3)}}"`,
  (r) => `"\${${r.pick(NAMES)}${r.pick(['^', '^^', ',', ',,'])}}"`,
  (r) => `"\${a[${r.below(4)}]}"`,
  () => '"${a[@]}"',
  () => '${a[@]}',
  () => '"${a[*]}"',
  () => '${#a[@]}',
  () => '"${a[@]:1}"',
  () => '"${a[-1]}"',
  (r) => `\${${r.pick(NAMES)}:-\${${r.pick(NAMES)}}}`,
  (r) => `"\${${r.pick(NAMES)}:-\${${r.pick(NAMES)}%${r.pick(PATTERNS)}}}"`,
  (r) => `\${${r.pick(NAMES)}:-$(( ${r.below(9)} + n ))}`,
  (r) => `\${${r.pick(NAMES)}:-'k  l' m}`,
]

const NUMBERS = ['1', '2', '10', 'n', '$n', '0x1f', '010', '(2+3)', '-4'] as const
const SIGNS = ['+', '-', '*', '<<', '|', '&', '^', '<', '==', '&&', '||', '**'] as const

const OTHERS: readonly Make[] = [
  (r) => `$(( ${r.pick(NUMBERS)} ${r.pick(SIGNS)} ${r.pick(['1', '2', '3', 'n'])} ))`,
  (r) => `$(( ${r.pick(NUMBERS)} ? ${r.pick(NUMBERS)} : ${r.pick(NUMBERS)} ))`,
  (r) => `{${r.pick(['a', '', '$n', '"b c"'])},${r.pick(['d', 'e'])}}`,
  (r) => `{${r.below(4)}..${r.below(8)}}`,
  () => '{a..d}',
  () => '{01..3}',
  () => '{5..1..2}',
  () => '{a,{b,c}d}',
  () => '{a}',
  () => '{,}',
]

function word(random: Random): string {
  let text = ''
  for (let parts = 1 + random.below(3); parts > 0; parts--) {
    text += random.once(3) ? random.pick(LITERALS) : random.once(4) ? random.pick(OTHERS)(random) : random.pick(PARAMETERS)(random)
  }
  return text
}

/** What bash makes of each word: its fields. */
function bash(words: readonly string[]): readonly (readonly string[])[] {
  const lines = words.map((text) => `printf '%s\\0' ${text} END; printf '\\1'`)
  const script = `set -f; ${SETUP}\n${lines.join('\n')}\n`
  const environment = { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C' }
  const { stdout } = spawnSync('bash', ['--norc', '--noprofile'], { input: script, env: environment, maxBuffer: 1 << 26 })
  return stdout
    .toString('utf8')
    .split('\x01')
    .slice(0, -1)
    .map((part) => part.split('\0').slice(0, -2))
}

/** What we make of it; null where it is not known. */
function ours(text: string): readonly string[] | null {
  const view = createFixedView({ home: '/home/me', user: 'me', cwd: '/repo' })
  const facts = analyseShell(`${SETUP}\nprobe ${text} END`, { pointer: '/command', view, languages, cwd: '/repo' })
  const argv = facts.commands.find((fact) => fact.program === 'probe')?.argv
  if (argv === undefined || argv.includes(null) || facts.coverage === 'partial') return null
  return argv.slice(1, -1).map((field) => field ?? '')
}

const installed = spawnSync('bash', ['--version']).status === 0
const WORDS_PER_SEED = 400

describe.skipIf(!installed)('words are expanded as bash expands them', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    proves('T08', `random words, seed ${seed}`, () => {
      const random = new Random(seed)
      const words = Array.from({ length: WORDS_PER_SEED }, () => word(random))
      const expected = bash(words)
      expect(expected).toHaveLength(words.length)
      const known = words.map(ours)
      const different = words.flatMap((text, at) => {
        const [mine, theirs] = [known[at] ?? null, expected[at] ?? []]
        return mine === null || JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [{ text, mine, theirs }]
      })
      expect(different).toEqual([])
      expect(known.filter((item) => item !== null).length).toBeGreaterThan(WORDS_PER_SEED * 0.7)
    })
  }

  test('every form alone', () => {
    const random = new Random(9)
    const words = [...LITERALS, ...[...PARAMETERS, ...OTHERS].flatMap((make) => Array.from({ length: 6 }, () => make(random)))]
    const expected = bash(words)
    for (const [at, text] of words.entries()) {
      const mine = ours(text)
      if (mine !== null) expect(mine, text).toEqual(expected[at])
    }
  })
})
