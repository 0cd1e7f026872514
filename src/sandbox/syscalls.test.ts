import { describe, expect, test } from 'vitest'
import { filterFor } from './syscalls.ts'

const [ALLOW, PERMISSION, NO_CALL, NO_FAMILY] = [0x7fff_0000, 0x5_0001, 0x5_0026, 0x5_0061] as const
const AUDIT: Readonly<Record<string, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

/** What the kernel does with a filter: one instruction after another over the data of one call. */
function answer(filter: Buffer, call: { readonly audit: number; readonly number: number; readonly args?: readonly number[] }): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number, 0)
  data.writeUInt32LE(call.audit, 4)
  for (const [index, value] of (call.args ?? []).entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let word = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, then, otherwise] = [filter.readUInt16LE(at * 8), filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return value
    if (code === 0x20) word = data.readUInt32LE(value)
    else if (code === 0x15) at += word === value ? then : otherwise
    else if (code === 0x35) at += word >= value ? then : otherwise
    else if (code === 0x45) at += (word & value) !== 0 ? then : otherwise
    else throw new Error(`instruction ${code}`)
  }
  throw new Error('a way without an answer')
}

describe('the filter of system calls', () => {
  const cases: readonly (readonly [type: string, title: string, call: number, args: readonly number[], unix: boolean, expected: number])[] =
    [
      ['x64', 'read', 0, [0], true, ALLOW],
      ['x64', 'keyctl', 250, [11], true, PERMISSION],
      ['x64', 'add_key', 248, [], true, PERMISSION],
      ['x64', 'io_uring_setup', 425, [4], true, NO_CALL],
      ['x64', 'clone3', 435, [], true, NO_CALL],
      ['x64', 'bpf', 321, [], true, PERMISSION],
      ['x64', 'a unix socket where all is copied', 41, [1, 1], true, ALLOW],
      ['x64', 'a unix socket elsewhere', 41, [1, 1], false, NO_FAMILY],
      ['x64', 'a socket of IPv4', 41, [2, 1], false, ALLOW],
      ['x64', 'a socket of a hypervisor', 41, [40, 1], true, NO_FAMILY],
      ['x64', 'a family behind the upper half', 41, [0x1_0000_0028, 1], true, NO_FAMILY],
      ['x64', 'socketpair', 53, [1, 1], false, ALLOW],
      ['x64', 'TIOCSTI', 16, [0, 0x5412], true, PERMISSION],
      ['x64', 'TIOCSTI behind the upper half', 16, [0, 0xff_0000_5412], true, PERMISSION],
      ['x64', 'another ioctl', 16, [0, 0x5413], true, ALLOW],
      ['x64', 'a process', 56, [0x11], true, ALLOW],
      ['x64', 'a process in a user namespace of its own', 56, [0x1000_0011], true, PERMISSION],
      ['x64', 'a process that is not to be watched', 56, [0x80_0011], true, PERMISSION],
      ['x64', 'unshare of a user namespace', 272, [0x1002_0000], true, PERMISSION],
      ['x64', 'unshare of mounts alone', 272, [0x2_0000], true, ALLOW],
      ['x64', 'read, by the numbers of x32', 0x4000_0000, [], true, NO_CALL],
      ['arm64', 'read', 63, [0], true, ALLOW],
      ['arm64', 'keyctl', 219, [11], true, PERMISSION],
      ['arm64', 'a socket of a hypervisor', 198, [40, 1], true, NO_FAMILY],
      ['arm64', 'a process in a user namespace of its own', 220, [0x1000_0011], true, PERMISSION],
    ]
  test.each(cases)('%s: %s', (type, _title, number, args, unix, expected) => {
    const filter = filterFor(type, { unix }) ?? Buffer.alloc(0)
    expect(answer(filter, { audit: AUDIT[type] ?? 0, number, args })).toBe(expected)
  })

  test('programs of another type of processor make no calls at all', () => {
    const filter = filterFor('x64', { unix: true }) ?? Buffer.alloc(0)
    expect(answer(filter, { audit: 0x4000_0003, number: 3 })).toBe(NO_CALL)
  })

  test('there is none for a type of processor whose calls are not known', () => expect(filterFor('riscv64', { unix: true })).toBe(null))
})
