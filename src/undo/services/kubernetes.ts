/**
 * Objects of a cluster as they were before a call of kubectl, put back by kubectl with the settings of whoever runs the gate. Kept is
 * what the API server answers, without what only the server may set (https://kubernetes.io/docs/reference/using-api/api-concepts/).
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Effect } from '../../core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { question } from './objects.ts'
import { runClient } from './program.ts'

/** What was kept: where, which objects as they were, and which were not there. */
export interface ClusterState extends JsonObject {
  readonly cluster: Cluster
  readonly objects: readonly JsonObject[]
  /** Named by the call and not there: what is there later came of it. */
  readonly absent: readonly Named[]
}

interface Cluster extends JsonObject {
  readonly cwd: string
  readonly context: string
  /** Address of the API server, which the context has to lead to later as well. */
  readonly server: string
  readonly namespace: string
  /** Named by the call; null: as kubectl finds it. */
  readonly kubeconfig: string | null
  /** Of a file that the call named: an agent may write it. */
  readonly digest: string | null
}

interface Named extends JsonObject {
  /** `deployment/web` or `deployment.v1.apps/web`. */
  readonly name: string
  readonly namespace: string
}

const MAX_NAMES = 32

/** @throws where the cluster cannot be asked, or answers more than `maxBytes`. */
export async function captureCluster(effects: readonly Effect[], cwd: string, maxBytes: number): Promise<readonly ClusterState[]> {
  if (effects.length > MAX_NAMES) throw new Error(`the call changes more than ${MAX_NAMES} named objects of a cluster`)
  const groups = new Map<string, { readonly first: Effect; readonly questions: Map<string, Asked> }>()
  for (const effect of effects) {
    const { context, namespace, kubeconfig } = effect.attributes
    const key = JSON.stringify([context ?? null, namespace ?? null, kubeconfig ?? null])
    const group = groups.get(key) ?? { first: effect, questions: new Map() }
    groups.set(key, group)
    const words = question(effect) ?? []
    group.questions.set(words.join('\n'), { words, creates: effect.verb !== 'delete' })
  }
  const states: ClusterState[] = []
  for (const { first, questions } of groups.values()) {
    const cluster = await clusterOf(first, cwd)
    const answers: Answer[] = []
    for (const asked of questions.values()) answers.push(await answerOf(cluster, asked, maxBytes))
    states.push({ cluster, objects: distinct(answers.flatMap(({ objects }) => objects)), absent: answers.flatMap(({ absent }) => absent) })
  }
  return states
}

interface Asked {
  readonly words: readonly string[]
  readonly creates: boolean
}

type Answer = Pick<ClusterState, 'objects' | 'absent'>

async function clusterOf({ attributes }: Effect, cwd: string): Promise<Cluster> {
  const given = attributes.kubeconfig
  // The one of the gate's own environment may be several files, and is the user's, who may change it.
  const kubeconfig = typeof given === 'string' && given !== process.env.KUBECONFIG ? resolve(cwd, given) : null
  const chosen = typeof attributes.context === 'string' ? [`--context=${attributes.context}`] : []
  const settings = kubeconfig === null ? [] : [`--kubeconfig=${kubeconfig}`]
  const { context, server, namespace } = await settingsOf([...settings, ...chosen], cwd)
  const digest = kubeconfig === null ? null : digestOf(kubeconfig)
  const own = typeof attributes.namespace === 'string' ? attributes.namespace : namespace
  return { cwd, context, server, namespace: own, kubeconfig, digest }
}

async function settingsOf(words: readonly string[], cwd: string) {
  const text = await runClient(['kubectl', ...words, 'config', 'view', '--minify', '-o', 'json'], { cwd, maxBytes: 1_000_000 })
  const read = JSON.parse(text) as Record<string, Json>
  const context = read['current-context']
  const server = at(read.clusters, 0, 'cluster', 'server')
  const namespace = at(read.contexts, 0, 'context', 'namespace')
  if (typeof context !== 'string' || typeof server !== 'string') throw new Error('kubectl has no context that leads to a cluster')
  return { context, server, namespace: typeof namespace === 'string' ? namespace : 'default' }
}

