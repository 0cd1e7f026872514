import { main } from './main.ts'

// INVARIANT: never exit 1 on a failure; and never before what was printed is out.
process.exitCode = await main(process.argv.slice(2))
