import { cases } from './table-harness.ts'

/** Options that run, load or write something, and operands that an option was believed to take. */

cases('an operand after a flag', [
  [
    'wget --random-wait http://h.example/x',
    'fetch http:get http://h.example/x method=GET redirects=followed | write http:save x from=http://h.example/x',
  ],
  ['mkfs.ext4 -j /dev/sda1', 'change disk:format /dev/sda1 !'],
  ['useradd -l bob', 'change user:add bob'],
  ['jq --tab . f.json', 'read f.json'],
  ['tar --one-top-level -xf a.tgz', 'read a.tgz | write archive:extract . +mass +recursive from=a.tgz'],
  ['diff --unified a b', 'read a | read b'],
  ['base64 -i f', 'read f'],
])

cases('options that run or load', [
  ['prove -e "rm x" t', 'execute dev:test prove | read t | delete x !'],
  ['sftp -D "rm x"', 'delete x !'],
  ['sftp -o ProxyCommand="rm x" h.example', 'delete x ! | send net:connect h.example !'],
  ['ssh-keygen -D /opt/p11.so', 'execute code:load /opt/p11.so'],
  ['tar --set-mtime-command="rm x" -cf a.tar b', 'delete x ! | write archive:create a.tar | read b +recursive'],
  ['git ls-remote --exec="rm x" h:r', 'delete x ! in_place_of=the other end of git | fetch git:ls-remote h:r remote=h:r'],
  ['git clone --config core.sshCommand="rm x" h:r', 'fetch git:clone h:r | write git:clone r | delete x ! in_place_of=core.sshCommand'],
  ['git send-email --to-cmd="rm x" p', 'send mail:send sendemail.to ! | delete x !'],
  ['kubectl run n --image i --command -- rm x', 'execute k8s:run n image=i | delete x ! pod=n'],
  ['kubectl debug p --image=i -- rm x', 'execute k8s:debug p | delete x ! pod=p'],
  ['volta run --node 20 rm x', 'delete x !'],
  ['fnm exec --using=20 rm x', 'delete x !'],
  ['nvm exec 20 rm x', 'delete x !'],
])

cases('options that write', [
  ['tar -cf a.tar -g snap.db src', 'write snap.db | write archive:create a.tar | read src +recursive'],
  ['git clone --separate-git-dir=/g h:r', 'fetch git:clone h:r | write git:clone r | write git:clone /g'],
  ['pg_basebackup -P -D /var/backups/x', 'write /var/backups/x | read sql:dump default'],
])
