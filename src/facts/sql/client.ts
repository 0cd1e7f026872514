import type { Report } from './report.ts'

/** Commands of the clients: psql's backslash, sqlite's dot, mysql's words. They act on this machine, not in the database. */

const FILE = /^["']?([^"'\s]+)["']?/

function path(rest: string): string | null {
  return FILE.exec(rest.trim())?.[1] ?? null
}

function onFile(verb: 'read' | 'write', action: string) {
  return (rest: string, report: Report): void => {
    const whole = rest.trim().replace(/^(["'])(.*)\1$/, '$2')
    const name = whole.startsWith('|') ? whole : path(rest)
    if (name !== null && name !== '' && name !== 'stdout' && name !== 'off') report.file(verb, name, action)
  }
}

const shell = (rest: string, report: Report): void => report.shell(rest.trim().replace(/;$/, ''), 'sql:shell')

/** Another file of statements. */
function script(rest: string, report: Report): void {
  const name = path(rest)
  if (name !== null) report.script(name)
}

const reading = (_: string, report: Report): void => report.database('read', 'sql:show')

const library = (rest: string, report: Report): void =>
  report.database('execute', 'sql:load', { reversible: false, attributes: { library: path(rest) ?? '' } })

type Command = (rest: string, report: Report) => void

/** `\copy t from program 'x'`, `\copy t to 'file'`. */
const copy: Command = (rest, report) => {
  const program = /\b(?:from|to)\s+program\s+(['"])(.*)\1/i.exec(rest)
  const file = /\b(from|to)\s+(?!program\b|stdin\b|stdout\b|pstdin\b|pstdout\b)["']?([^"'\s]+)/i.exec(rest)
  if (program !== null) report.shell(program[2] ?? '', 'sql:shell')
  else if (file !== null) report.file(file[1]?.toLowerCase() === 'from' ? 'read' : 'write', file[2] ?? '', 'sql:copy')
  report.database(/\bfrom\b/i.test(rest) ? 'write' : 'read', 'sql:copy')
}

/** psql's `\connect [name [user [host [port]]]]`, where `-` stands for what it was; or a string of keys, or an address. */
const connect: Command = (rest, report) => {
  const [name = '-', , host = '-', port = '-'] = rest
    .trim()
    .replace(/;$/, '')
    .split(/\s+/)
    .filter((word) => !word.startsWith('-reuse'))
  const isPlain = /^["']?[\w$-]+["']?$/.test(name)
  const isElsewhere = !isPlain || host !== '-' || port !== '-'
  if (name !== '-' || isElsewhere) report.move(isPlain && name !== '-' ? name.replace(/^["']|["']$/g, '') : null, isElsewhere)
}

const BACKSLASH: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['!', shell],
  ['c', connect],
  ['connect', connect],
  ['copy', copy],
  ['i', script],
  ['ir', script],
  ['include', script],
  ['include_relative', script],
  ['.', script],
  ['o', onFile('write', 'sql:output')],
  ['out', onFile('write', 'sql:output')],
  ['w', onFile('write', 'sql:output')],
  ['write', onFile('write', 'sql:output')],
  ['g', onFile('write', 'sql:output')],
  ['gx', onFile('write', 'sql:output')],
  ['T', onFile('write', 'sql:output')],
  ['s', onFile('write', 'sql:output')],
  ['P', shell],
  ['lo_import', onFile('read', 'sql:read-file')],
  ['lo_export', (rest, report) => onFile('write', 'sql:write-file')(rest.replace(/^\s*\S+/, ''), report)],
  ['gexec', (_, report) => report.opaque('the result of a query runs as SQL')],
  ...['e', 'edit', 'ef', 'ev'].map((name): [string, Command] => [name, (_, report) => report.opaque('the SQL of an editor runs')]),
  ['setenv', (rest, report) => report.opaque(`the client changes its environment: ${rest.trim().split(/\s/)[0] ?? ''}`)],
  ['lo_unlink', (_, report) => report.database('delete', 'sql:delete', { reversible: false, attributes: { where: true } })],
  ['password', (_, report) => report.database('change', 'sql:grant', { attributes: { privilege: true } })],
])

const DOT: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['shell', shell],
  ['system', shell],
  [
    'import',
    (rest, report) => {
      const file = rest.replace(/^(?:\s*--\w+(?:\s+\d+)?)+/, '')
      onFile('read', 'sql:import')(
        file.trim().startsWith('"|') || file.trim().startsWith("'|")
          ? file.trim().slice(1, file.trim().lastIndexOf(file.trim()[0] ?? '"'))
          : file,
        report,
      )
      report.database('write', 'sql:insert')
    },
  ],
  ['output', onFile('write', 'sql:output')],
  ['once', onFile('write', 'sql:output')],
  ['log', onFile('write', 'sql:output')],
  ['trace', onFile('write', 'sql:output')],
  ['read', script],
  ['load', library],
  ['open', (rest, report) => onFile('write', 'sql:attach')(rest.replace(/^(?:\s*--\w+)+/, ''), report)],
  ['save', onFile('write', 'sql:backup')],
  ['backup', onFile('write', 'sql:backup')],
  ['clone', onFile('write', 'sql:backup')],
  [
    'restore',
    (rest, report) => {
      onFile('read', 'sql:restore')(rest, report)
      report.database('write', 'sql:restore', { reversible: false })
    },
  ],
  ['dump', reading],
  ['tables', reading],
  ['schema', reading],
  ['fullschema', reading],
  ['databases', reading],
  ['indexes', reading],
  ['archive', (_, report) => report.opaque('an archive command of the client')],
  ['excel', (_, report) => report.opaque('another program opens the result')],
  ['www', (_, report) => report.opaque('another program opens the result')],
])

const WORDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['system', shell],
  ['source', script],
  ['tee', onFile('write', 'sql:output')],
  ['pager', shell],
  ['host', shell],
  ['start', script],
])

/** sqlcmd's `:r`, `:!!`, `:out`; sqlplus' `!` and `@`. */
const MARKED: readonly (readonly [RegExp, Command])[] = [
  [/^:?!!?/, shell],
  [/^:r\b/i, script],
  [/^:(?:out|error|perftrace)\b/i, onFile('write', 'sql:output')],
  [/^@@?/, script],
]

/** Reports what one client command does; a command that is not known only shows or formats. */
export function reportClient(line: string, report: Report): void {
  for (const [, command] of line.matchAll(/`([^`\n]{1,1000})`/g)) if (line.startsWith('\\')) report.shell(command ?? '', 'sql:shell')
  const first = line[0]
  if (first === '\\') {
    const name = /^\\(?:[!.]|[a-zA-Z_]+\+?)/.exec(line)?.[0] ?? '\\'
    const known = BACKSLASH.get(name.slice(1))
    if (known !== undefined) known(line.slice(name.length), report)
    else if (/^d|^l|^z/.test(name.slice(1))) report.database('read', 'sql:show')
    return
  }
  for (const [mark, command] of MARKED) {
    const found = mark.exec(line)
    if (found === null) continue
    command(line.slice(found[0].length), report)
    return
  }
  const [name = '', rest = ''] = [/^\.?[a-zA-Z]+/.exec(line)?.[0] ?? '', line.replace(/^\.?[a-zA-Z]+/, '')]
  if (first === '.') dotCommand(dotName(name.slice(1).toLowerCase()), rest, report)
  else WORDS.get(name.toLowerCase())?.(rest, report)
}

/** Commands that only show or format, or that set up the client. */
const FORMATTING: ReadonlySet<string> = new Set(
  (
    'auth bail binary cd changes check connection crlf crnl dbconfig dbinfo dbtotxt dump echo eqp exit expert explain headers header help ' +
    'indices intck iotrace limit lint mode nonce nullvalue print progress prompt quit recover scanstats selecttrace separator session ' +
    'sha3sum show stats testcase timeout timer version vfsinfo vfslist vfsname wheretrace width'
  ).split(' '),
)

function dotCommand(name: string, rest: string, report: Report): void {
  const known = DOT.get(name)
  if (known !== undefined) known(rest, report)
  else if (name.length < 2 || ![...FORMATTING].some((word) => word.startsWith(name)))
    report.opaque(`the client's command \`.${name}\` is not known`)
}

/** What sqlite takes where more than one name begins so. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['o', 'output'],
  ['ou', 'output'],
])

/** sqlite takes any beginning of a name that fits only one. */
function dotName(name: string): string {
  if (DOT.has(name)) return name
  const short = SHORT.get(name)
  if (short !== undefined) return short
  const fits = [...DOT.keys()].filter((key) => name.length > 1 && key.startsWith(name))
  return fits.length === 1 ? (fits[0] ?? name) : name
}
