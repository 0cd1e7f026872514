import type { JsonObject } from '../../../core/json.ts'
import { type Execution, type Marks, NO_MARKS } from './execution.ts'

/** Options that change which processes are meant no further than the look at them knows. */
const KNOWN = /^-(?:[0-9]{1,2}|(?:SIG)?(?:TERM|KILL|INT|HUP|QUIT)|f|x|i|e|q|9f|f9|fi|if|-full|-exact|-echo|-quiet|-wait|w|-ignore-case)$/

/** `pkill -f "next dev"` where all that it ends now runs in the workspace, without a terminal, as what an agent started does. */
export function reportOwnProcesses({ site, invocation: { name, args }, start }: Execution): Marks {
  const { effects, view } = site.analysis
  const texts = args.map(({ text }) => text)
  const patterns = texts.filter((text) => text?.startsWith('-') !== true)
  const options = texts.filter((text) => text?.startsWith('-') === true)
  const isPlain = !site.scope.remote && site.scope.wrappers.length === 0 && options.every((text) => KNOWN.test(text ?? ''))
  if (view.processes === undefined || !isPlain || (name === 'killall' && options.some((text) => /f/.test(text ?? '')))) return NO_MARKS
  const by = isFull(options) ? 'line' : name === 'killall' || options.some((text) => /^-(?:x|-exact)$/.test(text ?? '')) ? 'exact' : 'name'
  const marks = new Map<number, JsonObject>()
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    if (item?.action !== 'proc:kill' || !patterns.includes(item.target.value)) continue
    if (view.processes(item.target.value, by)?.others === 0) marks.set(at, { of: 'workspace' })
  }
  return marks
}

const isFull = (options: readonly (string | null)[]): boolean => options.some((text) => /^-(?:[9i]?f[9i]?|-full)$/.test(text ?? ''))
