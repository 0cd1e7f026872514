/** Answers with one call each, of every kind, and what can go wrong with it, on the wire of every API. */
import { createHash } from 'node:crypto'
import type { ApiName } from '../../src/proxies/model/api.ts'
import { anthropicEvents, type Call, type Said } from './model-turns.ts'
import { responsesEvents, scripted, type Turn } from './model-turns-more.ts'

export const KINDS = ['function', 'custom', 'mcp', 'hosted', 'parallel'] as const
export type Kind = (typeof KINDS)[number]
export const OUTCOMES = ['allow', 'deny', 'ask', 'cut', 'bad', 'early'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What an API has no wire for: Anthropic and Gemini have no custom tools; what chat completions run themselves leaves no call in an answer. */
export const ABSENT: ReadonlySet<string> = new Set(['anthropic custom', 'gemini custom', 'chat hosted'])

export interface Cell {
  readonly api: ApiName
  readonly streams: boolean
  readonly kind: Kind
  readonly outcome: Outcome
}

/** Names of tools by what the policy says of them. */
const TOOL = { allow: 'ok', deny: 'no', ask: 'pay', cut: 'ok', bad: 'ok', early: 'ok' } as const

export const TOOLS: readonly string[] = ['ok', 'no', 'pay', 'other', ...['ok', 'no', 'pay'].map((name) => `mcp__files__${name}`)]

export function matrixPolicy(outcome: Outcome): string {
  const hosted = outcome === 'deny' || outcome === 'ask' ? outcome : 'allow'
  const rules = { allow: '{ tool: ok }, { tool: other }, { tool: files/ok }', deny: '{ tool: no }, { tool: files/no }', ask: '' }
  // A policy of its own for every outcome: what was said of a tool before says nothing here.
  const hosts = `{ tool: provider/web_search, reason: ${outcome} }, { tool: provider/code_execution, reason: ${outcome} }`
  const rule = (verdict: keyof typeof rules): string => [rules[verdict], ...(hosted === verdict ? [hosts] : [])].filter(Boolean).join(', ')
  const high = '{ risk_tier: high, irreversible: true }'
  return `
tools: { ok: { risk_tier: low }, other: { risk_tier: low }, no: { risk_tier: low }, pay: ${high},
  files/ok: { risk_tier: low }, files/no: { risk_tier: low }, files/pay: ${high},
  provider/web_search: { risk_tier: low }, provider/code_execution: { risk_tier: low } }
outcome: { on_unknown: pass } # no result of a call ever comes, and the same calls come in every cell
rules: { deny: [${rule('deny')}], ask: [${rule('ask')}], allow: [${rule('allow')}] }
`
}

/** In the arguments of the call that a cell is about, and nowhere else. */
export function secretOf({ api, streams, kind, outcome }: Cell): string {
  return createHash('sha256').update(`${api} ${streams} ${kind} ${outcome}`).digest('hex')
}

const WINDOW = 8

/** How many characters of the secret can be read in the text, in pieces of eight. */
export function leaked(text: string, secret: string): number {
  let count = 0
  for (let at = 0; at + WINDOW <= secret.length; at++) if (text.includes(secret.slice(at, at + WINDOW))) count++
  return count
}

export function answerOf(cell: Cell): Turn {
  const { api, streams, outcome } = cell
  const secret = secretOf(cell)
  if (outcome === 'early' && !isWhole(cell)) return earlyAnswer(cell)
  const stop = outcome === 'early' ? MAX_TOKENS[api] : undefined
  const answer = scripted(api, streams, saidOf(cell, outcome === 'bad' && isText(cell) ? '{"secret":"SECRET",' : undefined), stop)
  if (outcome === 'cut') return { ...answer, pieces: cutAfter(answer.pieces, secret, streams), breaks: true }
  return outcome === 'bad' && !isText(cell) ? { ...answer, pieces: answer.pieces.map((piece) => broken(piece, secret)) } : answer
}

const MAX_TOKENS = { anthropic: 'max_tokens', chat: 'length', responses: 'incomplete', gemini: 'MAX_TOKENS' } as const

/** Calls of Gemini and those in a whole message of Anthropic are whole, however early the turn ends; so is what a provider ran. */
export function isWhole({ api, streams, kind }: Cell): boolean {
  return kind === 'hosted' || api === 'gemini' || (api === 'anthropic' && !streams)
}

/** True where arguments are a text of their own, which can be wrong in an answer that is well-formed. */
function isText(cell: Cell): boolean {
  return cell.kind !== 'custom' && !isWhole(cell)
}

function saidOf(cell: Cell, raw?: string): readonly Said[] {
  const secret = secretOf(cell)
  const text = { text: 'I look at the sky.' }
  if (cell.kind === 'hosted') return [text, ...hostedRun(cell.api, secret).map((block) => ({ block }))]
  const call = callOf(cell, raw?.replace('SECRET', secret))
  const other = { call: { id: 'call_o', name: 'other', args: { at: 'here' } } }
  return cell.kind === 'parallel' ? [text, other, call] : [text, call]
}

function callOf({ api, kind, outcome, streams }: Cell, raw: string | undefined): Said {
  const secret = secretOf({ api, kind, outcome, streams })
  const name = TOOL[outcome]
  if (kind === 'custom') return { call: { id: 'call_s', name, args: secret, custom: true } }
  if (kind === 'mcp' && api === 'responses') {
    const input = raw ?? JSON.stringify({ secret })
    return { block: { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'files', name, arguments: input } }
  }
  const call: Call = { id: 'call_s', name: kind === 'mcp' ? `mcp__files__${name}` : name, args: { secret } }
  return { call: raw === undefined ? call : { ...call, raw } }
}

function hostedRun(api: ApiName, secret: string): readonly Readonly<Record<string, unknown>>[] {
  if (api === 'responses') return [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: secret } }]
  if (api === 'gemini')
    return [{ executableCode: { language: 'PYTHON', code: secret } }, { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }]
  const found = { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x', page_age: null }
  return [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: secret } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
  ]
}

