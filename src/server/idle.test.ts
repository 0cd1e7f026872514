import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { createIdle } from './idle.ts'
import { takeLock } from './sole.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a daemon that a hook started', () => {
  const state = { now: 0 }
  const begin = () => {
    const socket = join(temporaryDirectory(), 'gate.sock')
    writeFileSync(socket, '')
    state.now = 0
    const idle = createIdle(() => state.now)
    let over = false
    const ended = idle.ended({ socket, milliseconds: 10 }).then(() => {
      over = true
    })
    return { socket, idle, ended, isOver: () => over }
  }

  test('ends once nobody asked for so long', async () => {
    const { idle, ended, isOver } = begin()
    state.now = 9
    await pause(40)
    expect(isOver()).toBe(false)
    idle.heard()
    state.now = 18
    await pause(40)
    expect(isOver()).toBe(false)
    state.now = 19
    await ended
  })

  test('ends once its socket is gone', async () => {
    const { socket, ended } = begin()
    rmSync(socket)
    await ended
  })

  test('ends once another socket stands in its place', async () => {
    const { socket, ended } = begin()
    rmSync(socket)
    writeFileSync(join(socket, '../other'), '')
    writeFileSync(socket, '')
    await ended
  })
})

describe('the lock of a state directory', () => {
  test('is held once, and given back', async () => {
    const home = temporaryDirectory()
    const lock = await takeLock(home)
    expect(lock).not.toBeNull()
    expect(await takeLock(home, 60)).toBeNull()
    lock?.release()
    const next = await takeLock(home)
    expect(next).not.toBeNull()
    next?.release()
  })
})
