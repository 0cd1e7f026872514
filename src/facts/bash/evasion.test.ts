// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { actions, commands, facts, lines } from './harness.ts'

/** One effect, every spelling. A spelling that hides the effect is a hole; one that is merely opaque asks, and is listed. */

const GIT = {
  '/repo': { top: '/repo', branch: 'main', remotes: { origin: 'https://git.example/o/r.git' }, aliases: { p: 'push', x: '!rm -rf /etc' } },
}

const REMOVES_ETC: readonly string[] = [
  'rm -rf /etc',
  'rm -r -f /etc/',
  'rm --recursive --force /etc',
  '/bin/rm -rf /etc',
  'r\\m -rf /etc',
  `r''m -rf /etc`,
  '"rm" -rf "/etc"',
  `$'\\x72\\x6d' -rf /etc`,
  `$'\\162m' -rf $'/e\\u0074c'`,
  'RM -rf /etc',
  'rm -rf \\\n/etc',
  'rm -rf //etc',
  'rm -rf /tmp/../etc',
  'rm -rf /e{t,}c',
  '{rm,-rf,/etc}',
  // substitution
  '$(echo rm) -rf /etc',
  '`echo rm` -rf /etc',
  '$(printf "\\x72m") -rf /etc',
  'rm -rf $(echo /etc)',
  '$(echo cm0= | base64 -d) -rf /etc',
  'echo $(rm -rf /etc)',
  'echo "`rm -rf /etc`"',
  // variables
  'a=r b=m; $a$b -rf /etc',
  'c="rm -rf /etc"; $c',
  'declare -x c="rm -rf /etc"; $c',
  'export d=/etc; rm -rf "$d"',
  'rm -rf ${nothing:-/etc}',
  'y=/etcetera; rm -rf ${y%etera}',
  'x=(rm -rf /etc); "${x[@]}"',
  'set -- rm -rf /etc; "$@"',
  'IFS=,; c=rm,-rf,/etc; $c',
  'unset x; rm -rf $x/etc',
  'printf -v c %s "rm -rf /etc"; $c',
  'read c <<< "rm -rf /etc"; $c',
  'for i in rm; do $i -rf /etc; done',
  // places
  'cd /; rm -rf etc',
  'cd / && rm -rf etc',
  'pushd /; rm -rf etc',
  '(cd /; rm -rf etc)',
  '(cd /tmp; rm -rf ../etc)',
  // compounds
  'true && rm -rf /etc',
  'false || rm -rf /etc',
  '! rm -rf /etc',
  'rm -rf /etc &',
  '{ rm -rf /etc; }',
  'if true; then rm -rf /etc; fi',
  'if false; then :; elif rm -rf /etc; then :; fi',
  'while rm -rf /etc; do break; done',
  'until rm -rf /etc; do :; done',
  'case x in *) rm -rf /etc;; esac',
  'for ((;;)); do rm -rf /etc; done',
  'select x in a; do rm -rf /etc; done',
  'coproc rm -rf /etc',
  'time rm -rf /etc',
  'ls | rm -rf /etc',
  // names
  'f() { rm -rf "$1"; }; f /etc',
  'f() { "$@"; }; f rm -rf /etc',
  'function f { rm -rf /etc; }; f',
  'alias l="rm -rf"; l /etc',
  'trap "rm -rf /etc" EXIT',
  // builtins that run
  'eval rm -rf /etc',
  'eval "rm -rf" /etc',
  'exec rm -rf /etc',
  'command rm -rf /etc',
  'builtin eval "rm -rf /etc"',
  'source <(echo rm -rf /etc)',
  '. /dev/stdin <<< "rm -rf /etc"',
  // shells
  'bash -c "rm -rf /etc"',
  'sh -ec "rm -rf /etc"',
  `sh -c 'rm -rf $0' /etc`,
  `bash -c 'rm -rf "$1"' _ /etc`,
  'zsh -lc "rm -rf /etc"',
  'echo "rm -rf /etc" | sh',
  'sh <<< "rm -rf /etc"',
  'bash <<E\nrm -rf /etc\nE',
  'bash -s <<E\nrm -rf /etc\nE',
  'bash < <(echo rm -rf /etc)',
  'printf "rm -rf /etc" > a.sh; sh a.sh',
  'cat > b.sh <<E\nrm -rf /etc\nE\nchmod +x b.sh && ./b.sh',
  'echo rm -rf /etc | tee c.sh; bash c.sh',
  // encodings
  'echo cm0gLXJmIC9ldGM= | base64 -d | sh',
  'base64 -d <<< cm0gLXJmIC9ldGM= | bash',
  'bash -c "$(echo cm0gLXJmIC9ldGM= | base64 --decode)"',
  'eval "$(base64 -D <<< cm0gLXJmIC9ldGM=)"',
  'echo 726d202d7266202f657463 | xxd -r -p | sh',
  'sh -c "$(base64 -d <(echo cm0gLXJmIC9ldGM=))"',
  'rm -rf $(xxd -r -ps <(echo 2f657463))',
  'echo cm0gLXJmIC9ldGM= > x; sh -c "$(base64 -d x)"',
  'rev <<< "cte/ fr- mr" | sh',
  'echo "ez -es /rgp" | tr "a-z" "n-za-m" | sh',
  'openssl base64 -d <<< cm0gLXJmIC9ldGM= | sh',
  // wrappers
  'sudo rm -rf /etc',
  'sudo -u root -- rm -rf /etc',
  'doas rm -rf /etc',
  'su -c "rm -rf /etc"',
  'env rm -rf /etc',
  'env -i A=1 rm -rf /etc',
  'env -S "rm -rf /etc"',
  'env -C / rm -rf etc',
  'nice -n 5 rm -rf /etc',
  'ionice -c 3 rm -rf /etc',
  'timeout -k 1 5 rm -rf /etc',
  'nohup rm -rf /etc &',
  'stdbuf -o0 rm -rf /etc',
  'setsid -f rm -rf /etc',
  'taskset -c 0 rm -rf /etc',
  'busybox rm -rf /etc',
  'flock /tmp/l rm -rf /etc',
  'flock /tmp/l -c "rm -rf /etc"',
  'watch -n 1 "rm -rf /etc"',
  'script -qc "rm -rf /etc" /dev/null',
  'unshare -r rm -rf /etc',
  'systemd-run --user rm -rf /etc',
  'strace -f rm -rf /etc',
  'xargs rm -rf <<< /etc',
  'echo /etc | xargs -I{} rm -rf {}',
  'echo rm -rf /etc | xargs -0 sh -c',
  'parallel rm -rf ::: /etc',
  'parallel "rm -rf {}" ::: /etc',
  'find /etc -delete',
  'find /etc -exec rm -rf {} +',
  'find . -exec rm -rf /etc \\;',
  'find . -name x -execdir sh -c "rm -rf /etc" \\;',
  'fd x /repo -x rm -rf /etc',
  'echo "rm -rf /etc" | at now',
  'tmux send-keys "rm -rf /etc" Enter',
  'tmux new-session -d "rm -rf /etc"',
  'screen -dm rm -rf /etc',
  'vim -c "!rm -rf /etc"',
  'vim "+!rm -rf /etc" x',
  'gdb -batch -ex "shell rm -rf /etc"',
  'gdb --args rm -rf /etc',
  // tools that run commands
  `git -c core.pager='rm -rf /etc' log`,
  `git -c alias.z='!rm -rf /etc' z`,
  'git x',
  'GIT_SSH_COMMAND="rm -rf /etc" git fetch',
  'PAGER="rm -rf /etc" man ls',
  'EDITOR="rm -rf /etc" crontab -e',
  'export GIT_EDITOR="rm -rf /etc"',
  'ssh -o ProxyCommand="rm -rf /etc" host',
  'rsync -e "rm -rf /etc" a b:c',
  'tar cf x y --checkpoint=1 --checkpoint-action=exec="rm -rf /etc"',
  'tar xf x --to-command="rm -rf /etc"',
]

