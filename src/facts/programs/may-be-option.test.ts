// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { facts, lines } from '../bash/harness.ts'

const REASON = /^opaque .* may be an option of /

describe('a word that may turn out to be an option that writes, sends or runs', () => {
  for (const [text, program] of [
    ['sort $(case x in x) echo -o ;; esac) sorted a.txt', 'sort'],
    ['sort `x` sorted a.txt', 'sort'],
    ['sort a.txt $X', 'sort'],
    ['sort ${X} a.txt', 'sort'],
    ['sort -u $X a.txt', 'sort'],
    ['sort -$X a.txt', 'sort'],
    ['sort --$X a.txt', 'sort'],
    ['sort "--$X" a.txt', 'sort'],
    ['sort "${A[@]}" a.txt', 'sort'],
    ['f() { sort "$@" a.txt; }; f $X', 'sort'],
    ['env sort $X a.txt', 'sort'],
    ['sudo -u me sort $X a.txt', 'sort'],
    ['curl $OPTS https://x.example', 'curl'],
    ['rsync $OPTS a b', 'rsync'],
    ['shuf $X out a.txt', 'shuf'],
  ] as const) {
    test(text, () => {
      expect(facts(text).coverage).toBe('partial')
      expect(lines(text).filter((line) => REASON.test(line))).toEqual([expect.stringContaining(`of \`${program}\` that writes or runs`)])
    })
  }
})

describe('a word that is none, or of a program that has no such option', () => {
  for (const text of [
    'cat $FILES',
    'rm $f',
    'rm -f "$f"',
    'grep $PATTERN a.txt',
    'ls $X',
    'wc -l $(x)',
    'sort "$X" a.txt',
    'sort ./$X a.txt',
    'sort dir/$X',
    'sort "$X"/a.txt',
    'sort -- $X a.txt',
    'sort -k $X a.txt',
    'sort $X --help',
    'sort *.txt',
    'x=a.txt; sort $x',
    'sort < $X',
  ]) {
    test(text, () => expect(lines(text).filter((line) => REASON.test(line))).toEqual([]))
  }
})
