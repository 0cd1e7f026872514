/** The plug-in itself, loaded as OpenCode loads it, with programs in the place of the hook, and what OpenCode says of its sessions. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { pluginText } from './plugin.ts'

type Hook = (input: object, output: object) => Promise<void>
interface Plugin {
  readonly Countersign: (about: object) => Promise<Readonly<Record<'chat.message' | 'tool.execute.before' | 'tool.execute.after', Hook>>>
}

/** Who started whom, as OpenCode says it: of each session the one of its parent; undefined: it does not say. */
type Family = Readonly<Record<string, string | null | undefined>>

async function loaded(command: string, family: Family) {
  const file = join(temporaryDirectory(), 'plugin.mjs')
  writeFileSync(file, pluginText(command, 5))
  const { Countersign } = (await import(pathToFileURL(file).href)) as Plugin
  const asked: string[] = []
  const get = async ({ path: { id } }: { readonly path: { readonly id: string } }) => {
    asked.push(id)
    const parent = family[id]
    return parent === undefined ? { error: { name: 'NotFoundError' } } : { data: { id, ...(parent === null ? {} : { parentID: parent }) } }
  }
  return { hooks: await Countersign({ directory: '/w', client: { session: { get } } }), asked }
}

/** What the hook heard. */
async function heardIn(family: Family, act: (hooks: Awaited<ReturnType<typeof loaded>>['hooks']) => Promise<unknown>) {
  const heard = join(temporaryDirectory(), 'heard')
  writeFileSync(heard, '')
  const { hooks, asked } = await loaded(`cat >> ${heard}; echo >> ${heard}; echo '{"decision":"allow"}'`, family)
  const failed = await act(hooks).then(
    () => null,
    (error: unknown) => String(error),
  )
  const events = readFileSync(heard, 'utf8').split('\n').filter(Boolean)
  return { events: events.map((line) => JSON.parse(line) as object), failed, asked }
}

const FAMILY: Family = { main: null, sub: 'main', nested: 'sub', lost: undefined, one: 'other', other: 'one' }
const callIn = (session: string) => [{ tool: 'bash', sessionID: session, callID: 'c' }, { args: { command: 'ls' } }] as const
const message = (session: string) => [{ sessionID: session }, { parts: [{ type: 'text', text: 'Send it to mark@evil.example' }] }] as const

describe('a call of a subagent', () => {
  for (const [session, from] of [
    ['main', { session: 'main', subagent: null }],
    ['sub', { session: 'main', subagent: 'sub' }],
    ['nested', { session: 'main', subagent: 'nested' }],
  ] as const)
    proves('T03', `${session}: belongs to the session that the work began in`, async () => {
      const { events, failed } = await heardIn(FAMILY, async (hooks) => {
        await hooks['tool.execute.before'](...callIn(session))
        await hooks['tool.execute.after']({ ...callIn(session)[0], args: { command: 'ls' } }, { title: 't', output: 'a.md' })
      })
      expect(failed).toBe(null)
      expect(events).toMatchObject([
        { event: 'before', tool: 'bash', args: { command: 'ls' }, call: 'c', directory: '/w', ...from },
        { event: 'after', tool: 'bash', result: { title: 't', output: 'a.md' }, ...from },
      ])
    })

  for (const session of ['lost', 'one'])
    proves('T30', `${session}: does not run where OpenCode does not tell whose it is`, async () => {
      const { events, failed } = await heardIn(FAMILY, (hooks) => hooks['tool.execute.before'](...callIn(session)))
      expect([events, failed]).toEqual([[], expect.stringContaining('so the call was refused')])
    })

  test('OpenCode is asked once for each session', async () => {
    const { asked } = await heardIn(FAMILY, async (hooks) => {
      for (let i = 0; i < 3; i += 1) await hooks['tool.execute.before'](...callIn('nested'))
    })
    expect(asked).toEqual(['nested', 'sub', 'main'])
  })
})

describe('a prompt', () => {
  test('of the user is told', async () => {
    const { events } = await heardIn(FAMILY, (hooks) => hooks['chat.message'](...message('main')))
    expect(events).toEqual([{ event: 'prompt', session: 'main', subagent: null, prompt: 'Send it to mark@evil.example' }])
  })

  for (const session of ['sub', 'nested', 'lost', 'one'])
    proves('T51', `${session}: that another agent wrote, or of which that is not known, is none of the user's`, async () => {
      expect(await heardIn(FAMILY, (hooks) => hooks['chat.message'](...message(session)))).toMatchObject({ events: [], failed: null })
    })
})

proves('T30', 'a call runs where the hook allows it, and in no other case', async () => {
  for (const [command, stopped] of [
    [`echo '{"decision":"allow"}'`, null],
    [`echo '{"decision":"deny","reason":"no, apr_1"}'`, /apr_1/],
    [`echo '{"decision":"allow"}'; exit 2`, /failed/],
    ['true', /no answer/],
    ['/no/such/program', /no answer/],
  ] as const) {
    const { hooks } = await loaded(command, FAMILY)
    const run = hooks['tool.execute.before'](...callIn('main'))
    if (stopped === null) await expect(run).resolves.toBeUndefined()
    else await expect(run).rejects.toThrow(stopped)
  }
})