/** Up to and with the first piece of the secret; of one long text, to its middle. */
function cutAfter(pieces: readonly string[], secret: string, streams: boolean): readonly string[] {
  const at = pieces.findIndex((piece) => leaked(piece, secret) > 0)
  const piece = pieces[at] ?? ''
  const whole = streams && !piece.includes(secret)
  return [...pieces.slice(0, at), whole ? piece : piece.slice(0, piece.indexOf(secret) + secret.length - 4)]
}

/** A piece in which the secret stands is no JSON any more. */
function broken(piece: string, secret: string): string {
  return leaked(piece, secret) > 0 ? piece.replace(/\}(\s*)$/, '$1') : piece
}

/** The model had no tokens left in the middle of the call. */
function earlyAnswer(cell: Cell): Turn {
  const { api, streams } = cell
  const secret = secretOf(cell)
  const half = `{"secret":"${secret.slice(0, 40)}`
  const said = saidOf(cell, half).map((part) => ('call' in part && part.call.custom === true ? halved(part.call, secret) : part))
  if (!streams || api === 'chat') return scripted(api, streams, said, MAX_TOKENS[api])
  const events = api === 'anthropic' ? anthropicEvents(said, 'max_tokens') : responsesEvents(said, { status: 'incomplete' })
  // The call never ends: its last events are not there.
  const last = events.findLastIndex((event) => event.includes('delta') && leaked(event, secret) > 0)
  const ends = events.findIndex((event, at) => at > last && /"type":"(?:message_delta|response\.incomplete)"/.test(event))
  return { pieces: last < 0 ? events : [...events.slice(0, last + 1), ...events.slice(ends)] }
}

const halved = (call: Call, secret: string): Said => ({ call: { ...call, args: secret.slice(0, 40) } })
