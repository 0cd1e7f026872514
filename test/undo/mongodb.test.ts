/**
 * A MongoDB database, kept and put back. No server of it can be had here: programs that take the command line of `mongodump` and `mongorestore`, and
 * refuse every option that their manuals have not, stand in. So the catalogue calls this way back untested.
 */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseUndo } from '../support/database-undo.ts'
import { revealed } from '../support/private-store.ts'
import { temporaryDirectory } from '../support/records.ts'

/** `server`: databases by name, each with its collections. A database in the address is the only one; an archive without a name is a stream. */
const PROGRAM = (root: string): string => `#!${process.execPath}
const fs = require('node:fs')
const name = require('node:path').basename(process.argv[1])
const fail = (text) => { process.stderr.write(text + '\\n'); process.exit(1) }
fs.appendFileSync(${JSON.stringify(root)} + '/argv', process.argv.slice(2).join(' ') + '\\n')
const KNOWN = { mongodump: ['--config', '--quiet', '--archive', '--uri', '--db', '--collection', '--gzip', '--out'],
  mongorestore: ['--config', '--quiet', '--archive', '--uri', '--db', '--drop', '--gzip', '--nsInclude'] }[name]
const given = Object.fromEntries(process.argv.slice(2).map((word) => { const [key, ...value] = word.split('='); return [key, value.join('=')] }))
for (const key of Object.keys(given)) if (!KNOWN.includes(key)) fail('error parsing command line options: unknown option "' + key + '"')
if (given['--archive'] !== '') fail('no stream')
const config = /^uri: (".*")$/m.exec(fs.readFileSync(given['--config'], 'utf8'))
if (config === null) fail('error parsing config file')
const uri = new URL(JSON.parse(config[1]))
if (uri.password !== 'hidden%20word') fail('connection() error occurred during connection handshake: auth error')
if (uri.port !== '27017') fail('server selection error: connection refused')
const place = ${JSON.stringify(root)} + '/server.json'
const server = JSON.parse(fs.readFileSync(place, 'utf8'))
const database = uri.pathname.slice(1)
const only = given['--collection']
if (only !== undefined && database === '') fail('cannot dump a collection without a specified database')
if (only !== undefined && !(only in (server[database] ?? {}))) fail('Failed: namespace does not exist')
const wanted = (collections) => only === undefined ? collections : Object.fromEntries(Object.entries(collections).filter(([each]) => each === only))
if (name === 'mongodump') process.stdout.write(JSON.stringify({ [database]: wanted(server[database] ?? {}) }))
else {
  const archive = JSON.parse(fs.readFileSync(0, 'utf8'))
  server[database] ??= {}
  for (const [collection, documents] of Object.entries(archive[database] ?? {})) {
    if (!('--drop' in given) && collection in server[database]) fail('E11000 duplicate key error')
    server[database][collection] = documents
  }
  fs.writeFileSync(place, JSON.stringify(server))
}
`

const BEFORE = { shop: { orders: [{ _id: 1 }, { _id: 2 }], users: [{ _id: 'hidden-user' }] }, bank: { accounts: [{ _id: 1 }] } }

function place(address = 'mongodb://me:hidden%20word@localhost:27017/shop') {
  const root = realpathSync(temporaryDirectory())
  mkdirSync(join(root, 'bin'))
  for (const name of ['mongodump', 'mongorestore']) writeFileSync(join(root, 'bin', name), PROGRAM(root), { mode: 0o755 })
  const server = join(root, 'server.json')
  const set = (databases: object): void => writeFileSync(server, JSON.stringify(databases))
  set(BEFORE)
  const path = process.env.PATH
  Object.assign(process.env, { PATH: `${join(root, 'bin')}:${path}`, CS_TEST_MONGO: address })
  onTestFinished(() => {
    process.env.PATH = path
    delete process.env.CS_TEST_MONGO
  })
  const made = databaseUndo('databases: { shop: { engine: mongodb, url_env: CS_TEST_MONGO } }')
  return {
    ...made,
    set,
    server: () => JSON.parse(readFileSync(server, 'utf8')) as object,
    argv: () => readFileSync(join(root, 'argv'), 'utf8'),
  }
}

const { shop, bank } = BEFORE
const ACTS: readonly (readonly [command: string, after: object])[] = [
  ["mongosh shop --eval 'db.orders.drop()'", { bank, shop: { users: shop.users } }],
  ["mongosh mongodb://localhost/shop --eval 'db.dropDatabase()'", { bank }],
  ["mongosh --host localhost --port 27017 shop --eval 'db.users.deleteMany({})'", { bank, shop: { ...shop, users: [] } }],
  ["mongosh shop --eval 'db.orders.updateMany({}, {$set: {paid: true}})'", { bank, shop: { ...shop, orders: [{ _id: 1, paid: true }] } }],
  ['mongorestore --drop --db shop dump', { bank, shop: { orders: [], users: [] } }],
]

