import { describe, expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { callOf, NOBODY } from '../../../../test/support/calls.ts'
import { createFixedView } from '../../../view/fixed.ts'
import { analyse } from '../../analyse.ts'

/** Agents that a program starts through their library: read as the command that it stands for, so the same gate is asked for. */

const HOOK = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'countersign hook claude-code' }] }] } }
const VIEW = createFixedView({
  home: '/home/me',
  cwd: '/repo',
  roots: ['/repo'],
  temporary: ['/tmp'],
  files: { '/home/me/.claude/settings.json': JSON.stringify(HOOK), '/repo/a.txt': 'a' },
})

/** `agent gated`, with `!` where it asks nobody. */
function started(file: string, content: string): readonly string[] {
  const command = `cat > ${file} <<'EOF'\n${content}\nEOF\n${file.endsWith('.py') ? 'python3' : 'node'} ${file}`
  const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
  const { effects } = analyse(call, VIEW, { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 10_000 })
  return effects
    .filter(({ action }) => action === 'agent:start')
    .map(({ target, attributes }) => `${target.value} ${attributes.gated}${attributes.ungated === true ? '!' : ''}`)
}

const PY = 'from claude_agent_sdk import query, ClaudeAgentOptions, ClaudeSDKClient\n'
const JS = "import { query } from '@anthropic-ai/claude-agent-sdk'\n"
const CASES: readonly (readonly [file: string, code: string, expected: readonly string[]])[] = [
  ['a.py', `${PY}query(prompt='x', options=ClaudeAgentOptions(setting_sources=['user', 'project']))`, ['claude yes']],
  ['a.py', `${PY}query(prompt='x')`, ['claude unknown']],
  ['a.py', `${PY}query(prompt='x', options=ClaudeAgentOptions(setting_sources=['project']))`, ['claude no']],
  ['a.py', `${PY}query(prompt='x', options=ClaudeAgentOptions(permission_mode='bypassPermissions'))`, ['claude unknown!']],
  ['a.py', `${PY}query(prompt='x', options=make())`, ['claude unknown']],
  ['a.py', `${PY}c = ClaudeSDKClient(options=ClaudeAgentOptions(setting_sources=[]))`, ['claude no']],
  ['a.py', 'import claude_agent_sdk as s\ns.query(prompt="x")', ['claude unknown']],
  ['a.mjs', `${JS}query({ prompt: 'x', options: { settingSources: ['user'] } })`, ['claude yes']],
  ['a.mjs', `${JS}query({ prompt: 'x' })`, ['claude unknown']],
  ['a.mjs', `${JS}query({ prompt: 'x', options: { settingSources: [] } })`, ['claude no']],
  ['a.mjs', `${JS}query({ prompt: 'x', options: { permissionMode: 'bypassPermissions' } })`, ['claude unknown!']],
  ['a.mjs', `${JS}for await (const m of query({ prompt: 'x', options: { settingSources: ['user'] } })) console.log(m)`, ['claude yes']],
  [
    'a.mjs',
    "import { Codex } from '@openai/codex-sdk'\nconst c = new Codex()\nconst t = c.startThread()\nawait t.run('x')",
    ['codex unknown'],
  ],
  [
    'a.mjs',
    "import { Codex } from '@openai/codex-sdk'\nnew Codex().startThread({ sandboxMode: 'danger-full-access' })",
    ['codex unknown', 'codex unknown!'],
  ],
  ['a.cjs', "const { Codex } = require('@openai/codex-sdk')\nnew Codex()", ['codex unknown']],
  // Ordinary: a client of a model, a framework, and words that only look alike.
  ['a.py', 'import anthropic\nanthropic.Anthropic().messages.create(model="m", messages=[])', []],
  ['a.py', 'def query(prompt):\n    return prompt\nquery(prompt="x")', []],
  ['a.mjs', "import { query } from './db.mjs'\nquery({ prompt: 'x' })", []],
]

describe('agents as a library', () => {
  for (const [file, code, expected] of CASES) proves('T40', `${file}: ${code}`, () => expect(started(file, code)).toEqual(expected))
})
