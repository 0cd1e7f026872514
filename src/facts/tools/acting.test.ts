import { describe, expect, test } from 'vitest'
import { factsOf } from './tool-harness.ts'

/** Tools in whose name no verb is known: what each is given to act on, or null where it only tells. */

const acts = (
  tool: string,
  args: Parameters<typeof factsOf>[1],
  annotations: Parameters<typeof factsOf>[1] | null = null,
): string | null => {
  const definition = annotations === null ? undefined : { description: null, inputSchema: null, annotations }
  const { effects } = factsOf(tool, args, definition === undefined ? {} : { definition })
  return effects.find(({ action }) => action === 'tool:change')?.target.value ?? null
}

describe('acts', () => {
  for (const [tool, args, on] of [
    ['vent_chamber', { chamber: 'C2' }, 'C2'],
    ['inoculate_culture', { plate: 'P-4', strain: 'k12' }, 'P-4'],
    ['slew_to', { ra: 10.6, dec: 41.2 }, 'slew_to'],
    ['shut_down', {}, 'shut_down'],
    ['dispense', { well: 'A1', amount: 20 }, 'A1'],
    ['fillFuelTank', { fuelAmount: 45 }, '45'],
    ['pour', { amount: 2, unit: 'l' }, '2'],
    ['fumigate', { rooms: [{ id: 'r-1' }] }, 'r-1'],
    ['annex_parcel', { city: 'Rome', parcel: '12/4' }, '12/4'],
    ['power_cycle', { host: 'db-1' }, 'db-1'],
    // What an id is of, not what sorts.
    ['frobnicate', { order_id: 'o-1' }, 'o-1'],
    ['sequester', { unit: 'u-9' }, 'u-9'],
    ['dose', { table: '4' }, '4'],
    ['parcel_cancellation', { parcel: 'p-1' }, 'p-1'],
    ['berth_vessel', { vessel: 'v-1', berth: 'B4' }, 'v-1'],
    ['input_to_form', { input_ids: ['a'] }, 'a'],
    ['frobnicate', { deep: { deeper: [{ ref: 'x-1' }] } }, 'x-1'],
    ['annex_parcels', { url: 'https://x.example/f', values: ['a', 'b'] }, 'a'],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(acts(tool, args)).toBe(on))
  }
  test('among more arguments than are looked at', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at}`, at]))
    expect(acts('frobnicate', many)).toBe('more than can be looked at')
  })
  test('where its server says that it destroys', () => expect(acts('vent', { chamber: 'C2' }, { destructiveHint: true })).toBe('C2'))
})

describe('only tells', () => {
  for (const [tool, args] of [
    ['cart_total', { cart: 'c-1' }],
    ['player_statistics', { player: 'Ann', season: '2026' }],
    ['recipe_finder', { ingredients: ['rice'] }],
    ['sentiment_classifier', { text: 'I love it' }],
    ['price_prediction', { item: 'x' }],
    ['weather', { city: 'Rome', days: 3, units: 'metric' }],
    ['tides', { location: 'Brest', from_date: '2026-11-28', include_moon: true }],
    ['modulo', { a: 7, b: 3 }],
    ['midpoint', { points: [1, 2, 3] }],
    ['gallon_to_liter', { gallon: 13 }],
    ['gallery', {}],
    ['departures', { line: 'S1' }],
    ['parcel_whereabouts', { parcel: 'p-1' }],
    ['melody_provenance', { melody_id: 't-1' }],
    ['cousins_of', { person: 'p-1' }],
    ['adoptable_animals', { species: 'cat' }],
    ['acme_gql', { document: 'query Q { users { id } }' }],
    ['cd', { folder: 'docs' }],
    ['thumbnail', { file_path: '/repo/a.png', width: 30 }],
  ] as const) {
    test(`${tool} ${JSON.stringify(args)}`, () => expect(acts(tool, args)).toBe(null))
  }
  test('a thing that its schema does not know is none of its name', () => {
    const definition = { description: null, inputSchema: { properties: { chamber: { type: 'string' } } }, annotations: null }
    const { effects } = factsOf('vent_chamber', { chamber: 'C2', vent: 'x' }, { definition })
    expect(effects.some(({ action }) => action === 'tool:change')).toBe(true)
  })
  test('because it says so', () => expect(acts('assay', { sample: 's-1' }, { readOnlyHint: true })).toBe(null))
  test('what its command does is judged as that', () => expect(acts('acme_do', { command: 'rm', args: ['-r', 'x'] })).toBe(null))
})
