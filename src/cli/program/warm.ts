/** What most calls need, done once, so that V8 keeps the code of it: a few everyday events. */
import type { JsonObject } from '../../core/json.ts'
import { hookKey, sealed } from '../../hosts/seal.ts'
import { agentNamed } from '../commands/agent.ts'
import { answerOver, openFor } from '../commands/hook.ts'

const SHELL = ['git status', 'cd src && ls -la | head -5; cat package.json', 'npm test 2>&1 | tail -20'].map(bash)
const FILES: readonly JsonObject[] = [
  { tool_name: 'Read', tool_input: { file_path: 'src/index.ts' } },
  { tool_name: 'Edit', tool_input: { file_path: 'src/index.ts', old_string: 'a', new_string: 'b' } },
]

interface Everyday {
  readonly calls: readonly JsonObject[]
  readonly events: readonly string[]
}

/** What one hook is asked everyday, by what it needs of the program: a command, a file, a result. */
const PARTS: readonly Everyday[] = [
  { calls: SHELL, events: ['PreToolUse'] },
  { calls: FILES, events: ['PreToolUse'] },
  { calls: [...SHELL, ...FILES], events: ['PostToolUse'] },
]

/** Decided in rounds: first what most calls are, then what brings in a language or a family of programs each. */
const ROUNDS: readonly (readonly JsonObject[])[] = [
  [...SHELL, ...FILES],
  [
    ...[
      "python3 - <<'E'\nimport os\nprint(os.getcwd())\nE",
      "node -e 'console.log(1)'",
      "sed -n 1,5p a.txt; awk '{ print $1 }' b",
      'jq .a b.json',
    ],
    ...[
      'curl -s https://example.com/a | head',
      'docker ps',
      'cargo test',
      'go build ./...',
      'pip install -r requirements.txt',
      'make test',
    ],
    ...['find . -name "*.ts" | xargs wc -l', 'grep -rn a src', 'rm -rf build', 'mkdir -p a/b', 'psql -c "select 1"', 'kubectl get pods'],
  ].map(bash),
  [
    { tool_name: 'WebFetch', tool_input: { url: 'https://example.com', prompt: 'a' } },
    { tool_name: 'mcp__github__get_issue', tool_input: { number: 1 } },
  ],
]

function bash(command: string): JsonObject {
  return { tool_name: 'Bash', tool_input: { command } }
}

/**
 * Decides the events of a round over this state directory; false where there is no such round. Where it was done before, policies are
 * kept there, as they are for most calls. Rejects where an event cannot be decided.
 */
export async function warm(home: string, round: number): Promise<boolean> {
  const calls = ROUNDS[round]
  if (calls === undefined) return false
  await answers(home, said(home, { calls, events: ['PreToolUse', 'PostToolUse'] }))
  return true
}

/** Answers the events of one everyday part over this state directory; false where there is no such part. Rejects as `warm`. */
export async function warmPart(home: string, part: number): Promise<boolean> {
  const everyday = PARTS[part]
  if (everyday !== undefined) await answers(home, said(home, everyday))
  return everyday !== undefined
}

/** Each process has ids of its own: what was decided before is answered from memory. */
function said(home: string, { calls, events }: Everyday): readonly JsonObject[] {
  const id = `toolu_${process.pid}`
  const around = { session_id: 'code', transcript_path: '', cwd: home, tool_response: { stdout: '' } }
  return calls.flatMap((call, at) => events.map((name) => ({ ...around, ...call, hook_event_name: name, tool_use_id: `${id}_${at}` })))
}

/** The sealed answers to the events, in order, of one gate. Rejects where one cannot be decided. */
export async function answers(home: string, events: readonly JsonObject[]): Promise<readonly string[]> {
  const host = agentNamed('claude-code')
  process.env.COUNTERSIGN_HOME = home
  const opened = openFor({ host, policy: null })
  const given: string[] = []
  try {
    for (const each of events) {
      const event = new TextEncoder().encode(JSON.stringify(each))
      const answer = JSON.stringify(await answerOver(opened, { host, event, nonce: null }))
      given.push(sealed(answer, { key: hookKey(home), nonce: '0'.repeat(32), event }))
    }
  } finally {
    opened.close()
  }
  return given
}
