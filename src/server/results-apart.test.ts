/**
 * Results of every length, with the threads of the daemon: its gate knows all of what returned, wherever that was looked through. Labels (run,
 * stop) were written before any verdict was looked at.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { LOGIN_CONTRACT } from '../../test/support/login-contract.ts'
import { bundled } from '../../test/support/program.ts'
import { ask, startServer, type TestServer } from '../../test/support/server.ts'
import { openResults, type ResultThread } from '../cli/threads/open.ts'
import type { StoredRecord } from '../store/store.ts'
import { openThread, type Thread } from '../thread/thread.ts'

const CALLS = pathToFileURL(bundled(new URL('../cli/threads/calls.ts', import.meta.url)))
const RESULTS = pathToFileURL(bundled(new URL('../cli/threads/results.ts', import.meta.url)))
const DYING = pathToFileURL(bundled(new URL('../../test/fault/programs/thread.ts', import.meta.url)))

const policies = mkdtempSync(join(tmpdir(), 'countersign-results-'))
const policy = join(policies, 'countersign.yaml')
writeFileSync(policy, `version: 1\n${LOGIN_CONTRACT}`)
afterAll(() => rmSync(policies, { recursive: true, force: true }))

let server: TestServer
let results: ResultThread
let asked: string[]
beforeEach(async () => {
  asked = []
  results = openResults({ note: () => {}, file: RESULTS })
  server = await started(CALLS, results)
})
afterEach(async () => {
  results.close()
  await server.stop()
})

function started(calls: URL, { lookThrough }: Pick<ResultThread, 'lookThrough'>): Promise<TestServer> {
  return startServer({
    policy: LOGIN_CONTRACT,
    threads: (home) => ({ looks: null, calls: noting(openThread({ file: calls, data: { home, policy } })) }),
    look: (looking, response) => {
      asked.push('results')
      return lookThrough(looking, response)
    },
  })
}

function noting(thread: Thread): Thread {
  return {
    ...thread,
    ask: (...task) => {
      asked.push('calls')
      return thread.ask<never>(...task)
    },
  }
}

const post = async (path: string, body: unknown) => {
  const { status, body: answer } = await ask(`${server.url}${path}`, { body, token: server.token({ name: 'a', role: 'agent' }) })
  return { status, ...answer }
}
/** One agent for a whole test: a session belongs to whoever opened it. */
const sender = () => {
  const token = server.token({ name: 'agent', role: 'agent' })
  return async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const { status, body: answer } = await ask(`${server.url}${path}`, { body, token })
    return { ...answer, status }
  }
}
const login = (id: string, more: object = {}) => ({ tool: 'login', args: {}, session: 's', result: { id, ...more } })
const cancel = (user: string, more: object = {}) => ({ tool: 'cancel', args: { user, ...more }, session: 's' })
const text = (kibibytes: number) => ({ text: 'all fine here\n'.repeat((kibibytes * 1024) / 14) })

function recorded(): readonly StoredRecord[] {
  return [...(server.opened.store.read({ kind: 'result' }) as Iterable<StoredRecord>)]
}

describe('what returned is known to the next call, whatever its length', () => {
  for (const [title, kibibytes, by] of [
    ['a small one', 0, []],
    ['one that is looked through elsewhere', 20, ['results']],
    ['one of nearly 64 KiB', 56, ['results']],
    ['one that is read on the thread of large calls', 66, ['calls']],
    ['one of which the log has the beginning alone', 400, ['calls']],
  ] as const) {
    test(`${title} (${kibibytes} KiB)`, async () => {
      const send = sender()
      expect((await send('/v1/decisions', cancel('u1'))).status).toBe(403)
      expect(await send('/v1/results', login('u1', text(kibibytes)))).toMatchObject({ status: 200, note: null })
      expect(asked).toEqual(by)
      expect((await send('/v1/decisions', cancel('u1'))).status).toBe(200)
      expect(recorded().map(({ tool }) => tool)).toEqual(['login'])
    })
  }

  test('the last of several counts, long and short in turn', async () => {
    const send = sender()
    for (const [index, kibibytes] of [0, 400, 0, 66, 30, 400, 0].entries()) {
      await send('/v1/results', login(`u${index}`, text(kibibytes)))
      expect([index, (await send('/v1/decisions', cancel(`u${index}`))).status]).toEqual([index, 200])
      expect([index, (await send('/v1/decisions', cancel(`u${index - 1}`))).status]).toEqual([index, 403])
    }
    expect(recorded()).toHaveLength(7)
  })

  test('a large call knows what small results say, those of after its thread began, too', async () => {
    const send = sender()
    for (const [user, other] of [
      ['u1', 'u2'],
      ['u2', 'u1'],
    ] as const) {
      await send('/v1/results', login(user))
      expect((await send('/v1/decisions', cancel(user, text(100)))).status).toBe(200)
      expect((await send('/v1/decisions', cancel(other, text(100)))).status).toBe(403)
    }
    expect(asked).toEqual(['calls', 'calls', 'calls', 'calls'])
  })

  for (const kibibytes of [1, 20, 100, 400])
    proves('FUL-50', `what is wrong with one of ${kibibytes} KiB is answered and in the log`, async () => {
      const body = { ...login('u1', text(kibibytes)), tool: 'read_page' }
      const answer = await sender()('/v1/results', { ...body, result: { ...body.result, end: 'fine\u{e0041}\u{e0042}' } })
      expect(answer).toMatchObject({ status: 200, note: expect.stringMatching(/nobody sees/) })
      expect(recorded().map(({ code }) => code)).toEqual(['integrity.hidden_in_result'])
    })

  proves('P4', 'a hook is told of a large result, too, and the session knows it', async () => {
    const token = server.token({ name: 'agent', role: 'agent' })
    const event = { session_id: 's', cwd: '/tmp', hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: { file_path: '/tmp/a' } }
    const response = `${text(100).text}fine\u{e0041}\u{e0042}`
    const { body } = await ask(`${server.url}/v1/hooks/claude-code`, {
      token,
      body: { ...event, tool_use_id: 't', tool_response: response },
    })
    expect(JSON.stringify(body)).toMatch(/nobody sees/)
    expect(recorded().map(({ tool, code }) => [tool, code])).toEqual([['Read', 'integrity.hidden_in_result']])
  })
})

describe('what cannot be looked through', () => {
  proves(['P4', 'T23'], 'is no success: the log says that it came, and contracts know nothing of it', async () => {
    await server.stop()
    server = await started(DYING, { lookThrough: () => Promise.reject(new Error('it was lost')) })
    const send = sender()
    for (const [kibibytes, status] of [
      [30, 500],
      [100, 503],
    ] as const) {
      expect([kibibytes, (await send('/v1/results', login('u1', text(kibibytes)))).status]).toEqual([kibibytes, status])
      expect((await send('/v1/decisions', cancel('u1'))).status).toBe(403)
    }
    expect(recorded().map(({ body }) => body.response)).toEqual([{ error: 'the response could not be inspected', failed: true }])
  })

  proves('P5', 'nor is one that cannot be kept', async () => {
    const send = sender()
    await send('/v1/decisions', cancel('u1'))
    server.opened.close()
    expect((await post('/v1/results', login('u1', text(100)))).status).toBe(503)
    expect((await post('/v1/results', login('u1', text(30)))).status).toBeGreaterThanOrEqual(500)
  })
})