describe('the database is kept before the call and put back after it', () => {
  test.each(ACTS)('%s', async (command, after) => {
    const { home, decide, back, set, server, argv } = place()
    const { decision, undo } = await decide(command)
    expect([decision, undo?.ways]).toEqual(['allow', [{ name: 'database:mongodb', exercised: false }]])
    set(after)
    expect([(await back(undo?.id)).problems, server()]).toEqual([[], BEFORE])
    expect([argv().includes('hidden'), revealed(home, ['hidden-user', 'hidden%20word', 'orders'])]).toEqual([false, []])
  })

  test.each<[command: string, kept: string]>([
    ["mongosh shop --eval 'db.orders.drop()'", '--collection=orders'],
    ["mongosh shop --eval 'db.orders.deleteMany({_id: 1})'", '--collection=orders'],
    ['mongosh shop --eval \'db.getCollection("orders").updateMany({}, {$set: {paid: true}})\'', '--collection=orders'],
    ["mongosh shop --eval 'db.orders.drop()' && mongosh shop --eval 'db.orders.insertOne({_id: 3})'", '--collection=orders'],
  ])('%s: one collection is kept, whole, and goes back alone', async (command, kept) => {
    const { decide, back, set, server, argv } = place()
    const { undo } = await decide(command)
    set({ bank, shop: { orders: [{ _id: 3 }], users: [{ _id: 'of somebody else' }] } })
    const { problems, kept: current } = await back(undo?.id)
    expect([problems, server()]).toEqual([[], { bank, shop: { orders: shop.orders, users: [{ _id: 'of somebody else' }] } }])
    expect([
      argv()
        .split('\n')
        .filter((line) => line.includes(kept)).length,
      argv().includes('--query'),
    ]).toEqual([2, false])
    expect(current).toMatchObject([{ dump: { part: 'orders' } }])
  })

  test.each([
    "mongosh shop --eval 'db.orders.drop(); db.users.drop()'",
    "mongosh shop --eval 'db.orders.drop()' && mongosh shop --eval 'db.users.drop()'",
    "mongosh shop --eval 'db.orders.drop()' && mongorestore --drop --db shop dump",
    "mongosh shop --eval 'const d = db; d.orders.drop()'",
    "mongosh shop --eval 'db.later.insertOne({_id: 1})'",
  ])('%s: the whole database is kept', async (command) => {
    const { decide, back, set, server, argv } = place()
    const { undo } = await decide(command)
    set({ bank, shop: { orders: [], users: [] } })
    expect([(await back(undo?.id)).problems, server(), argv().includes('--collection')]).toEqual([[], BEFORE, command.includes('later')])
  })

  test('a collection that is gone by then is put back all the same, and what is there is kept first', async () => {
    const { decide, back, set, server } = place()
    const { undo } = await decide("mongosh shop --eval 'db.orders.drop()'")
    set({ bank, shop: { users: shop.users } })
    const { problems, kept } = await back(undo?.id)
    expect([problems, server(), kept.length]).toEqual([[], BEFORE, 1])
  })

  test('a collection that came since stays, as the catalogue says', async () => {
    const { decide, back, set, server } = place()
    const { undo } = await decide("mongosh shop --eval 'db.orders.drop()'")
    set({ bank, shop: { ...shop, newer: [{ _id: 9 }] } })
    await back(undo?.id)
    expect(server()).toEqual({ bank, shop: { ...shop, newer: [{ _id: 9 }] } })
  })
})

test.each<[title: string, address: string, command: string]>([
  ['another password', 'mongodb://me:wrong-hidden@localhost:27017/shop', "mongosh shop --eval 'db.orders.drop()'"],
  ['no server', 'mongodb://me:hidden%20word@localhost:27018/shop', "mongosh shop --eval 'db.orders.drop()'"],
  ['another port', 'mongodb://me:hidden%20word@localhost:27017/shop', "mongosh --port 27018 shop --eval 'db.orders.drop()'"],
])('%s: the call does not run, and no message has a password', async (_title, address, command) => {
  const { decision, code, reason } = await place(address).decide(command)
  expect([decision, code, reason.includes('hidden')]).toEqual(['deny', 'undo.capture_failed', false])
})
