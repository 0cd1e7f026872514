/**
 * Codex runs only hooks whose digest the user trusts; one that it does not know, or that was changed, it skips without a word. The
 * digest is over what the hook comes to, not over its text. Pure.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { handlers, isOurs, list } from '../lists.ts'

/** One hook as Codex names it, and the digest that it would be trusted by. */
export interface Trusted {
  readonly key: string
  readonly digest: string
}

/** Codex's own names of the events that we install hooks for, and whether a matcher counts there. */
const EVENTS: Readonly<Record<string, readonly [name: string, matched: boolean]>> = {
  PreToolUse: ['pre_tool_use', true],
  PostToolUse: ['post_tool_use', true],
  UserPromptSubmit: ['user_prompt_submit', false],
}

/** Every hook of ours in the settings at `path`. */
export function trustedHooks(path: string, settings: JsonObject): readonly Trusted[] {
  const hooks = own(settings, 'hooks')
  if (!isJsonObject(hooks)) return []
  return Object.entries(EVENTS).flatMap(([event, [name, matched]]) =>
    list(hooks, event).flatMap((each, at) => {
      if (!isJsonObject(each)) return []
      return handlers(each).flatMap((handler, index) => {
        if (!isOurs(handler)) return []
        const matcher = matched ? own(each, 'matcher') : undefined
        return [{ key: `${path}:${name}:${at}:${index}`, digest: digestOf(name, matcher, handler) }]
      })
    }),
  )
}

function digestOf(event: string, matcher: Json | undefined, handler: JsonObject): string {
  const { command = '', timeout = 600 } = handler
  const identity = {
    event_name: event,
    hooks: [{ async: false, command, timeout, type: 'command' }],
    ...(matcher === undefined ? {} : { matcher }),
  }
  return `sha256:${createHash('sha256').update(canonicalJson(identity)).digest('hex')}`
}

const HEAD = /^\s{0,8}\[hooks\.state\."((?:[^"\\]|\\.){1,4000})"\]\s*$/

/** The hooks that `config.toml` trusts, by their names. */
export function trustIn(config: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let key: string | null = null
  for (const line of config.split('\n')) {
    if (/^\s{0,8}\[/.test(line)) key = named(HEAD.exec(line)?.[1])
    const digest = /^\s{0,8}trusted_hash\s{0,8}=\s{0,8}"(sha256:[0-9a-f]{64})"/.exec(line)?.[1]
    if (key !== null && digest !== undefined) found.set(key, digest)
  }
  return found
}

/** The configuration with these hooks trusted; others stay as they are. */
export function withTrust(config: string, hooks: readonly Trusted[]): string {
  const rest = withoutTrust(config, (key) => hooks.some((hook) => hook.key === key)).trimEnd()
  const tables = hooks.map(({ key, digest }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${digest}"\n`)
  return [rest === '' ? [] : `${rest}\n`, tables].flat().join('\n')
}

/** The configuration without the tables of these hooks. */
export function withoutTrust(config: string, isOne: (key: string) => boolean): string {
  let goes = false
  const lines = config.split('\n').filter((line) => {
    if (/^\s{0,8}\[/.test(line)) {
      const key = named(HEAD.exec(line)?.[1])
      goes = key !== null && isOne(key)
    }
    return !goes
  })
  return lines.join('\n')
}

function named(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return null
  }
}
