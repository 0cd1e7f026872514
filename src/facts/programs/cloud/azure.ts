import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'
import { type CloudAct, emitCloud, emitSpecial, type Operation, operationOf } from './verbs.ts'

/** The Azure command line: `az group subgroup verb --options`. Words before the first option are the command. */

const OPTIONS = takes(
  '-n --name -g --resource-group -l --location --subscription -o --output --query --ids -t --type --account-name ' +
    '--account-key --sas-token --connection-string --container-name -c --file -f --source -s --destination -d --pattern ' +
    '--vault-name --value --scope --role --assignee --scripts --command-id --parameters --template-file --template-uri ' +
    '--image --size --admin-username --admin-password --ssh-key-values --vnet-name --nsg-name --server --server-name ' +
    '--database --user --password --url --uri -u --method -m --body -b --headers --resource --tenant --username -p ' +
    '--registry --repository --cluster-name --sku --settings --slot --cluster --start-time --end-time --filter ' +
    '--target-resource-id --org --organization --project --title --description --branch --target-branch --source-branch',
)
const FLAGS = list(
  '-y --yes --no-wait --debug --verbose --only-show-errors --force --overwrite -i --delete-snapshots --no-browser ' +
    '--identity --service-principal --use-device-code --all --recursive --dryrun --what-if --confirm-with-what-if',
)

/** Commands that print keys, tokens or secrets. */
const SECRETS = [
  'account get-access-token',
  'keyvault secret show',
  'keyvault secret download',
  'keyvault secret backup',
  'keyvault key download',
  'keyvault key decrypt',
  'storage account keys list',
  'storage account show-connection-string',
  'storage account generate-sas',
  'acr credential show',
  'acr login',
  'cosmosdb keys list',
  'cosmosdb list-keys',
  'redis list-keys',
  'servicebus namespace authorization-rule keys list',
  'eventhubs namespace authorization-rule keys list',
  'cognitiveservices account keys list',
  'search admin-key show',
  'functionapp keys list',
  'webapp deployment list-publishing-credentials',
  'webapp deployment list-publishing-profiles',
  'appconfig credential list',
  'ad sp create-for-rbac',
  'ad sp credential reset',
  'ad app credential reset',
  'batch account keys list',
  'iot hub connection-string show',
  'maps account keys list',
  'signalr key list',
  'webapp config appsettings list',
  'functionapp config appsettings list',
  'webapp config connection-string list',
  'staticwebapp appsettings list',
  'staticwebapp secrets list',
  'containerapp secret show',
  'communication list-key',
]
const IDENTITY = /^(?:role|ad|identity|policy|keyvault (?:set-policy|delete-policy)|account management-group|lock)(?: |$)/
const LOCAL: ReadonlyMap<string, string> = new Map([
  ['login', 'tool:auth'],
  ['logout', 'tool:auth'],
  ['account set', 'tool:config'],
  ['account clear', 'tool:auth'],
  ['configure', 'tool:config'],
  ['config set', 'tool:config'],
  ['cloud set', 'tool:config'],
  ['aks get-credentials', 'k8s:context'],
  ['aks install-cli', 'pkg:install'],
  ['extension add', 'pkg:install'],
  ['extension update', 'pkg:install'],
  ['upgrade', 'pkg:upgrade'],
])

/** `az rest` makes any request. */
const METHODS: Readonly<Record<string, Operation>> = {
  get: 'read',
  head: 'read',
  options: 'read',
  put: 'update',
  post: 'update',
  patch: 'update',
  delete: 'delete',
}

/** Last words that mean something else than the table of verbs says. */
const EXCEPTIONS: Readonly<Record<string, Operation>> = {
  'deployment group what-if': 'read',
  'deployment sub what-if': 'read',
  'deployment group validate': 'read',
  'graph query': 'read',
  'vm deallocate': 'update',
  'vm redeploy': 'update',
  'vm generalize': 'update',
  'vm reimage': 'delete',
  'pipelines run': 'update',
  'bicep build': 'read',
  find: 'read',
  interactive: 'update',
}

/** The command of an act: `storage blob upload`. */
function lineOf(act: CloudAct): string {
  return act.operation === act.service ? act.service : `${act.service} ${act.operation}`
}

/** No group is called so: a word behind one of them is a name, whatever else it means. */
const ENDS: ReadonlySet<string> = new Set(['create', 'delete', 'update', 'show', 'list', 'purge'])

/** The words of the command: those before its first option, since the value of an option nobody knows looks like one more. */
function commandOf(parsed: ParsedCommand): readonly string[] {
  const { args } = parsed.invocation
  const all = args[0]?.prefix.startsWith('-') === true ? parsed.operands : args
  const words: string[] = []
  for (const word of all) {
    const text = word.text
    if (text === null || !/^[a-z][a-z0-9-]*$/.test(text)) break
    words.push(text)
    if (ENDS.has(text)) break
  }
  return words
}

