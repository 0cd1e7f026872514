import type { JsonObject } from '../../../core/json.ts'
import { reachUrl } from '../acts.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../spec.ts'
import { claimedAct } from '../unknown.ts'
import { each, list, takes } from './tool.ts'

/**
 * Clients of document, key-value and message stores. Asking emits a read.
 * Actions: sql:drop (collections, databases, keys by the thousand), sql:flush, sql:delete, sql:write, sql:read, sql:admin,
 * sql:connect.
 */

const HELP = ['--help', '--version']

const REDIS_READS: ReadonlySet<string> = new Set(
  list(
    'get mget keys scan exists ttl pttl type info ping dbsize llen lrange lindex hget hgetall hkeys hvals hlen hmget hscan smembers scard sismember sscan zrange zrangebyscore zcard zscore zcount zscan strlen getrange bitcount object memory time echo lastsave monitor command xrange xlen xread subscribe psubscribe pfcount randomkey dump select auth hello role cluster latency slowlog zrank hexists geopos geodist getbit touch',
  ),
)
const REDIS_FLUSH: ReadonlySet<string> = new Set(list('flushall flushdb'))
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
    const database = parsed.value('-n')?.text ?? '0'
    const [command, ...args] = parsed.operands
    if (command !== undefined) {
      redisCommand(command, args, { context, database })
      return
    }
    const { input } = parsed.invocation
    if (input.kind === 'text' && input.text !== null) {
      for (const line of input.text.split('\n')) redisLine(line, parsed, { context, database })
    } else if (input.kind !== 'none') context.opaque('the commands of `redis-cli` come from standard input')
  },
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
  const asks =
    (name === 'config' || name === 'client' || name === 'acl' || name === 'module') &&
    /^(?:get|list|whoami|info|id|cat|getuser|users)$/i.test(args[0]?.text ?? '')
  if (REDIS_FLUSH.has(name)) context.emit('delete', target, { action: 'sql:flush', span: word.span })
  else if (REDIS_READS.has(name) || asks) context.emit('read', target, { action: 'sql:read', span: word.span })
  else if (name === 'eval' || name === 'evalsha' || name === 'fcall') context.code('lua', args[0]?.text ?? null, args[0]?.span ?? word.span)
  else if (name === 'del' || name === 'unlink')
    context.emit('delete', target, { action: 'sql:delete', span: word.span, attributes: { where: true } })
  else if (name === 'shutdown' || setsItsFile(name, args))
    context.emit('change', target, { action: 'sql:kill', span: word.span, attributes: { operation: name } })
  else if (REDIS_ADMIN.has(name)) context.emit('change', target, { action: 'sql:admin', span: word.span, attributes: { operation: name } })
  else context.emit('write', target, { action: 'sql:write', span: word.span, attributes: { operation: name } })
}

