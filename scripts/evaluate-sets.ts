/** The recorded and labelled sets, and how each is measured and printed. `evaluate.ts` says what there is to choose. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadInForce } from '../src/cli/open.ts'
import { openReplay, replayFile } from '../src/replay/file.ts'
import type { Replayed } from '../src/replay/run.ts'
import { Score, type Scored } from '../src/replay/score.ts'
import { textTable } from '../src/replay/table.ts'
import { evaluateBaseline } from './evaluate-baseline.ts'
import { evaluateGraph } from './evaluate-graph.ts'
import { evaluateHybrid } from './evaluate-hybrid.ts'
import { AgainstLabels, Profiles } from './evaluate-profiles.ts'
import { evaluateRenamed } from './evaluate-renamed.ts'
import { evaluateRepositories } from './evaluate-repos.ts'
import { callsTable, interrupting, labelsTable, sessionsTable } from './evaluate-tables.ts'
import { markedText } from './marked.ts'

interface Suite {
  readonly set: string
  readonly about: string
  /** The heading of its section; default the set. */
  readonly title?: string
  /** A policy of its own, written from tool schemas and house rules; absent: the shipped one. */
  readonly policy?: string
  /** Recorded work of coding agents: how often they do a thing is what asking about it would cost. */
  readonly sessions?: boolean
  /** Sets that stand in one table, under this heading. */
  readonly table?: string
  /** The rows of that table are kinds of sessions. */
  readonly kinds?: true
}

/** A set as it was measured. */
interface Part {
  readonly suite: Suite
  readonly scored: Scored
  readonly syntax: string
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

const profiles = new Profiles()

/** @param words sets and options, as on the command line. */
export async function evaluate(data: string, words: readonly string[]): Promise<void> {
  if (words.includes('--graph')) {
    const half = words.includes('--tuning') ? ('tuning half' as const) : null
    return evaluateGraph(data, { half, ideal: words.includes('--ideal'), writes: words.includes('--write') && !words.includes('--ideal') })
  }
  if (words.includes('--renamed')) return evaluateRenamed(data)
  if (words.includes('--baseline')) return evaluateBaseline(data, words.includes('--write'))
  if (words.includes('--hybrid')) return evaluateHybrid(data, words.includes('--write'))
  const wanted = words.filter((word) => !word.startsWith('--'))
  const known = wanted
    .filter((set) => set !== REPOSITORIES)
    .flatMap((set): readonly Suite[] => {
      const suites = SUITES.filter((suite) => suite.set === set)
      return suites.length > 0 ? suites : [{ set, about: 'chosen on the command line' }]
    })
  const sections: string[] = []
  const parts: Part[] = []
  if (wanted.length === 0 || wanted.includes(REPOSITORIES)) {
    const section = await evaluateRepositories(join(data, '..', REPOSITORIES), words.includes('--list'))
    if (section !== null) sections.push(section)
  }
  for (const suite of wanted.length > 0 ? known : SUITES) {
    const part = await measure(data, suite)
    if (part !== null) parts.push(part)
  }
  if (words.includes('--write')) write([...sections, ...sectionsOf(parts)])
  if (wanted.length > 0) return
  await evaluateHybrid(data, words.includes('--write'))
  await evaluateBaseline(data, words.includes('--write'))
}

/** Measures one set and prints every rate of it. Null where the set or its policy is not there. */
async function measure(data: string, suite: Suite): Promise<Part | null> {
  const file = join(data, `${suite.set}.jsonl.gz`)
  const missing = [file, ...(suite.policy === undefined ? [] : [suite.policy])].find((path) => !existsSync(path))
  if (missing !== undefined) {
    console.log(`${suite.set}: skipped, \`${missing}\` is not there`)
    return null
  }
  const state = loadInForce(suite.policy ?? null)
  if (state.policy === null) throw new Error(`${suite.policy ?? 'the shipped policy'}: ${state.error}`)
  const gate = openReplay(state, null)
  const score = new Score()
  const unread: string[] = []
  const against = new AgainstLabels()
  for await (const [replayed] of replayFile(file, [gate])) {
    if (replayed === undefined) continue
    score.add(replayed)
    const command = commandNotUnderstood(replayed)
    if (command !== null) unread.push(command)
    if (suite.sessions === true) profiles.addSession(replayed)
    else against.add(replayed)
  }
  gate.opened.close()
  const scored = score.result()
  const accepted = unread.filter(bashAccepts).length
  const syntax =
    unread.length === 0
      ? 'The syntax of every command was understood.'
      : `Of ${unread.length} commands whose syntax was not understood, bash itself accepts ${accepted}.`
  const labels = [...against.groups(profiles), ...(suite.policy === undefined ? against.sources(profiles) : [])]
  console.log([textTable(suite.set, scored), `  ${syntax}`, ...labels, ''].join('\n'))
  return { suite, scored, syntax }
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

function commandNotUnderstood({ recording, index, decision }: Replayed): string | null {
  const command = recording.calls[index]?.args.command
  const broken = decision.effects.some((effect) => effect.reason?.startsWith('the shell syntax is broken') === true)
  return broken && typeof command === 'string' ? command : null
}

/** Reads the command without running any of it. Text that a command hands on to another shell is not read. */
function bashAccepts(command: string): boolean {
  return spawnSync('bash', ['-n'], { input: command, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function write(sections: readonly string[]): void {
  writeFileSync(DOCUMENT, markedText(readFileSync(DOCUMENT, 'utf8'), 'measured', sections.join('\n\n')))
  console.log(`evaluate: wrote ${DOCUMENT}`)
}
