/**
 * `npm run check:clients`: the programs of plays and migrations themselves, not scripts in their place. Each call is previewed twice and has to say the
 * same, is agreed to, runs, and is taken back; before and after have to be equal byte for byte. Installs Ansible and Alembic by apt and the
 * others from npm, so it needs both. `-- prisma` runs those whose name begins so. Fails where one does not hold.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { COMPILE } from '../src/cli/open.ts'
import type { JsonObject } from '../src/core/json.ts'
import { runs } from '../src/core/verdict.ts'
import { openGate } from '../src/open.ts'
import { compilePolicy } from '../src/policy/compile.ts'
import { sha256 } from '../src/policy/file.ts'
import { captureIn, openCaptures } from '../src/undo/captures.ts'
import { stepsOf, take } from '../src/undo/undo.ts'
import { bash } from '../test/support/calls.ts'
import { discard, listed } from '../test/support/random-programs.ts'

const POLICY = `version: 1
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
preview: { time: 60s }
undo: { require_way_back: false }
rules: { ask: [{ tool: Bash, reason: careful }] }
`

interface Client {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Packages of npm, with their versions. */
  readonly packages?: readonly string[]
  /** Run before the gate sees anything. */
  readonly before?: string
  readonly call: string
  readonly kind: 'dry_run' | 'sandbox'
  readonly says: RegExp
  /** Absent: `undo` takes it back. Present: nothing does, and why. */
  readonly stays?: string
}

const ALEMBIC = {
  files: {
    'alembic.ini': '[alembic]\nscript_location = %(here)s/migrations\nsqlalchemy.url = sqlite:///%(here)s/app.db\n',
    'migrations/env.py': `from alembic import context
from sqlalchemy import engine_from_config
if context.is_offline_mode():
    context.configure(url=context.config.get_main_option("sqlalchemy.url"), literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
else:
    with engine_from_config(context.config.get_section("alembic"), prefix="sqlalchemy.").connect() as connection:
        context.configure(connection=connection)
        with context.begin_transaction():
            context.run_migrations()
`,
    'migrations/script.py.mako': '',
    'migrations/versions/a1_orders.py': `from alembic import op
import sqlalchemy as sa
revision, down_revision = "a1", None
def upgrade():
    op.create_table("orders", sa.Column("id", sa.Integer, primary_key=True))
    op.execute("insert into orders values (1)")
def downgrade():
    op.drop_table("orders")
`,
    'migrations/versions/a2_more.py': `from alembic import op
revision, down_revision = "a2", "a1"
def upgrade():
    op.execute("insert into orders values (2)")
def downgrade():
    op.execute("delete from orders where id = 2")
`,
  },
} as const

const PRISMA = {
  packages: ['prisma@6.19.3', '@prisma/adapter-libsql@6.19.3'],
  files: {
    // Migrations run in WebAssembly, and yet the command looks for the engine of queries, which would be fetched from elsewhere.
    'node_modules/engine.node': '',
    'prisma.config.ts': `import { defineConfig } from 'prisma/config'
import { PrismaLibSQL } from '@prisma/adapter-libsql'
process.env.PRISMA_QUERY_ENGINE_LIBRARY = new URL('./node_modules/engine.node', import.meta.url).pathname
process.env.CHECKPOINT_DISABLE = '1'
export default defineConfig({
  schema: 'prisma/schema.prisma', engine: 'js', experimental: { adapter: true },
  adapter: async () => new PrismaLibSQL({ url: 'file:./prisma/dev.db' }),
})
`,
    'prisma/schema.prisma':
      'datasource db {\n  provider = "sqlite"\n  url      = "file:./dev.db"\n}\nmodel Order {\n  id Int @id\n  n  String?\n  m  String?\n}\n',
    'prisma/migrations/migration_lock.toml': 'provider = "sqlite"\n',
    'prisma/migrations/1_init/migration.sql': 'CREATE TABLE "Order" ("id" INTEGER NOT NULL PRIMARY KEY, "n" TEXT);\n',
    'prisma/migrations/2_more/migration.sql': 'ALTER TABLE "Order" ADD COLUMN "m" TEXT;\n',
  },
} as const

