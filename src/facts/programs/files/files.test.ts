import { cases } from '../table-harness.ts'

cases('rm', [
  ['rm a', 'delete a !'],
  ['rm -rf build', 'delete build ! +recursive +force'],
  ['rm -fr build', 'delete build ! +recursive +force'],
  ['rm -r -f build', 'delete build ! +recursive +force'],
  ['rm -R --force build', 'delete build ! +recursive +force'],
  ['rm --recursive --force build', 'delete build ! +recursive +force'],
  ['rm --rec --forc build', 'delete build ! +recursive +force'],
  ['rm -rf -- -x', 'delete -x ! +recursive +force'],
  ['rm -- --help', 'delete --help !'],
  ['rm -i a', 'delete a !'],
  ['rm --help a', ''],
  ['rm a --help', 'delete a !'],
  ['rm --version', ''],
  ['rm -rf / --no-preserve-root', 'delete / ! +mass +recursive +force +no_preserve_root'],
  ['rm -rf --preserve-root=all /', 'delete / ! +mass +recursive +force'],
  ['rm -rf ~', 'delete ~ ! +mass +recursive +force'],
  ['rm -rf ~/', 'delete ~ ! +mass +recursive +force'],
  ['rm -rf .', 'delete . ! +mass +recursive +force'],
  ['rm -rf ..', 'delete / ! +mass +recursive +force'],
  ['rm -rf *', 'delete . ! +mass +recursive +force'],
  ['rm -rf ./*', 'delete . ! +mass +recursive +force'],
  ['rm -rf "$X"', 'delete "$X" ! +unresolved +recursive +force'],
  ['rm -rf "$X/y"', 'delete "$X/y" ! +unresolved +recursive +force'],
  ['rm -rfv a b c', 'delete a ! +recursive +force | delete b ! +recursive +force | delete c ! +recursive +force'],
  ['rm -d empty', 'delete empty !'],
  ['unlink a', 'delete a !'],
  ['srm -r a', 'delete a ! +recursive | write fs:shred a !'],
  ['trash a', 'delete fs:trash a'],
  ['trash-put a', 'delete fs:trash a'],
  ['trash-empty', 'delete fs:trash trash !'],
  ['rmdir a', 'delete fs:rmdir a'],
  ['rmdir -p a/b', 'delete fs:rmdir a/b | delete fs:rmdir a'],
])

cases('cp', [
  ['cp a b', 'read a | write fs:copy b from=a'],
  ['cp -r a b', 'read a +recursive | write fs:copy b +recursive from=a'],
  ['cp -rf a b/', 'read a +recursive | write fs:copy b/a +recursive +force from=a'],
  ['cp a b c dir/', 'read a | read b | read c | write fs:copy dir/a from=a | write fs:copy dir/b from=b | write fs:copy dir/c from=c'],
  ['cp -t dir a b', 'read a | read b | write fs:copy dir/a from=a | write fs:copy dir/b from=b'],
  ['cp --target-directory=dir a', 'read a | write fs:copy dir/a from=a'],
  ['cp -T a b', 'read a | write fs:copy b from=a'],
  ['cp ~/.ssh/id_rsa /tmp/', 'read ~/.ssh/id_rsa | write fs:copy /tmp/id_rsa from=/home/me/.ssh/id_rsa'],
  ['cp --help', ''],
  ['cp -n a b', 'read a | write fs:copy b from=a'],
  ['cp -- -a -b', 'read -a | write fs:copy -b from=-a'],
  ['cp -l a b', 'read a | write fs:copy b from=a'],
  ['cp --backup=numbered a b', 'read a | write fs:copy b.~… +unresolved from=b +backup | write fs:copy b from=a'],
  ['cp a /etc/cron.d/x', 'read a | write fs:copy /etc/cron.d/x from=a'],
])

cases('mv', [
  ['mv a b', 'delete fs:move a to=b | write fs:move b from=a'],
  ['mv -f a b', 'delete fs:move a to=b +force | write fs:move b +force from=a'],
  ['mv a b dir', 'delete fs:move a to=dir | delete fs:move b to=dir | write fs:move dir/a from=a | write fs:move dir/b from=b'],
  ['mv -t dir a b', 'delete fs:move a to=dir | delete fs:move b to=dir | write fs:move dir/a from=a | write fs:move dir/b from=b'],
  ['mv ~/.bashrc /tmp', 'delete fs:move ~/.bashrc to=/tmp | write fs:move /tmp/.bashrc from=/home/me/.bashrc'],
  ['mv --help', ''],
  ['mv -n a b', 'delete fs:move a to=b | write fs:move b from=a'],
])

