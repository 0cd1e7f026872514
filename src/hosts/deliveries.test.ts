/** One call through several hooks of one host: decided once. And all that only looks like it: decided anew. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { describedView } from '../../test/support/workplace.ts'
import { loadShipped } from '../cli/open.ts'
import type { JsonObject } from '../core/json.ts'
import { digester, openGate } from '../open.ts'
import type { StoredRecord } from '../store/store.ts'
import { answerFor, type HookParts } from './answer.ts'
import { createDeliveries } from './deliveries.ts'
import { hostNamed } from './index.ts'

const FORCE = 'git push --force origin main'

/** Who runs which of our hooks: the name of the hook's host, and whose settings hold it. */
interface Through {
  readonly hook: string
  readonly place?: string
}

type Event = Readonly<Record<string, unknown>>

/** The events of one call, as each host sends them through its own hook and through that of another. */
const claude = (command: string, id: string | null = 'toolu_1', more: Event = {}): Event => ({
  ...{ session_id: 's', cwd: '/repo', hook_event_name: 'PreToolUse', permission_mode: 'dontAsk' },
  ...{ tool_name: 'Bash', tool_input: { command }, ...(id === null ? {} : { tool_use_id: id }) },
  ...more,
})
const editor = (command: string, id = 'v1', more: Event = {}): Event => ({
  ...{ sessionId: 's', cwd: '/repo', hookEventName: 'PreToolUse' },
  ...{ tool_name: 'run_in_terminal', tool_input: { command }, tool_use_id: id },
  ...more,
})
const CURSOR = { conversation_id: 's', generation_id: 'g', cursor_version: '3.21', workspace_roots: ['/repo'] }
const cursorShell = (command: string, more: Event = {}): Event => ({
  ...{ ...CURSOR, hook_event_name: 'beforeShellExecution', command, cwd: '/repo' },
  ...more,
})
const cursorBorrowed = (command: string, more: Event = {}): Event => ({
  ...{ ...CURSOR, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'c1' },
  ...{ tool_input: { command, working_directory: '/repo', description: 'as asked' } },
  ...more,
})
const codex = (command: string, id = 'c1', more: Event = {}): Event => ({ ...claude(command, id), turn_id: 't', ...more })

function place(deliveries = createDeliveries()) {
  const opened = openGate({ home: stateDirectoryOfTest(), policy: loadShipped, view: () => describedView({}) })
  onTestFinished(() => opened.close())
  const { queue } = opened
  const answer = (id: string) => queue.answer(id, { tenant: null, by: 'human:reviewer', verdict: 'approve', comment: 'seen' })
  const said = (through: Through, event: Event, more: Partial<HookParts> = {}): Promise<JsonObject> =>
    answerFor(hostNamed(through.hook) as NonNullable<ReturnType<typeof hostNamed>>, Buffer.from(JSON.stringify(event)), {
      ...{ gate: opened.gate, digest: () => 'sha256:0', definitionDigest: digester.definitionDigest, entrypoint: null, user: 'me' },
      ...{ result: async () => null, deliveries, place: through.place ?? 'user', ...more },
    })
  const records = (): readonly StoredRecord[] => [...(opened.store.read({ kind: 'decision' }) as Iterable<StoredRecord>)]
  const waiting = () => queue.list({ tenant: null, status: 'pending', limit: 20 }).approvals
  return { opened, answer, said, records, waiting }
}

const OWN: Through = { hook: 'claude-code' }
const MANAGED: Through = { hook: 'claude-code', place: 'managed' }

interface Pair {
  readonly host: string
  readonly one: (command: string, id?: string) => readonly [Through, Event]
  readonly other: (command: string, id?: string) => readonly [Through, Event]
}

/** Each pair is one call that a host sends twice. */
const PAIRS: readonly Pair[] = [
  { host: 'Claude Code, user and managed settings', one: (c, id) => [OWN, claude(c, id)], other: (c, id) => [MANAGED, claude(c, id)] },
  {
    host: 'VS Code, settings of Claude Code and of Copilot',
    one: (c, id) => [OWN, editor(c, id)],
    other: (c, id) => [{ hook: 'copilot-cli' }, editor(c, id)],
  },
  {
    host: 'Cursor, its own settings and those of Claude Code',
    one: (c) => [{ hook: 'cursor' }, cursorShell(c)],
    other: (c, id = 'c1') => [OWN, cursorBorrowed(c, { tool_use_id: id })],
  },
  {
    host: 'Cursor, two events of one shell call',
    one: (c) => [{ hook: 'cursor' }, cursorShell(c)],
    other: (c, id = 'c1') => [
      { hook: 'cursor' },
      cursorBorrowed(c, { hook_event_name: 'preToolUse', tool_name: 'Shell', tool_use_id: id }),
    ],
  },
]

