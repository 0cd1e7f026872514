import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { graphqlActs, restAct } from '../../resources/url/github-api.ts'
import { record, shown } from '../harness.ts'
import { git } from './git.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { versioning } from './versioning.ts'

const TABLES = [github, gitlab, versioning, git]
const effects = (line: string) => shown(TABLES, line)

const EFFECTS: readonly (readonly [string, readonly string[]])[] = [
  ['gh pr list --json number', ['fetch gh:read origin']],
  ['gh pr view 3', ['fetch gh:read origin']],
  ['gh -R o/r pr view 3', ['fetch gh:read o/r']],
  ['gh pr diff 3 --name-only', ['fetch gh:read origin']],
  ['gh pr checkout 3', ['fetch git:fetch origin', 'change git:checkout .']],
  ['gh pr create --fill', ['publish gh:pr-create origin']],
  ['gh pr create -R o/r --title "x" --body "gh pr merge"', ['publish gh:pr-create o/r']],
  ['gh pr create --body-file notes.md', ['read - notes.md', 'publish gh:pr-create origin']],
  ['gh pr create --dry-run', []],
  ['gh pr merge 3 --squash', ['change gh:pr-merge origin !']],
  ['gh pr merge 3 --admin -d', ['change gh:pr-merge origin !']],
  ['gh pr comment 3 -b hi', ['publish gh:comment origin']],
  ['gh pr review --approve', ['publish gh:comment origin']],
  ['gh pr close 3', ['change gh:pr-edit origin']],
  ['gh issue list', ['fetch gh:read origin']],
  ['gh issue create -t x -b y', ['publish gh:issue origin']],
  ['gh issue comment 3 -b y', ['publish gh:comment origin']],
  ['gh issue delete 3', ['delete gh:issue-delete origin !']],
  ['gh release create v1', ['publish gh:release origin !']],
  ['gh release -R o/r create v1', ['publish gh:release o/r !']],
  ['gh release create v1 dist/a.tgz', ['publish gh:release origin !', 'read gh:release dist/a.tgz']],
  ['gh release upload v1 a.zip', ['publish gh:release origin !', 'read gh:release a.zip']],
  ['gh release edit v1 --draft=false', ['publish gh:release origin']],
  ['gh release delete v1 --yes', ['delete gh:release origin !']],
  ['gh release list', ['fetch gh:read origin']],
  ['gh run download 12 -n x -D out', ['fetch gh:read origin', 'write net:download out']],
  ['gh run download 12', ['fetch gh:read origin', 'write net:download .']],
  ['gh release download v1 -D out', ['fetch gh:read origin', 'write net:download out']],
  ['gh repo view', ['fetch gh:read origin']],
  ['gh repo clone o/r', ['fetch git:clone o/r', 'write git:clone r']],
  ['gh repo create o/r --public --push', ['publish gh:repo-create o/r']],
  ['gh repo delete o/r --yes', ['delete gh:repo-delete o/r !']],
  ['gh repo edit o/r --visibility public', ['change gh:repo-edit o/r']],
  ['gh repo archive o/r', ['change gh:repo-edit o/r']],
  ['gh workflow run deploy.yml -f a=b', ['change gh:workflow-run origin !']],
  ['gh workflow list', ['fetch gh:read origin']],
  ['gh run rerun 1', ['change gh:workflow-run origin']],
  ['gh run view 1 --log', ['fetch gh:read origin']],
  ['gh run cancel 1', ['change gh:run origin !']],
  ['gh secret set X -b y', ['change gh:secret origin']],
  ['gh secret list', ['fetch gh:read origin']],
  ['gh secret delete X', ['delete gh:secret origin !']],
  ['gh variable set X', ['change gh:variable origin']],
  ['gh gist create notes.txt', ['read gh:gist notes.txt', 'publish gh:gist gist !']],
  ['gh gist create -', ['publish gh:gist gist !']],
  ['gh gist list', ['fetch gh:read origin']],
  ['gh auth token', ['read gh:token github !'].map((s) => s.replace(' !', ''))],
  ['gh auth status', ['fetch tool:status github']],
  ['gh auth status --show-token', ['read gh:token github']],
  ['gh auth login', ['change gh:auth github']],
  ['gh ssh-key add k.pub', ['change gh:key origin']],
  ['gh extension install o/gh-x', ['execute pkg:install o/gh-x']],
  ['gh alias set x "pr list"', ['change tool:config x']],
  ["gh alias set x '!rm -rf ~'", ['persist tool:config x']],
  ['gh codespace ssh -c x', ['execute net:remote-shell x']],
  ['gh search repos git', ['fetch gh:read origin']],
  ['gh --version', ['execute tool:help gh']],
  ['gh pr create --help', []],
  ['hub push origin main', ['publish git:push origin']],
  ['hub pull-request -m x', ['publish gh:pr-create origin']],
  ['hub status', ['read git:read .']],
  ['glab mr list', ['fetch gl:read origin']],
  ['glab mr create --fill', ['publish gl:pr-create origin']],
  ['glab mr merge 3', ['change gl:pr-merge origin !']],
  ['glab release create v1', ['publish gl:release origin !']],
  ['glab ci run', ['change gl:workflow-run origin']],
  ['glab repo delete o/r', ['delete gl:repo-delete origin !']],
  ['tea pr create', ['publish gl:pr-create origin']],
  ['jj git push --all', ['publish git:push origin']],
  ['jj log', ['read vcs:read .']],
  ['jj abandon x', ['change git:discard . !']],
  ['hg push', ['publish vcs:push default']],
  ['hg st', ['read vcs:read .']],
  ['svn ci -m x', ['publish vcs:push default !']],
]

