import { userInfo } from 'node:os'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { plainQueue } from '../../commands/approvals.ts'
import { EXIT, UsageError, warn } from '../../terminal.ts'
import { packageVersion } from '../../version.ts'
import { watchInForce } from '../../watch.ts'
import { urlOf } from '../config.ts'
import { approvalServer } from './server.ts'

/** Clients give a call a minute by default. */
const WAIT_MS = 50_000

export interface ApprovalServerOptions {
  readonly policy?: string
  readonly console?: string
}

/** `countersign mcp approvals`: runs until the client is gone. */
export async function approvals(options: ApprovalServerOptions): Promise<number> {
  if (process.stdin.isTTY)
    throw new UsageError('an MCP client starts this and speaks to it; at a terminal there is `countersign approvals`')
  const given = options.console === undefined ? null : urlOf(options.console, '`--console`').origin
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const { queue, close } = plainQueue()
  const server = serveStdio(
    approvalServer({
      queue,
      person: `human:${userInfo().username}`,
      console: () => given ?? watched.current(null).policy?.server.publicUrl ?? null,
      version: packageVersion(),
      wait: WAIT_MS,
    }),
  )
  try {
    await new Promise<void>((resolve) => {
      process.stdin.once('end', resolve).once('close', resolve)
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
    })
    await server.close()
    return EXIT.ok
  } finally {
    watched.stop()
    close()
  }
}
