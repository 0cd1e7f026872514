/** Two installed hooks before one editor, each a process that decides without a daemon: what they answered, and what was recorded. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cli, type Home, installedCommand, permission, type Run, runHook } from '../hosts/harness.ts'

export interface RoundsOutcome {
  readonly rounds: number
  /** Calls that were proposed, each through both hooks at once. */
  readonly calls: number
  /** Records of those calls in the log. */
  readonly records: number
  /** Calls of which the hooks said different things, or something else than they should. */
  readonly wrong: readonly string[]
}

const SESSION = 's-alone-'

const CALLS = [
  { command: 'git status', allowed: true },
  { command: 'rm -rf ~', allowed: false },
]

/** The commands of both hooks, as `init` installed them. */
export function twoHooks(home: Home): readonly [string, string] {
  for (const agent of ['claude-code', 'copilot-cli']) {
    const { status, stderr } = cli(home, ['init', '--yes', '--agent', agent])
    if (status !== 0) throw new Error(stderr)
  }
  const file = JSON.parse(readFileSync(join(home.user, '.copilot/hooks/countersign.json'), 'utf8')) as {
    hooks: { preToolUse: { bash: string }[] }
  }
  return [installedCommand(home), file.hooks.preToolUse[0]?.bash ?? '']
}

/** A call as the editor sends it through each of them. */
export function editorEvent(command: string, id: string, session: string): string {
  return JSON.stringify({
    ...{ sessionId: session, hookEventName: 'PreToolUse', cwd: '/tmp', tool_name: 'run_in_terminal' },
    ...{ tool_input: { command }, tool_use_id: id },
  })
}

export function recordsOf(home: Home, session: string): number {
  const log = cli(home, ['audit', 'search', '--session', session, '--json', '--lines', '1000']).stdout.trim()
  return log === '' ? 0 : log.split('\n').length
}

/** Two different calls at once, each through both hooks: four processes a round. */
export async function bothAtOnce(home: Home, hooks: readonly string[], rounds: number): Promise<RoundsOutcome> {
  const wrong: string[] = []
  for (let round = 0; round < rounds; round++)
    for (const each of await Promise.all(CALLS.map((call) => throughBoth(home, hooks, { ...call, id: `${round}` }))))
      if (each !== null) wrong.push(each)
  return { rounds, calls: rounds * CALLS.length, records: recorded(home), wrong }
}

/** A session for each round: one with many denials would be stopped. */
function recorded(home: Home): number {
  const lines = cli(home, ['audit', 'search', '--json', '--lines', '1000']).stdout.split('\n')
  return lines.filter((line) => line.includes(`"${SESSION}`)).length
}

interface Proposed {
  readonly command: string
  readonly allowed: boolean
  readonly id: string
}

async function throughBoth(home: Home, hooks: readonly string[], { command, allowed, id }: Proposed): Promise<string | null> {
  const event = editorEvent(command, `${command} ${id}`, `${SESSION}${id}`)
  const [one, other] = await Promise.all(hooks.map((hook) => runHook(hook, event, home.environment)))
  if (one === undefined || other === undefined) return 'no hook ran'
  return isRight(one, allowed) && one.stdout === other.stdout && one.status === other.status
    ? null
    : `${command} ${id}: ${JSON.stringify([one, other])}`
}

function isRight({ status, stdout }: Run, allowed: boolean): boolean {
  return status === 0 && (permission(stdout) === 'deny') !== allowed
}
