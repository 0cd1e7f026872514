/** Claude Code's settings file as data: put our hooks in, take them out, and tell what else there switches the gate off. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { handlers, isOurs, list, withItems } from '../lists.ts'
import { HOST_TIMEOUT_SECONDS, PROMPT_TIMEOUT_SECONDS, promptCommand, settingsCommand } from './commands.ts'

/** The settings with exactly our hooks in them; installing twice changes nothing. */
export function withHooks(settings: JsonObject, command: string): JsonObject {
  const gate = {
    matcher: '*',
    hooks: [{ type: 'command', command, timeout: HOST_TIMEOUT_SECONDS, onFailure: 'block' }],
  }
  const prompt = { hooks: [{ type: 'command', command: promptCommand(command), timeout: PROMPT_TIMEOUT_SECONDS }] }
  const change = { hooks: [{ type: 'command', command: settingsCommand(), timeout: HOST_TIMEOUT_SECONDS, onFailure: 'block' }] }
  return withItems(settings, {
    PreToolUse: gate,
    PostToolUse: gate,
    PostToolUseFailure: gate,
    UserPromptSubmit: prompt,
    ConfigChange: change,
  })
}

/** The command of our PreToolUse hook where it stands in the settings for every tool, enforced and awaited; else null. */
export function installedCommand(settings: JsonObject): string | null {
  const hooks = own(settings, 'hooks')
  if (!isJsonObject(hooks)) return null
  for (const group of list(hooks, 'PreToolUse')) {
    const handler = isJsonObject(group) && coversAll(group) ? handlers(group).find(inForce) : undefined
    const command = handler === undefined ? undefined : own(handler, 'command')
    if (typeof command === 'string') return command
  }
  return null
}

/** The host waits for it and does not drop it: a timeout that is text, or a condition, would. */
function inForce(handler: JsonObject): boolean {
  if (!isOurs(handler) || own(handler, 'type') !== 'command' || own(handler, 'async') === true) return false
  const changed = ['if', 'shell', 'args', 'once'].some((name) => own(handler, name) !== undefined)
  return !changed && (own(handler, 'timeout') === undefined || isTimeout(own(handler, 'timeout')))
}

/** The host drops a hook whose timeout is text, and one whose timeout is 0 or less runs into it at once, which lets the call run. */
function isTimeout(value: Json | undefined): boolean {
  return typeof value === 'number' && value >= 1
}

/** Events beside calls, and what is lost without them. */
const BESIDE = [
  ['ConfigChange', 'a running session takes settings that switch the gate off'],
  ['PostToolUse', 'results are neither recorded nor looked at'],
  ['PostToolUseFailure', 'results of failed calls are not recorded'],
  ['UserPromptSubmit', 'judges and approvers do not see what the user asked for'],
] as const

/** What in these settings would switch the gate off or weaken it, in words. */
export function weaknesses(settings: JsonObject): readonly string[] {
  const found: string[] = []
  const hooks = own(settings, 'hooks')
  if (!isJsonObject(hooks)) return found
  let ours = false
  for (const group of list(hooks, 'PreToolUse')) {
    if (!isJsonObject(group)) continue
    const handler = handlers(group).find(isOurs)
    ours ||= handler !== undefined
    if (handler === undefined) {
      found.push('another PreToolUse hook is installed: it sees the same calls, and can rewrite them after the gate judged them')
      continue
    }
    found.push(...weakEntry(group, handler))
  }
  if (ours) found.push(...missing(hooks))
  if (list(hooks, 'PermissionRequest').length > 0)
    found.push('a PermissionRequest hook is installed: it can answer in the place of the person whom the gate asks')
  return found
}

function missing(hooks: JsonObject): readonly string[] {
  const hasOurs = (event: string): boolean => list(hooks, event).some((group) => isJsonObject(group) && handlers(group).some(isOurs))
  return BESIDE.filter(([event]) => !hasOurs(event)).map(([event, lost]) => `no ${event} hook: ${lost}`)
}

/** How our own entry differs from one that is waited for at every call. */
function weakEntry(group: JsonObject, handler: JsonObject): readonly string[] {
  const found: string[] = []
  if (handlers(group).some((each) => !isOurs(each)))
    found.push('another hook stands in the group of ours: it sees the same calls, and can rewrite them after the gate judged them')
  if (!coversAll(group)) found.push(`the matcher \`${String(own(group, 'matcher'))}\` is narrow: calls of other tools are not seen`)
  if (own(handler, 'async') === true) found.push('the hook is `async`: it never blocks')
  if (own(handler, 'if') !== undefined) found.push('the hook has an `if`: compound commands go past it')
  if (own(handler, 'onFailure') !== 'block') found.push('the hook lacks `onFailure: "block"`: a crash of the hook itself lets the call run')
  const timeout = own(handler, 'timeout')
  if (typeof timeout !== 'number') found.push('the timeout of the hook is not a number: the host drops the hook')
  else if (!isTimeout(timeout))
    found.push(`the timeout of the hook is ${timeout}: the host does not wait for the answer and lets calls run`)
  for (const name of ['shell', 'args', 'once'])
    if (own(handler, name) !== undefined)
      found.push(`the hook has \`${name}\`, which \`init\` does not write: it is not run as it was installed`)
  return found
}

function coversAll(group: JsonObject): boolean {
  const matcher = own(group, 'matcher')
  return matcher === undefined || matcher === '' || matcher === '*'
}
