/** The places that hold copies of the head: files and addresses. A place knows nothing of what its text means. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errno } from '../sqlite/files.ts'

/** What the policy says of a place. */
export interface CopySpec {
  /** An absolute path, or an address. */
  readonly to: string
  readonly required: boolean
  readonly tokenEnv: string | null
}

export interface Place {
  /** For people: of an address only its origin, because the rest may be a secret. */
  readonly name: string
  /** Its text; null where nothing was ever written there. Rejects with what is wrong, in words for people. */
  readonly read: () => Promise<string | null>
  /** Replaces the text, as a whole or not at all. */
  readonly write: (text: string) => Promise<void>
}

export interface Reaching {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly env: (name: string) => string | undefined
  /** Milliseconds for one request. */
  readonly deadlineMs: number
}

/** A head has less than 300 bytes. */
const MAX_BYTES = 4_096

export function placeOf(spec: CopySpec, reaching: Reaching): Place {
  return spec.to.startsWith('/') ? filePlace(spec.to) : urlPlace(spec, reaching)
}

function filePlace(path: string): Place {
  return {
    name: path,
    read: () => telling(() => readSmall(path)),
    write: (text) => telling(() => replace(path, text)),
  }
}

/** Neither a link nor a pipe is followed or waited for: somebody else would say what stands there. */
async function readSmall(path: string): Promise<string | null> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errno(error) === 'ENOENT') return missing(path)
    throw error
  }
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0)
    return textOf(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** A file that was never written is one thing, a disk that is not there another. */
async function missing(path: string): Promise<null> {
  await (await open(dirname(path), constants.O_RDONLY)).close()
  return null
}

async function replace(path: string, text: string): Promise<void> {
  const directory = dirname(path)
  const aside = join(directory, `.countersign-head-${process.pid}-${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(aside, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, path)
  } catch (error) {
    await unlink(aside).catch(() => {})
    throw error
  }
  const names = await open(directory, constants.O_RDONLY)
  try {
    await names.sync()
  } finally {
    await names.close()
  }
}

function urlPlace({ to, tokenEnv }: CopySpec, { fetch, env, deadlineMs }: Reaching): Place {
  const ask = async (init: RequestInit): Promise<Response> => {
    const token = tokenEnv === null ? null : env(tokenEnv)
    if (token === undefined || token === '') throw new Error(`its token is not in \`${tokenEnv}\``)
    const headers = { accept: 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers }
    // A redirect would let one host send the token to another, or answer in its place.
    return await fetch(to, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(deadlineMs) })
  }
  return {
    name: new URL(to).origin,
    read: () =>
      telling(async () => {
        const response = await ask({ method: 'GET' })
        if (response.ok) return textOf(await bounded(response))
        await response.body?.cancel()
        if (response.status === 404 || response.status === 410) return null
        throw new Error(`it answers ${response.status}`)
      }),
    write: (text) =>
      telling(async () => {
        const response = await ask({ method: 'PUT', body: text, headers: { 'content-type': 'application/json' } })
        await response.body?.cancel()
        if (!response.ok) throw new Error(`it answers ${response.status}`)
      }),
  }
}

async function bounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_BYTES) break
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Buffer): string | null {
  if (bytes.length > MAX_BYTES) throw new Error('it holds more than a head')
  const text = bytes.toString('utf8').trim()
  return text === '' ? null : text
}

/** Only names of errors leave: what a failed request says of itself may hold the whole address. */
async function telling<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const name = causeOf(error)
    throw name === null ? error : new Error(name)
  }
}

function causeOf(error: unknown): string | null {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = errno(cause)
  if (code !== null) return `it cannot be reached (${code})`
  if (error instanceof DOMException) return 'it gave no answer in time'
  return error instanceof TypeError ? 'it cannot be reached, or answers with a redirect' : null
}