describe('hosts', () => {
  for (const [line, expected] of EFFECTS) test(line, () => expect(effects(line)).toEqual(expected))

  proves(['ROS-28'], 'every spelling of `gh release create` is a release', () => {
    for (const line of ['gh release create v1', 'gh release -R o/r create v1']) {
      expect(record(TABLES, line).effects.map((e) => [e.verb, e.action])).toEqual([['publish', 'gh:release']])
    }
  })
  test('attributes', () => {
    expect(record(TABLES, 'gh pr merge 3 --admin -d').effects[0]?.attributes).toEqual({
      client: 'gh',
      admin: true,
      delete_branch: true,
      number: '3',
    })
    expect(record(TABLES, 'gh repo edit o/r --visibility public').effects[0]?.attributes).toEqual({ client: 'gh', visibility: 'public' })
    expect(record(TABLES, 'gh gist create --public a').effects[1]?.attributes).toEqual({ public: true, carries: ['a'] })
    expect(record(TABLES, "gh alias set x '!y'").effects[0]?.attributes).toEqual({ runs_code: true })
  })
})

describe('gh api', () => {
  const CALLS: readonly (readonly [string, readonly string[]])[] = [
    ['gh api repos/o/r/releases', ['fetch gh:read']],
    ['gh api /user', ['fetch gh:read']],
    ['gh api -X GET search/issues -f q=x', ['fetch gh:read']],
    ['gh api -X POST repos/o/r/releases -f tag_name=v1', ['publish gh:release']],
    ['gh api repos/o/r/releases -f tag_name=v1', ['publish gh:release']],
    ['gh api --method=POST /repos/{owner}/{repo}/releases', ['publish gh:release']],
    ['gh api -XDELETE repos/o/r/releases/1', ['delete gh:release']],
    ['gh api repos/o/r/pulls -f title=x -f head=y -f base=z', ['publish gh:pr-create']],
    ['gh api -X PUT repos/o/r/pulls/3/merge', ['change gh:pr-merge']],
    ['gh api -X PUT repos/o/r/contents/a.txt -f message=x', ['publish git:push']],
    ['gh api -X PATCH repos/o/r/git/refs/heads/main -f sha=x -F force=true', ['publish git:push']],
    ['gh api repos/o/r/actions/workflows/ci.yml/dispatches -f ref=main', ['change gh:workflow-run']],
    ['gh api -X PUT repos/o/r/actions/secrets/X -f encrypted_value=y', ['change gh:secret']],
    ['gh api -X DELETE repos/o/r', ['delete gh:repo-delete']],
    ['gh api -X PATCH repos/o/r -f private=false', ['change gh:repo-edit']],
    ['gh api repos/o/r/issues/3/comments -f body=x', ['publish gh:comment']],
    ['gh api gists -f x=y', ['publish gh:gist']],
    ['gh api https://api.h.example/repos/o/r/releases -f tag_name=v1', ['publish gh:release']],
    ["gh api repos/o/r -H 'X-HTTP-Method-Override: DELETE'", ['delete gh:repo-delete']],
    ["gh api graphql -f query='query { viewer { login } }'", ['fetch gh:read']],
    ["gh api graphql -f query='mutation { mergePullRequest(input: {}) { x } }'", ['change gh:pr-merge']],
    ["gh api graphql -f query='mutation($i: ID!) { resolveReviewThread(input: {threadId: $i}) { x } }'", ['publish gh:comment']],
    ["gh api graphql -f query='mutation { deletePackageVersion(input: {}) { x } }'", ['delete gh:api']],
  ]
  for (const [line, expected] of CALLS) {
    test(line, () => expect(record(TABLES, line).effects.map((e) => `${e.verb} ${e.action}`)).toEqual(expected))
  }

  test('what is not known is said', () => {
    expect(record(TABLES, 'gh api -X $m repos/o/r').reasons).toHaveLength(1)
    expect(record(TABLES, 'gh api -X POST $x').reasons).toHaveLength(1)
    expect(record(TABLES, 'gh api graphql -F query=@q.graphql').reasons).toHaveLength(1)
    expect(record(TABLES, 'gh api graphql --input q.json').effects.map((e) => e.verb)).toEqual(['read', 'opaque'])
  })
})

