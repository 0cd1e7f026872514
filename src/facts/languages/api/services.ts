import { carried } from '../interpret/payload.ts'
import { has, known } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { FROM, list, UNKNOWN, type Value } from '../interpret/value.ts'
import { named } from './act.ts'
import { accountIn } from './clients/accounts.ts'
import { operationName } from './clients/roots.ts'

/** Clients of well-known services, told by the names of their methods: storage, messages, mail, payments, machines. */

/** The value of a setting under any of its names, as a named argument or in an object. */
function setting(call: Call, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const direct = call.named.get(name)
    if (direct !== undefined) return direct
    for (const arg of call.args) if (arg.kind === 'dict' && arg.entries.has(name)) return arg.entries.get(name)
  }
  return undefined
}

function everything(call: Call): Value {
  return list([...call.args, ...call.named.values()])
}

/** Into a bucket: the bytes in `body`, or the file at `path`. */
function uploads(path: readonly [number, ...string[]] | null, bucket: readonly [number, ...string[]]): Handler {
  return (call) => {
    const file = path === null ? undefined : argument(call, path[0], ...path.slice(1).map(String))
    const taint = file === undefined || file.kind === 'object' ? undefined : call.run.acts.read(file)
    const goal = argument(call, bucket[0], ...bucket.slice(1).map(String)) ?? setting(call, 'Bucket', 'bucket')
    const payload = taint === undefined ? everything(call) : list([everything(call), { kind: 'part', pieces: [null], taint }])
    call.run.acts.emit('send', call.run.context.thing('resource', known(goal) ?? ''), {
      action: 'cloud:upload',
      attributes: carried(payload),
    })
    return undefined
  }
}

function downloads(path: readonly [number, ...string[]]): Handler {
  return (call) => {
    const goal = argument(call, path[0], ...path.slice(1).map(String))
    call.run.acts.emit('fetch', call.run.context.thing('resource', known(setting(call, 'Bucket') ?? call.args[0]) ?? ''), {
      action: 'cloud:download',
    })
    if (goal !== undefined && goal.kind !== 'object') call.run.acts.write(goal)
    return undefined
  }
}

const removes: Handler = (call) => {
  const what =
    setting(call, 'Bucket', 'Key', 'DBInstanceIdentifier', 'StackName', 'TableName', 'FunctionName', 'UserName', 'name') ?? call.args[0]
  call.run.acts.emit('delete', call.run.context.thing('resource', known(what) ?? ''), { action: 'cloud:delete', reversible: false })
  return undefined
}

const stops: Handler = (call) => {
  const what = setting(call, 'InstanceIds', 'instance_ids')
  const name = what?.kind === 'list' ? known(what.items[0]) : known(what)
  call.run.acts.emit('delete', call.run.context.thing('resource', name ?? ''), { action: 'cloud:delete', reversible: false })
  return undefined
}

/** Browsers post messages between windows and extensions too: those name nobody. */
const messages: Handler = (call) => {
  const named = setting(call, 'channel', 'chat_id', 'to', 'to_number', 'QueueUrl', 'TopicArn', 'PhoneNumber')
  const second = call.args[1]
  const pair = second !== undefined && second.kind !== 'function' && second.kind !== 'dict' && !/post/i.test(call.name)
  const to = named ?? (pair ? call.args[0] : undefined)
  if (to === undefined) return undefined
  call.run.acts.emit('send', call.run.context.thing('address', known(to) ?? ''), {
    action: 'message:send',
    reversible: false,
    attributes: carried(everything(call)),
  })
  return undefined
}

const mails: Handler = (call) => {
  const to = setting(call, 'to', 'To', 'to_emails', 'recipients') ?? UNKNOWN
  for (const one of call.run.acts.first(to.kind === 'list' ? to.items : [to], 64)) {
    const all = everything(call)
    const leaves = has(all, FROM.file | FROM.environment | FROM.process)
    call.run.acts.emit('send', call.run.context.thing('address', known(one) ?? ''), {
      action: 'mail:send',
      reversible: false,
      ...(leaves ? { attributes: carried(all) } : {}),
    })
  }
  return undefined
}

