/** What a preview saw, as lines of a terminal with colours: for `countersign preview`, and for whoever is asked. */
import pc from 'picocolors'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { visible } from '../terminal.ts'

const COLOURS: Readonly<Record<string, (text: string) => string>> = { created: pc.green, changed: pc.yellow, deleted: pc.red }

/** Ready to be printed: everything that a caller chose is written out. */
export function previewLines(shown: JsonObject): readonly string[] {
  const output = own(shown, 'output')
  const code = own(shown, 'exit_code')
  return [
    ...(typeof code === 'number' ? [`exit code ${code}`] : []),
    ...listIn(shown, 'files').flatMap(fileLines),
    ...listIn(shown, 'network').map(({ kind, attempts }) => pc.red(visible(`network: ${String(attempts)} × ${String(kind)}, not let out`))),
    ...listIn(shown, 'programs').map(programLine),
    ...(typeof output === 'string' ? ['output:', ...indented(output.trimEnd())] : []),
    ...(KINDS.has(String(own(shown, 'kind'))) ? [] : indented(JSON.stringify(shown, null, 2))),
    pc.dim(visible(String(own(shown, 'note') ?? ''))),
  ].filter((line) => line !== '')
}

/** Kinds whose fields are shown one by one; what the preview of a tool returned is shown as it is. */
const KINDS: ReadonlySet<string> = new Set(['sandbox', 'diff', 'dry_run', 'none'])

const indented = (text: string): readonly string[] => text.split('\n').map((line) => `  ${visible(line)}`)

function listIn(shown: JsonObject, name: string): readonly JsonObject[] {
  const value = own(shown, name)
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function programLine({ path, words, times }: JsonObject): string {
  const often = times === 1 ? '' : ` (${String(times)} times)`
  return `started ${visible(String(path))}: ${visible(String(words))}${often}`
}

function fileLines({ path, change, diff, cut, mode }: JsonObject): readonly string[] {
  const colour = COLOURS[String(change)] ?? pc.dim
  const text = typeof diff === 'string' ? diff.trimEnd() : ''
  return [
    `${colour(String(change))} ${visible(String(path))}${typeof mode === 'string' ? ` (mode ${mode})` : ''}`,
    ...(text === '' ? [] : text.split('\n').map((line) => `  ${diffColour(line)(visible(line))}`)),
    ...(cut === true ? ['  … the difference goes on'] : []),
  ]
}

function diffColour(line: string): (text: string) => string {
  if (line.startsWith('+')) return pc.green
  return line.startsWith('-') ? pc.red : pc.dim
}
