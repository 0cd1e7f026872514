/** Codex's managed requirements: hooks that need no trust, and that no flag and no project switches off. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { InstallError } from '../adapter.ts'
import type { Items } from '../entries.ts'
import type { Entry } from '../install.ts'
import { handlers } from '../lists.ts'

const BEGIN = "# Countersign's hook: begin. Made by `countersign init`; change nothing here, run `countersign init` again."
const END = "# Countersign's hook: end."

/** A part of ours at the end of the file; everything else stays, byte for byte. */
export function requirementsEntry(path: string, items: Items): Entry {
  const part = (command: string): string => [BEGIN, '[features]', 'hooks = true', ...tablesOf(items(command)), END, ''].join('\n')
  return {
    path,
    written: (before, command) => {
      const rest = without(before ?? '')
      const own = TABLE.exec(rest)?.[0]
      if (own !== undefined)
        throw new InstallError(
          `\`${path}\` has \`${own.trim()}\` of its own, which cannot stand twice: put it below ours by hand, or move it away`,
        )
      return `${rest === '' ? '' : `${rest.trimEnd()}\n\n`}${part(command)}`
    },
    cleaned: (before) => {
      const rest = without(before)
      if (rest === before) return before
      return rest.trim() === '' ? null : `${rest.trimEnd()}\n`
    },
    command: (text) => {
      const line = /^command = ("(?:[^"\\]|\\.){1,20000}")$/m.exec(ours(text))?.[1]
      return line === undefined ? null : String(JSON.parse(line))
    },
    holds: (text, command) => ours(text) === part(command),
    same: (rest, original) => (rest ?? '').trim() === original.trim(),
  }
}

/** Tables and keys that ours would define a second time. */
const TABLE = /^[ \t]{0,8}(?:\[{1,2}[ \t]{0,8}"?(?:features|hooks)"?[ \t]{0,8}[\].].{0,80}|"?(?:features|hooks)"?[ \t]{0,8}[.=].{0,80})/m

function ours(text: string): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  return from === -1 || to < from ? '' : text.slice(from, to + END.length + 1)
}

function without(text: string): string {
  const part = ours(text)
  return part === '' ? text : text.replace(part, () => '')
}

function tablesOf(items: Readonly<Record<string, Json>>): readonly string[] {
  return Object.entries(items).flatMap(([event, item]) => {
    if (!isJsonObject(item)) return []
    const matcher = own(item, 'matcher')
    return [
      ...['', `[[hooks.${event}]]`, ...(typeof matcher === 'string' ? [`matcher = ${JSON.stringify(matcher)}`] : [])],
      ...handlers(item).flatMap((handler) => [`[[hooks.${event}.hooks]]`, ...linesOf(handler)]),
    ]
  })
}

/** Strings of JSON without control characters are basic strings of TOML. */
function linesOf(handler: JsonObject): readonly string[] {
  return Object.entries(handler).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
}
