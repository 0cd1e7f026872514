/** Where the names of contexts and clusters lead: what a kubeconfig says, as it is now, is part of what a yes is about (T25). */
import type { Effect } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import type { View } from '../view.ts'
import { pathTarget } from './path/index.ts'

const OF_CLUSTERS = /^(?:k8s|helm):/
const LOOKING: ReadonlySet<Effect['verb']> = new Set(['read', 'fetch'])

/**
 * Gives each change of a cluster the digest of the files that say which one it is, and says where this very call writes one of them.
 * Nothing is kept of their content. Changes `effects` in place.
 */
export function markClusters(effects: Effect[], written: readonly WrittenFact[], view: View): void {
  for (const [at, found] of effects.entries()) {
    const { verb, action, attributes } = found
    if (action === null || !OF_CLUSTERS.test(action) || LOOKING.has(verb) || action === 'k8s:context') continue
    const files = filesOf(attributes.kubeconfig, view)
    const digests = files.map((path) => view.read(path, 0)?.digest ?? 'none')
    const known = digests.some((digest) => digest !== 'none') ? { kubeconfig_digest: digests.join(' ') } : {}
    const astray = written.some(({ path }) => files.includes(path)) ? { astray: true } : {}
    effects[at] = { ...found, attributes: { ...attributes, ...known, ...astray } }
  }
}

/** As it is named, or as the clients find it; several are read as one. */
function filesOf(named: unknown, view: View): readonly string[] {
  const given = typeof named === 'string' ? named : view.env('KUBECONFIG')
  const names = given === null || given === '' ? [`${view.home}/.kube/config`] : given.split(':').filter((name) => name !== '')
  return names.slice(0, MAX_FILES).flatMap((name) => pathTarget(name, view.cwd, view).real ?? [])
}

const MAX_FILES = 8
