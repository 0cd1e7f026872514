/** What switches the gate off or weakens it, in settings of any scope and in variables, as the real client was seen to treat it. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

/** `fatal`: hooks of user and project settings do not run, or not as they were installed. */
export interface Weakness {
  readonly fatal: boolean
  readonly detail: string
}

/** Variables that take hooks away, or put other code into every program that a hook starts. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  [/^CLAUDE_CODE_(?:SIMPLE|SAFE_MODE)$/, 'the client runs no hooks of user and project settings'],
  [/^CLAUDE_CODE_SHELL_PREFIX$/, 'the client runs each hook through another program'],
  [/^(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_\w+)$/, 'other code is loaded into the hook'],
  [/^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|ZDOTDIR)$/, 'a shell obeys it before it runs the hook'],
]

/** Variables that a hook or the client is run with. */
export function weakVariables(variables: Readonly<Record<string, unknown>>, where: string): readonly Weakness[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const known = VARIABLES.find(([pattern]) => pattern.test(name))
    if (known === undefined || value === undefined || value === '') return []
    return [{ fatal: true, detail: `${where} sets \`${name}\`: ${known[1]}` }]
  })
}

type Kind = 'object' | 'array' | 'texts' | 'text' | 'number' | 'boolean'

/** Settings that the client knows: one of a wrong type makes it drop the whole file, silently. */
const TYPES: Readonly<Record<string, Kind>> = {
  permissions: 'object',
  env: 'object',
  hooks: 'object',
  statusLine: 'object',
  sandbox: 'object',
  enabledPlugins: 'object',
  extraKnownMarketplaces: 'object',
  attribution: 'object',
  model: 'text',
  outputStyle: 'text',
  language: 'text',
  apiKeyHelper: 'text',
  awsAuthRefresh: 'text',
  awsCredentialExport: 'text',
  otelHeadersHelper: 'text',
  cleanupPeriodDays: 'number',
  disableAllHooks: 'boolean',
  includeCoAuthoredBy: 'boolean',
  enableAllProjectMcpServers: 'boolean',
  respectGitignore: 'boolean',
  spinnerTipsEnabled: 'boolean',
  alwaysThinkingEnabled: 'boolean',
  enabledMcpjsonServers: 'array',
  disabledMcpjsonServers: 'array',
}

const PERMISSION_TYPES: Readonly<Record<string, Kind>> = {
  allow: 'array',
  deny: 'array',
  ask: 'array',
  additionalDirectories: 'array',
}

const MODES: ReadonlySet<string> = new Set(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions', 'delegate', 'manual'])

/** Fields of a type that the client does not take: then nothing of this file holds, its hooks included. */
export function wrongTypes(settings: JsonObject): readonly string[] {
  const permissions = own(settings, 'permissions')
  const inside = isJsonObject(permissions) ? permissions : {}
  const mode = own(inside, 'defaultMode')
  return [
    ...wrong(settings, TYPES, ''),
    ...wrong(inside, PERMISSION_TYPES, 'permissions.'),
    ...(mode === undefined || (typeof mode === 'string' && MODES.has(mode)) ? [] : ['`permissions.defaultMode` is no mode']),
  ]
}

function wrong(object: JsonObject, types: Readonly<Record<string, Kind>>, prefix: string): readonly string[] {
  return Object.entries(types).flatMap(([name, kind]) => {
    const value = own(object, name)
    return value === undefined || isKind(value, kind) ? [] : [`\`${prefix}${name}\` is no ${WORDS[kind]}`]
  })
}

const WORDS: Readonly<Record<Kind, string>> = {
  object: 'object',
  array: 'list',
  texts: 'list of texts',
  text: 'text',
  number: 'number',
  boolean: 'true or false',
}

function isKind(value: Json, kind: Kind): boolean {
  switch (kind) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'texts':
      return Array.isArray(value) && value.every((each) => typeof each === 'string')
    case 'text':
      return typeof value === 'string'
    default:
      return typeof value === kind
  }
}

/** Programs that the client runs by itself, without asking a hook. */
const PROGRAMS = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'otelHeadersHelper']

/** What these settings do to hooks that stand anywhere. */
export function weakSettings(settings: JsonObject, scope: string): readonly Weakness[] {
  const found: Weakness[] = []
  const say = (fatal: boolean, detail: string): void => {
    found.push({ fatal, detail })
  }
  if (own(settings, 'disableAllHooks') === true) say(true, '`disableAllHooks` is true: no hook runs')
  if (scope === 'managed' && own(settings, 'allowManagedHooksOnly') === true)
    say(true, '`allowManagedHooksOnly` is true: hooks of user and project settings do not run')
  if (scope === 'managed' && own(settings, 'strictPluginOnlyCustomization') !== undefined)
    say(true, '`strictPluginOnlyCustomization` is set: hooks of user and project settings may not run')
  const variables = own(settings, 'env')
  if (isJsonObject(variables)) found.push(...weakVariables(variables, '`env`'))
  const permissions = own(settings, 'permissions')
  if (isJsonObject(permissions) && own(permissions, 'defaultMode') === 'bypassPermissions')
    say(false, 'sessions begin in bypass mode: whatever the gate does not object to runs, and the client asks nobody')
  if (scope === 'project' || scope === 'local')
    for (const name of PROGRAMS)
      if (own(settings, name) !== undefined) say(false, `\`${name}\` names a program that the client runs without asking a hook`)
  return found
}
