import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { rowsOf } from './arguments.ts'
import { FIRST_LOOK, FIRST_ROWS, NEXT_LOOK, type Seen, showMore, shownUnits, unread, unseen } from './seen.ts'

const NOTHING: Seen = new Map()
const long = 'x'.repeat(FIRST_LOOK.units + 1)

describe('what was seen of a call', () => {
  for (const [title, args, cut] of [
    ['nothing at all', {}, []],
    ['a short command', { command: 'ls' }, []],
    ['a text as long as a first look', { a: 'x'.repeat(FIRST_LOOK.units) }, []],
    ['one character more', { a: long }, ['/a']],
    ['as many lines as a first look', { a: 'x\n'.repeat(FIRST_LOOK.lines) }, []],
    ['one line more', { a: `${'x\n'.repeat(FIRST_LOOK.lines)}y` }, ['/a']],
    ['padding that hides nothing', { a: `echo hi${' '.repeat(10_000)}; rm -rf x` }, []],
    ['hidden padding', { a: `echo hi${'\u200b'.repeat(10_000)}; rm -rf x` }, []],
    ['padding of two hidden characters in turn', { a: `echo hi${'\u200b\u200c'.repeat(5_000)}; rm -rf x` }, ['/a']],
    ['padding beyond what is looked at', { a: `echo hi${' '.repeat(30_000)}; rm -rf x` }, ['/a']],
    ['padding by letters', { a: `echo hi #${'a'.repeat(10_000)}\nrm -rf x` }, ['/a']],
    ['padding by line ends', { a: `echo hi${'\n'.repeat(500)}rm -rf x` }, []],
    ['padding by blank lines', { a: `echo hi${' \n'.repeat(500)}rm -rf x` }, ['/a']],
    ['two long texts', { a: long, b: { c: long } }, ['/a', '/b/c']],
    ['as many rows as are shown', Object.fromEntries(Array.from({ length: FIRST_ROWS }, (_, i) => [`k${i}`, i])), []],
    ['one row more', Object.fromEntries(Array.from({ length: FIRST_ROWS + 1 }, (_, i) => [`k${i}`, i])), ['rows']],
  ] as const) {
    proves('T24', `${title}: ${cut.length === 0 ? 'nothing is cut' : `cut at ${cut.join(', ')}`}`, () => {
      expect(unseen(rowsOf(args), NOTHING, false)).toEqual(cut)
    })
  }

  test('one press shows a long text, and then nothing is cut', () => {
    const [row] = rowsOf({ a: long })
    if (row === undefined) throw new Error('no row')
    expect(unseen([row], showMore(row, NOTHING), false)).toEqual([])
  })

  test('a very long text takes as many presses as it is long', () => {
    const rows = rowsOf({ a: 'x'.repeat(FIRST_LOOK.units + NEXT_LOOK * 2 + 1) })
    const [row] = rows
    if (row === undefined) throw new Error('no row')
    let seen = NOTHING
    const left: number[] = []
    for (let press = 0; press < 3; press++) {
      seen = showMore(row, seen)
      left.push(row.value.length - shownUnits(row, seen))
    }
    expect(left).toEqual([NEXT_LOOK + 1, 1, 0])
  })

  test('rows that were left out count until they are shown', () => {
    const rows = rowsOf(Object.fromEntries(Array.from({ length: FIRST_ROWS + 5 }, (_, i) => [`k${i}`, i])))
    expect([unseen(rows, NOTHING, false), unseen(rows, NOTHING, true)]).toEqual([['rows'], []])
  })
})

describe('what keeps from a yes', () => {
  for (const [cut, ended, expected] of [
    [0, true, null],
    [1, true, 'Show the whole call first: 1 part is cut.'],
    [2, false, 'Show the whole call first: 2 parts are cut.'],
    [0, false, 'Read to the end of the call first: it goes on below.'],
    [0, null, ''],
    [3, null, 'Show the whole call first: 3 parts are cut.'],
  ] as const) {
    test(`${cut} cut, its end seen: ${ended}`, () => expect(unread(cut, ended)).toBe(expected))
  }
})
