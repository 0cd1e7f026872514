import { expect, test } from 'vitest'
import { callOf } from '../../test/support/calls.ts'
import { input } from '../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { openGate } from '../open.ts'
import { recordPrompt, withWords } from './session-words.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the newest words of the user go with each call, whichever process heard them, and another session has its own', async () => {
  const directory = stateDirectoryOfTest()
  const policy = () => ({ policy: null, error: 'none is needed', path: null })
  const [own, other] = [openGate({ home: directory, policy }), openGate({ home: directory, policy })]
  const task = (session: string | null) => withWords(own, callOf('read', {}, { session }), false).context.task
  expect([task('s-1'), task(null)]).toEqual([null, null])
  await recordPrompt(own, { kind: 'prompt', session: 's-1', text: 'one' })
  expect(task('s-1')).toBe('one')
  // Records of other kinds change nothing.
  await own.store.append(input(1))
  expect([task('s-1'), task('s-2')]).toEqual(['one', null])
  await recordPrompt(other, { kind: 'prompt', session: 's-1', text: 'two' })
  await turn()
  expect(task('s-1')).toBe('two')
  await recordPrompt(own, { kind: 'prompt', session: 's-2', text: 'three' })
  expect([task('s-1'), task('s-2')]).toEqual(['two', 'three'])
  // What was taken back was never said.
  const lost = own.store.run(
    () => {
      throw new Error('no')
    },
    { ...input(2), kind: 'session', session: 's-1', body: { event: 'prompt', task: 'four' } },
  )
  await expect(lost).rejects.toThrow('no')
  expect(task('s-1')).toBe('two')
})
