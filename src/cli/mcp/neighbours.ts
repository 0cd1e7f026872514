/**
 * Other proxies of the same session, each a process of its own: what one of them is told by its server, the others know once it is in the
 * log. Each keeps an empty file in a directory of the session, as long as it runs.
 */
import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Neighbours {
  /** Another proxy has this session, or it cannot be told. */
  readonly any: () => boolean
  readonly close: () => void
}

const MAX_TRIES = 10

export function openNeighbours(home: string, session: string): Neighbours {
  const all = join(home, 'mcp', 'sessions')
  const directory = join(all, hash('sha256', session).slice(0, 24))
  const mine = `${process.pid}-${numbersOf()}-${randomUUID()}`
  quietly(() => sweep(all))
  // Whoever leaves takes the empty directory away.
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    quietly(() => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(join(directory, mine), '', { mode: 0o600 })
      tries = MAX_TRIES
    })
  }
  return {
    any: () => {
      try {
        const there = readdirSync(directory)
        return !there.includes(mine) || there.length > 1
      } catch {
        return true
      }
    },
    close: () => {
      quietly(() => rmSync(join(directory, mine), { force: true }))
      quietly(() => rmdirSync(directory))
    },
  }
}

/** Files of proxies that were ended without a word. */
function sweep(all: string): void {
  const here = numbersOf()
  for (const session of readdirSync(all)) {
    for (const name of readdirSync(join(all, session))) {
      const [pid = '', numbers] = name.split('-')
      if (numbers === here && isGone(Number(pid))) rmSync(join(all, session, name), { force: true })
    }
    quietly(() => rmdirSync(join(all, session)))
  }
}

/** Whose numbers of processes those of this one are: a container has its own. */
function numbersOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // Somebody else was faster, or nothing can be written there: then every session counts as shared.
  }
}
