import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'
import { writesFile } from './files.ts'

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
    ['acme in.svg out/in.png', ['possible read /repo/in.svg', 'possible read /repo/out/in.png', 'possible write /repo/out/in.png']],
    ['acme in.png /etc/out.png', ['possible read /repo/in.png', 'possible read /etc/out.png', 'possible write /etc/out.png']],
    ['acme in.tif out.png -f COG', ['possible read /repo/in.tif', 'possible read /repo/out.png', 'possible write /repo/out.png']],
    ['acme a.txt b.txt', ['possible read /repo/a.txt', 'possible read /repo/b.txt']],
    ['acme a.svg -c b.png', ['possible read /repo/a.svg', 'possible read /repo/b.png']],
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
    ['prlimit --dump-file=/etc/x.conf date', ['possible write /etc/x.conf']],
    ['nocache --log-file=x.log date', ['possible write /repo/x.log']],
    ['nocache --report-file=/etc/x.conf date', ['possible write /etc/x.conf']],
    ['nocache --help --report-file=/etc/x.conf', []],
  ] as const) {
    test(text, () => expect(files(text)).toEqual(expected))
  }
})

describe('a file of credentials that a program is given of which nothing else is told', () => {
  for (const [text, expected] of [
    ['iostat --file /etc/shadow', ['possible read /etc/shadow']],
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

describe('credentials of the system in the words of a known program that tells of other things', () => {
  for (const [text, expected] of [
    ['ntpdate -k /etc/shadow localhost', ['possible read /etc/shadow']],
    ['ntpdate -k ~/.ssh/id_rsa localhost', []],
    ['git commit -m /etc/shadow', []],
    ['grep -r /etc/shadow src', ['read /repo/src']],
    ['cp /etc/shadow x', ['read /etc/shadow', 'write fs:copy /repo/x']],
  ] as const) {
    test(text, () => expect(files(text)).toEqual(expected))
  }
})

const loads = (text: string): readonly string[] => lines(text).filter((found) => found.includes('code:load'))

describe('machine code that an option names', () => {
  for (const [text, expected] of [
    ['curl --engine /tmp/x.so https://x.example', ['likely execute code:load /tmp/x.so']],
    ['acme --plugin /tmp/x.so', ['likely execute code:load /tmp/x.so']],
    ['acme -D ./x.so.1.2', ['likely execute code:load /repo/x.so.1.2']],
    ['acme --auth-plugin=/tmp/x.dylib', ['likely execute code:load /tmp/x.dylib']],
    ['acme --plugin name', []],
    ['acme ./x.so', []],
    ['acme --input ./x.so', []],
    ['gcc -shared -o ./x.so x.c', []],
    ['ldd ./x.so', []],
  ] as const) {
    test(text, () => expect(loads(text)).toEqual(expected))
  }
})

describe('settings that the call itself wrote', () => {
  for (const [text, expected] of [
    ["echo 'execute = rm x' > s; acme -c s", 'likely delete /repo/x'],
    ["echo 'command: rm x' > s; acme s", 'likely delete /repo/x'],
    ["echo '! rm x' > s; acme --script=s", 'likely delete /repo/x'],
    ['printf \'{\\n "exec": "rm x",\\n}\' > s; acme s', 'likely delete /repo/x'],
    ['echo \'system("rm x")\' > s; acme s', 'likely delete /repo/x'],
    ["echo '    command: rm x' > s; kubectl get pods --kubeconfig=s", 'likely delete /repo/x'],
    ["echo '    command: rm x' > s; kubectl apply -f t", null],
    ["echo 'name: rm x' > s; acme s", null],
    ['acme s', null],
  ] as const) {
    test(text, () => {
      const deleted = lines(text).filter((found) => found.includes('delete'))
      expect(deleted).toEqual(expected === null ? [] : [expected])
    })
  }
})

test('history that is read from a file or written to one', () => {
  expect(lines('history -w /etc/x.conf')).toContain('write /etc/x.conf')
  expect(lines('history -r /etc/shadow')).toContain('read /etc/shadow')
})
