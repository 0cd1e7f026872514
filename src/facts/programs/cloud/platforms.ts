import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { isWeighty } from '../../resources/text/act-things.ts'
import { ACT_OF } from '../../resources/text/act-words.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'
import { type CloudAct, emitCloud, emitSpecial, operationOf } from './verbs.ts'

/** Hosting platforms whose command lines are words: `group verb name`, or `group:verb`. Each is a table of which words do what. */

export interface Platform {
  readonly provider: string
  /** Beginnings of commands that put something before the public. */
  readonly deploys?: readonly string[]
  /** Beginnings of commands that print secrets. */
  readonly secrets?: readonly string[]
  /** Beginnings that change who may do what, or with which key. */
  readonly access?: readonly string[]
  /** Beginnings that run something on a machine of the platform; the words after `--` or the command are what. */
  readonly remote?: readonly string[]
  /** Beginnings that stay on this machine: building, developing, linking. */
  readonly local?: readonly string[]
  /** Beginnings that read although their words do not say so. */
  readonly reads?: readonly string[]
  readonly updates?: readonly string[]
  readonly deletes?: readonly string[]
  /** What the program does without words. */
  readonly bare?: 'deploy' | 'help'
  readonly valued?: string
  readonly flags?: string
  readonly production?: readonly string[]
  readonly inert?: string
}

const VALUED =
  '-a --app -r --remote -t --token --access-token -p --project --project-ref --org --organization -c --config -e --env ' +
  '--environment -s --service --site --team -S --scope --region --name --context --message -m --dir -d --format -o ' +
  '--output -A --local-config --cwd --account --target --branch --only --except --instance --size --image --tag --vm-size ' +
  '--vm-memory --port --file -f --timeout --filter --channel --alias -b --build-env --db-url --password --schema --role ' +
  '--plan --type'
const FLAGS =
  '--prod --yes -y --force --json --debug --quiet -q --verbose --all --follow --no-wait --detach --prebuilt --public ' +
  '--dry-run --remote-only --local --confirm --tail --linked --non-interactive --now --ha --no-verify -w --watch ' +
  '--skip-build'

const LOCAL = [
  'login',
  'logout',
  'auth login',
  'auth logout',
  'auth signup',
  ...'link unlink init switch use dev build serve open completion telemetry autocomplete types emulators whoami'.split(' '),
  'auth whoami',
  ...'version docs help upgrade update pull'.split(' '),
]

function wordsOf(parsed: ParsedCommand): readonly string[] {
  return parsed.operands.flatMap((word) => (word.text === null ? [nameOf(word)] : word.text.split(':').filter((part) => part !== '')))
}

function actOf(platform: Platform, words: readonly string[], parsed: ParsedCommand): CloudAct {
  const verb = words.findIndex((word, at) => (at > 0 || words.length === 1) && operationOf(word) !== null)
  const at = verb < 0 ? Math.min(1, words.length - 1) : verb
  const named = parsed.value('-a', '--app', '-p', '--project', '--project-ref', '--site', '--name')
  const production = parsed.flag('--prod', ...(platform.production ?? [])) ? { production: true } : {}
  return {
    provider: platform.provider,
    service: words.slice(0, Math.max(1, at)).join(' '),
    operation: words[at] ?? '',
    resource: words[at + 1] ?? (named === null ? (words[0] ?? platform.provider) : nameOf(named)),
    attributes: { ...production, ...(named === null ? {} : { app: known(named) }) },
  }
}

interface Call {
  readonly parsed: ParsedCommand
  readonly context: CommandContext
}

/** What runs on the platform's machines. */
function remote(act: CloudAct, inner: readonly Word[], { parsed, context }: Call): void {
  const option = parsed.value('-C', '--command')
  emitSpecial(act, `execute ${inner.length > 0 || option !== null ? 'net:remote-shell' : 'net:remote-login'}`, context)
  context.within({ attributes: { remote: act.provider }, remote: true }, (inside) => {
    if (option !== null) inside.shell(option.text, option.span, parsed.invocation.name)
    else if (inner.length > 0) inside.command(inner, parsed.invocation.name)
  })
}

function deploy(act: CloudAct, context: CommandContext): void {
  emitSpecial(act, 'publish pages:deploy', context)
}

