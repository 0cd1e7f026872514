/** Tokens of the server: who may look, answer and administer, and which agents may ask. For the operator, never for the agent. */

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { person } from '../../approvals/terms.ts'
import { eventRecord } from '../../audit/record.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { stateDirectory } from '../../open.ts'
import { readDuration } from '../../policy/contracts/dates.ts'
import { isPersonRole, PERSON_ROLES } from '../../server/auth/caller.ts'
import { addToken, listTokens, OPERATOR_TOKEN, revokeToken, type TokenEntry } from '../../server/auth/tokens.ts'
import { socketPath } from '../../server/daemon.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

export interface AddOptions {
  readonly name: string
  readonly role: string
  readonly tenant?: string
  readonly expires?: string
  readonly asRole?: string
  readonly asUser?: string
  readonly vouchesTask?: boolean
  readonly json?: boolean
}

/** `tokens add`: prints the secret once; only its digest is kept. */
export async function add(options: AddOptions): Promise<number> {
  const { role } = options
  if (role !== 'agent' && !isPersonRole(role))
    throw new UsageError(`\`${role}\` is no role; there are: ${[...PERSON_ROLES, 'agent'].join(', ')}`)
  const name = nameOf(options.name, role)
  const mimics = role !== 'agent' && (options.asRole !== undefined || options.asUser !== undefined || options.vouchesTask === true)
  if (mimics) throw new UsageError('`--as-role`, `--as-user` and `--vouches-task` are for tokens of agents')
  const { entry, secret } = addToken(
    stateDirectory(),
    {
      name,
      role,
      tenant: options.tenant ?? null,
      as: { role: options.asRole ?? null, user: options.asUser ?? null },
      ...(options.vouchesTask === true ? { vouches: true } : {}),
      expiresAt: options.expires === undefined ? null : endOf(options.expires),
    },
    Date.now(),
  )
  await note('token_added', entry)
  if (options.json === true) print(JSON.stringify({ ...toJson(entry), token: secret }))
  else {
    print(secret)
    warn(`countersign: the token of ${visible(name)} (${entry.id}), which is shown this once`)
  }
  return EXIT.ok
}

/** `tokens list`: never the secrets; nobody has them. */
export async function list(options: { json?: boolean }): Promise<number> {
  const all = listTokens(stateDirectory())
  for (const entry of all) print(options.json === true ? JSON.stringify(toJson(entry)) : visible(line(entry)))
  if (all.length === 0 && options.json !== true)
    print(`no tokens; the operator's own is in ${visible(join(stateDirectory(), OPERATOR_TOKEN))}`)
  return EXIT.ok
}

/** `tokens revoke`: a running server knows at the next request. */
export async function revoke(id: string): Promise<number> {
  const entry = listTokens(stateDirectory()).find((each) => each.id === id)
  if (entry === undefined || !revokeToken(stateDirectory(), id))
    throw new UsageError(`there is no token \`${visible(id)}\`; \`countersign tokens list\` shows them all`)
  await note('token_revoked', entry)
  print(`revoked ${id}`)
  return EXIT.ok
}

/** `tokens link`: a login link for the operator's browser, made by the running server. */
export async function link(): Promise<number> {
  const token = readToken()
  const { status, body } = await post(socketPath(stateDirectory()), { path: '/v1/login/codes', token })
  if (status !== 200 || typeof body.url !== 'string')
    throw new UsageError(`the server made no link (${status}): ${visible(String(body.message ?? ''))}`)
  print(body.url)
  return EXIT.ok
}

function nameOf(name: string, role: string): string {
  const bare = role === 'agent' ? name.replace(/^agent:/, '') : person(name)
  if (bare === '' || bare.length > 256 || visible(bare) !== bare)
    throw new UsageError('`--name` is empty, too long, or holds characters that a reader cannot see')
  if (role !== 'agent' && !bare.startsWith('human:')) throw new UsageError(`\`${name}\` names no person; write it as \`human:alice\``)
  return bare
}

function endOf(time: string): string {
  const duration = readDuration(time)
  if (duration === undefined || duration <= 0) throw new UsageError(`\`${time}\` is no time; write it as 12h or 30d`)
  return new Date(latestTime() + duration).toISOString()
}

/** The time by which the server will say that it has ended. */
function latestTime(): number {
  const store = openStore({ directory: stateDirectory() })
  try {
    return store.now()
  } finally {
    store.close()
  }
}

async function note(event: string, entry: TokenEntry): Promise<void> {
  const store = openStore({ directory: stateDirectory() })
  try {
    const { id, name, role, tenant } = entry
    const nothing = { session: null, tool: null, decision: null, code: null }
    await store.append(eventRecord({ ...nothing, kind: 'note', tenant, at: Date.now(), body: { event, id, name, role } }))
  } finally {
    store.close()
  }
}

function toJson({ id, name, role, tenant, as, vouches = false, createdAt, expiresAt }: TokenEntry): JsonObject {
  return { id, name, role, tenant, as: { ...as }, vouches_task: vouches, created_at: createdAt, expires_at: expiresAt }
}

function line({ id, name, role, tenant, vouches, createdAt, expiresAt }: TokenEntry): string {
  const end = expiresAt === null ? 'until it is revoked' : `until ${expiresAt}`
  return [
    id,
    role,
    name,
    tenant === null ? 'every tenant' : `tenant ${tenant}`,
    `since ${createdAt}`,
    end,
    ...(vouches === true ? ['vouches for tasks'] : []),
  ].join('  ')
}

function readToken(): string {
  try {
    return readFileSync(join(stateDirectory(), OPERATOR_TOKEN), 'utf8').trim()
  } catch {
    throw new UsageError('there is no operator token yet; `countersign serve` makes it')
  }
}

interface Posted {
  readonly status: number
  readonly body: JsonObject
}

function post(socketPath: string, { path, token }: { readonly path: string; readonly token: string }): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, path, method: 'POST', headers: { authorization: `Bearer ${token}`, host: 'localhost' } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const read = readJson(Buffer.concat(chunks))
          resolve({ status: response.statusCode ?? 0, body: read.ok && isJsonObject(read.value) ? read.value : {} })
        })
      },
    )
    sent.on('error', () => reject(new UsageError('no server answers; start it with `countersign serve`')))
    sent.end()
  })
}
