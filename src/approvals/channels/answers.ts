/** Answers as JSON: read strictly, so that nothing but `true` is a yes (PRO-W2), and nothing that is not enforced is ignored. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import { type ChannelAnswer, type Reply, refuse } from './channel.ts'

/** UTF-16 units of a comment that are kept. */
const MAX_COMMENT = 2_000
const KNOWN = ['approval', 'digest', 'approved', 'by', 'comment']

/** `{ approval, digest, approved, by, comment? }` of the channel's own people. `id` names the answer. */
export function readAnswer(data: Json | undefined, id: string, channel: ChannelPolicy): Reply {
  if (!isJsonObject(data)) return refuse('approval.malformed', 'the answer is no object')
  if (Object.hasOwn(data, 'modified_arguments') || Object.hasOwn(data, 'arguments'))
    return refuse('approval.modified', 'an answer cannot change the arguments: deny it, and have the call sent as it should be')
  const unknown = Object.keys(data).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined) return refuse('approval.malformed', `unknown field \`${unknown}\``)
  const [approval, digest, approved] = [own(data, 'approval'), own(data, 'digest'), own(data, 'approved')]
  const [by, comment] = [own(data, 'by'), own(data, 'comment') ?? '']
  if (typeof approval !== 'string' || typeof digest !== 'string')
    return refuse('approval.malformed', '`approval` and `digest` of the message that asked are needed')
  if (typeof approved !== 'boolean') return refuse('approval.malformed', '`approved` is neither `true` nor `false`')
  if (typeof by !== 'string' || typeof comment !== 'string') return refuse('approval.malformed', '`by` and `comment` are texts')
  const person = channel.approvers.get(by)
  if (person === undefined) return refuse('approval.not_approver', `\`${by.slice(0, 100)}\` is no approver of \`${channel.name}\``)
  const answer: ChannelAnswer = {
    id,
    approval,
    digest,
    verdict: approved ? 'approve' : 'deny',
    by: person,
    comment: comment.slice(0, MAX_COMMENT),
  }
  return { ok: true, answer }
}

/** One JSON object, or why it is none. */
export function readObject(body: Uint8Array | string): JsonObject | null {
  const read = readJson(body)
  return read.ok && isJsonObject(read.value) ? read.value : null
}
