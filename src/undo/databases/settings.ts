/**
 * The database that an application's own settings name, as far as a file says it in plain words. A dump of another database takes nothing back, so a
 * migration whose settings plainly name another one is not let run on the strength of it. Settings that are computed say nothing here.
 */
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { alembic } from './alembic.ts'
import type { KnownDatabase } from './known.ts'
import { type Place, type SettingsParts, textAt } from './place.ts'

/** Where settings are, and what they name: an address, or the file of SQLite. */
export interface Settings {
  readonly file: string
  readonly names: { readonly address: URL } | { readonly sqlite: string }
}

interface Tool {
  /** First words of `by`, or what else names the tool. */
  readonly by: RegExp
  /** Names of its settings in the directory of the command; the first that is there holds. */
  readonly files: readonly string[]
  /** What the text names; null: that is not said plainly; undefined: that stands in the next file. */
  readonly read: (text: string, at: Place) => string | null | undefined
}

/** A variable as the application would see it. @throws where the gate's environment and `.env` disagree: which one holds is not known. */
function variableAt(name: string, { directory, file, variable }: Place): string | null {
  const given = variable(name)
  const values = [join(directory, '.env'), join(dirname(file), '.env')].flatMap((place) => {
    const line = new RegExp(`^(?:export )?${name}=(.{1,2000})$`, 'm').exec(textAt(place) ?? '')?.[1]?.trim()
    return line === undefined ? [] : [line.replace(/^(["'])(.*)\1$/, '$2')]
  })
  const [first = null, ...more] = [...(given === null ? [] : [given]), ...values]
  if (more.some((value) => value !== first))
    throw new Error(`the variable ${name} has different values in \`.env\` and where the gate runs`)
  return first
}

/** The value of a key, where all of its lines say the same: a literal, or a variable of the environment. */
function literal(text: string, pattern: RegExp, at: Place): string | null {
  const found = [...text.matchAll(pattern)].map(({ groups = {} }) =>
    groups.name === undefined ? (groups.value ?? null) : variableAt(groups.name, at),
  )
  const [first = null] = found
  return found.every((value) => value === first) ? first : null
}

const VALUE = String.raw`(?:(?:process\.env\.|env\(["'])(?<name>[A-Z][A-Z0-9_]{0,60})|["'](?<value>[^"']{1,500})["'])`
const SCRIPTED = new RegExp(String.raw`\b(?:url|connection|connectionString|filename)["']?\s{0,9}:\s{0,9}${VALUE}`, 'g')

/** Settings of Python: `'ENGINE': 'django.db.backends.sqlite3'`, in one set of databases alone. */
function django(text: string, at: Place): string | null {
  const key = (name: string): string | null =>
    literal(text, new RegExp(`["']${name}["']\\s{0,9}:\\s{0,9}["'](?<value>[^"']{0,200})["']`, 'g'), at)
  const engine = /\.(sqlite3|postgresql|mysql)$/.exec(key('ENGINE') ?? '')?.[1]
  const below = /["']NAME["']\s{0,9}:\s{0,9}BASE_DIR\s?\/\s?["']([^"']{1,200})["']/.exec(text)?.[1] ?? null
  const name = key('NAME') ?? below
  if (engine === undefined || name === null) return null
  if (engine === 'sqlite3') return `file:${resolve(key('NAME') === null ? baseOf(text, at) : at.directory, name)}`
  const [host, port] = [key('HOST') || 'localhost', key('PORT') || '']
  return `${engine}://${host}${port === '' ? '' : `:${port}`}/${encodeURIComponent(name)}`
}

/** `BASE_DIR = Path(__file__).resolve().parent.parent`; where that is not said, the project's directory is meant. */
function baseOf(text: string, { directory, file }: Place): string {
  const parents = /^BASE_DIR\s?=\s?Path\(__file__\)(?:\.resolve\(\))?((?:\.parent){1,9})$/m.exec(text)?.[1]
  return parents === undefined
    ? directory
    : resolve(
        file,
        ...parents
          .split('.parent')
          .slice(1)
          .map(() => '..'),
      )
}

/** `config/database.yml`: what development says, and else what all say. Templates are not run. */
function rails(text: string, at: Place): string | null {
  const { environment = 'development' } = at.chosen ?? {}
  if (text.includes('<%')) return variableAt('DATABASE_URL', at)
  const block = (name: string): string => new RegExp(`^${name}:.*\\n((?:[ \\t]+.*\\n|\\n)*)`, 'm').exec(`${text}\n`)?.[1] ?? ''
  const key = (name: string): string | null => {
    const pattern = new RegExp(`^\\s+${name}:\\s*["']?([^"'\\s#]+)`, 'm')
    return (pattern.exec(block(environment)) ?? pattern.exec(block('default')))?.[1] ?? null
  }
  const given = variableAt('DATABASE_URL', at) ?? key('url')
  const [adapter, database] = [key('adapter'), key('database')]
  if (given !== null || adapter === null || database === null) return given
  if (adapter === 'sqlite3') return `file:${resolve(at.directory, database)}`
  const port = key('port')
  return `${adapter}://${key('host') ?? 'localhost'}${port === null ? '' : `:${port}`}/${database}`
}

/** The module of settings that `manage.py` names, as a file. */
function djangoFiles(directory: string): readonly string[] {
  const module = /DJANGO_SETTINGS_MODULE["'],\s{0,9}["']([\w.]{1,200})["']/.exec(textAt(join(directory, 'manage.py')) ?? '')?.[1]
  return module === undefined ? [] : [`${module.replaceAll('.', '/')}.py`]
}

/** `schema.prisma`, up to Prisma 6. It reads the name of a file from where the schema is. */
function schema(text: string, at: Place): string | null {
  const url = literal(text, /^[ \t]{0,20}url[ \t]{0,20}=[ \t]{0,20}(?:env\("(?<name>\w{1,60})"\)|"(?<value>[^"]{1,500})")/gm, at)
  return url?.startsWith('file:') === true ? `file:${resolve(dirname(at.file), url.slice(5))}` : url
}

/** `prisma.config.ts`, whose address, or that of its driver, holds instead of the schema's. */
function configured(text: string, at: Place): string | null | undefined {
  return /\b(?:datasource|adapter)\b/.test(text) ? literal(text, SCRIPTED, at) : undefined
}

const scripts = (name: string): readonly string[] => ['ts', 'js', 'mjs', 'cjs'].map((end) => `${name}.${end}`)

const TOOLS: readonly Tool[] = [
  {
    by: /^prisma\b/,
    files: [...scripts('prisma.config'), 'prisma/schema.prisma', 'schema.prisma'],
    read: (text, at) => (/^prisma\.config\./.test(basename(at.file)) ? configured(text, at) : schema(text, at)),
  },
  { by: /^drizzle-kit\b/, files: scripts('drizzle.config'), read: (text, at) => literal(text, SCRIPTED, at) },
  { by: /^knex\b/, files: scripts('knexfile'), read: (text, at) => literal(text, SCRIPTED, at) },
  { by: /^(?:rails|rake|db:)/, files: ['config/database.yml'], read: rails },
  { by: /^manage\.py\b/, files: [], read: django },
  {
    by: /^alembic\b/,
    files: ['alembic.ini'],
    read: alembic,
  },
  {
    by: /^flyway\b/,
    files: ['flyway.conf', 'conf/flyway.conf', 'flyway.toml'],
    read: (text, at) => literal(text, /^(?:flyway\.)?url\s*=\s*["']?(?<value>[^"'\s]{1,500})["']?\s*$/gm, at),
  },
  {
    by: /^supabase\b/,
    files: ['supabase/config.toml'],
    read: (text) => `postgresql://localhost:${/^\[db\][^[]*?^port\s*=\s*(\d{1,5})/m.exec(text)?.[1] ?? '54322'}/postgres`,
  },
]

/** Null: no settings are there, or they do not say it plainly. @throws where they say two things. */
export function settingsOf(by: string, parts: SettingsParts): Settings | null {
  const tool = TOOLS.find((each) => each.by.test(by))
  if (tool === undefined) return null
  const { settings } = parts.chosen ?? {}
  const usual = tool.read === django ? djangoFiles(parts.directory) : tool.files
  const files = settings === undefined ? usual : [namedFile(tool, settings, parts)]
  for (const file of files.map((name) => resolve(parts.directory, name))) {
    const text = textAt(file)
    if (text === null) continue
    const value = tool.read(text, { ...parts, file })
    if (value === undefined) continue
    // Knex works where its settings are.
    const names = value === null ? null : namesIn(value, tool.by.test('knex') ? dirname(file) : parts.directory)
    return names === null ? null : { file, names }
  }
  return null
}

/** @throws where it is outside of the directory that the call works in, or is not there. */
function namedFile(tool: Tool, settings: string, { directory, chosen }: SettingsParts): string {
  const file = resolve(directory, tool.read === django ? `${settings.replaceAll('.', '/')}.py` : settings)
  const name =
    tool.by.test('prisma') && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true ? join(file, 'schema.prisma') : file
  const within = realpathSync(chosen?.within ?? directory)
  let real: string
  try {
    real = realpathSync(name)
  } catch {
    throw new Error(`the settings \`${settings}\` that the call names cannot be read`)
  }
  if (!real.startsWith(`${within}/`)) throw new Error(`the settings \`${settings}\` that the call names are outside of \`${within}\``)
  return real
}

/** `jdbc:postgresql://…`, `postgresql+psycopg://…`, `sqlite:///dev.db`, `file:dev.db`, `./dev.sqlite3`. */
function namesIn(value: string, directory: string): Settings['names'] | null {
  const [, file] = /^(?:jdbc:)?(?:file:|sqlite3?:(?:\/\/\/?)?)(.{1,500})$/.exec(value) ?? []
  if (file !== undefined) return { sqlite: resolve(directory, file.split('?')[0] ?? '') }
  if (/^[\w./-]{1,300}\.(?:db|db3|sqlite|sqlite3)$/.test(value)) return { sqlite: resolve(directory, value) }
  const address = value.replace(/^jdbc:/, '').replace(/^(\w+)\+\w+:/, '$1:')
  return /^[a-z0-9]+:\/\//.test(address) && URL.canParse(address) ? { address: new URL(address) } : null
}

const SCHEMES: Readonly<Record<string, KnownDatabase['engine']>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
  mongodb: 'mongodb',
  redis: 'redis',
}
const PORTS: Readonly<Record<KnownDatabase['engine'], string>> = { postgres: '5432', mysql: '3306', mongodb: '27017', redis: '6379' }
const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** True where both addresses lead to the same database, in whatever words. */
export function isSame(settings: URL, known: URL, engine: KnownDatabase['engine']): boolean {
  const place = ({ hostname, port, pathname }: URL): string =>
    [HERE.has(hostname) ? 'localhost' : hostname, port === '' ? PORTS[engine] : port, decodeURIComponent(pathname)].join(' ')
  return SCHEMES[settings.protocol.slice(0, -1)] === engine && place(settings) === place(known)
}
