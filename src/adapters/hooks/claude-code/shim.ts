/**
 * The installed hook: a POSIX shell script that asks the running daemon and else decides in process. It prints one
 * complete answer and exits 0, or says why on stderr and exits 2, which blocks the call. It never exits 1 (T30, T31).
 */

/** Places and limits that are written into the script at installation. */
export interface ShimOptions {
  /** Absolute state directory; null: the one in the home of whoever runs the hook, for a script that many users share. */
  readonly home: string | null
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

/**
 * Asks the daemon over its socket. Perl without modules starts in a fifth of curl's time; the address is written by hand, as
 * Linux and the BSDs lay it out. HTTP/1.0, so that the answer ends with the connection. No single quotes: it stands in them.
 */
const PERL_CLIENT = String.raw`my ($path, $limit, $entry) = @ARGV;
alarm $limit;
binmode STDIN; binmode STDOUT;
local $/; my $body = <STDIN>;
$entry =~ s/[^\x21-\x7e]//g;
socket(my $gate, 1, 1, 0) or exit 2;
connect($gate, $^O eq "linux" ? pack("S a108", 1, $path) : pack("C C a104", 106, 1, $path)) or exit 2;
binmode $gate;
my $rest = "POST /v1/hooks/claude-code HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\n"
  . "x-countersign-entrypoint: $entry\r\ncontent-length: " . length($body) . "\r\n\r\n" . $body;
while (length $rest) { my $sent = syswrite $gate, $rest; exit 2 unless $sent; substr($rest, 0, $sent) = "" }
my $answer = <$gate>;
$answer =~ m{\AHTTP/1\.[01] 200 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n}g or exit 2;
print substr $answer, pos $answer;`

export function shimScript(options: ShimOptions): string {
  const { home, node, program, seconds } = options
  return `#!/bin/sh
# Countersign's hook for Claude Code. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
# A whole answer ends with a line that holds one dot; anything else is a refusal.
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
${stateLine(home)}
entry=\${CLAUDE_CODE_ENTRYPOINT:-}
input=$(cat) || refuse 'the input could not be read'
answer=
socket=$home/run/gate.sock
if [ -S "$socket" ] && command -v perl >/dev/null 2>&1; then
  unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL_UNICODE PERLIO PERL5SHELL
  answer=$(printf '%s' "$input" | perl -e '${PERL_CLIENT}' "$socket" "$limit" "$entry" 2>/dev/null) || answer=
elif [ -S "$socket" ] && command -v curl >/dev/null 2>&1; then
  answer=$(printf '%s' "$input" | curl -q -sf --noproxy '*' --max-time "$limit" --unix-socket "$socket" -H 'content-type: application/json' -H "x-countersign-entrypoint: $entry" --data-binary @- http://localhost/v1/hooks/claude-code 2>/dev/null) || answer=
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

/** Nothing but HOME says whose state it is: a repository's settings may set other variables for its hooks. */
function stateLine(home: string | null): string {
  if (home !== null) return `home=${quote(home)}`
  return `case \${HOME:-} in /*) home=$HOME/.countersign ;; *) refuse 'HOME is no absolute directory' ;; esac`
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
