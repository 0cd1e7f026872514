import { userInfo } from 'node:os'
import type { JsonObject } from '../../core/json.ts'
import { canonicalToolName } from '../../core/tool-name.ts'
import { stateDirectory } from '../../open.ts'
import { type Acceptor, acceptPin, forgetPin, PinError } from '../../pins/accept.ts'
import { type PinnedTool, readPins, toolName } from '../../pins/store.ts'
import { definitionChanges } from '../../session/pin.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

interface Named {
  readonly tenant?: string
}

interface Changing extends Named {
  readonly reason?: string
}

/** `pins list`: every tool whose definition was seen, and what waits to be accepted. */
export async function list(options: { json?: boolean }): Promise<number> {
  const tools = all()
  for (const tool of tools) print(options.json === true ? JSON.stringify(toJson(tool)) : visible(line(tool)))
  if (tools.length === 0 && options.json !== true) print('no definition of a tool was seen yet')
  return EXIT.ok
}

/** `pins show`: one tool, what is pinned, what was seen besides, and what changed. */
export async function show(name: string, options: Named): Promise<number> {
  print(JSON.stringify(toJson(one(name, options)), null, 2))
  return EXIT.ok
}

/** `pins accept`: holds the tool to the definition with this digest. */
export async function accept(name: string, digest: string, options: Changing): Promise<number> {
  const tool = one(name, options)
  for (const change of definitionChanges(tool.pinned?.definition ?? null, tool.seen?.definition ?? null)) print(visible(change))
  await change(options, (acceptor) => acceptPin(tool, digest, acceptor))
  return EXIT.ok
}

/** `pins remove`: the next definition is the first one again. */
export async function remove(name: string, options: Changing): Promise<number> {
  const tool = one(name, options)
  await change(options, (acceptor) => forgetPin(tool, acceptor))
  return EXIT.ok
}

function all(): readonly PinnedTool[] {
  const store = openStore({ directory: stateDirectory() })
  try {
    return store.query((tx) => readPins(tx, loadKeys(stateDirectory()).ring))
  } finally {
    store.close()
  }
}

function one(name: string, { tenant }: Named): PinnedTool {
  const found = all().filter((tool) => toolName(tool) === canonicalToolName(name) && (tenant === undefined || tool.tenant === tenant))
  const [tool, other] = found
  if (tool === undefined) throw new UsageError(`no definition of \`${visible(name)}\` was seen; \`countersign pins list\` shows which were`)
  if (other !== undefined) {
    const tenants = found.map((each) => `\`${visible(each.tenant)}\``).join(', ')
    throw new UsageError(`several tenants have a tool \`${visible(name)}\`: name one of ${tenants} with --tenant`)
  }
  return tool
}

async function change({ reason }: Changing, work: (acceptor: Acceptor) => Promise<void>): Promise<void> {
  if (reason === undefined || reason.trim() === '') throw new UsageError('a pin is changed for a reason: --reason "why"')
  const store = openStore({ directory: stateDirectory() })
  try {
    const { current, ring } = loadKeys(stateDirectory())
    await work({ store, signer: current, ring, author: `user:${userInfo().username}`, reason, now: Date.now() })
  } catch (error) {
    if (error instanceof PinError) throw new UsageError(error.message)
    throw error
  } finally {
    store.close()
  }
}

function toJson(tool: PinnedTool): JsonObject {
  const { tenant, pinned, seen } = tool
  return {
    tool: toolName(tool),
    tenant: tenant === '' ? null : tenant,
    pinned: pinned === null ? null : { digest: pinned.digest, at: instant(pinned.at), by: pinned.by, definition: pinned.definition },
    seen: seen === null ? null : { digest: seen.digest, at: instant(seen.at), definition: seen.definition },
    changes: definitionChanges(pinned?.definition ?? null, seen?.definition ?? null),
  }
}

function line(tool: PinnedTool): string {
  const { tenant, pinned, seen } = tool
  const held =
    pinned === null ? 'not pinned' : `${pinned.digest ?? 'cannot be verified'}  ${pinned.by ?? 'first seen'}  ${instant(pinned.at)}`
  const waiting = seen === null ? '' : `now ${seen.digest}, seen ${instant(seen.at)}`
  return [toolName(tool), tenant, held, waiting].filter((part) => part !== '').join('  ')
}

function instant(at: number): string {
  return new Date(at).toISOString()
}
