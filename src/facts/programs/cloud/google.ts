import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { insideOf, isDirectory } from '../../resources/acts.ts'
import { byName, does, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { type CloudAct, emitCloud, emitSpecial, type Operation, operationOf } from './verbs.ts'

/** Google Cloud: gcloud with its groups of any depth, gsutil, bq. */

const FLAGS = list(
  '-q --quiet --no-user-output-enabled --log-http --async --force --recursive -r -R --all --include-email ' +
    '--allow-unauthenticated --no-allow-unauthenticated --preemptible --uri --no-promote --promote --no-traffic ' +
    '--delete-unmatched-destination-objects --dry-run --continue-on-error --brief --update-adc --no-launch-browser ' +
    '--launch-browser --validate-only --rm',
)
const OPTIONS = takes(
  '--project --account --format --filter --limit --sort-by --page-size --configuration --impersonate-service-account ' +
    '--verbosity --billing-project --access-token-file --flags-file --flatten --trace-token --zone --region --location ' +
    '--name --image --image-family --image-project --machine-type --network --subnet --tags --labels --metadata --command ' +
    '--member --role --secret --version --cluster --num-nodes --size --source --target --port --platform --service ' +
    '--runtime --entry-point --trigger-http --trigger-topic --env-vars-file --set-env-vars --update-env-vars --iam-account ' +
    '--display-name --description --database --instance --user --password --tier --ssh-key-file --ssh-flag ' +
    '--tunnel-through-iap --type --ttl --rrdatas --key --keyring --freshness --order --topic --message --tag --config ' +
    '--substitutions --gcs-source-staging-dir --disks --boot-disk-size --scopes --service-account --ip-address --rules ' +
    '--priority --direction --source-ranges',
)

/** Commands that print or make credentials, by the words of the command. */
const SECRETS = [
  'secrets versions access',
  'auth print-access-token',
  'auth print-identity-token',
  'auth application-default print-access-token',
  'kms decrypt',
  'compute reset-windows-password',
  'sql generate-login-token',
  'iam service-accounts keys create',
]
const TRACKS = ['alpha', 'beta', 'preview']
const DEPLOYS = ['app', 'run', 'functions']
/** Last words that only look, whatever the table of verbs says. */
const LOCAL: Readonly<Record<string, string>> = {
  config: 'tool:config',
  components: 'pkg:install',
  topic: 'tool:help',
  info: 'tool:status',
  version: 'tool:help',
  help: 'tool:help',
  init: 'tool:auth',
}
const ACCOUNTS = ['login', 'revoke', 'activate-service-account', 'set-quota-project', 'configure-docker']

interface Gcloud {
  readonly words: readonly string[]
  readonly at: number
  readonly kind: Operation | null
}

/** The first word that is a verb ends the command; what follows are resources. */
function verbOf(words: readonly string[]): Gcloud {
  for (const [at, word] of words.entries()) {
    if (at === 0) continue
    const kind = operationOf(word)
    if (kind !== null) return { words, at, kind }
  }
  return { words, at: Math.min(1, words.length - 1), kind: null }
}

function remote(act: CloudAct, parsed: ParsedCommand, context: CommandContext): void {
  const command = parsed.value('--command')
  emitSpecial(act, `execute ${command === null ? 'net:remote-login' : 'net:remote-shell'}`, context)
  if (command !== null)
    context.within({ attributes: { remote: act.resource }, remote: true }, (inside) => inside.shell(command.text, command.span, 'gcloud'))
}

function configuration(words: readonly string[], act: CloudAct, context: CommandContext): void {
  const reads =
    ['list', 'get', 'get-value', 'describe', 'configurations'].includes(words[1] ?? 'list') &&
    !['create', 'activate', 'delete'].includes(words[2] ?? '')
  const action = LOCAL[words[0] ?? ''] ?? 'tool:config'
  if (action === 'pkg:install' && !reads)
    context.emit('execute', context.thing('package', act.resource), { action, attributes: { manager: 'gcloud', source: 'registry' } })
  else
    emitSpecial(
      act,
      `${reads || action === 'tool:help' || action === 'tool:status' ? 'read' : 'change'} ${action === 'pkg:install' ? 'tool:config' : action}`,
      context,
    )
}

/** Copies between files here and objects there: `gcloud storage`, `gsutil`. */
function objects(words: readonly Word[], options: { readonly act: CloudAct; readonly remove: boolean }, context: CommandContext): void {
  const { act } = options
  const { operation } = act
  const there = (word: Word) => /^(?:gs|s3):\/\//.test(word.text ?? word.prefix)
  const on = (word: Word): CloudAct => ({ ...act, resource: nameOf(word) })
  const last = words.at(-1)
  if (last === undefined || words.length < 2) {
    emitCloud({ ...act, resource: last === undefined ? act.resource : nameOf(last) }, operationOf(operation), context)
    return
  }
  for (const word of words.slice(0, -1)) {
    if (there(word)) emitCloud(on(word), operation === 'mv' ? 'delete' : 'read', context)
    else if (word.text !== '-') context.emit('read', context.path(word), { action: 'cloud:upload', span: word.span })
  }
  if (there(last))
    emitSpecial(
      {
        ...on(last),
        attributes: {
          ...act.attributes,
          carries: words
            .slice(0, -1)
            .filter((word) => !there(word))
            .map(nameOf),
        },
      },
      'send cloud:upload',
      context,
    )
  else if (last.text !== '-') {
    const [first = last] = words
    const into = isDirectory(context, last) ? insideOf(last, first) : last
    context.emit('write', context.path(into), { action: 'cloud:download', span: last.span })
  }
  if (options.remove) emitCloud(on(last), 'delete', context)
}

function account(words: readonly string[], act: CloudAct, context: CommandContext): boolean {
  if (words[0] !== 'auth') return false
  if (ACCOUNTS.some((name) => words.includes(name))) emitSpecial(act, 'change tool:auth', context)
  else emitSpecial(act, 'read tool:status', context)
  return true
}

function changesAccess({ words, kind }: Gcloud): boolean {
  if (words.some((word) => word.includes('iam-policy') && !word.startsWith('get-'))) return true
  return words[0] === 'iam' && kind !== 'read' && kind !== null
}

function special(found: Gcloud, parsed: ParsedCommand, context: CommandContext): boolean {
  const { words } = found
  const act = actOf(found, parsed)
  const line = words.join(' ')
  if (SECRETS.some((name) => line === name || line.startsWith(`${name} `))) emitSpecial(act, 'read cloud:secret-read', context)
  else if (/^compute (?:ssh|scp|start-iap-tunnel)(?: |$)/.test(line) || line.startsWith('cloud-shell ssh')) remote(act, parsed, context)
  else if (words[0] === 'container' && words.includes('get-credentials')) emitSpecial(act, 'change k8s:context', context)
  else if (changesAccess(found)) {
    emitSpecial(act, `${found.kind === 'delete' ? 'delete' : 'change'} cloud:iam`, context)
  } else if (words[1] === 'deploy' && DEPLOYS.includes(words[0] ?? '')) emitSpecial(act, 'publish cloud:deploy', context)
  else if (words[0] === 'pubsub' && words.includes('publish')) emitSpecial(act, 'send message:send', context)
  else return false
  return true
}

function actOf(found: Gcloud, parsed: ParsedCommand): CloudAct {
  const project = parsed.value('--project')
  return {
    provider: 'gcloud',
    service: found.words.slice(0, Math.max(1, found.at)).join(' '),
    operation: found.words[found.at] ?? '',
    resource: found.words[found.at + 1] ?? found.words[0] ?? 'project',
    attributes: project === null ? {} : { project: known(project) },
  }
}

function gcloud(parsed: ParsedCommand, context: CommandContext): void {
  const operands = TRACKS.includes(parsed.operands[0]?.text ?? '') ? parsed.operands.slice(1) : parsed.operands
  const unknown = operands.slice(0, 2).find((word) => word.text === null)
  const words = operands.map(nameOf)
  const [group] = words
  if (group === undefined) return
  if (unknown !== undefined) {
    context.opaque('the command of `gcloud` is not known before it runs', unknown.span)
    return
  }
  const found = verbOf(words)
  const act = actOf(found, parsed)
  if (Object.hasOwn(LOCAL, group)) configuration(words, act, context)
  else if (group === 'storage' && ['cp', 'mv', 'rsync'].includes(words[1] ?? '')) {
    objects(
      operands.slice(2),
      { act: { ...act, service: 'storage', operation: words[1] ?? '' }, remove: parsed.flag('--delete-unmatched-destination-objects') },
      context,
    )
  } else if (special(found, parsed, context) || account(words, act, context)) return
  else emitCloud(act, found.kind, context)
}

export const GCLOUD: CommandSpec = refined(gcloud, {
  flags: FLAGS,
  options: { ...OPTIONS, ...takes('--key-file --data-file --flags-file', 'read') },
  inert: list('--help -h --version -v'),
  operands: ['data'],
})

const GSUTIL_OPERATIONS: Readonly<Record<string, Operation>> = {
  setmeta: 'update',
  rewrite: 'update',
  lifecycle: 'update',
  web: 'update',
  cors: 'update',
  versioning: 'update',
  signurl: 'create',
  notification: 'update',
  retention: 'update',
  hash: 'read',
  config: 'read',
  perfdiag: 'read',
}

const gsutilOperation = (name: string) => (Object.hasOwn(GSUTIL_OPERATIONS, name) ? GSUTIL_OPERATIONS[name] : undefined)

export const GSUTIL: CommandSpec = refined(
  (parsed, context) => {
    const [first, ...rest] = parsed.operands
    const operation = first?.text ?? ''
    const act: CloudAct = {
      provider: 'gcloud',
      service: 'storage',
      operation,
      resource: rest[0] === undefined ? 'storage' : nameOf(rest[0]),
      attributes: { recursive: parsed.flag('-r', '-R') },
    }
    if (first === undefined || operation === 'help' || operation === 'version')
      context.emit('execute', context.thing('program', 'gsutil'), { action: 'tool:help' })
    else if (first.text === null) context.opaque('the command of `gsutil` is not known before it runs', first.span)
    else if (['cp', 'mv', 'rsync'].includes(operation) && !parsed.flag('-n'))
      objects(rest, { act, remove: operation === 'rsync' && parsed.flag('-d') }, context)
    else if (operation === 'iam' || operation === 'acl' || operation === 'defacl')
      emitSpecial(act, rest[0]?.text === 'get' ? 'fetch cloud:read' : 'change cloud:iam', context)
    else emitCloud(act, gsutilOperation(operation) ?? operationOf(operation), context)
  },
  {
    flags: list('-m -q -D -DD -r -R -n -d -e -c -C -p -P -U -Z -f -a -l -L -b -h -u -x'),
    options: takes('-o -h -i -z -j -a -s -t'),
    operands: ['data'],
  },
)

const BQ_GRAMMAR: CommandSpec = {
  flags: list(
    '-f --force -r --recursive -t --table -d --dataset -q --quiet --nouse_legacy_sql --use_legacy_sql --replace ' +
      '--append_table -n --dry_run --autodetect -j -p -m --model --apilog --synchronous_mode',
  ),
  options: takes(
    '--project_id --dataset_id --location --format --max_results --destination_table --source_format --schema --label ' +
      '--expiration --description --time_partitioning_field --maximum_bytes_billed --parameter',
  ),
  operands: ['data'],
}
const bqAct = (kind: Operation): CommandSpec =>
  refined((parsed, context) => {
    const resource = parsed.operands[0]
    emitCloud(
      {
        provider: 'gcloud',
        service: 'bigquery',
        operation: parsed.path.at(-1) ?? '',
        resource: resource === undefined ? 'bigquery' : nameOf(resource),
      },
      kind,
      context,
    )
  }, BQ_GRAMMAR)

export const BQ: CommandSpec = tool('cloud', {
  ...BQ_GRAMMAR,
  subcommands: byName({
    query: refined((parsed, context) => {
      const text = parsed.operands[0]
      if (parsed.flag('-n', '--dry_run'))
        emitCloud({ provider: 'gcloud', service: 'bigquery', operation: 'query', resource: 'bigquery' }, 'read', context)
      else if (text !== undefined) context.sql(text.text, text.span, context.thing('database', 'bigquery'))
      else context.opaque('the query of `bq` comes from standard input')
    }, BQ_GRAMMAR),
    'ls show head wait info version': bqAct('read'),
    'mk cp load copy insert mkdef': bqAct('create'),
    'update add-iam-policy-binding set-iam-policy cancel undelete': bqAct('update'),
    extract: does(
      { verb: 'send', action: 'cloud:upload', kind: 'resource', at: 1, attributes: { provider: 'gcloud', service: 'bigquery' } },
      BQ_GRAMMAR,
    ),
    'rm remove-iam-policy-binding truncate': bqAct('delete'),
  }),
})
