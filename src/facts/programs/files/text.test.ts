import { cases } from '../table-harness.ts'

cases('readers', [
  ['cat a.txt', 'read a.txt'],
  ['cat -- -n', 'read -n'],
  ['cat a.txt - b.txt', 'read a.txt | read b.txt'],
  ['cat /etc/passwd ~/.ssh/id_rsa', 'read /etc/passwd | read ~/.ssh/id_rsa'],
  ['cat --help', ''],
  ['cat a.txt --version', ''],
  ['tac a.txt', 'read a.txt'],
  ['zcat logs.gz', 'read logs.gz'],
  ['bat -n --paging=never src/a.ts', 'read src/a.ts'],
  ["bat --pager 'less -R' src/a.ts", 'read src/a.ts'],
  ['head -n 5 a.txt', 'read a.txt'],
  ['head -5 a.txt', 'read a.txt'],
  ['head --lines=5 a.txt b.txt', 'read a.txt | read b.txt'],
  ['head -c 100 -- a.txt', 'read a.txt'],
  ['tail -f /var/log/syslog', 'read /var/log/syslog'],
  ['tail -n +2 a.txt', 'read a.txt'],
  ['tail -F --pid=12 a.log', 'read a.log'],
])

cases('counters and columns', [
  ['wc -l a.txt', 'read a.txt'],
  ['wc --files0-from=names.txt', 'read names.txt'],
  ['wc -l', ''],
  ['cut -d: -f1 /etc/passwd', 'read /etc/passwd'],
  ["cut -f 1 -d ',' a.csv", 'read a.csv'],
  ['nl -ba a.txt', 'read a.txt'],
  ['fold -w 80 a.txt', 'read a.txt'],
  ['column -t -s, a.csv', 'read a.csv'],
  ['paste -d, a.txt b.txt', 'read a.txt | read b.txt'],
  ['comm -12 a.txt b.txt', 'read a.txt | read b.txt'],
  ['join -t, -1 1 -2 2 a.csv b.csv', 'read a.csv | read b.csv'],
  ['tr a-z A-Z', ''],
])

cases('sort and uniq', [
  ['sort a.txt', 'read a.txt'],
  ['sort -o a.txt a.txt', 'write a.txt | read a.txt'],
  ['sort -ro out.txt a.txt', 'write out.txt | read a.txt'],
  ['sort --output=out.txt -k2,2 -t: a.txt', 'write out.txt | read a.txt'],
  ['sort -T /tmp -S 1G -nr a.txt', 'read a.txt'],
  ['sort --compress-program=gzip a.txt', 'execute gzip | read a.txt'],
  ['sort --files0-from=names', 'read names'],
  ['uniq -c a.txt', 'read a.txt'],
  ['uniq a.txt b.txt', 'read a.txt | write b.txt'],
  ['shuf -n 1 a.txt', 'read a.txt'],
  ['shuf -o out.txt a.txt', 'write out.txt | read a.txt'],
  ['shuf -e a b c', ''],
])

cases('comparing', [
  ['diff a.txt b.txt', 'read a.txt | read b.txt'],
  ['diff -u --label x a.txt b.txt', 'read a.txt | read b.txt'],
  ['diff -r --exclude=node_modules a b', 'read a +recursive | read b +recursive'],
  ['diff a.txt -', 'read a.txt'],
  ['cmp a.bin b.bin', 'read a.bin | read b.bin'],
  ['sdiff -o merged.txt a.txt b.txt', 'write merged.txt | read a.txt | read b.txt'],
  ['delta a b', 'read a | read b'],
])

cases('bytes', [
  ['xxd a.bin', 'read a.bin'],
  ['xxd -r hex.txt out.bin', 'read hex.txt | write out.bin'],
  ['xxd -p a.bin', 'read a.bin'],
  ['xxd -l 16 a.bin', 'read a.bin'],
  ['od -c a.bin', 'read a.bin'],
  ['hexdump -C a.bin', 'read a.bin'],
  ['strings -n 8 a.bin', 'read a.bin'],
  ['base64 a.bin', 'read a.bin'],
  ['base64 --output=out.b64 a.bin', 'write out.b64 | read a.bin'],
  ['base64 -oout.b64 -i a.bin', 'write out.b64 | read a.bin'],
  ['base64 -d a.b64', 'read a.b64'],
  ['base64 -w0 ~/.ssh/id_rsa', 'read ~/.ssh/id_rsa'],
  ['md5sum a.txt b.txt', 'read a.txt | read b.txt'],
  ['sha256sum -c SUMS', 'read SUMS'],
  ['shasum -a 256 a.txt', 'read a.txt'],
])

cases('pagers', [
  ['less a.txt', 'read a.txt'],
  ['less +F /var/log/syslog', 'read /var/log/syslog'],
  ['less -o copy.txt a.txt', 'write copy.txt | read a.txt'],
  ['more a.txt', 'read a.txt'],
])

cases('conversions', [
  ['iconv -f latin1 -t utf-8 -o out.txt in.txt', 'write out.txt | read in.txt'],
  ['iconv -f latin1 -t utf-8 in.txt', 'read in.txt'],
  ['pdftotext in.pdf out.txt', 'read in.pdf | write out.txt'],
  ['pdftotext in.pdf', 'read in.pdf'],
  ['expand -t 4 a.txt', 'read a.txt'],
  ['lsblk', ''],
  ['lscpu', ''],
  ['lsmod', ''],
])

cases('data tools', [
  ['mlr --icsv --ojson cat a.csv', 'read cat | read a.csv'],
  ['csvcut -c 1 a.csv', 'read a.csv'],
  ['xsv select a b.csv', 'likely execute program:unknown xsv | possible read b.csv'],
])

cases('objects', [
  ['nm -C lib.so', 'read lib.so'],
  ['objdump -d a.out', 'read a.out'],
  ['readelf -h a.out', 'read a.out'],
  ['ldd ./a.out', 'read a.out'],
  ['size a.out', 'read a.out'],
])