/** Methods of the Mongo shell that drop, delete, write or administer. */
const DROPS = /\.(?:drop|dropDatabase|dropIndexes|dropUser|dropAllUsers)\s*\(/
const EMPTIES = /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?[,)]/
const DELETES = /\.(?:deleteOne|deleteMany|remove|findOneAndDelete|findAndModify)\s*\(/
const WRITES =
  /\.(?:insert\w*|update\w*|replaceOne|save|bulkWrite|findOneAndUpdate|findOneAndReplace|createIndex\w*|createCollection|renameCollection)\s*\(|\$(?:out|merge)\b/
const ADMIN =
  /\.(?:shutdownServer|createUser|updateUser|grantRolesToUser|adminCommand|runCommand|fsyncLock|setProfilingLevel|auth)\s*\(|\brs\.\w+|\bsh\.\w+/

function mongoText(text: string | null, word: Word | null, { context, database }: Redis): void {
  const target = context.thing('database', database)
  const span = word === null ? {} : { span: word.span }
  if (text === null) {
    context.opaque('the script of the database shell is not known before it runs', word?.span)
    return
  }
  const say = (verb: 'delete' | 'write' | 'change' | 'read', action: string, attributes: JsonObject = {}) =>
    context.emit(verb, target, { action, attributes, ...span })
  if (DROPS.test(text)) say('delete', 'sql:drop')
  if (EMPTIES.test(text)) say('delete', 'sql:delete', { where: false })
  else if (DELETES.test(text)) say('delete', 'sql:delete', { where: true })
  if (WRITES.test(text)) say('write', 'sql:write')
  if (ADMIN.test(text)) say('change', 'sql:admin')
  if (/\b(?:require|eval|Function|load|run|runProgram|import)\s*\(|child_process|process\./.test(text))
    context.code('node', text, word?.span ?? { pointer: '', start: 0, end: 0 })
  if (!DROPS.test(text) && !DELETES.test(text) && !WRITES.test(text) && !ADMIN.test(text)) say('read', 'sql:read')
}

const mongo: CommandSpec = {
  flags: list('--quiet --norc --nodb --shell --verbose --tls --ssl --json --tlsAllowInvalidCertificates'),
  options: takes('--eval -u -p --host --port --username --password --authenticationDatabase --file -f --apiVersion --tlsCAFile'),
  inert: [...HELP, '-h'],
  refine: (parsed, context) => {
    const [first, ...scripts] = parsed.operands
    const isUrl = first !== undefined && /^mongodb(?:\+srv)?:\/\//.test(first.prefix)
    if (isUrl && first !== undefined) reachUrl(context, first, { verb: 'fetch', action: 'sql:connect' })
    for (const host of parsed.values('--host')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const database = first?.text ?? 'test'
    for (const word of parsed.values('--eval')) mongoText(word.text, word, { context, database })
    const files = [...parsed.values('-f', '--file'), ...scripts, ...(first?.text?.endsWith('.js') === true ? [first] : [])]
    for (const word of files) context.script('node', word, [])
    const { input } = parsed.invocation
    if (files.length > 0 || parsed.values('--eval').length > 0 || input.kind === 'none') return
    mongoText(input.kind === 'text' ? input.text : null, null, { context, database })
  },
}

interface Verbs {
  readonly store: string
  readonly reads: string
  readonly deletes: string
  readonly valued?: string
  /** Words before the verb. */
  readonly groups?: string
  /** Options that decide instead of words: `kafka-topics --delete`. */
  readonly byOption?: boolean
}

/** Stores whose client takes a verb: listed verbs read or delete, any other writes. */
function store({ store: name, reads, deletes, valued = '', groups = '', byOption = false }: Verbs): CommandSpec {
  const before = new Set(list(groups))
  const asking = new Set(list(reads))
  const removing = new Set(list(deletes))
  return {
    options: takes(valued),
    operands: ['data'],
    inert: [...HELP, '-h'],
    refine: (parsed, context) => {
      const words = (byOption ? parsed.unknown : parsed.operands).filter((word) => !before.has(word.text ?? ''))
      const verb = words.find((word) => word.text === null || asking.has(word.text) || removing.has(word.text)) ?? words[0]
      if (verb === undefined) return
      const target = context.thing('database', name)
      if (verb.text === null) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`, verb.span)
      else if (removing.has(verb.text) || (!byOption && claimedAct(words)?.verb === 'delete'))
        context.emit('delete', target, { action: 'sql:drop', span: verb.span })
      else if (asking.has(verb.text)) context.emit('read', target, { action: 'sql:read', span: verb.span })
      else context.emit('change', target, { action: 'sql:admin', span: verb.span, attributes: { operation: verb.text } })
    },
  }
}

const kafka = store({
  store: 'kafka',
  reads: '--list --describe --version --help',
  deletes: '--delete --delete-offsets --remove --reset-offsets --offset-json-file',
  valued:
    '--to-datetime --by-duration --shift-by --to-offset --from-file --entity-type --entity-name --consumer.config --bootstrap-server --topic --group --zookeeper --partitions --replication-factor --command-config --config',
  byOption: true,
})

export const stores: CommandTable = {
  ...each('redis-cli valkey-cli keydb-cli', redis),
  ...each('mongosh mongo', mongo),
  ...each(
    'etcdctl',
    store({
      store: 'etcd',
      reads: 'get endpoint member watch version check',
      deletes: 'del',
      valued: '--endpoints --cacert --cert --key --user',
    }),
  ),
  ...each(
    'consul',
    store({
      store: 'consul',
      groups: 'kv acl snapshot intention',
      reads: 'get export list read members info catalog monitor validate version',
      deletes: 'delete force-leave',
      valued: '-http-addr -token',
    }),
  ),
  ...each(
    'rabbitmqctl rabbitmqadmin rabbitmq-diagnostics',
    store({
      store: 'rabbitmq',
      reads:
        'status list list_queues list_exchanges list_bindings list_connections list_channels list_consumers list_users list_vhosts list_permissions cluster_status ping environment report show get',
      deletes: 'delete delete_queue delete_vhost delete_user purge purge_queue reset force_reset',
      valued: '-n -p -H -P -u -q',
    }),
  ),
  ...each(
    'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-delete-records kafka-delete-records.sh',
    kafka,
  ),
  ...each('influx', store({ store: 'influxdb', reads: 'query ping version', deletes: 'delete', valued: '--host --token --org --bucket' })),
  ...each(
    'nats',
    store({ store: 'nats', reads: 'info ls list report rtt account', deletes: 'rm purge delete', valued: '-s --server --creds --context' }),
  ),
}
