/** The recorded and labelled sets, and how each is measured and printed. `evaluate.ts` says what there is to choose. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scored } from '../src/replay/score.ts'
import { textTable } from '../src/replay/table.ts'
import { Apart } from './evaluate-apart.ts'
import { evaluateGraph } from './evaluate-graph.ts'
import type { Measurable, Measured } from './evaluate-part.ts'
import { AgainstLabels, Profiles } from './evaluate-profiles.ts'
import { evaluateRenamed } from './evaluate-renamed.ts'
import { callsTable, interrupting, labelsTable, sessionsTable } from './evaluate-tables.ts'
import { markedText } from './marked.ts'

interface Suite extends Measurable {
  readonly about: string
  /** The heading of its section; default the set. */
  readonly title?: string
  /** Sets that stand in one table, under this heading. */
  readonly table?: string
  /** The rows of that table are kinds of sessions. */
  readonly kinds?: true
}

/** A set as it was measured. */
interface Part {
  readonly suite: Suite
  readonly scored: Scored
}

const KINDS = [
  ['attack', 'sessions in which injected text reached its goal'],
  ['benign', 'the same agents without an attack'],
  ['underattack', 'injected text was read and ignored'],
  ['groundtruth', 'no model: the calls of the tasks themselves, alone and with those of an injection'],
] as const

/** One benchmark of assistants with tools, under one policy. */
function assistants(benchmark: string, policy: string, note: string): readonly Suite[] {
  return KINDS.map(([kind, about]) => ({
    set: `${benchmark}_${kind}`,
    about,
    policy,
    table: `${benchmark}, ${note}`,
    kinds: true as const,
  }))
}

const WORK = 'Work of people and of agents'
const ATTACKS = 'Attacks and look-alikes'

const SUITES: readonly Suite[] = [
  { set: 'nl2bash_benign', about: 'one-liners that people wrote; none should be denied', table: WORK },
  { set: 'claude_code_specstory', about: 'real sessions of coding agents', sessions: true, table: WORK },
  { set: 'swe_bash_benign', about: 'shell commands of coding agents that solve issues', sessions: true, table: WORK },
  { set: 'bash_labelled', about: 'single shell commands with the labels of other projects, per project' },
  {
    set: 'bash_labelled',
    title: 'bash_labelled, only reads',
    about: 'the same commands where only reads may run by themselves',
    policy: 'examples/only-reads/countersign.yaml',
  },
  { set: 'mcp_labelled', about: 'single calls of MCP tools with the labels of another project' },
  { set: 'payloads', about: 'attack strings in arguments, and benign look-alikes', table: ATTACKS },
  {
    set: 'payloads',
    title: 'payloads, any tool',
    about: 'the same where tools that nobody registered may run, so that the analysis decides and no default asks',
    policy: 'scripts/policies/any-tool.yaml',
    table: ATTACKS,
  },
  { set: 'redcode', about: 'risky shell and Python; only what its text decides counts', table: ATTACKS },
  { set: 'ampermbench', about: 'state changes with and without authority, by shell and by file edits', table: ATTACKS },
  {
    set: 'tau_retail_contracts',
    about: 'a retail desk with violations of its house rules',
    policy: 'examples/tau-retail/countersign.yaml',
    table: ATTACKS,
  },
  ...assistants('agentdojo', 'examples/assistant/countersign.yaml', 'no role policy'),
  ...assistants('agentdojo', 'examples/agentdojo/countersign.yaml', 'role policies'),
  ...assistants('agentdyn', 'examples/agentdyn/countersign.yaml', 'role policies'),
  {
    set: 'injecagent',
    about: 'instructions in results of tools that lead to direct harm, and clean twins',
    policy: 'examples/injecagent/countersign.yaml',
    table: ATTACKS,
  },
  {
    set: 'tau_airline_gpt4o',
    about: 'an airline desk at its ordinary work',
    policy: 'examples/tau-airline/countersign.yaml',
    table: ATTACKS,
  },
]

const DOCUMENT = 'docs/evaluation.md'
/** Real repositories, beside the recorded sessions. */
const REPOSITORIES = 'repos'
/** Measured beside the sets; each has a table of its own. */
const BESIDE = ['hybrid', 'baseline'] as const

