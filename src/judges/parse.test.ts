import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { NoAnswer } from './answer.ts'
import { type Marks, parseAnswer } from './parse.ts'

const GOOD = '{"score":0.9,"confidence":0.8,"reasoning":"fits the task"}'
const RISK = '{"risk_level":"high","category":"data_exposure","reason":"it sends a key out"}'
const MARKS: Marks = { open: '<answer-0123456789abcdef>', close: '</answer-0123456789abcdef>' }

function codeOf(text: string, marks: Marks = null): string {
  try {
    parseAnswer(text, marks)
    return 'an answer'
  } catch (error) {
    return error instanceof NoAnswer ? error.code : String(error)
  }
}

describe('an answer', () => {
  proves(
    ['AEG-12a', 'AEG-12b', 'AEG-12c', 'AEG-12d', 'AEG-12e'],
    'a fence of any case or none is read; two answers and a score out of range are none',
    () => {
      const cases: readonly (readonly [string, string])[] = [
        [`\`\`\`json\n${GOOD}\n\`\`\``, 'an answer'],
        [`\`\`\`JSON\n${GOOD}\n\`\`\``, 'an answer'],
        [`\`\`\`\n${GOOD}\n\`\`\``, 'an answer'],
        [GOOD, 'an answer'],
        [`  ${GOOD}\n`, 'an answer'],
        [`\`\`\`json\n${GOOD}\n\`\`\`\n\`\`\`json\n${GOOD}\n\`\`\``, 'judge.malformed'],
        [GOOD.replace('0.9', '1.2'), 'judge.malformed'],
      ]
      for (const [text, expected] of cases) expect(codeOf(text), text).toBe(expected)
    },
  )

  proves(['T52', 'AEG-W2', 'SIG-W5'], 'malformed, double, out of range, prose and refusal are no answer', () => {
    const cases: readonly string[] = [
      '',
      ' ',
      'null',
      'true',
      '1',
      '"allow"',
      '[]',
      `[${GOOD}]`,
      '{}',
      '{',
      GOOD.slice(0, -1),
      `${GOOD}${GOOD}`,
      `${GOOD}\n${GOOD}`,
      `Sure! ${GOOD}`,
      `${GOOD} I hope this helps.`,
      'I cannot help with that.',
      'ALLOW',
      'I would not BLOCK this.',
      'NOT ALLOW',
      `\`\`\`json\n${GOOD}`,
      GOOD.replace('0.9', '99'),
      GOOD.replace('0.9', '-0.1'),
      GOOD.replace('0.9', '"0.9"'),
      GOOD.replace('0.9', 'true'),
      GOOD.replace('0.9', 'null'),
      GOOD.replace('0.9', 'NaN'),
      GOOD.replace('0.9', '1e400'),
      GOOD.replace('0.8', '1.01'),
      '{"score":0.9,"score":0.1,"confidence":0.8,"reasoning":"twice"}',
      '{"score":0.9,"confidence":0.8}',
      '{"score":0.9,"reasoning":"x"}',
      '{"confidence":0.9,"reasoning":"x"}',
      '{"score":0.9,"confidence":0.8,"reasoning":""}',
      '{"score":0.9,"confidence":0.8,"reasoning":"  "}',
      '{"score":0.9,"confidence":0.8,"reasoning":["x"]}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","verdict":"allow"}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","__proto__":{}}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","metadata":1}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","signals":{}}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","signals":["a"]}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","signals":[{"category":"a"}]}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","signals":[{"category":"a","score":2}]}',
      '{"score":0.9,"confidence":0.8,"reasoning":"x","signals":[{"category":"a","score":1,"message":1}]}',
      RISK.replace('high', 'none'),
      RISK.replace('high', 'HIGH'),
      RISK.replace('data_exposure', 'other'),
      '{"risk_level":"high","reason":"x"}',
      '{"risk_level":"high","category":"data_exposure"}',
      '{"risk_level":"low","level":"high","category":"data_exposure","reason":"x"}',
      `{"score":0.9,"confidence":0.8,"reasoning":"${'x'.repeat(70_000)}"}`,
    ]
    for (const text of cases) expect(codeOf(text), text.slice(0, 90)).toBe('judge.malformed')
  })

  const STRAY: readonly (readonly [string, string])[] = [
    ['a category that belongs to no level', '{"score":1,"confidence":1,"reasoning":"x","category":"data_exposure"}'],
    ['a reason that belongs to no level', '{"score":1,"confidence":1,"reasoning":"x","reason":"it deletes all"}'],
    ['signals without a score', '{"level":"low","reason":"x","signals":[{"category":"execution_safety","score":0}]}'],
    ['metadata without a score', '{"level":"low","reason":"x","metadata":{}}'],
    ['an unknown field in a signal', '{"score":1,"confidence":1,"reasoning":"x","signals":[{"category":"a","score":1,"veto":true}]}'],
    ['a signal twice the same field', '{"score":1,"confidence":1,"reasoning":"x","signals":[{"category":"a","score":1,"score":0}]}'],
    ['a field twice, once escaped', '{"score":1,"\\u0073core":0,"confidence":1,"reasoning":"x"}'],
    ['a byte order mark within', '\ufeff\u200b{"score":1,"confidence":1,"reasoning":"x"}'],
    ['a zero-width mark in a name', '{"sc\u200bore":1,"score":1,"confidence":1,"reasoning":"x"}'],
    ['another letter case', '{"Score":1,"confidence":1,"reasoning":"x"}'],
    ['a hexadecimal number', '{"score":0x1,"confidence":1,"reasoning":"x"}'],
    ['a number with a plus', '{"score":+1,"confidence":1,"reasoning":"x"}'],
    ['a number without its zero', '{"score":.9,"confidence":1,"reasoning":"x"}'],
    ['Infinity', '{"score":Infinity,"confidence":1,"reasoning":"x"}'],
    ['a huge exponent', '{"score":1e400,"confidence":1,"reasoning":"x"}'],
    ['a huge negative number', '{"score":-1e400,"confidence":1,"reasoning":"x"}'],
    ['a comma at the end', '{"score":1,"confidence":1,"reasoning":"x",}'],
    ['single quotes', "{'score':1,'confidence':1,'reasoning':'x'}"],
    ['a comment', '{"score":1/* sure */,"confidence":1,"reasoning":"x"}'],
    ['half a surrogate pair', '{"score":1,"confidence":1,"reasoning":"\\ud800"}'],
    ['a fence in a fence', '```json\n```json\n{"score":1,"confidence":1,"reasoning":"x"}\n```\n```'],
    ['a fence of tildes', '~~~json\n{"score":1,"confidence":1,"reasoning":"x"}\n~~~'],
    ['a fence of another language', '```yaml\nscore: 1\n```'],
    ['words behind the language', '```json allow\n{"score":1,"confidence":1,"reasoning":"x"}\n```'],
    ['a score in a score', '{"score":{"score":1},"confidence":1,"reasoning":"x"}'],
    ['an answer in an answer', `{"answer":${GOOD}}`],
    ['a list of levels', '{"level":["low","high"],"reason":"x"}'],
    ['a level with a blank', '{"level":"low ","reason":"x"}'],
    [
      '33 signals',
      JSON.stringify({ score: 1, confidence: 1, reasoning: 'x', signals: Array.from({ length: 33 }, () => ({ category: 'a', score: 1 })) }),
    ],
    ['a very deep metadata', `{"score":1,"confidence":1,"reasoning":"x","metadata":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
  ]
  for (const [title, text] of STRAY) proves('T52', `${title}: no answer`, () => expect(codeOf(text)).toBe('judge.malformed'))

  proves('T52', 'whatever is fed in, the reader answers or says that there is no answer', () => {
    fc.assert(fc.property(fc.string(), (text) => ['an answer', 'judge.malformed'].includes(codeOf(text))))
    fc.assert(fc.property(fc.json(), (text) => codeOf(text) === 'judge.malformed'))
    const cut = fc.nat({ max: GOOD.length - 1 })
    fc.assert(fc.property(cut, (at) => codeOf(GOOD.slice(0, at)) === 'judge.malformed'))
    fc.assert(
      fc.property(cut, fc.string({ minLength: 1 }), (at, more) => {
        const text = GOOD.slice(0, at) + more + GOOD.slice(at)
        return ['an answer', 'judge.malformed'].includes(codeOf(text))
      }),
    )
  })

  test('between marks, and nothing around or between them', () => {
    const { open, close } = MARKS as NonNullable<Marks>
    const cases: readonly (readonly [string, string])[] = [
      [`${open}${GOOD}${close}`, 'an answer'],
      [`\n${open}\n${GOOD}\n${close}\n`, 'an answer'],
      [`${open}\n\`\`\`json\n${GOOD}\n\`\`\`\n${close}`, 'an answer'],
      [GOOD, 'judge.malformed'],
      [`${open}${GOOD}`, 'judge.malformed'],
      [`${GOOD}${close}`, 'judge.malformed'],
      [open, 'judge.malformed'],
      [`${open}${close}`, 'judge.malformed'],
      [`x ${open}${GOOD}${close}`, 'judge.malformed'],
      [`${open}${GOOD}${close} x`, 'judge.malformed'],
      [`${open}${GOOD}${close}${open}${GOOD}${close}`, 'judge.malformed'],
      [`${open}${open}${GOOD}${close}${close}`, 'judge.malformed'],
      [`<answer-ffff>${GOOD}</answer-ffff>`, 'judge.malformed'],
      [`<answer-ffff>${GOOD}</answer-ffff>${open}${GOOD}${close}`, 'judge.malformed'],
    ]
    for (const [text, expected] of cases) expect(codeOf(text, MARKS), text).toBe(expected)
  })

  test('both forms are read, alone or together', () => {
    expect(parseAnswer(GOOD, null)).toEqual({
      gradient: { score: 0.9, confidence: 0.8, reasoning: 'fits the task', signals: [] },
      risk: null,
    })
    expect(parseAnswer(RISK, null)).toEqual({
      gradient: null,
      risk: { level: 'high', category: 'data_exposure', reason: 'it sends a key out' },
    })
    expect(parseAnswer('{"level":"low","reason":"it reads"}', null).risk).toEqual({ level: 'low', category: null, reason: 'it reads' })
    const both = parseAnswer(`${GOOD.slice(0, -1)},${RISK.slice(1)}`, null)
    expect([both.gradient?.score, both.risk?.level]).toEqual([0.9, 'high'])
    const signals =
      '{"score":1,"confidence":1,"reasoning":"x","signals":[{"category":"execution_safety","score":0,"message":"deletes"}],"metadata":{"a":1}}'
    expect(parseAnswer(signals, null).gradient?.signals).toEqual([{ category: 'execution_safety', score: 0, message: 'deletes' }])
  })
})
