/** What is captured before a call runs, so that it can be undone. */
import { described, flag, listOf, located, mapOf, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { durationOf } from '../sections/written.ts'
import type { DatabaseSection, UndoSection } from './model.ts'

const MEBIBYTE = 1024 * 1024
const DAY = 86_400_000

const databaseField = record(
  {
    engine: described(
      oneOf(['postgres', 'mysql', 'mongodb', 'redis']),
      'What it is; its own programs dump it (`pg_dump`, `mysqldump`, `mongodump`, `redis-cli`).',
    ),
    url_env: described(
      text,
      'Variable with its address, such as `postgres://user:password@host/name`. Calls never say which database is dumped with it.',
    ),
    names: described(
      listOf(text),
      'Names under which calls know it; `*` stands for any run of characters. Migration tools change `application`, ' +
        'clients without a name `default`. Default: its name here, and `application`.',
    ),
    hosts: described(listOf(text), 'Servers under which calls reach it, where they say one. Default: this machine.'),
    timeout_s: described(whole(1, 600), 'Seconds that a dump may take; default 30. The call waits for it.'),
  },
  { required: ['engine', 'url_env'] },
)

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

const fields = record({
  keep: described(located(text), 'How long a capture is kept, such as `7d`; default 7d, at most 365d.'),
  max_files: described(
    whole(1, 1_000_000),
    'Files of one call that are captured; default 10000. Beyond it the capture says that it is partial.',
  ),
  max_mb: described(whole(1, 1_048_576), 'Mebibytes of one call that are copied; default 256.'),
  total_mb: described(whole(1, 16_777_216), 'Mebibytes of all captures; default 2048. The oldest go first.'),
  on_failure: described(oneOf(['pass', 'deny']), 'What a call gets whose capture failed; default `deny`.'),
  databases: described(mapOf(databaseField), 'Databases that are dumped before a call changes them. A file of SQLite needs no entry.'),
  require_way_back: described(flag, 'False: what cannot be undone and has no compensator is not asked about for that alone. Default true.'),
})

export const undo = section({
  fields: () => ({
    undo: described(fields, 'What a call would delete or overwrite is captured before it runs. Without this section nothing is captured.'),
  }),
  compile: ({ undo: raw }, context): { undo: UndoSection | null } => ({
    undo:
      raw === undefined
        ? null
        : {
            keepMs: durationOf(raw.keep, { otherwise: 7 * DAY, most: 365 * DAY, context }),
            maxFiles: raw.max_files ?? 10_000,
            maxBytes: (raw.max_mb ?? 256) * MEBIBYTE,
            totalBytes: (raw.total_mb ?? 2_048) * MEBIBYTE,
            onFailure: raw.on_failure ?? 'deny',
            requireWayBack: raw.require_way_back ?? true,
            databases: [...(raw.databases ?? [])].map(databaseOf),
          },
  }),
})

type RawDatabase = NonNullable<ReturnType<(typeof databaseField)['read']>>

const databaseOf = ([name, raw]: readonly [string, RawDatabase]): DatabaseSection => ({
  name,
  engine: raw.engine ?? 'postgres',
  urlEnv: raw.url_env ?? '',
  names: raw.names ?? [name, 'application'],
  hosts: raw.hosts ?? LOOPBACK,
  timeoutMs: (raw.timeout_s ?? 30) * 1_000,
})
