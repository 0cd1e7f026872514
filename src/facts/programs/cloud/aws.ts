import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { insideOf, isDirectory } from '../../resources/acts.ts'
import { leadsAway } from '../../resources/environment/endpoints.ts'
import { analyseSql } from '../../sql/index.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'
import { EXCEPTIONS, IDENTITY, MESSAGES, PERMISSIONS, SECRETS, WATCHES } from './aws-operations.ts'
import { type CloudAct, emitCloud, emitSpecial, type Operation, operationOf } from './verbs.ts'

/** The AWS command line: `aws [options] <service> <operation> [options]`, options anywhere. */

const FLAGS = list(
  '--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --recursive --dryrun --dry-run --no-dry-run ' +
    '--delete --force --quiet --only-show-errors --no-progress --with-decryption --no-with-decryption --human-readable ' +
    '--summarize --exact-timestamps --size-only --follow-symlinks --no-follow-symlinks --yes --no-execute-changeset ' +
    '--no-fail-on-empty-changeset --follow --force-delete-without-recovery --skip-final-snapshot --no-skip-final-snapshot ' +
    '--overwrite --no-cli-auto-prompt --cli-auto-prompt --all-regions --no-include-email --include-email --force-delete ' +
    '--bypass-governance-retention --apply-immediately --delete-automated-backups --all',
)
/** Options with a value; every other long option of aws takes one too, and comes after the operation. */
const OPTIONS = takes(
  '--region --profile --output --query --endpoint-url --color --ca-bundle --cli-read-timeout --cli-connect-timeout ' +
    '--cli-binary-format --cli-input-json --cli-input-yaml --generate-cli-skeleton --page-size --max-items --starting-token ' +
    '--acl --exclude --include --storage-class --sse --sse-kms-key-id --content-type --cache-control --metadata ' +
    '--expires-in --grants --source-region --request-payer --secret-id --name --names --path --instance-ids --instance-id ' +
    '--function-name --bucket --key --stack-name --table-name --db-instance-identifier --user-name --role-name --policy-arn ' +
    '--group-name --queue-url --topic-arn --cluster --cluster-name --role-arn --message --targets --target --document-name ' +
    '--parameters --payload --body --filters --log-group-name --log-group-names --hosted-zone-id --key-id --repository-name ' +
    '--distribution-id --id --ids --arn --resource-arn --template-body --template-file --template-url --capabilities ' +
    '--destination --from --to --subject --text --message-body --phone-number --username --since --filter-pattern ' +
    '--volume-id --snapshot-id --image-id --group-id --vpc-id --subnet-id --alias --index --query-string --sql --statement',
)

const RESOURCE_OPTIONS = list(
  '--secret-id --name --names --instance-ids --instance-id --function-name --bucket --stack-name --table-name ' +
    '--db-instance-identifier --user-name --role-name --group-name --queue-url --topic-arn --cluster-name --cluster ' +
    '--hosted-zone-id --key-id --repository-name --distribution-id --volume-id --snapshot-id --image-id --group-id --vpc-id ' +
    '--log-group-name --resource-arn --arn --id --ids',
)

/** Values such as `file://x` are read from here and sent there. */
function localFiles(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.invocation.args) {
    const text = word.text ?? word.prefix
    const at =
      text.indexOf('file://') >= 0 ? text.indexOf('file://') + 7 : text.indexOf('fileb://') >= 0 ? text.indexOf('fileb://') + 8 : -1
    if (at > 0)
      context.emit('read', context.path({ ...word, text: word.text === null ? null : text.slice(at), prefix: text.slice(at) }), {
        action: 'cloud:file',
        span: word.span,
      })
  }
}

function resourceOf(parsed: ParsedCommand, service: string): string {
  const word = parsed.value(...RESOURCE_OPTIONS)
  return word === null ? service : nameOf(word)
}

const isS3 = (word: Word) => (word.text ?? word.prefix).startsWith('s3://')

type Objects = (word: Word | undefined) => CloudAct

/** `cp`, `mv` and `sync`: files here, objects there. */
function transfer(act: Objects, parsed: ParsedCommand, context: CommandContext): void {
  const [operation, from, to] = [parsed.operands[1]?.text ?? '', parsed.operands[2], parsed.operands[3]]
  if (from === undefined || to === undefined) {
    emitCloud(act(from), operationOf(operation), context)
    return
  }
  if (isS3(from)) emitCloud(act(from), 'read', context)
  else if (from.text !== '-') context.emit('read', context.path(from), { action: 'cloud:upload', span: from.span })
  const { attributes = {} } = act(to)
  if (isS3(to)) {
    const carries = isS3(from) ? {} : { carries: [nameOf(from)] }
    const open = parsed.value('--acl')?.text?.startsWith('public-read') === true ? { public: true } : {}
    emitSpecial({ ...act(to), attributes: { ...attributes, ...carries, ...open } }, 'send cloud:upload', context)
  } else if (to.text !== '-') {
    const one = operation !== 'sync' && !parsed.flag('--recursive') && isDirectory(context, to)
    context.emit('write', context.path(one ? insideOf(to, from) : to), { action: 'cloud:download', span: to.span })
  }
  if (operation === 'mv') takeAway(from, act, context)
  if (parsed.flag('--delete')) emitCloud(act(to), 'delete', context)
}

