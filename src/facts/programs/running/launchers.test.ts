import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** Programs that run what an option, an operand or a setting holds: the command inside is what counts, wherever it stands. */

/** Each runs `rm x` in the repository. */
const RUNS: readonly string[] = [
  // An option of the grammar whose role is a program.
  "sort --compress-program='rm x' big",
  "rg --pre 'rm x' foo",
  "man -H'rm x' ls",
  "man --html='rm x' ls",
  "wget --use-askpass='rm x' https://h.example/a",
  "pandoc --filter 'rm x' a.md",
  "latexmk -pdflatex='rm x' a.tex",
  'latexmk -e \'system("rm x")\' a.tex',
  "cargo watch -s 'rm x'",
  'cargo watch -- rm x',
  "mise exec -c 'rm x'",
  "mise exec --command='rm x'",
  'mise exec node@20 -- rm x',
  "forever -c 'rm x' app.js",
  "hg bisect -c 'rm x'",
  "gpg-agent --pinentry-program 'rm x' --daemon",
  "peco --exec 'rm x'",
  "just --shell 'rm x' build",
  'just --command rm x',
  'just -c rm x',
  'just --set a b -c rm x',
  // Words of a subcommand that begin a command, or hold one.
  'npm explore lodash -- rm x',
  "yarn exec 'rm x'",
  'yarn exec rm x',
  "pnpm -c exec 'rm x'",
  "pnpm exec --shell-mode 'rm x'",
  "npx 'rm x'",
  "npm run test --script-shell='rm' x && rm x",
  "tclsh -c 'exec rm x'",
  'gpg-agent --daemon rm x',
  'leaks --atExit -- rm x',
  'gum spin -- rm x',
  'gum spin --title t -- rm x',
  'railway run rm x',
  'railway run -- rm -f x',
  'heroku local:run rm -f x',
  'hatch env run -- rm x',
  'hatch env run rm x',
  'composer exec rm x',
  'mix cmd rm x',
  'mix do cmd rm x',
  'meson devenv -C b rm x',
  'ctest --build-and-test a b --test-command rm x',
  'ip netns exec ns rm x',
  "ip netns exec ns sh -c 'rm x'",
  'ip -all netns exec rm x',
  'ip vrf exec red rm x',
  'torchrun --no-python rm x',
  'torchrun --no_python rm x',
  'accelerate launch --no_python rm x',
  'stack runghc -- -e \'System.Process.system "rm x"\' && rm x',
  "faketime -f '-1d' rm x",
  "faketime '2020-01-01' rm x",
  'faketime -p date "-2d" rm x',
  'qemu-x86_64 /bin/rm x',
  'qemu-aarch64 -L /usr/aarch64 /bin/rm x',
  '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
  '/lib64/ld-linux-x86-64.so.2 --library-path /a /bin/rm x',
  'screen -S name -X exec rm x',
  'screen -S name -X exec .!! rm x',
  'screen -S name -X screen rm x',
  'screen -S name -X screen -t title rm x',
  "byobu new 'rm x'",
  "nu -c '^rm x'",
  "nu -c 'ls | ^rm x'",
  // Operands that are lines.
  "ls | pee 'rm x' 'cat'",
  "mispipe 'cat' 'rm x'",
  // Settings.
  "systemd-run -p ExecStartPre='/bin/rm x' true",
  "systemd-run --property=ExecStopPost='-/bin/rm x' true",
  "java -XX:OnOutOfMemoryError='rm x' -jar a.jar",
  "java '-XX:OnError=rm x' Main",
  "mvn exec:exec -Dexec.executable=rm -Dexec.args='x'",
  'cmake --build b -- SHELL="rm x"',
  "glab alias set a '!rm x'",
  "glab alias set --shell a 'rm x'",
  "gs -c '(%pipe%rm x) (r) file'",
  "dc -e '!rm x'",
  "dc <<< '!rm x'",
  // Modules that run what follows.
  'python -m timeit \'import os; os.system("rm x")\'',
  'python -m timeit -s \'import os; os.system("rm x")\' pass',
  'python -m timeit -n 5 \'import os; os.remove("x")\'',
  'python -m pdb -c \'!import os; os.remove("x")\' a.py',
  'python -m cProfile -m timeit \'import os; os.remove("x")\'',
  'python -m trace --trace --module timeit \'import os; os.remove("x")\'',
  'vim -c \':call system("rm x")\' -c q',
  'rake -e \'sh "rm x"\'',
  "BORG_PASSCOMMAND='rm x' borg list",
  "RESTIC_PASSWORD_COMMAND='rm x' restic snapshots",
  "apt-get update -o APT::Update::Pre-Invoke::='rm x'",
  'gcc -wrapper /bin/rm,x x.c',
  'exiftool -if \'system("rm x")\' x.jpg',
  "git archive --remote='ext::rm x' HEAD",
  "ncftp <<< '!rm x'",
  "ftp <<< '!rm x'",
  "rvim -c ':!rm x'",
  "rview -c ':!rm x'",
]

describe('the command inside of a launcher', () => {
  for (const command of RUNS) test(command, () => expect(lines(command)).toContainEqual(expect.stringMatching(/delete \/repo\/x$/)))
})

