import { describe, expect, test } from 'vitest'
import { callOf, NOBODY } from '../../../test/support/calls.ts'
import { COMPILE } from '../../cli/open.ts'
import type { JsonObject } from '../../core/json.ts'
import { analyseCall } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { hazard } from './index.ts'

const compiled = compilePolicy('version: 1\ntool_families: [claude-code]\n', { ...COMPILE, path: null, sha256 })
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { policy } = compiled
const state = emptySession(0)

/** `rule(verdict)` of every hazard that a call of a file tool meets. */
function hazards(tool: string, args: JsonObject): readonly string[] {
  const view = createFixedView({ home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] })
  const call = callOf(tool, args, { principal: NOBODY, session: null, cwd: '/home/user/project' })
  return hazard
    .evaluate({ call, facts: analyseCall(call, view, { state, policy }), policy, state })
    .map((found) => `${found.rule}(${found.verdict})`)
}

const OUTSIDE = 'leaves-workspace(ask)'

describe('file tools inside and outside the workspace', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    // reading
    ['Read', '/home/user/project/src/a.ts', []],
    ['Read', 'src/a.ts', []],
    ['Read', '/home/user/notes.txt', []],
    ['Read', '/home/user/other/README.md', []],
    ['Read', '/usr/include/stdio.h', []],
    ['Read', '/tmp/log', []],
    ['Read', '/home/user/.claude/CLAUDE.md', []],
    ['Read', '/srv/data/x', [OUTSIDE]],
    ['Read', '/home/user/.ssh/id_ed25519', ['read-credential(ask)']],
    ['Read', '/home/user/.ssh/id_ed25519.pub', []],
    ['Read', '/home/user/project/.env', ['read-credential(ask)']],
    ['Read', '/home/user/project/.env.example', []],
    // writing
    ['Write', '/home/user/project/src/a.ts', []],
    ['Write', '/home/user/project/.env.example', []],
    ['Write', '/tmp/plan.md', []],
    ['Write', '/home/user/notes.txt', [OUTSIDE]],
    ['Write', '/home/user/project/../other/a.ts', [OUTSIDE]],
    ['Write', '/srv/data/x', [OUTSIDE]],
    ['Write', '/home/user/project/CLAUDE.md', ['agent-instructions(flag)']],
    ['Write', '/home/user/.bashrc', ['shell-startup(deny)', OUTSIDE]],
    // what agents plan and remember
    ['Write', '/home/user/.claude/plans/next.md', []],
    ['Write', '/home/user/.claude/todos/1.json', []],
    ['Write', '/home/user/.claude/projects/x/memory/MEMORY.md', ['agent-instructions(flag)']],
    ['Write', '/home/user/.claude/plans/../../notes.txt', [OUTSIDE]],
    ['Write', '/home/user/.claude/other.txt', [OUTSIDE]],
    ['Write', '/home/user/.claude/CLAUDE.md', [OUTSIDE, 'agent-instructions(flag)']],
  ]
  for (const [tool, path, expected] of cases) {
    const args = tool === 'Read' ? { file_path: path } : { file_path: path, content: 'x' }
    test(`${tool} ${path}`, () => expect([...hazards(tool, args)].sort()).toEqual([...expected].sort()))
  }
})
