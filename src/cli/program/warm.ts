/** What most calls need, done once, so that V8 keeps the code of it: a few everyday events. */
import type { JsonObject } from '../../core/json.ts'
import { hostNamed } from '../../hosts/index.ts'
import { hookKey, sealed } from '../../hosts/seal.ts'
import { answerOver, openFor } from '../commands/hook.ts'

/** Decided in rounds: first what most calls are, then what brings in a language or a family of programs each. */
const ROUNDS: readonly (readonly JsonObject[])[] = [
  [
    ...['git status', 'cd src && ls -la | head -5; cat package.json', 'npm test 2>&1 | tail -20'].map(bash),
    { tool_name: 'Read', tool_input: { file_path: 'src/index.ts' } },
    { tool_name: 'Edit', tool_input: { file_path: 'src/index.ts', old_string: 'a', new_string: 'b' } },
  ],
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
  const said = { session_id: 'code', transcript_path: '', cwd: home, tool_response: { stdout: '' } }
  const events = calls.flatMap((call, at) =>
    ['PreToolUse', 'PostToolUse'].map((name) => ({ ...said, ...call, hook_event_name: name, tool_use_id: `toolu_${at}` })),
  )
  await answers(home, events)
  return true
}

/** The sealed answers to the events, in order, of one gate. Rejects where one cannot be decided. */
export async function answers(home: string, events: readonly JsonObject[]): Promise<readonly string[]> {
  const host = hostNamed('claude-code')
  if (host === undefined) throw new Error('its host is not known')
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
