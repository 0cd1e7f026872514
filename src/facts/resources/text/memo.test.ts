import { describe, expect, it } from 'vitest'
import { remembering } from './memo.ts'

describe('results of texts that were seen lately', () => {
  const counted = (kept?: number) => {
    const made: string[] = []
    const get = remembering((text) => {
      made.push(text)
      if (text === 'bad') throw new Error('not read')
      return { text }
    }, kept)
    return { made, get }
  }

  it('are made once for each text, and are the same object', () => {
    const { made, get } = counted()
    expect(get('a')).toBe(get('a'))
    expect(get('b')).toEqual({ text: 'b' })
    expect(made).toEqual(['a', 'b'])
  })

  it('are dropped when more characters came than are kept, those used last latest', () => {
    const { made, get } = counted(4)
    for (const text of ['aa', 'bb', 'cc', 'aa', 'dd', 'ee', 'aa', 'bb']) get(text)
    expect(made).toEqual(['aa', 'bb', 'cc', 'dd', 'ee', 'bb'])
  })

  it('are not kept where there is none', () => {
    const { made, get } = counted()
    expect(() => get('bad')).toThrow('not read')
    expect(() => get('bad')).toThrow('not read')
    expect(made).toEqual(['bad', 'bad'])
  })
})
