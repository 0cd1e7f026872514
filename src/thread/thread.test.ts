import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bundled } from '../../test/support/program.ts'
import { StoreError } from '../store/store.ts'
import { openThread, ThreadLost, type ThreadOptions, threadFile } from './thread.ts'

const FILE = pathToFileURL(bundled(new URL('../../test/fault/programs/thread.ts', import.meta.url)))

function opened(options: Partial<ThreadOptions> = {}) {
  const thread = openThread({ file: FILE, ...options })
  onTestFinished(() => thread.close())
  return thread
}

const problem = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

describe('a thread', () => {
  test('answers each task by its name, those that wait beside each other', async () => {
    const thread = opened()
    const order: unknown[] = []
    const note = (value: unknown) => order.push(value)
    await Promise.all([thread.ask('slow', 60).then(note), thread.ask('echo', { a: [1] }).then(note)])
    expect(order).toEqual([{ a: [1] }, 60])
    expect(thread.size()).toBe(0)
  })

  test('memory is handed over, not copied', async () => {
    const thread = opened()
    const sent = new Uint8Array(1_000_000).fill(3)
    const back = await thread.ask<Uint8Array>('echo', sent, [sent.buffer])
    expect([sent.length, back.length, back[999_999]]).toEqual([0, 1_000_000, 3])
    expect((await thread.ask<Uint8Array>('bytes', 10)).join('')).toBe('7777777777')
  })

  test('what a task throws is thrown where it was asked, a fault of the store as such', async () => {
    const thread = opened()
    const failure = await problem(thread.ask('fail', null))
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({ fault: 'disk_full', code: 'infra.audit_unavailable', message: 'no room' })
    expect(await problem(thread.ask('odd', null))).toMatchObject({ message: 'no error at all' })
    expect(await problem(thread.ask('constructor', null))).toMatchObject({ message: 'there is no task `constructor`' })
    expect(await problem(thread.ask('echo', () => {}))).toMatchObject({ name: 'DataCloneError' })
    expect(await thread.ask('echo', 1)).toBe(1)
    expect(thread.size()).toBe(0)
  })

  for (const task of ['die', 'throwLater', 'spin']) {
    proves('P4', `that is lost loses all that waits for it (${task}), is not started again at once, and then is`, async () => {
      const lines: string[] = []
      const thread = opened({ patience: 2_000, note: (line) => lines.push(line) })
      expect(await thread.ask('echo', 1)).toBe(1)
      const waiting = [thread.ask(task, null), thread.ask('slow', 60_000)]
      for (const asked of waiting) expect(await problem(asked)).toBeInstanceOf(ThreadLost)
      expect([thread.size(), lines.length]).toEqual([0, 1])
      expect(await problem(thread.ask('echo', 2))).toBeInstanceOf(ThreadLost)
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      expect(await thread.ask('echo', 3)).toBe(3)
    })
  }

  test('that cannot be started, and one that was closed, answer nothing', async () => {
    const missing = opened({ file: new URL('nowhere.mjs', FILE) })
    expect(await problem(missing.ask('echo', 1))).toBeInstanceOf(ThreadLost)
    const thread = opened()
    const under = thread.ask('slow', 60_000)
    thread.close()
    expect(await problem(under)).toBeInstanceOf(ThreadLost)
    expect(await problem(thread.ask('echo', 1))).toBeInstanceOf(ThreadLost)
  })

  test('is found beside the program that is built, else among the sources', () => {
    const from = import.meta.url
    expect(threadFile('nothing', { from, source: './thread.ts' })).toEqual(new URL('./thread.ts', from))
    expect(threadFile('thread', { from: FILE.href, source: './x.ts' })).toEqual(new URL('./x.ts', FILE))
  })
})
