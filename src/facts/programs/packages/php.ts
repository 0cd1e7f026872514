import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { runComposerScripts } from '../tasks/project-scripts.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { BUILDS, CONFIGURES, installs, LISTS, LOOKS_UP, RUNS, removes, SCRIPT } from './packages.ts'

/** Composer, artisan-like consoles and PHP's test tools. */

const GRAMMAR: CommandSpec = {
  flags: list(
    '-q --quiet -v -vv -vvv --no-interaction -n --no-dev --dev --dry-run --no-scripts --no-plugins --no-progress ' +
      '--no-suggest -o --optimize-autoloader --classmap-authoritative -a --ignore-platform-reqs --prefer-dist --prefer-source ' +
      '--prefer-stable --prefer-lowest -w -W --with-dependencies --with-all-dependencies --lock --no-install --no-update ' +
      '--no-audit --ansi --no-ansi --profile --no-cache -g --global -D -t --tree -s --latest -l -i',
  ),
  options: takes('-d --working-dir --ignore-platform-req --repository --repository-url --stability --format -f --auth --bump-after-update'),
}

const INSTALL: CommandSpec = {
  ...installs(
    { manager: 'composer', manifest: 'composer.json', global: ['-g', '--global'], index: list('--repository --repository-url') },
    GRAMMAR,
  ),
  inert: ['--dry-run'],
}
const UPGRADE: CommandSpec = {
  ...installs({ manager: 'composer', manifest: 'composer.json', verb: 'upgrade' }, GRAMMAR),
  inert: ['--dry-run'],
}

/** A subcommand around which scripts of the package run. */
const eventful = (spec: CommandSpec): CommandSpec => ({
  ...spec,
  refine: (parsed, context) => {
    spec.refine?.(parsed, context)
    runComposerScripts(null, parsed, context)
  },
})

const commands: Readonly<Record<string, CommandSpec>> = byName({
  'install require reinstall': eventful(INSTALL),
  'update upgrade bump': eventful(UPGRADE),
  'create-project': does(
    [
      {
        verb: 'execute',
        action: 'pkg:install',
        kind: 'package',
        at: 0,
        value: '.',
        attributes: { source: 'registry', manager: 'composer' },
      },
      { verb: 'write', action: 'pkg:install', kind: 'path', at: 1, value: '.' },
    ],
    GRAMMAR,
  ),
  remove: eventful(removes('composer', GRAMMAR)),
  'show info licenses status validate depends why prohibits why-not check-platform-reqs diagnose fund suggests list about': {
    ...LISTS,
    ...GRAMMAR,
    flags: GRAMMAR.flags ?? [],
  },
  'search outdated browse home audit': LOOKS_UP,
  'init archive': BUILDS,
  'dump-autoload dumpautoload': eventful(BUILDS),
  'run-script run': {
    ...SCRIPT,
    refine: (parsed, context) => {
      SCRIPT.refine?.(parsed, context)
      runComposerScripts(parsed.operands[0]?.text ?? null, parsed, context)
    },
  },
  exec: { ...RUNS, flags: list('-l --list') },
  'config clear-cache clearcache cc': {
    ...CONFIGURES,
    flags: list('-g --global --unset --list -l --json --merge --append -e --editor'),
  },
  'self-update selfupdate': does({
    verb: 'change',
    action: 'pkg:upgrade',
    kind: 'package',
    value: 'composer',
    attributes: { global: true },
  }),
  global: {
    stopAtOperand: true,
    refine: (parsed, context) =>
      context.command([parsed.invocation.program, knownWord('--global', parsed.invocation.span), ...parsed.operands], 'composer'),
  },
})

/** Composer takes any unambiguous beginning of a command; the rest are scripts of the package. */
function abbreviation(parsed: ParsedCommand, context: CommandContext): boolean {
  const text = parsed.operands[0]?.text
  if (text == null) return false
  const [only, ...others] = Object.keys(commands).filter((name) => name.startsWith(text))
  const at = parsed.invocation.args.findIndex((word) => word.text === text)
  if (only === undefined || others.length > 0 || at < 0) {
    context.emit('execute', context.thing('script', text), { action: 'pkg:script', attributes: { tool: 'composer' } })
    runComposerScripts(text, parsed, context)
    return true
  }
  context.command(
    [parsed.invocation.program, ...parsed.invocation.args.map((word, index) => (index === at ? knownWord(only, word.span) : word))],
    'composer',
  )
  return true
}

const composer = tool('composer', {
  fallback: abbreviation,
  ...GRAMMAR,
  subcommands: commands,
  aliases: { i: 'install', u: 'update', r: 'require', rm: 'remove' },
})

export const php: CommandTable = {
  composer,
}
