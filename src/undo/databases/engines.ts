/** How each kind of database is dumped and restored: by its own programs, with the operator's address. Never with one that a call names. */
import type { Engine } from './known.ts'

/** A program, what it needs in its environment, and what it reads. */
export interface Run {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Text of a file of passage whose name replaces `{file}` in the arguments: addresses with passwords do not stand in lists of processes. */
  readonly file?: string
}

export interface EngineRuns {
  /** Writes the dump to its standard output. */
  readonly dump: (address: URL) => Run
  /** So for one part of the database, whose restore leaves all others as they are; absent: there are no parts. */
  readonly dumpPart?: (address: URL, part: string) => Run
  /** Reads what `script` made of the dump. Null: a person has to do it. */
  readonly restore: ((address: URL) => Run) | null
  /** What `restore` reads, made of the dump by this program; absent: the dump itself. */
  readonly script?: Run
  /** Prints a line for each object that there is, as a statement would name it; absent: a restore leaves none that came since. */
  readonly objects?: (address: URL) => Run
  /** The statement that takes an object away which came since; absent: `DROP … CASCADE`. */
  readonly dropped?: (line: string) => string
  /** Prints statements that a restore begins with, a line each: what a dump leaves to whoever makes a database. */
  readonly opening?: (address: URL) => Run
  /** Prints an error with `missing` where the database itself is gone. */
  readonly missing?: string
  /** Makes an empty one. */
  readonly create?: (address: URL) => Run
}

const nameIn = ({ pathname }: URL): string => decodeURIComponent(pathname.slice(1))

function postgres(address: URL, ...args: readonly string[]): Run {
  const bare = new URL(address)
  bare.password = ''
  const env = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) }
  const [program = '', ...rest] = args
  return { argv: [program, '--no-password', `--dbname=${bare.href}`, ...rest], env: { ...env, PGCONNECT_TIMEOUT: '5' } }
}

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'] as const

/** What users made, and no extension: `TABLE public.orders`. */
const OBJECTS = `
with own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
made as (select classid, objid from pg_depend where deptype = 'e')
select case c.relkind when 'v' then 'VIEW' when 'm' then 'MATERIALIZED VIEW' when 'S' then 'SEQUENCE' when 'f' then 'FOREIGN TABLE' else 'TABLE' end
  || ' ' || format('%I.%I', n.nspname, c.relname)
from pg_class c join own n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ('pg_class'::regclass, c.oid) not in (select * from made)
union all select 'TYPE ' || format('%I.%I', n.nspname, t.typname) from pg_type t join own n on n.oid = t.typnamespace
where (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')))
  and ('pg_type'::regclass, t.oid) not in (select * from made)
union all select 'ROUTINE ' || format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
from pg_proc p join own n on n.oid = p.pronamespace where p.prokind in ('f', 'p') and ('pg_proc'::regclass, p.oid) not in (select * from made)
union all select 'SCHEMA ' || format('%I', nspname) from own
order by 1`

/** The schema `public` is in no dump as long as it is as PostgreSQL makes it; who drops it and makes it again gets another one. */
const PUBLIC = `
with the as (select * from pg_namespace where nspname = 'public')
select s from (
  select 0 as n, 'CREATE SCHEMA IF NOT EXISTS public;' as s from the
  union all select 1, format('ALTER SCHEMA public OWNER TO %s;', nspowner::regrole) from the
  union all select 2, 'REVOKE ALL ON SCHEMA public FROM PUBLIC;' from the
  union all select 3, format('GRANT %s ON SCHEMA public TO %s;', a.privilege_type, case a.grantee when 0 then 'PUBLIC' else a.grantee::regrole::text end)
    from the, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) a
  union all select 4, format('COMMENT ON SCHEMA public IS %L;', obj_description(oid, 'pg_namespace')) from the
) as all_of_it order by n, s`

