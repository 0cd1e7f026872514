/** A thread that has the log open and is lost: what another process does then. Written before anything was tried. */
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { databasePath } from '../../src/store/sqlite/connection.ts'
import { openThread } from '../../src/thread/thread.ts'
import { proves } from '../proves.ts'
import { bundled, start } from '../support/program.ts'
import { input, temporaryDirectory } from '../support/records.ts'
import { numbers, opened } from '../support/store.ts'

const FILE = pathToFileURL(bundled(new URL('programs/thread.ts', import.meta.url)))

/** Reads the log as a process of its own, and closes it as whoever is the last: by copying the journal and removing it. */
const READER = `
const Database = require('libsql')
const database = new Database(process.argv[1])
console.log(database.prepare('SELECT count(*) AS count FROM records').get().count)
database.close()
`

for (const lost of ['ended', 'died'])
  proves(['P5', 'T33'], `the journal of a process whose thread ${lost} stays its own: nobody else removes it`, async () => {
    const directory = temporaryDirectory()
    const store = opened({ directory })
    await store.append(input(1))
    const thread = openThread({ file: FILE })
    onTestFinished(() => thread.close())
    expect(await thread.ask('store', directory)).toBe(1)
    if (lost === 'ended') thread.close()
    else await thread.ask('die', null).catch(() => {})
    // The end of a thread is not told to whoever ended it.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const journal = statSync(`${databasePath(directory)}-wal`).ino
    expect((await start(process.execPath, ['-e', READER, databasePath(directory)]).ended).lines).toEqual(['1'])
    expect(statSync(`${databasePath(directory)}-wal`, { throwIfNoEntry: false })?.ino).toBe(journal)
    await store.append(input(2))
    expect(numbers(store)).toEqual([1, 2])
  })
