/** The input of a tool that came as a text: one JSON object, or no answer. */
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { NoAnswer } from '../answer.ts'

const MAX_BYTES = 65_536

/** @throws {NoAnswer} where it is anything else; no text is no input. */
export function inputIn(text: string): JsonObject {
  const read = readJson(text.trim() === '' ? '{}' : text, { maxBytes: MAX_BYTES })
  if (!read.ok || !isJsonObject(read.value)) throw new NoAnswer('judge.malformed', 'the input of a tool is no JSON object')
  return read.value
}
