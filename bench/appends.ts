/** Durable appends: one after the other, and with 16 callers who share commits. Each is acknowledged only after the sync. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/sqlite/open.ts'
import type { RecordInput } from '../src/store/store.ts'
import { type Report, round, summary } from './measure.ts'

const MILLISECONDS = 3_000
/** About what the decision of a short command weighs. */
const RECORD: RecordInput = {
  kind: 'decision',
  session: 's-1',
  tenant: null,
  tool: 'Bash',
  decision: 'allow',
  code: 'rules.read_only',
  at: 1_700_000_000_000,
  body: { call: { tool: 'Bash', args: { command: 'git status' } }, decision: { decision: 'allow', findings: 'x'.repeat(1_200) } },
}

export async function appends(): Promise<readonly Report[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const rows = [bare(directory), await throughput(join(directory, 'alone'), 1), await throughput(join(directory, 'sixteen'), 16)]
    const notes = [`A record is ${JSON.stringify(RECORD.body).length} bytes of JSON. \`TMPDIR\` chooses the disk.`]
    return [{ title: 'Durable appends', columns: ['', 'appends', 'per second', 'p50 µs', 'p99 µs'], rows, notes }]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What the disk itself gives: the same bytes and one `fdatasync` each. */
function bare(directory: string): (string | number)[] {
  const file = openSync(join(directory, 'bare'), 'a')
  const line = `${JSON.stringify(RECORD)}\n`
  const micros: number[] = []
  const started = performance.now()
  while (performance.now() - started < MILLISECONDS / 2) {
    const begin = performance.now()
    writeSync(file, line)
    fdatasyncSync(file)
    micros.push((performance.now() - begin) * 1000)
  }
  closeSync(file)
  return row('a line of text and fdatasync, for comparison', micros, performance.now() - started)
}

async function throughput(directory: string, callers: number): Promise<(string | number)[]> {
  const store = openStore({ directory })
  try {
    for (let i = 0; i < 50; i++) await store.append(RECORD)
    const micros: number[] = []
    const started = performance.now()
    const caller = async () => {
      while (performance.now() - started < MILLISECONDS) {
        const begin = performance.now()
        await store.append(RECORD)
        micros.push((performance.now() - begin) * 1000)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    return row(callers === 1 ? 'one caller' : `${callers} callers`, micros, performance.now() - started)
  } finally {
    store.close()
  }
}

function row(name: string, micros: readonly number[], milliseconds: number): (string | number)[] {
  const { count, p50, p99 } = summary(name, micros)
  return [name, count, round(count / (milliseconds / 1000)), p50, p99]
}
