import type { JsonObject } from '../../../core/json.ts'
import { type Execution, type Marks, NO_MARKS } from './execution.ts'

/** Options that change which processes are meant no further than the look at them knows. */
const KNOWN = /^-(?:[0-9]{1,2}|(?:SIG)?(?:TERM|KILL|INT|HUP|QUIT)|f|x|i|e|q|9f|f9|fi|if|-full|-exact|-echo|-quiet|-wait|w|-ignore-case)$/

/** Programs that look for processes; those of all that run can mean anybody's. */
const FINDERS: ReadonlySet<string> = new Set(['ps', 'pgrep', 'pidof'])

/** `pgrep -f "next dev" | xargs kill`, `kill $(pgrep -f x)`: the same of processes that the call itself finds. */
export function reportOwnFound({ site, start }: Execution): Marks {
  const { effects, view, commands } = site.analysis
  const found = commands.filter(({ program }) => program !== null && FINDERS.has(program))
  const isOurs = ({ program, argv }: (typeof found)[number]): boolean => {
    const words = argv.slice(1)
    const options = words.filter((text) => text?.startsWith('-') === true)
    const [pattern, ...others] = words.filter((text) => text?.startsWith('-') !== true)
    if (program !== 'pgrep' || typeof pattern !== 'string' || others.length > 0 || !options.every((text) => FOUND.test(text ?? '')))
      return false
    const by = isFull(options) ? 'line' : options.some((text) => /^-(?:x|-exact)$/.test(text ?? '')) ? 'exact' : 'name'
    return view.processes?.(pattern, by)?.others === 0
  }
  if (found.length === 0 || view.processes === undefined || site.scope.remote || !found.every(isOurs)) return NO_MARKS
  const marks = new Map<number, JsonObject>()
  for (let at = start; at < effects.length; at++)
    if (effects[at]?.action === 'proc:kill' && effects[at]?.reason !== null) marks.set(at, { of: 'workspace' })
  return marks
}

/** Of `pgrep`: which of the found ones are printed, at most. */
const FOUND = /^-(?:[fxino]{1,3}|-full|-exact|-ignore-case|-newest|-oldest)$/

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

const isFull = (options: readonly (string | null)[]): boolean =>
  options.some((text) => /^-(?:[9ixno]{0,2}f[9ixno]{0,2}|-full)$/.test(text ?? ''))