const CLIENTS: readonly Client[] = [
  {
    name: 'ansible: a play on this machine',
    files: {
      hosts: '[here]\nlocalhost ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n',
      'site.yml': `- hosts: here
  gather_facts: false
  tasks:
    - { name: configuration, copy: { content: "port=80", dest: "{{ playbook_dir }}/app.conf" } }
    - { name: old, file: { path: "{{ playbook_dir }}/old.txt", state: absent } }
`,
      'app.conf': 'port=79',
      'old.txt': 'old',
    },
    call: 'ansible-playbook -i hosts site.yml',
    kind: 'dry_run',
    says: /-port=79.*\+port=80.*changed=2/s,
    stays: 'a play says what it would change, but not which files it keeps where',
  },
  {
    ...{ ...ALEMBIC, name: 'alembic: up, a file', before: 'alembic upgrade a1', call: 'alembic upgrade head', kind: 'sandbox' },
    says: /app\.db.*changed|changed.*app\.db/s,
  },
  {
    ...{ ...ALEMBIC, name: 'alembic: down, as a module', before: 'alembic upgrade head', call: 'python3 -m alembic downgrade base' },
    ...{ kind: 'sandbox', says: /app\.db.*changed|changed.*app\.db/s },
  },
  {
    ...{ ...PRISMA, name: 'prisma: a pending migration', call: 'npx prisma migrate deploy', kind: 'dry_run' },
    before: 'mv prisma/migrations/2_more .; npx prisma migrate deploy; mv 2_more prisma/migrations/',
    says: /not yet been applied:\s+2_more/,
  },
  {
    name: 'drizzle: push to a file',
    packages: ['drizzle-kit@0.31.11', 'drizzle-orm@0.45.4', '@libsql/client@0.17.0'],
    files: {
      'schema.ts':
        "import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'\nexport const orders = sqliteTable('orders', { id: integer().primaryKey(), n: text() })\n",
      'drizzle.config.ts': "export default { dialect: 'sqlite', schema: './schema.ts', dbCredentials: { url: 'file:dev.db' } }\n",
    },
    before: `npx drizzle-kit push; sed -i 's/n: text()/n: text(), m: text()/' schema.ts`,
    call: 'npx drizzle-kit push',
    kind: 'dry_run',
    says: /ALTER TABLE `orders` ADD `m` text/,
  },
]

/** Where interpreters are that need nothing of the home. */
process.env.PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':')

function sh(command: string, cwd: string): string {
  const { status, stdout, stderr } = spawnSync('/bin/bash', ['-c', command], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`\`${command}\` ended with ${status}: ${stderr.slice(-2_000)}${stdout.slice(-2_000)}`)
  return stdout
}

/** Without what programs keep for themselves. */
const treeOf = (work: string): ReadonlyMap<string, string> =>
  new Map([...listed(work)].filter(([name]) => !/^\/node_modules\b|\/__pycache__\b/.test(name)))

function planted(root: string, { files, packages, before }: Client): string {
  const work = realpathSync(mkdtempSync(join(root, 'work-')))
  writeFileSync(join(work, 'package.json'), '{"private":true,"type":"module"}\n')
  if (packages !== undefined)
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages], { cwd: work })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), text)
  }
  if (before !== undefined) sh(before, work)
  return work
}

/** What does not hold, in words. */
async function problemsOf(client: Client, root: string): Promise<readonly string[]> {
  const work = planted(root, client)
  const home = mkdtempSync(join(root, 'home-'))
  const compiled = compilePolicy(POLICY, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { gate, queue, close } = openGate({ home, policy: () => ({ policy: compiled.policy, degraded: null }) })
  try {
    const call = bash(client.call, { cwd: work })
    const asked = await gate.decide(call)
    const shown = (queue.show(asked.approval?.id ?? '', { tenant: null })?.sheet.preview ?? {}) as JsonObject
    const problems: string[] = []
    if (shown.kind !== client.kind) problems.push(`the preview is ${String(shown.kind)}: ${JSON.stringify(shown).slice(0, 2_000)}`)
    const text = [...(Array.isArray(shown.files) ? shown.files.map((file) => JSON.stringify(file)) : []), String(shown.output)].join('\n')
    if (!client.says.test(text)) problems.push(`the preview does not say it: ${text}`)
    const before = treeOf(work)
    await queue.answer(asked.approval?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve' })
    const { decision, reason, undo } = await gate.decide(call)
    if (!runs(decision)) return [...problems, `a yes to what was seen does not hold: ${reason}`]
    sh(client.call, work)
    if (isDeepStrictEqual(treeOf(work), before)) problems.push('the call changed nothing')
    if (client.stays !== undefined) return problems
    const parts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
    for (const step of await stepsOf(captureIn(parts.store.read(String(undo?.id)) ?? ''), parts))
      problems.push(...(await take(step, parts)))
    return isDeepStrictEqual(treeOf(work), before) ? problems : [...problems, 'what is taken back is not what it was']
  } finally {
    close()
  }
}

if (['ansible-playbook', 'alembic'].some((program) => spawnSync(program, ['--version']).status !== 0))
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'ansible-core', 'alembic'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
const [only = ''] = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), 'countersign-clients-'))
let failed = 0
try {
  for (const client of CLIENTS.filter(({ name }) => name.startsWith(only))) {
    const problems = await problemsOf(client, root)
    if (problems.length > 0) failed++
    console.log(
      `${problems.length === 0 ? 'holds' : 'FAILS'}  ${client.name}: ${client.call}${client.stays === undefined ? '' : ` (not taken back: ${client.stays})`}`,
    )
    for (const problem of problems) console.error(`       ${problem}`)
  }
} finally {
  discard(root)
  rmSync(root, { recursive: true, force: true })
}
console.log(`node ${process.version}, ${readFileSync('/etc/os-release', 'utf8').match(/PRETTY_NAME="(.*)"/)?.[1] ?? ''}`)
process.exitCode = failed === 0 ? 0 : 1