const isRefusal = (answer: JsonObject): boolean => /"(?:deny|ask)"/.test(JSON.stringify(answer))
/** What the agent reads, whatever form it stands in. */
const words = (answer: JsonObject): string => /Countersign: (?:[^"\\]|\\.)+/.exec(JSON.stringify(answer))?.[0] ?? ''

describe.each(PAIRS)('$host', ({ one, other }) => {
  proves('T20', 'one call through two hooks has one record, one question and one answer', async () => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const { said, records, waiting, answer } = place()
      for (const command of ['git status', 'rm -rf ~', FORCE]) {
        const [a, b] = [await said(...first(command)), await said(...second(command))]
        expect([command, isRefusal(a), words(a)]).toEqual([command, command !== 'git status', words(b)])
        expect(isRefusal(b)).toBe(isRefusal(a))
      }
      expect(records()).toHaveLength(3)
      const [asked] = waiting()
      if (asked === undefined) continue
      expect(waiting()).toHaveLength(1)
      await answer(asked.id)
      // The agent sends it again: a call of its own, which the approval lets run once, through both hooks.
      for (const [id, refused] of [
        ['again', false],
        ['once more', true],
      ] as const)
        expect([isRefusal(await said(...first(FORCE, id))), isRefusal(await said(...second(FORCE, id)))]).toEqual([refused, refused])
      expect(records()).toHaveLength(5)
    }
  })

  proves('T20', 'both at the same time are one, too', async () => {
    const { said, records, waiting } = place()
    const both = await Promise.all([said(...one(FORCE)), said(...other(FORCE))])
    expect(both.map(isRefusal)).toEqual([true, true])
    expect([records().length, waiting().length <= 1]).toEqual([1, true])
  })
})

describe('a call that is another one is decided anew', () => {
  interface Unlike {
    readonly what: string
    readonly first: readonly [Through, Event]
    readonly second: readonly [Through, Event]
  }
  const cases: readonly Unlike[] = [
    { what: 'the same hook again', first: [OWN, claude('git status')], second: [OWN, claude('git status')] },
    { what: 'the same hook again, without ids', first: [OWN, claude('git status', null)], second: [OWN, claude('git status', null)] },
    { what: 'another command', first: [OWN, claude('git status')], second: [MANAGED, claude('rm -rf ~')] },
    { what: 'another id', first: [OWN, claude('git status')], second: [MANAGED, claude('git status', 'toolu_2')] },
    { what: 'an id and none', first: [OWN, claude('git status')], second: [MANAGED, claude('git status', null)] },
    {
      what: 'another session',
      first: [OWN, claude('git status')],
      second: [MANAGED, claude('git status', 'toolu_1', { session_id: 't' })],
    },
    {
      what: 'no session',
      first: [OWN, claude('git status', 'a', { session_id: null })],
      second: [MANAGED, claude('git status', 'a', { session_id: null })],
    },
    { what: 'another directory', first: [OWN, claude('git status')], second: [MANAGED, claude('git status', 'toolu_1', { cwd: '/tmp' })] },
    { what: 'another agent', first: [OWN, claude('git status', 'c1')], second: [{ hook: 'codex' }, codex('git status')] },
    {
      what: 'a subagent',
      first: [OWN, claude('git status')],
      second: [MANAGED, claude('git status', 'toolu_1', { agent_type: 'tester' })],
    },
    {
      what: 'somebody at the host',
      first: [OWN, claude('git status')],
      second: [MANAGED, claude('git status', 'toolu_1', { permission_mode: 'default' })],
    },
    {
      what: 'an argument more',
      first: [OWN, claude('git status')],
      second: [MANAGED, claude('git status', 'toolu_1', { tool_input: { command: 'git status', run_in_background: true } })],
    },
    {
      what: 'Cursor: another directory of the shell',
      first: [{ hook: 'cursor' }, cursorShell('git status')],
      second: [OWN, cursorBorrowed('git status', { tool_input: { command: 'git status', working_directory: '/etc' } })],
    },
    {
      what: 'Cursor: the shell in the background',
      first: [{ hook: 'cursor' }, cursorShell('git status')],
      second: [
        OWN,
        cursorBorrowed('git status', { tool_input: { command: 'git status', working_directory: '/repo', is_background: true } }),
      ],
    },
  ]
  for (const { what, first, second } of cases)
    proves('T20', what, async () => {
      const { said, records } = place()
      await said(...first)
      await said(...second)
      expect(records()).toHaveLength(2)
    })

  proves('T20', 'every further call of the agent is decided, however many hooks there are', async () => {
    const { said, records } = place()
    const hooks = [OWN, MANAGED, { hook: 'claude-code', place: 'project' }]
    for (let calls = 1; calls <= 3; calls++) {
      for (const hook of hooks) await said(hook, claude('git status', null))
      expect(records()).toHaveLength(calls)
    }
  })

  proves('T20', 'a hook that was not asked about the first call hears the answer to the second', async () => {
    const { said, waiting, answer, records } = place()
    expect(isRefusal(await said(OWN, claude(FORCE, null)))).toBe(true)
    await answer(waiting()[0]?.id ?? '')
    expect(isRefusal(await said(OWN, claude(FORCE, null)))).toBe(false)
    expect(isRefusal(await said(MANAGED, claude(FORCE, null)))).toBe(false)
    expect(isRefusal(await said(OWN, claude(FORCE, null)))).toBe(true)
    expect(records()).toHaveLength(3)
  })

  proves('T20', 'an approval lets one call run, whoever sends its event to further hooks before', async () => {
    const { said, waiting, answer } = place()
    await said(OWN, claude(FORCE, null))
    await answer(waiting()[0]?.id ?? '')
    // Somebody uses it up through a hook that no host runs; then the host's own call, and one more of the agent.
    const further = { hook: 'claude-code', place: 'forged' }
    const forged = [await said(further, claude(FORCE, null)), await said(further, claude(FORCE, null))]
    const ran = [await said(OWN, claude(FORCE, null)), await said(OWN, claude(FORCE, null)), await said(OWN, claude(FORCE, null))]
    expect([...forged, ...ran].map(isRefusal)).toEqual([true, false, false, true, true])
  })

  proves('T20', 'an answer is worth nothing after five seconds', async () => {
    let now = 0
    const { said, records } = place(createDeliveries({ clock: () => now }))
    await said(OWN, claude('git status'))
    now = 5_001
    await said(MANAGED, claude('git status'))
    expect(records()).toHaveLength(2)
  })

  proves(['T20', 'P4'], 'what was not recorded, and what failed, is no answer for a second hook', async () => {
    const { said, records, opened } = place()
    const failing = { ...opened.gate, decide: async () => Promise.reject(new Error('gone')) }
    const unrecorded = {
      ...opened.gate,
      decide: async (...given: Parameters<typeof opened.gate.decide>) => ({ ...(await opened.gate.decide(...given)), auditEntryId: null }),
    }
    expect(isRefusal(await said(OWN, claude('git status'), { gate: failing }))).toBe(true)
    expect(isRefusal(await said(MANAGED, claude('git status')))).toBe(false)
    await said(OWN, claude('git log'), { gate: unrecorded })
    await said(MANAGED, claude('git log'))
    expect(records()).toHaveLength(3)
  })
})

