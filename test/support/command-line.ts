/**
 * The command line in this process: the same program with the same arguments, variables, directory and input, without the start
 * of a process, which takes longer than most of what it does. What tests of a process itself need is `cli` of the hosts.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Home, Run } from '../hosts/harness.ts'

/** What the gate itself reads of its surroundings; none of it comes from whoever runs the tests. */
const OWN = /^(?:COUNTERSIGN_|CLAUDE_|XDG_)/

/** One after the other: variables and the directory are those of the whole process. */
export async function commandLine(home: Home, args: readonly string[], input: string | Uint8Array = ''): Promise<Run> {
  const [directory, environment] = [process.cwd(), { ...process.env }]
  const out = listenTo(process.stdout)
  const told = listenTo(process.stderr)
  const giveBack = standardInput(Buffer.from(input))
  try {
    for (const name of Object.keys(process.env)) if (OWN.test(name)) delete process.env[name]
    Object.assign(process.env, home.environment)
    process.chdir(home.user)
    const status = await main(args)
    return { status, stdout: out.text(), stderr: told.text() }
  } finally {
    for (const restore of [giveBack, out.end, told.end]) restore()
    process.chdir(directory)
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, environment)
  }
}

function listenTo(stream: NodeJS.WriteStream): { readonly text: () => string; readonly end: () => void } {
  const chunks: Buffer[] = []
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk))
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  })
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() }
}

/** Lets whoever reads file descriptor 0 read these bytes; gives back what undoes it. */
function standardInput(bytes: Buffer): () => void {
  const real = fs.readFileSync
  const patched = (path: fs.PathOrFileDescriptor, ...rest: unknown[]) => (path === 0 ? bytes : Reflect.apply(real, fs, [path, ...rest]))
  const replace = (read: unknown) => {
    Object.assign(fs, { readFileSync: read })
    syncBuiltinESMExports()
  }
  replace(patched)
  return () => replace(real)
}
