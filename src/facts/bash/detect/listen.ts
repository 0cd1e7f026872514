import { type Effect, target } from '../../effect.ts'
import type { Invocation, Word } from '../../host.ts'
import type { ExecutionContext } from '../state/state.ts'
import { type Detected, found, NOTHING } from './execution.ts'

/**
 * Servers that are told to answer every network interface, whatever program it is: `--host 0.0.0.0`, `-b :8000`,
 * `--web.listen-address=:9090`. Only programs that run code of their own are meant; for a client such a word is where it goes.
 */

/** Addresses that stand for every interface, with or without a port. */
const EVERY = /^(?:(?:tcp|http|https):\/\/)?(?:0\.0\.0\.0|\[::\]|::|\*)(?::\d{1,5})?\/?$/
/** A bare port after an option that names what is listened on. */
const ANY_AT_PORT = /^:\d{1,5}$/
const NAMES_ADDRESS =
  /^(?:-[HbalS]|--?(?:[\w.-]*[._-])?(?:host|hostname|listen|bind|ip|addr|address|listen[-_]?addr(?:ess)?)(?:[._-](?:ip|addr|address|host|all))?)$/
const NAMES_LISTENER = /listen|bind|serve/
const VARIABLE = /^(?:\w+_)?(?:HOST|BIND|LISTEN|ADDR|ADDRESS|BIND_ADDR|LISTEN_ADDR|HOSTNAME)$/

/** Effects of programs that run code of their own. */
const RUNS = /^(?:dev:(?:serve|run|simulator)|program:|pkg:(?:script|run)|script:)/

/** Says so where what was just run from effect `start` on is such a server. */
export function reportListening(site: ExecutionContext, invocation: Invocation, start: number): readonly Detected[] {
  const { effects } = site.analysis
  let runs = false
  for (let i = start; i < effects.length; i++) {
    const { verb, action } = effects[i] as Effect
    if (action === 'net:listen' || action === 'dev:expose') return NOTHING
    if (verb === 'execute' && action !== null && RUNS.test(action)) runs = true
  }
  if (!runs && invocation.name !== 'php') return NOTHING
  const at = opened(invocation)
  if (at === null || !(runs || at.name === '-S')) return NOTHING
  return found(target('host', at.value), {
    verb: 'change',
    action: 'dev:expose',
    span: invocation.span,
    certainty: 'likely',
    attributes: { via: invocation.name },
  })
}

interface Opened {
  readonly name: string
  readonly value: string
}

/** The word by which it is told to; null where there is none. */
function opened({ args, env }: Invocation): Opened | null {
  for (const [name, word] of env) if (VARIABLE.test(name) && EVERY.test(word.prefix)) return { name, value: word.prefix }
  for (const [index, word] of args.entries()) {
    const found = openedBy(word, args[index + 1], args[index - 1])
    if (found !== null) return found
  }
  return null
}

function openedBy(word: Word, next: Word | undefined, before: Word | undefined): Opened | null {
  const text = word.text ?? word.prefix
  if (!text.startsWith('-')) return SERVES.test(before?.prefix ?? '') && EVERY.test(text) ? { name: '', value: text } : null
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (!NAMES_ADDRESS.test(name)) return null
  const value = equals < 0 ? (next?.text ?? next?.prefix ?? null) : text.slice(equals + 1)
  if (name === '--host' && isLeftOut(value)) return { name, value: 'any' }
  return value !== null && isEvery(name, value) ? { name, value } : null
}

const SERVES = /^(?:runserver|serve)/

/** `--host` alone: development servers take it for every interface. */
function isLeftOut(value: string | null): boolean {
  return value === null || value.startsWith('-') || value === 'true'
}

function isEvery(name: string, value: string): boolean {
  if (value === '*' && !name.startsWith('--')) return false
  return EVERY.test(value) || (ANY_AT_PORT.test(value) && (NAMES_LISTENER.test(name) || name === '-b' || name === '--addr'))
}