const pays =
  (action: string): Handler =>
  (call) => {
    const to = setting(call, 'destination', 'to', 'customer', 'recipient')
    const amount = setting(call, 'amount', 'value')
    const currency = setting(call, 'currency')
    call.run.acts.emit('pay', call.run.context.thing('account', known(to) ?? 'unknown'), {
      action,
      reversible: false,
      attributes: {
        ...(known(amount) === null ? {} : { amount: known(amount) }),
        ...(known(currency) === null ? {} : { currency: known(currency) }),
      },
    })
    return undefined
  }

/** `stripe.charges.create(…)`: the resource is the word before. */
const PAYMENTS: ReadonlyMap<string, string> = new Map([
  ['charges', 'pay:charge'],
  ['paymentIntents', 'pay:charge'],
  ['payment_intents', 'pay:charge'],
  ['transfers', 'pay:transfer'],
  ['payouts', 'pay:transfer'],
  ['refunds', 'pay:refund'],
])

const creates: Handler = (call) => {
  const { self } = call
  const resource = self?.kind === 'method' || self?.kind === 'ref' ? self.name.slice(self.name.lastIndexOf('.') + 1) : ''
  const action = PAYMENTS.get(resource) ?? PAYMENTS.get(operationName(resource).split('-').at(-1) ?? '')
  if (action !== undefined) return pays(action)(call)
  if (resource === 'messages' && setting(call, 'to', 'from_') !== undefined) return messages(call)
  return accountIn(self) === null ? undefined : call.run.profile.clients?.(call)
}

export const SERVICE_FUNCTIONS: Table = {
  'stripe.Charge.create stripe.PaymentIntent.create stripe.PaymentIntent.confirm': pays('pay:charge'),
  'stripe.Transfer.create stripe.Payout.create': pays('pay:transfer'),
  'stripe.Refund.create': pays('pay:refund'),
}

/** A model or a set of data goes to a hub, by itself: `model.push_to_hub('acme/m')`. */
const publishes: Handler = (call) => {
  call.run.acts.emit('publish', call.run.context.thing('resource', known(argument(call, 0, 'repo_id')) ?? 'model'), {
    action: 'model:publish',
    reversible: false,
    attributes: { private: known(setting(call, 'private')) === 'true' },
  })
  return undefined
}

export const SERVICE_METHODS: Table = {
  '*.push_to_hub *.pushToHub *.save_to_hub *.upload_to_hub': publishes,
  '*.upload_file': uploads([0, 'Filename', 'filename', 'file_path'], [1, 'Bucket']),
  '*.upload_fileobj': uploads(null, [1, 'Bucket']),
  '*.put_object *.putObject *.upload_blob *.upload_from_string *.upload_from_file *.files_upload': uploads(null, [
    -1,
    'Bucket',
    'bucket_name',
  ]),
  '*.upload_from_filename *.upload_from_path': uploads([0, 'filename'], [-1, 'bucket']),
  '*.fput_object *.fPutObject': uploads([2, 'file_path'], [0, 'bucket_name']),
  '*.files_upload_v2': uploads([-1, 'file'], [-1, 'channel']),
  '*.download_file': downloads([2, 'Filename']),
  '*.download_to_filename': downloads([0, 'filename']),
  ...named(
    '*.delete_object *.delete_objects *.deleteObject *.deleteObjects *.delete_bucket *.deleteBucket *.delete_db_instance ' +
      '*.delete_stack *.deleteStack *.delete_table *.deleteTable *.delete_function *.delete_cluster *.delete_user ' +
      '*.delete_role *.delete_blob *.remove_object *.remove_bucket',
    removes,
  ),
  '*.terminate_instances *.terminateInstances': stops,
  '*.chat_postMessage *.postMessage *.chat_postEphemeral *.send_message *.sendMessage *.send_photo *.send_document *.sendDocument':
    messages,
  '*.sendMail *.send_email *.sendEmail *.send_raw_email *.send_mail': mails,
  '*.send_raw_transaction *.sendRawTransaction *.send_transaction *.sendTransaction *.eth_sendTransaction': pays('pay:transfer'),
  '*.create *.confirm': creates,
}
