import { cases } from '../table-harness.ts'

cases('copies of the stream', [
  ['tee a.txt', 'write a.txt'],
  ['tee -a a.txt b.txt', 'write a.txt +append | write b.txt +append'],
  ['tee /etc/hosts', 'write /etc/hosts'],
  ['tee --help', ''],
  ['tee', ''],
  ['tee -- -x', 'write -x'],
  ['sponge a.txt', 'write a.txt'],
  ['split -l 10 a.txt out', 'read a.txt | write out* +mass +many'],
  ['split a.txt', 'read a.txt | write x* +mass +many'],
  ["split --filter='rm x' a.txt", 'read a.txt | delete x !'],
  ['csplit a.txt /x/', 'read a.txt | write xx* +mass +many'],
  ['dos2unix a.txt', 'write text:edit a.txt'],
  ['dos2unix -n a.txt b.txt', 'read a.txt | write text:edit b.txt'],
  ['unix2dos a.txt', 'write text:edit a.txt'],
])

cases('markup', [
  ['xmllint a.xml', 'read a.xml'],
  ['xmllint --output b.xml a.xml', 'write b.xml | read a.xml'],
  ['xmllint --format a.xml', 'read a.xml'],
  ['xsltproc -o out.html a.xsl a.xml', 'write out.html | read a.xsl | read a.xml'],
  ['xmlstarlet sel -t a.xml', 'read a.xml'],
  ['xmlstarlet ed -L a.xml', 'read a.xml | write text:edit a.xml'],
])

cases('sed', [
  ['sed -n 1,5p a.txt', 'read a.txt'],
  ['sed -i s/a/b/ a.txt', 'read a.txt | write text:edit a.txt'],
  ['sed -i.bak s/a/b/ a.txt', 'read a.txt | write text:edit a.txt | write text:backup a.txt.bak'],
  ['sed -e s/a/b/ -e s/c/d/ a.txt', 'read a.txt'],
  ['sed s/a/b/', ''],
  ["sed 'w out.txt' a.txt", 'write text:write out.txt | read a.txt'],
  ['sed -f x.sed a.txt', 'likely execute script:unseen x.sed | read a.txt'],
  [
    'sed --in-place=.bak s/a/b/ a.txt b.txt',
    'read a.txt | write text:edit a.txt | write text:backup a.txt.bak | read b.txt | write text:edit b.txt | write text:backup b.txt.bak',
  ],
  ['sed -ni p a.txt', 'read a.txt | write text:edit a.txt'],
  [
    'sed 1e a.txt',
    '? `sed` runs code that is not known before it runs | likely execute code:dynamic  ! language=shell by=sed | read a.txt',
  ],
])

cases('awk and jq', [
  ["awk '{print $1}' a.txt", 'read a.txt'],
  ["awk -F: '{print $1}' /etc/passwd", 'read /etc/passwd'],
  ['awk \'BEGIN{system("rm x")}\'', 'delete x !'],
  ['awk \'{print > "out.txt"}\' a.txt', 'likely write out.txt | read a.txt'],
  ['awk -f x.awk a.txt', 'likely execute script:unseen x.awk | read a.txt'],
  ["awk -v a=b '{print}' a.txt", 'read a.txt'],
  ['jq . a.json', 'read a.json'],
  ['jq -r .x a.json', 'read a.json'],
  ['jq -f x.jq a.json', 'likely execute script:unseen x.jq | read a.json'],
  ["yq -i '.a=1' a.yaml", 'read a.yaml | write text:edit a.yaml'],
  ['yq .a a.yaml', 'read a.yaml'],
  ['dasel -f a.json .a', 'read a.json'],
  ['dasel put -f a.json -t string -v x .a', 'read a.json | write text:edit a.json'],
  ['dasel put -f a.json -v x .a -o b.json', 'read a.json | write b.json'],
  ['jq --slurpfile a b.json . c.json', 'read b.json | read c.json'],
])
