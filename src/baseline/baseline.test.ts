/** What is learned of a role, how surprising a call is, and how little a patient attacker moves of it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { MAX_NEW_BITS, type Term } from '../core/behaviour.ts'
import { changesBetween, keysOf, waitingOf } from './diff.ts'
import { decodeState, encodeState } from './encode.ts'
import { lessonOf, observationJson } from './lesson.ts'
import { admit, emptyModel, learnDay, pooled, type RoleModel, type SessionLesson } from './model.ts'
import { Scorer } from './score.ts'
import { BY, known, ODD, ordinary, SESSIONS_A_DAY, sessionsOf, term } from './testing.ts'
import { explain } from './words.ts'

const DAYS = 30
const BEGIN = 30

function bitsOf(model: RoleModel, terms: readonly Term[]): number {
  return new Scorer({ role: structuredClone(model), pool: null }).surprise(terms).bits
}

/** Thirty days more, on which one session in twenty also does what is odd. */
function dripped(odd: readonly Term[], flagged: boolean): RoleModel {
  const model = known(BEGIN)
  for (let day = BEGIN; day < BEGIN + DAYS; day += 1) {
    const [first, ...rest] = sessionsOf(day)
    const own = first?.terms ?? []
    const mixed: SessionLesson = flagged ? { terms: own, flagged: odd } : { terms: [...own, ...odd], flagged: [] }
    learnDay(model, day, { lessons: [mixed, ...rest], by: BY })
  }
  return model
}

function shareOf(model: RoleModel, key: string): number {
  const at = key.lastIndexOf('\t')
  const counted = model.places.get(key.slice(0, at))
  return counted === undefined ? 0 : (counted.values.get(key.slice(at + 1)) ?? 0) / counted.total
}

