import type { Json } from '../../core/json.ts'
import type { Verb } from '../effect.ts'
import type { Invocation, Word } from '../host.ts'
import { isOwnRegistry, leadsAway } from '../resources/environment/endpoints.ts'
import { isProduction } from '../resources/environment/production.ts'

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
  if (action === 'dev:build') return ofBuild(attributes, context.invocation)
  return action !== undefined && action !== null && BRINGS.has(action) ? ofPackages(attributes, context.invocation) : attributes
}

function ofDatabase(verb: Verb, attributes: Attributes, context: Context): Attributes {
  if (verb === 'read' || verb === 'fetch' || attributes?.environment !== undefined) return attributes
  const names = context.invocation.args.some(namesProduction) || VARIABLES.some((name) => isProduction(context.variable(name)?.text ?? ''))
  return names ? { ...attributes, environment: 'production' } : attributes
}

/** Variables by which frameworks and tools are told where they are. */
const VARIABLES: readonly string[] = [
  ...['RAILS_ENV', 'RACK_ENV', 'APP_ENV', 'MIX_ENV', 'NODE_ENV', 'FLASK_ENV', 'DJANGO_ENV', 'DJANGO_SETTINGS_MODULE'],
  ...['ASPNETCORE_ENVIRONMENT', 'DBT_TARGET', 'ENVIRONMENT', 'ENV', 'STAGE', 'DEPLOY_ENV'],
]

/** A word of its own, or the value of an option: `prod`, `--target=prod`, `shop_production`. */
function namesProduction({ text }: Word): boolean {
  return text !== null && isProduction(text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text)
}

const BRINGS: ReadonlySet<string> = new Set(['pkg:install', 'pkg:run', 'pkg:upgrade', 'pkg:download'])
/** A package of a directory brings those that it needs from the same server. */
const BY_NAME: ReadonlySet<Json | undefined> = new Set<Json | undefined>(['registry', 'manifest', 'path', undefined])

/** By any option: the tables know those of the common managers, and each has more of them. */
function ofPackages(attributes: Attributes, { args }: Invocation): Attributes {
  if (!BY_NAME.has(attributes?.source)) return attributes
  const away = args.some((word, at) => isServer(optionAt(word, args[at - 1]), OTHER_USE) || isRemoteName(optionAt(word, args[at - 1])))
  return away ? { ...attributes, source: 'index' } : attributes
}

/** A build fetches what it needs: only options whose names speak of that count. */
function ofBuild(attributes: Attributes, { args }: Invocation): Attributes {
  const away = args.some((word, at) => {
    const option = optionAt(word, args[at - 1])
    return SUPPLIES.test(option.name) && isServer(option, null)
  })
  return away ? { ...attributes, source: 'index' } : attributes
}

interface Option {
  readonly name: string
  readonly value: string
}

const OPTION = /^-{1,2}[A-Za-z][\w.-]{0,60}$/
/** What an address is for that no package comes from. */
const OTHER_USE = /proxy|report|hook|notify|callback|audit|log|issue|home|doc/i
const SUPPLIES = /repositor|registr|mirror|snapshot|binary-?source|substituter|feed|channel/i
const ADDRESS = /^[a-z][a-z+]{1,12}:\/\/[^\s;,]{1,200}/i
/** Lists of such servers have more than addresses in them: `clear;http,https://…`. */
const LISTED = /[;,]([a-z][a-z+]{1,12}:\/\/[^\s;,]{1,200})/i

/** `--name=value`, or a value behind the name. */
function optionAt(word: Word, before: Word | undefined): Option {
  const text = word.text ?? word.prefix
  const equals = text.startsWith('-') ? text.indexOf('=') : -1
  return equals > 0 ? { name: text.slice(0, equals), value: text.slice(equals + 1) } : { name: before?.text ?? '', value: text }
}

function isServer({ name, value }: Option, except: RegExp | null): boolean {
  if (!OPTION.test(name) || except?.test(name) === true) return false
  const address = ADDRESS.exec(value)?.[0] ?? (SUPPLIES.test(name) ? LISTED.exec(value)?.[1] : undefined)
  return address !== undefined && leadsAway('npm_config_registry', address) !== null
}

/** Options whose value may be the name of a server that the user set up before. */
const REMOTE_OPTION = /^--(?:remote|registry|source|feed|channel|index)$/
function isRemoteName({ name, value }: Option): boolean {
  return REMOTE_OPTION.test(name) && /^[a-z][\w-]{0,60}$/i.test(value) && !isOwnRegistry(value)
}
