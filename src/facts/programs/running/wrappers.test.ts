import { describe, expect, test } from 'vitest'
import { actions, commands, facts, lines } from '../../bash/harness.ts'
import { lookup } from '../index.ts'
import { isShell } from '../interpreters/shells.ts'
import { WRAPPERS } from '../wrapper-tables.ts'

/** The command that a wrapper runs in the end. */
const RUNS: readonly (readonly [string, string])[] = [
  // in place
  ['sudo rm x', 'rm x'],
  ['sudo -n -u bob -g staff rm x', 'rm x'],
  ['sudo --user=bob rm x', 'rm x'],
  ['sudo A=1 B=2 rm x', 'rm x'],
  ['sudo -- rm x', 'rm x'],
  ['doas -u bob rm x', 'rm x'],
  ['pkexec rm x', 'rm x'],
  ['runuser -u bob -- rm x', 'rm x'],
  ['gosu bob rm x', 'rm x'],
  ['env rm x', 'rm x'],
  ['mise exec -- rm x', 'rm x'],
  ['mise x node@20 -- rm x', 'rm x'],
  ['asdf exec rm x', 'rm x'],
  ['env -u A -i B=1 rm x', 'rm x'],
  ['env - rm x', 'rm x'],
  ['/usr/bin/env rm x', 'rm x'],
  ['env -S "rm x"', 'rm x'],
  ['env -S "rm" x', 'rm x'],
  ['nice rm x', 'rm x'],
  ['nice -10 rm x', 'rm x'],
  ['ionice -c2 -n7 rm x', 'rm x'],
  ['chrt -f 10 rm x', 'rm x'],
  ['taskset 0x3 rm x', 'rm x'],
  ['timeout 5 rm x', 'rm x'],
  ['timeout -s KILL --kill-after=9 1m rm x', 'rm x'],
  ['nohup rm x', 'rm x'],
  ['stdbuf -oL rm x', 'rm x'],
  ['setsid rm x', 'rm x'],
  ['/usr/bin/time -v rm x', 'rm x'],
  ['caffeinate -i rm x', 'rm x'],
  ['strace -f -e trace=open -o log rm x', 'rm x'],
  ['valgrind --leak-check=full rm x', 'rm x'],
  ['busybox rm x', 'rm x'],
  ['xvfb-run -a rm x', 'rm x'],
  ['flock -n /tmp/l rm x', 'rm x'],
  ['systemd-run --user --scope rm x', 'rm x'],
  ['unshare -rn rm x', 'rm x'],
  ['nsenter -t 1 -m rm x', 'rm x'],
  ['chroot /mnt rm x', 'rm x'],
  ['bwrap --ro-bind / / --chdir /a rm x', 'rm x'],
  ['flatpak-spawn --host rm x', 'rm x'],
  ['gdb -q --args rm x', 'rm x'],
  ['perf record -o f rm x', 'rm x'],
  ['direnv exec . rm x', 'rm x'],
  ['command rm x', 'rm x'],
  ['command -p rm x', 'rm x'],
  ['builtin cd a', 'cd a'],
  ['exec -a name rm x', 'rm x'],
  ['noglob rm x', 'rm x'],
  ['dumb-init -- rm x', 'rm x'],
  ['sshpass -p secret ssh host rm x', 'rm x'],
  ['SUDO rm x', 'rm x'],
  ['tox exec -e py312 -- rm x', 'rm x'],
  ["man -P 'rm x' ls", 'rm x'],
  ["man --pager='rm x' ls", 'rm x'],
  ["make -f - <<< 'all: ; rm x'", 'rm x'],
  ["printf 'all:\n\trm x\n' | make -f /dev/stdin", 'rm x'],
  ['machinectl shell web rm x', 'rm x'],
  ['machinectl shell --uid=bob .host rm x', 'rm x'],
  ['iex -S rm x', 'rm x'],
  // shells and text
  ['bash -c "rm x"', 'rm x'],
  ['bash -lc "rm x"', 'rm x'],
  ['bash -o pipefail -c "rm x"', 'rm x'],
  ['bash --norc -c "rm x"', 'rm x'],
  ['dash -c "rm x"', 'rm x'],
  ['fish -c "rm x"', 'rm x'],
  ['su bob -c "rm x"', 'rm x'],
  ['watch -n 2 rm x', 'rm x'],
  ['flock f -c "rm x"', 'rm x'],
  ['script -qec "rm x" /dev/null', 'rm x'],
  ['tmux new -d -s name "rm x"', 'rm x'],
  ['tmux send-keys -t name "rm x" C-m', 'rm x'],
  ['tmux new-session -d \\; send-keys "rm x" Enter', 'rm x'],
  ['screen -dmS name rm x', 'rm x'],
  ['screen -S name -X stuff "rm x\\n"', 'rm x'],
  ['echo "rm x" | at now + 1 hour', 'rm x'],
  ['batch <<< "rm x"', 'rm x'],
  ['echo "* * * * * rm x" | crontab -', 'rm x'],
  ['echo "@daily rm x" | crontab', 'rm x'],
  ['vim -es "+!rm x" f', 'rm x'],
  ['ssh host rm x', 'rm x'],
  ['ssh -p 22 -i key user@host "rm x"', 'rm x'],
  ['vagrant ssh -c "rm x"', 'rm x'],
  // many names
  ['xargs rm <<< x', 'rm x'],
  ['echo x | xargs -n 1 rm', 'rm x'],
  ['echo x | xargs -I% rm %', 'rm x'],
  ['printf "x\\0" | xargs -0 rm', 'rm x'],
  ['ls | xargs rm', 'rm ?'],
  ['parallel rm ::: x', 'rm x'],
  ['parallel -j 4 "rm {}" ::: x', 'rm x'],
  ['find . -name x -exec rm {} \\;', 'rm ?'],
  ['find a -exec rm -f {} +', 'rm -f a/*'],
  ['find . -ok rm {} \\;', 'rm ./*'],
  ['fd -e o -x rm', 'rm ?'],
  // packages and interpreters
  ['npx rimraf dist', 'rimraf dist'],
  ['npx -y rimraf@5 dist', 'rimraf dist'],
  ['npx -p @scope/cli cli run', 'cli run'],
  ['bunx cowsay hi', 'cowsay hi'],
  ['uvx ruff check', 'ruff check'],
  ['uvx --from pkg tool x', 'tool x'],
  ['python3 -m pip install x', 'pip install x'],
  ['python3.11 -m pip install x', 'pip install x'],
  ['python -Im pytest -x', 'pytest -x'],
]

