import { cases } from '../table-harness.ts'

cases('scp', [
  ['scp a.txt me@h.example:/tmp/', 'read a.txt | send net:upload h.example ! path=/tmp/ +remote carries=file from=a.txt'],
  ['scp -r dir h.example:', 'read dir +recursive | send net:upload h.example ! +recursive path= +remote carries=file from=dir'],
  [
    'scp me@h.example:/etc/passwd .',
    'fetch net:download h.example path=/etc/passwd | write net:download passwd from=me@h.example:/etc/passwd',
  ],
  ['scp -P 22 -i ~/.ssh/id_rsa a h.example:b', 'read a | send net:upload h.example ! path=b +remote carries=file from=a'],
  [
    'scp h1.example:a h2.example:b',
    'fetch net:download h1.example path=a | send net:upload h2.example ! carries=file from=h1.example:a path=b +remote',
  ],
  [
    'scp -3 h1.example:a h2.example:b',
    'fetch net:download h1.example path=a | send net:upload h2.example ! carries=file from=h1.example:a path=b +remote',
  ],
  ['scp a b', 'read a | write fs:copy b from=a'],
  ['scp a me@localhost:/etc/b', 'read a | likely write /etc/b | send net:upload localhost ! path=/etc/b +remote carries=file from=a'],
  ['scp a 127.0.0.1:b', 'read a | likely write ~/b | send net:upload 127.0.0.1 ! path=b +remote carries=file from=a'],
  ['scp localhost:~/a b', 'likely read ~/a | fetch net:download localhost path=~/a | write net:download b from=localhost:~/a'],
  ["scp -o ProxyCommand='rm x' a h.example:b", 'delete x ! | read a | send net:upload h.example ! path=b +remote carries=file from=a'],
  ['scp -S ./x a h.example:b', 'likely execute script:unseen x | read a | send net:upload h.example ! path=b +remote carries=file from=a'],
])

cases('rsync', [
  ['rsync -av src/ dst/', 'read src +recursive | write fs:copy dst +recursive from=src/'],
  [
    'rsync -av src/ me@h.example:/dst/',
    'read src +recursive | send net:upload h.example ! +recursive path=/dst/ +remote carries=file from=src/',
  ],
  [
    'rsync -av h.example:/src/ dst/',
    'fetch net:download h.example +recursive path=/src/ | write net:download dst +recursive from=h.example:/src/',
  ],
  [
    'rsync -av --delete src/ dst/',
    'read src +recursive +mirror | write fs:copy dst +recursive +mirror from=src/ | likely delete fs:mirror dst ! +recursive',
  ],
  [
    'rsync -av --delete-after src/ h.example:/dst',
    'read src +recursive +mirror | send net:upload h.example ! +recursive +mirror path=/dst +remote carries=file from=src/',
  ],
  ['rsync -n -av --delete src/ dst/', ''],
  ['rsync -avn src/ dst/', ''],
  ['rsync --dry-run src/ dst/', ''],
  ['rsync -n a h.example:b', 'fetch net:contact h.example'],
  ['rsync -n -e \'sh -c "rm x"\' a h.example:b', 'delete x ! | fetch net:contact h.example'],
  ["rsync -e 'ssh -p 22' a h.example:b", 'read a | send net:upload h.example ! path=b +remote carries=file from=a'],
  ['rsync -e \'sh -c "rm x"\' a h.example:b', 'delete x ! | read a | send net:upload h.example ! path=b +remote carries=file from=a'],
  ['rsync --rsh=ssh a h.example:b', 'read a | send net:upload h.example ! path=b +remote carries=file from=a'],
  ['rsync --remove-source-files a b', 'read a | write fs:copy b from=a | delete archive:remove a +recursive'],
  [
    'rsync rsync://h.example/mod/x .',
    'fetch net:download rsync://h.example/mod/x path=rsync://h.example/mod/x | write net:download x from=rsync://h.example/mod/x',
  ],
  ['rsync --files-from=list src dst', 'read list | read src/* +unresolved +dynamic | read src | write fs:copy dst from=src'],
  ['rsync --exclude-from=ex src dst', 'read ex | read src | write fs:copy dst from=src'],
  ['rsync --help', ''],
  ['rsync --list-only src', ''],
])

cases('keys', [
  ['ssh-keygen -t ed25519 -f key', 'write ssh:key key | write key:new a private key'],
  ['ssh-keygen', 'write ssh:key ~/.ssh/id_rsa | write key:new a private key'],
  ['ssh-keygen -y -f key', 'read ssh:key key'],
  ['ssh-keygen -l -f key', ''],
  ['ssh-keygen -R h.example', 'write ssh:forget ~/.ssh/known_hosts'],
  ['ssh-keygen -p -f key', 'write ssh:key key'],
  ['ssh-copy-id me@h.example', 'send ssh:authorize me@h.example ! +credentials +remote'],
  ['ssh-copy-id -i key.pub h.example', 'send ssh:authorize h.example ! +remote'],
  ['ssh-add key', 'change ssh:agent key'],
  ['ssh-add -l', ''],
  ['ssh-add -D', 'change ssh:agent default keys +removes'],
  ['ssh-keyscan h.example', 'fetch net:contact h.example'],
])

cases('give-aways', [
  ['wormhole send a.txt', 'read a.txt | send net:upload wormhole ! service=file-sharing carries=file from=a.txt'],
  ['wormhole receive', 'fetch net:download wormhole'],
  ['croc send a.txt', 'read a.txt | send net:upload croc ! service=file-sharing carries=file from=a.txt'],
  ['croc abc', 'fetch net:download croc'],
  ['transfer a.txt', 'read a.txt | send net:upload transfer ! service=file-sharing carries=file from=a.txt'],
])
