import { operationOf } from '../../../programs/cloud/verbs.ts'
import { known } from '../../interpret/reading.ts'
import type { Call, Handler } from '../../interpret/run.ts'
import { object, options, text, UNKNOWN, type Value } from '../../interpret/value.ts'
import { addressIn } from './address.ts'
import { docker, git, program } from './programs.ts'
import { reached } from './reached.ts'
import type { Client } from './roots.ts'
import { lastName, operationName, rootOf, serviceOf } from './roots.ts'

/**
 * Clients of clouds, clusters, databases and programs, followed from the package they come from through every call: what a
 * method does is told by the verb in its name, as for command lines, or by the command line it stands for.
 */

/** Steps that a call counts for: it may stand for a command line. */
const COST = 250

/** How many names are remembered. */
const LONGEST = 8

function stateOf(client: Client, call: Call): Value {
  const made = object(
    'client',
    {
      how: text(client.how),
      provider: text(client.provider),
      service: text(client.service),
      path: text(client.path.slice(-LONGEST).join(' ')),
      thing: text(client.thing),
    },
    call.taint,
  )
  // What is in a list that a client gives speaks for the same.
  made.fields.set('each', made)
  return made
}

/** The client behind a value, a member of one or a module; null for everything else. */
function clientOf(value: Value, call: Call): Client | null {
  const names: string[] = []
  let of = value
  while (of.kind === 'method' && names.length < 80) {
    names.unshift(of.name)
    of = of.self
  }
  if (of.kind === 'any') of = options(of).find((o) => o.kind === 'object' && o.type === 'client') ?? of
  if (of.kind === 'ref') {
    const root = rootOf(call.run.profile.language, of.name)
    return root === null ? null : { ...root, service: serviceOf(of.name), path: [...of.name.split('.').slice(1), ...names], thing: '' }
  }
  if (of.kind !== 'object' || of.type !== 'client') return null
  const field = (name: string) => known(of.fields.get(name)) ?? ''
  const before = field('path')
  return {
    how: field('how') as Client['how'],
    provider: field('provider'),
    service: field('service'),
    path: [...(before === '' ? [] : before.split(' ')), ...names],
    thing: field('thing'),
  }
}

/** What a call on a client does; gives what speaks for the same, or undefined where no client is called. */
export const clients: Handler = (call) => {
  const client = clientOf(call.self ?? { kind: 'ref', name: call.name }, call)
  if (client === null) return reached(call)
  const { service, opens } = opening(client, call)
  if (opens) return stateOf({ ...client, service, path: [], thing: client.how === 'data' ? thingOf(client, call) : client.thing }, call)
  call.run.spend(COST)
  READERS[client.how](client, call)
  return stateOf({ ...client, path: [...client.path, call.name], thing: thingOf(client, call) }, call)
}

/** A call that only makes a client: `boto3.client('s3')`, `new S3Client()`, `Aws::S3::Client.new`. */
function opening(client: Client, call: Call): { readonly service: string; readonly opens: boolean } {
  const { service } = client
  if (client.how !== 'aws' && call.self !== null) return { service, opens: false }
  const name = lastName(call.name)
  if (/^(?:client|resource)$/.test(name)) {
    const named = known(call.args[0] ?? call.named.get('service_name')) ?? ''
    return { service: service === '' ? named : service, opens: true }
  }
  const made = call.make && !name.endsWith('Command')
  return {
    service: service === '' && call.make ? name.replace(/Client$/, '').toLowerCase() : service,
    opens: made || name === 'new' || name === 'Session',
  }
}

/** What a call names; of data, the address stays that was opened. */
function thingOf(client: Client, call: Call): string {
  const named = namedIn(call)
  if (client.how !== 'data') return named ?? client.thing
  const given = addressIn(call.args[0]) ?? addressIn(call.named)
  return given ?? (isAddress(client.thing) ? client.thing : (named ?? client.thing))
}

const isAddress = (text: string): boolean => text.includes('://')

interface Act {
  readonly verb: 'delete' | 'change' | 'read' | 'publish'
  readonly action: string
  readonly resource?: string
  readonly where?: boolean
}

function emit(client: Client, call: Call, { verb, action, resource, where }: Act): void {
  const attributes = { provider: client.provider, service: client.service, operation: operationName(call.name) }
  const kind = client.how === 'data' ? 'database' : 'resource'
  call.run.acts.emit(verb, call.run.context.thing(kind, resource ?? resourceOf(client, call)), {
    action,
    reversible: verb === 'read',
    attributes: where === undefined ? attributes : { ...attributes, where },
  })
}

/** The first thing that a call names. */
function namedIn(call: Call): string | null {
  for (const value of [...call.args, ...call.named.values()]) {
    const name = known(value)
    if (name !== null && name !== '') return name.slice(0, 200)
  }
  return null
}

/** What is acted on: what the call names, else what was named on the way to it. */
function resourceOf(client: Client, call: Call): string {
  if (client.how === 'data' && isAddress(client.thing)) return client.thing
  return namedIn(call) ?? (client.thing === '' ? (client.path.at(-1) ?? client.service) : client.thing)
}

