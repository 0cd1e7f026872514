/** Takes back what one capture kept, as `countersign undo` does but for the gate. Prints what could not be put back. Arguments: the state directory, the id. */
import { writeSync } from 'node:fs'
import { captureIn, openCaptures } from '../../../src/undo/captures.ts'
import { keepCurrent, stepsOf, take } from '../../../src/undo/undo.ts'

async function main([home = '', id = '']: readonly string[]): Promise<void> {
  const parts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  const steps = await stepsOf(captureIn(parts.store.read(id) ?? ''), parts)
  await keepCurrent(steps, parts)
  for (const step of steps) for (const problem of await take(step, parts)) writeSync(1, `${problem}\n`)
}

void main(process.argv.slice(2))
