/**
 * The installed hook: a POSIX shell script that asks the running daemon and else decides in process. It prints one
 * sealed answer and exits 0, or says why on stderr and exits 2, which blocks the call. It never exits 1 (T30, T31).
 *
 * Each link holds the next: the command in the settings starts only the script with the digest that it names, the script starts only
 * the program whose digest it holds, and believes an answer only under the seal of whoever knows the key.
 */
import { createHash } from 'node:crypto'
import type { Installation } from './adapter.ts'
import type { PinnedFile, ProgramPin } from './program.ts'
import { HUNG_FILE, HUNG_SECONDS, KEY_FILE, SEAL, SILENCE_SECONDS } from './seal.ts'

/** Places and limits that are written into the script at installation. */
export interface ShimOptions {
  /** Name of the agent's adapter, which `countersign hook` is asked for. */
  readonly agent: string
  /** The agent as people call it. */
  readonly title: string
  /** The variable in which the agent says how it was started; null where it says nothing. */
  readonly entrypoint: string | null
  /** Absolute state directory; null: the one in the home of whoever runs the hook, for a script that many users share. */
  readonly home: string | null
  /** Absolute path of the Node binary that decides when no daemon answers. */
  readonly node: string
  /** Absolute path of the program that decides then. */
  readonly program: string
  /** Tells the build of the package; a daemon of another build does not answer. Default: whichever daemon there is. */
  readonly build?: string
  /** What the program is told by. Absent or null: it is started whatever it is. */
  readonly pin?: ProgramPin | null
  /** Seconds the gate has for an answer; at most 80 % of the host's timeout, after the daemon's try. */
  readonly seconds: number
  /** The role that calls of a main session are judged under; null: as the host says. */
  readonly role?: Installation['role']
  /** Whose settings hold the hook, in one word. Default: `managed` without a state directory of its own, else `user`. */
  readonly place?: string
  /** Variables by which the host is told where its settings are: the gate, too, looks there. Default: none. */
  readonly variables?: readonly string[]
  /** Directories in which the script finds the programs it needs; default those of the system. */
  readonly path?: string
}

/** Where the system keeps its own programs: the agent's PATH may name directories that the agent can write. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** What the client says of an event that the daemon did not answer; a client that dies by itself says none of these. */
const CLIENT = { never: 10, perhaps: 11, hung: 12 } as const

/**
 * Hands the event of standard input to the daemon and prints the sealed answer without its seal, or the event again where there is no
 * such answer. Perl without modules starts in a fifth of curl's time; the address is written by hand, as Linux and the BSDs lay it out.
 * HTTP/1.0, so that the answer ends with the connection. A daemon that works sends a line end every half second; one that does not is
 * given up. What makes the seal starts while the daemon decides. No single quotes: it stands in them.
 */
