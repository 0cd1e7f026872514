/**
 * What effects say of themselves is read before the call runs: what the call itself changes first, is not known of them. A push
 * to `origin` behind `git remote set-url origin …` leads elsewhere, and a package whose manifest is written is another package.
 */
import { type Effect, resolvedName } from '../core/effect.ts'

const CHANGES: ReadonlySet<string> = new Set(['write', 'delete', 'change', 'persist'])
const LEADS = /^(?:remote|url|include|includeif|branch)(?:\.|$)/i

/** The effects, without what others of the same call may have made untrue; the same list where there is nothing of the kind. */
export function settled(effects: readonly Effect[]): readonly Effect[] {
  if (!effects.some(({ attributes }) => NAMING.some((name) => Object.hasOwn(attributes, name)))) return effects
  const leads = effects.some(changesRemotes)
  const contexts = effects.some(changesContexts)
  return effects.map((effect) => {
    const { attributes } = effect
    const { remote, manifest } = attributes
    if (contexts && Object.hasOwn(attributes, 'context')) return { ...effect, attributes: { ...attributes, astray: true } }
    if (leads && typeof remote === 'string' && !/[:/]/.test(remote)) return { ...effect, attributes: { ...attributes, astray: true } }
    if (typeof manifest === 'string' && effects.some((other) => mayWrite(other, manifest)))
      return { ...effect, attributes: { ...attributes, package: null } }
    return effect
  })
}

/** Attributes that name what a file says more of. */
const NAMING = ['remote', 'manifest', 'context'] as const

/** What a context stands for is in the configuration of kubectl. */
function changesContexts({ verb, action, target }: Effect): boolean {
  return CHANGES.has(verb) && (action === 'k8s:context' || (target.kind === 'path' && /\/\.kube(?:\/config)?$/.test(resolvedName(target))))
}

function changesRemotes(effect: Effect): boolean {
  if (!CHANGES.has(effect.verb)) return false
  if (effect.action === 'git:remote') return true
  if (effect.action === 'git:config') return Object.hasOwn(effect.attributes, 'variable') || LEADS.test(effect.target.value)
  const path = resolvedName(effect.target)
  return effect.target.kind === 'path' && (path.endsWith('/.git/config') || path.endsWith('/.gitconfig') || path.endsWith('/git/config'))
}

/** True where the effect writes the file, or one of the directories above it. */
function mayWrite({ verb, target }: Effect, file: string): boolean {
  if (!CHANGES.has(verb) || target.kind !== 'path') return false
  const path = resolvedName(target)
  return path === file || file.startsWith(path.endsWith('/') ? path : `${path}/`)
}