describe('what a wrapper runs', () => {
  for (const [text, expected] of RUNS) {
    test(text, () => expect(commands(text).map((item) => item.slice(item.lastIndexOf('>') + 1))).toContain(expected))
  }
})

describe('what a wrapper does besides', () => {
  for (const [text, action] of [
    ['sudo ls', 'privilege:elevate'],
    ['doas ls', 'privilege:elevate'],
    ['sudo -i', 'privilege:elevate'],
    ['chroot /mnt ls', 'privilege:elevate'],
    ['nsenter -t 1 -m ls', 'privilege:namespace'],
    ['flatpak-spawn --host ls', 'privilege:sandbox-escape'],
    ['ssh host', 'net:remote-login'],
    ['ssh host ls', 'net:remote-shell'],
    ['ssh -N -L 1:b:2 host', 'net:forward'],
    ['echo ls | at now', 'schedule:job'],
    ['crontab jobs', 'schedule:cron'],
    ['crontab -r', 'schedule:remove'],
    ['systemd-run --on-calendar=daily ls', 'schedule:timer'],
    ['gdb -p 1', 'proc:memory'],
    ['python3 -m http.server', 'net:listen'],
    ['npx cowsay', 'pkg:run'],
    ['make', 'dev:make'],
    ['direnv allow', 'env:allow'],
  ] as const) {
    test(text, () => expect(actions(text)).toContain(action))
  }
})

describe('nothing runs where a wrapper only explains', () => {
  for (const text of [
    'sudo -l',
    'sudo -V',
    'sudo -k',
    'env --help',
    'xargs --version',
    'bash --version',
    'bash -n x.sh',
    'timeout --help',
    'ssh -V',
    'find --help',
    'make -n x',
    'python3 --version',
    'node -v',
    'crontab -T f',
  ]) {
    test(text, () => expect(facts(text).effects.filter((item) => item.verb !== 'read')).toEqual([]))
  }
})

describe('elsewhere', () => {
  test('paths of another machine are its own', () => {
    const effect = facts('ssh prod rm -rf /var/www').effects.find((item) => item.verb === 'delete')
    expect(effect).toMatchObject({ target: { value: '/var/www', real: null, scope: 'elsewhere' }, attributes: { remote: 'prod' } })
  })
  test('a credential there is still one by its name', () => {
    const effect = facts('ssh prod cat /root/.ssh/id_rsa').effects.find((item) => item.verb === 'read')
    expect(effect?.target.classes).toContain('credential')
  })
  test('a script fed to ssh runs there', () => {
    expect(lines('ssh prod <<E\nrm /x\nE')).toContain('delete /x')
    expect(lines('ssh prod bash -s <<< "rm /x"')).toContain('delete /x')
  })
  test('an unknown remote command is opaque', () => {
    expect(facts('ssh prod "$CMD"').coverage).toBe('partial')
  })
})

