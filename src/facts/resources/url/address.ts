/** IP addresses to scopes: every way to write one, and every IPv4 address that an IPv6 address carries inside. */
import ipaddr from 'ipaddr.js'
import type { Scope } from '../../effect.ts'

type HostScope = Extract<Scope, 'public' | 'private' | 'loopback' | 'link-local' | 'metadata'>

/** Metadata services of clouds: they hand out credentials to whoever asks from inside. */
const METADATA: ReadonlySet<string> = new Set([
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.169.253', '169.254.0.23', '169.254.42.42', '169.254.10.10'],
  ...['100.100.100.200', '100.88.222.5', '192.0.0.192', '168.63.129.16'],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fe80::a9fe:a9fe'],
])

const FOUR_PARTS = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** As long as an address in full can be written, of its letters only: ipaddr.js is slow to refuse anything else with a colon. */
const SIX_SHAPE = /^[\da-f:.]{2,45}$/i

function isSixShaped(text: string): boolean {
  return text.indexOf(':') !== text.lastIndexOf(':') && SIX_SHAPE.test(text)
}

/** Scope of an address in canonical form; null where the text is none. IPv6 may carry a zone. */
export function addressScope(text: string): HostScope | null {
  const zone = text.indexOf('%')
  const bare = zone < 0 ? text : text.slice(0, zone)
  // The shape is tested first: ipaddr.js tells a wrong one by an exception, which costs fifty times the rest.
  if (
    bare.includes(':')
      ? !isSixShaped(bare) || !ipaddr.IPv6.isValid(bare)
      : !FOUR_PARTS.test(bare) || !ipaddr.IPv4.isValidFourPartDecimal(bare)
  )
    return null
  const address = ipaddr.parse(bare)
  return address.kind() === 'ipv4' ? scope4(address as ipaddr.IPv4) : scope6(address as ipaddr.IPv6)
}

function scope4(address: ipaddr.IPv4): HostScope {
  if (METADATA.has(address.toString())) return 'metadata'
  const range = address.range()
  // 0.0.0.0 and its net reach this very machine on Linux.
  if (range === 'loopback' || range === 'unspecified' || address.octets[0] === 0) return 'loopback'
  if (range === 'linkLocal') return 'link-local'
  return range === 'unicast' ? 'public' : 'private'
}

function scope6(address: ipaddr.IPv6): HostScope {
  if (METADATA.has(address.toString())) return 'metadata'
  const inner = embedded(address)
  if (inner !== null) return scope4(inner)
  const range = address.range()
  if (range === 'loopback' || range === 'unspecified') return 'loopback'
  if (range === 'linkLocal') return 'link-local'
  return range === 'unicast' ? 'public' : 'private'
}

interface Embedding {
  readonly form: 'mapped' | 'compatible' | 'SIIT' | '6to4' | 'Teredo' | 'NAT64' | 'ISATAP'
  readonly fits: (parts: readonly number[]) => boolean
  /** The first of the two parts that are the IPv4 address. */
  readonly at: number
  /** Every bit of the IPv4 address is turned round. */
  readonly inverted?: true
}

/** How IPv6 addresses carry IPv4 ones; the first that fits counts. */
const EMBEDDINGS: readonly Embedding[] = [
  { form: 'mapped', fits: (p) => zeros(p) === 5 && p[5] === 0xffff, at: 6 },
  { form: 'compatible', fits: (p) => zeros(p) === 6 || (zeros(p) === 7 && p[7] !== 1), at: 6 },
  { form: 'SIIT', fits: (p) => zeros(p) === 4 && p[4] === 0xffff && p[5] === 0, at: 6 },
  { form: '6to4', fits: (p) => p[0] === 0x2002, at: 1 },
  { form: 'Teredo', fits: (p) => p[0] === 0x2001 && p[1] === 0, at: 6, inverted: true },
  { form: 'NAT64', fits: (p) => p[0] === 0x64 && p[1] === 0xff9b, at: 6 },
  { form: 'ISATAP', fits: (p) => (p[4] === 0 || p[4] === 0x200) && p[5] === 0x5efe, at: 6 },
]

/** How many parts at the start are zero. */
function zeros(parts: readonly number[]): number {
  const first = parts.findIndex((part) => part !== 0)
  return first < 0 ? parts.length : first
}

/** The IPv4 address that the network would be asked for. */
function embedded({ parts }: ipaddr.IPv6): ipaddr.IPv4 | null {
  const found = EMBEDDINGS.find(({ fits }) => fits(parts))
  if (found === undefined) return null
  const mask = found.inverted ? 0xffff : 0
  return new ipaddr.IPv4(parts.slice(found.at, found.at + 2).flatMap((part) => [(part ^ mask) >> 8, (part ^ mask) & 255]))
}

/** True where a canonical IPv6 address only wraps an IPv4 one. */
export function carriesFour(text: string): boolean {
  const zone = text.indexOf('%')
  const bare = zone < 0 ? text : text.slice(0, zone)
  return isSixShaped(bare) && ipaddr.IPv6.isValid(bare) && embedded(ipaddr.parse(bare) as ipaddr.IPv6) !== null
}

/** Longer texts are no numbers that any resolver takes. */
const MAX_NUMERIC_LENGTH = 128

/**
 * Every IPv4 address that some resolver would read from the text: one to four parts in decimal, octal (`010`, `0o10`,
 * `o10`) or hexadecimal, with parts that overflow taken modulo their width, as careless programs do.
 */
export function numericReadings(host: string): readonly string[] {
  if (host === '' || host.length > MAX_NUMERIC_LENGTH) return []
  const parts = host.split('.')
  if (parts.length > 4) return []
  const out = new Set<string>()
  for (const octal of [true, false]) {
    const values = parts.map((part) => numberOf(part, octal))
    if (values.every((value) => value !== null)) out.add(assemble(values.map((value) => value ?? 0n)))
  }
  return [...out]
}

const DECIMAL = /^[0-9]+$/
const OCTAL = /^0[0-7]+$/
const OCTAL_O = /^0?o[0-7]+$/
const HEX = /^0x[0-9a-f]+$/

function numberOf(part: string, octal: boolean): bigint | null {
  if (HEX.test(part)) return BigInt(part)
  if (OCTAL_O.test(part)) return BigInt(`0o${part.slice(part.indexOf('o') + 1)}`)
  if (octal && OCTAL.test(part)) return BigInt(`0o${part.slice(1)}`)
  return DECIMAL.test(part) ? BigInt(part) : null
}

function assemble(values: readonly bigint[]): string {
  const last = 32n - 8n * BigInt(values.length - 1)
  let total = BigInt.asUintN(Number(last), values.at(-1) ?? 0n)
  values.slice(0, -1).forEach((value, i) => {
    total |= BigInt.asUintN(8, value) << BigInt(24 - 8 * i)
  })
  return [24n, 16n, 8n, 0n].map((shift) => String((total >> shift) & 255n)).join('.')
}