/** What `mv` leaves behind: nothing. */
function takeAway(from: Word, act: Objects, context: CommandContext): void {
  if (isS3(from)) emitCloud(act(from), 'delete', context)
  else context.emit('delete', context.path(from), { action: 'cloud:upload', reversible: true, span: from.span })
}

const S3: ReadonlyMap<string, Operation> = new Map([
  ['ls', 'read'],
  ['presign', 'create'],
  ['rm', 'delete'],
  ['rb', 'delete'],
  ['mb', 'create'],
  ['website', 'update'],
])

/** `aws s3`. */
function s3(operation: string, parsed: ParsedCommand, context: CommandContext): void {
  const attributes = {
    recursive: parsed.flag('--recursive') || operation === 'sync',
    delete: parsed.flag('--delete'),
    force: parsed.flag('--force'),
    ...endpointOf(parsed),
  }
  const act: Objects = (word) => ({
    provider: 'aws',
    service: 's3',
    operation,
    resource: word === undefined ? 's3' : nameOf(word),
    attributes,
  })
  const kind = parsed.flag('--dryrun') ? 'read' : S3.get(operation)
  if (kind === undefined) transfer(act, parsed, context)
  else emitCloud(act(parsed.operands[2]), kind, context)
}

/** Profiles and keys of the command line itself. */
function configure(parsed: ParsedCommand, context: CommandContext): void {
  const [operation, key] = parsed.operands.slice(1)
  const secret = /secret|token|key/.test(key?.text ?? '')
  const name = operation?.text ?? 'configure'
  const act: CloudAct = { provider: 'aws', service: 'configure', operation: name, resource: key === undefined ? 'profile' : nameOf(key) }
  if (name === 'get') emitSpecial(act, `read ${secret ? 'cloud:secret-read' : 'tool:config'}`, context)
  else if (name === 'list' || name === 'list-profiles') emitSpecial(act, 'read tool:config', context)
  else emitSpecial(act, 'change tool:auth', context)
}

