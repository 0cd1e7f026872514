/** The callbacks, with what the SDK hands them; `npm run test:agent-sdk` drives the SDK itself, which is too large for the suite. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { approvePending, openTestGate, type ToolName } from '../../../../test/support/framework-gate.ts'
import { gateOptions } from './claude-agent.ts'

const input = (tool_name: ToolName, tool_use_id = `toolu_${tool_name}`) => ({
  ...{ hook_event_name: 'PreToolUse', session_id: 's-1', transcript_path: '/t', cwd: '/work' },
  ...{ tool_name, tool_input: { name: 'notes' }, tool_use_id },
})

function hooksOf(options: ReturnType<typeof gateOptions>) {
  const [matcher] = options.hooks.PreToolUse
  const [before = expect.fail('there is no hook')] = matcher?.hooks ?? []
  return { before, onFailure: matcher?.onFailure }
}

const denied = (reason: unknown) => ({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: reason } })

test('allow goes on; deny, ask, and what cannot be read are denials, and so is a failure of the hook', async () => {
  const { before, onFailure } = hooksOf(gateOptions(openTestGate()))
  expect(onFailure).toBe('block')
  expect(await before(input('read'))).toEqual({ continue: true })
  expect(await before(input('paint'))).toMatchObject(denied(expect.stringContaining('apr_')))
  expect(await before(input('wipe'))).toMatchObject(denied(expect.stringContaining('not allowed')))
  for (const bad of [null, 'text', {}, { tool_name: 'read' }, { ...input('read'), tool_input: [] }, { ...input('read'), cwd: 5 }])
    expect(await before(bad)).toMatchObject(denied(expect.any(String)))
})

test('`canUseTool` gets the same decision, also of an approval that was used for it', async () => {
  const gate = openTestGate()
  const options = gateOptions(gate)
  const { before } = hooksOf(options)
  await before(input('paint', 'toolu_1'))
  await approvePending(gate)
  expect(await before(input('paint', 'toolu_2'))).toEqual({ continue: true })
  const asked = (toolUseID: string) => options.canUseTool('paint', { name: 'notes' }, { toolUseID })
  expect(await asked('toolu_2')).toEqual({ behavior: 'allow', updatedInput: { name: 'notes' } })
  expect(await asked('toolu_3')).toMatchObject({ behavior: 'deny', message: expect.stringContaining('apr_') })
})

test('a gate that is gone, or a program that throws, denies', async () => {
  const gone = openTestGate()
  gone.close()
  const throwing = () => {
    throw new Error('who is it?')
  }
  for (const options of [gateOptions(gone), gateOptions(openTestGate(), { caller: throwing })]) {
    expect(await hooksOf(options).before(input('read'))).toMatchObject(denied(expect.any(String)))
    expect(await options.canUseTool('read', {}, { toolUseID: 't' })).toMatchObject({ behavior: 'deny' })
  }
})

const theirs = { hooks: [async () => ({ continue: true })] }
const options = () => gateOptions(openTestGate())
const gates = () => options().hooks.PreToolUse
const starts: readonly (readonly [title: string, options: () => object, fault: string | null])[] = [
  ['those of the gate', options, null],
  ['those of the gate first, then others', () => ({ ...options(), hooks: { PreToolUse: [...gates(), theirs] } }), null],
  ['other hooks over them', () => ({ ...options(), hooks: { PreToolUse: [theirs] } }), 'not gated'],
  ['other hooks before them', () => ({ ...options(), hooks: { PreToolUse: [theirs, ...gates()] } }), 'not gated'],
  ['hooks of results alone', () => ({ ...options(), hooks: { PostToolUse: options().hooks.PostToolUse } }), 'not gated'],
  ['no hooks', () => ({ canUseTool: options().canUseTool }), 'not gated'],
  ['for some tools only', () => ({ hooks: { PreToolUse: gates().map((each) => ({ ...each, matcher: 'Bash' })) } }), 'not gated'],
  ['open where the hook fails', () => ({ hooks: { PreToolUse: gates().map(({ hooks }) => ({ hooks })) } }), 'not gated'],
  ['nothing', () => ({}), 'not gated'],
]
for (const [title, made, fault] of starts) {
  proves('P1', `at the start, options with hooks: ${title}`, () => {
    if (fault === null) expect(() => gateOptions.assertGated(made())).not.toThrow()
    else expect(() => gateOptions.assertGated(made())).toThrow(fault)
  })
}
