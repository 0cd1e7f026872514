/** The corpus through the hook of every agent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOSTS } from '../../src/hosts/all.ts'
import { type Case, readCorpus } from './corpus.ts'
import { afterHalt, HALTED } from './halted.ts'
import { makePlace, type Place } from './place.ts'
import { differences, type Through, through } from './seam.ts'
import { house, library } from './seams/direct.ts'
import { hostBench, writeServers } from './seams/hosts.ts'
import { HOST_SEAMS, LIBRARY } from './seams/list.ts'

const serversIn = (all: readonly Case[]): readonly string[] => [
  ...new Set(all.flatMap(({ form }) => (form.kind === 'server' ? [form.server] : []))),
]

let place: Place
let cases: readonly Case[]
let like: Through
beforeAll(async () => {
  place = makePlace()
  cases = readCorpus(place)
  writeServers(place.home, serversIn(cases))
  const bench = library(place)
  like = await through(LIBRARY, bench, cases)
  await bench.close()
}, 60_000)
afterAll(() => place.remove())

test('every agent that has an adapter is a seam', () => {
  expect(HOST_SEAMS.map(({ name }) => name).sort()).toEqual(HOSTS.map(({ name }) => name).sort())
})

describe.each(HOST_SEAMS)('$title', (seam) => {
  test('decides as the library does, records the same, and tells the agent so', async () => {
    const opened = await house(place, seam.name, seam.name === 'claude-code')
    const bench = hostBench(seam.name, place, opened)
    const seen = await through(seam, bench, cases)
    const stopped = await afterHalt(seam, bench, cases)
    await opened.close()
    expect(differences({ seam, cases, places: place, seen, like })).toEqual([])
    expect(stopped ?? HALTED).toEqual(HALTED)
  }, 60_000)
})
