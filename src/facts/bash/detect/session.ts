import { target } from '../../effect.ts'
import { SHARED_PLACE } from '../../resources/environment/places.ts'
import { emitAt } from '../state/state.ts'
import { noteRename } from '../walk/deferred.ts'
import type { Noted } from './noted.ts'

/** What the running shell keeps of itself: records of what it runs, the signals it heeds, functions that it hands on. */

const texts = ({ invocation }: Noted) => invocation.args.map(({ text }) => text ?? '')

/** `export -f name`: every bash that is started from now on has the function in the place of the program. */
export function noteExported(noted: Noted): void {
  const words = texts(noted)
  const flags = words.filter((text) => /^-\w+$/.test(text)).join('')
  const hands = flags.includes('f') && (noted.invocation.name === 'export' || flags.includes('x'))
  if (!hands) return
  for (const name of words) if (!name.startsWith('-')) noteRename(name, noted.invocation.span, noted.site)
}

/** Less, or more, is recorded of what the shell runs. */
export function noteRecord(noted: Noted): void {
  const { site, invocation } = noted
  const words = texts(noted)
  const says = (flag: RegExp, ...names: readonly string[]) =>
    words.some((text) => flag.test(text)) && names.some((name) => words.includes(name))
  const off =
    (invocation.name === 'set' && words.some((text, at) => /^\+\w*o$/.test(text) && words[at + 1] === 'history')) ||
    (invocation.name === 'shopt' && says(/^-\w*u/, 'histappend', 'history'))
  if (off) emitAt(site, target('resource', 'shell history'), { verb: 'change', action: 'history:off', span: invocation.span })
  // With a command it is but a terminal for it.
  const types = invocation.name === 'script' && !words.some((text) => /^-\w*c|^--(?:command|help|version)/.test(text))
  if (types) emitAt(site, target('resource', 'the terminal'), { verb: 'change', action: 'shell:trace', span: invocation.span })
}

/** Signals by which people and supervisors end what runs. */
const ENDING = /^(?:SIG)?(?:INT|TERM|HUP|QUIT|[123]|15)$/i

/** `trap '' INT`: nothing ends it but force, and its children inherit that. */
export function noteDeaf({ site, invocation }: Noted): void {
  const [action, ...signals] = invocation.args.filter(({ text }) => text !== '--')
  const heard = signals.find(({ text }) => text !== null && ENDING.test(text))
  if (action?.text !== '' || heard === undefined) return
  emitAt(site, target('process', 'the shell'), { verb: 'change', action: 'shell:deaf', span: invocation.span })
}

/** `patchelf --add-rpath /tmp/x`: the program looks for its libraries where everybody may write. */
export function notePatched({ site, invocation }: Noted): void {
  const word = invocation.args.find(({ text }) => text?.split(/[:=]/).some((place) => SHARED_PLACE.test(place)) === true)
  const sets = invocation.args.some(
    ({ text }) => text !== null && /^--?(?:(?:add|set|replace)[-_]?(?:rpath|interpreter|needed)|r|change)$/.test(text),
  )
  if (sets && word !== undefined) emitAt(site, target('variable', 'RPATH'), { verb: 'change', action: 'env:place', span: word.span })
}