function elsewhere(address: URL, name: string): URL {
  const other = new URL(address)
  other.pathname = `/${name}`
  return other
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function mysql(address: URL, program: string, ...args: readonly string[]): Run {
  const port = address.port === '' ? [] : [`--port=${address.port}`]
  const user = address.username === '' ? [] : [`--user=${decodeURIComponent(address.username)}`]
  const env = address.password === '' ? {} : { MYSQL_PWD: decodeURIComponent(address.password) }
  return { argv: [program, '--no-defaults', '--protocol=tcp', `--host=${address.hostname}`, ...port, ...user, ...args], env }
}

const mongo = ({ href }: URL, program: string, ...args: readonly string[]): Run => ({
  argv: [program, '--config={file}', '--quiet', ...args],
  env: {},
  file: `uri: ${JSON.stringify(href)}\n`,
})

/** Digits, as neither keys nor values need be text; `redis-cli` reads them back. */
const REDIS_QUOTED = `local function q(s) return '"' .. (s:gsub('.', function(c) return string.format('\\\\x%02x', c:byte()) end)) .. '"' end`
/** `f` for each key of each database of the server. A server that holds a part of a cluster does not know the others' keys. */
const REDIS_EACH = `${REDIS_QUOTED}
local function each(f)
if redis.call('INFO', 'cluster'):find('cluster_enabled:1', 1, true) then return redis.error_reply('ERR a cluster is not dumped') end
local out = {}
for n in redis.call('INFO', 'keyspace'):gmatch('db(%d+):') do
redis.call('SELECT', n)
f(out, n)
end
return out
end
local function keys(f)
local c = '0'
repeat
local r = redis.call('SCAN', c, 'COUNT', 1000)
c = r[1]
for _, k in ipairs(r[2]) do f(k) end
until c == '0'
end
`

const REDIS_KEYS = `${REDIS_EACH}return each(function(out, n) keys(function(k) out[#out+1] = 'SELECT ' .. n .. ' ' .. q(k) end) end)`

/** Times are kept as times of day: what is over by then stays away. Before Redis 7 a time can come back a millisecond off. */
const REDIS_DUMP = `${REDIS_EACH}local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
return each(function(out, n)
out[#out+1] = 'SELECT ' .. n
keys(function(k)
local d = redis.call('DUMP', k)
local left = redis.call('PTTL', k)
local exact = redis.pcall('PEXPIRETIME', k)
local at = left < 0 and 0 or (type(exact) == 'number' and exact or now + left)
if d then out[#out+1] = 'RESTORE ' .. q(k) .. ' ' .. string.format('%.0f', at) .. ' ' .. q(d) .. ' REPLACE' .. (left < 0 and '' or ' ABSTTL') end
end)
end)`

/** Ends with the first command that fails. Answers do not stand in a list of processes, and nor does the password. */
function redis(address: URL, ...args: readonly string[]): Run {
  const env = address.password === '' ? {} : { REDISCLI_AUTH: decodeURIComponent(address.password) }
  const user = address.username === '' ? [] : ['--user', decodeURIComponent(address.username)]
  const tls = address.protocol === 'rediss:' ? ['--tls'] : []
  return {
    argv: ['redis-cli', '--raw', '-h', address.hostname, '-p', address.port === '' ? '6379' : address.port, ...user, ...tls, ...args],
    env,
  }
}

export const ENGINES: Readonly<Record<Engine, EngineRuns>> = {
  postgres: {
    dump: (address) => postgres(address, 'pg_dump', '--format=custom'),
    script: { argv: ['pg_restore', '--clean', '--if-exists', '--file=-'], env: {} },
    restore: (address) => postgres(address, ...PSQL, '--output=/dev/null', '--single-transaction', '--file=-'),
    objects: (address) => postgres(address, ...PSQL, `--command=${OBJECTS}`),
    opening: (address) => postgres(address, ...PSQL, `--command=${PUBLIC}`),
    missing: 'does not exist',
    create: (address) => postgres(elsewhere(address, 'postgres'), ...PSQL, `--command=create database ${quoted(nameIn(address))}`),
  },
  mysql: {
    dump: (address) =>
      mysql(
        address,
        'mysqldump',
        ...['--single-transaction', '--routines', '--triggers', '--events', '--hex-blob', '--add-drop-database', '--databases', '--'],
        nameIn(address),
      ),
    restore: (address) => mysql(address, 'mysql', '--batch'),
    missing: 'Unknown database',
  },
  mongodb: {
    dump: (address) => mongo(address, 'mongodump', '--archive'),
    // Never by a query: what is restored is dropped first.
    dumpPart: (address, part) => mongo(address, 'mongodump', '--archive', `--collection=${part}`),
    restore: (address) => mongo(address, 'mongorestore', '--archive', '--drop'),
  },
  redis: {
    dump: (address) => redis(address, '-e', 'EVAL', REDIS_DUMP, '0'),
    objects: (address) => redis(address, '-e', 'EVAL', REDIS_KEYS, '0'),
    dropped: (line) => line.replace(/^(SELECT \d+) /, '$1\nDEL '),
    restore: (address) => redis(address, '-e'),
  },
}