const PERL_CLIENT = String.raw`my ($home, $agent, $limit, $entry, $nonce, $role, $build, $place, @sha256) = @ARGV;
local $/; binmode STDIN; binmode STDOUT;
my $event = <STDIN>; defined $event or $event = "";
sub undecided { print $nonce, $event, $nonce and close STDOUT or exit 1; exit $_[0] }
my @found = stat "$home/${HUNG_FILE}"; undecided(${CLIENT.never}) if @found && time - $found[9] < ${HUNG_SECONDS};
open my $file, "<", "$home/${KEY_FILE}" or undecided(${CLIENT.never});
my ($key) = <$file> =~ /\A([0-9a-f]{64})\n\z/ or undecided(${CLIENT.never});
$SIG{PIPE} = "IGNORE"; $SIG{ALRM} = sub { undecided(${CLIENT.hung}) };
for ($entry, $role) { s/[^\x21-\x7e]//g }
my $path = "$home/run/gate.sock";
socket(my $gate, 1, 1, 0) or undecided(${CLIENT.never});
alarm ${SILENCE_SECONDS};
connect($gate, $^O eq "linux" ? pack("S a108", 1, $path) : pack("C C a104", 106, 1, $path)) or undecided(${CLIENT.never});
binmode $gate;
my $rest = "POST /v1/hooks/$agent HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\n"
  . "x-countersign-entrypoint: $entry\r\nx-countersign-nonce: $nonce\r\nx-countersign-role: $role\r\nx-countersign-build: $build\r\n"
  . "x-countersign-place: $place\r\n"
  . "content-length: " . length($event) . "\r\n\r\n" . $event;
while (length $rest) {
  my $sent = syswrite $gate, $rest; $sent or undecided(${CLIENT.perhaps});
  substr($rest, 0, $sent) = ""; alarm ${SILENCE_SECONDS};
}
pipe(my $sums, my $to) && pipe(my $from, my $sum) or undecided(${CLIENT.perhaps});
my $child = fork; defined $child or undecided(${CLIENT.perhaps});
if (!$child) { open STDIN, "<&", $sums; open STDOUT, ">&", $sum; exec @sha256; exit 127 }
close $sums; close $sum; binmode $to;
print $to "$key\n$nonce\n$event\n";
my $all = ""; my $end = time + $limit;
while (sysread $gate, $all, 65536, length $all) { undecided(${CLIENT.hung}) if time > $end; alarm ${SILENCE_SECONDS} }
alarm 0;
$all =~ m{\AHTTP/1\.[01] 200 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n\n*(\{[^\n]*\})\n[${SEAL}]([0-9a-f]{64})\n\z} or undecided(${CLIENT.perhaps});
my ($answer, $seal) = ($1, $2);
print $to "$answer\n$key\n" and close $to or undecided(${CLIENT.perhaps});
(<$from> || "") =~ /\A$seal\b/ or undecided(${CLIENT.perhaps});
print "$nonce$answer\n" and close STDOUT or exit 1`

/** Leaves the answer in $said, or the event in $input and in $handover whether the daemon may still have it. */
const ASK_DAEMON = `said=
handover=
asks_curl() {
  curl -q -sf --noproxy '*' --connect-timeout ${SILENCE_SECONDS} -Y 1 -y ${SILENCE_SECONDS} --max-time "$limit" \\
    --unix-socket "$home/run/gate.sock" -H 'content-type: application/json' \\
    -H "x-countersign-entrypoint: $entry" -H "x-countersign-nonce: $nonce" -H "x-countersign-role: $role" \\
    -H "x-countersign-build: $build" -H "x-countersign-place: $place" --data-binary @- "http://localhost/v1/hooks/$agent" 2>/dev/null
}
# What the client hands back stands between two of the numbers that are used once: half of it is no event.
client='the program that asks the gate failed'
event() {
  case $1 in "$nonce"*"$nonce") ;; *) refuse "$client" ;; esac
  input=\${1#"$nonce"}
  input=\${input%"$nonce"}
}
asked=no
if [ -z "$depth$settings" ] && [ -S "$home/run/gate.sock" ]; then
  if command -v perl >/dev/null 2>&1; then
    unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL_UNICODE PERLIO PERL5SHELL PERL_SIGNALS PERL_USE_UNSAFE_INC
    input=$(perl -e '${PERL_CLIENT}' "$home" "$agent" "$limit" "$entry" "$nonce" "$role" "$build" "$place" $sha256 2>/dev/null)
    case $? in
      0) said=\${input#"$nonce"} && [ "$said" != "$input" ] || refuse "$client" ;;
      ${CLIENT.never}) event "$input" ;;
      ${CLIENT.perhaps}) event "$input" && handover=failed ;;
      ${CLIENT.hung}) event "$input" && handover=hung ;;
      # It never ran, so the event is still to be read.
      126 | 127) input=$(cat) || refuse 'the input could not be read' ;;
      *) refuse "$client" ;;
    esac
    asked=yes
  elif command -v curl >/dev/null 2>&1; then
    input=$(cat) || refuse 'the input could not be read'
    asked=yes
    answer=$(printf '%s' "$input" | asks_curl)
    case $? in
      28) handover=hung ;;
      *) handover=failed ;;
    esac
    while [ "\${answer#"$line"}" != "$answer" ]; do answer=\${answer#"$line"}; done
    whole "$answer" || said=
  fi
fi
[ $asked = yes ] || input=$(cat) || refuse 'the input could not be read'
`

