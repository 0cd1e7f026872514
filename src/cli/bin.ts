/** The command line from its sources. What is built starts by `program/shell.ts`. */
import { start } from './start.ts'

await start(process.argv.slice(2))
