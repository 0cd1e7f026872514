import type { Json } from '../../core/json.ts'
import type { Verb } from '../effect.ts'
import type { Invocation, Word } from '../host.ts'
import { leadsAway } from '../resources/environment/endpoints.ts'

/**
 * What the words of a command say of each of its effects, whichever table told them: that a database is one in production, that
 * packages come from another server than the one that everybody asks.
 */

type Attributes = Readonly<Record<string, Json>> | undefined

interface Emitted {
  readonly action?: string | null | undefined
  readonly attributes?: Attributes
}

interface Context {
  readonly invocation: Invocation
  variable(name: string): Word | null
}

export function saidBesides(verb: Verb, { action, attributes }: Emitted, context: Context): Attributes {
  if (action?.startsWith('sql:') === true) return ofDatabase(verb, attributes, context)
  return action !== undefined && action !== null && BRINGS.has(action) ? ofPackages(attributes, context.invocation) : attributes
}

function ofDatabase(verb: Verb, attributes: Attributes, context: Context): Attributes {
  if (verb === 'read' || verb === 'fetch' || attributes?.environment !== undefined) return attributes
  const names = context.invocation.args.some(isProduction) || VARIABLES.some((name) => PRODUCTION.test(context.variable(name)?.text ?? ''))
  return names ? { ...attributes, environment: 'production' } : attributes
}

const PRODUCTION = /^(?:[\w.-]{1,60}[-_.:])?(?:prod|production|prd)$/i

/** Variables by which frameworks and tools are told where they are. */
const VARIABLES: readonly string[] = [
  ...['RAILS_ENV', 'RACK_ENV', 'APP_ENV', 'MIX_ENV', 'NODE_ENV', 'FLASK_ENV', 'DJANGO_ENV', 'DJANGO_SETTINGS_MODULE'],
  ...['ASPNETCORE_ENVIRONMENT', 'DBT_TARGET', 'ENVIRONMENT', 'ENV', 'STAGE', 'DEPLOY_ENV'],
]

/** A word of its own, or the value of an option: `prod`, `--target=prod`, `shop_production`. */
function isProduction({ text }: Word): boolean {
  if (text === null || text.length > 128) return false
  return PRODUCTION.test(text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text)
}

const BRINGS: ReadonlySet<string> = new Set(['pkg:install', 'pkg:run', 'pkg:upgrade', 'pkg:download'])
const BY_NAME: ReadonlySet<Json | undefined> = new Set<Json | undefined>(['registry', 'manifest', undefined])

/** By any option: the tables know those of the common managers, and each has more of them. */
function ofPackages(attributes: Attributes, { args }: Invocation): Attributes {
  if (!BY_NAME.has(attributes?.source)) return attributes
  const away = args.some((word, at) => isServer(word, args[at - 1]))
  return away ? { ...attributes, source: 'index' } : attributes
}

const OPTION = /^-{1,2}[A-Za-z][\w.-]{0,60}$/
/** What an address is for that no package comes from. */
const OTHER_USE = /proxy|report|hook|notify|callback|audit|log|issue|home|doc/i

function isServer(word: Word, before: Word | undefined): boolean {
  const text = word.text ?? word.prefix
  const equals = text.startsWith('-') ? text.indexOf('=') : -1
  const option = equals > 0 ? text.slice(0, equals) : (before?.text ?? '')
  const value = text.slice(equals + 1)
  if (!/^[a-z][a-z+]{1,12}:\/\//i.test(value) || !OPTION.test(option) || OTHER_USE.test(option)) return false
  return leadsAway('npm_config_registry', value) !== null
}
