/** What a patch makes of a file, where that is beyond doubt: every place that it changes is in the file once, as it stands in the patch. */
import { patchedFiles } from './patch.ts'

interface Hunk {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The file `name`, as the patch names it, after the patch; null where programs might not agree, or would refuse it. */
export function patchedText(patch: string, name: string, before: string): string | null {
  const files = patchedFiles(patch)
  const own = files.filter(({ path }) => path === name)
  const [file, ...others] = own
  if (file === undefined || others.length > 0 || file.verb !== 'write') return null
  const next = files[files.indexOf(file) + 1]
  const lines = patch.slice(file.end + 1, next?.start ?? patch.length).split('\n')
  const header = patch.slice(file.start, file.end)
  const hunks = header.startsWith('*** Add File: ') ? addedWhole(lines) : hunksOf(lines)
  return hunks === null || hunks.length === 0 ? null : hunks.reduce<string | null>(applied, before)
}

/** At the one place where it fits; a file that is not there, or is empty, becomes what is added. */
function applied(text: string | null, { before, after }: Hunk): string | null {
  if (text === null) return null
  if (before.length === 0) return text === '' ? after.join('\n') : null
  const [whole, old] = [`\n${text.endsWith('\n') ? text : `${text}\n`}`, `\n${before.join('\n')}\n`]
  const at = whole.indexOf(old)
  if (at === -1 || whole.includes(old, at + 1)) return null
  return `${whole.slice(0, at)}\n${after.map((line) => `${line}\n`).join('')}${whole.slice(at + old.length)}`.slice(1)
}

function addedWhole(lines: readonly string[]): readonly Hunk[] {
  return [{ before: [], after: lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)) }]
}

const MEASURED = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/
/** Parts that say something else than lines. */
const OTHER = /^(?:GIT binary patch|Binary files|rename |copy |old mode|new mode|literal |delta )/

function hunksOf(lines: readonly string[]): readonly Hunk[] | null {
  const hunks: Hunk[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (OTHER.test(line)) return null
    if (!line.startsWith('@@')) continue
    const measured = MEASURED.exec(line)
    const taken = takeHunk(lines, at + 1, measured === null ? null : [Number(measured[1] ?? 1), Number(measured[2] ?? 1)])
    if (taken === null) return null
    hunks.push(taken.hunk)
    at = taken.end - 1
  }
  return hunks
}

/** The lines of a hunk: as many as it says, or those that have a mark where it says nothing. */
function takeHunk(
  lines: readonly string[],
  start: number,
  length: readonly [number, number] | null,
): { readonly hunk: Hunk; readonly end: number } | null {
  const hunk: { readonly before: string[]; readonly after: string[] } = { before: [], after: [] }
  let at = start
  const open = () => (length === null ? /^[ +-]/.test(lines[at] ?? '') : hunk.before.length < length[0] || hunk.after.length < length[1])
  for (; open(); at++) {
    const line = lines[at]
    if (line === undefined) return null
    const mark = line[0] ?? ' '
    if (mark === '\\') continue
    if (!' +-'.includes(mark)) return null
    if (mark !== '+') hunk.before.push(line.slice(1))
    if (mark !== '-') hunk.after.push(line.slice(1))
  }
  const exact = length === null || (hunk.before.length === length[0] && hunk.after.length === length[1])
  return exact ? { hunk, end: at } : null
}
