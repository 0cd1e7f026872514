/** Keeps a changing tree until it is killed. Prints `kept <id>` once a capture is acknowledged. Arguments: the state directory, the tree. */
import { randomBytes } from 'node:crypto'
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openCaptures } from '../../../src/undo/captures.ts'
import { takeSnapshot } from '../../../src/undo/files/snapshot.ts'

const [home = '', tree = '', rounds = '1000000'] = process.argv.slice(2)
const LIMITS = { maxFiles: 1_000, maxBytes: 1 << 30 }

async function main(): Promise<void> {
  const store = openCaptures(home)
  for (let round = 0; round < Number(rounds); round++) {
    writeFileSync(join(tree, 'small'), `round ${round} ${process.pid}`)
    writeFileSync(join(tree, 'large'), Buffer.alloc(200_000, `round ${round} ${process.pid}`))
    const { entries, left } = await takeSnapshot([{ path: tree, goes: false }], store, LIMITS)
    const id = `und_${randomBytes(12).toString('hex')}`
    store.write({ id, at: Date.now(), until: Date.now() + 60_000, cwd: tree, ways: [{ name: 'files', run: 'files', entries, left }] })
    writeSync(1, `kept ${id}\n`)
  }
}

void main()
