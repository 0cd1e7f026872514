import { cases } from '../table-harness.ts'

cases('signals', [
  ['kill 123', 'change proc:kill 123 !'],
  ['kill -9 123', 'change proc:kill 123 ! signal=9'],
  ['kill -KILL 123 456', 'change proc:kill 123 ! signal=KILL | change proc:kill 456 ! signal=KILL'],
  ['kill -s TERM 123', 'change proc:kill 123 ! signal=TERM'],
  ['kill -l', ''],
  ['kill -9 -1', 'change proc:kill -1 ! signal=9 +mass'],
  ['kill -0 123', ''],
  ['kill %1', 'change proc:kill %1 !'],
  ['kill $(pgrep node)', 'change proc:kill unknown !'],
  ['pkill node', 'change proc:kill node ! +pattern'],
  ["pkill -9 -f 'next dev'", 'change proc:kill next dev ! signal=9 +pattern'],
  ['pkill -u me', 'change proc:kill me ! +pattern +mass'],
  ['pkill --signal KILL -x node', 'change proc:kill node ! signal=KILL +pattern'],
  ['killall node', 'change proc:kill node ! +pattern'],
  ['killall -9 -u me', 'change proc:kill me ! signal=9 +pattern +mass'],
  ['killall5', 'change proc:kill any ! +mass'],
  ['fuser -k 3000/tcp', 'change proc:kill 3000/tcp ! signal=KILL +pattern'],
  ['fuser 3000/tcp', ''],
  ['fuser -k /mnt', 'change proc:kill /mnt ! signal=KILL +pattern'],
  ['xkill', 'change proc:kill any ! +mass'],
  ['renice -n 10 123', 'change proc:priority 123'],
  ['skill -9 me', 'change proc:kill me ! signal=9 +pattern'],
])

cases('miners and load', [
  ['xmrig -o pool.example:3333 -u wallet', 'execute proc:mine xmrig !'],
  ['minerd -a x -o stratum+tcp://p.example:1', 'execute proc:mine minerd !'],
  ['stress --cpu 8', 'execute resource:exhaust stress'],
  ['stress-ng --vm 2 --timeout 10s', 'execute resource:exhaust stress-ng'],
  ['stress --help', ''],
])

cases('debuggers', [
  ['gdb -p 123', 'read proc:memory 123'],
  ['gdb ./a.out', 'likely execute script:unseen a.out'],
  ['gcore 123', 'read proc:memory 123'],
  ['reptyr 123', 'change proc:trace 123'],
  ["bpftrace -e 'kprobe:x { }'", 'execute kernel:trace bpftrace'],
])

cases('looking', [
  ['ps aux', ''],
  ['ps -ef', ''],
  ['top -b -n 1', ''],
  ['htop', ''],
  ['pgrep -f node', ''],
  ['pidof node', ''],
  ['pstree', ''],
  ['jobs', ''],
  ['uptime', ''],
  ['free -h', ''],
  ['lsof -p 1', ''],
  ['vmstat 1 5', ''],
  ['nproc', ''],
])

cases('tracers', [
  ['strace -f -o out.txt rm x', 'write out.txt | delete x !'],
  ["strace -o '|rm y' ls", 'delete y !'],
  ['strace -p 1 -o /etc/x', 'write /etc/x | read proc:trace 1'],
  ['ltrace rm x', 'delete x !'],
])
