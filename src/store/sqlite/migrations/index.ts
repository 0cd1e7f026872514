/**
 * The tables, in the order they came to be: `user_version` counts how many of these a file has. A new table is a new file
 * and a new last line here. A line that was released never changes, moves or goes.
 */
import { records } from './0001-records.ts'
import { counters } from './0002-counters.ts'
import { grants } from './0003-grants.ts'
import { written } from './0004-written.ts'
import { approvals } from './0005-approvals.ts'
import { outbox } from './0006-outbox.ts'
import { verdicts } from './0007-verdicts.ts'
import { pins } from './0008-pins.ts'
import { calls } from './0009-calls.ts'
import { denied } from './0010-denied.ts'
import { listed } from './0011-listed.ts'
import { foundGrants } from './0012-found-grants.ts'
import { withheld } from './0013-withheld.ts'
import { sessionMemory } from './0014-session-memory.ts'
import { sessionRecords } from './0015-session-records.ts'
import { outcomes } from './0016-outcomes.ts'
import { baselines } from './0017-baselines.ts'
import { fewerPages } from './0018-fewer-pages.ts'
import { recordPieces } from './0019-record-pieces.ts'
import { sessionTables } from './0020-session-tables.ts'
import { alikeMessages } from './0021-alike-messages.ts'
import { fileLabels } from './0022-file-labels.ts'

export const MIGRATIONS: readonly string[] = [
  records,
  counters,
  grants,
  written,
  approvals,
  outbox,
  verdicts,
  pins,
  calls,
  denied,
  listed,
  foundGrants,
  withheld,
  sessionMemory,
  sessionRecords,
  outcomes,
  baselines,
  fewerPages,
  recordPieces,
  sessionTables,
  alikeMessages,
  fileLabels,
]
