/** VS Code's agent hooks: Claude Code's form, under names of its own. It reads Claude Code's settings, so its events come to that hook, too. */
import { type JsonObject, own } from '../../core/json.ts'
import { claudeEvent } from '../claude-form.ts'
import { parserOf } from '../event.ts'

/** An editor has somebody at it. */
export const parseVscode = parserOf('vscode', (input) => claudeEvent(input, () => false))

/** True of an event that VS Code sent: Claude Code's names of these fields have other letters. */
export function isVscode(input: JsonObject): boolean {
  return own(input, 'hook_event_name') === undefined && typeof own(input, 'hookEventName') === 'string'
}
