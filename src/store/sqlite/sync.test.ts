/** The end of a store whose long record is still being written ahead. What was to hold was written down first. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../test/support/records.ts'
import { numbers, opened, rejection } from '../../../test/support/store.ts'
import { connect, databasePath } from './connection.ts'
import { createSyncing } from './sync.ts'

describe.each(ENGINES)('%s', (engine) => {
  const syncing = () => {
    const directory = temporaryDirectory()
    opened({ directory, engine }).close()
    const connection = connect(databasePath(directory), { engine, busyMilliseconds: 0 })
    onTestFinished(() => connection.close())
    connection.get('SELECT 1 FROM records')
    return { directory, sync: createSyncing(connection) }
  }

  proves(['P5', 'T33'], 'who asks for a sync after the end is told so, and no file that has the number by then is touched', async () => {
    const { directory, sync } = syncing()
    await sync.ahead()
    sync.close()
    const others = Array.from({ length: 8 }, (_, index) => openSync(join(directory, `other-${index}`), 'w'))
    expect(await rejection(sync.ahead())).toMatchObject({ fault: 'closed' })
    expect(() => sync.now()).toThrow(/closed/)
    sync.close()
    expect(others.map((each) => fstatSync(each).size)).toEqual(others.map(() => 0))
    for (const each of others) closeSync(each)
  })

  proves('P5', 'a sync that is under way at the end is waited for, and the file is closed once', async () => {
    const { sync } = syncing()
    const under = [sync.ahead(), sync.ahead()]
    sync.close()
    sync.close()
    await Promise.all(under)
    expect(await rejection(sync.ahead())).toMatchObject({ fault: 'closed' })
  })

  proves(['P5', 'T33'], 'a long record is kept whole or not at all, whenever the store is closed while it is written ahead', async () => {
    const long = 'a line of a long text\n'.repeat(60_000)
    for (let turn = 0; turn < 12; turn += 1) {
      const directory = temporaryDirectory()
      const store = opened({ directory, engine, grown: () => {} })
      await store.append(input(1))
      const kept = store.append(input(2, { body: { number: 2, long } })).then(
        () => true,
        () => false,
      )
      await new Promise((resolve) => setTimeout(resolve, turn))
      store.close()
      const was = await kept
      // What still ends by itself has ended by then.
      await new Promise((resolve) => setTimeout(resolve, 30))
      const again = opened({ directory, engine })
      expect(numbers(again)).toEqual(was ? [1, 2] : [1])
      again.close()
    }
  })
})
