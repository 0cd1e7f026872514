/** Host names that mean more than they say: this machine, its network, metadata services, names that carry an address. */
import type { Scope } from '../../effect.ts'
import { addressScope } from './address.ts'

const METADATA_NAMES: ReadonlySet<string> = new Set([
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.google', 'metadata.azure.internal', 'metadata.azure.com'],
  ...['instance-data', 'instance-data.ec2.internal', 'rancher-metadata', 'rancher-metadata.rancher.internal', 'metadata.tencentyun.com'],
  ...['metadata.oraclecloud.com', 'metadata.platformequinix.com', 'metadata.packet.net', 'metadata.hetzner.cloud', 'metadata.internal'],
  ...['metadata.exoscale.com', 'metadata.vultr.com', 'metadata.scaleway.com', 'alibabacloud.metadata.internal'],
])

const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  ...['localhost', 'localhost.localdomain', 'localhost6', 'localhost6.localdomain6', 'ip6-localhost', 'ip6-loopback', 'loopback'],
  ...['host.docker.internal', 'gateway.docker.internal', 'host.containers.internal', 'kubernetes.docker.internal', 'host.lima.internal'],
])

/** Public names whose every subdomain is served as 127.0.0.1. */
const LOOPBACK_DOMAINS = 'localhost localtest.me lvh.me lacolhost.com vcap.me local.gd fuf.me readme.localtest.me lcl.host'.split(' ')

const PRIVATE_DOMAINS = [...'internal local lan intranet corp home home.arpa private localdomain cluster.local svc consul onion'.split(' ')]

/** Names that carry the address they resolve to, with dots, dashes or as hexadecimal. */
const WILDCARD_DNS = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'traefik.me',
  'backname.io',

  '1u.ms',
  'rbndr.us',

  'ipq.co',
  'plex.direct',
  'local-ip.sh',
  'local-ip.co',
  'my.local-ip.co',
]

/** Names that answer differently each time, so that a check and its use see different addresses. */
const REBINDING = ['rbndr.us', '1u.ms', 'rebind.network', 'rebind.it', 'dnsrebind.it', 'lock.cmpxchg8b.com', 'r3dir.me']

/** True where `host` is `domain` or lies below it. */
export function below(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Scope of a normalised host name (lower case, no trailing dot) that is no address. */
export function nameScope(host: string): Scope {
  if (METADATA_NAMES.has(host)) return 'metadata'
  if (below(host, 'invalid')) return 'unknown' // reserved: no resolver answers it
  if (LOOPBACK_NAMES.has(host) || LOOPBACK_DOMAINS.some((domain) => below(host, domain))) return 'loopback'
  const carried = carriedScope(host)
  if (carried !== null) return carried
  if (!host.includes('.') || PRIVATE_DOMAINS.some((domain) => below(host, domain))) return 'private'
  return 'public'
}

/** True where the name exists to get past checks of names. */
export function isRebinding(host: string): boolean {
  return REBINDING.some((domain) => host.endsWith(`.${domain}`))
}

const DOTTED = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})$/
const HEX_LABEL = /(?:^|[.-])([0-9a-f]{8})$/

function carriedScope(host: string): Scope | null {
  const domain = WILDCARD_DNS.find((suffix) => host.endsWith(`.${suffix}`))
  if (domain === undefined) return null
  const rest = host.slice(0, -domain.length - 1)
  const dotted = DOTTED.exec(rest) ?? DOTTED.exec(rest.split('.').find((label) => label.split('-').length >= 4) ?? '')
  if (dotted !== null) return addressScope(dotted.slice(1, 5).map(Number).join('.'))
  const hex = HEX_LABEL.exec(rest)?.[1]
  if (hex !== undefined) return addressScope([0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.'))
  return addressScope((rest.split('.').at(-1) ?? '').replaceAll('-', ':'))
}