proves('T08', 'every spelling of one removal has the effect of that removal', () => {
  const missed = REMOVES_ETC.filter((text) => {
    const { effects } = facts(text, { git: GIT, directories: ['/etc'] })
    return !effects.some((item) => item.verb === 'delete' && item.target.real === '/etc')
  })
  expect(missed).toEqual([])
})

/** Spellings whose effect cannot be told: each says so. */
const OPAQUE: readonly string[] = [
  '$X -rf /etc',
  '"$(cat cmd)" -rf /etc',
  'eval "$CMD"',
  'bash -c "$CMD"',
  'sh -c "$(cat f)"',
  'source <(cat f g)',
  'cat f g | sh',
  '/???/r? -rf /etc',
  'echo "rm -rf /etc" | while read l; do $l; done',
  'trap "$X" EXIT',
  'alias x="$Y"',
  'echo $(',
  "echo 'unclosed",
  'if true; then',
  'find . $X -delete',
  'git -c "$K" log',
  'xargs -a list sh -c',
  'parallel "$X" ::: a',
  'expect -f spawn.exp',
  'f() { f; }; f',
  '"" x',
  'make --eval "$X"',
]

proves('T08', 'what cannot be resolved is an opaque effect with a reason and a place, never silence', () => {
  for (const text of OPAQUE) {
    const { effects, coverage } = facts(text)
    const opaque = effects.filter((item) => item.verb === 'opaque')
    expect(opaque.length, text).toBeGreaterThan(0)
    expect(coverage, text).toBe('partial')
    for (const item of opaque) {
      expect(item.reason, text).toBeTruthy()
      expect(item.span?.pointer, text).toBe('/command')
    }
  }
})

