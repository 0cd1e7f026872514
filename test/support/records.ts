/** Records and chains for tests of the log: real keys, real hashes, made outside of the store under test. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { GENESIS, recordText, type Signer, type UnhashedRecord } from '../../src/store/chain.ts'
import type { EngineName } from '../../src/store/sqlite/driver.ts'
import { openDatabase } from '../../src/store/sqlite/engines.ts'
import type { RecordInput, StoredRecord } from '../../src/store/store.ts'
import { nextUlid } from '../../src/store/ulid.ts'

/** The SQLite engines that this Node has. */
export const ENGINES: readonly EngineName[] = (['node:sqlite', 'libsql'] as const).filter((engine) => {
  const database = openDatabase(':memory:', engine)
  database?.close()
  return database !== null
})

/** A directory of this test alone, removed when it ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function input(number: number, changes: Partial<RecordInput> = {}): RecordInput {
  return {
    kind: 'decision',
    session: `s-${number % 3}`,
    tenant: 'default',
    tool: 'Bash',
    decision: 'allow',
    code: 'allow.permitted',
    at: 1_767_225_600_000 + number * 1_000,
    body: { call: { tool: 'Bash', args: { command: `echo ${number}` } }, number },
    ...changes,
  }
}

/** A note that says nothing: for what a test writes to rows beside the log. */
export const NOTE: RecordInput = {
  kind: 'note',
  session: null,
  tenant: null,
  tool: null,
  decision: null,
  code: null,
  at: 0,
  body: {},
}

export function testSigner(secret: string): Signer {
  const mac: Signer['mac'] = (...parts) =>
    createHmac('sha256', secret)
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest('hex')
  return { id: mac('countersign/key-id/v1').slice(0, 16), mac }
}

export function sign(record: UnhashedRecord, signer: Signer): StoredRecord {
  return { ...record, hash: signer.mac(recordText(record)) }
}

/** A right chain of `count` records; the contents depend on `label`. */
export function chain(count: number, signer: Signer, label = 'log'): StoredRecord[] {
  const records: StoredRecord[] = []
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const last = records.at(-1)
    const fields = input(sequence, { body: { label, number: sequence } })
    const id = nextUlid(fields.at, new Uint8Array(16).fill(sequence), last?.id ?? null)
    records.push(sign({ ...fields, sequence, id, key: signer.id, previous: last?.hash ?? GENESIS }, signer))
  }
  return records
}
