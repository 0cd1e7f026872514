/** The fixture over standard streams. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { factory } from './fixture.ts'

serveStdio(factory)
