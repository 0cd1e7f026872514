/** How a hook hears the daemon: in one piece, and after signs of life where the answer takes long. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { event } from '../../test/hosts/harness.ts'
import { proves } from '../../test/proves.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { describedView } from '../../test/support/workplace.ts'
import { callParts } from '../cli/app-parts.ts'
import { loadShipped } from '../cli/open.ts'
import { ALIVE_EVERY_MS, hookKey, SEAL, sealed } from '../hosts/seal.ts'
import { openGate } from '../open.ts'
import type { Answer } from './reply.ts'
import type { Detached, Incoming } from './route.ts'
import { hookRoutes } from './routes/hooks.ts'

const NONCE = '0'.repeat(32)

/** What the daemon answers to an event of Claude Code's hook, where the gate takes so much longer than it does. */
async function answered(home: string, bytes: Uint8Array, delayMs: number): Promise<Answer | undefined> {
  const opened = openGate({ home, policy: loadShipped, view: () => describedView({}) })
  onTestFinished(() => opened.close())
  const parts = callParts(opened, { home, policy: loadShipped })
  const gate: typeof parts.gate = { ...parts.gate, decide: async (...given) => sleep(delayMs, await parts.gate.decide(...given)) }
  const route = hookRoutes({ ...parts, gate, build: null }).find(({ path }) => path === '/v1/hooks/claude-code')
  const incoming: Detached = {
    caller: { kind: 'nobody' },
    listener: 'socket',
    param: () => '',
    header: (name) => (name === 'x-countersign-nonce' ? NONCE : null),
    query: undefined,
    body: undefined,
    bytes,
  }
  return route?.handle(incoming as Incoming)
}

for (const { name, delayMs, streams } of [
  { name: 'an answer that is there soon comes in one piece', delayMs: 0, streams: false },
  { name: 'an answer that takes long comes after signs of life', delayMs: ALIVE_EVERY_MS * 1.5, streams: true },
]) {
  proves(['T31', 'T30'], `${name}, under its seal`, async () => {
    // However long a busy machine takes over it, the first sign of life is not due.
    if (!streams) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const bytes = new TextEncoder().encode(event('git status', name))
    const home = stateDirectoryOfTest()
    const answer = await answered(home, bytes, delayMs)
    expect(answer instanceof Response).toBe(streams)
    const text = answer instanceof Response ? await answer.text() : answer !== undefined && 'text' in answer ? answer.text : ''
    expect(text.startsWith('\n')).toBe(streams)
    const [line = '', seal = ''] = text.trimStart().split('\n')
    expect(seal.startsWith(SEAL)).toBe(true)
    expect(text.trimStart()).toBe(sealed(line, { key: hookKey(home), nonce: NONCE, event: bytes }))
  })
}
