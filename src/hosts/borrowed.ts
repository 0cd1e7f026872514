/** Hosts that run the hooks of others as well: where our hook then stands twice before one call, and what becomes of that call. */
import type { Borrowing, HostAdapter, Scope } from './adapter.ts'
import { HOSTS } from './all.ts'
import { hostNamed } from './index.ts'
import { textOf } from './install.ts'

export interface Doubled extends Borrowing {
  readonly host: HostAdapter
  readonly lender: HostAdapter
  /** Settings of the lender that hold our hook. */
  readonly path: string
}

/** What is installed here so that one call of a host comes through two of our hooks. */
export function doubled(hosts: readonly HostAdapter[] = HOSTS): readonly Doubled[] {
  return hosts.flatMap((host) => (host.installed() ? (host.about.borrows ?? []).flatMap((each) => doubledBy(host, each)) : []))
}

function doubledBy(host: HostAdapter, borrowing: Borrowing): readonly Doubled[] {
  const lender = hostNamed(borrowing.from)
  // The editor that has no hook of its own is asked once.
  if (lender === undefined || host.settingsPath(at('user')) === lender.settingsPath(at('user'))) return []
  const path = borrowing.scopes.map((scope) => lender.settingsPath(at(scope))).find((each) => textOf(each)?.includes(`${lender.name}-hook`))
  return path === undefined ? [] : [{ ...borrowing, host, lender, path }]
}

function at(scope: Scope): Parameters<HostAdapter['settingsPath']>[0] {
  return { scope, node: '', program: '', build: '' }
}

/** In one line, for whoever installs or looks. */
export function doubledLine({ host, lender, path, told, when }: Doubled): string {
  const both = `${host.about.title} also runs the hook of ${lender.about.title} in \`${path}\`${when === '' ? '' : ` ${when}`}`
  return told === 'once'
    ? `${both}: a call that comes through both is decided once`
    : `${both}, and its calls there look like those of ${lender.about.title}: each is judged and asked about twice; \`countersign uninstall\` one of the two`
}
