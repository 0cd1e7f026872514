import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { linesOf } from '../../tools/tool-harness.ts'
import { inspectHost, inspectPath } from './injection.ts'
import { pathViews } from './views.ts'

/** Arguments that carry more than they should, and plain ones that only look odd. */

describe('smuggled', () => {
  for (const [tool, args, expected] of [
    ['Read', { file_path: '../../../../etc/passwd' }, ['read path /etc/passwd <traversal>']],
    ['Read', { file_path: 'a/..%2f..%2f..%2fetc/passwd' }, ['read path /repo/a/..%2f..%2f..%2fetc/passwd <malformed>']],
    [
      'Read',
      { file_path: '..\\..\\windows\\win.ini' },
      ['read path /repo/..\\..\\windows\\win.ini <traversal>', 'possible read path /windows/win.ini <traversal>'],
    ],
    ['Read', { file_path: 'a/%2e%2e/%2e%2e/x' }, ['read path /repo/a/%2e%2e/%2e%2e/x <malformed>']],
    ['Read', { file_path: 'a\u0000.png' }, ['read path /repo/a\u0000.png <control>']],
    [
      'Read',
      { file_path: '\\\\files.example\\share\\x' },
      ['read path \\\\files.example\\share\\x <share>', 'possible fetch net:share host files.example'],
    ],
    ['Read', { file_path: 'a; rm -rf /' }, ['read path /repo/a; rm -rf  <shell>']],
    ['Read', { file_path: 'a`id`' }, ['read path /repo/a`id` <shell>']],
    [
      'Read',
      { file_path: '....//....//etc/passwd' },
      ['read path /repo/..../..../etc/passwd <traversal>', 'possible read path /etc/passwd <traversal>'],
    ],
    ['Read', { file_path: 'up/../etc/passwd' }, ['read path /repo/etc/passwd <traversal>']],
    ['Read', { file_path: '/repo/../../etc/hosts' }, ['read path /etc/hosts <traversal>']],
    ['Read', { file_path: '%68%65%6c%6c%6f' }, ['read path /repo/%68%65%6c%6c%6f <malformed>']],
    ['Read', { file_path: 'a/\\/b' }, ['read path /repo/a/\\/b <malformed>']],
    ['acme_open', { file: '..%2f..%2f..%2fetc%2fpasswd' }, null],
    ['acme_open', { file: '..%ef%bc%8f..%ef%bc%8f..%ef%bc%8fetc/passwd' }, null],
    ['acme_open', { file: '\\..\\..\\etc\\passwd' }, null],
    ['acme_unpack', { entries: ['a.txt', '../../../../home/me/.bashrc'] }, null],
    ['acme_ping', { host: 'example.com; id' }, ['likely fetch net:contact host example.com; id <shell>']],
    ['acme_ping', { host: '-oProxyCommand=id' }, ['likely fetch net:contact host -oproxycommand=id <option>']],
    ['acme_ping', { host: '$(id).example.com' }, ['likely fetch net:contact host $(id).example.com <shell>']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => {
      if (expected === null) expect(linesOf(tool, args).some((line) => /<(?:traversal|malformed)>/.test(line))).toBe(true)
      else expect(linesOf(tool, args)).toEqual(expected)
    })
  }
})

describe('plain', () => {
  for (const [tool, args, expected] of [
    ['Read', { file_path: '../sibling/a.ts' }, ['read path /sibling/a.ts']],
    ['Read', { file_path: 'src/../test/a.ts' }, ['read path /repo/test/a.ts']],
    ['Read', { file_path: 'my%20file.txt' }, ['read path /repo/my%20file.txt']],
    ['Read', { file_path: 'a;b.txt' }, ['read path /repo/a;b.txt']],
    ['Read', { file_path: 'file:///repo/src/a.ts' }, ['read path /repo/src/a.ts']],
    ['acme_lint', { uri: 'file:///repo/src/a.ts' }, ['likely read path /repo/src/a.ts']],
    ['acme_compare', { range: 'v1.0..v1.1' }, ['likely read resource acme']],
    ['Read', { file_path: 'a b (1).txt' }, ['read path /repo/a b (1).txt']],
    ['Read', { file_path: 'C:\\repo\\a.ts' }, ['read path C:\\repo\\a.ts']],
    ['acme_ping', { host: 'example.com:443' }, ['likely fetch net:contact host example.com:443']],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(linesOf(tool, args)).toEqual(expected))
  }
})

const view = createFixedView({ home: '/home/me', cwd: '/home/me/shop' })

describe('paths', () => {
  for (const [path, expected] of [
    ['src/a.ts', null],
    ['../b/a.ts', null],
    ['../../x', null],
    ['./a', null],
    ['/home/me/shop/a', null],
    ['~/notes.txt', null],
    ['100%.txt', null],
    ['50%20off.txt', null],
    ['a&b.txt', null],
    ["it's.txt", null],
    ['src/[id]/page.tsx', null],
    ['src/(group)/page.tsx', null],
    ['a$b.txt', null],
    ['файл.txt', null],
    ['../../../../../../etc/passwd', 'traversal'],
    ['a/../../../../../../../../etc/shadow', 'traversal'],
    ['/home/me/shop/../../../etc/passwd', 'traversal'],
    ['/srv/data/../../etc/hosts', 'traversal'],
    ['/../x', 'traversal'],
    ['%2e%2e/%2e%2e/etc/passwd', 'malformed'],
    ['..%252f..%252fetc', 'malformed'],
    ['..%c0%af..%c0%afetc/passwd', 'traversal'],
    ['..／..／etc', 'traversal'],
    ['..\\..\\x', 'traversal'],
    ['a/..\\..\\x', 'traversal'],
    ['/etc/passwd%00.png', 'malformed'],
    ['a\n', 'shell'],
    ['$(id)', 'shell'],
    ['a && b', 'shell'],
    ['a | sh', 'shell'],
    ['\\\\host\\share', 'share'],
    [`${'a'.repeat(300)}`, 'malformed'],
    [`${'a/'.repeat(3000)}`, 'malformed'],
    ['x/\\/y', 'malformed'],
    ['%61%62c', 'malformed'],
  ] as const) {
    test(path.slice(0, 60), () => expect(inspectPath(path, '/home/me/shop', view).injection).toBe(expected))
  }
  test('where nothing is known of the directory, climbing far is enough', () => {
    expect(inspectPath('../x', null, view).injection).toBe(null)
    expect(inspectPath('../../x', null, view).injection).toBe('traversal')
    expect(inspectPath('../etc/passwd', null, view).injection).toBe('traversal')
  })
})

describe('hosts', () => {
  for (const [host, expected] of [
    ['example.com', null],
    ['example.com:8080', null],
    ['10.0.0.1', null],
    ['[::1]:80', null],
    ['fe80::1%eth0', null],
    ['münchen.example', null],
    ['example.com/path', null],
    ['', null],
    ['-v', 'option'],
    ['--proxy=x', 'option'],
    ['a;b', 'shell'],
    ['a b', 'shell'],
    ['`id`', 'shell'],
    ['a|b', 'shell'],
    ['a%0ab', 'shell'],
    ['a\r\nHost: b', 'shell'],
    ['a@b', 'malformed'],
    ['a,b', 'malformed'],
  ] as const) {
    test(JSON.stringify(host), () => expect(inspectHost(host)).toBe(expected))
  }
})

describe('other readings of a path', () => {
  for (const [path, expected] of [
    ['src/a.ts', []],
    ['a b', []],
    ['%2e%2e/x', ['../x']],
    ['%252e%252e/x', ['%2e%2e/x', '../x']],
    ['..%u2216x', ['..∖x', '../x']],
    ['..%c0%afx', ['../x']],
    ['..\\x', ['../x']],
    ['....//x', ['..//x']],
    ['a%00b', ['a']],
    ['0x2e0x2e0x2fx', ['../x']],
    ['．．／x', ['../x']],
  ] as const) {
    test(path, () => {
      const views = pathViews(path).map(({ text }) => text)
      for (const reading of expected) expect(views).toContain(reading)
      if (expected.length === 0) expect(views).toEqual([])
    })
  }
  test('long and hostile paths are read in bounded time and number', () => {
    for (const path of ['%25'.repeat(50_000), '..\\'.repeat(50_000), '\u2024'.repeat(50_000), '....//'.repeat(20_000)]) {
      expect(pathViews(path).length).toBeLessThan(16)
    }
  })
})
