/** Tools of real MCP servers that can only show what they would do: asked so before people are, and never where the server would act instead. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { proves } from '../proves.ts'
import { mcpPolicy } from '../support/mcp.ts'
import { connected, connectedTo, type Era, mcpHome, proxyCommand, ranIn, startListening } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const SERVER = bundled(new URL('./programs/previewing-server.ts', import.meta.url))

const TOOLS = 'deploy plans ignores counts prose fails hangs transfer'.split(' ')
const MODES = TOOLS.map((name) =>
  name === 'plans' ? 'fixture/plans: { argument: mode, value: plan }' : `fixture/${name}: { argument: dry_run }`,
)

const base = (rules: string, more = ''): string => `version: 1
default: ask
hazards: { packs: [] }
tools: { ${TOOLS.map((name) => `${name}: { risk_tier: low }`).join(', ')} }
mcp_proxy: { hold: 50ms }
preview: { run: always, require_dryrun_supported: true, time: 1s, ask_above: { rows: 5 }, modes: { ${MODES.join(', ')} } }
rules:
${rules}
${more}`

const SHOWS = '"dry_run" in args || ("mode" in args && args.mode == "plan")'
const ASKS = base(`  allow: [{ tool: '*', when: '${SHOWS}', reason: looks }]\n  ask: [{ tool: '*', when: '!(${SHOWS})', reason: careful }]`)
const FREE = base('  allow: [{ tool: "*", when: "true", reason: fine }]')

type Way = 'streams' | 'http'

async function place(policy: string, { era = 'legacy', to = 'streams', from = 'streams' }: { era?: Era; to?: Way; from?: Way } = {}) {
  const home = mcpHome(policy)
  const [marker, rows] = [join(home.work, 'ran'), join(home.work, 'rows')]
  const environment = { MARKER: marker, ROWS: rows }
  const behind = to === 'http' ? await startListening([process.execPath, SERVER, 'http'], home, environment) : null
  const server = behind === null ? ['--', process.execPath, SERVER] : ['--url', behind]
  const client =
    from === 'streams'
      ? await connected(home, behind === null ? [process.execPath, SERVER] : [], {
          era,
          environment,
          proxy: ['--name', 'fixture', ...(behind === null ? [] : ['--url', behind])],
        })
      : await connectedTo(
          await startListening(proxyCommand(home, ['--name', 'fixture', '--listen', '127.0.0.1:0', ...server]), home, environment),
          { era, proxy: ['--name', 'fixture'] },
        )
  await client.listTools()
  const opened = openGate({ home: home.home, policy: () => ({ policy: mcpPolicy(policy), degraded: null }) })
  onTestFinished(() => opened.close())
  return {
    home,
    queue: opened.queue,
    text: async (name: string, args = {}) => JSON.stringify(await client.callTool({ name, arguments: args })),
    ran: () => ranIn(marker),
    rows: (count: number) => writeFileSync(rows, String(count)),
    forget: () => rmSync(marker, { force: true }),
  }
}

const waiting = (queue: Awaited<ReturnType<typeof place>>['queue']) => queue.list({ tenant: null, status: 'pending' }).approvals

const WAYS: readonly (readonly [Era, Way, Way])[] = [
  ['legacy', 'streams', 'streams'],
  ['stateless', 'http', 'http'],
]

describe('a preview mode of a tool', () => {
  for (const [era, from, to] of WAYS)
    proves(
      ['SIG-21', 'P6'],
      `is asked before people are, and bound into their yes (${era}, a client over ${from}, a server over ${to})`,
      async () => {
        const { queue, text, ran, rows } = await place(ASKS, { era, from, to })
        rows(3)
        expect(await text('deploy', { to: 'production' })).toContain('is pending until')
        expect(ran()).toEqual(['deploy showed'])
        const [asked] = waiting(queue)
        expect(asked?.sheet.preview).toMatchObject({ kind: 'tool', output: '3 rows would change' })
        await queue.answer(asked?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve', comment: 'ok' })
        rows(4)
        expect(await text('deploy', { to: 'production' })).not.toContain('done')
        expect(ran().filter((line) => line.includes('acted'))).toEqual([])
        await queue.answer(waiting(queue)[0]?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve', comment: 'ok' })
        expect(await text('deploy', { to: 'production' })).toContain('done')
        expect(ran().filter((line) => line.includes('acted'))).toEqual(['deploy acted {"to":"production"}'])
      },
    )

  const CASES: readonly (readonly [tool: string, args: object, rows: number, code: string, ran: readonly string[]])[] = [
    ['deploy', {}, 1, 'deploy done', ['deploy showed', 'deploy acted {}']],
    ['deploy', { dry_run: false }, 1, 'deploy done', ['deploy showed', 'deploy acted {"dry_run":false}']],
    ['deploy', {}, 6, 'preview.size', ['deploy showed']],
    // The agent asked for the preview itself: that is the call.
    ['deploy', { dry_run: true }, 9, '9 rows would change', ['deploy showed']],
    ['plans', { to: 'x' }, 1, 'plans done', ['plans showed', 'plans acted {"to":"x"}']],
    ['plans', { mode: 'run' }, 6, 'preview.size', ['plans showed']],
    ['ignores', {}, 1, 'preview.unsupported', []],
    ['ignores', { dry_run: true }, 1, 'preview.unsupported', []],
    ['counts', {}, 1, 'preview.unsupported', []],
    ['prose', {}, 1, 'preview.unsupported', []],
    ['fails', {}, 1, 'preview.failed', []],
    ['hangs', {}, 1, 'preview.failed', []],
  ]
  test('decides where nobody would be asked otherwise', async () => {
    const { text, ran, rows, forget } = await place(FREE)
    for (const [tool, args, count, says, happened] of CASES) {
      forget()
      rows(count)
      const answer = await text(tool, args)
      expect([tool, args, answer.includes(says) ? says : answer, ran()]).toEqual([tool, args, says, happened])
    }
  })

  test('is not used where the gate does not let it run, where the definition is not pinned, and at another server', async () => {
    const rules =
      '  deny: [{ tool: "*", when: \'"dry_run" in args\', reason: never }]\n  allow: [{ tool: "*", when: "true", reason: fine }]'
    const unpinned = 'guards: { definitions: { except: [fixture] } }\n'
    for (const policy of [base(rules), base('  allow: [{ tool: "*", when: "true", reason: fine }]', unpinned)]) {
      const { text, ran } = await place(policy.replace('fixture/plans', 'other/plans'))
      for (const tool of ['deploy', 'plans']) expect(await text(tool)).toContain('preview.unsupported')
      expect(ran()).toEqual([])
    }
  })
})
