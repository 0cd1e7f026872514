import { existsSync, writeFileSync } from 'node:fs'
import { draftPolicy } from '../../proxies/mcp/draft.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'
import type { ServerEntry } from './config.ts'
import { offersOf } from './offers.ts'

/** `countersign mcp --draft`: a first policy for these servers, on standard output or in a new file. */
export async function draft(servers: readonly ServerEntry[], out: string | null): Promise<number> {
  if (out !== null && existsSync(out)) throw new UsageError(`\`${out}\` is there already; choose another file with \`--out\``)
  const text = draftPolicy(await offersOf(servers))
  if (out === null) print(text.trimEnd())
  else {
    writeFileSync(out, text, { flag: 'wx', mode: 0o600 })
    warn(`countersign: read \`${out}\`, check it with \`countersign policy lint ${out}\`, and use it with \`--policy ${out}\``)
  }
  return EXIT.ok
}