function blobs(act: CloudAct, parsed: ParsedCommand, context: CommandContext): boolean {
  const line = lineOf(act)
  if (!/^storage (?:blob|file|fs file|fs directory|copy)/.test(line)) return false
  const file = parsed.value('-f', '--file', '-s', '--source')
  if (/(?:upload|upload-batch|sync|storage copy)$/.test(line)) {
    if (file !== null && !file.prefix.includes('://')) context.emit('read', context.path(file), { action: 'cloud:upload', span: file.span })
    emitSpecial({ ...act, attributes: { ...act.attributes, carries: file === null ? [] : [nameOf(file)] } }, 'send cloud:upload', context)
    return true
  }
  if (!/download(?:-batch)?$/.test(line)) return false
  emitCloud(act, 'read', context)
  const target = parsed.value('-d', '--destination', '-f', '--file')
  if (target !== null) context.emit('write', context.path(target), { action: 'cloud:download', span: target.span })
  return true
}

function runCommand(act: CloudAct, parsed: ParsedCommand, context: CommandContext): void {
  emitSpecial(act, 'execute net:remote-shell', context)
  for (const word of parsed.values('--scripts', '--command', '-c')) {
    if (word.text?.startsWith('@') === true)
      context.emit('read', context.path({ ...word, text: word.text.slice(1), prefix: word.prefix.slice(1) }), { action: 'cloud:upload' })
    else context.within({ attributes: { remote: act.resource }, remote: true }, (inside) => inside.shell(word.text, word.span, 'az'))
  }
}

function rest(act: CloudAct, parsed: ParsedCommand, context: CommandContext): void {
  const url = parsed.value('-u', '--url', '--uri')
  const method = parsed.value('-m', '--method')
  const name = method === null ? 'get' : (method.text?.toLowerCase() ?? '')
  const kind = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (url !== null) context.emit(kind === 'read' ? 'fetch' : 'send', context.url(url), { action: 'cloud:request', span: url.span })
  emitCloud({ ...act, operation: name, resource: url === null ? 'rest' : nameOf(url) }, kind ?? null, context)
}

function special(act: CloudAct, parsed: ParsedCommand, context: CommandContext): boolean {
  const line = lineOf(act)
  const local = LOCAL.get(line)
  const kind = operationOf(act.operation)
  if (local === 'pkg:install')
    context.emit('execute', context.thing('package', act.resource), { action: local, attributes: { manager: 'az', source: 'registry' } })
  else if (local === 'pkg:upgrade') emitSpecial({ ...act, attributes: { ...act.attributes, global: true } }, `change ${local}`, context)
  else if (local !== undefined) emitSpecial(act, `change ${local}`, context)
  else if (SECRETS.includes(line)) {
    emitSpecial(act, 'read cloud:secret-read', context)
    if (line.startsWith('ad ')) emitSpecial(act, 'change cloud:iam', context)
  } else if (/(?:run-command (?:invoke|create)|^aks command invoke|^container exec|^webapp ssh|^vm ssh|^ssh vm)$/.test(line))
    runCommand(act, parsed, context)
  else if (line === 'rest') rest(act, parsed, context)
  else if (line === 'repos pr create')
    context.emit('publish', context.thing('repository', 'origin'), { action: 'gh:pr-create', reversible: true })
  else if (/^(?:webapp|functionapp|staticwebapp|containerapp|spring app)\b.*\b(?:deploy|up|config-zip)$/.test(line))
    emitSpecial(act, 'publish cloud:deploy', context)
  else if (IDENTITY.test(line) && kind !== 'read' && kind !== null)
    emitSpecial(act, `${kind === 'delete' ? 'delete' : 'change'} cloud:iam`, context)
  else return blobs(act, parsed, context)
  return true
}

function actOf(group: string, words: readonly string[], parsed: ParsedCommand): CloudAct {
  const named = parsed.value('-n', '--name', '--ids') ?? parsed.value('--vault-name', '--account-name', '-g', '--resource-group')
  const resourceGroup = parsed.value('-g', '--resource-group')
  const subscription = parsed.value('--subscription')
  return {
    provider: 'azure',
    service: words.slice(0, -1).join(' ') || group,
    operation: words.at(-1) ?? '',
    resource: named === null ? group : nameOf(named),
    attributes: {
      ...(resourceGroup === null ? {} : { resource_group: known(resourceGroup) }),
      ...(subscription === null ? {} : { subscription: known(subscription) }),
    },
  }
}

function az(parsed: ParsedCommand, context: CommandContext): void {
  const words = commandOf(parsed)
  const [group] = words
  const unknown = parsed.operands[0]
  if (group === undefined || group === 'version' || group === 'help') {
    if (unknown?.text === null) context.opaque('the command of `az` is not known before it runs', unknown.span)
    else context.emit('execute', context.thing('program', 'az'), { action: 'tool:help' })
    return
  }
  const line = words.join(' ')
  const act = actOf(group, words, parsed)
  if (special(act, parsed, context)) return
  const looks = parsed.flag('--what-if') || parsed.flag('--dryrun')
  const exception = Object.hasOwn(EXCEPTIONS, line) ? EXCEPTIONS[line] : undefined
  // A name may stand behind the verb: `az vm restart myvm`.
  const kind = operationOf(act.operation) ?? operationOf(words.at(-2) ?? '')
  emitCloud(act, looks ? 'read' : (exception ?? kind), context)
}

export const AZURE: CommandSpec = refined(az, { flags: FLAGS, options: OPTIONS, inert: list('--help -h --version'), operands: ['data'] })
