/**
 * Measures the gate on recorded and labelled calls that nobody here wrote: both ends at once, per set and per source, with
 * counts and 95 % intervals. `--write` puts the tables into docs/evaluation.md;
 * `--list` names the rows of real repositories that are judged wrong; `--hybrid` measures only how many calls would reach a judge, `--baseline` only the baseline of roles. The data is no part of the package: where
 * it is absent, nothing is measured and that is said.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadInForce } from '../src/cli/open.ts'
import { openReplay, replayFile } from '../src/replay/file.ts'
import type { Replayed } from '../src/replay/run.ts'
import { Score } from '../src/replay/score.ts'
import { markdownTable, textTable } from '../src/replay/table.ts'
import { evaluateBaseline } from './evaluate-baseline.ts'
import { evaluateHybrid } from './evaluate-hybrid.ts'
import { AgainstLabels, Profiles } from './evaluate-profiles.ts'
import { evaluateRepositories } from './evaluate-repos.ts'
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
}

const KINDS = [
  ['attack', 'sessions in which injected text reached its goal'],
  ['benign', 'the same agents without an attack'],
  ['underattack', 'injected text was read and ignored'],
  ['groundtruth', 'no model: the calls of the tasks themselves, alone and with those of an injection'],
] as const

/** One benchmark of assistants with tools, under one policy. */
function assistants(benchmark: string, policy: string, note: string): readonly Suite[] {
  return KINDS.map(([kind, about]) => ({ set: `${benchmark}_${kind}`, title: `${benchmark}_${kind}, ${note}`, about, policy }))
}

const SUITES: readonly Suite[] = [
  { set: 'nl2bash_benign', about: 'one-liners that people wrote; none should be denied' },
  { set: 'claude_code_specstory', about: 'real sessions of coding agents', sessions: true },
  { set: 'swe_bash_benign', about: 'shell commands of coding agents that solve issues', sessions: true },
  { set: 'bash_labelled', about: 'single shell commands with the labels of other projects, per project' },
  {
    set: 'bash_labelled',
    title: 'bash_labelled, only reads',
    about: 'the same commands where only reads may run by themselves',
    policy: 'examples/only-reads/countersign.yaml',
  },
  { set: 'mcp_labelled', about: 'single calls of MCP tools with the labels of another project' },
  { set: 'payloads', about: 'attack strings in arguments, and benign look-alikes' },
  { set: 'redcode', about: 'risky shell and Python; only what its text decides counts' },
  { set: 'ampermbench', about: 'state changes with and without authority, by shell and by file edits' },
  {
    set: 'tau_retail_contracts',
    about: 'a retail desk with violations of its house rules',
    policy: 'examples/tau-retail/countersign.yaml',
  },
  ...assistants('agentdojo', 'examples/assistant/countersign.yaml', 'no role policy'),
  ...assistants('agentdojo', 'examples/agentdojo/countersign.yaml', 'role policies'),
  ...assistants('agentdyn', 'examples/agentdyn/countersign.yaml', 'role policies'),
  {
    set: 'injecagent',
    about: 'instructions in results of tools that lead to direct harm, and clean twins',
    policy: 'examples/injecagent/countersign.yaml',
  },
  { set: 'tau_airline_gpt4o', about: 'an airline desk at its ordinary work', policy: 'examples/tau-airline/countersign.yaml' },
]

const DOCUMENT = 'docs/evaluation.md'
/** Real repositories, beside the recorded sessions. */
const REPOSITORIES = 'repos'

const profiles = new Profiles()

const data = process.env.COUNTERSIGN_EVAL ?? join('..', 'shared', 'eval', 'dev')
if (existsSync(data)) await evaluate(process.argv.slice(2))
else console.log(`evaluate: skipped, \`${data}\` is not there; set COUNTERSIGN_EVAL to a directory of recorded sessions to measure`)

async function evaluate(words: readonly string[]): Promise<void> {
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
  if (wanted.length === 0 || wanted.includes(REPOSITORIES)) {
    const section = await evaluateRepositories(join(data, '..', REPOSITORIES), words.includes('--list'))
    if (section !== null) sections.push(section)
  }
  for (const suite of wanted.length > 0 ? known : SUITES) {
    const section = await measure(suite)
    if (section !== null) sections.push(section)
  }
  if (words.includes('--write')) write(sections)
  if (wanted.length > 0) return
  await evaluateHybrid(data, words.includes('--write'))
  await evaluateBaseline(data, words.includes('--write'))
}

/** The Markdown section of one set; prints its table on the way. Null where the set or its policy is not there. */
async function measure(suite: Suite): Promise<string | null> {
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
  console.log(`${textTable(suite.set, scored)}\n  ${syntax}\n`)
  const by = suite.policy === undefined ? 'the shipped policy' : `\`${suite.policy}\``
  return [
    `### ${suite.title ?? suite.set}`,
    '',
    `${sentence(suite.about)} ${scored.calls} calls, judged by ${by}. ${syntax}`,
    '',
    markdownTable(scored),
    ...against.groups(profiles),
    ...(suite.policy === undefined ? against.sources(profiles) : []),
  ].join('\n')
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
