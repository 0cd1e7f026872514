import { describe, expect, test } from 'vitest'
import type { RecordQuery } from '../store/store.ts'
import { createFeed } from './feed.ts'
import type { Heard } from './sse-events.ts'

/** A log in memory that can be made to fail. */
function log() {
  const records: Heard[] = []
  const state = { broken: false, reads: 0 }
  return {
    state,
    records,
    add: (count = 1) => {
      for (let i = 0; i < count; i += 1) records.push({ sequence: records.length + 1 } as Heard)
    },
    read: ({ after = 0, limit = Number.POSITIVE_INFINITY }: RecordQuery): readonly Heard[] => {
      state.reads += 1
      if (state.broken) throw new Error('broken')
      return records.filter(({ sequence }) => sequence > after).slice(0, limit)
    },
    head: () => records.length,
  }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

function ears() {
  const heard: number[] = []
  let ended = 0
  return {
    heard,
    ended: () => ended,
    listen: {
      heard: ({ sequence }: Heard) => void heard.push(sequence),
      ended: () => {
        ended += 1
      },
    },
  }
}

describe('a feed', () => {
  test('tells only what comes, in order, once', async () => {
    const source = log()
    source.add(3)
    const feed = createFeed(source)
    const ear = ears()
    feed.listen(ear.listen)
    source.add(2)
    feed.poke()
    feed.poke()
    await turn()
    source.add()
    feed.poke()
    await turn()
    expect(ear.heard).toEqual([4, 5, 6])
    feed.close()
  })

  for (const [after, expected] of [
    [0, [1, 2, 3, 4]],
    [2, [3, 4]],
    [3, [4]],
    [9, [4]],
  ] as const) {
    test(`after ${after} of 3: ${expected.join(', ')}`, async () => {
      const source = log()
      source.add(3)
      const feed = createFeed(source)
      const ear = ears()
      feed.listen({ ...ear.listen, after })
      source.add()
      feed.poke()
      await turn()
      expect(ear.heard).toEqual(expected)
      feed.close()
    })
  }

  test('a listener that comes late is not told twice what others wait for', async () => {
    const source = log()
    const feed = createFeed(source)
    const [one, two] = [ears(), ears()]
    feed.listen(one.listen)
    source.add(2)
    feed.listen({ ...two.listen, after: 0 })
    feed.poke()
    await turn()
    expect([one.heard, two.heard]).toEqual([
      [1, 2],
      [1, 2],
    ])
    feed.close()
  })

  test('tells more than one page at once', async () => {
    const source = log()
    const feed = createFeed(source)
    const ear = ears()
    feed.listen(ear.listen)
    source.add(1_234)
    feed.poke()
    await turn()
    expect(ear.heard).toHaveLength(1_234)
    feed.close()
  })

  test('looks by itself at what another process wrote', async () => {
    const source = log()
    const feed = createFeed({ ...source, interval: 5 })
    const ear = ears()
    feed.listen(ear.listen)
    source.add()
    while (ear.heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(ear.heard).toEqual([1])
    feed.close()
  })

  test('does not look while nobody listens', async () => {
    const source = log()
    const feed = createFeed({ ...source, interval: 1 })
    const listening = feed.listen(ears().listen)
    listening.stop()
    const before = source.state.reads
    feed.poke()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([source.state.reads, feed.size()]).toEqual([before, 0])
  })

  test('a log that fails is read again later, and nothing is lost', async () => {
    const source = log()
    const feed = createFeed(source)
    const ear = ears()
    feed.listen(ear.listen)
    source.add()
    source.state.broken = true
    feed.poke()
    await turn()
    source.state.broken = false
    feed.poke()
    await turn()
    expect(ear.heard).toEqual([1])
    feed.close()
  })

  test('a listener may stop while it is told', async () => {
    const source = log()
    const feed = createFeed(source)
    const other = ears()
    const heard: number[] = []
    const listening = feed.listen({
      heard: ({ sequence }) => {
        heard.push(sequence)
        listening.stop()
      },
      ended: () => {},
    })
    feed.listen(other.listen)
    source.add(2)
    feed.poke()
    await turn()
    expect([heard, other.heard]).toEqual([[1], [1, 2]])
    feed.close()
  })

  test('ends for all, once, and for whoever comes later', () => {
    const feed = createFeed(log())
    const [one, two] = [ears(), ears()]
    feed.listen(one.listen)
    feed.close()
    feed.close()
    feed.listen(two.listen)
    expect([one.ended(), two.ended(), feed.size()]).toEqual([1, 1, 0])
  })
})
