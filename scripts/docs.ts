/** Generates docs/reference from the source; with `--check`, says what has drifted and fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { main } from '../src/cli/main.ts'
import { CODES } from '../src/core/codes.ts'
import { FLAGS, MEANT, TOLD } from '../src/facts/explain/words.ts'
import { PACKS } from '../src/layers/hazard/packs/index.ts'
import type { Example } from '../src/layers/hazard/rule.ts'
import { VOCABULARY } from '../src/open.ts'
import { POLICY_ERRORS } from '../src/policy/errors.ts'
import { policySchema } from '../src/policy/schema.ts'
import { LINTS } from '../src/policy/warnings.ts'
import { COMPENSATORS } from '../src/undo/catalogue.ts'
import { conformancePage } from './docs-conformance.ts'
import { hostPages } from './docs-hosts.ts'

/** Where each shape was first told: the same fields under another name are told once. */
const told = new Map<string, string>()

const GENERATED = '<!-- Generated from the source by `npm run docs`; do not edit. -->'

const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/codes.md': codes,
  'docs/reference/policy.md': policy,
  'docs/reference/hazards.md': hazards,
  'docs/reference/compensators.md': compensators,
  'docs/reference/cli.md': cli,
  'docs/reference/conformance.md': () => conformancePage(GENERATED),
  ...Object.fromEntries(hostPages(GENERATED)),
}

const drifted: string[] = []
mkdirSync('docs/reference', { recursive: true })
mkdirSync('docs/guide/hosts', { recursive: true })
for (const [path, make] of Object.entries(pages)) {
  const text = await make()
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
  return page(
    'Reason codes',
    'Every decision carries one code. The operator sees the full reason beside it; the agent sees the coarse text.',
    ['| code | operator | agent |', '|---|---|---|', ...rows],
  )
}

function compensators(): string {
  const ways = COMPENSATORS.flatMap(({ name, captures, how, until, cost, cannot, owner, run, exercised }) => [
    `## \`${name}\``,
    '',
    `- Kept before the call runs: ${captures}.`,
    `- The way back: ${how}.${run === 'manual' ? ' A person goes it; `countersign undo` says so.' : ''}`,
    `- Works: ${until}.`,
    `- Costs: ${cost}.`,
    `- Cannot take back: ${cannot}.`,
    `- Who: ${owner}.`,
    `- Tested: ${exercised ? 'a test of this project runs the act and the way back' : 'no'}.`,
    '',
  ])
  return page(
    'Compensators',
    'What takes an act back, by name, where the policy has an [`undo` section](../guide/undo.md). What none of them covers has no way back and is asked ' +
      'about: mail and messages that were sent, payments, deleted clusters and clouds. `capabilities.compensators` names more for a policy.',
    ways,
  )
}

/** A command as it is, a call of another tool with its arguments. */
function shown(example: Example): string {
  return typeof example === 'string' ? example : `${example.tool} ${JSON.stringify(example.args)}`
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
    ...pack.rules.map(
      (rule) =>
        `| \`${rule.id}\` | ${rule.level} | ${cell(rule.reason)} | ${rule.examples.match[0] === undefined ? '' : code(shown(rule.examples.match[0]))} | ${code(shown(rule.safer))} |`,
    ),
  ])
  return page(
    'Hazard packs',
    'Rules over effects. `advisory` flags, `soft` asks, `hard` denies; `hazards.rules` in the policy binds each at a level of your own.',
    sections,
  )
}

function policy(): string {
  const schema = policySchema(VOCABULARY) as Schema
  return page('Policy file', 'Fields of `countersign.yaml`. A field that is not listed here is an error, never ignored.', [
    ...fields(schema, ''),
    '',
    '## Attributes of effects',
    '',
    'Conditions read them as `e.attributes.<name>`; not every effect has each of them. These are told in words of their own; others as they',
    'are called.',
    '',
    '| attribute | value | in words |',
    '|---|---|---|',
    ...attributes().map(([name, value, words]) => `| \`${name}\` | ${value} | ${cell(words)} |`),
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

function attributes(): readonly (readonly [name: string, value: string, words: string])[] {
  const meant = [...MEANT].map(([text, words]): readonly [string, string, string] => {
    const [name = '', value = ''] = text.split(' ')
    return [name, `\`${value}\``, words]
  })
  const flags = [...FLAGS].map(([name, words]): readonly [string, string, string] => [name, '`true`', words])
  const told = [...TOLD].map(([name, words]): readonly [string, string, string] => [name, 'a text', `${words} …`])
  return [...meant, ...flags, ...told].sort(([a], [b]) => (a < b ? -1 : 1))
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
    const extra = field.additionalProperties
    const inner: readonly (readonly [Schema | undefined, string])[] = [
      [field, key],
      [field.items, `${key}[]`],
      [typeof extra === 'object' ? extra : undefined, `${key}.<name>`],
    ]
    return [`- \`${key}\` (${typeOf(field)})${field.description === undefined ? '' : `: ${field.description}`}`, ...inner.flatMap(below)]
  })
}

function below([schema, path]: readonly [Schema | undefined, string]): string[] {
  if (schema?.anyOf !== undefined) return schema.anyOf.flatMap((each) => below([each, `${path}${kindOf(each)}`]))
  if (schema?.properties === undefined) return []
  const shape = JSON.stringify(schema.properties)
  const before = told.get(shape)
  if (before !== undefined) return [`- \`${path}.…\`: the fields of \`${before}\``]
  told.set(shape, path)
  return fields(schema, path)
}

/** One of several forms is told by its `type`. */
function kindOf({ properties }: Schema): string {
  const kinds = properties?.type?.enum ?? []
  return kinds.length === 1 ? ` (${String(kinds[0])})` : ''
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.length > 12 ? `one of ${schema.enum.length} names` : schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`
  return schema.type ?? 'anything'
}

async function cli(): Promise<string> {
  const sections = await helpOf([])
  return page(
    'Command line',
    'Exit codes of `check`: 0 allow or flag, 3 ask, 4 deny, 5 halt, 2 bad input. Of `audit verify`, `policy lint`, `policy test`, `doctor`: 0 holds, 1 does not, 2 could not run.',
    sections,
  )
}

/** The help of a command and, after it, of every command below it. */
async function helpOf(args: readonly string[]): Promise<string[]> {
  const help = await printed([...args, '--help'])
  const listed = help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  const own = ['', `## countersign ${args.join(' ')}`.trimEnd(), '', '```', help.trimEnd(), '```']
  const below: string[] = []
  for (const name of names) below.push(...(await helpOf([...args, name])))
  return [...own, ...below]
}

/** What the command line prints for these arguments. */
async function printed(args: readonly string[]): Promise<string> {
  const write = process.stdout.write
  let text = ''
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += String(chunk)
    return true
  }) as typeof process.stdout.write
  try {
    await main(args)
  } finally {
    process.stdout.write = write
  }
  return text
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
