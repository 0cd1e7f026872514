/** Keeps what was withheld, for as long as providers keep responses; it survives a restart. */
import { eventRecord } from '../../../audit/record.ts'
import { isJsonObject, type Json, parseJson } from '../../../core/json.ts'
import type { Store } from '../../../store/store.ts'
import { reachText } from '../json.ts'
import { Memory } from '../memory.ts'
import type { WithheldBook, WithheldCall } from './withheld.ts'

const LIFE_MS = 31 * 86_400_000
const MAX_ITEMS = 10_000

const PUT = 'INSERT OR REPLACE INTO withheld (message, response, conversation, body, expires_at) VALUES (?, ?, ?, ?, ?)'
const FORGET = 'DELETE FROM withheld WHERE expires_at <= ?'
const OF_RESPONSE = 'SELECT message, body FROM withheld WHERE response = ? AND expires_at > ?'
const OF_CONVERSATION = 'SELECT message, body FROM withheld WHERE conversation = ? AND expires_at > ?'
const OF_MESSAGE = 'SELECT message, body FROM withheld WHERE message = ? AND expires_at > ?'
const ANSWERED = "UPDATE withheld SET conversation = '' WHERE conversation = ?"

export function createWithheldBook(store: Pick<Store, 'run' | 'query' | 'now'>): WithheldBook {
  // Arguments are nobody's business but the client's: they are not written down.
  const items = new Memory<WithheldCall>(MAX_ITEMS)
  const rows = (sql: string, key: string): readonly WithheldCall[] =>
    store
      .query((tx) => tx.all(sql, key, store.now()))
      .flatMap(({ message, body }) => callOf(String(message), parseJson(String(body)), items))
  return {
    keep: async ({ response, conversation, calls }) => {
      if (calls.length === 0) return
      for (const call of calls) items.set(call.message, call)
      const at = store.now()
      const body = {
        event: 'calls withheld from what a model API remembers',
        response,
        calls: calls.map(({ type, callId }) => ({ type, call: callId })),
      }
      const record = eventRecord({ kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at, body })
      await store.run((tx) => {
        tx.run(FORGET, at)
        for (const { message, item: _item, ...rest } of calls)
          tx.run(PUT, message, response, conversation ?? '', JSON.stringify(rest), at + LIFE_MS)
      }, record)
    },
    answered: async (conversation) => {
      if (rows(OF_CONVERSATION, conversation).length === 0) return
      const at = store.now()
      const body = { event: 'withheld calls were answered', conversation }
      await store.run(
        (tx) => void tx.run(ANSWERED, conversation),
        eventRecord({ kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at, body }),
      )
    },
    ofResponse: (response) => rows(OF_RESPONSE, response),
    ofConversation: (conversation) => rows(OF_CONVERSATION, conversation),
    ofMessage: (message) => items.get(message) ?? rows(OF_MESSAGE, message)[0] ?? null,
  }
}

function callOf(message: string, value: Json | undefined, items: Memory<WithheldCall>): readonly WithheldCall[] {
  const known = items.get(message)
  if (known !== undefined) return [known]
  const [type, callId, note] = [reachText(value, 'type'), reachText(value, 'callId'), reachText(value, 'note')]
  if (!isJsonObject(value) || type === null || callId === null || note === null) return []
  return [{ message, type, callId, itemId: reachText(value, 'itemId'), note, item: null }]
}
