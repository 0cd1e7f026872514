/** What was kept, in the clear, for a person who goes the way back by hand. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capture, Way } from './captures.ts'
import { piecesOf, type Vault } from './sealed.ts'
import { keptState } from './services/terraform.ts'

/** Writes dumps and states of the capture into the directory, for this user alone. Answers the files. @throws where one is there already. */
export function exportKept({ ways }: Capture, directory: string, vault: Vault): readonly string[] {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return ways.flatMap((way, index) => {
    const kept = clearOf(way, vault)
    if (kept === null) return []
    const path = join(directory, `${index + 1}-${kept.name}`)
    writeFileSync(path, kept.bytes, { flag: 'wx', mode: 0o600 })
    return [path]
  })
}

function clearOf(way: Way, vault: Vault): { readonly name: string; readonly bytes: Uint8Array } | null {
  switch (way.run) {
    case 'terraform':
      return way.stack.file === null ? null : { name: `${way.stack.workspace}.tfstate`, bytes: Buffer.from(keptState(way.stack, vault)) }
    case 'database':
      return { name: `${way.dump.database}.dump`, bytes: Buffer.concat([...piecesOf(vault, way.dump.dump)]) }
    case 'kubernetes':
      return { name: 'objects.json', bytes: Buffer.from(`${JSON.stringify(way.state, null, 2)}\n`) }
    default:
      return null
  }
}
