/**
 * Clients hand the model messages of subagents, of other agents and sessions, and notes of their own in the form of a prompt, and tell the
 * hook of it as of one. What stands in them is not what the user asked for.
 */

/**
 * The elements by which clients set such messages apart: Claude Code (2.1.257 sends `task-notification` as a prompt of its own) and Codex.
 * As an element alone: in backticks, or as the start of a longer name, it is something the user writes about.
 */
const NAMES = [
  ...['task-notification', 'teammate-message', 'agent-message', 'cross-session-message', 'channel(?=\\s)', 'subagent_notification'],
  ...['system-reminder', 'local-command-(?:stdout|stderr|caveat)'],
]
const ENVELOPE = new RegExp(`(?<!\`)<(?:${NAMES.join('|')})(?:\\s+[\\w-]+=[^<>]*)?>`)

/** The words before the first such message: an element can be closed by whoever writes its text, so nothing after it counts. Null: there are none. */
export function ownWords(prompt: string): string | null {
  const at = prompt.search(ENVELOPE)
  if (at < 0) return prompt
  const words = prompt.slice(0, at).trim()
  return words === '' ? null : words
}