/** Commands that Systems Manager runs on machines. */
/** The command in `commands=["…"]`; null where there is none. */
function commandsOf(text: string): string | null {
  const at = text.indexOf('commands=')
  if (at === -1) return null
  const list = text.slice(at + 'commands='.length)
  const inner = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list
  return /^["']/.test(inner) && inner.at(-1) === inner[0] ? inner.slice(1, -1) : inner
}

function ssm(act: CloudAct, parsed: ParsedCommand, context: CommandContext): boolean {
  if (act.operation === 'start-session') emitSpecial(act, 'execute net:remote-login', context)
  else if (act.operation === 'send-command' || act.operation === 'start-automation-execution') {
    emitSpecial(act, 'execute net:remote-shell', context)
    const text = parsed.value('--parameters')
    const command = commandsOf(text?.text ?? '')
    if (command !== null && text !== null) {
      context.within({ attributes: { remote: act.resource }, remote: true }, (inside) => inside.shell(command, text.span, 'aws'))
    }
  } else if (act.operation.startsWith('get-parameter') && parsed.flag('--with-decryption'))
    emitSpecial(act, 'read cloud:secret-read', context)
  else return false
  return true
}

function special(act: CloudAct, parsed: ParsedCommand, context: CommandContext): boolean {
  const name = `${act.service} ${act.operation}`
  if (SECRETS.has(name)) {
    emitSpecial(act, 'read cloud:secret-read', context)
    if (act.service === 'iam') emitSpecial(act, 'change cloud:iam', context)
    return true
  }
  if (WATCHES.has(name)) {
    emitSpecial(act, 'change security:disable', context)
    return true
  }
  const message = MESSAGES.get(name)
  if (message !== undefined) {
    emitSpecial(act, `send ${message}`, context)
    return true
  }
  const kind = operationOf(act.operation)
  if (kind !== 'read' && kind !== null && (IDENTITY.includes(act.service) || PERMISSIONS.test(act.operation))) {
    emitSpecial(act, `${kind === 'delete' ? 'delete' : 'change'} cloud:iam`, context)
    return true
  }
  return act.service === 'ssm' && ssm(act, parsed, context)
}

const LOCAL: ReadonlyMap<string, string> = new Map([
  ['sso login', 'tool:auth'],
  ['sso logout', 'tool:auth'],
  ['eks update-kubeconfig', 'tool:config'],
])

function aws(parsed: ParsedCommand, context: CommandContext): void {
  const [first, second] = parsed.operands
  const unknown = [first, second].find((word) => word?.text === null)
  if (first === undefined || first.text === 'help' || second?.text === 'help') {
    context.emit('execute', context.thing('program', 'aws'), { action: 'tool:help' })
  } else if (unknown !== undefined || first.text === null) {
    context.opaque('the operation of `aws` is not known before it runs', (unknown ?? first).span)
  } else if (first.text === 'configure') configure(parsed, context)
  else operate([first.text, second?.text ?? ''], parsed, context)
}

function operate([service, operation]: readonly [string, string], parsed: ParsedCommand, context: CommandContext): void {
  const attributes = where(parsed, context)
  const act: CloudAct = { provider: 'aws', service, operation, resource: resourceOf(parsed, service), attributes }
  const local = LOCAL.get(`${service} ${operation}`)
  redirected(parsed, context)
  const looks = onlyShows(parsed) || operation === 'wait' || (service === 'ec2' && pretends(parsed))
  if (!looks) localFiles(parsed, context)
  if (looks) emitCloud(act, 'read', context)
  else if (local !== undefined) emitSpecial(act, `change ${local}`, context)
  else if (service === 's3') s3(operation, parsed, context)
  else if (!special(act, parsed, context)) {
    const exception = EXCEPTIONS.get(`${service} ${operation}`)
    emitCloud(act, exception !== undefined && queries(parsed, context) ? 'read' : (exception ?? operationOf(operation)), context)
  }
}

/** True where a statement is handed over that only reads: `athena start-query-execution --query-string 'select …'`. */
function queries(parsed: ParsedCommand, context: CommandContext): boolean {
  const word = parsed.value('--query-string', '--sql', '--statement')
  if (word === null || word.text === null) return false
  const effects = analyseSql(word.text, { span: word.span, database: context.thing('database', 'aws') })
  return (
    effects.length > 0 &&
    effects.every(({ verb, action, target }) => verb === 'read' && target.kind === 'database' && action !== 'sql:copy')
  )
}

/** `--generate-cli-skeleton [input|yaml-input|output]` prints and calls nothing; no other value is one of it. */
function onlyShows({ invocation: { args } }: ParsedCommand): boolean {
  const at = args.findLastIndex(({ prefix }) => /^--generate-cli-skeleton(?:=|$)/.test(prefix))
  if (at < 0) return false
  const attached = args[at]?.text?.split('=')[1]
  const next = args[at + 1]
  const value = attached ?? (next === undefined || next.prefix.startsWith('-') ? 'input' : next.text)
  return value !== null && ['input', 'yaml-input', 'output'].includes(value)
}

/** `--dry-run`, where no later word takes it back. */
function pretends({ invocation: { args } }: ParsedCommand): boolean {
  return args.findLast(({ text }) => text === '--dry-run' || text === '--no-dry-run')?.text === '--dry-run'
}

/** Another server than the cloud's own sees every request, keys and all. */
function redirected(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.value('--endpoint-url')
  const away = word?.text == null ? null : leadsAway('AWS_ENDPOINT_URL', word.text)
  if (word === null || away === null) return
  context.emit('change', context.url(word), { action: 'net:redirect', span: word.span, attributes: { service: away.service } })
}

function where(parsed: ParsedCommand, context: CommandContext) {
  const named = (...variables: readonly string[]): Word | null =>
    variables.map((name) => context.variable?.(name) ?? null).find((word) => word !== null) ?? null
  const region = parsed.value('--region') ?? named('AWS_REGION', 'AWS_DEFAULT_REGION')
  const profile = parsed.value('--profile') ?? named('AWS_PROFILE', 'AWS_DEFAULT_PROFILE')
  return {
    ...(region === null ? {} : { region: known(region) }),
    ...(profile === null ? {} : { profile: known(profile) }),
    ...endpointOf(parsed),
  }
}

/** The server that is asked in place of the cloud's own; `awslocal` is LocalStack's. */
function endpointOf(parsed: ParsedCommand) {
  const endpoint = parsed.value('--endpoint-url')
  if (endpoint !== null) return { endpoint: known(endpoint) }
  return parsed.invocation.name === 'awslocal' ? { endpoint: 'http://localhost:4566' } : {}
}

export const AWS: CommandSpec = refined(aws, { flags: FLAGS, options: OPTIONS, inert: ['--version', '--help'], operands: ['data'] })
