/** A thread for tests: answers, fails in ways that have names, dies, or does not come to an end. */
import { openStore } from '../../../src/store/sqlite/open.ts'
import { StoreError } from '../../../src/store/store.ts'
import { serveTasks, stepBack } from '../../../src/thread/serve.ts'

stepBack(1)

serveTasks({
  echo: (value: unknown) => ({ value }),
  bytes: (size: number) => {
    const value = new Uint8Array(size).fill(7)
    return { value, transfer: [value.buffer] }
  },
  slow: async (milliseconds: number) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return { value: milliseconds }
  },
  fail: () => {
    throw new StoreError('disk_full', 'no room')
  },
  store: (directory: string) => ({ value: openStore({ directory }).head().size }),
  odd: () => {
    throw 'no error at all'
  },
  die: () => process.exit(3),
  throwLater: () => {
    setImmediate(() => {
      throw new Error('out of nowhere')
    })
    return new Promise(() => {})
  },
  spin: () => {
    for (;;);
  },
  answer: () => process.exit(4),
  heard: () => process.exit(4),
})