describe('xargs and find know where names come from', () => {
  for (const [text, scope] of [
    ['find /repo/src -name "*.o" | xargs rm', 'workspace'],
    ['find /etc -name "*.bak" | grep x | xargs rm', 'system'],
    ['find src -name "*.o" -exec rm {} +', 'workspace'],
    ['find "$X" -name "*.o" -exec rm {} +', 'unknown'],
    ['cat list | xargs rm', 'unknown'],
    ['find / -name x | xargs rm', 'unknown'],
    ['find src | sed s/a/b/ | xargs rm', 'unknown'],
  ] as const) {
    test(text, () => expect(facts(text).effects.find((item) => item.verb === 'delete')?.target.scope).toBe(scope))
  }

  for (const [text, classes] of [
    ['find / -delete', ['filesystem-root']],
    ['find / -exec rm -rf {} +', ['filesystem-root']],
    ['find ~ -type f -delete', ['home-root']],
    ['find . -delete', ['workspace-root']],
    ['find . -name "*.pyc" -delete', []],
    ['find . -empty -type d -delete', []],
  ] as const) {
    test(text, () => expect(facts(text).effects.find((item) => item.verb === 'delete')?.target.classes).toEqual(classes))
  }

  test('files that find writes', () => {
    expect(lines('find . -name x -fprint out -fls list')).toEqual(['read fs:list /repo', 'write /repo/out', 'write /repo/list'])
  })
})

describe('interpreters', () => {
  for (const [text, expected] of [
    ['perl -pi -e "s/a/b/" f', 'write fs:edit /repo/f'],
    ['perl -i.bak -pe "s/a/b/" f', 'write fs:edit /repo/f'],
    ['ruby -i -pe "x" f', 'write fs:edit /repo/f'],
    ['perl -ne "print" f', 'likely read /repo/f'],
    ['perl -ne "print" "rm -rf dir|"', 'delete /repo/dir'],
    ['perl -pe 1 "| rm -rf dir"', 'delete /repo/dir'],
    ['python3 s.py', 'likely execute script:unseen /repo/s.py'],
    ['python3 -u -W ignore s.py -x', 'likely execute script:unseen /repo/s.py'],
    ['node --max-old-space-size=9 s.js', 'likely execute script:unseen /repo/s.js'],
    ['node -r ./hook.js s.js', 'likely execute script:unseen /repo/hook.js'],
    ['tsx src/x.ts', 'likely execute script:unseen /repo/src/x.ts'],
    ['ruby s.rb', 'likely execute script:unseen /repo/s.rb'],
    ['php s.php', 'likely execute script:unseen /repo/s.php'],
    ['Rscript s.R', 'likely execute script:unseen /repo/s.R'],
    ['python3 -m json.tool a b', 'write /repo/b'],
  ] as const) {
    test(text, () => expect(lines(text)).toContain(expected))
  }

  test('code that is not known is dynamic', () => {
    for (const text of ['python3 -c "$X"', 'perl -e "$X"', 'node -e "$(cat f)"', 'ruby -e "$X"', 'php -r "$X"', 'cat a b | python3']) {
      expect(actions(text), text).toContain('code:dynamic')
    }
  })
  test('an interpreter with nothing to run runs nothing', () => {
    for (const text of ['python3', 'node', 'perl', 'bash', 'php -v']) expect(lines(text)).toEqual([])
  })
})

test('every wrapper is found by its name in any letter case', () => {
  for (const name of WRAPPERS.flatMap((family) => Object.keys(family))) {
    expect(lookup(name)?.wraps, name).toBe(true)
    expect(lookup(name.toUpperCase())?.wraps, name).toBe(true)
  }
  expect(isShell('bash') && isShell('python3') && !isShell('ls')).toBe(true)
  const transparent = (name: string): boolean => lookup(name)?.transparent === true
  expect(['sudo', 'xargs', 'poetry'].every(transparent) && !['find', 'make', 'ls'].some(transparent)).toBe(true)
})

describe('commands of a running screen session', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['screen -S name -X title build', false],
    ['screen -x name -p 0 -X title build', false],
    ['screen -X -S name kill', false],
    ['screen -X -S name exec rm x', false],
    ['screen -S name -X kill', false],
    ['screen -S name -X quit', false],
    ['screen -S name -X exec rm x', false],
    ['screen -S name -X screen rm x', false],
    ['screen -S name -X exec "$COMMAND"', true],
    ['screen -S name -X source file', true],
    ['screen -S name -X "$COMMAND"', true],
    ['screen -ls', false],
    ['screen -r name', false],
  ]
  for (const [command, opaque] of cases) {
    test(command, () => expect(facts(command).effects.some((item) => item.verb === 'opaque')).toBe(opaque))
  }
})

describe('a name that is not known chooses what runs', () => {
  for (const [command, opaque] of [
    ['make -f "$F"', true],
    ['make -f mk', false],
    ['npx -p "$P" tsc', true],
    ['npx -p "typescript@$V" tsc', false],
  ] as const) {
    test(command, () => expect(facts(command).effects.some((item) => item.verb === 'opaque')).toBe(opaque))
  }
})
