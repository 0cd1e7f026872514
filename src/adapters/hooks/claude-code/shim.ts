/**
 * The installed hook: a POSIX shell script that asks the running daemon and else decides in process. It prints one
 * complete answer and exits 0, or says why on stderr and exits 2, which blocks the call. It never exits 1 (T30, T31).
 */

/** Places and limits that are written into the script at installation. */
export interface ShimOptions {
  /** Absolute state directory. */
  readonly home: string
  /** Absolute path of the Node binary that decides when no daemon answers. */
  readonly node: string
  /** Absolute path of the program that `hook claude-code` is asked of. */
  readonly program: string
  /** Seconds the gate has for an answer; at most 80 % of the host's timeout. */
  readonly seconds: number
}

/** Seconds the host waits; written beside the command in the settings. */
export const HOST_TIMEOUT_SECONDS = 60

/** At most 80 % of what the host waits, shared by the daemon's try and the fallback. */
export const GATE_SECONDS = 20

/** The last line of a whole answer: what was cut off lacks it. */
export const SEAL = '.'

export function shimScript(options: ShimOptions): string {
  const { home, node, program, seconds } = options
  return `#!/bin/sh
# Countersign's hook for Claude Code. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
# A whole answer ends with a line that holds one dot; anything else is a refusal.
home=${quote(home)}
node=${quote(node)}
program=${quote(program)}
limit=${seconds}
refuse() {
  echo "countersign: $1, so the call was refused; run \\\`countersign doctor\\\`" >&2
  exit 2
}
whole() {
  case $1 in
    '{'*'}
${SEAL}') return 0 ;;
  esac
  return 1
}
entry=\${CLAUDE_CODE_ENTRYPOINT:-}
input=$(cat) || refuse 'the input could not be read'
answer=
if [ -S "$home/run/gate.sock" ] && command -v curl >/dev/null 2>&1; then
  answer=$(printf '%s' "$input" | curl -q -sf --noproxy '*' --max-time "$limit" --unix-socket "$home/run/gate.sock" -H 'content-type: application/json' -H "x-countersign-entrypoint: $entry" --data-binary @- http://localhost/v1/hooks/claude-code 2>/dev/null) || answer=
fi
if ! whole "$answer"; then
  watch=
  if command -v timeout >/dev/null 2>&1; then watch="timeout -k 1 $limit"; fi
  # NODE_OPTIONS and the like stay outside: nothing the agent sets may run inside the gate.
  answer=$(printf '%s' "$input" | $watch env -i HOME="$HOME" USER="\${USER:-}" PATH="$PATH" TMPDIR="\${TMPDIR:-/tmp}" COUNTERSIGN_HOME="$home" COUNTERSIGN_POLICY="\${COUNTERSIGN_POLICY:-}" CLAUDE_CODE_ENTRYPOINT="$entry" "$node" "$program" hook claude-code --sealed 2>/dev/null) || answer=
fi
whole "$answer" || refuse 'the gate did not answer'
printf '%s\\n' "\${answer%?${SEAL}}"
exit 0
`
}

/** The command in the settings: a missing or broken script blocks, too (exit 127 alone would let the call run). */
export function hookCommand(script: string): string {
  return `${quote(script)} || { echo 'countersign: the hook is missing or broken, so the call was refused' >&2; exit 2; }`
}

/** The ConfigChange hook needs no gate: while it is installed, a running session takes no new settings. */
export function settingsCommand(): string {
  return `echo 'countersign: settings do not change while a session runs; start a new session to apply them' >&2; exit 2`
}

/** One shell word, whatever is in it. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
