/** One call of a session in a terminal: what was decided, what it touches, and where its arguments come from. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'

/** A row as the API lists it: the call, then what belongs to it, indented. */
export function callLines({ id, at, step, tool, decision, would, code, risk, labels, flows }: JsonObject): readonly string[] {
  const verdict = would === undefined ? decision : `${String(decision)} (would ${String(would)})`
  const parts = [step ?? '-', at, `risk ${Number(risk).toFixed(2)}`, verdict, code, tool, id].map((part) => String(part ?? '-'))
  const touched = list(labels).map(String)
  return [
    `  ${parts.join('  ')}`,
    ...(touched.length === 0 ? [] : [`      ${touched.join(', ')}`]),
    ...list(flows)
      .filter(isJsonObject)
      .map((flow) => `      ${flowText(flow)}`),
  ]
}

const ORIGINS: Readonly<Record<string, string>> = {
  approved: 'is what somebody agreed to before',
  derived: 'follows from what the user said',
  nowhere: 'stands neither in the user’s words nor in a result',
}

/** `` `recipient` stands in the result of call 3 `read_email`, field `body` `` */
function flowText({ argument, origin, source, by }: JsonObject): string {
  const name = argument === '*' ? 'a value' : `\`${String(argument)}\``
  const vouched = by === undefined ? '' : `; ${String(by)} vouches for it`
  if (!isJsonObject(source ?? null)) return `${name} ${ORIGINS[String(origin)] ?? `is ${String(origin)}`}${vouched}`
  const { step, tool, field } = source as JsonObject
  const place = field === '' ? '' : `, field \`${String(field)}\``
  return `${name} stands in the result of call ${String(step)} \`${String(tool)}\`${place}${vouched}`
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
