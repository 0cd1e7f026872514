import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { JsonObject } from '../core/json.ts'
import { callFromJson } from '../ingress/call.ts'
import { digester, type OpenedGate, openGate } from '../open.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { loadPolicyText } from '../policy/file.ts'

/** The whole gate on this machine, with a repository that git made: edits are carried out as the host would. */

let root = ''
let state = ''
let opened: OpenedGate
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' })

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-own-edits-')))
  state = newStateDirectory()
  git('init', '-q', '-b', 'main')
  for (const name of ['mine.js', 'theirs.js', 'before.js']) writeFileSync(join(root, name), 'export const a = 1\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  opened = openGate({ home: state, policy: () => loadPolicyText(DEFAULT_POLICY, COMPILE) })
})
afterAll(() => {
  opened.close()
  for (const directory of [root, state]) rmSync(directory, { recursive: true, force: true })
})

async function decided(tool: string, args: JsonObject): Promise<{ readonly decision: string; readonly rules: readonly string[] }> {
  const read = callFromJson({ tool, args, cwd: root, session: 's' }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  const { decision, determining, findings } = await opened.gate.decide(read.call)
  return { decision, rules: determining.map((at) => findings[at]?.rule ?? '') }
}

async function edits(name: string): Promise<void> {
  const path = join(root, name)
  expect(await decided('Edit', { file_path: path, old_string: 'a = 1', new_string: 'a = 2' })).toMatchObject({ decision: 'allow' })
  writeFileSync(path, 'export const a = 2\n')
}

describe('edits that are thrown away', () => {
  proves('T02', 'run with a flag where they are the session’s own', async () => {
    await edits('mine.js')
    expect(await decided('Bash', { command: 'git checkout -- mine.js' })).toEqual({ decision: 'flag', rules: ['discard-own-edits'] })
    git('checkout', '--', 'mine.js')
    await edits('mine.js')
    expect(await decided('Bash', { command: 'git restore mine.js' })).toMatchObject({ decision: 'flag' })
  })
  proves('T02', 'are asked about where somebody else edited the file after the session, or before it', async () => {
    await edits('theirs.js')
    appendFileSync(join(root, 'theirs.js'), '// mine\n')
    appendFileSync(join(root, 'before.js'), '// mine\n')
    await edits('before.js')
    for (const name of ['theirs.js', 'before.js']) {
      expect(await decided('Bash', { command: `git checkout -- ${name}` })).toEqual({ decision: 'ask', rules: ['discard-work'] })
    }
  })
})
