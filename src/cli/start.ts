/** Starts the command line in this process: faults, exit codes, and what is answered without it. */
import { EXIT } from './terminal.ts'

/** INVARIANT: never exit 1 on a failure (hosts would run the call); and never before what was printed is out. */
export async function start(argv: readonly string[]): Promise<void> {
  process.on('uncaughtException', fault)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', fault)
  try {
    process.exitCode = await run(argv)
  } catch (error) {
    fault(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Resolves to the exit code. What the installed hook asks is answered without the command line: each call waits for the start of this process. */
export async function run(argv: readonly string[]): Promise<number> {
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
