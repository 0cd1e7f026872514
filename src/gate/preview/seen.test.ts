/** What was seen of a call before anybody was asked, and what the policy makes of it. Runners of the test stand for those of host programs. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, callOf } from '../../../test/support/calls.ts'
import { workplace } from '../../../test/support/workplace.ts'
import type { Effect } from '../../core/effect.ts'
import type { JsonObject } from '../../core/json.ts'
import { NO_SIZE, type Preview, type Seen } from '../../core/preview.ts'
import { digester } from '../../open.ts'

const TOOL = 'tools: { db_change: { risk_tier: low, dryrun_supported: true }, other: { risk_tier: low } }\n'
const QUIET = 'hazards: { packs: [] }\n'
const FREE = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'
const ALWAYS = 'run: always, only_for_tools: [db_change], require_dryrun_supported: true'

function runner(seen: Partial<Seen> | 'prose' | 'throws' | null, asked: string[] = []) {
  return async ({ call }: { call: { tool: { name: string } } }): Promise<Preview | null> => {
    asked.push(call.tool.name)
    if (seen === null) return null
    if (seen === 'throws') throw new Error('the database is away')
    const shown: JsonObject = { kind: 'tool', note: 'DELETE 3 rows; would destroy table' }
    const digest = digester.digest('test/preview/v1', shown)
    if (seen === 'prose') return { digest, shown }
    return { digest, shown, seen: { unsupported: null, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false, ...seen } }
  }
}

const DELETED: Effect = {
  verb: 'delete',
  action: 'sql:delete',
  target: { kind: 'database', value: 'orders', real: null, scope: 'unknown', classes: [] },
  reversible: false,
  certainty: 'likely',
  span: null,
  reason: null,
  attributes: { rows: 3 },
}

const decided = async (section: string, seen: Parameters<typeof runner>[0], tool = 'db_change') => {
  const asked: string[] = []
  const work = workplace(`${TOOL}${FREE}preview: { ${section} }\n`, runner(seen, asked))
  const { decision, code } = await work.decide(callOf(tool, { statement: 'x' }))
  return { says: `${decision} ${code}`, asked }
}

describe('Signet: a sandbox preview before a commitment', () => {
  proves('SIG-21', 'a preview that shows nothing grave lets the call go on', async () => {
    expect(await decided(ALWAYS, {})).toEqual({ says: 'allow registry.permitted', asked: ['db_change'] })
  })
  proves(['SIG-22', 'SIG-W6'], 'three rows that are seen to be deleted are asked about, by their number', async () => {
    const section = `${ALWAYS}, ask_above: { rows: 0 }`
    expect((await decided(section, { size: { ...NO_SIZE, rows: 3 }, effects: [DELETED] })).says).toBe('ask preview.size')
    expect((await decided(section, {})).says).toBe('allow registry.permitted')
  })
  proves('SIG-22', 'rules see what was seen, in the words that they have for every effect', async () => {
    const ask =
      'rules: { allow: [{ tool: "*", when: "true", reason: fine }], ask: [{ when: \'effects.exists(e, e.action == "sql:delete")\', reason: rows go }] }\n'
    const work = workplace(`${TOOL}${QUIET}${ask}preview: { ${ALWAYS} }\n`, runner({ effects: [DELETED] }))
    const { decision, code, reason } = await work.decide(callOf('db_change', { statement: 'x' }))
    expect([decision, code, reason]).toEqual(['ask', 'rules.asked', expect.stringContaining('seen when the call was tried out')])
  })
  proves('SIG-23', 'a tool outside of only_for_tools is not tried out, and nothing is said of it', async () => {
    expect(await decided(ALWAYS, 'throws', 'other')).toEqual({ says: 'allow registry.permitted', asked: [] })
  })
  proves('SIG-24', 'a tool that nothing can try out is asked about, or denied where the policy says so', async () => {
    expect((await decided(ALWAYS, null)).says).toBe('ask preview.unsupported')
    expect((await decided(`${ALWAYS}, on_unsupported: deny`, null)).says).toBe('deny preview.unsupported')
    expect((await decided('run: always', null)).says).toBe('allow registry.permitted')
  })
  proves(
    ['SIG-25', 'SIG-27'],
    'what can be tried out is what a runner is there for: no claim of the call or the registry takes that away',
    async () => {
      for (const registered of [true, false])
        for (const claim of [true, false]) {
          const asked: string[] = []
          const tools = `tools: { db_change: { risk_tier: low, dryrun_supported: ${registered} } }\n`
          const work = workplace(`${tools}${FREE}preview: { ${ALWAYS} }\n`, runner({}, asked))
          const says = await work.says(callOf('db_change', { statement: 'x', dryrun_supported: claim }))
          expect([says, asked]).toEqual(['allow registry.permitted', ['db_change']])
        }
    },
  )
  proves('SIG-26', 'a runner that throws is a denial', async () => {
    expect((await decided(ALWAYS, 'throws')).says).toBe('deny preview.failed')
    expect((await decided(`${ALWAYS}, on_failure: ask`, 'throws')).says).toBe('ask preview.failed')
  })
  proves('SIG-28', 'a trial that ended with an error says nothing good', async () => {
    expect((await decided(ALWAYS, { exitCode: 1 })).says).toBe('ask preview.error_exit')
    expect((await decided(`${ALWAYS}, on_exit: pass`, { exitCode: 1 })).says).toBe('allow registry.permitted')
    expect((await decided(ALWAYS, { ended: 'time' })).says).toBe('deny preview.failed')
  })
  proves(['SIG-29', 'SIG-W6'], 'prose of a runner is neither harmless nor harmful: it is no answer', async () => {
    expect((await decided(ALWAYS, 'prose')).says).toBe('ask preview.unsupported')
  })
  proves('SIG-W7', 'preview and question compose: people are asked with what was seen, and their yes holds for that', async () => {
    const work = workplace(`${TOOL}${QUIET}rules: { ask: [{ tool: db_change, reason: careful }] }\npreview: { ${ALWAYS} }\n`, runner({}))
    const asked = await work.asks(callOf('db_change', { statement: 'x' }))
    expect(asked.sheet).toMatchObject({ preview: { kind: 'tool' } })
    await work.answer(asked.id)
    expect(await work.says(callOf('db_change', { statement: 'x' }))).toBe('allow allow.permitted')
  })
})

describe('what is tried out', () => {
  proves('SIG-30', 'needs a runner: what is none is refused when the gate is opened', () => {
    expect(() => workplace('', null as never)).toThrow(/preview/)
    expect(() => workplace('', 'run' as never)).toThrow(/preview/)
  })

  test('is asked about where it reached for a network that its text does not tell of', async () => {
    expect((await decided(ALWAYS, { network: true })).says).toBe('ask preview.effect')
  })
  test('is never what is denied already', async () => {
    const asked: string[] = []
    const work = workplace('rules: { deny: [{ tool: Bash, reason: no }] }\npreview: { run: always }\n', runner({}, asked))
    expect([await work.says(bash('ls')), asked]).toEqual(['deny rules.denied', []])
  })
  test('without a section, nothing is tried out that nobody is asked about', async () => {
    const asked: string[] = []
    const work = workplace(`${TOOL}${FREE}`, runner('throws', asked))
    expect([await work.says(callOf('db_change', {})), asked]).toEqual(['allow registry.permitted', []])
  })
})
