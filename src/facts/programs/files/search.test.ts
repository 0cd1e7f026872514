import { cases } from '../table-harness.ts'

cases('grep', [
  ["grep -r 'rm -rf /' .", 'read . +mass +recursive'],
  ['grep -rn TODO src', 'read src +recursive'],
  ['grep -e a -e b f.txt', 'read f.txt'],
  ['grep -f patterns.txt f.txt', 'read patterns.txt | read f.txt'],
  ['grep --file=patterns.txt f.txt', 'read patterns.txt | read f.txt'],
  ['grep x', ''],
  ['grep -l x *.ts', 'read *.ts +mass'],
  ['grep -- -v a.txt', 'read a.txt'],
  ['grep -A3 -B 3 x a.txt', 'read a.txt'],
  ["grep --include='*.ts' -R x src", 'read src +recursive'],
  ['grep -c x /etc/shadow', 'read /etc/shadow'],
  ['zgrep x a.gz', 'read a.gz'],
  ["egrep 'a|b' f", 'read f'],
  ['grep --help', ''],
  ['grep -V', ''],
])

cases('rg', [
  ['rg TODO', 'read . +mass +recursive'],
  ['rg TODO src lib', 'read src +recursive | read lib +recursive'],
  ['rg -e a -e b src', 'read src +recursive'],
  ['rg --files', 'read . +mass +recursive'],
  ['rg --files src', 'read src +recursive'],
  ['rg -f patterns src', 'read patterns | read src +recursive'],
  ["rg -g '*.ts' x", 'read . +mass +recursive'],
  ['rg --pre ./evil.sh x', 'likely execute script:unseen evil.sh | read . +mass +recursive'],
  ['rg --pre=cat x src', 'execute cat | read src +recursive'],
  ['rg -uuu secret ~', 'read ~ +mass +recursive | read seek:secrets /home/me +kept'],
  ['rg --hostname-bin ./x y', 'likely execute script:unseen x | read . +mass +recursive'],
  ['ag x src', 'read src +recursive'],
  ['ack x src', 'read src +recursive'],
])

cases('fuzzy finders', [
  ['fzf', ''],
  [`fzf --bind '${'a:execute(ls),'.repeat(64)}b:execute(id)'`, '? `fzf` is given more commands than are read'],
  ["fzf --preview 'cat {}'", 'read {}'],
  ['fzf --listen', 'change net:listen this machine'],
  ["fzf --bind 'enter:execute(rm {})'", 'delete {} !'],
  ["sk -c 'rm {}'", 'delete {} !'],
])

cases('measuring', [
  ["hyperfine 'ls' 'rm -rf x'", 'delete x ! +recursive +force'],
  ["hyperfine --prepare 'make clean' make", 'likely execute dev:make make | likely execute dev:make make clean'],
  ['hyperfine --export-json out.json ls', 'write out.json'],
])

cases('manuals', [
  ['man ls', ''],
  ["man -P 'sh -c id' ls", ''],
  ['man --pager=./x ls', 'likely execute script:unseen x'],
])

cases('fd', [
  ['fd x', 'read fs:list . +mass +recursive named=["x"]'],
  ['fd -x rm', 'read fs:list . +mass +recursive +everything | delete . ! +mass'],
  ['fd pyc -x rm', 'read fs:list . +mass +recursive named=["pyc"] | delete ./… ! +mass'],
  ['fd -e pyc -x rm', 'read fs:list . +mass +recursive named=["*.pyc"] | delete ./… ! +mass'],
  ['fd . src -x rm', 'read fs:list src +recursive +everything | delete src ! +mass'],
  ['fd -e log -X rm -rf', 'read fs:list . +mass +recursive named=["*.log"] | delete ./… ! +mass +recursive +force'],
  ['fd pattern src --exec cat {}', 'read fs:list src +recursive named=["pattern"] | read src/… +mass'],
])
