/** As much of GitHub's API as a real `gh` needs for releases, pull requests and settings, on the socket that `http_unix_socket` names. */
import { createServer, type IncomingMessage } from 'node:http'

export interface Hub {
  /** What is there, without ids that grow. */
  readonly state: () => object
  /** Requests that changed something. */
  readonly changes: () => readonly string[]
  readonly stop: () => Promise<void>
}

interface Pull {
  number: number
  node_id: string
  state: 'open' | 'closed'
  merged: boolean
  title: string
  head: { label: string }
}

interface Held {
  readonly settings: Record<string, unknown>
  readonly releases: Map<string, number>
  readonly tags: Set<string>
  readonly pulls: Pull[]
  readonly reverted: string[]
  readonly changes: string[]
  ids: number
}

const REPOSITORY = '/repos/acme/shop'
const SETTINGS = {
  description: 'a shop',
  homepage: null,
  visibility: 'public',
  has_issues: true,
  has_wiki: false,
  default_branch: 'main',
  archived: false,
}

export async function startHub(socket: string): Promise<Hub> {
  const held: Held = {
    settings: { ...SETTINGS },
    releases: new Map([['v1', 1]]),
    tags: new Set(['v1', 'v2']),
    pulls: [{ number: 3, node_id: 'PR_3', state: 'open', merged: false, title: 'older', head: { label: 'acme:fix' } }],
    reverted: [],
    changes: [],
    ids: 10,
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString('utf8')
    const { status = 200, body } = answered(request, text === '' ? {} : JSON.parse(text), held)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    state: () =>
      structuredClone({
        settings: held.settings,
        releases: [...held.releases.keys()],
        tags: [...held.tags],
        reverted: held.reverted,
        open: held.pulls.filter(({ state }) => state === 'open').map(({ title }) => title),
      }),
    changes: () => held.changes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Answer {
  readonly status?: number
  readonly body?: unknown
}

const MISSING: Answer = { status: 404, body: { message: 'Not Found' } }

function answered({ method = 'GET', url = '' }: IncomingMessage, body: Record<string, unknown>, held: Held): Answer {
  const { pathname, searchParams } = new URL(url, 'https://api.github.com')
  if (pathname === '/graphql') return graphql(body as { query: string; variables: Record<string, string> }, held)
  if (!pathname.startsWith(REPOSITORY)) return MISSING
  if (method !== 'GET') held.changes.push(`${method} ${pathname}`)
  const [place = '', ...rest] = pathname.slice(REPOSITORY.length + 1).split('/')
  if (place === '' && method === 'PATCH') Object.assign(held.settings, body)
  if (place === '') return { body: { ...held.settings, full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' } }
  if (place === 'releases') return releases(method, rest, { body, held })
  if (place === 'git') return tags(method, rest.slice(-1)[0] ?? '', held)
  return place === 'pulls' ? pulls(method, rest, { body, held, search: searchParams }) : MISSING
}

interface Given {
  readonly body: Record<string, unknown>
  readonly held: Held
}

function releases(method: string, [first, second = '']: readonly string[], { body, held }: Given): Answer {
  if (method === 'POST') {
    const tag = String(body.tag_name)
    held.ids += 1
    held.releases.set(tag, held.ids)
    held.tags.add(tag)
    return { status: 201, body: { id: held.ids, tag_name: tag, html_url: `https://github.com/acme/shop/releases/${tag}`, assets: [] } }
  }
  if (method === 'DELETE') {
    for (const [tag, id] of held.releases) if (String(id) === first) held.releases.delete(tag)
    return { status: 204 }
  }
  const id = first === 'tags' ? held.releases.get(second) : undefined
  return id === undefined ? MISSING : { body: { id, tag_name: second } }
}

function tags(method: string, tag: string, held: Held): Answer {
  if (method === 'DELETE') return held.tags.delete(tag) ? { status: 204 } : MISSING
  return held.tags.has(tag) ? { body: { ref: `refs/tags/${tag}` } } : MISSING
}

function pulls(method: string, [first]: readonly string[], { body, held, search }: Given & { readonly search: URLSearchParams }): Answer {
  if (method === 'POST') {
    const number = Math.max(...held.pulls.map((pull) => pull.number)) + 1
    const head = { label: `acme:${String(body.head)}` }
    const made: Pull = { number, node_id: `PR_${number}`, state: 'open', merged: false, title: String(body.title), head }
    held.pulls.unshift(made)
    return { status: 201, body: made }
  }
  if (first === undefined) {
    const state = search.get('state') ?? 'open'
    const head = search.get('head')
    const found = held.pulls.filter((pull) => (state === 'all' || pull.state === state) && (head === null || pull.head.label === head))
    return { body: found.slice(0, Number(search.get('per_page') ?? 30)) }
  }
  const pull = held.pulls.find(({ number }) => String(number) === first)
  if (pull === undefined) return MISSING
  if (method === 'PUT') Object.assign(pull, { merged: true, state: 'closed' })
  if (method === 'PATCH') Object.assign(pull, body)
  return { body: pull }
}

function graphql({ query, variables }: { readonly query: string; readonly variables: Record<string, string> }, held: Held): Answer {
  if (!query.includes('revertPullRequest')) return { body: { errors: [{ message: `not known here: ${query.slice(0, 80)}` }] } }
  held.reverted.push(String(variables.id))
  return { body: { data: { revertPullRequest: { revertPullRequest: { url: 'https://github.com/acme/shop/pull/9' } } } } }
}
