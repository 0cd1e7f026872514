import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { headText, readHead } from '../../audit/head.ts'
import { auditExport, auditSearch, auditShow, auditTail, auditVerify, auditVerifyExport } from '../../audit/log.ts'
import { afterwards, outcomeIn } from '../../audit/outcome.ts'
import type { Report } from '../../audit/report.ts'
import { VERDICTS } from '../../core/verdict.ts'
import { stateDirectory } from '../../open.ts'
import type { Anchor, Signer } from '../../store/chain.ts'
import { signAnchor } from '../../store/sqlite/anchor.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { Head, RecordQuery, Store, StoredRecord } from '../../store/store.ts'
import { plainJson } from '../approvals-text.ts'
import { copiesInForce, elsewhere } from '../head-copies.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

interface ListOptions {
  readonly lines?: string
  readonly json?: boolean
  readonly tool?: string
  readonly decision?: string
  readonly would?: string
  readonly session?: string
}

/** `audit tail`: the newest records, oldest of them first. */
export async function tail(options: ListOptions): Promise<number> {
  return withStore((store) => {
    for (const record of auditTail(store, { limit: count(options.lines, 20) })) printRecord(record, options.json === true)
    return EXIT.ok
  })
}

const OUTCOMES: readonly string[] = VERDICTS.filter((verdict) => verdict !== 'abstain')

/** `audit search`: records in which all words occur, newest first. */
export async function search(words: readonly string[], options: ListOptions): Promise<number> {
  const { decision, would } = options
  if (would !== undefined && !OUTCOMES.includes(would))
    throw new UsageError(`decision \`${visible(would)}\` is not known; valid: ${OUTCOMES.join(', ')}`)
  if (decision !== undefined && !OUTCOMES.includes(decision))
    throw new UsageError(`decision \`${visible(decision)}\` is not known; valid: ${OUTCOMES.join(', ')}`)
  const query: RecordQuery = {
    limit: count(options.lines, 100),
    ...(words.length === 0 ? {} : { text: words.join(' ') }),
    ...(options.tool === undefined ? {} : { tool: options.tool }),
    ...(decision === undefined ? {} : { decision }),
    ...(would === undefined ? {} : { would }),
    ...(options.session === undefined ? {} : { session: options.session }),
  }
  return withStore((store) => {
    for (const record of auditSearch(store, query).records) printRecord(record, options.json === true)
    return EXIT.ok
  })
}

/** `audit show`: one record in full, and whether its own hash holds. */
export async function show(id: string): Promise<number> {
  return withStore((store) => {
    const shown = auditShow(store, id, loadKeys(stateDirectory()).ring)
    if (shown === null) throw new UsageError(`there is no record \`${visible(id)}\`; \`countersign audit tail\` shows the newest`)
    const after = afterwards(shown.record)
    const read = (query: RecordQuery): readonly StoredRecord[] => [...(store.read(query) as Iterable<StoredRecord>)]
    const outcome = after === null ? {} : { outcome: outcomeIn(shown.record, { results: read(after.results), notes: read(after.notes) }) }
    print(plainJson({ intact: shown.intact, ...outcome, ...shown.record }, 2))
    return shown.intact ? EXIT.ok : EXIT.broken
  })
}

/** `audit verify`: 0 holds · 1 does not hold · 2 could not run. */
export async function verify(files: readonly string[], options: { json?: boolean; head?: string; policy?: string }): Promise<number> {
  const directory = files.length === 0 ? logDirectory() : stateDirectory()
  const { ring } = loadKeys(directory)
  const anchors = options.head === undefined ? [] : [headFrom(options.head, ring)]
  const report =
    files.length === 0
      ? auditVerify({ directory, anchors, copies: await elsewhere(copiesInForce(options.policy ?? null, ring), directory) })
      : auditVerifyExport(
          files.map((name) => ({ name, content: new Uint8Array(readFileSync(name)) })),
          { ring, anchors },
        )
  if (options.json === true) print(plainJson(JSON.parse(JSON.stringify(report)), 2))
  else printReport(report)
  return report.ok ? EXIT.ok : EXIT.broken
}

/** `audit head`: how long the log is and what it ends in, to be kept where whoever can reach this machine cannot. */
export async function head(options: { json?: boolean }): Promise<number> {
  return withStore((store) => {
    const { size, hash } = store.head()
    print(options.json === true ? JSON.stringify({ size, hash }) : headText({ size, hash }))
    return EXIT.ok
  })
}

/** `SIZE:HASH`, or a file that holds one or a kept copy of a head. */
function headFrom(text: string, ring: ReadonlyMap<string, Signer>): Head {
  const read = readHead(text, ring) ?? (existsSync(text) ? readHead(readFileSync(text, 'utf8'), ring) : null)
  if (read !== null) return read
  throw new UsageError(`\`${visible(text)}\` is no head: write SIZE:HASH as \`countersign audit head\` prints it, or a file that holds it`)
}

/** `audit export`: every record, in a form that can be verified again. */
export async function exportLog(options: { format: string }): Promise<number> {
  const { format } = options
  if (format !== 'jsonl' && format !== 'csv') throw new UsageError(`format \`${format}\` is not known; valid: jsonl, csv`)
  const { current } = loadKeys(logDirectory())
  const close = ({ sequence, hash }: StoredRecord): Anchor => signAnchor({ size: sequence, hash }, current, Date.now())
  return withStore((store) => {
    for (const piece of auditExport(store, { format, close })) process.stdout.write(piece)
    return EXIT.ok
  })
}

/** One cause breaks every record after it; the first ones tell it. */
const MAX_SHOWN = 20

function printReport(report: Report): void {
  for (const item of report.breaks.slice(0, MAX_SHOWN)) print(visible(`${item.kind} at ${item.index}: ${item.detail}`))
  const more = report.breaks.length - MAX_SHOWN
  if (more > 0) print(`… and ${more} more; --json lists them all`)
  for (const { kind, detail } of report.warnings) print(visible(kind === 'prefix' ? detail : `warning: ${detail} (${kind})`))
  print(`${report.ok ? 'the log holds' : 'the log does NOT hold'}: ${report.total} records`)
}

function printRecord(record: StoredRecord, json: boolean): void {
  if (json) {
    print(plainJson({ ...record }))
    return
  }
  const at = new Date(record.at).toISOString()
  print(visible(`${at} ${record.id} ${record.decision ?? record.kind} ${record.code ?? ''} ${record.tool ?? ''} ${record.session ?? ''}`))
}

type Readable = Store & { read(query: RecordQuery): Iterable<StoredRecord> }

function withStore(work: (store: Readable) => number): number {
  const store = openStore({ directory: logDirectory() }) as Readable
  try {
    return work(store)
  } finally {
    store.close()
  }
}

/** What a log leaves behind, whichever part of it is taken away. */
const TRACES = /^(?:countersign\.(?:db|anchor)|keys)/

/** Reading makes no log where there never was one. */
function logDirectory(): string {
  const directory = stateDirectory()
  if (readdirOrNothing(directory).some((name) => TRACES.test(name))) return directory
  throw new UsageError(`there is no log yet in \`${directory}\`; the first decision begins it (or set COUNTERSIGN_HOME)`)
}

function readdirOrNothing(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function count(text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`\`${text}\` is not a number of lines`)
  return value
}