describe('surprise', () => {
  proves('FUL-57', 'tools, arguments, amounts and origins that the role never shows are far, its own are not', () => {
    const model = known(BEGIN)
    const scorer = new Scorer({ role: model, pool: null })
    const usual = Array.from({ length: 100 }, (_, n) => scorer.surprise(ordinary(n).terms).bits)
    const most = Math.max(...usual)
    expect(most).toBeLessThan(5)
    const strange: readonly (readonly Term[])[] = [
      [term('tool', '', 'export_all')],
      [term('host', 'send', 'drop.example')],
      [term('source', 'send_mail#to', 'text read_mail.body')],
      [term('volume', 'send_mail#size', '11')],
      [term('request', 'pay_invoice', 'none')],
    ]
    for (const terms of strange) expect([terms[0]?.unit, scorer.surprise(terms).bits > most]).toEqual([terms[0]?.unit, true])
  })

  test('less of something is no surprise, more of it is, and ten times more is more so', () => {
    const model = known(1)
    const [less, double, ten] = ['1', '8', '11'].map((value) => bitsOf(model, [term('volume', 'send_mail#size', value)]))
    expect(less).toBe(0)
    expect(double).toBeGreaterThan(3)
    expect(double).toBeLessThan(MAX_NEW_BITS - 2)
    expect(ten).toBe(MAX_NEW_BITS)
  })

  test('ten times as much as a target usually gets is told, though others get as much', () => {
    const model = emptyModel()
    const paid = (target: string, value: string) => [term('volume', 'pay#amount', value), term('volume', `pay#amount#${target}`, value)]
    const lessons = Array.from({ length: 40 }, (_, n) => ({ terms: n % 2 === 0 ? paid('0a', '4') : paid('1b', '12'), flagged: [] }))
    learnDay(model, 1, { lessons, by: { ...BY, warmUp: 1e9 } })
    expect(bitsOf(model, paid('0a', '4'))).toBeLessThan(1)
    expect(bitsOf(model, paid('1b', '12'))).toBeLessThan(1)
    expect(bitsOf(model, paid('0a', '8'))).toBe(MAX_NEW_BITS)
    expect(explain(new Scorer({ role: model, pool: null }).surprise(paid('0a', '8')))).toContain('to the same target (#0a)')
  })

  test('of what is new no more counts than the bound; a doubtful source on top of nothing new counts whole', () => {
    const model = known(BEGIN)
    expect(bitsOf(model, ODD.slice(0, 3))).toBe(MAX_NEW_BITS)
    expect(bitsOf(model, ODD.slice(3))).toBeGreaterThan(MAX_NEW_BITS)
    expect(bitsOf(model, ODD)).toBe(bitsOf(model, ODD.slice(3)))
  })

  test('something new that the user asked for by name surprises little, something that nobody asked for whole', () => {
    const model = known(BEGIN)
    for (const [unit, context, value] of [
      ['tool', '', 'export_all'],
      ['host', 'send', 'drop.example'],
    ] as const) {
      const plain = bitsOf(model, [term(unit, context, value)])
      const asked = bitsOf(model, [{ ...term(unit, context, value), asked: true }])
      expect([value, plain > 9, asked > 0 && asked < plain / 2]).toEqual([value, true, true])
    }
    const source = term('source', 'send_mail#to', 'text read_mail.body')
    const together = bitsOf(model, [{ ...term('tool', '', 'export_all'), asked: true }, source])
    expect(together).toBe(bitsOf(model, [source]))
  })

  test('less doubt than the role shows with a tool is no surprise, more is', () => {
    const model = emptyModel()
    const lessons = Array.from({ length: 60 }, (_, n) => ({ terms: [term('doubt', 'send_mail', String(n % 4))], flagged: [] }))
    learnDay(model, 1, { lessons, by: { ...BY, warmUp: 1e9 } })
    const [none, some, much, more] = ['0', '3', '4', '12'].map((value) => bitsOf(model, [term('doubt', 'send_mail', value)]))
    expect(none).toBeLessThan(0.1)
    expect(some).toBeLessThan(2.1)
    expect(much).toBeGreaterThan(5)
    expect(more).toBe(much)
  })

  test('what a role has shown itself is not counted again as what all roles show', () => {
    const model = known(BEGIN)
    const alone = new Scorer({ role: model, pool: null })
    const pool = new Scorer({ role: model, pool: pooled([model]) })
    for (const terms of [ordinary(3).terms, ODD, [term('host', 'send', 'drop.example')]])
      expect(pool.surprise(terms)).toEqual(alone.surprise(terms))
  })

  test('the order of tools adds a bit at most, and never where people would be asked', () => {
    const model = known(BEGIN)
    learnDay(model, BEGIN, { lessons: [{ terms: [term('order', 'search', 'send_mail')], flagged: [] }], by: { ...BY, warmUp: 1e9 } })
    const surprise = new Scorer({ role: model, pool: null }).surprise([term('order', 'search', 'pay_invoice')])
    expect(surprise.bits).toBeGreaterThan(0)
    expect(surprise.bits).toBeLessThanOrEqual(1)
    expect(surprise.withoutOrder).toBe(0)
  })

  test('where a role has seen little it is compared with all roles', () => {
    const young = emptyModel()
    learnDay(young, 1, { lessons: [{ terms: [term('tool', '', 'search')], flagged: [] }], by: BY })
    const others = pooled([known(BEGIN), young])
    const usual = [term('source', 'send_mail#to', 'user')]
    const odd = [term('source', 'send_mail#to', 'text read_mail.body')]
    const scorer = new Scorer({ role: young, pool: others })
    expect(scorer.surprise(usual).bits).toBeLessThan(2)
    expect(scorer.surprise(odd).bits).toBeGreaterThan(8)
  })

  test('it says in words what is strange', () => {
    const surprise = new Scorer({ role: known(BEGIN), pool: null }).surprise(ODD)
    expect(explain(surprise)).toMatch(/`to` of `send_mail` from text read_mail.body: never seen \(\d+\.\d bits\)/)
    expect(explain({ parts: [] })).toBe('nothing in it is unusual')
  })
})

