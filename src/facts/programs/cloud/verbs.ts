import type { Json } from '../../../core/json.ts'
import type { Verb } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { type Doing, doing, list } from '../tool.ts'

/** What an operation of a cloud does by the verb in its name: `terminate-instances`, `instances delete`, `vm show`. */

export type Operation = 'read' | 'create' | 'update' | 'delete'

const READS = list(
  'read list ls describe get show view info status logs log tail head wait search query find validate verify history diff ' +
    'plan lookup check exists count scan estimate preview explain print whoami inspect batch-get filter detect test ' +
    'simulate forecast select version doctor regions sizes types cat stat du hash top ps events metrics watch dashboard ' +
    'download export-template evaluate tree calculate compare discover whereami docs open browse analyze',
)
const CREATES = list(
  'create add put run start launch import register allocate enable provision insert new copy clone restore request init ' +
    'upload send publish invoke execute submit deploy apply sync scale-out generate issue push mk mb make install up ' +
    'install-addon commit',
)
const UPDATES = list(
  'update set modify edit patch scale restart reboot tag untag label move resize associate attach change replace upgrade ' +
    'rollback promote activate rotate reset stop pause resume suspend unset configure link connect merge transition ' +
    'enable-rule rename swap migrate assign bind grant authorize allow accept approve complete redrive retry refresh ' +
    'rebuild redeploy failover switch extend increase decrease lock unlock open-port failback cordon renew toggle',
)
const DELETES = list(
  'delete remove rm destroy terminate purge deregister revoke release drop empty cancel abandon disable disassociate ' +
    'detach unassign unbind deny reject clear flush rb del uninstall deactivate down kill forget expire truncate teardown ' +
    'deprovision unlink schedule-key-deletion dismiss retire wipe',
)

const TABLE: ReadonlyMap<string, Operation> = new Map([
  ...READS.map((word) => [word, 'read'] as const),
  ...CREATES.map((word) => [word, 'create'] as const),
  ...UPDATES.map((word) => [word, 'update'] as const),
  ...DELETES.map((word) => [word, 'delete'] as const),
])

/** The operation a word names by its whole or by its first part; null where it names none. */
export function operationOf(word: string): Operation | null {
  const whole = TABLE.get(word)
  if (whole !== undefined) return whole
  const dash = word.indexOf('-')
  if (dash < 0) return null
  // `admin-get-user`, `batch-delete-image`: who may call it, or for how many, says nothing of what it does.
  if (word.startsWith('batch-') || word.startsWith('admin-')) return operationOf(word.slice(6))
  return TABLE.get(word.slice(0, dash)) ?? null
}

const VERBS: Readonly<Record<Operation, Verb>> = { read: 'fetch', create: 'change', update: 'change', delete: 'delete' }

export interface CloudAct {
  readonly provider: string
  readonly service: string
  readonly operation: string
  readonly resource: string
  readonly attributes?: Readonly<Record<string, Json>>
}

/** Emits what an operation does: `cloud:read`, `cloud:create`, `cloud:update`, `cloud:delete`; one nobody knows is said. */
export function emitCloud(act: CloudAct, kind: Operation | null, context: CommandContext): void {
  const attributes = { provider: act.provider, service: act.service, operation: act.operation, ...act.attributes }
  const target = context.thing('resource', act.resource)
  if (kind === null) {
    const reason = `\`${act.service} ${act.operation}\` is no operation of ${act.provider} this gate knows`
    context.emit('execute', target, { action: 'cloud:unknown', certainty: 'likely', reason, attributes })
    return
  }
  context.emit(VERBS[kind], target, { action: `cloud:${kind}`, reversible: kind !== 'delete', attributes })
}

/** Emits an act under an action of its own: `cloud:iam`, `cloud:secret-read`. */
export function emitSpecial(act: CloudAct, what: Doing, context: CommandContext): void {
  const { verb, action } = doing(what)
  const attributes = { provider: act.provider, service: act.service, operation: act.operation, ...act.attributes }
  const reversible = verb !== 'delete' && verb !== 'publish' && verb !== 'send'
  context.emit(verb, context.thing('resource', act.resource), { action, reversible, attributes })
}
