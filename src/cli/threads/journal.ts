/** The thread that copies the journal of the log into its file, so that no commit has to. */
import { workerData } from 'node:worker_threads'
import { CHECKPOINT } from '../../server/apart/message.ts'
import { openReadStore, type ReadStore } from '../../store/sqlite/open.ts'
import { serveTasks, stepBack } from '../../thread/serve.ts'
import type { JournalData } from './open.ts'

const NICENESS = 5
const { home } = workerData as JournalData
stepBack(NICENESS)

let opened: ReadStore | null = null

serveTasks({
  [CHECKPOINT]: () => {
    opened ??= openReadStore({ directory: home })
    opened.checkpoint()
    return { value: null }
  },
})
