/** Generates docs/reference from the source; with `--check`, says what has drifted and fails. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { CODES } from '../src/core/codes.ts'
import { PACKS } from '../src/layers/hazard/packs/index.ts'
import { VOCABULARY } from '../src/cli/open.ts'
import { LINTS } from '../src/policy/lint.ts'
import { POLICY_ERRORS } from '../src/policy/errors.ts'
import { policySchema } from '../src/policy/schema.ts'

const GENERATED = '<!-- Generated from the source by `npm run docs`; do not edit. -->'

const pages: Readonly<Record<string, () => string>> = {
  'docs/reference/codes.md': codes,
  'docs/reference/policy.md': policy,
  'docs/reference/hazards.md': hazards,
  'docs/reference/cli.md': cli,
}

const drifted: string[] = []
mkdirSync('docs/reference', { recursive: true })
for (const [path, make] of Object.entries(pages)) {
  const text = make()
  if (process.argv.includes('--check')) {
    if (current(path) !== text) drifted.push(path)
  } else writeFileSync(path, text)
}
for (const path of drifted) console.error(`  ${path} does not match the source; run \`npm run docs\``)
console.log(`docs: ${drifted.length === 0 ? 'match the source' : 'drifted'}`)
if (drifted.length > 0) process.exitCode = 1

function current(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function codes(): string {
  const rows = Object.entries(CODES).map(([code, text]) => `| \`${code}\` | ${cell(text.operator)} | ${cell(text.agent)} |`)
  return page('Reason codes', 'Every decision carries one code. The operator sees the full reason beside it; the agent sees the coarse text.', [
    '| code | operator | agent |',
    '|---|---|---|',
    ...rows,
  ])
}

function hazards(): string {
  const sections = PACKS.flatMap((pack) => [
    '',
    `## ${pack.name}`,
    '',
    `${pack.summary[0]?.toUpperCase()}${pack.summary.slice(1)}.`,
    '',
    '| rule | level | what | matches, for example | instead |',
    '|---|---|---|---|---|',
    ...pack.rules.map((rule) => `| \`${rule.id}\` | ${rule.level} | ${cell(rule.reason)} | ${rule.examples.match[0] === undefined ? '' : code(rule.examples.match[0])} | ${rule.safer === null ? '' : code(rule.safer)} |`),
  ])
  return page('Hazard packs', 'Rules over effects. `advisory` flags, `soft` asks, `hard` denies; `hazards.rules` in the policy binds each at a level of your own.', sections)
}

function policy(): string {
  const schema = policySchema(VOCABULARY) as Schema
  return page('Policy file', 'Fields of `countersign.yaml`. A field that is not listed here is an error, never ignored.', [
    ...fields(schema, ''),
    '',
    '## Errors',
    '',
    ...Object.entries(POLICY_ERRORS).map(([name, text]) => `- \`${name}\`: ${text}`),
    '',
    '## Warnings',
    '',
    ...Object.entries(LINTS).map(([name, text]) => `- \`${name}\`: ${text}`),
  ])
}

interface Schema {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}

function fields(schema: Schema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const key = path === '' ? name : `${path}.${name}`
    const nested = field.properties ? fields(field, key) : []
    const item = field.items?.properties ? fields(field.items, `${key}[]`) : []
    const extra = field.additionalProperties
    const map = typeof extra === 'object' && extra.properties ? fields(extra, `${key}.<name>`) : []
    return [`- \`${key}\` (${typeOf(field)})${field.description === undefined ? '' : `: ${field.description}`}`, ...nested, ...item, ...map]
  })
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.length > 12 ? `one of ${schema.enum.length} names` : schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`
  return schema.type ?? 'anything'
}

function cli(): string {
  const help = (args: readonly string[]) => execFileSync('node_modules/.bin/tsx', ['src/cli/bin.ts', ...args, '--help'], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' } }).trimEnd()
  const commands = [[], ['check'], ['effects'], ['hook'], ['serve'], ['init'], ['uninstall'], ['doctor'], ['policy'], ['policy', 'lint'], ['policy', 'test'], ['policy', 'explain'], ['policy', 'fmt'], ['policy', 'schema'], ['audit'], ['audit', 'tail'], ['audit', 'search'], ['audit', 'show'], ['audit', 'verify'], ['audit', 'export'], ['replay'], ['demo']]
  return page(
    'Command line',
    'Exit codes of `check`: 0 allow or flag, 3 ask, 4 deny, 5 halt, 2 bad input. Of `audit verify`, `policy lint`, `policy test`, `doctor`: 0 holds, 1 does not, 2 could not run.',
    commands.flatMap((args) => ['', `## countersign ${args.join(' ')}`.trimEnd(), '', '```', help(args), '```']),
  )
}

function page(title: string, lead: string, lines: readonly string[]): string {
  return `# ${title}\n\n${GENERATED}\n\n${lead}\n\n${lines.join('\n').trimStart()}\n`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function code(text: string): string {
  return `\`${cell(text).replaceAll('`', 'ˋ')}\``
}
