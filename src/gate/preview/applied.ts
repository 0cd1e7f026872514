/** What the agent is told where people had the changes of its call made: those changes, and the output of the trial. Redacted, as it is shown to people. */
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'

const MAX_FILES = 50
const MAX_OUTPUT_UNITS = 4_000

/** Null where nothing of it is known. */
export function madeText({ preview }: JsonObject): string | null {
  if (!isJsonObject(preview)) return null
  const files = own(preview, 'files')
  const output = own(preview, 'output')
  const named = (Array.isArray(files) ? files : []).filter(isJsonObject).map(({ change, path }) => `${String(change)} ${String(path)}`)
  const more = named.length > MAX_FILES ? ` and ${named.length - MAX_FILES} more` : ''
  return [
    ...(named.length === 0 ? [] : [`Made: ${named.slice(0, MAX_FILES).join(', ')}${more}.`]),
    ...(typeof output === 'string' ? [`Its output when it was tried out: ${output.slice(0, MAX_OUTPUT_UNITS)}`] : []),
  ].join(' ')
}
