import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { stateDirectory } from '../view/state-directory.ts'
import { main } from './main.ts'

cacheCode()
// INVARIANT: never exit 1 on a failure; and never before what was printed is out.
process.exitCode = await main(process.argv.slice(2))

/** Node 22 and later keep compiled code; among the gate's own files, where the agent cannot put code of its own (T40). */
function cacheCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown }
  const home = stateDirectory()
  if (enableCompileCache !== undefined && existsSync(home)) enableCompileCache(join(home, 'cache'))
}