/** Whether the text is an answer, left in $said, under the one seal that the gate can make for this event, and this time alone. */
const WHOLE = `whole() {
  tag=\${1##*${SEAL}}
  said=\${1%"$line${SEAL}$tag"}
  [ \${#tag} = 64 ] || return 1
  case $said in *"$line"*) return 1 ;; '{'*'}') ;; *) return 1 ;; esac
  { read -r key <"$home/${KEY_FILE}"; } 2>/dev/null || return 1
  made=$(printf '%s\\n' "$key" "$nonce" "$input" "$said" "$key" | $sha256)
  [ "$tag" = "\${made%% *}" ]
}
`

/** The text of the script that an agent starts as its hook: POSIX `sh`, which stops the call where nothing answers. */
export function shimScript(options: ShimOptions): string {
  const { agent, title, entrypoint, home, node, program, pin = null, build = '', seconds, role = null, path = SYSTEM_PATH } = options
  const { place = home === null ? 'managed' : 'user', variables = [] } = options
  return `#!/bin/sh
# Countersign's hook for ${title}. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
# An answer is one line and a seal that only the gate can make; anything else is a refusal.
agent=${quote(agent)}
node=${quote(node)}
program=${quote(program)}
build=${quote(build)}
# Whose settings this script was made for: a host that reads several asks through each of them.
place=${quote(place)}
limit=${seconds}
refuse() {
  echo "countersign: $1, so the call was refused; \${2:-run \\\`countersign doctor\\\`}" >&2
  exit 2
}
agent_path=\${PATH:-}
PATH=${quote(path)}
# Bytes are bytes; and a program that looks for the words of a language takes a fifth longer to start.
LC_ALL=C
export PATH LC_ALL
line='
'
${stateLine(home)}
entry=${entrypoint === null ? '' : `\${${entrypoint}:-}`}
role=${roleValue(role)}
daemon=\${COUNTERSIGN_DAEMON:-}
# Set where a judge is itself an agent: how deep among judges this is, which the daemon could not tell.
depth=\${COUNTERSIGN_JUDGE_DEPTH:-}
sha256=sha256sum
command -v sha256sum >/dev/null 2>&1 || sha256='shasum -a 256'
# Where this host was told to find its settings: a daemon that was started without these would look elsewhere.
settings=${variables.map((name) => `\${${name}:-}`).join('')}
{ read -r nonce </proc/sys/kernel/random/uuid; } 2>/dev/null || nonce=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
${WHOLE}${ASK_DAEMON}${intact(pin)}# NODE_OPTIONS and the like stay outside: nothing that the agent sets runs inside the gate.
decide() {
  watch=
  if command -v timeout >/dev/null 2>&1; then watch="timeout -k 1 $limit"; fi
  $watch env -i HOME="$HOME" PATH="$agent_path" TMPDIR="\${TMPDIR:-/tmp}" \\
    COUNTERSIGN_HOME="$home" COUNTERSIGN_ENTRYPOINT="$entry" COUNTERSIGN_ROLE="$role" COUNTERSIGN_DAEMON="$daemon" \\
    COUNTERSIGN_PLACE="$place" ${variables.map((name) => `\${${name}:+"${name}=$${name}"} `).join('')}\\
    COUNTERSIGN_CODE=${quote(pin?.code ?? '')} COUNTERSIGN_ENGINE=${quote(pin?.engine ?? '')} \\
    COUNTERSIGN_NONCE="$nonce" COUNTERSIGN_HANDOVER="$handover" COUNTERSIGN_JUDGE_DEPTH="$depth" \\
    "$node" "$program" hook "$agent" --sealed 2>/dev/null
}
if [ -z "$said" ]; then
  intact || refuse "the gate's program is not the one that was installed" \\
    'if you changed or upgraded Countersign or Node, run \`countersign init\` again'
  answer=$(printf '%s' "$input" | decide) || answer=
  whole "$answer" || refuse 'the gate did not answer'
fi
printf '%s ${SEAL}\\n' "$said" || refuse 'the answer could not be written'
exit 0
`
}

/** The program as it was when the hook was installed: each file of it that runs. */
function intact(pin: ProgramPin | null): string {
  if (pin === null) return 'intact() { :; }\n'
  const paths = pin.files.map(({ path }) => quote(path)).join(' ')
  const identities = pin.files.map(({ identity }) => identity).join('\n')
  return `${IDENTITIES}intact() {
  [ "$(identities ${paths})" = ${quote(identities)} ] && return 0
${pin.files.map((file) => `  ${samePinned(file)} || return 1\n`).join('')}}
`
}

