import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, temporaryDirectory } from '../../../test/support/records.ts'
import { type Database, type EngineName, SqliteFault } from './driver.ts'
import { openDatabase } from './engines.ts'

function open(engine: EngineName, path = ':memory:'): Database {
  const database = openDatabase(path, engine)
  if (database === null) throw new Error(`no ${engine}`)
  return database
}

function fault(act: () => unknown): SqliteFault {
  try {
    act()
  } catch (error) {
    if (error instanceof SqliteFault) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('this Node has an engine, and the first one is taken', () => {
  expect(ENGINES.length).toBeGreaterThan(0)
  const database = openDatabase(':memory:')
  expect(database?.engine).toBe(ENGINES[0])
  database?.close()
})

describe.each(ENGINES)('%s', (engine) => {
  function table(): Database {
    const database = open(engine)
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB) STRICT')
    return database
  }

  test('writes and reads values of every kind', () => {
    const database = table()
    const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)')
    expect(insert.run([1, 'text', new Uint8Array([0, 255])])).toBe(1)
    expect(insert.run([2, null, null])).toBe(1)
    const rows = database.prepare('SELECT * FROM t ORDER BY a').all([])
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { a: 1, b: 'text', c: new Uint8Array([0, 255]) },
      { a: 2, b: null, c: null },
    ])
    expect({ ...database.prepare('SELECT b FROM t WHERE a = ?').get([1]) }).toEqual({ b: 'text' })
    expect(database.prepare('SELECT b FROM t WHERE a = ?').get([9])).toBeUndefined()
    expect(database.prepare('UPDATE t SET b = ?').run(['x'])).toBe(2)
    database.close()
  })

  test('keeps whole numbers exact as far as JavaScript can', () => {
    const database = table()
    for (const number of [0, -1, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(database.prepare('SELECT ? AS n').get([number])?.n).toBe(number)
    }
    database.close()
  })

  proves('T64', 'texts that differ stay different: NUL, half surrogates, quotes, look-alikes', () => {
    const database = table()
    const insert = database.prepare('INSERT OR REPLACE INTO t VALUES (1, ?, NULL)')
    const select = database.prepare('SELECT b FROM t')
    const survives = (text: string) => {
      insert.run([text])
      expect(select.get([])?.b).toBe(text)
    }
    for (const text of ['', 'a\0b', '\0', '\ud800', 'x\udc00y', '"', '"a"', '\\u0000', '{"a":"\\u0000"}', 'ä', 'a\u0308', '\u2028', '👍']) {
      survives(text)
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), survives))
    const halves = fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units))
    fc.assert(fc.property(halves, survives))
    const find = database.prepare('SELECT count(*) AS n FROM t WHERE b = ?')
    insert.run(['a\0b'])
    expect([find.get(['a\0b'])?.n, find.get(['a'])?.n, find.get(['a\0c'])?.n, find.get(['"a\\u0000b"'])?.n]).toEqual([1, 0, 0, 0])
    database.close()
  })

  test('columns with the names of magic properties are plain data', () => {
    const database = open(engine)
    const row = database.prepare('SELECT 1 AS "__proto__", 2 AS "constructor"').get([])
    expect(Object.getPrototypeOf(row)).toBeNull()
    expect(row?.constructor).toBe(2)
    database.close()
  })

  test('every failure is a fault with the result code of SQLite', () => {
    const database = table()
    database.prepare('INSERT INTO t VALUES (1, NULL, NULL)').run([])
    expect(fault(() => database.prepare('INSERT INTO t VALUES (1, NULL, NULL)').run([])).result).toBe(19)
    expect(fault(() => database.prepare('SELECT nothing')).result).toBe(1)
    expect(fault(() => database.exec('NONSENSE')).result).toBe(1)
    database.close()
    expect(fault(() => database.exec('SELECT 1')).result).toBe(0)
  })

  test('a lock of another connection is waited for as long as told', () => {
    const path = join(temporaryDirectory(), 'a.db')
    const [first, second] = [open(engine, path), open(engine, path)]
    second.exec('PRAGMA busy_timeout = 20')
    first.exec('BEGIN IMMEDIATE')
    expect(fault(() => second.exec('BEGIN IMMEDIATE')).result).toBe(5)
    first.exec('COMMIT')
    second.exec('BEGIN IMMEDIATE; COMMIT')
    first.close()
    second.close()
  })

  test('files that are no databases or cannot be opened', () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'text.db')
    writeFileSync(path, 'this is not a database, and it is long enough to have a header of one hundred bytes, which SQLite reads first.')
    const database = open(engine, path)
    expect(fault(() => database.prepare('SELECT * FROM sqlite_schema').all([])).result).toBe(26)
    database.close()
    mkdirSync(join(directory, 'folder'))
    chmodSync(join(directory, 'folder'), 0o700)
    expect(fault(() => open(engine, join(directory, 'folder'))).result).toBe(14)
    expect(fault(() => open(engine, join(directory, 'missing', 'a.db'))).result).toBe(14)
  })
})