describe('restAct', () => {
  const ROUTES: readonly (readonly [string, string, string, boolean])[] = [
    ['HEAD', 'repos/o/r', 'gh:read', true],
    ['get', 'x', 'gh:read', true],
    ['POST', 'repos/o/r/forks', 'gh:repo-create', true],
    ['POST', 'repos/o/r/hooks', 'gh:repo-edit', true],
    ['POST', 'repos/o/r/keys', 'gh:repo-edit', true],
    ['POST', 'repos/o/r/dispatches', 'gh:workflow-run', true],
    ['POST', 'user/keys', 'gh:key', true],
    ['POST', 'user/repos', 'gh:repo-create', true],
    ['DELETE', 'orgs/o/packages/npm/x', 'gh:package', false],
    ['POST', 'something/else', 'gh:api', true],
    ['POST', 'repos/o/r/unheard-of', 'gh:repo-edit', true],
    ['POST', '//repos/o/r/releases?x=y', 'gh:release', true],
    ['POST', 'https://h.example/api/v3/repos/o/r/releases', 'gh:release', true],
    ['POST', 'repos/constructor/__proto__/issues', 'gh:issue', true],
  ]
  for (const [method, endpoint, action, reversible] of ROUTES) {
    test(`${method} ${endpoint}`, () => expect(restAct(method, endpoint)).toMatchObject({ action, reversible }))
  }
  test('graphql mutations that nobody listed change something', () => {
    expect(graphqlActs('mutation { frobnicate(input: {}) { id } }')).toEqual([{ verb: 'change', action: 'gh:api', reversible: true }])
    expect(graphqlActs('mutation { x }')).toEqual([{ verb: 'change', action: 'gh:api', reversible: false }])
    expect(graphqlActs('{ mutationCount }')).toEqual([{ verb: 'fetch', action: 'gh:read', reversible: true }])
    expect(graphqlActs('mutation { constructor(input: {}) { id } }')[0]?.action).toBe('gh:api')
  })
})

describe('unknown subcommands', () => {
  for (const line of ['gh frobnicate', 'gh pr frobnicate', 'glab frobnicate', 'hg frobnicate', 'jj git frobnicate']) {
    test(line, () =>
      expect(record(TABLES, line).effects).toMatchObject([
        { verb: 'execute', action: expect.stringMatching(/:unknown$/), certainty: 'likely' },
      ]),
    )
  }
  test('gh $x', () => expect(record(TABLES, 'gh $x').reasons).toHaveLength(1))
})
