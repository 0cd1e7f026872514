import type { JsonObject } from '../../../core/json.ts'
import type { CommandSpec, CommandTable } from '../../host.ts'
import { reachUrl } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { onServer, serverOf } from './servers.ts'

/** Programs that read a whole database out, or put one back. Actions: sql:connect · sql:dump · sql:restore · sql:drop. */

const HELP = ['--help', '--version', '-V']

/** The dumping programs of PostgreSQL have letters of their own. */
const POSTGRES =
  '-h -p -U --host --port --username --dbname --encoding --role --lock-wait-timeout --extra-float-digits --rows-per-insert --restrict-key'
const PG_DUMP: CommandSpec = {
  flags: list('-a -b -B -c -C -O -R -s -v -V -w -W -x --clean --create --data-only --schema-only --if-exists --password --no-password'),
  options: {
    ...takes(
      `${POSTGRES} -d -e -E -F -j -n -N -S -t -T -Z --compress --exclude-extension --exclude-schema --exclude-table ` +
        '--exclude-table-data --extension --format --include-foreign-data --jobs --schema --section --snapshot --superuser ' +
        '--table --table-and-children',
    ),
    ...takes('-f --file', 'write'),
    '--filter': 'read',
  },
}
const PG_DUMPALL: CommandSpec = {
  flags: list(
    '-a -c -g -O -r -s -t -v -V -w -W -x --clean --data-only --globals-only --roles-only --tablespaces-only --schema-only --if-exists --password --no-password',
  ),
  options: {
    ...takes(`${POSTGRES} -d -E -l -S --database --exclude-database --superuser`),
    ...takes('-f --file', 'write'),
    '--filter': 'read',
  },
}
const PG_BASEBACKUP: CommandSpec = {
  flags: list(
    '-C -g -n -N -P -R -v -V -w -W -z --gzip --progress --verbose --password --no-password --no-sync --no-clean --write-recovery-conf',
  ),
  options: {
    ...takes(
      '-c -d -F -h -i -l -p -r -s -S -t -T -U -X -Z --checkpoint --compress --dbname --format --host --label ' +
        '--manifest-checksums --max-rate --port --slot --status-interval --tablespace-mapping --target --username --wal-method',
    ),
    ...takes('-D --pgdata --waldir', 'write'),
    '--incremental': 'read',
  },
}

/** Reads a whole database out. */
const dump: CommandSpec = {
  flags: list(
    '-a -A -B -c -C -F -n -N -s -t -v -w -x -O --all-databases --databases --no-data --single-transaction --quick --clean ' +
      '--create --data-only --schema-only --if-exists',
  ),
  options: {
    ...takes(
      '-h -H -u -U -p -P -S -d -T -j -E -Z --host --port --user --username --password --dbname --db --table --where --format ' +
        '--jobs --schema --exclude-table --uri --collection --ssl-mode --defaults-file',
    ),
    '-f': 'write',
    '--file': 'write',
    '-r': 'write',
    '--result-file': 'write',
    '-o': 'write',
    '--out': 'write',
    '--archive': 'write',
  },
  inert: HELP,
  refine: (parsed, context) => {
    const name = (parsed.operands[0] ?? parsed.value('-d', '--dbname', '--db') ?? parsed.value('-c', '--collection'))?.text ?? 'default'
    const attributes: JsonObject = parsed.flag('-A', '--all-databases') || parsed.invocation.name === 'pg_dumpall' ? { mass: true } : {}
    for (const host of parsed.values('-h', '--host', '--uri')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    context.emit('read', context.thing('database', name), { action: 'sql:dump', attributes })
  },
}

const restore: CommandSpec = {
  flags: list('-a -c -C -e -l -O -s -v -1 -x --clean --create --list --data-only --schema-only --drop --if-exists --no-owner'),
  options: {
    ...takes(
      '-h -p -U -d -j -n -t -T -P -F -u --host --port --username --dbname --db --jobs --table --schema --uri --nsInclude --collection --password --user',
    ),
    '-f': 'write',
    '--archive': 'read',
  },
  inert: [...HELP, '-l', '--list'],
  operands: ['read'],
  refine: (parsed, context) => {
    const name = parsed.value('-d', '--dbname', '--db')?.text ?? 'default'
    const clean = parsed.flag('-c', '--clean', '--drop')
    for (const host of parsed.values('-h', '--host', '--uri')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const server = serverOf(parsed, context, {
      hosts: ['-h', '--host', '--uri'],
      variables: ['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'PGPORT'],
    })
    onServer(server, context, (inside) => {
      const target = inside.thing('database', name)
      inside.emit('write', target, { action: 'sql:restore', reversible: false, attributes: clean ? { clean } : {} })
      if (clean) inside.emit('delete', target, { action: 'sql:drop', attributes: { clean } })
    })
  },
}

export const dumps: CommandTable = byName({
  'mysqldump mariadb-dump': dump,
  'mongodump mongoexport': {
    ...dump,
    flags: list('-v --quiet --gzip --oplog --jsonArray --pretty --forceTableScan'),
    options: {
      ...dump.options,
      ...takes(
        '-c -d -f -q -u -p -k --fields --fieldFile --query --queryFile --type --sort --limit --skip --authenticationDatabase ' +
          '--readPreference --numParallelCollections',
      ),
    },
  },
  pg_dump: { ...dump, ...PG_DUMP },
  pg_dumpall: { ...dump, ...PG_DUMPALL },
  pg_basebackup: { ...dump, ...PG_BASEBACKUP },
  pg_restore: {
    ...restore,
    options: {
      ...takes(
        `${POSTGRES} -d -F -I -j -L -n -N -P -S -t -T --exclude-schema --format --function --index --jobs --schema --section ` +
          '--superuser --table --trigger --use-list --transaction-size',
      ),
      ...takes('-f --file', 'write'),
    },
  },
  'mongorestore mongoimport mysqlimport': restore,
})
