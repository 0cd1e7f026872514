/** What Claude Code's settings hold besides the hook itself: its limits, and the commands of the events that decide nothing. */

/** Seconds the host waits; written beside the command in the settings. */
export const HOST_TIMEOUT_SECONDS = 75

/** For the event that tells what the user asked for; the host's own limit. */
export const PROMPT_TIMEOUT_SECONDS = 30

/** How the client says that it was started. */
export const ENTRYPOINT_VARIABLE = 'CLAUDE_CODE_ENTRYPOINT'

/** Nothing depends on it that a prompt would have to be held back for: where the gate fails, calls are denied, not words. */
export function promptCommand(command: string): string {
  return `( ${command} ) 2>/dev/null || exit 0`
}

/** The ConfigChange hook needs no gate: while it is installed, a running session takes no new settings. */
export function settingsCommand(): string {
  return `echo 'countersign: settings do not change while a session runs; start a new session to apply them' >&2; exit 2`
}
