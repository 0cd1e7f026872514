/** When a daemon that a hook started has nothing to do any more. */
import { lstatSync } from 'node:fs'

export interface Idle {
  /** A request came in. */
  readonly heard: () => void
  /** Resolves once nobody asked for so long, or nobody can: the socket is gone, or another one stands in its place. */
  readonly ended: (end: IdleEnd) => Promise<void>
}

export interface IdleEnd {
  readonly socket: string
  readonly milliseconds: number
}

const LOOK_EVERY_MS = 2_000

/** `clock` in milliseconds, from any point on. */
export function createIdle(clock: () => number = () => performance.now()): Idle {
  let last = clock()
  return {
    heard: () => {
      last = clock()
    },
    ended: ({ socket, milliseconds }) =>
      new Promise((resolve) => {
        const own = inode(socket)
        const timer = setInterval(
          () => {
            if (clock() - last < milliseconds && inode(socket) === own) return
            clearInterval(timer)
            resolve()
          },
          Math.min(LOOK_EVERY_MS, milliseconds),
        ).unref()
      }),
  }
}

function inode(path: string): bigint | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
}
