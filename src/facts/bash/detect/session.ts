import { target } from '../../effect.ts'
import { SHARED_PLACE } from '../../resources/environment/places.ts'
import { reportRename } from '../walk/deferred.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/** What the running shell keeps of itself: records of what it runs, the signals it heeds, functions that it hands on. */

const texts = ({ invocation }: Execution) => invocation.args.map(({ text }) => text ?? '')

/** `export -f name`: every bash that is started from now on has the function in the place of the program. */
export function reportExported(execution: Execution): void {
  const words = texts(execution)
  const flags = words.filter((text) => /^-\w+$/.test(text)).join('')
  const hands = flags.includes('f') && (execution.invocation.name === 'export' || flags.includes('x'))
  if (!hands) return
  for (const name of words) if (!name.startsWith('-')) reportRename(name, execution.invocation.span, execution.site)
}

/** Less, or more, is recorded of what the shell runs. */
export function reportRecord(execution: Execution): readonly Detected[] {
  const { invocation } = execution
  const words = texts(execution)
  const says = (flag: RegExp, ...names: readonly string[]) =>
    words.some((text) => flag.test(text)) && names.some((name) => words.includes(name))
  const off =
    (invocation.name === 'set' && words.some((text, at) => /^\+\w*o$/.test(text) && words[at + 1] === 'history')) ||
    (invocation.name === 'shopt' && says(/^-\w*u/, 'histappend', 'history'))
  // With a command it is but a terminal for it.
  const types = invocation.name === 'script' && !words.some((text) => /^-\w*c|^--(?:command|help|version)/.test(text))
  const { span } = invocation
  return [
    ...(off ? found(target('resource', 'shell history'), { verb: 'change', action: 'history:off', span }) : NOTHING),
    ...(types ? found(target('resource', 'the terminal'), { verb: 'change', action: 'shell:trace', span }) : NOTHING),
  ]
}

/** Signals by which people and supervisors end what runs. */
const ENDING = /^(?:SIG)?(?:INT|TERM|HUP|QUIT|[123]|15)$/i

/** `trap '' INT`: nothing ends it but force, and its children inherit that. */
export function reportDeaf({ invocation }: Execution): readonly Detected[] {
  const [action, ...signals] = invocation.args.filter(({ text }) => text !== '--')
  const heard = signals.find(({ text }) => text !== null && ENDING.test(text))
  if (action?.text !== '' || heard === undefined) return NOTHING
  return found(target('process', 'the shell'), { verb: 'change', action: 'shell:deaf', span: invocation.span })
}

/** `patchelf --add-rpath /tmp/x`: the program looks for its libraries where everybody may write. */
export function reportPatched({ invocation }: Execution): readonly Detected[] {
  const word = invocation.args.find(({ text }) => text?.split(/[:=]/).some((place) => SHARED_PLACE.test(place)) === true)
  const sets = invocation.args.some(
    ({ text }) => text !== null && /^--?(?:(?:add|set|replace)[-_]?(?:rpath|interpreter|needed)|r|change)$/.test(text),
  )
  return sets && word !== undefined ? found(target('variable', 'RPATH'), { verb: 'change', action: 'env:place', span: word.span }) : NOTHING
}
