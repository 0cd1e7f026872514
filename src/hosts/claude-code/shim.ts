/**
 * The installed hook: a POSIX shell script that asks the running daemon and else decides in process. It prints one
 * complete answer and exits 0, or says why on stderr and exits 2, which blocks the call. It never exits 1 (T30, T31).
 */

import { SEAL } from '../seal.ts'

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
  /** Directories in which the script finds the programs it needs; default those of the system. */
  readonly path?: string
}

/** Seconds the host waits; written beside the command in the settings. */
export const HOST_TIMEOUT_SECONDS = 60

/** Where the system keeps its own programs: the agent's PATH may name directories that the agent can write. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** Says that the daemon gave no whole answer and that stdout holds the event, which nobody can read twice. */
const HANDED_BACK = 3

/**
 * Reads the event, asks the daemon over its socket, and prints the answer, or else the event. One process does all of it, as
 * each one more costs what a whole decision does. Perl without modules starts in a fifth of curl's time; the address is written
 * by hand, as Linux and the BSDs lay it out. HTTP/1.0, so that the answer ends with the connection. No single quotes: it stands
 * in them.
 */
const PERL_CLIENT = String.raw`my ($path, $limit, $entry) = @ARGV;
$SIG{PIPE} = "IGNORE"; $SIG{ALRM} = sub { exit 2 };
alarm $limit;
binmode STDIN; binmode STDOUT;
local $/; my $body = <STDIN>;
defined $body or exit 2;
$entry =~ s/[^\x21-\x7e]//g;
my $answer = eval {
  local $SIG{ALRM} = sub { die };
  socket(my $gate, 1, 1, 0) or die;
  connect($gate, $^O eq "linux" ? pack("S a108", 1, $path) : pack("C C a104", 106, 1, $path)) or die;
  binmode $gate;
  my $rest = "POST /v1/hooks/claude-code HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    . "x-countersign-entrypoint: $entry\r\ncontent-length: " . length($body) . "\r\n\r\n" . $body;
  while (length $rest) { my $sent = syswrite $gate, $rest; $sent or die; substr($rest, 0, $sent) = "" }
  my $all = <$gate>;
  $all =~ m{\AHTTP/1\.[01] 200 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n(\{.*\}\n[${SEAL}]\n)\z}s or die;
  $1
};
alarm 0;
if (defined $answer) { print $answer } else { print $body; exit ${HANDED_BACK} }`

/** Leaves the answer in $answer, and says in $event where the event is: on stdin still, in $input, or answered. */
const ASK_DAEMON = `answer=
event=unread
if [ -z "$depth" ] && [ -S "$socket" ] && command -v perl >/dev/null 2>&1; then
  unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL_UNICODE PERLIO PERL5SHELL PERL_SIGNALS
  answer=$(LC_ALL=C perl -e '${PERL_CLIENT}' "$socket" "$limit" "$entry" 2>/dev/null)
  case $? in
    0) event=answered ;;
    ${HANDED_BACK})
      event=read
      input=$answer
      answer=
      ;;
    126 | 127) ;; # it never ran
    *) refuse 'the daemon could not be asked' ;;
  esac
elif [ -z "$depth" ] && [ -S "$socket" ] && command -v curl >/dev/null 2>&1; then
  input=$(cat) || refuse 'the input could not be read'
  event=read
  answer=$(printf '%s' "$input" | curl -q -sf --noproxy '*' --max-time "$limit" --unix-socket "$socket" -H 'content-type: application/json' -H "x-countersign-entrypoint: $entry" --data-binary @- http://localhost/v1/hooks/claude-code 2>/dev/null) || answer=
fi
`

export function shimScript(options: ShimOptions): string {
  const { home, node, program, seconds, path = SYSTEM_PATH } = options
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
agent_path=\${PATH:-}
PATH=${quote(path)}
${stateLine(home)}
entry=\${CLAUDE_CODE_ENTRYPOINT:-}
# Set where a judge is itself an agent: how deep among judges this is, which the daemon could not tell.
depth=\${COUNTERSIGN_JUDGE_DEPTH:-}
socket=$home/run/gate.sock
${ASK_DAEMON}# NODE_OPTIONS and the like stay outside: nothing the agent sets may run inside the gate.
decide() {
  watch=
  if command -v timeout >/dev/null 2>&1; then watch="timeout -k 1 $limit"; fi
  $watch env -i HOME="$HOME" PATH="$agent_path" TMPDIR="\${TMPDIR:-/tmp}" COUNTERSIGN_HOME="$home" CLAUDE_CODE_ENTRYPOINT="$entry" COUNTERSIGN_JUDGE_DEPTH="$depth" "$node" "$program" hook claude-code --sealed 2>/dev/null
}
if ! whole "$answer"; then
  case $event in
    unread) answer=$(decide) || answer= ;;
    read) answer=$(printf '%s' "$input" | decide) || answer= ;;
  esac
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
