/** Which objects of a cluster a call of kubectl is about, as far as it names them. Pure. */
import type { Effect } from '../../core/effect.ts'
import type { Json } from '../../core/json.ts'

const NAME = /^[a-z][a-z0-9.-]*\/[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?$/
/** `set image deployment/web …` names the property first. */
const PROPERTY = /^(?:image|env|resources|selector|serviceaccount|sa|subject)\/(?=[^/]+\/)/
const TYPES = /^[a-z][a-z0-9.-]*(?:,[a-z][a-z0-9.-]*)*$/
const SELECTOR = /^[\w./=!,() -]+$/
const CONTEXT = /^[\w.:/@][\w.:/@+-]*$/
const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
/** What they hold is not in the object: no object brings it back. */
const HOLDERS =
  /^(?:namespaces?|ns|projects?|nodes?|no|persistentvolume(?:claim)?s?|pvc?|crds?|customresourcedefinitions?)(?:[.,/]|$)|,(?:namespaces?|ns|pvc?|crds?)(?:,|$)/
const ACTIONS: ReadonlySet<string | null> = new Set(['k8s:delete', 'k8s:apply', 'k8s:scale', 'k8s:rollout'])

/** True where the objects that the effect is about can be asked for beforehand. */
export function isKnownObject({ action, target, attributes }: Effect): boolean {
  if (!ACTIONS.has(action) || attributes.client !== 'kubectl' || target.scope === 'elsewhere' || attributes.astray === true) return false
  // Whoever acts under another name, or beside the settings, is not asked for again later.
  if (['server', 'cluster', 'as', 'fields', 'all_namespaces'].some((name) => attributes[name] !== undefined)) return false
  return question({ target, attributes }) !== null
}

/** Words after `kubectl get`; null where nothing can be asked. */
export function question({ target, attributes }: Pick<Effect, 'target' | 'attributes'>): readonly string[] | null {
  const { manifests, selector, all, context, namespace, kubeconfig } = attributes
  if (!isAbsent(context, CONTEXT) || !isAbsent(namespace, NAMESPACE) || !(kubeconfig === undefined || typeof kubeconfig === 'string'))
    return null
  if (Array.isArray(manifests)) return manifests.every(isFile) ? manifests.flatMap((file) => ['-f', String(file)]) : null
  const value = target.value.replace(PROPERTY, '').toLowerCase()
  if (HOLDERS.test(value)) return null
  if (typeof selector === 'string') return TYPES.test(value) && SELECTOR.test(selector) ? [value, `--selector=${selector}`] : null
  if (all === true) return TYPES.test(value) ? [value] : null
  return NAME.test(value) ? [value] : null
}

const isAbsent = (value: Json | undefined, pattern: RegExp): boolean =>
  value === undefined || (typeof value === 'string' && pattern.test(value))
const isFile = (file: Json): boolean => typeof file === 'string' && file !== '' && !file.startsWith('-') && !/^\w+:\/\//.test(file)