describe('poisoning', () => {
  proves('FUL-57', 'what is flagged and dripped in for 30 days never counts: no threshold moves', () => {
    const [before, after] = [known(BEGIN), dripped(ODD, true)]
    for (const odd of ODD) expect(bitsOf(after, [odd])).toBeGreaterThanOrEqual(bitsOf(before, [odd]))
    expect(waitingOf(after).filter(({ flagged }) => flagged)).toHaveLength(ODD.length)
  })

  test('what is not flagged counts for nothing for a fortnight, and for three sessions in a hundred after 30 days', () => {
    const after = dripped(ODD, false)
    // Of everything that the role does of the kind: a context that is all new has nothing else in it.
    for (const odd of ODD) expect(shareOf(after, keysOf(odd)[0] ?? '')).toBeLessThanOrEqual(0.03)
    for (const odd of ODD.slice(2)) expect([odd.unit, bitsOf(after, [odd]) > 3]).toEqual([odd.unit, true])
  })

  test('ordinary calls stay as ordinary as they were', () => {
    const [before, after] = [known(BEGIN), dripped(ODD, false)]
    for (let n = 0; n < 50; n += 1) expect(Math.abs(bitsOf(after, ordinary(n).terms) - bitsOf(before, ordinary(n).terms))).toBeLessThan(1)
  })

  test('however often a day shows a value, it adds no more than its bound', () => {
    const base = known(BEGIN)
    const key = 'host\tsend\tpartner.example'
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30 }), (sessions, days) => {
        const model = structuredClone(base)
        const flood = Array.from({ length: sessions }, () => ({ terms: [term('host', 'send', 'partner.example')], flagged: [] }))
        for (let day = 0; day < days; day += 1) {
          const before = shareOf(model, key)
          const total = model.places.get('host\tsend')?.total ?? 0
          learnDay(model, BEGIN + day, { lessons: flood, by: BY })
          expect(shareOf(model, key) - before).toBeLessThanOrEqual(Math.max(0.02 * before, 0.001, 1 / 7 / total) + 1e-6)
        }
      }),
      { numRuns: 20, seed: 1 },
    )
  })

  test('the planted calls of a known role are found at 1 % false alarms', () => {
    const scorer = new Scorer({ role: known(BEGIN), pool: null })
    const usual = Array.from({ length: 400 }, (_, n) => scorer.surprise(ordinary(n + 7_000).terms).bits).sort((a, b) => b - a)
    const threshold = usual[4] ?? 0
    const planted = Array.from({ length: 300 }, (_, n): readonly Term[] => {
      const { terms } = ordinary(n)
      if (n % 3 === 0) return [...terms, term('tool', '', `foreign_${n}`)]
      if (n % 3 === 1) return [...terms, term('host', 'send', `foreign-${n}.example`)]
      return terms.map((each) => (each.unit === 'volume' ? { ...each, value: String(Number(each.value) + 4) } : each))
    })
    expect(planted.filter((terms) => scorer.surprise(terms).bits > threshold).length / planted.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe('learning', () => {
  test('a session counts once, and the order of sessions does not matter', () => {
    const [one, other] = [emptyModel(), emptyModel()]
    const lessons = sessionsOf(1)
    learnDay(one, 1, { lessons, by: BY })
    learnDay(other, 1, { lessons: lessons.toReversed().map(({ terms }) => ({ terms: [...terms, ...terms], flagged: [] })), by: BY })
    const text = (model: RoleModel) => encodeState({ model, versions: new Map(), held: null })
    expect(text(other)).toBe(text(one))
    expect(one.sessions).toBe(SESSIONS_A_DAY)
  })

  test('what people accept counts, whatever it falls back on', () => {
    const model = dripped(ODD, true)
    const [odd] = ODD.slice(3)
    if (odd === undefined) throw new Error('no odd term')
    const before = bitsOf(model, [odd])
    for (const key of keysOf(odd)) expect(admit(model, key, true)).toBe(true)
    expect(bitsOf(model, [odd])).toBeLessThan(before - 5)
    expect(admit(model, keysOf(odd)[0] ?? '', true)).toBe(false)
  })

  test('a state is read back as it was written; what is none is refused', () => {
    const state = { model: dripped(ODD, false), versions: new Map([['v1', known(3)]]), held: 'v1' }
    const text = encodeState(state)
    const read = decodeState(JSON.parse(text))
    expect(read === null ? null : encodeState(read)).toBe(text)
    for (const bad of ['null', '{}', '{"v":2}', text.replace('"sessions":', '"sessions":-'), text.replace('"held":"v1"', '"held":1')])
      expect(decodeState(JSON.parse(bad))).toBeNull()
  })

  test('what changed is told, new things first', () => {
    const changes = changesBetween(known(3), dripped(ODD, false))
    expect(changes[0]).toMatchObject({ before: 0 })
    expect(changesBetween(known(3), known(3))).toEqual([])
  })
})

describe('what a record teaches', () => {
  const terms = [term('tool', '', 'search')]
  const observed = { layer: 'baseline', verdict: 'abstain', code: 'baseline.observed', evidence: observationJson('ops', terms, 1.5) }
  const permitted = { layer: 'registry', verdict: 'allow', code: 'registry.permitted' }
  const flag = { layer: 'baseline', verdict: 'flag', code: 'baseline.unusual' }
  const ask = { layer: 'baseline', verdict: 'ask', code: 'baseline.asked' }
  const risk = { score: 0 }
  const human = { by: 'human', verdict: 'allow' }
  const cases: readonly (readonly [string, object, 'plain' | 'flagged' | null])[] = [
    ['allowed', { decision: 'allow', risk, findings: [observed, permitted], resolutions: [] }, 'plain'],
    ['flagged by the baseline', { decision: 'flag', risk, findings: [observed, flag], resolutions: [] }, 'flagged'],
    [
      'flagged while little is known',
      { decision: 'flag', risk, findings: [observed, { ...flag, code: 'baseline.cold' }], resolutions: [] },
      'plain',
    ],
    [
      'flagged by another layer too',
      { decision: 'flag', risk, findings: [observed, flag, { ...flag, layer: 'flow' }], resolutions: [] },
      null,
    ],
    [
      'asked for the baseline, and people said yes',
      { decision: 'allow', risk, findings: [observed, ask], resolutions: [human] },
      'flagged',
    ],
    [
      'asked for something else, and people said yes',
      { decision: 'allow', risk, findings: [observed, { ...ask, layer: 'rules' }], resolutions: [human] },
      null,
    ],
    ['settled by a judge', { decision: 'allow', risk, findings: [observed, ask], resolutions: [{ by: 'judge', verdict: 'allow' }] }, null],
    ['denied', { decision: 'deny', risk, findings: [observed], resolutions: [] }, null],
    ['asked and open', { decision: 'ask', risk, findings: [observed, ask], resolutions: [] }, null],
    ['let run by shadow mode', { decision: 'allow', would: 'deny', risk, findings: [observed], resolutions: [] }, null],
    ['in a session at risk', { decision: 'allow', risk: { score: 0.25 }, findings: [observed], resolutions: [] }, null],
    ['not observed', { decision: 'allow', risk, findings: [permitted], resolutions: [] }, null],
    ['without a risk', { decision: 'allow', findings: [observed], resolutions: [] }, null],
  ]
  for (const [name, decision, kind] of cases) {
    test(name, () => expect(lessonOf({ decision } as never)?.kind ?? null).toBe(kind))
  }

  test('terms that are none of ours are left out', () => {
    const evidence = { role: 'ops', terms: [['tool', '', 'a'], ['nonsense', '', 'b'], ['tool', '', 'c\td'], 'e', ['tool', 1, 'f']] }
    const decision = { decision: 'allow', risk, findings: [{ ...observed, evidence }], resolutions: [] }
    expect(lessonOf({ decision })?.terms).toEqual([term('tool', '', 'a')])
  })
})
