/** What the hook starts answers as the sources do: a name that was mistaken when its modules were linked would show as doubt. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../../../test/hosts/harness.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import type { JsonObject } from '../../core/json.ts'
import { HAZARD_RULES } from '../../layers/hazard/index.ts'
import { answers } from './warm.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-program-'))
const state = newStateDirectory()
const before = { home: process.env.HOME, state: process.env.COUNTERSIGN_HOME }
afterAll(() => {
  set('HOME', before.home)
  set('COUNTERSIGN_HOME', before.state)
  for (const each of [directory, state]) rmSync(each, { recursive: true, force: true })
})

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

/** The first two examples of every hazard of each kind: commands of all families, code in all languages, tools of servers. */
const CALLS: readonly JsonObject[] = HAZARD_RULES.flatMap(({ examples }) => [
  ...examples.match.slice(0, 2),
  ...examples.not_match.slice(0, 2),
]).map((example) =>
  typeof example === 'string'
    ? { tool_name: 'Bash', tool_input: { command: example } }
    : { tool_name: example.tool, tool_input: example.args },
)

/** Each in a session of its own, so that nothing depends on what came before. */
const EVENTS = CALLS.map((call, at) => ({
  ...{
    session_id: `s${at}`,
    transcript_path: '',
    cwd: directory,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_use_id: `toolu_${at}`,
  },
  ...call,
}))

test('the program answers every example of the hazards as the sources do', async () => {
  const file = join(directory, 'events.json')
  writeFileSync(file, JSON.stringify(EVENTS))
  const environment = { HOME: directory, PATH: process.env.PATH ?? '' }
  // Both at once, each over a state directory of its own: in one, the second would be given the answers of the first.
  const program = [join(ROOT, 'dist/hook/load.cjs'), 'answer', join(state, 'program'), file]
  const running = promisify(execFile)(process.execPath, program, { env: environment, cwd: directory })
  process.env.HOME = directory
  const [own] = await Promise.all([answers(join(state, 'sources'), EVENTS), running])
  const built = JSON.parse(readFileSync(`${file}.answers`, 'utf8')) as readonly string[]
  const said = (answers: readonly string[]) => answers.map((answer, at) => [EVENTS[at], answer.replace(/ \[\w{26}\]/, '').split('\n')[0]])
  expect(EVENTS.length).toBeGreaterThan(400)
  expect(said(built)).toEqual(said(own))
})
