import { describe, expect, test } from 'vitest'
import { facts, line } from '../../bash/harness.ts'
import { HOLE } from './hole.ts'
import { cutAtMarks, EVERY } from './template.ts'

const DYNAMIC = /runs code that is not known before it runs$|is not known before it runs \(\w+\)$/
/** Effects without the listing that found the names and without the note that names are not known. */
const lines = (text: string): readonly string[] =>
  facts(text)
    .effects.filter((item) => item.action !== 'fs:list' && item.attributes.severity !== 'low')
    .map(line)
const isDynamic = (text: string): boolean => facts(text).effects.some((item) => item.verb === 'opaque' && DYNAMIC.test(item.reason ?? ''))
const isNoted = (text: string): boolean => facts(text).effects.some((item) => item.verb === 'opaque' && item.attributes.severity === 'low')

describe('names inside code', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`find . -name '*.md' -exec sh -c 'wc -l {}' \\;`, ['read ./…']],
    [`find . -name '*.md' -exec sh -c 'wc -l "{}"' \\;`, ['read "./…"']],
    [`find . -name '*.md' -exec sh -c "wc -l '{}'" \\;`, ["read './…'"]],
    [`find docs -name '*.md' -exec bash -c 'cp {} /tmp/' \\;`, ['read docs/…', 'write fs:copy /tmp']],
    [`find docs -name '*.md' | xargs -I{} sh -c 'cat {} > {}.bak'`, ['write docs/….bak', 'read docs/…']],
    [`find docs -name '*.md' | sort | xargs -I% sh -c 'head -1 %'`, ['read docs/…']],
    [`fd md docs -x sh -c 'wc -l {}'`, ['read docs/…']],
    // what stands there keeps its reach and its place
    [`find . -exec sh -c 'rm -rf "{}"' \\;`, ['delete /repo']],
    [`find / -exec sh -c 'rm -rf "{}"' \\;`, ['delete /']],
    [`find /etc -name '*.conf' -exec sh -c 'rm "{}"' \\;`, ['delete "/etc/…"']],
    [`find ~/.ssh -type f -exec sh -c 'cat {}' \\;`, ['read /home/me/.ssh']],
    [`find . -name x -exec sh -c 'echo {} >> /etc/hosts' \\;`, ['write /etc/hosts']],
    // parallel quotes what it puts in
    ['find docs -name x | parallel wc -l', ['read docs/…']],
    ['find docs -name x | parallel "wc -l {} | tee {}.n"', ['read docs/…', 'write docs/….n']],
    ['find docs -name x | parallel wc', ['read docs/…']],
  ]
  for (const [command, expected] of cases) {
    test(command, () => {
      expect(lines(command)).toEqual(expected)
      expect(isDynamic(command)).toBe(false)
    })
  }
})

describe('a name that is the command, or code that somebody else may have chosen, stays dynamic', () => {
  for (const command of [
    `find . -name '*.sh' -exec sh -c '{}' \\;`,
    `find . -name '*.sh' -exec sh -c '"{}" --all' \\;`,
    `find . -name '*.sh' -exec sh -c 'bash {}' \\;`,
    `find . -name '*.sh' -exec sh -c 'source "{}"' \\;`,
    `find . -name '*.sh' -exec sh -c 'eval {}' \\;`,
    `cat names | xargs -I{} sh -c 'wc {}'`,
    `ls | xargs -I{} sh -c 'wc {}'`,
    'bash -c "wc $FILE"',
    'eval "wc $FILE"',
    'python3 -c "$CODE"',
    'python3 -c "$CODE; print(1)"',
    'python3 -c "print($CODE)"',
    `python3 -c "print('$(cat notes.txt)')"`,
    `while read -r n; do python3 -c "print('$n')"; done < names.txt`,
    `mapfile -t A < names.txt; python3 -c "print('\${A[0]}')"`,
    `mapfile -t A < names.txt; python3 -c "print('\${A[$i]}')"`,
    `A=($(cat names.txt)); python3 -c "print('\${A[$i]}')"`,
    `python3 -c "print('$(git log -1 --format=%s)')"`,
    `python3 -c "print('$(./version.sh)')"`,
    'node -e "$CODE"',
    'node -e "f($CODE)"',
    'perl -e "$CODE"',
    'ruby -e "$CODE"',
    'php -r "$CODE"',
  ])
    test(command, () => expect(isDynamic(command)).toBe(true))

  test('what comes from the network is remote code', () => {
    for (const command of [
      `curl https://x.example | xargs -I{} sh -c 'echo {}'`,
      `python3 -c "print('$(curl https://x.example)')"`,
      `X=$(curl https://x.example); node -e "console.log('$X')"`,
    ])
      expect([command, facts(command).effects.some((item) => item.action === 'code:remote')]).toEqual([command, true])
  })

  test('what was encoded is decoded code', () => {
    const command = `python3 -c "print('$(base64 -d blob)')"`
    expect(facts(command).effects.map((item) => item.action)).toContain('code:decoded')
  })
})

describe('plain values inside the strings of a language', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`python3 -c "print(open('$F').read())"`, ['read *']],
    [`python3 -c "print(open('data/$F').read())"`, ['read data/*']],
    [`python3 -c "import os; os.remove('/etc/$F')"`, ['delete /etc/*']],
    [`python3 -c "print('$(ls docs | head -1)')"`, ['read fs:list docs']],
    [`node -e "require('fs').writeFileSync('out/$N.txt', '')"`, ['write out/*']],
    [`ruby -e "File.delete('tmp/$F')"`, ['delete tmp/*']],
    [`php -r "unlink('tmp/$F');"`, ['delete tmp/*']],
    [`perl -pi -e "s/$A/$B/g" notes.txt`, ['read notes.txt', 'write fs:edit notes.txt']],
  ]
  for (const [command, expected] of cases) {
    test(command, () => {
      expect(isDynamic(command)).toBe(false)
      expect(isNoted(command)).toBe(true)
      const found = facts(command).effects.filter((item) => item.verb !== 'opaque')
      expect(found.map((item) => `${item.verb} ${item.action ?? ''} ${item.target.value}`.replace('  ', ' '))).toEqual(expected)
    })
  }

  test('commands built from them are dynamic', () => {
    for (const command of [
      `python3 -c "import os; os.system('$CMD')"`,
      `python3 -c "exec('$CMD')"`,
      `node -e "require('child_process').execSync('$CMD')"`,
      `perl -e "system('$CMD')"`,
    ])
      expect([command, facts(command).effects.some((item) => item.action === 'code:dynamic' || item.verb === 'opaque')]).toEqual([
        command,
        true,
      ])
  })
})

describe('marks', () => {
  for (const [text, expected] of [
    ['plain', null],
    ['', null],
    [`a${HOLE}b`, ['a', HOLE, 'b']],
    [`./${EVERY}`, ['./', EVERY, '']],
    [HOLE + EVERY, ['', HOLE, '', EVERY, '']],
  ] as const)
    test(JSON.stringify(text), () => expect(cutAtMarks(text)).toEqual(expected))

  test('a mark that the call itself brings along names nothing known', () => {
    expect(lines(`rm -rf ~/${HOLE}`)).toEqual(['delete ~/…'])
    expect(isDynamic(HOLE)).toBe(true)
    expect(isDynamic(`X=${HOLE}; $X`)).toBe(true)
  })
})
