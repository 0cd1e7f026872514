import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl } from '../../resources/acts.ts'
import { byName, type Doing, doing, list, takes } from '../tool.ts'
import { inferredAct } from '../unknown/unknown.ts'
import { mongo } from './mongo.ts'
import { onServer, serverOf } from './servers.ts'

/**
 * Clients of document, key-value and message stores. Asking emits a read.
 * Actions: sql:drop (collections, databases, keys by the thousand), sql:flush, sql:delete, sql:write, sql:read, sql:admin,
 * sql:connect.
 */

const HELP = ['--help', '--version']

const REDIS_READS: ReadonlySet<string> = new Set(
  list(
    'get mget keys scan exists ttl pttl type info ping dbsize llen lrange lindex hget hgetall hkeys hvals hlen hmget hscan ' +
      'smembers scard sismember sscan zrange zrangebyscore zcard zscore zcount zscan strlen getrange bitcount object memory ' +
      'time echo lastsave monitor command xrange xlen xread subscribe psubscribe pfcount randomkey dump select auth hello ' +
      'role cluster latency slowlog zrank hexists geopos geodist getbit touch',
  ),
)
const REDIS_FLUSH: ReadonlySet<string> = new Set(list('flushall flushdb'))
/** What ends it, gives it another master, or loads code into it. */
const REDIS_STOPS: ReadonlySet<string> = new Set(list('shutdown slaveof replicaof failover module'))
const REDIS_ADMIN: ReadonlySet<string> = new Set(
  list('config shutdown slaveof replicaof module debug save bgsave bgrewriteaof acl script migrate restore swapdb failover reset client'),
)

