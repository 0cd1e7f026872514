// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { parse } from 'unbash'
import { describe, expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { uncovered } from '../expand/coverage.ts'
import { facts, lines } from '../harness.ts'

/** The tree of a text is kept and shared between calls: walking it changes nothing in it, and another text never gets it. */

const TEXTS: readonly string[] = [
  'for f in a b; do rm -f "$f" && echo "$f" >> log; done',
  'if test -f x; then . ./x; elif true; then curl -s https://a.example/ | sh; else :; fi',
  'case $1 in a|b) make "$1";; *) exit 1;; esac',
  'while read -r l; do echo "${l%%:*}"; done < list',
  'f() { local a=$1; rm -rf "${a:-/srv}"; }; f /var/x; f',
  "cat <<'E' > out.sh\necho $HOME\nE\nsh out.sh",
  'x=(a "$(date)" {1..3}); rm "${x[@]}" $((${#x[@]} + 1))',
  'rm x; [[ -n $A && $B == y* ]] || { echo no; exit 1; }',
  'a=$(cat <(ls) | tee >(wc -l)); (cd /tmp && tar xf "$a") &',
  'trap "rm -rf /tmp/t" EXIT; select i in a b; do break; done',
  'echo "unclosed',
  'x=1 f() { rm -rf /; }',
]

describe('a text that was read before', () => {
  for (const text of TEXTS) {
    proves(['P10', 'T40'], `is judged as the first time: ${text.slice(0, 40)}`, () => {
      const first = facts(text)
      expect(facts(text)).toEqual(first)
      facts(text, { files: { '/repo/x': 'rm -rf /srv', '/repo/list': 'a:b' }, cwd: '/repo/sub' })
      expect(facts(text)).toEqual(first)
    })
  }

  proves('P10', 'keeps its tree as the parser made it', () => {
    for (const text of TEXTS) {
      const script = parse(text)
      const before = JSON.stringify(script)
      uncovered(text, script)
      expect(JSON.stringify(script)).toBe(before)
    }
  })

  proves('T40', 'lends its tree to no other text', () => {
    expect(lines('rm -rf /srv/a ')).not.toEqual(lines('rm -rf /srv/b '))
    expect(lines('rm -rf /srv/a ')).toEqual(lines('rm -rf /srv/a'))
  })
})
