import { isJsonObject, type Json, own, parseJson } from '../../../core/json.ts'
import type { CommandContext, ParsedCommand } from '../../host.ts'
import { doubt, doubtPlace } from '../../resources/doubt.ts'
import { ranUnread } from '../loads.ts'
import { type Found, firstOf, ran } from './nearest.ts'

/** Command lines that stand in a file of the project beside it: the processes of a `Procfile`, the scripts of a `composer.json`. */

const MAX_PROCESSES = 64

/** Subcommands of the runners that start nothing of the file. */
const STARTS_NOTHING: ReadonlySet<string> = new Set('check export version help ps status stop quit kill restart connect echo'.split(' '))

/** What `foreman start` and its kin run: every process, or those that are named. */
export function runProcfile(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  const { name: runner, span } = invocation
  const [verb, ...more] = operands
  if (verb !== undefined && STARTS_NOTHING.has(verb.text ?? '')) return
  if (verb?.text === 'run' || verb?.text === 'exec') {
    context.command(more, runner)
    return
  }
  const given = parsed.value('-f', '--procfile')
  if (given?.text === null) context.opaque(`which file \`${runner}\` follows is not known before it runs`, given.span)
  if (given?.text === null) return
  doubtPlace(`\`${runner}\` looks for its processes`, { span, context })
  const found = firstOf([given?.text ?? 'Procfile'], { span, context })
  if (found === null && given != null) ranUnread(given, context)
  if (found === null) return
  const wanted = new Set(operands.flatMap(({ text }) => text ?? []))
  const lines = processesOf(found.text)
  const named = lines.filter(({ name }) => wanted.has(name))
  const started = named.length > 0 ? named : lines
  ran(found, context, (inner) => {
    for (const { text } of started.slice(0, MAX_PROCESSES)) inner.shell(text, span, runner)
  })
  if (started.length > MAX_PROCESSES) context.opaque(`\`${found.path}\` starts more than can be followed`, span)
}

function processesOf(text: string): readonly { readonly name: string; readonly text: string }[] {
  return text.split('\n').flatMap((line) => {
    const [, name, command] = /^([\w-]+):[ \t]*(\S.*)$/.exec(line) ?? []
    return name === undefined || command === undefined ? [] : [{ name, text: command }]
  })
}

/** Events of subcommands of composer, whose scripts run by the way. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  install: ['pre-install-cmd', 'post-install-cmd', 'pre-autoload-dump', 'post-autoload-dump'],
  update: ['pre-update-cmd', 'post-update-cmd', 'pre-autoload-dump', 'post-autoload-dump'],
  'dump-autoload': ['pre-autoload-dump', 'post-autoload-dump'],
}
const MAX_SCRIPTS = 32

/** The scripts of `composer.json` of that name, or those that run around the subcommand of it. */
export function runComposerScripts(name: string | null, parsed: ParsedCommand, context: CommandContext): void {
  if (name === null && parsed.flag('--no-scripts')) return
  const { span } = parsed.invocation
  const found = scriptsOf(parsed, context)
  if (found === null) return
  const subcommand = parsed.path[0] ?? ''
  const event = COUSINS.get(subcommand) ?? subcommand
  const pending = name === null ? [...(Object.hasOwn(EVENTS, event) ? (EVENTS[event] ?? []) : [])] : [name]
  const seen = new Set<string>()
  for (let at = 0; at < pending.length; at++) {
    const script = pending[at] as string
    if (seen.has(script)) continue
    seen.add(script)
    const lines = linesOf(own(found.scripts, script))
    if (lines.length > MAX_SCRIPTS || seen.size > MAX_SCRIPTS)
      context.opaque(`\`${found.path}\` runs more scripts than can be followed`, span)
    if (seen.size > MAX_SCRIPTS) return
    if (lines.length === 0) continue
    ran(found, context, (inner) => {
      for (const line of lines.slice(0, MAX_SCRIPTS)) {
        const called = /^@([\w:-]+)(?:\s(.*))?$/s.exec(line)
        if (called === null) runLine(line, parsed, inner)
        else if (called[1] === 'php' || called[1] === 'composer') inner.shell(line.slice(1), span, 'composer')
        else if (called[1] !== 'putenv' && called[1] !== 'additional_args') pending.push(called[1] ?? '')
      }
    })
  }
}

/** Subcommands that run the events of another. */
const COUSINS: ReadonlyMap<string, string> = new Map([
  ['require', 'update'],
  ['remove', 'update'],
  ['upgrade', 'update'],
  ['dumpautoload', 'dump-autoload'],
  ['reinstall', 'dump-autoload'],
])

/** A command line, or a function of PHP. */
function runLine(line: string, { invocation: { span } }: ParsedCommand, context: CommandContext): void {
  if (/^[\w\\]+::\w+$/.test(line)) doubt(`the script \`${line}\` is a function of PHP, which is not followed`, { span, context })
  else context.shell(line, span, 'composer')
}

function linesOf(script: Json | undefined): readonly string[] {
  const lines = Array.isArray(script) ? script : [script]
  return lines.flatMap((line: Json | undefined) => (typeof line === 'string' ? [line] : []))
}

interface Scripts extends Found {
  readonly scripts: Readonly<Record<string, Json>>
}

function scriptsOf(parsed: ParsedCommand, context: CommandContext): Scripts | null {
  const { span } = parsed.invocation
  const directory = parsed.value('-d', '--working-dir')
  if (parsed.flag('-g', '--global')) return null
  if (directory?.text === null || (context.cwd === null && directory === null)) {
    const what = '`composer` looks for its scripts'
    if (directory === null) doubtPlace(what, { span, context })
    else doubt(`in which directory ${what} is not known`, { span, context })
    return null
  }
  const found = firstOf([directory?.text == null ? 'composer.json' : `${directory.text}/composer.json`], { span, context })
  if (found === null) return null
  const manifest = parseJson(found.text.replace(/^\ufeff/, ''))
  if (manifest === undefined) {
    ran(found, context)
    context.opaque(`\`${found.path}\`, which says what runs, cannot be read as JSON`, span)
    return null
  }
  const scripts = isJsonObject(manifest) ? own(manifest, 'scripts') : undefined
  return isJsonObject(scripts) ? { ...found, scripts } : null
}
