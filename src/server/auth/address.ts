/** Whose address a request counts for: the one it came from, or behind a proxy that the policy trusts, the one that the proxy names. */
import { BlockList, isIP, isIPv6 } from 'node:net'

export interface Arrival {
  /** The other end of the connection. */
  readonly address: string
  /** Values of `X-Forwarded-For`, in the order they came. */
  readonly forwarded: readonly string[]
}

/**
 * Walks back from the nearest hop as long as the hop is a trusted proxy: what stands before that was written by whoever sent it.
 * An IPv6 address counts as its /64, which is what one customer has.
 */
export function clientAddress({ address, forwarded }: Arrival, trusted: readonly string[]): string {
  if (trusted.length === 0) return network(address)
  const proxies = listOf(trusted)
  const hops = forwarded
    .join(',')
    .split(',')
    .map(bare)
    .filter((hop) => hop !== '')
  let client = bare(address)
  while (isIn(proxies, client)) {
    const before = hops.pop()
    // What is no address ends the walk: then the proxy itself is all that is known.
    if (before === undefined || isIP(before) === 0) break
    client = before
  }
  return network(client)
}

const LISTS = new WeakMap<readonly string[], BlockList>()

function listOf(trusted: readonly string[]): BlockList {
  const known = LISTS.get(trusted)
  if (known !== undefined) return known
  const list = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  LISTS.set(trusted, list)
  return list
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** Without port, brackets or zone; an IPv4 address that came by IPv6 is itself. */
function bare(text: string): string {
  const trimmed = text.trim().replace(/^"|"$/g, '')
  const inner = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const [plain = ''] = inner.split('%')
  return plain.replace(/^::ffff:(?=\d+\.)/i, '')
}

function network(address: string): string {
  const plain = bare(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - back.length
  const groups = [...front, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
