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
  proves('AEG-12', 'a fence of any case or none is read; two answers and a score out of range are none', () => {
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
  })

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