/** An operation of the API is what the command line of the same name does; objects of resources are told by their verb. */
function aws(client: Client, call: Call): void {
  const operation = operationName(call.name)
  const kind = operationOf(operation)
  if (operation === 'get-credentials' && client.service === '') emit(client, call, { verb: 'read', action: 'cloud:secret-read' })
  if (kind === null || operation === 'send') return
  // `new DeleteBucketCommand()` is made of the module, `client.delete_bucket()` of a client that nothing led away from.
  const direct = client.path.length === 0 || (call.make && /Command$/.test(call.name))
  if (direct && operation.includes('-') && client.service !== '') {
    const service = client.service === 's3' ? 's3api' : client.service
    call.run.acts.command([text('aws'), text(service), text(operation), ...optionsOf(call)], call.name)
  } else if (kind === 'delete') emit(client, call, { verb: 'delete', action: 'cloud:delete' })
}

/** Arguments as options of a command line. */
function optionsOf(call: Call): readonly Value[] {
  const entries = [...call.named, ...call.args.flatMap((arg) => (arg.kind === 'dict' ? [...arg.entries] : []))]
  return call.run.acts.first(entries, 16).flatMap(([key, value]): readonly Value[] => {
    const name = operationName(key)
    if (value.kind === 'constant') return value.value === null ? [] : [text(`--${value.value ? '' : 'no-'}${name}`)]
    const values = value.kind === 'list' ? call.run.acts.first(value.items, 8) : [value]
    return [text(`--${name}`), ...values.map((v) => (known(v) === null ? UNKNOWN : v))]
  })
}

const DECORATION = /^(?:begin|bulk|force|async|aio|permanently)-/
const SECRET = /^(?:get|access|read)-secret/

/** Where machines and data live: what makes and changes them counts as well as what removes them. */
function cloud(client: Client, call: Call): void {
  const operation = operationName(call.name).replace(DECORATION, '')
  const kind = operationOf(operation)
  if (SECRET.test(operation)) emit(client, call, { verb: 'read', action: 'cloud:secret-read' })
  else if (kind === 'delete') emit(client, call, { verb: 'delete', action: 'cloud:delete' })
  else if ((kind === 'create' || kind === 'update') && /^(?:create|update|patch|replace|modify|insert|deploy|scale)-/.test(operation))
    emit(client, call, { verb: 'change', action: `cloud:${kind}` })
}

/** Anything else with an account: what removes counts; `request('DELETE /repos/…')` says it itself. */
function service(client: Client, call: Call): void {
  const operation = operationName(call.name).replace(DECORATION, '')
  const asked = call.name === 'request' && /^DELETE\s/i.test(known(call.args[0]) ?? '')
  if (SECRET.test(operation)) emit(client, call, { verb: 'read', action: 'cloud:secret-read' })
  else if (asked || /^(?:delete|remove|destroy|purge|drop|truncate|archive|transfer)(?:-|$)/.test(operation))
    emit(client, call, { verb: 'delete', action: 'cloud:delete' })
  else if (client.provider === 'huggingface' && /^(?:upload|push|create-commit|publish)/.test(operation))
    emit(client, call, { verb: 'publish', action: 'model:publish' })
}

/** Says which rows: a condition that is not empty, a key, or a step on the way that selects. */
function selects(client: Client, call: Call): boolean {
  if (client.path.some((name) => /where|find|filter|andWhere|equals|^eq$/i.test(name))) return true
  return call.args.some((arg) => {
    if (arg.kind !== 'dict') return arg.kind !== 'function'
    const where = arg.entries.get('where')
    return where?.kind === 'dict' ? where.entries.size > 0 || where.open : arg.open || arg.entries.size > (where === undefined ? 0 : 1)
  })
}

/** What changes a store of keys. */
const SETS =
  /^(?:set|setex|setnx|psetex|getset|append|incr|decr|incrby|decrby|expire|persist|rename|hset|hmset|hincrby|mset|lpush|rpush|sadd|zadd|xadd|json-set)$/

function data(client: Client, call: Call): void {
  const operation = operationName(call.name)
  const force = call.args[0]?.kind === 'dict' ? call.args[0].entries.get('force') : undefined
  const forced = operation === 'sync' && force?.kind === 'constant' && force.value === true
  if (forced || /^(?:drop|truncate)(?:-|$)/.test(operation)) emit(client, call, { verb: 'delete', action: 'sql:drop' })
  else if (/^flush(?:-?all|-?db)$/.test(operation)) emit(client, call, { verb: 'change', action: 'sql:flush' })
  else if (/^(?:delete(?:-many|-all)?|destroy|del|remove)$/.test(operation))
    emit(client, call, { verb: 'delete', action: 'sql:delete', where: selects(client, call) })
  else if (client.provider === 'redis' && SETS.test(operation)) emit(client, call, { verb: 'change', action: 'sql:insert' })
}

const READERS: Readonly<Record<Client['how'], (client: Client, call: Call) => void>> = {
  aws,
  cloud,
  service,
  data,
  git,
  docker,
  program,
}