/** Text that only mentions a command. */
const MENTIONS: readonly string[] = [
  'echo rm -rf /etc',
  `echo 'Visit https://x.example'`,
  'printf "%s\\n" "rm -rf /etc"',
  'git commit -m "rm -rf /etc"',
  'grep -r "rm -rf /etc" .',
  'cat <<E\nrm -rf /etc\nE',
  "cat > notes.md <<'E'\n```\ncurl https://x | sh\n```\nE",
  '# rm -rf /etc',
  'ls # rm -rf /etc',
  ': rm -rf /etc',
  'x="rm -rf /etc"',
  'f() { rm -rf /etc; }',
  '[ "$x" = "rm -rf /etc" ]',
  '[[ $x == "curl https://x | sh" ]]',
  'case "$x" in "rm -rf /etc") ;; esac',
  'which rm',
  'command -v rm',
  'type rm',
  'man rm',
  'alias x="rm -rf /etc"',
  'sed -n "s/rm -rf/x/p" f',
  'awk "/rm -rf/" f',
  'jq ".rm" f',
  'echo "$(echo rm -rf /etc)"',
  'python3 -c "print(\'rm -rf /etc\')"',
  'true || echo "curl https://x | sh"',
]

proves('T08', 'a mention is not a use', () => {
  for (const text of MENTIONS) {
    const bad = facts(text).effects.filter(
      (item) => ['delete', 'fetch', 'send', 'opaque'].includes(item.verb) || item.action?.startsWith('code:'),
    )
    expect(
      bad.map((item) => `${item.verb} ${item.reason ?? item.target.value}`),
      text,
    ).toEqual([])
  }
})

const PUSHES: readonly string[] = [
  `git pu''sh`,
  `g''it push`,
  'git $(echo pu)sh',
  'P=push; git $P',
  'git \\\npush',
  `git -c core.x='a;b' push`,
  'GIT push',
  'echo Z2l0IHB1c2g= | base64 -d | sh',
  'git p',
  '$(echo git) push',
  'git -c alias.p=push p',
  '/usr/bin/git push',
  'git\tpush',
]

proves('ROS-W4', 'no spelling hides a push or a publish', () => {
  for (const text of PUSHES) expect(actions(text, { git: GIT }), text).toContain('git:push')
  expect(actions('git send-pack o', { git: GIT })).toContain('git:push')
  expect(lines('npm pu\\blish').join()).toContain('npm:publish')
})

const PUBLISHES: readonly string[] = [
  'gh api -X POST /repos/o/r/releases',
  'gh workflow run x',
  'gh pr merge 1',
  'gh release upload v1 f',
  'gh release delete v1',
  'gh release edit v1 --draft=false',
  'npx semantic-release',
  'npx np',
  'npx lerna publish',
  'lerna publish',
  'bun publish',
  'cargo publish',
  'gem push x.gem',
  'docker push o/x',
  'poetry publish',
  'hatch publish',
  'npm unpublish x',
  'npm deprecate x y',
  'npm dist-tag add x@1 latest',
]

proves('ROS-W5', 'the same effect by another tool changes something outside too', () => {
  for (const text of PUBLISHES) {
    const outside = facts(text, { git: GIT }).effects.filter((item) => ['publish', 'delete', 'change'].includes(item.verb))
    expect(outside.length, text).toBeGreaterThan(0)
  }
  const script = { files: { '/repo/release.sh': '#!/bin/sh\ngit push --tags\n' }, git: GIT }
  expect(actions('./release.sh', script)).toContain('git:push')
})

proves('ROS-W6', 'words that merely look like a push publish nothing', () => {
  const world = { git: GIT, files: { '/repo/package.json': '{"scripts":{"publish-docs":"mkdocs build"}}' } }
  for (const text of [
    'git stash push',
    'git commit -m "push later"',
    'grep "git push" README',
    'echo npm publish',
    'npm run publish-docs',
  ]) {
    const outside = facts(text, world).effects.filter((item) => ['publish', 'send', 'opaque'].includes(item.verb))
    expect(outside, text).toEqual([])
  }
})

describe('wrappers are taken off, and named', () => {
  for (const [text, expected] of [
    ['sudo env A=1 nice -n 5 rm x', ['sudo>env>nice>rm x']],
    ['bash -c "git push"', ['bash>git push']],
    ['find . -exec rm {} +', ['find . -exec rm {} +', 'find>rm ./*']],
    ['echo a b | xargs rm', ['echo a b', 'xargs>rm a b']],
    ['timeout 5 bash -c "ls; ls"', ['timeout>bash>ls', 'timeout>bash>ls']],
    ['sudo', ['sudo']],
  ] as const) {
    test(text, () => expect(commands(text)).toEqual(expected))
  }
})
