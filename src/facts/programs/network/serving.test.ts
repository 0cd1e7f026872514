import { cases } from '../table-harness.ts'

cases('logins and screens for whoever connects', [
  ['sshd -D -p 2222', 'execute net:bind-shell any ! via=sshd'],
  ['sshd -t', ''],
  ['dropbear -R', 'execute net:bind-shell any ! via=dropbear'],
  ['x11vnc -forever', 'change net:listen any via=x11vnc'],
  ['vncserver -kill :1', ''],
  ['tcpserver 0.0.0.0 4242 cat', 'execute net:bind-shell 0.0.0.0 ! program=cat'],
  ['httpd -f -h site', 'read site | change net:listen any'],
  ['httpd -v', ''],
])

cases('stores that answer everybody', [
  ['redis-server --protected-mode no', 'change net:listen any via=redis-server'],
  ['redis-server --bind 0.0.0.0', 'change net:listen any via=redis-server'],
  ['redis-server --port 7000', ''],
  ['redis-server --bind 127.0.0.1', ''],
  ['mongod --bind_ip_all', 'change net:listen any via=mongod'],
  ['mongod --bind_ip=0.0.0.0', 'change net:listen any via=mongod'],
  ['mongod --dbpath data', ''],
])
