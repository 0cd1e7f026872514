/** What a trial tried of the network, as the kernel counts it for the network that is its own. Read from outside: nothing in it has a say. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface NetworkAttempts {
  /** Connections and packets for which there was no way out. */
  readonly unreachable: number
  /** Connections that were opened, to this machine. */
  readonly connections: number
  /** Datagrams, such as look-ups of names. */
  readonly datagrams: number
}

/** Counters of a network, also after its last process ended. */
export interface Counters {
  readonly read: () => string
  readonly close: () => unknown
}

const MAX_BYTES = 65_536

/** Null where they cannot be read. The version for IPv6 is not everywhere. */
export function countersOf(pid: number): Counters | null {
  const [four, six] = [opened(`/proc/${pid}/net/snmp`), opened(`/proc/${pid}/net/snmp6`)]
  if (four === null) return null
  const files = six === null ? [four] : [four, six]
  return { read: () => files.map(textOf).join(''), close: () => files.map(closeSync) }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

function textOf(file: number): string {
  const bytes = Buffer.alloc(MAX_BYTES)
  let length = 0
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, length)
    if (count === 0) return bytes.toString('latin1', 0, length)
    length += count
  }
}

/** From the counters of a network that only this command used. */
export function attemptsIn(text: string): NetworkAttempts {
  const values = new Map<string, number>()
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [name, ...heads] = line.split(/[: ]+/)
    const next = lines[index + 1] ?? ''
    if (heads.length > 1 && /^[A-Z]/.test(heads[0] ?? '') && next.startsWith(`${name}: `)) {
      const numbers = next.split(' ').slice(1)
      for (const [column, head] of heads.entries()) values.set(`${name}${head}`, Number(numbers[column]))
    }
    const six = /^([A-Za-z]+6[A-Za-z]+)\s+(\d+)$/.exec(line)
    if (six?.[1] !== undefined) values.set(six[1], Number(six[2]))
  }
  const of = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (values.get(name) ?? 0), 0)
  return {
    unreachable: of('IpOutNoRoutes', 'Ip6OutNoRoutes'),
    connections: of('TcpActiveOpens'),
    datagrams: of('UdpOutDatagrams', 'Udp6OutDatagrams'),
  }
}
