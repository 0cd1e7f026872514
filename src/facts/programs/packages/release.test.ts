import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { agents } from '../agents/agents.ts'
import { containers } from '../containers/containers.ts'
import { github } from '../git/github.ts'
import { record, shown } from '../harness.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import { releases } from './release.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'

const TABLES = [releases, javascript, python, ruby, rust, github, containers]
const actions = (line: string) => record(TABLES, line).effects.map((e) => e.action)

const RELEASES: readonly (readonly [string, readonly string[]])[] = [
  ['semantic-release', ['npm:publish', 'gh:release', 'git:push']],
  ['semantic-release --dry-run', ['dev:release-dry-run']],
  ['semantic-release --dry-run=false', ['npm:publish', 'gh:release', 'git:push']],
  ['np', ['npm:publish', 'gh:release', 'git:push']],
  ['np patch --no-publish', ['gh:release', 'git:push']],
  ['np --preview', ['dev:release-dry-run']],
  ['release-it minor --ci', ['npm:publish', 'gh:release', 'git:push']],
  ['release-it --no-npm --no-git.push', ['gh:release']],
  ['release-it -d', ['dev:release-dry-run']],
  ['lerna publish', ['npm:publish', 'git:push']],
  ['lerna publish from-package --yes', ['npm:publish']],
  ['lerna publish --no-push', ['npm:publish']],
  ['lerna version minor', ['git:push']],
  ['lerna version --no-push', []],
  ['lerna run build', ['pkg:script']],
  ['lerna ls', ['pkg:read']],
  ['changeset publish', ['npm:publish']],
  ['changeset version', ['dev:build']],
  ['changeset', ['dev:build']],
  ['changeset status', ['pkg:read']],
  ['goreleaser release --clean', ['gh:release', 'docker:push']],
  ['goreleaser release --snapshot', ['dev:build']],
  ['goreleaser release --skip=publish', ['dev:build']],
  ['goreleaser release --skip docker', ['gh:release']],
  ['goreleaser build', ['dev:build']],
  ['goreleaser check', ['pkg:read']],
  ['gh-pages -d dist', ['pages:deploy', 'git:push']],
  ['mkdocs gh-deploy --force', ['pages:deploy', 'git:push']],
  ['mkdocs build', ['dev:build']],
  ['maturin publish', ['pypi:publish']],
  ['maturin develop', ['dev:build']],
  ['vsce publish minor', ['vscode:publish']],
  ['vsce package', ['dev:build']],
  ['release-please github-release', ['gh:release']],
  ['release-please release-pr --dry-run', ['dev:release-dry-run']],
  ['bump2version patch', ['git:commit']],
  ['bump2version --dry-run patch', []],
  ['tbump 1.0 --push', ['git:commit', 'git:push']],
  ['semantic-release --help', []],
]

describe('release tools', () => {
  for (const [line, expected] of RELEASES) test(line, () => expect(actions(line)).toEqual(expected))
  test('publishing is publishing', () => {
    expect(shown(TABLES, 'changeset publish')).toEqual(['publish npm:publish . !'])
    expect(record(TABLES, 'semantic-release').effects.every((e) => e.verb === 'publish' && !e.reversible)).toBe(true)
  })
  test.each([
    ['gh-pages -d dist', 'origin', 'gh-pages'],
    ['gh-pages -d dist -b live -o upstream', 'upstream', 'live'],
    ['mkdocs gh-deploy --remote-branch live', 'origin', 'live'],
    ['mkdocs gh-deploy', 'origin', undefined],
    ['semantic-release', 'origin', undefined],
  ])('%s pushes to the branch that its words and nothing else say', (line, remote, branch) => {
    const push = record(TABLES, line).effects.find(({ action }) => action === 'git:push')
    expect([push?.attributes?.remote, push?.attributes?.branch]).toEqual([remote, branch])
  })
  for (const line of ['lerna frobnicate', 'changeset frobnicate', 'goreleaser frobnicate']) {
    test(line, () => expect(record(TABLES, line).effects).toMatchObject([{ action: expect.stringMatching(/:unknown$/) }]))
  }
})

