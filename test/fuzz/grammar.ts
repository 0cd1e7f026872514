// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** Commands that may really be run: harmless in a directory of their own, spelled in every way the shell allows. */
import { PROGRAMS } from './grammar-programs.ts'
import { SHELL } from './grammar-shell.ts'
import { STATEFUL } from './grammar-state.ts'
import { WIDE } from './grammar-wide.ts'
import { assembled, DELIVERIES, quote } from './grammar-words.ts'
import type { Random } from './random.ts'

/** What lies in the directory before each command, by path below it. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\nbeta\ngamma\n',
  'b.txt': 'beta\n',
  'sp ace.txt': 'blank\n',
  'old.log': 'old\n',
  'new.log': 'new\n',
  'dir/c.txt': 'c\n',
  'dir/sub/d.txt': 'd\n',
  list: 'a.txt\nb.txt\n',
  'run.sh': '#!/bin/sh\necho hi > from-script.txt\nrm -f "${1:-b.txt}"\n',
  'tool.py': 'import os\nopen("from-python.txt", "w").write("x")\nos.remove("a.txt")\n',
  Makefile: 'all:\n\ttouch made.txt\nclean:\n\trm -f old.log\n',
}

const FILE = ['a.txt', 'b.txt', '"sp ace.txt"', 'old.log', 'dir/c.txt', './a.txt', 'dir/../b.txt', 'dir/sub/d.txt', "'new.log'"] as const
const FRESH = ['out.txt', 'dir/out.txt', './o1', '"new file"', 'dir/sub/o2', '"$HOME/o3"', '~/o4', 'o{5,6}'] as const
const FOLDER = ['made', 'dir/made', 'm1/m2', '"m 3"'] as const

type Make = (random: Random) => string

const file: Make = (random) => random.pick(FILE)
const fresh: Make = (random) => random.pick(FRESH.slice(0, -1))
const folder: Make = (random) => random.pick(FOLDER)

/** One command, without anything around it. */
const ATOMS: readonly Make[] = [
  (r) => `touch ${fresh(r)} ${r.pick(FRESH)}`,
  (r) => `mkdir -p ${folder(r)}`,
  (r) => `mkdir ${folder(r)} && rmdir ${folder(r)}`,
  (r) => `cp ${file(r)} ${fresh(r)}`,
  (r) => `cp -r dir ${folder(r)}`,
  () => 'cp a.txt b.txt dir',
  (r) => `cp -t dir ${file(r)}`,
  (r) => `mv ${file(r)} ${fresh(r)}`,
  (r) => `mv -f ${file(r)} dir/`,
  (r) => `mv dir ${folder(r)}`,
  (r) => `rm ${file(r)}`,
  (r) => `rm -f -- ${file(r)} ${file(r)}`,
  () => 'rm -rf dir/sub',
  () => 'rm -r dir',
  () => 'rm -f *.log',
  () => 'rm -f [ab].txt',
  () => 'rm -f ?.txt',
  () => 'rm -f {a,b}.txt',
  (r) => `unlink ${file(r)}`,
  (r) => `ln -s ${file(r)} ${fresh(r)}`,
  (r) => `ln ${file(r)} ${fresh(r)}`,
  (r) => `cat ${file(r)} > ${fresh(r)}`,
  (r) => `cat < ${file(r)} >> ${fresh(r)}`,
  (r) => `: > ${file(r)}`,
  (r) => `>| ${fresh(r)} echo hi`,
  (r) => `echo hi &> ${fresh(r)}`,
  (r) => `ls nothing 2> ${fresh(r)}`,
  (r) => `printf '%s\\n' x y >> ${fresh(r)}`,
  (r) => `sort -o ${fresh(r)} ${file(r)}`,
  (r) => `sort -u ${file(r)} | uniq -c`,
  (r) => `uniq ${file(r)} ${fresh(r)}`,
  (r) => `tee ${fresh(r)} < ${file(r)}`,
  (r) => `echo x | tee -a ${fresh(r)} ${file(r)}`,
  (r) => `sed -i s/a/b/ ${file(r)}`,
  (r) => `sed -i.bak -e s/a/b/ ${file(r)}`,
  () => "sed -n 'w sed.out' a.txt",
  (r) => `sed s/a/b/ ${file(r)} > ${fresh(r)}`,
  (r) => `truncate -s 0 ${file(r)}`,
  (r) => `dd if=a.txt of=${r.pick(['out.txt', 'dir/out.txt'])} status=none`,
  () => 'split -l 1 a.txt part-',
  (r) => `install -m 600 ${file(r)} ${fresh(r)}`,
  (r) => `install -d ${folder(r)}`,
  (r) => `grep -c a ${file(r)}`,
  (r) => `head -n 1 ${file(r)} | wc -l`,
  () => 'awk \'{ print > "awk.out" }\' a.txt',
  () => 'awk \'BEGIN { system("rm -f a.txt") }\'',
  () => 'awk \'{ print | "tee awk.out" }\' a.txt',
  (r) => `awk '{ print $1 }' ${file(r)}`,
  (r) => `perl -pi -e 's/a/b/' ${file(r)}`,
  () => 'perl -e \'open(my $f, ">", "p.out"); print $f 1\'',
  () => 'perl -e \'unlink "a.txt"; mkdir "p"\'',
  () => 'perl -e \'system("touch", "p2")\'',
  () => 'python3 -c "import os; os.remove(\'a.txt\')"',
  () => "python3 -c \"open('py.out', 'w').write('x')\"",
  () => "python3 -c \"import subprocess; subprocess.run(['touch', 'py2'])\"",
  () => 'python3 tool.py',
  (r) => `gzip ${file(r)}`,
  (r) => `gzip -k ${file(r)} && gunzip -c ${file(r)}.gz`,
  () => 'tar -cf t.tar dir && tar -tf t.tar',
  () => 'tar -cf t.tar dir; mkdir -p x; tar -xf t.tar -C x',
  () => 'find . -name "*.log" -delete',
  () => 'find dir -type f -exec rm {} +',
  () => 'find dir -name "*.txt" -exec cp {} {}.bak \\;',
  () => 'find . -name "*.log" -print0 | xargs -0 rm -f',
  () => 'find . -maxdepth 1 -name "?.txt" | xargs -n 1 cat',
  () => 'find . -name a.txt -fprint found.txt',
  () => 'xargs rm < list',
  () => 'cat list | xargs -I{} mv {} dir/',
  () => 'ls *.log | xargs touch',
  (r) => `cat > ${fresh(r)} <<EOF\nhi $HOME\nEOF`,
  (r) => `cat <<'EOF' | tee ${fresh(r)}\nhi\nEOF`,
  () => 'sh <<EOF\nrm -f a.txt\nEOF',
  () => 'bash run.sh',
  () => './run.sh a.txt',
  () => 'sh -e run.sh old.log',
  () => '. ./run.sh',
  () => 'make -s all',
  () => 'make clean',
  () => 'cat list | while read -r name; do rm -f "$name"; done',
  () => 'for f in *.log; do rm "$f"; done',
  () => 'for i in 1 2 3; do touch "n$i"; done',
  () => 'for ((i = 0; i < 2; i++)); do echo $i > "c$i"; done',
  (r) => `x=${file(r)}; rm -f "$x"`,
  (r) => `f() { touch "$1"; }; f ${fresh(r)}`,
  () => 'a=(a.txt b.txt); rm -f "${a[@]}"',
  () => 'cd dir && rm -f c.txt',
  () => '(cd dir; touch q) && touch q',
  () => 'cd dir/sub; mv d.txt ..',
  () => 'pushd dir > /dev/null; rm -f c.txt; popd > /dev/null; rm -f a.txt',
  (r) => `{ echo one; echo two; } > ${fresh(r)}`,
  () => 'echo cm0gLWYgYS50eHQ= | base64 -d | sh',
  () => "printf 'rm -f b.txt' | sh",
  () => '$(echo rm) -f a.txt',
  () => '"r""m" -f a.txt',
  () => "$'\\x72m' -f a.txt",
  () => '\\rm -f a.txt',
  () => '/bin/rm -f a.txt',
  () => 'r=rm; $r -f a.txt',
  () => 'command rm -f a.txt; builtin echo hi > b1',
  () => 'alias zap=rm; shopt -s expand_aliases; rm -f b.txt',
  () => 'exec 3> fd.out; echo hi >&3; exec 3>&-',
  () => 'diff <(sort a.txt) <(sort b.txt) > d.out',
  () => 'echo hi > >(cat > ps.out)',
  () => 'trap "rm -f a.txt" EXIT; true',
  () => 'env -i /bin/rm -f a.txt',
  () => 'xxd -p a.txt hex.out',
  () => 'shred -u b.txt',
  () => 'mkfifo pipe1',
  (r) => `chmod +x ${file(r)} && cp -p ${file(r)} ${fresh(r)}`,
  () => 'test -e a.txt && rm a.txt || touch none',
  () => 'case x in x) touch case.out ;; *) rm -f a.txt ;; esac',
  () => '[[ -f a.txt ]] && mv a.txt z.txt',
  () => 'set -- a.txt b.txt; rm -f "$@"',
  () => 'y=${x:-a.txt}; rm -f "${y%.txt}".txt',
  () => 'touch $(echo s1 s2) `echo s3`',
  () => 'comm a.txt b.txt > comm.out; paste a.txt b.txt | tr a b > tr.out',
  () => 'patch --version > /dev/null; cmp a.txt b.txt',
  () => 'csplit -s a.txt 2',
  () => 'shuf -o shuf.out a.txt',
  () => 'nl a.txt | tac | rev | cut -c1 | fold > fold.out',
]

