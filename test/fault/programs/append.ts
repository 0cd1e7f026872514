/**
 * Appends records to a store and prints `ok <sequence> <number>` once each is acknowledged, or `failed <code> <fault>`.
 * Arguments: directory, how many (0: until killed), bytes in each body, keep going after a failure (`on` or `stop`).
 */
import { writeSync } from 'node:fs'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { StoreError } from '../../../src/store/store.ts'

const [directory = '', count = '0', bytes = '10', afterFailure = 'stop'] = process.argv.slice(2)

/** Unbuffered: what is printed was printed before the process can be killed. */
function print(line: string): void {
  writeSync(1, `${line}\n`)
}

function printFailure(error: unknown): void {
  print(error instanceof StoreError ? `failed ${error.code} ${error.fault}` : `crashed ${String(error)}`)
}

async function main(): Promise<void> {
  const store = openStore({ directory, busyMilliseconds: 20_000 })
  print('open')
  for (let number = 1; count === '0' || number <= Number(count); number += 1) {
    try {
      const body = { number, process: process.pid, padding: 'x'.repeat(Number(bytes)) }
      const empty = { session: null, tenant: null, tool: null, decision: null, code: null }
      const { sequence } = await store.append({ ...empty, kind: 'note', at: Date.now(), body })
      print(`ok ${sequence} ${number}`)
    } catch (error) {
      printFailure(error)
      if (afterFailure === 'stop') return
    }
  }
  store.close()
}

main().catch(printFailure)