proves('ROS-W5', 'the same effect by another verb has the action that is gated', () => {
  const SAME: readonly (readonly [string, string])[] = [
    ['gh api -X POST repos/o/r/releases', 'gh:release'],
    ['gh workflow run ci.yml', 'gh:workflow-run'],
    ['gh pr merge 3', 'gh:pr-merge'],
    ['gh release upload v1 x', 'gh:release'],
    ['gh release delete v1', 'gh:release'],
    ['gh release edit v1', 'gh:release'],
    ['lerna publish', 'npm:publish'],
    ['bun publish', 'npm:publish'],
    ['cargo publish', 'crates:publish'],
    ['gem push x.gem', 'gems:publish'],
    ['docker push o/x', 'docker:push'],
    ['poetry publish', 'pypi:publish'],
    ['hatch publish', 'pypi:publish'],
    ['npm unpublish x', 'npm:unpublish'],
    ['npm deprecate x y', 'npm:deprecate'],
    ['npm dist-tag add x@1 latest', 'npm:dist-tag'],
    ['semantic-release', 'npm:publish'],
    ['np', 'npm:publish'],
  ]
  for (const [line, action] of SAME) expect(actions(line), line).toContain(action)
})

describe('agents', () => {
  const spawned = (line: string) => record([agents], line).effects[0]
  const AGENTS: readonly (readonly [string, boolean])[] = [
    ['claude -p x', false],
    ['claude', false],
    ['claude --dangerously-skip-permissions -p x', true],
    ['claude -p x --dangerously-skip-permissions', true],
    ['claude --bare -p x', true],
    ['claude --permission-mode bypassPermissions', true],
    ['claude --permission-mode=plan', false],
    ['claude --permission-mode $x', true],
    ["claude --setting-sources '' -p x", true],
    ['claude --settings \'{"disableAllHooks":true}\' -p x', true],
    ['codex exec x', false],
    ['codex --yolo x', true],
    ['codex exec --dangerously-bypass-approvals-and-sandbox x', true],
    ['codex -a never x', true],
    ['codex --sandbox danger-full-access x', true],
    ['codex -c approval_policy=never x', true],
    ['codex -a on-request x', false],
    ['gemini -p x', false],
    ['gemini --yolo -p x', true],
    ['gemini -y', true],
    ['gemini --approval-mode=yolo', true],
    ['aider --yes-always', true],
    ['cursor-agent -f -p x', true],
    ['copilot --allow-all-tools -p x', true],
    ['opencode run x', false],
  ]
  for (const [line, ungated] of AGENTS) {
    test(line, () => {
      expect(spawned(line)).toMatchObject({ verb: 'execute', action: 'agent:start' })
      const attributes = spawned(line)?.attributes
      expect(attributes?.ungated === true || attributes?.gated === 'no').toBe(ungated)
    })
  }
  for (const line of ['claude --version', 'claude --help', 'codex --help']) {
    test(`nothing: ${line}`, () => expect(record([agents], line).effects).toEqual([]))
  }

  test('settings and servers outlive the call', () => {
    expect(shown([agents], 'claude config set model x')).toEqual(['persist agent:settings claude'])
    expect(shown([agents], 'claude config list')).toEqual(['read agent:settings claude'])
    expect(shown([agents], 'claude mcp list')).toEqual(['read agent:settings claude'])
    const added = record([agents], 'claude mcp add srv -- npx -y some-server')
    expect(added.effects).toMatchObject([
      { verb: 'persist', action: 'agent:mcp-add', attributes: { server: 'srv', command: 'npx -y some-server' } },
    ])
    expect(added.commands).toEqual(['npx -y some-server'])
    expect(shown([agents], 'claude mcp add --transport http srv https://m.example/mcp')).toEqual([
      'persist agent:mcp-add srv',
      'fetch agent:mcp-add https://m.example/mcp',
    ])
    expect(shown([agents], 'codex mcp add srv --url https://m.example')).toContain('persist agent:mcp-add srv')
    expect(shown([agents], 'claude plugin install x')).toEqual(['persist agent:settings claude'])
  })
  test('models', () => {
    expect(shown([agents], 'ollama rm x')).toEqual(['delete model:delete x !'])
    expect(shown([agents], 'ollama list')).toEqual(['read pkg:read installed'])
  })
})
