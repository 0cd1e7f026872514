/** A database that no policy names, and that is a file by the plain words of the tool's settings, is kept before it is migrated, and comes back. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databaseUndo } from '../test/support/database-undo.ts'
import { temporaryDirectory } from '../test/support/records.ts'

type Files = Readonly<Record<string, string>>

const ALEMBIC = '[alembic]\nsqlalchemy.url = sqlite:///%(here)s/app.db\n'
const SCHEMA = 'datasource db {\n  provider = "sqlite"\n  url = "file:./dev.db"\n}\n'
const ADAPTER = "adapter: async () => new PrismaLibSQL({ url: 'file:./prisma/own.db' })\n"

function place(files: Files) {
  const work = realpathSync(temporaryDirectory())
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text)
  }
  return work
}

const KEPT: readonly (readonly [command: string, file: string, files: Files])[] = [
  ['alembic upgrade head', 'app.db', { 'alembic.ini': ALEMBIC }],
  ['poetry run alembic downgrade -1', 'app.db', { 'alembic.ini': ALEMBIC }],
  ['python3 -m alembic downgrade -1', 'app.db', { 'alembic.ini': ALEMBIC }],
  ['cd api && uv run alembic upgrade head', 'api/app.db', { 'api/alembic.ini': ALEMBIC }],
  ['npx prisma migrate deploy', 'prisma/dev.db', { 'prisma/schema.prisma': SCHEMA }],
  [
    'npx prisma migrate deploy',
    'dev.db',
    { 'prisma.config.ts': "datasource: { url: 'file:./dev.db' }\n", 'schema.prisma': 'datasource db {}\n' },
  ],
  [
    'prisma migrate deploy',
    'dev.db',
    { 'prisma.config.ts': "datasource: { url: env('DATABASE_URL') }\n", '.env': 'DATABASE_URL="file:./dev.db"\n' },
  ],
  ['prisma db push', 'prisma/own.db', { 'prisma.config.ts': ADAPTER, 'prisma/schema.prisma': SCHEMA }],
  ['prisma db push', 'prisma/dev.db', { 'prisma.config.ts': "export default { schema: 'prisma' }\n", 'prisma/schema.prisma': SCHEMA }],
  ['npx drizzle-kit push', 'dev.db', { 'drizzle.config.ts': "dbCredentials: { url: 'file:dev.db' }\n" }],
  ['npx knex migrate:latest', 'dev.sqlite3', { 'knexfile.js': "connection: { filename: './dev.sqlite3' }\n" }],
]

/** Which file it is, is not known, or it is no file. */
const NOT: readonly (readonly [title: string, command: string, files: Files])[] = [
  ['a server', 'alembic upgrade head', { 'alembic.ini': '[alembic]\nsqlalchemy.url = postgresql://localhost/shop\n' }],
  ['code', 'npx prisma migrate deploy', { 'prisma.config.ts': 'datasource: { url: urlOf("dev.db") }\n', 'prisma/schema.prisma': SCHEMA }],
  ['no settings', 'npx prisma migrate deploy', {}],
  ['another place', 'npx -w web prisma migrate deploy', { 'prisma/schema.prisma': SCHEMA }],
  ['another place by an option', 'poetry -C web run alembic upgrade head', { 'alembic.ini': ALEMBIC }],
  ['a place that is not known', 'cd "$X"; alembic upgrade head', { 'alembic.ini': ALEMBIC }],
  ['another database by a variable', 'DATABASE_URL=file:b.db prisma migrate deploy', { 'prisma/schema.prisma': SCHEMA }],
  ['a question', 'alembic current', { 'alembic.ini': ALEMBIC }],
]

describe('the file of an application is kept', () => {
  test.each(KEPT)('%s: %s', async (command, file, files) => {
    const work = place({ ...files, [file]: 'before' })
    const { decide, back } = databaseUndo('require_way_back: false')
    const { decision, undo } = await decide(command, work)
    expect([decision, undo?.id]).toEqual(['allow', expect.stringMatching(/^und_/)])
    writeFileSync(join(work, file), 'after')
    expect((await back(undo?.id)).problems).toEqual([])
    expect(readFileSync(join(work, file), 'utf8')).toBe('before')
  })
})

describe('nothing is kept, and no way back is claimed', () => {
  test.each(NOT)('%s: %s', async (_title, command, files) => {
    const { undo } = await databaseUndo('require_way_back: false').decide(command, place({ ...files, 'app.db': 'x', 'dev.db': 'x' }))
    expect(undo?.id ?? null).toBeNull()
  })
  test("settings that name the gate's own file", async () => {
    const { home, store, decide } = databaseUndo('require_way_back: false')
    const work = place({ 'alembic.ini': `[alembic]\nsqlalchemy.url = sqlite:///${join(home, 'keys/undo.key')}\n` })
    const { undo } = await decide('alembic upgrade head', work)
    expect(store.read(String(undo?.id)) ?? '').not.toContain('undo.key')
  })
})