/** No table looks into these options and settings: their names say that they take a command line. */
const LIKELY: readonly string[] = [
  "ag --pager='rm x' foo",
  "delta --pager 'rm x'",
  "restic --password-command 'rm x' backup a",
  "borg --rsh 'rm x' list a",
  "rclone --password-command 'rm x' ls a:",
  "svn diff --diff-cmd 'rm x'",
  "hg clone --ssh 'rm x' a",
  "hg --config ui.ssh='rm x' pull",
  "hg --config alias.a='!rm x' a",
  "hg --config hooks.pre-a='rm x' log",
  "svn --config-option=config:tunnels:a='rm x' ls a",
  "jj --config ui.pager='rm x' log",
  "restic -o sftp.command='rm x' -r sftp:a snapshots",
  'cargo --config \'build.rustc-wrapper="rm x"\' build',
  "bazel run --run_under='rm x' //a",
  "mail --exec='!rm x'",
  'etcdctl watch k -- rm x',
  "frobnicate --renew-hook 'rm x' renew",
  "frobnicate -sshcmd 'rm x' a b",
  "frobnicate run 'rm x'",
  "frobnicate dispatch exec 'rm x'",
  'frobnicate task exec rm x',
  'xcrun simctl spawn booted rm x',
  'sst shell -- rm x',
  './wait-for-it.sh h:1 -- rm x',
]

describe('options, settings and subcommands that are called as if they ran something', () => {
  for (const command of LIKELY)
    test(command, () => expect(lines(command)).toContainEqual(expect.stringMatching(/^likely delete \/repo\/x$/)))
})

/** The same words where they are no command: none of them removes anything. */
const SILENT: readonly string[] = [
  "git commit -m 'rm x'",
  "grep -e 'rm x' f",
  "rg 'rm x'",
  "sort --key 'rm x' f",
  "gh issue create --title 'rm x' --body 'rm x'",
  "docker build --build-arg NOTE='rm x' .",
  'cargo run -- rm x',
  'cargo run rm x',
  'go run . rm x',
  'npm run rm x',
  'kubectl ssh rm',
  'python -m timeit --help',
  "python -m timeit 'x = 1'",
  'hg --config ui.verbose=rm pull',
  "hg --config ui.username='rm x' commit",
  'just build',
  'cmake --build b -- VERBOSE=1',
  "systemd-run -p Description='rm x' true",
  'java -XX:+UseG1GC Main',
  "mail -s 'rm x' me@h.example",
  './run.sh rm x',
  'nomad alloc exec a rm x',
  'minikube ssh -- rm x',
  'lima rm x',
]

describe('words that only look like a command', () => {
  for (const command of SILENT) test(command, () => expect(lines(command).filter((item) => item.endsWith('delete /repo/x'))).toEqual([]))
})

/** Paths of programs and libraries that nobody has read. */
const UNSEEN: readonly (readonly [string, string])[] = [
  ['npm --script-shell=/tmp/a.sh run test', 'script:unseen'],
  ['sort --compress-program=/tmp/a.sh big', 'script:unseen'],
  ['rg --pre=/tmp/a.sh foo', 'script:unseen'],
  ['svn merge --diff3-cmd /tmp/a.sh f', 'script:unseen'],
  ['bazel run --run_under=/tmp/a.sh //a', 'script:unseen'],
  ['cargo run --config \'target.t.runner="/tmp/a.sh"\'', 'script:unseen'],
  ['php -d auto_prepend_file=/tmp/a.php x.php', 'script:unseen'],
  ['php -dauto_append_file=/tmp/a.php x.php', 'script:unseen'],
  ['pandoc -L /tmp/a.lua a.md', 'script:unseen'],
  ['pandoc --lua-filter=/tmp/a.lua a.md', 'script:unseen'],
  ['cmake -P /tmp/a.cmake', 'script:unseen'],
  ['dotnet script /tmp/a.csx', 'script:unseen'],
  ['openssl req -engine /tmp/a.so', 'code:library'],
  ['make -f /tmp/a.mk', 'script:unseen'],
  ['just -f /tmp/a.just build', 'script:unseen'],
  ['ant -f /tmp/a.xml', 'script:unseen'],
  ['scons -f /tmp/a.py', 'script:unseen'],
  ['ninja -f /tmp/a.ninja', 'script:unseen'],
  ['mvn -f /tmp/a.xml test', 'script:unseen'],
  ['gradle -I /tmp/a.gradle build', 'dev:build-script'],
  ['tmux -f /tmp/a.conf new -d', 'script:unseen'],
  ['screen -dmS s -c /tmp/a.rc', 'script:unseen'],
  ['neofetch --config /tmp/a.sh', 'script:unseen'],
  ['nano -s /tmp/a.sh x', 'script:unseen'],
  ['java -javaagent:/tmp/a.jar -version', 'dev:load'],
  ['ld.so --preload /tmp/a.so /bin/ls', 'dev:load'],
  ['bun --preload /tmp/a.ts x.ts', 'script:unseen'],
  ['deno run --preload=/tmp/a.ts y.ts', 'script:unseen'],
  ['rustc -C linker=/tmp/a.sh x.rs', 'script:unseen'],
  ['gcc -specs=/tmp/a.specs x.c', 'script:unseen'],
]

describe('files that are run or loaded because an option names them', () => {
  for (const [command, action] of UNSEEN) test(command, () => expect(lines(command).join('\n')).toMatch(new RegExp(`${action} /tmp/a\\.`)))
})

/** Code in languages that are not analysed. */
const UNREAD: readonly string[] = [
  "swift -e 'print(x.y())'",
  "crystal eval 'a = b(1)'",
  "dotnet script eval 'Run(1)'",
  "clisp -x '(f 1)'",
  'sort --compress-program="$P" f',
  'just -f "$F" build',
]

describe('code of other languages in an option', () => {
  for (const command of UNREAD) test(command, () => expect(lines(command).some((item) => item.startsWith('opaque'))).toBe(true))
})
