import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { stateDirectory } from '../view/state-directory.ts'
import { EXIT } from './terminal.ts'

// INVARIANT: never exit 1 on a failure (hosts would run the call); and never before what was printed is out.
process.on('uncaughtException', fault)
for (const stream of [process.stdout, process.stderr]) stream.on('error', fault)
cacheCode()
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  fault(error instanceof Error ? error : new Error(String(error)))
}

/** What the installed hook asks is answered without the command line: each call waits for the start of this process. */
async function run(argv: readonly string[]): Promise<number> {
  const [command, agent, sealed] = argv
  if (command === 'hook' && agent !== undefined && sealed === '--sealed' && argv.length === 3)
    return (await import('./commands/hook.ts')).hook(agent, { sealed: true })
  return (await import('./main.ts')).main(argv)
}

/** A reader that went away (`| head`) needs no message; everything else does. */
function fault(error: Error): never {
  if (!('code' in error && error.code === 'EPIPE')) tell(`countersign: ${error.message}\n`)
  process.exit(EXIT.usage)
}

function tell(text: string): void {
  try {
    process.stderr.write(text)
  } catch {
    // Nobody is left to be told; the exit code says it.
  }
}

/** Node 22 and later keep compiled code; among the gate's own files, where the agent cannot put code of its own (T40). */
function cacheCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown }
  const home = stateDirectory()
  if (enableCompileCache !== undefined && existsSync(home)) enableCompileCache(join(home, 'cache'))
}