function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value
  for (const name of path) {
    if (Array.isArray(found)) found = found[Number(name)]
    else found = found !== undefined && isJsonObject(found) ? own(found, String(name)) : undefined
  }
  return found
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const clientWords = ({ context, namespace, kubeconfig }: Cluster): readonly string[] => [
  'kubectl',
  ...(kubeconfig === null ? [] : [`--kubeconfig=${kubeconfig}`]),
  `--context=${context}`,
  `--namespace=${namespace}`,
  '--request-timeout=15s',
]

async function answerOf(cluster: Cluster, { words, creates }: Asked, maxBytes: number): Promise<Answer> {
  const files = words[0] === '-f' ? words.filter((word) => word !== '-f') : []
  if (files.some((file) => isKustomized(join(cluster.cwd, file))))
    throw new Error('a directory with a kustomization is applied; kubectl cannot be asked beforehand what it makes')
  const objects = await asked(cluster, words, maxBytes)
  if (!creates || (files.length === 0 && words[0]?.includes('/') !== true)) return { objects, absent: [] }
  const named = files.length > 0 ? await namedIn(cluster, words, maxBytes) : words.map((name) => ({ name, namespace: cluster.namespace }))
  const there = new Set(objects.map((object) => JSON.stringify([tail(nameOf(object)), namespaceOf(object) ?? cluster.namespace])))
  return { objects, absent: named.filter(({ name, namespace }) => !there.has(JSON.stringify([tail(name), namespace]))) }
}

const isKustomized = (directory: string): boolean =>
  ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].some((name) => existsSync(join(directory, name)))

async function asked(cluster: Cluster, words: readonly string[], maxBytes: number): Promise<readonly JsonObject[]> {
  const text = await runClient([...clientWords(cluster), 'get', ...words, '--ignore-not-found', '-o', 'json'], {
    cwd: cluster.cwd,
    maxBytes,
  })
  if (text.trim() === '') return []
  return itemsOf(JSON.parse(text)).filter(isFree)
}

/** What an owner makes, the owner makes again. */
const isFree = (object: JsonObject): boolean => at(object, 'metadata', 'ownerReferences', 0) === undefined

/** The objects that manifests name. kubectl prints them one after the other, each from the first column on. */
async function namedIn(cluster: Cluster, words: readonly string[], maxBytes: number): Promise<readonly Named[]> {
  const argv = [...clientWords(cluster), 'create', ...words, '--dry-run=client', '--validate=false', '-o', 'json']
  const text = await runClient(argv, { cwd: cluster.cwd, maxBytes })
  const objects = text.split(/(?<=^\})\n(?=\{)/m).flatMap((part) => (part.trim() === '' ? [] : itemsOf(JSON.parse(part))))
  return objects.map((object) => ({ name: nameOf(object), namespace: namespaceOf(object) ?? cluster.namespace }))
}

function itemsOf(read: Json): readonly JsonObject[] {
  const items = at(read, 'items')
  return (Array.isArray(items) ? items : [read]).filter(isObject)
}

/** `Deployment.v1.apps/web`, which names one type whatever else the cluster has. */
function typedName(apiVersion: string, kind: string, name: string): string {
  const [version = '', group] = apiVersion.includes('/') ? apiVersion.split('/').toReversed() : [apiVersion]
  return `${kind}.${version}.${group ?? ''}/${name}`
}

function nameOf(object: JsonObject): string {
  return typedName(String(object.apiVersion), String(object.kind), String(at(object, 'metadata', 'name')))
}

function namespaceOf(object: JsonObject): string | null {
  const namespace = at(object, 'metadata', 'namespace')
  return typeof namespace === 'string' ? namespace : null
}

const tail = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

