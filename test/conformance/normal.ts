/** What two records of the same call have in common, whichever seam it came through. */
import { isJsonObject, type Json, type JsonObject, own } from '../../src/core/json.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import type { Case, Form, Kept, Places } from './corpus.ts'
import type { Seam } from './seams/list.ts'

/** A call under the names that a seam gives it. */
export interface Named {
  readonly server: string | null
  readonly tool: string
  readonly args: JsonObject
}

interface Effect {
  readonly verb: string
  readonly action: string | null
  readonly target: { readonly kind: string; readonly value: string; readonly scope?: string | null }
}

interface Finding {
  readonly layer: string
  readonly rule: string
}

type Decided = JsonObject & {
  readonly decision: string
  readonly code: string
  readonly approval: Json
  readonly effects: readonly Effect[]
  readonly findings: readonly Finding[]
  readonly determining: readonly number[]
}

interface Body {
  readonly call: Readonly<Record<'tool' | 'server' | 'args' | 'cwd' | 'context', Json>> & { readonly principal: JsonObject }
  readonly decision: Decided
}

export const bodyOf = ({ body }: StoredRecord): Body => body as unknown as Body

/** As every seam calls it that has no names of its own. */
export function plainly(form: Form): Named {
  switch (form.kind) {
    case 'shell':
      return { server: null, tool: 'Bash', args: { command: form.command } }
    case 'read':
      return { server: null, tool: 'Read', args: { file_path: form.path } }
    case 'write':
      return { server: null, tool: 'Write', args: { file_path: form.path, content: form.content } }
    case 'server':
      return { server: form.server, tool: form.tool, args: form.args }
    case 'function':
      return { server: null, tool: form.tool, args: form.args }
  }
}

export interface Compared {
  readonly one: Case
  readonly named: Named
  readonly places: Places
  readonly seam: Pick<Seam, 'prompts' | 'sessions' | 'task'>
}

/** The record without its time and ids, in the plain names. Also what the seam made of the call, where that is not what it was handed. */
export function normal(record: StoredRecord, { one, named, places, seam }: Compared): string {
  const { call, decision } = bodyOf(record)
  const { tool, server, args, principal, cwd, context } = call
  const carried = same({ tool, server, args }, named) ? 'as it was' : { tool, server, args, handed: { ...named } }
  // A question names the approval, or does not where the agent asks by itself.
  const { approval, findings, effects, ...rest } = without(decision, decision.decision === 'ask' ? [...UNLIKE, 'agent_reason'] : UNLIKE)
  const { tool: plain } = plainly(one.form)
  const inFile = one.form.kind === 'read' || one.form.kind === 'write'
  const names = { [named.tool]: plain, bash: 'Bash' }
  const whole = {
    kind: record.kind,
    carried,
    call: { role: principal.role, tenant: principal.tenant, chain: principal.chain, cwd, context: asked(context, seam) },
    decision: { ...rest, asks: seam.prompts ? rest.decision === 'ask' : approval !== null, effects, findings },
  }
  const written = (key: string, value: Json): Json | undefined => {
    if (DROPPED.has(key) || (inFile && key === 'span') || (!seam.sessions && OF_SESSION.has(key))) return undefined
    if (typeof value !== 'string') return value
    return OF_TOOL.has(key) && value === named.tool
      ? plain
      : value.replaceAll(/`([^`]*)`/g, (_, name: string) => `\`${own(names, name) ?? name}\``)
  }
  return plainText(JSON.stringify(whole, written, 1), places)
}

/** The context, without the task that every request of this seam has. */
function asked(context: Json, { task }: Pick<Seam, 'task'>): Json {
  if (task === null || !isJsonObject(context) || context.task !== task) return context
  const { task_vouched: _, ...rest } = context
  return { ...rest, task: null }
}

/** The record in short, as the corpus has it. */
export function inShort(record: StoredRecord, places: Places): Kept {
  const { determining, findings, effects } = bodyOf(record).decision
  const rules = determining.map((at) => `${findings[at]?.layer}/${findings[at]?.rule}`)
  const short = effects.map(({ verb, action, target }) => `${verb}${action === null ? '' : ` (${action})`} ${target.kind} ${target.value}`)
  return { rules: [...new Set(rules)], effects: short.map((text) => plainText(text, places)) }
}

/** Of one decision alone: times, ids, keys under a secret of the state directory, and what depends on them or on the names of arguments. */
const UNLIKE = ['timings_us', 'call_digest', 'audit_entry_id', 'session', 'policy', 'view', 'outcome']

/** Where in the arguments something stands: every host has names of its own for those. */
const DROPPED = new Set(['pointer', 'written_at', 'written_by'])

/** What the gate knows of a session. */
const OF_SESSION = new Set(['risk', 'flows'])

/** Fields that hold the name of a tool. */
const OF_TOOL = new Set(['rule', 'tool'])

function plainText(text: string, { home, repo }: Places): string {
  return text
    .replaceAll(repo, '{repo}')
    .replaceAll(home, '{home}')
    .replaceAll(/apr_[0-9A-Za-z]+/g, 'apr_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, '…')
}

function without(decision: Decided, names: readonly string[]): Decided {
  return Object.fromEntries(Object.entries(decision).filter(([name]) => !names.includes(name))) as unknown as Decided
}

function same({ tool, server, args }: { tool: Json; server: Json; args: Json }, named: Named): boolean {
  return tool === named.tool && server === named.server && JSON.stringify(sorted(args)) === JSON.stringify(sorted(named.args))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
