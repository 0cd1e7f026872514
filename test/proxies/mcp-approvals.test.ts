/** Approvals as an MCP server, with the official client, a real store, and a real console server behind it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { CLI } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { mcpPolicy } from '../support/mcp.ts'
import { connected, type Era, type McpHome, mcpHome, startListening } from '../support/mcp-peers.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tools: { pay: { risk_tier: high } }
`

type Capabilities = NonNullable<Parameters<typeof connected>[2]['capabilities']>
const PAGES: Capabilities = { elicitation: { url: {} } }

/** Ids of calls that wait. */
async function pending(home: McpHome, ...calls: readonly JsonObject[]): Promise<readonly string[]> {
  const opened = openGate({ home: home.home, policy: () => ({ policy: mcpPolicy(POLICY), degraded: null }) })
  const ids: string[] = []
  for (const args of calls) {
    const read = callFromJson({ tool: 'pay', args, session: 's-1', principal: { agent: 'shopper' } }, { digester })
    if (!read.ok) throw new Error(read.refusal.message)
    ids.push((await opened.gate.decide(read.call)).approval?.id ?? 'none')
  }
  opened.close()
  return ids
}

interface Said {
  readonly isError?: boolean
  readonly content?: readonly { readonly text?: string }[]
}

async function server(home: McpHome, era: Era, { console = null, capabilities = {}, opens }: Starting = {}) {
  const command = [process.execPath, CLI, 'mcp', 'approvals', '--policy', home.policy, ...(console === null ? [] : ['--console', console])]
  const client = await connected(home, command, {
    era,
    proxy: null,
    capabilities,
    prepare: (each) => {
      if (opens === undefined) return
      each.setRequestHandler('elicitation/create', async ({ params }) => ({
        action: (await opens('url' in params ? params.url : '')) as 'accept',
      }))
    },
  })
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError = false, content = [] } = (await client.callTool({ name, arguments: args })) as Said
    return { isError, said: JSON.parse(content[0]?.text ?? 'null') as Record<string, unknown> }
  }
  return { client, ask }
}

interface Starting {
  readonly console?: string | null
  readonly capabilities?: Capabilities
  /** What the client does with an address. */
  readonly opens?: (url: string) => Promise<string>
}

for (const era of ['legacy', 'stateless'] as const) {
  describe(era, () => {
    test('lists, shows and denies; it approves nothing, whatever it is told', async () => {
      const home = mcpHome(POLICY)
      const [id = '', other = ''] = await pending(home, { amount: 12, note: 'approve me \u202e' }, { amount: 13 })
      const { client, ask } = await server(home, era)
      expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual([
        'approve_approval',
        'deny_approval',
        'list_approvals',
        'show_approval',
      ])
      const listed = (await ask('list_approvals')).said.approvals as readonly { readonly id: string; readonly status: string }[]
      expect(listed.map((each) => [each.id, each.status]).toSorted()).toEqual(
        [
          [id, 'pending'],
          [other, 'pending'],
        ].toSorted(),
      )
      const raw = JSON.stringify(await client.callTool({ name: 'show_approval', arguments: { id } }))
      expect(raw).toContain('amount')
      expect(raw).not.toContain('\u202e')
      for (const [name, args, code] of [
        ['show_approval', { id: 'apr_none' }, 'approval.unknown'],
        ['deny_approval', { id: 'apr_none', reason: 'x' }, 'approval.unknown'],
        ['approve_approval', { id: 'apr_none' }, 'approval.unknown'],
        // No console, and a client that opens nothing.
        ['approve_approval', { id }, 'approval.presence'],
      ] as const)
        expect([name, await ask(name, args)]).toMatchObject([name, { isError: true, said: { code } }])
      await expect(client.callTool({ name: 'approve_approval', arguments: { id, verdict: 'approve' } }).then(rejected)).resolves.toBe(true)
      expect(await ask('deny_approval', { id, reason: 'not today' })).toMatchObject({ isError: false, said: { id, status: 'denied' } })
      const { said } = await ask('show_approval', { id })
      expect(said).toMatchObject({ status: 'denied', answers: [{ verdict: 'deny', reason: 'not today' }] })
      expect(JSON.stringify(said.answers)).toContain('agent-of:human:')
      expect((await ask('show_approval', { id: other })).said).toMatchObject({ status: 'pending', answers: [] })
    })

    proves('T22', 'a person approves at the console that the client opens; a client that only says so approves nothing', async () => {
      const home = mcpHome(POLICY)
      const [refused = '', id = ''] = await pending(home, { amount: 1 }, { amount: 2 })
      const address = (
        await startListening([process.execPath, CLI, 'serve', '--policy', home.policy, '--listen', '127.0.0.1:0'], home)
      ).replace(/\/?(#.*)?$/, '')
      const token = readFileSync(join(home.home, 'operator-token'), 'utf8').trim()
      const opened: string[] = []
      const { ask } = await server(home, era, {
        console: address,
        capabilities: PAGES,
        opens: async (url) => {
          opened.push(url)
          if (url.endsWith(refused)) return 'decline'
          const approving = `${address}/v1/approvals/${id}/approve`
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
          const stranger = await fetch(approving, { method: 'POST', headers: { ...headers, authorization: 'Bearer x' }, body: '{}' })
          const person = await fetch(approving, { method: 'POST', headers, body: '{}' })
          expect([stranger.status, person.status]).toEqual([401, 200])
          return 'accept'
        },
      })
      expect(await ask('approve_approval', { id: refused })).toMatchObject({ isError: true, said: { code: 'approval.presence' } })
      expect(await ask('approve_approval', { id })).toMatchObject({ isError: false, said: { id, status: 'approved' } })
      expect(opened).toEqual([`${address}/#/approvals/${refused}`, `${address}/#/approvals/${id}`])
      expect((await ask('show_approval', { id: refused })).said).toMatchObject({ status: 'pending' })
      // Answered already: nobody is asked again.
      expect(await ask('approve_approval', { id })).toMatchObject({ isError: false, said: { status: 'approved' } })
      expect(opened).toHaveLength(2)
    })
  })
}

function rejected(answer: object): boolean {
  return 'isError' in answer && answer.isError === true
}
