/** A registry of packages that speaks npm's own protocol: publish, read, deprecate, unpublish one version or all, with revisions. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Packument {
  _rev: string
  name: string
  versions: Record<string, { deprecated?: string; dist: { tarball: string } }>
  'dist-tags': Record<string, string>
  _attachments?: Record<string, { data: string }>
}

export interface Registry {
  readonly url: string
  /** Packages by name, without their revisions. */
  readonly packages: () => Readonly<Record<string, Omit<Packument, '_rev' | '_attachments'>>>
  readonly tarballs: () => readonly string[]
  readonly stop: () => Promise<void>
}

export async function startRegistry(token: string): Promise<Registry> {
  const packages = new Map<string, Packument>()
  const tarballs = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const answer = await answered(request, { packages, tarballs, token })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(answer.body instanceof Buffer ? answer.body : JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    packages: () => Object.fromEntries([...packages].map(([name, { _rev, _attachments, ...told }]) => [name, told])),
    tarballs: () => [...tarballs.keys()].toSorted(),
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

interface Answer {
  readonly status: number
  readonly body: object
}

interface Held {
  readonly packages: Map<string, Packument>
  readonly tarballs: Map<string, Buffer>
  readonly token: string
}

const error = (status: number, text: string): Answer => ({ status, body: { error: text } })

async function answered(request: IncomingMessage, held: Held): Promise<Answer> {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://registry').pathname).slice(1)
  const [, name = '', place, rev] = /^((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+?\.tgz))?(?:\/-rev\/(.+))?$/.exec(path) ?? []
  if (request.method !== 'GET' && request.headers.authorization !== `Bearer ${held.token}`) return error(401, 'unauthorized')
  const file = place?.split('/').at(-1)
  const known = held.packages.get(name)
  if (request.method === 'GET') {
    const body = file === undefined ? known : held.tarballs.get(`${name}/${file}`)
    return body === undefined ? error(404, 'not_found') : { status: 200, body }
  }
  if (rev !== undefined && rev !== known?._rev) return error(409, 'conflict')
  if (request.method === 'DELETE') return removed(name, file, held)
  if (request.method !== 'PUT') return error(405, 'method not allowed')
  return stored(JSON.parse(await textOf(request)) as Packument, { held, whole: rev !== undefined })
}

function removed(name: string, file: string | undefined, { packages, tarballs }: Held): Answer {
  if (file !== undefined) tarballs.delete(`${name}/${file}`)
  else {
    packages.delete(name)
    for (const key of tarballs.keys()) if (key.startsWith(`${name}/`)) tarballs.delete(key)
  }
  return { status: 200, body: { ok: true } }
}

/** A document with a revision replaces the one before; one without adds versions, which nobody publishes twice. */
function stored(given: Packument, { held, whole }: { readonly held: Held; readonly whole: boolean }): Answer {
  const { packages, tarballs } = held
  const known = packages.get(given.name)
  const attached = Object.entries(given._attachments ?? {})
  if (!whole && attached.length > 0 && Object.keys(given.versions).some((version) => known?.versions[version] !== undefined))
    return error(403, 'You cannot publish over the previously published versions')
  for (const [key, { data }] of attached) tarballs.set(`${given.name}/${key.split('/').at(-1)}`, Buffer.from(data, 'base64'))
  const versions = whole ? given.versions : { ...known?.versions, ...given.versions }
  const tags = whole ? given['dist-tags'] : { ...known?.['dist-tags'], ...given['dist-tags'] }
  const next = Number.parseInt(known?._rev ?? '0', 10) + 1
  packages.set(given.name, { _rev: `${next}-a`, name: given.name, versions, 'dist-tags': tags })
  return { status: 201, body: { ok: true, id: given.name, rev: `${next}-a` } }
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => resolve(text)).on('error', reject)
  })
}
