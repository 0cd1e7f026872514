import { describe, expect, test } from 'vitest'
import { writesFile } from './unknown-files.ts'
import { lines } from './walk-harness.ts'

const files = (text: string): readonly string[] => lines(text).filter((found) => / (?:read|write|fetch) |^(?:read|write) /.test(found))

describe('what the options of an unknown program are named for', () => {
  for (const [text, expected] of [
    ['acme --output out/x.pdf in.png', ['possible write /repo/out/x.pdf', 'possible read /repo/in.png']],
    ['acme --output=out/x.pdf', ['possible write /repo/out/x.pdf']],
    ['acme -o out/x.pdf in.png', ['possible write /repo/out/x.pdf', 'possible read /repo/in.png']],
    ['acme -O /etc/out.conf', ['possible write /etc/out.conf']],
    ['acme -o ~/.bashrc', ['possible write /home/me/.bashrc']],
    ['acme --out-dir /etc/cron.d', ['possible write /etc/cron.d']],
    ['acme --log-file=/var/x.log', ['possible write /var/x.log']],
    ['acme --export-filename pic.png', ['possible write /repo/pic.png']],
    ['acme --dest ../elsewhere', ['possible write /elsewhere']],
    ['acme --output=json', []],
    ['acme -o json', []],
    ['acme -o Key=/x/y', ['possible read /repo/Key=/x/y']],
    ['acme --output-format x.y', ['possible read /repo/x.y']],
    ['acme --no-output x.y', ['possible read /repo/x.y']],
    ['acme --input in.png', ['possible read /repo/in.png']],
    ['acme --output https://x.example/up', ['possible fetch https://x.example/up']],
  ] as const) {
    test(text, () => expect(files(text)).toEqual(expected))
  }
})

describe('names of options', () => {
  for (const [name, short, expected] of [
    ['-o', true, true],
    ['-o', false, false],
    ['-w', true, false],
    ['--output', false, true],
    ['--junit-output-file', false, true],
    ['-outdir', false, true],
    ['--save_to', false, true],
    ['--log', false, false],
    ['--timeout', false, false],
    ['--file', false, false],
    ['--to', false, false],
    ['output', false, false],
    [`--${'x'.repeat(80)}-output`, false, false],
  ] as const) {
    test(`${name} ${short ? 'alone' : 'of a table'}`, () => expect(writesFile(name, short)).toBe(expected))
  }
})

describe('options that a table leaves aside', () => {
  for (const [text, expected] of [
    ['rlwrap --logfile /etc/x.conf date', ['possible write /etc/x.conf']],
    ['rlwrap --logfile=x.log date', ['possible write /repo/x.log']],
    ['nocache --report-file=/etc/x.conf date', ['possible write /etc/x.conf']],
    ['nocache --help --report-file=/etc/x.conf', []],
  ] as const) {
    test(text, () => expect(files(text)).toEqual(expected))
  }
})

describe('a file of credentials that a program is given of which nothing else is told', () => {
  for (const [text, expected] of [
    ['fastfetch --file /etc/shadow', ['possible read /etc/shadow']],
    ['ss -F /etc/shadow', ['possible read /etc/shadow']],
    ['lolcat ~/.ssh/id_rsa', ['possible read /home/me/.ssh/id_rsa']],
    ['figlet -f@/etc/shadow', []],
    ['cowsay @/etc/shadow', ['possible read /etc/shadow']],
    ['scc --from=file:///etc/shadow', ['possible read /etc/shadow']],
    ['lolcat /etc/hosts', []],
    ['which /etc/shadow', []],
    ['basename /etc/shadow', []],
    ['echo /etc/shadow', []],
    ['cowsay "see /etc/shadow"', []],
    ['ss --help /etc/shadow', []],
  ] as const) {
    test(text, () => expect(files(text)).toEqual(expected))
  }
})
