/** The extension itself, loaded as OpenClaw loads it, with programs in the place of the hook: whatever they say, only `allow` lets a call run. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { askingCommand } from '../asking.ts'
import { entryText } from './extension.ts'

type Handler = (event: object, context: object) => Promise<{ block?: boolean; blockReason?: string } | undefined>
interface Extension {
  readonly register: (api: { on: (name: string, handler: Handler, options: { priority: number; timeoutMs: number }) => void }) => void
}

async function handlersOf(command: string, seconds = 5): Promise<ReadonlyMap<string, Handler>> {
  const file = join(temporaryDirectory(), 'index.mjs')
  writeFileSync(file, entryText(command, seconds))
  const { default: extension } = (await import(pathToFileURL(file).href)) as { default: Extension }
  const handlers = new Map<string, Handler>()
  extension.register({
    on: (name, handler, { priority, timeoutMs }) => {
      handlers.set(name, handler)
      expect([priority, timeoutMs > seconds * 1000]).toEqual([Number.MIN_SAFE_INTEGER, true])
    },
  })
  return handlers
}

const EVENT = { toolName: 'exec', params: { command: 'ls' }, toolCallId: 'c' }

proves('T30', 'a call runs where the hook allows it, and in no other case', async () => {
  const cases: readonly (readonly [command: string, blocked: RegExp | null])[] = [
    [`echo '{"decision":"allow"}'`, null],
    [`echo '{"decision":"deny","reason":"no, apr_1"}'`, /apr_1/],
    [`echo '{"decision":"allow"}'; exit 2`, /failed/],
    [`echo '{"decision":"Allow"}'`, /refused/],
    [`echo 'log'; echo '{"decision":"allow"}'`, /no answer/],
    ['true', /no answer/],
    ['kill -9 $$', /no answer/],
    ['/no/such/program', /no answer/],
  ]
  for (const [command, blocked] of cases) {
    const told = await (await handlersOf(command)).get('before_tool_call')?.(EVENT, { sessionId: 's' })
    if (blocked === null) expect([command, told]).toEqual([command, undefined])
    else expect([command, told]).toEqual([command, { block: true, blockReason: expect.stringMatching(blocked) }])
  }
})

proves('T31', 'a hook that hangs is given up before the host gives up on the extension', async () => {
  const told = await (await handlersOf('exec sleep 60', 0.2)).get('before_tool_call')?.(EVENT, {})
  expect(told).toEqual({ block: true, blockReason: expect.stringContaining('in time') })
})

test('the hook hears which call it is, and what became of it', async () => {
  const heard = join(temporaryDirectory(), 'heard')
  const handlers = await handlersOf(`cat >> ${heard}; echo >> ${heard}; echo '{"decision":"allow"}'`)
  await handlers.get('before_tool_call')?.(EVENT, { sessionId: 's', agentId: 'main', workspaceDir: '/w' })
  await handlers.get('after_tool_call')?.({ ...EVENT, error: 'gone' }, { sessionKey: 'k' })
  const [before, after] = readFileSync(heard, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(before).toEqual({
    event: 'before',
    tool: 'exec',
    args: { command: 'ls' },
    session: 's',
    call: 'c',
    directory: '/w',
    agent: 'main',
  })
  expect(after).toMatchObject({ event: 'after', session: 'k', error: 'gone' })
  expect(askingCommand(entryText('a "b" \\ c', 1))).toBe('a "b" \\ c')
})
