import { cases } from './table-harness.ts'

cases('redis', [
  ['redis-cli get x', 'read sql:read 0'],
  ["redis-cli -h h.example keys '*'", 'fetch sql:connect h.example | read sql:read 0'],
  ['redis-cli flushall', 'delete sql:flush 0 !'],
  ['redis-cli -n 1 FLUSHDB', 'delete sql:flush 1 !'],
  ['redis-cli set x y', 'write sql:write 0 operation=set'],
  ['redis-cli del x', 'delete sql:delete 0 ! +where'],
  ['redis-cli config set dir /tmp', 'change sql:kill 0 operation=config'],
  ['redis-cli config set "$K" /tmp', 'change sql:kill 0 operation=config'],
  ['redis-cli config "$O" dir /tmp', 'change sql:kill 0 operation=config'],
  ['redis-cli config set maxmemory 1gb', 'change sql:admin 0 operation=config'],
  ['redis-cli config get dir', 'read sql:read 0'],
  ['redis-cli shutdown', 'change sql:kill 0 operation=shutdown'],
  ['redis-cli --eval x.lua', 'likely execute script:unseen x.lua'],
  ["redis-cli eval 'return 1' 0", ''],
  ['redis-cli --scan', ''],
  ['redis-cli --rdb dump.rdb', ''],
  ['redis-cli', ''],
  ['redis-cli monitor', 'read sql:read 0'],
  ['redis-cli debug segfault', 'change sql:admin 0 operation=debug'],
])

cases('mongo', [
  ['mongosh', ''],
  ["mongosh --eval 'db.users.drop()'", 'delete sql:drop test !'],
  ["mongosh --eval 'db.users.find()'", 'read sql:read test'],
  [
    "mongosh mongodb://h.example/db --eval 'db.dropDatabase()'",
    'fetch sql:connect mongodb://h.example/db | delete sql:drop mongodb://h.example/db !',
  ],
  ['mongosh x.js', 'likely execute script:unseen x.js'],
  ['mongosh --eval "db.users.deleteMany({})"', 'delete sql:delete test !'],
])

cases('keys and queues', [
  ['etcdctl get x', 'read sql:read etcd'],
  ['etcdctl del --prefix x', 'delete sql:drop etcd !'],
  ['etcdctl put x y', 'change sql:admin etcd operation=put'],
  ['etcdctl snapshot save a.db', 'change sql:admin etcd operation=snapshot'],
  ['consul kv get x', 'read sql:read consul'],
  ['consul kv delete -recurse x', 'delete sql:drop consul !'],
  ['consul kv put x y', 'change sql:admin consul operation=put'],
  ['consul members', 'read sql:read consul'],
  ['rabbitmqctl list_queues', 'read sql:read rabbitmq'],
  ['rabbitmqctl delete_queue x', 'delete sql:drop rabbitmq !'],
  ['rabbitmqctl purge_queue x', 'delete sql:drop rabbitmq !'],
  ['rabbitmqctl stop', 'change sql:admin rabbitmq operation=stop'],
  ['kafka-topics --list --bootstrap-server h:1', 'read sql:read kafka'],
  ['kafka-topics --delete --topic x --bootstrap-server h:1', 'delete sql:drop kafka !'],
  ['kafka-topics.sh --create --topic x', 'change sql:admin kafka operation=--create'],
  ['kafka-consumer-groups --reset-offsets --execute', 'delete sql:drop kafka !'],
  ['influx query x', 'read sql:read influxdb'],
  ['influx bucket delete -n x', 'delete sql:drop influxdb !'],
  ['nats pub x y', 'change sql:admin nats operation=pub'],
  ['nats stream rm x', 'delete sql:drop nats !'],
])
