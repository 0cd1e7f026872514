import type { Verb } from '../../effect.ts'

/**
 * What a request to the REST or GraphQL interface of a GitHub-like host does, as the same actions that the `gh` subcommands
 * have: `gh api -X POST …/releases` is a release, whatever it is spelled like.
 */

export interface ApiAct {
  readonly verb: Verb
  readonly action: string
  readonly reversible: boolean
  /** How a push overwrites what the branch was: `delete`, `force`. */
  readonly lost?: 'delete' | 'force'
}

interface Route {
  /** Below `repos/{owner}/{repo}/`; null for any other place. */
  readonly below: RegExp
  readonly action: string
  readonly verb?: Verb
  readonly method?: string
}

/** Routes below a repository, first match wins. */
const REPOSITORY: readonly Route[] = [
  { below: /^releases(?:\/|$)/, action: 'gh:release' },
  { below: /^pulls$/, action: 'gh:pr-create' },
  { below: /^pulls\/[^/]+\/merge$/, action: 'gh:pr-merge', verb: 'change' },
  { below: /^(?:issues|pulls|commits)\/[^/]+\/(?:comments|reviews|reactions|replies)/, action: 'gh:comment' },
  { below: /^(?:pulls|issues)\/comments\//, action: 'gh:comment' },
  { below: /^issues$/, action: 'gh:issue' },
  { below: /^issues\//, action: 'gh:issue', verb: 'change' },
  { below: /^pulls\//, action: 'gh:pr-edit', verb: 'change' },
  {
    below: /^(?:actions\/workflows\/[^/]+\/dispatches|dispatches|actions\/runs\/[^/]+\/(?:rerun|approve).*|deployments.*)$/,
    action: 'gh:workflow-run',
    verb: 'change',
  },
  { below: /(?:^|\/)secrets(?:\/|$)/, action: 'gh:secret', verb: 'change' },
  { below: /(?:^|\/)variables(?:\/|$)/, action: 'gh:variable', verb: 'change' },
  { below: /^actions\//, action: 'gh:run', verb: 'change' },
  { below: /^(?:git\/(?:refs|commits|trees|blobs|tags)|contents|merges|merge-upstream)(?:\/|$)/, action: 'git:push' },
  { below: /^pages(?:\/|$)/, action: 'pages:deploy' },
  { below: /^forks$/, action: 'gh:repo-create' },
  {
    below:
      /^(?:keys|hooks|collaborators|branches|rulesets|environments|invitations|transfer|topics|automated-security-fixes|vulnerability-alerts)(?:\/|$)/,
    action: 'gh:repo-edit',
    verb: 'change',
  },
]

const ELSEWHERE: readonly Route[] = [
  { below: /^gists(?:\/|$)/, action: 'gh:gist' },
  { below: /^user\/(?:keys|gpg_keys|ssh_signing_keys)(?:\/|$)/, action: 'gh:key', verb: 'change' },
  { below: /^(?:user\/repos|orgs\/[^/]+\/repos|repos\/[^/]+\/[^/]+\/generate)$/, action: 'gh:repo-create' },
  { below: /(?:^|\/)packages\//, action: 'gh:package', verb: 'change' },
  { below: /(?:^|\/)secrets(?:\/|$)/, action: 'gh:secret', verb: 'change' },
]

const READING = ['GET', 'HEAD', 'OPTIONS']

/** The path of an endpoint, without host, version prefix and query. */
function pathOf(endpoint: string): string {
  const scheme = endpoint.indexOf('://')
  const path = scheme < 0 ? endpoint : endpoint.slice(endpoint.indexOf('/', scheme + 3))
  return (path.split(/[?#]/)[0] ?? '').replace(/^\/+/, '').replace(/^api\/v3\//, '')
}

/** What `method endpoint` does. Endpoints as `gh api` takes them: `repos/o/r/releases`, with or without a leading slash or host. */
export function restAct(method: string, endpoint: string): ApiAct {
  const verb = method.toUpperCase()
  if (READING.includes(verb)) return { verb: 'fetch', action: 'gh:read', reversible: true }
  const path = pathOf(endpoint)
  const below = /^repos\/[^/]+\/[^/]+(?:\/(.*))?$/.exec(path)
  if (below !== null && (below[1] ?? '') === '') {
    return verb === 'DELETE'
      ? { verb: 'delete', action: 'gh:repo-delete', reversible: false }
      : { verb: 'change', action: 'gh:repo-edit', reversible: true }
  }
  const route = below === null ? ELSEWHERE.find((r) => r.below.test(path)) : REPOSITORY.find((r) => r.below.test(below[1] ?? ''))
  const action = route?.action ?? (below === null ? 'gh:api' : 'gh:repo-edit')
  if (verb === 'DELETE') return deletion(action, path)
  return { verb: route?.verb ?? (route === undefined ? 'change' : 'publish'), action, reversible: true }
}

/** Below the contents of a repository, a branch goes or a commit without the file is made. */
function deletion(action: string, path: string): ApiAct {
  if (action !== 'git:push') return { verb: 'delete', action, reversible: false }
  return { verb: 'publish', action, reversible: false, ...(/\/git\/refs\//.test(path) ? { lost: 'delete' } : {}) }
}

const MUTATIONS: Readonly<Record<string, string>> = {
  createPullRequest: 'gh:pr-create',
  mergePullRequest: 'gh:pr-merge',
  enablePullRequestAutoMerge: 'gh:pr-merge',
  createIssue: 'gh:issue',
  addComment: 'gh:comment',
  addPullRequestReview: 'gh:comment',
  addPullRequestReviewComment: 'gh:comment',
  addPullRequestReviewThreadReply: 'gh:comment',
  addDiscussionComment: 'gh:comment',
  createDiscussion: 'gh:issue',
  resolveReviewThread: 'gh:comment',
  unresolveReviewThread: 'gh:comment',
  createCommitOnBranch: 'git:push',
  createRef: 'git:push',
  updateRef: 'git:push',
  updateRefs: 'git:push',
  deleteRef: 'git:push',
  mergeBranch: 'git:push',
  createRepository: 'gh:repo-create',
  updateRepository: 'gh:repo-edit',
  archiveRepository: 'gh:repo-edit',
}
const FORCED = /\bforce\s{0,8}:\s{0,8}true\b/
const PUBLISHED = ['gh:pr-create', 'gh:issue', 'gh:comment', 'git:push', 'gh:repo-create']

/** What a GraphQL document does: one act for each mutation it names; reading where it has none. */
export function graphqlActs(query: string): readonly ApiAct[] {
  const found = /(?:^|[\s}])mutation\b/.exec(query)
  if (found === null) return [{ verb: 'fetch', action: 'gh:read', reversible: true }]
  const names = query.slice(found.index).match(/\b[a-z][A-Za-z]+(?=\s{0,8}\(\s{0,8}input\b)/g) ?? []
  if (names.length === 0) return [{ verb: 'change', action: 'gh:api', reversible: false }]
  return [...new Set(names)].map((name) => {
    const action = (Object.hasOwn(MUTATIONS, name) ? MUTATIONS[name] : undefined) ?? 'gh:api'
    const removes = name.startsWith('delete') || name.startsWith('remove')
    const verb: Verb = PUBLISHED.includes(action) ? 'publish' : removes ? 'delete' : 'change'
    const lost = action !== 'git:push' ? null : removes ? 'delete' : FORCED.test(query) ? 'force' : null
    return { verb, action, reversible: !removes && lost === null, ...(lost === null ? {} : { lost }) }
  })
}
