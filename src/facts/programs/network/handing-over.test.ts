import { cases } from '../table-harness.ts'

cases('paste services and messages', [
  ['pastebinit notes.txt', 'read notes.txt | send net:upload paste.ubuntu.com ! service=paste carries=file from=notes.txt'],
  ['pastebinit -i notes.txt', 'read notes.txt | send net:upload paste.ubuntu.com ! service=paste carries=file from=notes.txt'],
  ['pastebinit --help', ''],
  ['wgetpaste log.txt', 'read log.txt | send net:upload paste ! service=paste carries=file from=log.txt'],
  ['mosquitto_pub -h x.example -t t -f a.txt', 'read a.txt | send net:upload x.example ! carries=file from=a.txt'],
  ['kcat -P -b x.example -t t a.txt', 'read a.txt | send net:upload x.example ! carries=file from=a.txt'],
  ['kcat -C -b x.example -t t', 'fetch net:download x.example'],
])

cases('stores of others', [
  [
    'azcopy copy a.txt https://x.blob.core.windows.net/c',
    'read a.txt | send net:upload https://x.blob.core.windows.net/c ! carries=file from=a.txt',
  ],
  ['azcopy copy https://x.blob.core.windows.net/c b', 'fetch net:download https://x.blob.core.windows.net/c | write b'],
  ['azcopy remove https://x.blob.core.windows.net/c', 'delete cloud:delete https://x.blob.core.windows.net/c !'],
  ['azcopy list https://x.blob.core.windows.net/c', ''],
  ['ipfs add -r site', 'read site | publish net:upload ipfs ! service=file-sharing'],
  ['ipfs cat abc', ''],
  ['ncftpput -u me x.example / a.txt', 'read a.txt | send net:upload x.example ! carries=file from=a.txt'],
])

cases('tunnels', [
  ['iodine -f t.x.example', 'send net:tunnel t.x.example !'],
  ['dnscat2', 'change net:tunnel any via=dnscat2'],
  ['iodine -v', ''],
])