const simple = (text: string): boolean =>
  /^[a-z]+ /.test(text) && !/[;&|<>(){}\n=]|^(?:cd|set|case|for|trap|alias|exec|test|pushd|command) /.test(text)

/** What `sh` reads otherwise than bash. */
const ATOMS_ALONE = /^[\w ./'"*?$;&|<>{}=-]+$/
const BASH_ONLY =
  /\[\[|<<<|declare|local |mapfile|coproc|select|source|pushd|popd|~[-+0-9]|\$\{[^}]*[@^,:/!]|getopts|export -f|read -|printf -v|\+=|exec |>&|hash|command -|;;&|\{[a-z0-9]\.\.|trap|\(\(|[<>]\(|time \{|&>|pushd|\$'|=\(|shopt|builtin|o\{5/

const AROUND: readonly ((text: string, random: Random) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => `( ${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `false || { ${text}\n}`,
  (text) => `sh -c ${quote(BASH_ONLY.test(text) ? 'true' : text)}`,
  (text) => `bash -c ${quote(text)}`,
  (text) => `eval ${quote(text)}`,
  (text) => `out=$( ${text}\n)`,
  (text) => `g() { ${text}\n}; g`,
  (text) => `time { ${text}\n}`,
  (text) => `{ ${text}\n} & wait`,
  (text) => (simple(text) ? `env A=1 ${text}` : text),
  (text) => (simple(text) ? `timeout 5 nice -n 1 ${text}` : text),
  (text) => (simple(text) ? `nohup ${text} > nohup.log` : text),
  (text) => (simple(text) ? `stdbuf -oL ${text}` : text),
  (text) => `bash <<'OUTER'\n${text}\nOUTER`,
  (text) => `${quote(text).length < 400 ? `printf '%s' ${quote(text)} | bash` : text}`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `exec 9<<< ${quote(text)}; bash <&9`,
  (text) => `bash /dev/fd/9 9<<< ${quote(text)}`,
  (text) => `. /dev/stdin <<< ${quote(text)}`,
  (text) => `set -- bash -c ${quote(text)}; "$@"`,
  (text) => `code=${quote(text)}; eval "$code"`,
  (text) => `run=(bash -c ${quote(text)}); "${'${run[@]}'}"`,
  (text) => `coproc { ${text}\n}; wait`,
  (text) => `for one in 1; do ${text}\ndone`,
  (text) => `while :; do ${text}\nbreak; done`,
  (text) => `case x in x) ${text}\n;; esac`,
  (text) => `h() { local v=1; ${text}\nreturn; }; h`,
  (text) => `find . -maxdepth 0 -exec bash -c ${quote(text)} \\;`,
  (text) => `printf '%s\\0' ${quote(text)} | xargs -0 -n 1 bash -c`,
]

const FIXED = [...STATEFUL, ...SHELL, ...PROGRAMS, ...WIDE]
/** How often each kind is picked, out of ten. */
const KINDS: readonly Make[] = [
  ...Array<Make>(3).fill((r) => r.pick(ATOMS)(r)),
  ...Array<Make>(4).fill((r) => r.pick(FIXED)),
  ...Array<Make>(3).fill(assembled),
]

/** `sh` is only handed what it reads as bash does: no text of the other lists. */
function wrapped(text: string, random: Random): string {
  if (random.once(2)) return random.pick(DELIVERIES)(text)
  const around = random.pick(AROUND)(text, random)
  return around.startsWith("sh -c '") && !ATOMS_ALONE.test(text) ? `bash -c ${quote(text)}` : around
}

/** A command of one or two atoms in up to three wrappings; always the same for the same state of `random`. */
export function harmless(random: Random): string {
  let text = random.pick(KINDS)(random)
  for (let depth = random.below(3); depth > 0; depth--) text = wrapped(text, random)
  if (random.once(3)) {
    const lines = /(?:^|\n)(?:OUTER|CODE|EOF|E|A|B)$/.test(text)
    const joint = random.pick(['\n', ' && ', ' || ', ' ; '].slice(0, lines ? 1 : 4))
    const next = random.pick(KINDS)(random)
    text += joint + next
  }
  return text
}

/** Every plain atom once, and each `step`-th of the others: they are for longer runs. */
export function everyAtom(random: Random, step = 14): readonly string[] {
  return [...ATOMS.map((make) => make(random)), ...FIXED.filter((_, at) => at % step === 0)]
}