describe('events besides calls', () => {
  test('a result and a prompt that come twice are kept once', async () => {
    const { said } = place()
    const kept: string[] = []
    const more: Partial<HookParts> = {
      result: async () => {
        kept.push('result')
        return null
      },
      prompt: async () => {
        kept.push('prompt')
      },
    }
    const result = { ...claude('git status'), hook_event_name: 'PostToolUse', tool_response: 'clean' }
    const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'go on' }
    for (const event of [result, prompt]) for (const hook of [OWN, MANAGED]) await said(hook, event, more)
    await said(MANAGED, { ...result, tool_response: 'dirty' }, more)
    await said(OWN, prompt, more)
    expect(kept).toEqual(['result', 'prompt', 'result', 'prompt'])
  })
})

test('hundreds of answers of long ago are not kept', async () => {
  const deliveries = createDeliveries()
  const said = (event: string, hook: string, at: number | string): Promise<JsonObject> =>
    deliveries.once({ event, hook }, async () => ({ answer: { at }, holds: true, record: null }))
  for (let at = 0; at < 3_000; at++) await said(`e${at}`, 'a', at)
  const answers = [0, 2_999].map((at) => said(`e${at}`, 'b', 'anew'))
  expect(await Promise.all(answers)).toEqual([{ at: 'anew' }, { at: 2_999 }])
})

test('an event that waits for its answer keeps none of the others that were answered after it', async () => {
  let now = 0
  const deliveries = createDeliveries({ clock: () => now })
  const asked = (event: string, hook: string, answer: Promise<JsonObject> | JsonObject) =>
    deliveries.once({ event, hook }, async () => ({ answer: await answer, holds: true, record: null }))
  let decide = (_answer: JsonObject): void => {}
  const waits = asked('slow', 'a', new Promise<JsonObject>((resolve) => (decide = resolve)))
  expect(await asked('quick', 'a', { at: 1 })).toEqual({ at: 1 })
  now = 5_001
  await asked('later', 'a', { at: 2 })
  expect(await asked('quick', 'b', { at: 'anew' })).toEqual({ at: 'anew' })
  decide({ at: 3 })
  expect([await waits, await asked('slow', 'b', { at: 'anew' })]).toEqual([{ at: 3 }, { at: 3 }])
})
