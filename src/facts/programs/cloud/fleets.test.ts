import { cases } from '../table-harness.ts'

cases('one command for many machines', [
  [
    "pssh -h hosts 'rm -rf /srv'",
    'read hosts | send net:remote-shell listed machines ! remote=listed machines carries=file from=hosts | delete /srv ! +recursive +force remote=pssh',
  ],
  ['pdsh -w web1 reboot', 'send net:remote-shell web1 ! remote=web1 | change power:off machine ! remote=pdsh'],
  ['clush -a uptime', 'send net:remote-shell listed machines ! remote=listed machines'],
  ['parallel-ssh -H db1 -i id', 'send net:remote-shell db1 ! remote=db1'],
  ['pssh --help', ''],
  ['pdsh', ''],
])

cases('the old remote shells, and those of Windows', [
  ['rsh db1 id', 'send net:remote-shell db1 ! remote=db1'],
  ['rsh db1', 'send net:remote-login db1 ! remote=db1'],
  ["psexec '\\\\host' cmd", 'send net:remote-shell host ! remote=host'],
  ['winrs -r:host hostname', 'send net:remote-shell host ! remote=host'],
])

cases('screens of others', [
  ['xfreerdp /v:db1 /u:me', 'send net:remote-login db1 !'],
  ['vncviewer db1', 'send net:remote-login db1 !'],
  ['vncviewer --help', ''],
])
