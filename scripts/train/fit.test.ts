import { describe, expect, test } from 'vitest'
import { assess, loadModel } from '../../src/judges/embedded/model.ts'
import { areaOf, estimate, recallAt, type Scored, shareOf } from './bootstrap.ts'
import type { Row } from './corpus.ts'
import { FIT, fitModel, randomOf, riskOf } from './fit.ts'
import { generate } from './grammar.ts'
import { moduleOf, pack } from './ship.ts'

const [DELETE, READ, SECRET, WORD] = [11, 22, 33, 44]

/** Deleting is an attack, reading is not; every group has both, and one of them a constant of its own in its attacks. */
function rows(): readonly Row[] {
  return ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((group) =>
    Array.from({ length: 40 }, (_, at): Row => {
      const attack = at % 2 === 0
      const named = Uint32Array.from([attack ? DELETE : READ])
      const text = Uint32Array.from([...(group === 'a' && attack ? [SECRET] : []), ...(attack ? [WORD] : [])])
      const told = { set: group, session: String(at), cluster: `${group} ${at}`, sessionLabel: null, decision: 'ask', reversible: true }
      return { group, ...told, label: attack ? 1 : 0, named, bare: named, text }
    }),
  )
}

describe('the fit', () => {
  const fitted = fitModel(rows())
  const of = (named: readonly number[], text: readonly number[] = []) => riskOf(fitted, { named, text })

  test('tells what it was shown apart, and no weight is below zero', () => {
    expect(of([DELETE], [WORD])).toBeGreaterThan(of([READ]) + 1)
    expect([...fitted.named.values(), ...fitted.text.values()].every((weight) => weight >= 0)).toBe(true)
    expect(fitted.named.get(READ)).toBe(0)
  })

  test('a constant of one source has no weight, however well it tells attacks apart', () => {
    expect(fitted.text.has(SECRET)).toBe(false)
    expect(fitted.text.has(WORD)).toBe(true)
    expect(of([READ], [SECRET])).toBe(of([READ]))
  })

  test('the same rows give the same weights, another seed gives others', () => {
    expect(fitModel(rows())).toEqual(fitted)
    expect(fitModel(rows(), { ...FIT, seed: 1 })).not.toEqual(fitted)
  })

  test('what ships says the same, to a step of a weight, and its text is the same each time', () => {
    const calibration = { method: 'platt', intercept: 0.5, slopes: [1, 0], steps: [] } as const
    const data = pack(fitted, calibration)
    const model = loadModel(data)
    for (const [named, text] of [
      [[DELETE], [WORD]],
      [[READ], []],
      [[DELETE, READ], [SECRET]],
    ] as const) {
      const { risk } = assess(model, { named: new Map(named.map((hash) => [hash, ''])), text: new Set(text) })
      expect(Math.abs(risk - of(named, text))).toBeLessThan(0.05)
    }
    expect(moduleOf(data)).toBe(moduleOf(pack(fitModel(rows()), calibration)))
    expect(moduleOf(data)).toContain(`name: '${data.name}'`)
  })
})

describe('the grammar', () => {
  test('is the same for the same seed, and fills every slot', () => {
    expect(generate(7, 2)).toEqual(generate(7, 2))
    expect(generate(7, 2)).not.toEqual(generate(8, 2))
    const texts = generate(7, 3).flatMap(({ args, task }) => [...Object.values(args).map(String), task ?? ''])
    expect(texts.filter((text) => /\{(?:dir|file|word|evil|host|secret|home|system|number|person|stranger)\}/.test(text))).toEqual([])
  })

  test('has both kinds, with shell commands and tools of each', () => {
    const all = generate(7, 1)
    for (const label of [0, 1]) {
      expect(all.some((each) => each.label === label && each.tool === 'Bash')).toBe(true)
      expect(all.some((each) => each.label === label && each.tool !== 'Bash')).toBe(true)
    }
  })

  test('speaks of one thing within one call', () => {
    for (const { args, task, template } of generate(3, 20)) {
      if (template === 'send_email 0') expect(task).toContain(String(args.to))
      if (template === 'send_email 1') expect(task).not.toContain(String(args.to))
    }
  })

  test('random numbers are spread and repeat', () => {
    const [one, two] = [randomOf(1), randomOf(1)]
    const drawn = Array.from({ length: 1_000 }, () => one())
    expect(drawn).toEqual(Array.from({ length: 1_000 }, () => two()))
    expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true)
    expect(drawn.reduce((sum, value) => sum + value, 0) / 1_000).toBeCloseTo(0.5, 1)
  })
})

describe('figures with intervals', () => {
  const scored = (...pairs: readonly (readonly [risk: number, attack: 0 | 1])[]): readonly Scored[] =>
    pairs.map(([risk, attack], at) => ({ cluster: String(at), attack: attack === 1, risk, weight: 1 }))
  const ones = (items: readonly unknown[]) => new Float64Array(items.length).fill(1)

  for (const [name, items, area, recall] of [
    ['apart', scored([0, 0], [1, 0], [2, 1], [3, 1]), 1, 1],
    ['the wrong way round', scored([0, 1], [1, 1], [2, 0], [3, 0]), 0, 0],
    ['all the same', scored([1, 0], [1, 1], [1, 0], [1, 1]), 0.5, 0],
    ['one attack above all benign calls', scored([0, 1], [1, 0], [2, 0], [3, 1]), 0.5, 0.5],
    ['one kind', scored([0, 0], [1, 0]), null, null],
  ] as const) {
    test(name, () => {
      expect(areaOf(items, ones(items))).toBe(area)
      expect(recallAt(0.1)(items, ones(items))).toBe(recall)
    })
  }

  test('a weight of two is a call twice', () => {
    const items = scored([0, 0], [1, 1], [2, 0], [3, 1])
    const twice = scored([0, 0], [0, 0], [1, 1], [2, 0], [3, 1])
    expect(areaOf(items, Float64Array.from([2, 1, 1, 1]))).toBe(areaOf(twice, ones(twice)))
  })

  test('an interval holds its value; clusters that differ widen it', () => {
    const holds = shareOf<{ readonly cluster: string; readonly hit: boolean }>(({ hit }) => hit)
    const items = (clusters: number) =>
      Array.from({ length: 200 }, (_, at) => ({ cluster: String(at % clusters), hit: (at % clusters) % 2 === 0 }))
    const [few, many] = [estimate(items(4), holds, () => 1), estimate(items(200), holds, () => 1)]
    for (const each of [few, many]) expect(each !== null && each.low <= each.value && each.value <= each.high).toBe(true)
    expect((few?.high ?? 0) - (few?.low ?? 0)).toBeGreaterThan(2 * ((many?.high ?? 0) - (many?.low ?? 0)))
    expect(estimate([], holds, () => 1)).toBeNull()
  })
})