type Kind = 'deploys' | 'secrets' | 'access' | 'remote' | 'local' | 'reads' | 'updates' | 'deletes'
const KINDS: readonly Kind[] = ['deletes', 'updates', 'deploys', 'access', 'remote', 'secrets', 'reads', 'local']
const HARMLESS: readonly Kind[] = ['reads', 'secrets']

interface Match {
  readonly kind: Kind
  /** Words of the command that matched. */
  readonly words: number
}

/** The longest beginning of the command that the platform names. A harmless one does not cover a verb that follows it. */
function match(platform: Platform, words: readonly string[]): Match | null {
  let best: Match | null = null
  for (const kind of KINDS) {
    const starts = kind === 'local' ? [...LOCAL, ...(platform.local ?? [])] : (platform[kind] ?? [])
    for (const start of starts) {
      const parts = start.split(' ')
      if (parts.length <= (best?.words ?? 0) || !parts.every((part, at) => words[at] === part)) continue
      const next = operationOf(words[parts.length] ?? '')
      if (HARMLESS.includes(kind) && next !== null && next !== 'read') continue
      best = { kind, words: parts.length }
    }
  }
  return best
}

/** Emits what the words of a platform name. */
function named(kind: Exclude<Kind, 'remote' | 'local'>, act: CloudAct, context: CommandContext): void {
  if (kind === 'deploys') deploy(act, context)
  else if (kind === 'secrets') emitSpecial(act, 'read cloud:secret-read', context)
  else if (kind === 'access') emitSpecial(act, 'change cloud:iam', context)
  else if (kind === 'reads') emitCloud(act, 'read', context)
  else if (kind === 'updates') emitCloud(act, 'update', context)
  else emitCloud(act, 'delete', context)
}

/** `railway run command`, `heroku local:run command`: on this machine, with the settings of the platform. */
function runsHere({ invocation: { args, name } }: ParsedCommand, context: CommandContext): void {
  const at = args.findIndex(({ text }) => text !== null && /^(?:\w+:)?run$/.test(text))
  const words = at < 0 ? [] : args.slice(at + 1)
  if (words.length > 0) context.command(words[0]?.text === '--' ? words.slice(1) : words, name)
}

function run(platform: Platform, parsed: ParsedCommand, context: CommandContext): void {
  const words = wordsOf(parsed)
  const line = words.join(' ')
  const act = actOf(platform, words, parsed)
  const unknown = parsed.operands.slice(0, 2).find((word) => word.text === null)
  if (words.length === 0) {
    if (platform.bare === 'deploy') deploy({ ...act, operation: 'deploy' }, context)
    else context.emit('execute', context.thing('program', platform.provider), { action: 'tool:help' })
    return
  }
  if (unknown !== undefined && operationOf(words[0] ?? '') !== 'read') {
    context.opaque(`the command of \`${parsed.invocation.name}\` is not known before it runs`, unknown.span)
  }
  const found = match(platform, words)
  if (found === null) emitCloud(act, operationOf(act.operation) ?? operationOf(words[0] ?? '') ?? (isThing(words) ? 'read' : null), context)
  else if (found.kind === 'remote') {
    // The words after the command, or after `--`.
    remote(act, parsed.rest.length > 0 ? parsed.rest : parsed.operands.slice(found.words), { parsed, context })
  } else if (found.kind === 'local') {
    const action = /^(?:auth )?log(?:in|out)/.test(line) ? 'tool:auth' : 'dev:run'
    context.emit('execute', context.thing('program', act.provider), { action })
    runsHere(parsed, context)
  } else named(found.kind, act, context)
}

/** A group or a thing alone, and no word of what to do: it is listed, or its usage is shown. `apps`, `compute volume`. */
function isThing(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  return (
    words.length <= 2 &&
    words.every((word) => (ACT_OF.get(word) ?? 'read') === 'read') &&
    (isWeighty(last) || /^[a-z-]{2,30}[^su\W]s$/.test(last))
  )
}

export function platform(about: Platform): CommandSpec {
  const options = takes(`${VALUED} ${about.valued ?? ''} -C --command`)
  const flags = list(`${FLAGS} ${about.flags ?? ''}`).filter((flag) => !Object.hasOwn(options, flag))
  return refined((parsed, context) => run(about, parsed, context), {
    flags,
    options,
    inert: list(`--help --version ${about.inert ?? '-h'}`),
    operands: ['data'],
  })
}
