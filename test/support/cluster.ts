/** An API server that speaks as much of the protocol of Kubernetes as a real kubectl needs: discovery, get, list, create, replace, patch, delete. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface KubeObject {
  apiVersion: string
  kind: string
  metadata: Record<string, unknown> & { name: string; namespace?: string; labels?: Record<string, string> }
  [field: string]: unknown
}

export interface Cluster {
  readonly url: string
  /** What is there, without what the server sets: by `kind/namespace/name`. */
  readonly objects: () => Readonly<Record<string, unknown>>
  readonly put: (object: KubeObject) => void
  /** Requests that changed something. */
  readonly changes: () => readonly string[]
  readonly stop: () => Promise<void>
}

const TYPES = [
  { group: '', version: 'v1', kind: 'ConfigMap', name: 'configmaps', short: ['cm'] },
  { group: '', version: 'v1', kind: 'Service', name: 'services', short: ['svc'] },
  { group: '', version: 'v1', kind: 'Pod', name: 'pods', short: ['po'] },
  { group: 'apps', version: 'v1', kind: 'Deployment', name: 'deployments', short: ['deploy'] },
] as const
const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update']

export async function startCluster(): Promise<Cluster> {
  const held: Held = { objects: new Map(), changes: [], revision: 1 }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { status, body } = answered(request, Buffer.concat(pieces).toString('utf8'), held)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    objects: () => Object.fromEntries([...held.objects].toSorted().map(([key, object]) => [key, bare(object)])),
    put: (object) => void store(held, object),
    changes: () => held.changes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Held {
  readonly objects: Map<string, KubeObject>
  readonly changes: string[]
  revision: number
}

interface Answer {
  readonly status: number
  readonly body: object
}

const failure = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status },
})

function answered(request: IncomingMessage, text: string, held: Held): Answer {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster')
  const found = discovery(pathname)
  if (found !== null) return { status: 200, body: found }
  const [, group = '', namespace = 'default', plural = '', name] =
    /^\/(?:api|apis\/([^/]+))\/v1(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? []
  const type = TYPES.find((each) => each.group === group && each.name === plural)
  if (type === undefined) return failure(404, 'NotFound', `the server could not find ${pathname}`)
  const keyOf = (of: string): string => `${type.kind}/${namespace}/${of}`
  const known = name === undefined ? undefined : held.objects.get(keyOf(name))
  if (request.method !== 'GET') held.changes.push(`${request.method} ${pathname}`)
  switch (request.method) {
    case 'GET': {
      if (name !== undefined) return known === undefined ? missing(type.name, name) : { status: 200, body: known }
      const wanted = (searchParams.get('labelSelector') ?? '').split(',').flatMap((pair) => (pair === '' ? [] : [pair.split('=')]))
      const items = [...held.objects].flatMap(([key, object]) => {
        if (!key.startsWith(`${type.kind}/${namespace}/`)) return []
        return wanted.every(([label = '', value]) => object.metadata.labels?.[label] === value) ? [object] : []
      })
      return { status: 200, body: { kind: `${type.kind}List`, apiVersion: versionOf(type), metadata: {}, items } }
    }
    case 'POST': {
      if (request.headers['content-type'] !== 'application/json') return failure(415, 'UnsupportedMediaType', 'this server reads JSON')
      const object = JSON.parse(text) as KubeObject
      if (held.objects.has(keyOf(object.metadata.name))) return failure(409, 'AlreadyExists', `"${object.metadata.name}" already exists`)
      return { status: 201, body: store(held, { ...object, metadata: { ...object.metadata, namespace } }) }
    }
    case 'PUT':
      return known === undefined ? missing(type.name, name ?? '') : { status: 200, body: store(held, JSON.parse(text) as KubeObject) }
    case 'PATCH':
      if (known === undefined) return missing(type.name, name ?? '')
      return { status: 200, body: store(held, merged(known, JSON.parse(text)) as KubeObject) }
    default:
      if (known === undefined) return missing(type.name, name ?? '')
      held.objects.delete(keyOf(name ?? ''))
      return { status: 200, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } }
  }
}

const missing = (plural: string, name: string): Answer => failure(404, 'NotFound', `${plural} "${name}" not found`)
const versionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`

/** Sets what only a server sets. */
function store(held: Held, object: KubeObject): KubeObject {
  const { namespace = 'default', name } = object.metadata
  const key = `${object.kind}/${namespace}/${name}`
  held.revision += 1
  const before = held.objects.get(key)?.metadata
  const uid = before?.uid ?? `uid-${held.revision}`
  const creationTimestamp = before?.creationTimestamp ?? '2026-01-01T00:00:00Z'
  const metadata = { ...object.metadata, namespace, uid, creationTimestamp, resourceVersion: String(held.revision) }
  const made = { ...object, metadata, status: { observed: held.revision } }
  held.objects.set(key, made)
  return made
}

function bare({ status, ...object }: KubeObject): unknown {
  const { uid, creationTimestamp, resourceVersion, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** RFC 7386, which kubectl uses where it does not know a type's own way to merge. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = typeof target === 'object' && target !== null ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(result[key], value)
  }
  return result
}

function discovery(path: string): object | null {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis') {
    const version = { groupVersion: 'apps/v1', version: 'v1' }
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: [{ name: 'apps', versions: [version], preferredVersion: version }] }
  }
  if (path === '/api/v1' || path === '/apis/apps/v1') {
    const group = path === '/api/v1' ? '' : 'apps'
    const resources = TYPES.filter((type) => type.group === group).map(({ name, kind, short }) => ({
      name,
      singularName: kind.toLowerCase(),
      namespaced: true,
      kind,
      verbs: VERBS,
      shortNames: short,
    }))
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: group === '' ? 'v1' : 'apps/v1', resources }
  }
  return path === '/version' ? { major: '1', minor: '32', gitVersion: 'v1.32.0' } : null
}
