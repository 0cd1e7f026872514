import { describe, expect, test } from 'vitest'
import { facts } from '../../bash/harness.ts'

/** What is removed, as `verb value`; opaque effects as `?`. */
function told(command: string): readonly string[] {
  return facts(command)
    .effects.filter(
      ({ verb, target, attributes }) =>
        (verb === 'delete' && target.kind === 'path') || (verb === 'opaque' && attributes.severity !== 'low'),
    )
    .map(({ verb, target }) => (verb === 'opaque' ? '?' : `${verb} ${target.value}`))
}

describe('an unknown program that is handed something to run', () => {
  for (const command of [
    // a command line among its words
    'frobnicate -- rm /srv/x',
    'frobnicate --fast -- rm /srv/x',
    'frobnicate exec rm /srv/x',
    'frobnicate exec 20 rm /srv/x',
    'frobnicate run rm /srv/x',
    'frobnicate dev:exec rm /srv/x',
    'frobnicate /bin/rm /srv/x',
    "frobnicate job bash -c 'rm /srv/x'",
    'frobnicate job python3 -c \'import os; os.remove("/srv/x")\'',
    // an option with a command line
    "frobnicate -c 'rm /srv/x'",
    "frobnicate -e 'X=1 rm /srv/x'",
    "frobnicate --exec 'rm /srv/x'",
    "frobnicate --exec='rm /srv/x'",
    "frobnicate --on-change 'rm /srv/x'",
    "frobnicate --password-command 'rm /srv/x'",
    "frobnicate --run_under='rm /srv/x'",
    // calls inside of code
    'frobnicate -e \'system("rm /srv/x")\'',
    'frobnicate -e \'system "rm /srv/x"\'',
    'frobnicate \'os.execute("rm /srv/x")\'',
    'frobnicate -e \'new ProcessBuilder("rm", "/srv/x").start()\'',
    "frobnicate -e 'run(`rm /srv/x`)'",
    'frobnicate -e \'spawn("rm", ["/srv/x"])\'',
    'frobnicate -e \'popen("rm /srv/x")\'',
    "frobnicate '\\immediate\\write18{rm /srv/x}'",
    "frobnicate -e '!rm /srv/x'",
    // what it reads
    "frobnicate <<< '!rm /srv/x'",
    "frobnicate <<< '\\! rm /srv/x'",
    "frobnicate <<< 'shell rm /srv/x'",
    'frobnicate <<< \'exec "rm /srv/x"\'',
  ]) {
    test(command, () => expect(told(command)).toEqual(['delete /srv/x']))
  }

  for (const command of ["frobnicate -e 'x = f(1); g(x)'", "frobnicate --eval 'import a; a.b()'", "frobnicate -c 'deploy(prod)'"]) {
    test(`${command} is code that nobody reads`, () => expect(told(command)).toEqual(['?']))
  }

  for (const command of [
    'frobnicate -e production',
    'frobnicate -c config.yml build',
    'frobnicate --mode rm',
    "frobnicate --title 'how to rm /srv/x'",
    "frobnicate <<< 'never rm /srv/x'",
    "frobnicate <<< '![image](x.png)'",
    'frobnicate run build',
    'frobnicate -- --flag',
    'frobnicate exec',
    "frobnicate --query 'a system for all'",
    'frobnicate -x 3 -c 4',
  ]) {
    test(`${command} is not`, () => expect(told(command)).toEqual([]))
  }
})

describe('a known program whose table says nothing of `exec`', () => {
  for (const [command, expected] of [
    ['lerna exec -- rm /srv/x', ['delete /srv/x']],
    ['nvm exec 20 rm /srv/x', ['delete /srv/x']],
    ['git grep exec', []],
    ['gh run list', []],
    ['npm run exec', []],
  ] as const) {
    test(command, () => expect(told(command)).toEqual(expected))
  }
})

test('what a stranger is handed is likely, not certain', () => {
  const effect = facts('frobnicate -- rm /srv/x').effects.find(({ verb }) => verb === 'delete')
  expect(effect?.certainty).toBe('likely')
})

test('text without end is read once', () => {
  const text = `${'system("'.repeat(4000)}x`
  expect(facts(`frobnicate -e '${text}'`).effects.length).toBeLessThan(100)
})

describe('names that are looked for say what is found', () => {
  const classes = (command: string, verb: string) =>
    facts(command).effects.some(
      (effect) =>
        effect.verb === verb &&
        effect.action !== 'fs:list' &&
        effect.target.classes.some((item) => item === 'credential' || item === 'vcs'),
    )
  for (const [command, verb, expected] of [
    ["find / -name '*.pem' -exec cat {} +", 'read', true],
    ['find ~ -name id_rsa | xargs cat', 'read', true],
    ["find . -iname '.env' | grep prod | xargs cat", 'read', true],
    ["find . \\( -name '*.key' -o -name '*.txt' \\) -exec cat {} +", 'read', true],
    ['find . -name .git -type d -prune -exec rm -rf {} +', 'delete', true],
    ["find . -path '*/.git/*' -delete", 'delete', true],
    ['fd -e pem . / -x cat', 'read', true],
    ['fd id_rsa ~ -x cat', 'read', true],
    ["find . -name '*.ts' -exec cat {} +", 'read', false],
    ["find . -not -path '*/.git/*' -name '*.ts' -exec cat {} +", 'read', false],
    ["find . ! -name '*.pem' -exec cat {} +", 'read', false],
    ["find . -path ./.git -prune -o -name '*.ts' -exec cat {} +", 'read', false],
    ["find . -type f -not \\( -path '*/.git/*' -o -name '*.pem' \\) -exec cat {} +", 'read', false],
    ["find . -name '*.pyc' -delete", 'delete', false],
  ] as const) {
    test(command, () => expect(classes(command, verb)).toBe(expected))
  }
})

describe('the known end of a path whose start is not known', () => {
  const classes = (command: string) => facts(command).effects.flatMap(({ target }) => target.classes)
  for (const [command, expected] of [
    ['cat "$D/.env"', ['credential']],
    ['cat $D/.ssh/id_rsa', ['credential']],
    ['cat "$D/.aws/credentials"', ['credential']],
    ['rm -rf "$D/.git"', ['vcs']],
    ['echo x >> "$H/.bashrc"', ['shell-startup']],
    ['cat "$D/README.md"', []],
    ['cat "$D/src/bin/x"', []],
  ] as const) {
    test(command, () => expect([...new Set(classes(command))]).toEqual(expected))
  }
})

describe('output without end', () => {
  for (const [command, expected] of [
    ['cat /dev/zero > fill', true],
    ['cat /dev/urandom >> fill', true],
    ['yes > fill.txt', true],
    ['yes x > fill.txt', true],
    ['yes > /dev/null', false],
    ['yes | head -3 > three', false],
    ['cat notes.txt > fill', false],
    ['cat /dev/urandom | head -c 16 > key', false],
  ] as const) {
    test(command, () => expect(facts(command).effects.some(({ action }) => action === 'resource:endless')).toBe(expected))
  }
})