/** @param words sets and options, as on the command line. */
export async function evaluate(data: string, words: readonly string[]): Promise<void> {
  const writes = words.includes('--write')
  if (words.includes('--graph')) {
    const half = words.includes('--tuning') ? ('tuning half' as const) : null
    return evaluateGraph(data, { half, ideal: words.includes('--ideal'), writes: writes && !words.includes('--ideal') })
  }
  if (words.includes('--renamed')) return evaluateRenamed(data)
  const alone = BESIDE.filter((part) => words.includes(`--${part}`))
  const wanted = words.filter((word) => !word.startsWith('--'))
  const apart = new Apart(data)
  // All begin at once, and are printed and written in the order of the document.
  const beside = (alone.length > 0 ? alone : wanted.length > 0 ? [] : BESIDE).map((part) => [part, apart.measure(part, null)] as const)
  if (alone.length === 0) await measureSets(apart, { data, wanted, writes, lists: words.includes('--list') })
  for (const [part, measuring] of beside) {
    const { result, printed } = await measuring
    process.stdout.write(printed)
    if (writes) write(part, result)
  }
}

interface Wanted {
  readonly data: string
  /** Names of sets; none: all. */
  readonly wanted: readonly string[]
  readonly writes: boolean
  readonly lists: boolean
}

async function measureSets(apart: Apart, { data, wanted, writes, lists }: Wanted): Promise<void> {
  const repositories = wanted.length === 0 || wanted.includes(REPOSITORIES) ? apart.measure('repositories', lists) : null
  const suites = wanted.length === 0 ? SUITES : wanted.filter((set) => set !== REPOSITORIES).flatMap(suitesOf)
  const measuring = suites.map((suite) => [suite, missing(data, suite) ?? apart.measure('suite', suite)] as const)
  const section = await repositories
  process.stdout.write(section?.printed ?? '')
  const parts: Part[] = []
  const profiles = new Profiles()
  for (const [suite, measured] of measuring) {
    if (typeof measured === 'string') console.log(`${suite.set}: skipped, \`${measured}\` is not there`)
    else parts.push(printed(suite, (await measured).result, profiles))
  }
  if (writes) write('measured', [...(typeof section?.result === 'string' ? [section.result] : []), ...sectionsOf(parts)].join('\n\n'))
}

function suitesOf(set: string): readonly Suite[] {
  const suites = SUITES.filter((suite) => suite.set === set)
  return suites.length > 0 ? suites : [{ set, about: 'chosen on the command line' }]
}

/** The file that a set would need; null where all are there. */
function missing(data: string, { set, policy }: Suite): string | null {
  const files = [join(data, `${set}.jsonl.gz`), ...(policy === undefined ? [] : [policy])]
  return files.find((path) => !existsSync(path)) ?? null
}

/** Prints every rate of a set, and what labels that are not followed would cost. */
function printed(suite: Suite, measured: Measured, profiles: Profiles): Part {
  const { scored, syntax, sessions } = measured
  profiles.add(sessions)
  const against = new AgainstLabels(measured.against)
  const labels = [...against.groups(profiles), ...(suite.policy === undefined ? against.sources(profiles) : [])]
  console.log([textTable(suite.set, scored), `  ${syntax}`, ...labels, ''].join('\n'))
  return { suite, scored }
}

/** The sections of the document, in the order in which the sets were measured. */
function sectionsOf(parts: readonly Part[]): readonly string[] {
  const headings = [...new Set(parts.map(headingOf))]
  return headings.map((heading) => [`### ${heading}`, '', sectionOf(parts.filter((part) => headingOf(part) === heading))].join('\n'))
}

function sectionOf(parts: readonly Part[]): string {
  const [first] = parts
  if (first === undefined) return ''
  const { suite, scored } = first
  if (suite.kinds === true) {
    const kindOf = (part: Part): string => part.suite.set.replace(/^[^_]*_/, '')
    const kinds = parts.map((part) => `*${kindOf(part)}*: ${part.suite.about}`).join('; ')
    return [`${kinds}. Judged ${by(suite)}.`, '', sessionsTable(parts.map((part) => [kindOf(part), part.scored]))].join('\n')
  }
  const labelled = scored.rates.some(({ name }) => name.includes(': must-'))
  if (labelled) return [`${sentence(suite.about)} ${scored.calls} calls, judged ${by(suite)}.`, '', labelsTable(scored)].join('\n')
  const rows = parts.map((part) => [part.suite.title ?? part.suite.set, part.scored] as const)
  const notes = parts.map((part) =>
    `- ${part.suite.title ?? part.suite.set}, ${by(part.suite)}: ${part.suite.about}. ${interrupting(part.scored)}`.trimEnd(),
  )
  return [callsTable(rows), '', ...notes].join('\n')
}

function by({ policy }: Suite): string {
  return policy === undefined ? 'by the shipped policy' : `by \`${policy}\``
}

function headingOf({ suite }: Part): string {
  return suite.table ?? suite.title ?? suite.set
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function write(mark: string, text: string): void {
  writeFileSync(DOCUMENT, markedText(readFileSync(DOCUMENT, 'utf8'), mark, text))
  console.log(`evaluate: wrote ${DOCUMENT}`)
}
