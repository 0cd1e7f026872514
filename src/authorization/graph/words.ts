/** What a request authorises by its own words, without any model, as lines for people. Pure. */
import type { Task } from '../task.ts'
import type { AuthorizationGraph, Origin, Permit } from './model.ts'

const MAX_LINES = 24
const SOUGHT = { party: 'whom', credential: 'what lets somebody in', place: 'addresses on the network' } as const

/** One line for each thing that the request asks for, names, or says where to find. */
export function linesOfWords(task: Task): readonly string[] {
  if (task.empty) return []
  const acts = task.sentences
    .filter((sentence) => sentence.acts.size > 0)
    .map(({ acts: asked, stems }) => `asks to ${[...asked].join(' or ')}: ${telling(stems, task)}`)
  const named = [...task.entities].slice(0, MAX_LINES).map((entity) => `names \`${entity}\``)
  const located = task.located.map(
    ({ place, sought }) => `says that \`${place}\` holds ${[...sought].map((kind) => SOUGHT[kind]).join(' and ')}`,
  )
  const handed = task.handsOn ? ['hands on what is to be done to a text that it names'] : []
  return [...acts, ...named, ...located, ...handed].slice(0, MAX_LINES)
}

function telling(stems: ReadonlySet<string>, task: Task): string {
  const words = [...stems].filter((word) => task.telling.has(word))
  return words.length === 0 ? 'in words that fit any task' : words.slice(0, 8).join(' ')
}

export function linesOfGraph({ permits }: AuthorizationGraph): readonly string[] {
  return permits.map(permitLine)
}

function permitLine({ tool, arguments: args, reason }: Permit): string {
  const flows = [...args].map(([name, origins]) => `\`${name}\` ${origins.map(originText).join(' or ')}`)
  const what = flows.length === 0 ? 'with what the user named' : `with ${flows.join(', ')}`
  return `${tool} ${what}${reason === '' ? '' : ` (${reason})`}`
}

function originText(origin: Origin): string {
  if ('says' in origin) return `as the user said: \`${origin.says}\``
  const field = origin.field === null ? '' : `, field \`${origin.field}\``
  return `from \`${origin.from}\`${origin.place === null ? '' : ` of \`${origin.place}\``}${field}`
}
