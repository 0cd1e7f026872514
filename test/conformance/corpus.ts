/** The corpus: calls with the decision, the code and the record that every seam owes them. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/core/json.ts'
import type { Verdict } from '../../src/core/verdict.ts'

/** What is called, before any seam gives it the names of its own. */
export type Form =
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'server'; readonly server: string; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: 'function'; readonly tool: string; readonly args: JsonObject }

export interface Case {
  readonly id: string
  /** The first call of its session; calls of one session are sent one after the other. */
  readonly session: string
  readonly role: string | null
  readonly form: Form
  /** What a person says to the question that the call before left open. */
  readonly answer: 'approve' | 'deny' | null
  readonly decision: Verdict
  readonly code: string
}

/** What the log keeps of a decision, in short: the rules that determined it, and the effects that it saw. */
export interface Kept {
  readonly rules: readonly string[]
  readonly effects: readonly string[]
}

export interface Places {
  readonly home: string
  readonly repo: string
}

interface Row {
  readonly id: string
  readonly after?: string
  readonly answer?: 'approve' | 'deny'
  readonly role?: string
  readonly decision?: Verdict
  readonly code?: string
  readonly shell?: string
  readonly read?: string
  readonly write?: string
  readonly content?: string
  readonly server?: string
  readonly tool?: string
  readonly args?: JsonObject
}

export const CORPUS = fileURLToPath(new URL('./corpus/', import.meta.url))
const POLICY = 'countersign.yaml'

export function policyText(): string {
  return readFileSync(`${CORPUS}${POLICY}`, 'utf8')
}

/** Every case, with the places of this run in its texts. */
export function readCorpus(places: Places): readonly Case[] {
  const files = readdirSync(CORPUS).filter((name) => name.endsWith('.yaml') && name !== POLICY)
  const rows = files.sort().flatMap((name) => parse(placed(readFileSync(`${CORPUS}${name}`, 'utf8'), places)) as readonly Row[])
  const sessions = new Map<string, string>()
  return rows.map((row) => {
    if (sessions.has(row.id)) throw new Error(`the id ${row.id} stands twice in the corpus`)
    const session = row.after === undefined ? row.id : sessions.get(row.after)
    if (session === undefined) throw new Error(`${row.id} comes after ${row.after}, which does not stand before it`)
    sessions.set(row.id, session)
    const { id, role = null, answer = null, decision = 'allow', code = '' } = row
    return { id, session, role, form: formOf(row), answer, decision, code }
  })
}

export function sessionsOf(cases: readonly Case[]): readonly (readonly Case[])[] {
  const sessions = new Map<string, Case[]>()
  for (const one of cases) sessions.set(one.session, [...(sessions.get(one.session) ?? []), one])
  return [...sessions.values()]
}

function placed(text: string, { home, repo }: Places): string {
  return text.replaceAll('{home}', home).replaceAll('{repo}', repo)
}

function formOf({ shell, read, write, content = '', server, tool, args = {}, id }: Row): Form {
  if (shell !== undefined) return { kind: 'shell', command: shell }
  if (read !== undefined) return { kind: 'read', path: read }
  if (write !== undefined) return { kind: 'write', path: write, content }
  if (tool === undefined) throw new Error(`${id} calls nothing`)
  return server === undefined ? { kind: 'function', tool, args } : { kind: 'server', server, tool, args }
}