cases('ln', [
  ['ln a b', 'possible read fs:link a | write fs:link b to=a'],
  ['ln -s a b', 'possible read fs:link a | write fs:link b to=a +symbolic'],
  ['ln -sf /etc/passwd x', 'possible read fs:link /etc/passwd | write fs:link x to=/etc/passwd +symbolic +force'],
  ['ln -s ../x', 'possible read fs:link /x | write fs:link x to=../x +symbolic'],
  [
    'ln -st dir a b',
    'possible read fs:link a | write fs:link dir/a to=a +symbolic | possible read fs:link b | write fs:link dir/b to=b +symbolic',
  ],
  ['link a b', 'possible read fs:link a | write fs:link b to=a'],
])

cases('install', [
  ['install -m 755 a /usr/local/bin/a', 'read a | write fs:copy /usr/local/bin/a mode=755 from=a'],
  ['install -d dir', 'write fs:mkdir dir'],
  ['install -Dm644 a dir/b', 'read a | write fs:copy dir/b mode=644 from=a'],
  ['install -t dir a b', 'read a | read b | write fs:copy dir/a from=a | write fs:copy dir/b from=b'],
])

cases('making', [
  ['mkdir a', 'write fs:mkdir a'],
  ['mkdir -p a/b', 'write fs:mkdir a/b'],
  ['mkdir -m 700 a', 'write fs:mkdir a'],
  ['touch a', 'write fs:touch a'],
  ['touch -r ref a', 'write fs:touch a'],
  ['touch -t 202001010000 a', 'write fs:touch a'],
  ["touch -d '1 day ago' a", 'write fs:touch a'],
  ['mkfifo pipe', 'write fs:node pipe'],
  ['mknod x c 1 3', 'write fs:node x'],
  ['mktemp', 'write fs:touch /tmp/tmp.XXXXXXXXXX'],
  ['mktemp -d', 'write fs:touch /tmp/tmp.XXXXXXXXXX'],
  ['mktemp -p dir', 'write fs:touch dir/tmp.XXXXXXXXXX'],
  ['mktemp --tmpdir=dir x.XXXX', 'write fs:touch dir/x.XXXX'],
  ['mktemp -t x.XXXX', 'write fs:touch /tmp/x.XXXX'],
  ['mktemp ./out.XXXX', 'write fs:touch out.XXXX'],
  ['mktemp -u', ''],
  ['mktemp --dry-run out.XXXX', ''],
])

cases('dd', [
  ['dd if=a of=b', 'read a | write disk:copy b from=a'],
  ['dd of=/dev/sda if=/dev/zero bs=1M', 'write disk:copy /dev/sda ! from=/dev/zero'],
  ['dd if=/dev/zero of=x bs=1M count=1', 'write disk:copy x from=/dev/zero'],
  ['dd bs=1M', ''],
  ['dd --help', ''],
])

cases('cutting', [
  ['truncate -s 0 a', 'write fs:truncate a ! size=0'],
  ['truncate --size=0 /var/log/x', 'write fs:truncate /var/log/x ! size=0'],
  ['fallocate -l 1G a', 'write fs:allocate a'],
  ['shred a', 'write fs:shred a !'],
  ['shred -u a', 'write fs:shred a ! | delete fs:shred a !'],
  ['shred -n 3 -z /dev/sda', 'write fs:shred /dev/sda !'],
  ['wipe a', 'write fs:shred a !'],
])

cases('looking', [
  ['ls', ''],
  ['ls -la src', 'read fs:list src'],
  ['ls --color=auto -- src', 'read fs:list src'],
  ['ls ~/.ssh', 'read fs:list ~/.ssh'],
  ['exa -T src', 'read fs:list src'],
  ['tree src', 'read fs:list src'],
  ['tree -o out.txt', 'write out.txt'],
  ['du -sh src', 'read fs:list src'],
  ['df -h', ''],
  ['stat a', 'read fs:stat a'],
  ['stat -c %s a', 'read fs:stat a'],
  ['file a', 'read fs:stat a'],
  ['file -m magic a', 'read magic | read fs:stat a'],
  ['readlink -f a', 'read fs:stat a'],
  ['realpath a', 'read fs:stat a'],
  ['basename /a/b', ''],
  ['dirname /a/b', ''],
  ['lsattr a', 'read fs:stat a'],
  ['getfacl a', 'read fs:stat a'],
])

cases('renaming and patching', [
  ['rename s/a/b/ a b', 'delete fs:move a | delete fs:move b'],
  ['rename \'s/x/system("id")/e\' a', 'delete fs:move a'],
  ['rename a b c', 'delete fs:move b | delete fs:move c'],
  ['patch -p1 -i x.patch', 'read x.patch | write text:edit . +mass +many'],
  ['patch a x.patch', 'write text:edit a | read x.patch'],
  ['patch --dry-run -i x.patch', ''],
  ['patch -o out a x.patch', 'write out'],
])
