/**
 * Releases, pull requests and settings of a repository at GitHub, taken back by `gh api` with the credentials of whoever runs the gate.
 * Only what the REST API tells is kept (https://docs.github.com/rest).
 */
import type { Effect } from '../../core/effect.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { currentBranch } from '../git.ts'
import { isBranch, isRepository, numberIn } from './names.ts'
import { runClient } from './program.ts'

/** What was kept: which repository, and what the way back is about. */
export interface HubState extends JsonObject {
  readonly cwd: string
  /** Null: the one that the client is logged in to. */
  readonly host: string | null
  /** `owner/name`. */
  readonly repository: string
  readonly act: HubAct
}

type HubAct =
  | { readonly kind: 'release'; readonly tag: string; readonly tagged: boolean }
  /** `after`: the highest number before. */
  | { readonly kind: 'request'; readonly head: string; readonly after: number }
  | { readonly kind: 'merge'; readonly number: number; readonly id: string }
  | { readonly kind: 'settings'; readonly settings: JsonObject }

/** Settings that an update of a repository takes as they are told. */
const SETTINGS = [
  'allow_auto_merge',
  'allow_forking',
  'allow_merge_commit',
  'allow_rebase_merge',
  'allow_squash_merge',
  'allow_update_branch',
  'archived',
  'default_branch',
  'delete_branch_on_merge',
  'description',
  'has_issues',
  'has_projects',
  'has_wiki',
  'homepage',
  'is_template',
  'visibility',
  'web_commit_signoff_required',
] as const

const MAX_BYTES = 8_000_000

/** @throws where GitHub cannot be asked. Null where the act is about something that is there already, and stays. */
export async function captureHub(effect: Effect, cwd: string): Promise<HubState | null> {
  const place = await placeOf(effect, cwd)
  const act = await READERS[effect.action ?? '']?.(effect, place)
  return act === null || act === undefined ? null : { ...place, act }
}

type Place = Pick<HubState, 'cwd' | 'host' | 'repository'>

async function placeOf({ target }: Effect, cwd: string): Promise<Place> {
  if (target.value !== 'origin') {
    const parts = target.value.replace(/^https:\/\//, '').split('/')
    const [host, owner, name] = parts.length === 3 ? parts : [null, ...parts]
    return checked({ cwd, host: host ?? null, repository: `${owner}/${name}` })
  }
  const url = new URL((await runClient(['gh', 'api', 'repos/{owner}/{repo}', '--jq', '.html_url'], { cwd, maxBytes: MAX_BYTES })).trim())
  return checked({ cwd, host: url.host, repository: url.pathname.slice(1) })
}

function checked(place: Place): Place {
  if (!isRepository(place.repository)) throw new Error(`\`${place.repository}\` is no repository`)
  return place
}

/** What each act needs to be taken back, asked before it happens. */
const READERS: Readonly<Record<string, (effect: Effect, place: Place) => Promise<HubAct | null>>> = {
  'gh:release': async ({ attributes }, place) => {
    const tag = String(attributes.tag)
    if ((await told(place, `releases/tags/${tag}`)) !== null) return null
    return { kind: 'release', tag, tagged: (await told(place, `git/ref/tags/${tag}`)) !== null }
  },
  'gh:pr-create': async ({ attributes }, place) => {
    const head = typeof attributes.head === 'string' ? attributes.head : await currentBranch(place.cwd)
    if (head === null || !isBranch(head)) throw new Error('it is not known from which branch the request would be')
    const [newest] = listIn(await told(place, 'pulls?state=all&sort=created&direction=desc&per_page=1'))
    return { kind: 'request', head, after: Number(newest?.number ?? 0) }
  },
  'gh:pr-merge': async ({ attributes }, place) => {
    const number = numberIn(attributes.number)
    const request = number === null ? null : objectOf(await told(place, `pulls/${number}`))
    if (number === null || request === null) throw new Error('it is not known which request would be merged')
    return { kind: 'merge', number, id: String(request.node_id) }
  },
  'gh:repo-edit': async (_, place) => {
    const repository = objectOf(await told(place, ''))
    if (repository === null) throw new Error(`${place.repository} is not there`)
    const settings = Object.fromEntries(SETTINGS.flatMap((name) => (repository[name] === undefined ? [] : [[name, repository[name]]])))
    return { kind: 'settings', settings }
  },
}

const objectOf = (value: Json): JsonObject | null => (value !== null && isJsonObject(value) ? value : null)
const listIn = (value: Json): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** What the API says of a part of the repository; null where it is not there. */
async function told({ cwd, host, repository }: Place, path: string): Promise<Json> {
  const words = ['gh', 'api', ...hostWords(host), `repos/${repository}${path === '' ? '' : `/${path}`}`]
  try {
    return JSON.parse(await runClient(words, { cwd, maxBytes: MAX_BYTES })) as Json
  } catch (error) {
    if (error instanceof Error && /\(HTTP 404\)/.test(error.message)) return null
    throw error
  }
}

const hostWords = (host: string | null): readonly string[] => (host === null ? [] : ['--hostname', host])

/** Commands, in turn; empty: it is as it was. */
export async function hubBack(state: HubState): Promise<readonly (readonly string[])[]> {
  const { act, host, repository } = state
  const api = (method: string, path: string, ...fields: readonly string[]): readonly string[] => [
    'gh',
    'api',
    ...hostWords(host),
    '--method',
    method,
    `repos/${repository}${path}`,
    ...fields,
  ]
  switch (act.kind) {
    case 'release': {
      const release = objectOf(await told(state, `releases/tags/${act.tag}`))
      const tagged = !act.tagged && (await told(state, `git/ref/tags/${act.tag}`)) !== null
      return [
        ...(release !== null ? [api('DELETE', `/releases/${Number(release.id)}`)] : []),
        ...(tagged ? [api('DELETE', `/git/refs/tags/${act.tag}`)] : []),
      ]
    }
    case 'request': {
      const owner = repository.split('/')[0]
      const head = act.head.includes(':') ? act.head : `${owner}:${act.head}`
      const open = listIn(await told(state, `pulls?state=open&head=${encodeURIComponent(head)}&per_page=100`))
      return open.flatMap(({ number }) =>
        Number(number) > act.after ? [api('PATCH', `/pulls/${Number(number)}`, '-f', 'state=closed')] : [],
      )
    }
    case 'merge': {
      const request = objectOf(await told(state, `pulls/${act.number}`))
      if (request?.merged !== true) return []
      return [['gh', 'api', ...hostWords(host), 'graphql', '-f', `id=${act.id}`, '-f', `query=${REVERT}`]]
    }
    case 'settings': {
      const now = objectOf(await told(state, ''))
      if (now === null) throw new Error(`${repository} is not there any more`)
      const fields = Object.entries(act.settings).flatMap(([name, value]) => (now[name] === value ? [] : fieldOf(name, value)))
      return fields.length === 0 ? [] : [api('PATCH', '', ...fields)]
    }
  }
}

/** Makes a request that reverts, for somebody to merge. */
const REVERT = 'mutation($id: ID!) { revertPullRequest(input: { pullRequestId: $id }) { revertPullRequest { url } } }'

/** `-F` sends true, false and null as such, `-f` text as it is. */
const fieldOf = (name: string, value: Json): readonly string[] => [typeof value === 'string' ? '-f' : '-F', `${name}=${value}`]

export async function runHub({ cwd }: HubState, words: readonly string[]): Promise<void> {
  await runClient(words, { cwd, maxBytes: MAX_BYTES })
}