const redis: CommandSpec = {
  flags: list(
    '-x -c --raw --no-raw --tls --insecure --csv --stat --latency --bigkeys --memkeys --scan --no-auth-warning --json --verbose -2 -3',
  ),
  options: {
    ...takes('-h -p -s -a -u -r -i -n -d -D --user --pass --pattern --cacert --cert --key --sni --count --rdb --functions-rdb'),
    '--eval': 'script',
  },
  stopAtOperand: true,
  inert: [...HELP, '-v'],
  refine: (parsed, context) => {
    for (const host of parsed.values('-h', '-u')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const server = serverOf(parsed, context, { hosts: ['-h', '-u', '-s'], ports: ['-p'] })
    onServer(server, context, (inside) => redisRun(parsed, { context: inside, database: parsed.value('-n')?.text ?? '0' }))
  },
}

function redisRun(parsed: ParsedCommand, redis: Redis): void {
  const [command, ...args] = parsed.operands
  const { input } = parsed.invocation
  if (command !== undefined) redisCommand(command, args, redis)
  else if (input.kind === 'text' && input.text !== null) {
    for (const line of input.text.split('\n')) redisLine(line, parsed, redis)
  } else if (input.kind !== 'none') redis.context.opaque('the commands of `redis-cli` come from standard input')
}

interface Redis {
  readonly context: CommandContext
  readonly database: string
}

function redisLine(line: string, { invocation }: ParsedCommand, at: Redis): void {
  const [name, ...args] = line
    .trim()
    .split(/\s+/)
    .map((text) => ({ text, prefix: text, glob: false, dynamic: false, span: invocation.span }))
  if (name !== undefined && name.text !== '') redisCommand(name, args, at)
}

/** `CONFIG SET dir /root/.ssh`: the server writes its next dump there, with its own rights. */
function setsItsFile(name: string, [verb, setting]: readonly Word[]): boolean {
  return name === 'config' && couldBe(verb, /^set$/i) && couldBe(setting, /^(?:dir|dbfilename|appenddirname|appendfilename)$/i)
}

/** A word that is not known before it runs could be any. */
const couldBe = (word: Word | undefined, wanted: RegExp): boolean => word !== undefined && (word.text === null || wanted.test(word.text))

function redisCommand(word: Word, args: readonly Word[], { context, database }: Redis): void {
  const name = word.text?.toLowerCase() ?? null
  const target = context.thing('database', database)
  if (name === null) {
    context.opaque('the command of `redis-cli` is not known before it runs', word.span)
    return
  }
  const { span } = word
  if (REDIS_SCRIPTS.has(name)) {
    redisScript(word, args, { context, database })
    return
  }
  const asks = REDIS_ASKED.has(name) && /^(?:get|list|whoami|info|id|cat|getuser|users)$/i.test(args[0]?.text ?? '')
  if (name === 'config' && couldBe(args[1], /^(?:requirepass|masterauth|\*)$/i) && asks)
    context.emit('read', target, { action: 'secret:read', span })
  else if (REDIS_FLUSH.has(name)) context.emit('delete', target, { action: 'sql:flush', span })
  else if (REDIS_READS.has(name) || asks) context.emit('read', target, { action: 'sql:read', span })
  else if (name === 'acl') context.emit('change', target, { action: 'access:grant', span })
  else if (REDIS_DELETES.has(name)) context.emit('delete', target, { action: 'sql:delete', span, attributes: { where: true } })
  else {
    const [verb, action] = redisChange(name, args)
    context.emit(verb, target, { action, span, attributes: { operation: name } })
  }
}

function redisChange(name: string, args: readonly Word[]): readonly ['change' | 'write', string] {
  if (REDIS_STOPS.has(name) || setsItsFile(name, args)) return ['change', 'sql:kill']
  return REDIS_ADMIN.has(name) ? ['change', 'sql:admin'] : ['write', 'sql:write']
}

const REDIS_SCRIPTS: ReadonlySet<string> = new Set(['eval', 'evalsha', 'fcall'])
const REDIS_DELETES: ReadonlySet<string> = new Set(['del', 'unlink'])
const REDIS_ASKED: ReadonlySet<string> = new Set(['config', 'client', 'acl', 'module'])

/** A script calls commands by name: `redis.call('flushall')`. */
function redisScript(word: Word, [script]: readonly Word[], redis: Redis): void {
  redis.context.code('lua', script?.text ?? null, script?.span ?? word.span)
  for (const [, name = ''] of (script?.text ?? '').matchAll(/redis\.p?call\(\s{0,9}['"]([a-z]+)['"]/gi)) {
    redisCommand({ ...word, text: name, prefix: name }, [], redis)
  }
}

interface Verbs {
  readonly store: string
  readonly reads: string
  readonly deletes: string
  /** What gives access, what prints a credential, and what stops the store or takes it apart. */
  readonly access?: string
  readonly secrets?: string
  readonly stops?: string
  readonly valued?: string
  /** Options that name the server; without one it is this machine's. */
  readonly servers?: string
  /** Words before the verb. */
  readonly groups?: string
  /** Its long options begin with one dash. */
  readonly singleDashLong?: boolean
  /** Options that decide instead of words: `kafka-topics --delete`. */
  readonly byOption?: boolean
}

/** Servers of this machine, however they are written: `localhost:2379`, `http://127.0.0.1`, `[::1]:9092`. */
const HERE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0)(?:[:/]|$)/i

const GRANTS: Doing = 'change access:grant'
/** After a word about access: `acl token list`. */
const SHOWS = /^(?:list|ls|get|read|show|status|active|find)$/

/** What a verb does to a store: the first set that has it, in this order. */
function kinds({ reads, deletes, access = '', secrets = '', stops = '' }: Verbs): readonly (readonly [ReadonlySet<string>, Doing])[] {
  return [
    [new Set(list(deletes)), 'delete sql:drop'],
    [new Set(list(access)), GRANTS],
    [new Set(list(secrets)), 'read secret:read'],
    [new Set(list(stops)), 'change sql:kill'],
    [new Set(list(reads)), 'read sql:read'],
  ]
}

/** The gravest of the options that say what it does: `--reset-offsets` only tells what it would do without `--execute`. */
function gravest(words: readonly Word[], table: ReturnType<typeof kinds>): Word | undefined {
  const unknown = words.find(({ text }) => text === null)
  const graver = table.map(([listed]) => words.find(({ text }) => text !== null && listed.has(text))).find((word) => word !== undefined)
  return unknown ?? graver ?? words[0]
}

/** Stores whose client takes a verb: listed verbs read, delete and so on, any other writes. */
function store(verbs: Verbs): CommandSpec {
  const { store: name, valued = '', servers = '', groups = '', byOption = false, singleDashLong = false } = verbs
  const before = new Set(list(groups))
  const table = kinds(verbs)
  return {
    options: { ...takes(valued), ...takes(servers) },
    operands: ['data'],
    singleDashLong,
    inert: singleDashLong ? ['-help', ...HELP] : [...HELP, '-h'],
    refine: (parsed, context) => {
      const words = (byOption ? parsed.unknown : parsed.operands).filter((word) => !before.has(word.text ?? ''))
      const verb = byOption ? gravest(words, table) : words[0]
      if (verb === undefined) return
      const target = context.thing('database', name)
      if (verb.text === null) {
        context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`, verb.span)
        return
      }
      const { text } = verb
      const listed = table.find(([names]) => names.has(text))?.[1]
      const found = listed === GRANTS && words.slice(1, 3).some((word) => SHOWS.test(word.text ?? '')) ? 'read sql:read' : listed
      const claims = found === undefined && !byOption && inferredAct(words)?.verb === 'delete'
      const elsewhere = parsed.values(...list(servers)).some((word) => !HERE.test(word.prefix))
      const { verb: does, action } = doing(found ?? (claims ? 'delete sql:drop' : elsewhere ? 'change cloud:update' : 'change sql:admin'))
      context.emit(does, target, {
        action,
        span: verb.span,
        ...(found === undefined && !claims ? { attributes: { operation: text } } : {}),
      })
    },
  }
}

const kafka = (access = ''): CommandSpec =>
  store({
    store: 'kafka',
    reads: '--list --describe --version --help --reset-offsets',
    deletes: '--delete --delete-offsets --remove --offset-json-file --execute',
    access,
    servers: '--bootstrap-server --zookeeper --broker-list',
    valued:
      '--to-datetime --by-duration --shift-by --to-offset --from-file --entity-type --entity-name --consumer.config --topic ' +
      '--group --partitions --replication-factor --command-config --config --producer.config --property',
    byOption: true,
  })

/** Messages from standard input into a topic. */
const producer: CommandSpec = {
  options: takes('--bootstrap-server --broker-list --topic --producer.config --property --producer-property --compression-codec'),
  inert: HELP,
  refine: (parsed, context) => {
    const elsewhere = parsed.values('--bootstrap-server', '--broker-list').some((word) => !HERE.test(word.prefix))
    context.emit('change', context.thing('database', 'kafka'), { action: elsewhere ? 'cloud:update' : 'queue:send' })
  },
}

export const stores: CommandTable = byName({
  'redis-cli valkey-cli keydb-cli': redis,
  'mongosh mongo': mongo,
  etcdctl: store({
    store: 'etcd',
    groups: 'member endpoint snapshot lease alarm',
    reads: 'get list watch version check health status hashkv timetolive completion',
    deletes: 'del restore',
    access: 'auth user role',
    stops: 'remove defrag disarm compact compaction move-leader',
    valued: '--cacert --cert --key --user --password',
    servers: '--endpoints',
  }),
  consul: store({
    store: 'consul',
    singleDashLong: true,
    groups: 'kv snapshot catalog operator raft autopilot config services peering',
    reads:
      'get export list read members info monitor validate version datacenters nodes list-peers state inspect rtt keygen lock ' +
      'watch event debug get-config exported-services',
    deletes: 'delete force-leave restore deregister import',
    access: 'acl login logout intention keyring',
    stops: 'leave reload maint remove-peer transfer-leader set-config',
    valued: '-token -token-file -datacenter',
    servers: '-http-addr',
  }),
  'rabbitmqctl rabbitmqadmin rabbitmq-diagnostics': store({
    store: 'rabbitmq',
    reads:
      'status list list_queues list_exchanges list_bindings list_connections list_channels list_consumers list_users ' +
      'list_vhosts list_permissions list_user_permissions list_policies list_parameters list_operator_policies ' +
      'list_topic_permissions list_feature_flags cluster_status ping environment report show get check_running ' +
      'check_port_connectivity check_local_alarms memory_breakdown server_version version help node_health_check ' +
      'authenticate_user eval-help',
    deletes:
      'delete delete_queue delete_vhost delete_user purge purge_queue reset force_reset clear_vhost_limits forget_cluster_node import_definitions import',
    access:
      'add_user change_password clear_password set_permissions clear_permissions set_user_tags set_topic_permissions clear_topic_permissions set_user_limits',
    secrets: 'export_definitions',
    stops:
      'stop stop_app shutdown join_cluster rotate_logs close_connection close_all_connections close_all_user_connections ' +
      'set_policy clear_policy eval eval_file exec set_vm_memory_high_watermark set_disk_free_limit suspend_listener ' +
      'suspend_all_listeners force_boot force_gc',
    valued: '-n -p -u -q',
    servers: '-H --host',
  }),
  'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-delete-records kafka-delete-records.sh':
    kafka(),
  'kafka-acls kafka-acls.sh': kafka('--add --remove'),
  'kafka-console-producer kafka-console-producer.sh kafka-verifiable-producer.sh': producer,
  influx: store({
    store: 'influxdb',
    groups: 'bucket config org remote replication stack task telegrafs user v1 dbrp',
    reads: 'query ping version list ls export help completions',
    deletes: 'delete restore rm',
    access: 'auth secret password',
    valued: '--token -t --org -o --bucket -b --name -n',
    servers: '--host',
  }),
  nats: store({
    store: 'nats',
    groups: 'stream str consumer con kv object obj server srv account context micro service schema',
    reads: 'info ls list report rtt sub subscribe find get view watch ping check history state graph bench latency top',
    deletes: 'rm purge delete del rmm',
    valued: '--creds --context --user --password --nkey -n --count',
    servers: '-s --server',
  }),
})