/** Only a file that was touched is read. */
const IDENTITIES = `identities() {
  stat -L -c '%i:%s:%Y:%Z' "$@" 2>/dev/null || stat -L -f '%i:%z:%m:%c' "$@" 2>/dev/null
}
same() {
  [ "$(identities "$1")" = "$2" ] && return 0
  seen=$($sha256 2>/dev/null <"$1") && [ "\${seen%% *}" = "$3" ]
}
`

function samePinned({ path, identity, digest }: PinnedFile): string {
  return `same ${quote(path)} ${identity} ${digest}`
}

/** Nothing but HOME says whose state it is: a repository's settings may set other variables for its hooks. */
function stateLine(home: string | null): string {
  if (home !== null) return `home=${quote(home)}`
  return `case \${HOME:-} in /*) home=$HOME/.countersign ;; *) refuse 'HOME is no absolute directory' ;; esac`
}

function roleValue(role: NonNullable<Installation['role']> | null): string {
  if (role === null) return ''
  return 'name' in role ? quote(role.name) : `\${${role.variable}:-}`
}

/** How a host other than Claude Code hears what the hook says. */
export interface Wire {
  /** The host's own denial, whole: printed where the hook itself fails, as some hosts take no exit code for one. */
  readonly denial: string
  /** `exit`: the host hears exit codes alone, and answers are of the form of `refused`. Default: it hears the answer. */
  readonly hears?: 'answer' | 'exit'
}

/** The answer for hosts that hear exit codes: no character in it that JSON or a shell would write otherwise. */
export function refused(reason: string): { readonly refused: string } {
  return { refused: reason.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]+/g, ' ') }
}

/**
 * The command in the settings. It starts only the script that was installed, and lets a call go on only with a whole answer: an exit
 * code says nothing, as an empty file has one, too.
 */
export function hookCommand(script: string, text: string, wire?: Wire): string {
  const digest = createHash('sha256').update(text).digest('hex')
  const denial = wire === undefined ? '' : `printf '%s\\n' ${quote(wire.denial)}; `
  const refusal = (why: string, next: string): string =>
    `${denial}echo 'countersign: ${why}, so the call was refused; run \`${next}\`' >&2; exit 2`
  const other = 'the hook script is missing or not the one that was installed'
  const open = [
    `s=${quote(script)}`,
    `d=$(${OWN}; exec 2>/dev/null <"$s" sha256sum) || d=$(${OWN}; exec 2>/dev/null <"$s" shasum -a 256)`,
    `[ "\${d%% *}" = ${digest} ] || { ${refusal(other, 'countersign init')}; }`,
    `a=$(${RUN}) || { [ $? != 2 ] || ${wire === undefined ? 'exit 2' : `{ ${denial}exit 2; }`}; ${refusal('the hook failed', 'countersign doctor')}; }`,
    // A denial that nobody can read is none, and a signal says nothing: the host then has the exit code alone.
    "trap '' PIPE",
    `case $a in '{'*'} ${SEAL}') ;; *) ${refusal('the hook gave no sealed answer', 'countersign doctor')} ;; esac`,
    ...(wire?.hears === 'exit' ? [EXITS] : []),
    `printf '%s\\n' "\${a% ${SEAL}}" || { ${refusal('the answer could not be written', 'countersign doctor')}; }`,
  ]
  // Whatever shell the user has is what some hosts start commands with.
  return wire === undefined ? open.join('; ') : `/bin/sh -c ${quote(open.join('; '))}`
}

/** Of the programs that it starts itself, before the script says so. */
const OWN = `PATH=${SYSTEM_PATH} LC_ALL=C; export LC_ALL`

/**
 * A shell that is started as `sh` reads the script itself: another one takes as long to start as a tenth of the whole hook. Any other
 * may take its words in another way, and starts the script.
 */
const RUN = `case \${0##*/} in sh|dash) . "$s" ;; *) exec "$s" ;; esac`

const EXITS = `case $a in '{"refused":"'*) a=\${a#*:?}; printf '%s\\n' "\${a%?? ${SEAL}}" >&2; exit 2 ;; *) exit 0 ;; esac`

/** One shell word, whatever is in it. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