function distinct(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(objects.map((object) => [`${nameOf(object)} ${namespaceOf(object)}`, object])).values()]
}

/** What the way back does to one object. */
export interface ObjectStep {
  readonly act: 'create' | 'replace' | 'delete'
  readonly name: string
  readonly namespace: string | null
  readonly object: JsonObject | null
}

/** What differs now; a reason where the context no longer leads to that cluster. */
export async function clusterSteps({
  cluster,
  objects,
  absent,
}: ClusterState): Promise<readonly ObjectStep[] | { readonly problem: string }> {
  const { kubeconfig, digest } = cluster
  if (kubeconfig !== null && (!existsSync(kubeconfig) || digestOf(kubeconfig) !== digest))
    return { problem: `\`${kubeconfig}\` was changed since: it may lead to another cluster` }
  const words = kubeconfig === null ? [] : [`--kubeconfig=${kubeconfig}`]
  const { server } = await settingsOf([...words, `--context=${cluster.context}`], cluster.cwd)
  if (server !== cluster.server)
    return { problem: `the context \`${cluster.context}\` led to ${cluster.server}, and leads to ${server} now` }
  const steps: ObjectStep[] = []
  for (const object of objects) {
    const place = { name: nameOf(object), namespace: namespaceOf(object) }
    const now = await current(cluster, place)
    if (now === null) steps.push({ act: 'create', ...place, object: settable(object) })
    else if (!isSame(now, object)) steps.push({ act: 'replace', ...place, object: settable(object) })
  }
  for (const place of absent) {
    if ((await current(cluster, place)) !== null) steps.push({ act: 'delete', ...place, object: null })
  }
  return steps
}

const MAX_OBJECT = 8_000_000

async function current(cluster: Cluster, { name, namespace }: { readonly name: string; readonly namespace: string | null }) {
  return (await asked(inNamespace(cluster, namespace), [name], MAX_OBJECT))[0] ?? null
}

const inNamespace = (cluster: Cluster, namespace: string | null): Cluster => (namespace === null ? cluster : { ...cluster, namespace })

const isSame = (one: JsonObject, other: JsonObject): boolean => JSON.stringify(settable(one)) === JSON.stringify(settable(other))

/** Without what only the server sets. */
function settable({ status, ...object }: JsonObject): JsonObject {
  const { metadata } = object
  if (!isObject(metadata)) return object
  const { resourceVersion, uid, creationTimestamp, generation, managedFields, selfLink, ...kept } = metadata
  return { ...object, metadata: kept }
}

const isObject = (value: Json | undefined): value is JsonObject => value !== undefined && isJsonObject(value)

export function stepLine({ act, name, namespace }: ObjectStep): string {
  const what = { create: 'bring back', replace: 'put back', delete: 'delete' }[act]
  return `${what} ${name}${namespace === null ? '' : ` in ${namespace}`}`
}

/** Answers what could not be put back, with the reason. */
export async function restoreCluster({ cluster }: ClusterState, steps: readonly ObjectStep[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const step of steps) {
    const words =
      step.act === 'delete' ? ['delete', step.name, '--ignore-not-found', '--wait=false'] : [step.act, '-f', '-', '--validate=false']
    try {
      const input = step.object === null ? '' : JSON.stringify(step.object)
      await runClient([...clientWords(inNamespace(cluster, step.namespace)), ...words], { cwd: cluster.cwd, maxBytes: MAX_OBJECT, input })
    } catch (error) {
      problems.push(`${stepLine(step)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return problems
}

/** The same objects as they are now: the way back of the way back. */
export async function clusterNow({ cluster }: ClusterState, steps: readonly ObjectStep[]): Promise<ClusterState> {
  const objects: JsonObject[] = []
  const absent: Named[] = []
  for (const { name, namespace } of steps) {
    const now = await current(cluster, { name, namespace })
    if (now === null) absent.push({ name, namespace: namespace ?? cluster.namespace })
    else objects.push(now)
  }
  return { cluster, objects, absent }
}
