/** The installed hooks of two agents before one editor that runs both, with the real daemon between them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { proves } from '../proves.ts'
import { cli, type Home, installedCommand, makeHome, runHook, startServe, stop } from './harness.ts'

function copilotCommand(home: Home): string {
  const file = JSON.parse(readFileSync(join(home.user, '.copilot/hooks/countersign.json'), 'utf8')) as {
    hooks: { preToolUse: { bash: string }[] }
  }
  return file.hooks.preToolUse[0]?.bash ?? ''
}

proves('T20', 'one call of the editor through both hooks at once is one record, and the next one is another', async () => {
  const home = makeHome()
  onTestFinished(home.remove)
  for (const agent of ['claude-code', 'copilot-cli']) expect(cli(home, ['init', '--yes', '--agent', agent]).status).toBe(0)
  const daemon = await startServe(home)
  onTestFinished(() => stop(daemon))
  const commands = [installedCommand(home), copilotCommand(home)] as const
  const event = (id: string): string =>
    JSON.stringify({
      ...{ sessionId: 's-two', hookEventName: 'PreToolUse', cwd: '/tmp', tool_name: 'run_in_terminal' },
      ...{ tool_input: { command: 'rm -rf ~' }, tool_use_id: id },
    })
  // The first connection tells that the daemon answers, and hooks ask it from now on.
  await runHook(commands[0], event('first').replace('s-two', 's-first'), home.environment)
  for (const [at, id] of ['one', 'two'].entries()) {
    const answers = await Promise.all(commands.map((command) => runHook(command, event(id), home.environment)))
    expect(answers.map(({ status }) => status)).toEqual([0, 0])
    expect(answers[0]?.stdout).toContain('"permissionDecision":"deny"')
    expect(answers[1]?.stdout).toBe(answers[0]?.stdout)
    const log = cli(home, ['audit', 'search', '--session', 's-two', '--json']).stdout.trim()
    expect(log.split('\n')).toHaveLength(at + 1)
  }
})
