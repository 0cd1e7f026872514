/** The installed hooks of two agents before one editor that runs both, with the real daemon between them and without one. */
import { expect, onTestFinished } from 'vitest'
import { bothAtOnce, editorEvent, recordsOf, twoHooks } from '../fault/two-hooks.ts'
import { proves } from '../proves.ts'
import { makeHome, runHook, startServe, stop } from './harness.ts'

const SESSION = 's-two'

proves('T20', 'one call of the editor through both hooks at once is one record, and the next one is another', async () => {
  const home = makeHome()
  onTestFinished(home.remove)
  const commands = twoHooks(home)
  // Without a daemon first: two processes for each call.
  expect(await bothAtOnce(home, commands, 1)).toEqual({ rounds: 1, calls: 2, records: 2, wrong: [] })
  const daemon = await startServe(home)
  onTestFinished(() => stop(daemon))
  // The first connection tells that the daemon answers, and hooks ask it from now on.
  await runHook(commands[0], editorEvent('rm -rf ~', 'first', 's-first'), home.environment)
  for (const [at, id] of ['one', 'two'].entries()) {
    const event = editorEvent('rm -rf ~', id, SESSION)
    const answers = await Promise.all(commands.map((command) => runHook(command, event, home.environment)))
    expect(answers.map(({ status }) => status)).toEqual([0, 0])
    expect(answers[0]?.stdout).toContain('"permissionDecision":"deny"')
    expect(answers[1]?.stdout).toBe(answers[0]?.stdout)
    expect(recordsOf(home, SESSION)).toBe(at + 1)
  }
})
