import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { testEnvironment } from '../data/database-tasks.ts'
import { ofApplications } from '../data/servers.ts'
import { byName, does, list, refined, takes, tool } from '../tool.ts'
import { runCalls } from '../unknown/code.ts'
import { BUILDS, CONFIGURES, installs, installsNamed, LISTS, LOOKS_UP, publishes, removes, SCRIPT, SELECTS } from './packages.ts'

/** RubyGems, Bundler, Rake and Rails. */

const GEM_GRAMMAR: CommandSpec = {
  flags: list(
    '-f --force --no-document -N --conservative --user-install --no-user-install --pre --prerelease -q --quiet -V --verbose ' +
      '-a --all -x --executables -I --ignore-dependencies -l --local -r --remote -b --both --explain -d --details -u --undo ' +
      '--vendor --development -E --env-shebang',
  ),
  options: {
    ...takes(
      '-v --version -i --install-dir -n --bindir -s --source --clear-sources -p --http-proxy -P --trust-policy -k --key ' +
        '--host --otp --platform --attestation -C',
    ),
    ...takes('-g --file', 'load'),
  },
}
const GEM_PUSH = publishes({ action: 'gems:publish', files: true, dryRun: [], values: { host: ['--host'] } }, GEM_GRAMMAR)
const GEM_INSTALL = installs({ manager: 'gem', manifest: 'Gemfile', index: ['-s', '--source'] }, GEM_GRAMMAR)

const gemCommands: Readonly<Record<string, CommandSpec>> = byName({
  'install update': GEM_INSTALL,
  fetch: installs({ manager: 'gem', manifest: 'Gemfile', index: ['-s', '--source'], verb: 'download' }, GEM_GRAMMAR),
  'uninstall cleanup': removes('gem', GEM_GRAMMAR),
  push: GEM_PUSH,
  yank: does({ verb: 'delete', action: 'gems:yank', kind: 'package', at: 0, reversible: false }, GEM_GRAMMAR),
  owner: does({
    verb: 'change',
    action: 'gems:owner',
    kind: 'package',
    at: 0,
    reversible: false,
    values: { add: ['-a', '--add'], remove: ['-r', '--remove'] },
    when: (p) => p.value('-a', '--add', '-r', '--remove') !== null,
  }),
  'signin signout': does({ verb: 'change', action: 'gems:token', kind: 'account', value: 'gems' }),
  build: { ...BUILDS, operands: ['load'] },
  'unpack pristine rebuild': BUILDS,
  open: {
    ...LISTS,
    flags: GEM_GRAMMAR.flags ?? [],
    options: { ...takes('-v --version'), ...takes('-e --editor', 'program') },
    operands: ['data'],
  },
  'list contents dependency environment which specification stale lock check info': {
    ...LISTS,
    ...GEM_GRAMMAR,
    flags: GEM_GRAMMAR.flags ?? [],
    operands: ['data'],
  },
  'search outdated mirror': LOOKS_UP,
  sources: does(
    {
      verb: 'change',
      action: 'pkg:config',
      kind: 'url',
      option: ['-a', '--add', '-r', '--remove'],
      value: 'sources',
      when: (p) => p.flag('-c', '--clear-all') || p.value('-a', '--add', '-r', '--remove') !== null,
    },
    { flags: ['-l', '--list', '-u', '--update', '-c', '--clear-all'] },
  ),
  'cert server rdoc': CONFIGURES,
  exec: SCRIPT,
})

/** RubyGems takes any unambiguous beginning of a command. */
function abbreviation(parsed: ParsedCommand, context: CommandContext): boolean {
  const text = parsed.operands[0]?.text
  const found = text == null ? [] : Object.keys(gemCommands).filter((name) => name.startsWith(text))
  const [only] = found
  const at = parsed.invocation.args.findIndex((word) => word.text === text)
  if (only === undefined || found.length > 1 || at < 0) return false
  context.command(
    [parsed.invocation.program, ...parsed.invocation.args.map((word, index) => (index === at ? knownWord(only, word.span) : word))],
    'gem',
  )
  return true
}

const gem = tool('gem', {
  fallback: abbreviation,
  subcommands: gemCommands,
  aliases: { i: 'install' },
})

const BUNDLE_GRAMMAR: CommandSpec = {
  flags: list(
    '--quiet --local --frozen --clean --force --full-index --no-cache --no-prune --system --deployment --redownload ' +
      '--verbose -V --all --conservative --major --minor --patch --strict --pre --skip-install --optimistic --paths ' +
      '--outdated --parseable --only-explicit',
  ),
  options: takes(
    '--gemfile --jobs -j --path --retry --without --with --binstubs --group -g --source -s --version -v --git --github ' +
      '--branch --ref --glob --require --standalone --shebang',
  ),
}
const BUNDLE_INSTALL = installs(
  {
    manager: 'bundler',
    manifest: 'Gemfile',
    index: ['--source', '-s'],
    also: (parsed) => parsed.values('--git', '--github').map((word) => ({ word, source: 'git' as const })),
  },
  BUNDLE_GRAMMAR,
)

/** Settings of bundler that say where in the project gems lie, and how many are fetched at once: neither sources nor logins. */
const HARMLESS =
  /^(?:path|without|with|only|jobs|retry|bin|clean|deployment|frozen|cache_path|cache_all|build\.\w+|force_ruby_platform|silence_root_warning)$/

function configures(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.operands.map(({ text }) => text)
  const verb = /^(?:set|unset|get|list)$/.test(words[0] ?? '') ? words.shift() : words.length > 1 ? 'set' : 'list'
  const [key = '', value = ''] = words
  if (verb === 'get' || verb === 'list') context.emit('read', context.thing('variable', 'bundler'), { action: 'pkg:read' })
  else {
    const inside = value !== null && !/^(?:[/~]|\.\.)/.test(value)
    const action = key !== null && HARMLESS.test(key) && inside && !parsed.flag('--global') ? 'tool:config' : 'pkg:config'
    context.emit('change', context.thing('variable', key ?? 'set'), { action })
  }
}

const bundle = tool('bundle', {
  ...BUNDLE_GRAMMAR,
  refine: (_, context) =>
    context.emit('execute', context.thing('package', 'Gemfile'), {
      action: 'pkg:install',
      attributes: { source: 'manifest', manager: 'bundler' },
    }),
  subcommands: byName({
    'install add cache package inject': BUNDLE_INSTALL,
    'update lock': installs({ manager: 'bundler', manifest: 'Gemfile', verb: 'upgrade' }, BUNDLE_GRAMMAR),
    'remove clean': removes('bundler', BUNDLE_GRAMMAR),
    exec: { stopAtOperand: true, refine: (parsed, context) => context.command(parsed.operands, 'bundle') },
    'list show info check outdated platform env doctor viz licenses': { ...LISTS, operands: ['data'] },
    config: { flags: list('--local --global --parseable'), operands: ['data'], refine: configures },
    plugin: { ...CONFIGURES, operands: ['data'] },
    'init gem binstubs pristine open console': BUILDS,
  }),
  aliases: { i: 'install', e: 'exec' },
})

const DESTRUCTIVE_TASK = /^db:(?:drop|reset|purge|schema:load|migrate:reset|setup:force|truncate_all)(?::|$)/

/** One rake or rails task by name; `release` is Bundler's own publishing task. */
function task(name: string, parsed: ParsedCommand, context: CommandContext): void {
  if (name === 'release' || name.startsWith('release:')) {
    context.emit('publish', context.thing('package', '.'), { action: 'gems:publish', attributes: { by: name } })
    context.emit('publish', context.thing('repository', 'origin'), {
      action: 'git:push',
      certainty: 'likely',
      attributes: { by: name, remote: 'origin' },
    })
    return
  }
  if (DESTRUCTIVE_TASK.test(name)) {
    const attributes = { task: name, ...testEnvironment('RAILS_ENV', context) }
    context.emit('delete', context.thing('database', 'application'), { action: 'sql:drop', attributes, reversible: false })
    return
  }
  if (name === 'db:migrate' || name.startsWith('db:'))
    context.emit('change', context.thing('database', 'application'), { action: 'sql:migrate', attributes: { task: name } })
  context.emit('execute', context.thing('script', name), { action: 'pkg:script', attributes: { tool: parsed.invocation.name } })
}

const TASK_GRAMMAR: CommandSpec = {
  flags: list(
    '-n --dry-run -q --quiet -s --silent -v --verbose -t --trace -m --multitask -N --nosearch -G --system -P --prereqs -W ' +
      '-A --all -T --tasks -D --describe --jobs',
  ),
  options: { ...takes('-f --rakefile', 'script'), ...takes('-I --libdir -r --require -R --rakelibdir -C --directory') },
  inert: list('--help -h -H -V --version'),
}

/** Ruby, in which `sh` runs a command line. */
function rakeCode(word: Word, context: CommandContext): void {
  context.code('ruby', word.text, word.span)
  if (word.text !== null && /(?:^|[^\w.])sh[\s(]/.test(word.text)) runCalls(word.text, word, context)
}

const rake = refined(
  (parsed, context) => {
    if (parsed.flag('-T', '--tasks', '-D', '--describe', '-P', '--prereqs', '-n', '--dry-run', '-W')) {
      context.emit('execute', context.thing('program', 'rake'), { action: 'tool:help' })
      return
    }
    for (const word of parsed.values('-e', '--execute', '-p', '--execute-print', '-E', '--execute-continue')) rakeCode(word, context)
    const names = parsed.operands.filter((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word.prefix))
    if (names.length === 0 && parsed.value('-e', '-p') === null)
      context.emit('execute', context.thing('script', 'default'), { action: 'pkg:script', attributes: { tool: 'rake' } })
    for (const word of names) {
      if (word.text === null) context.opaque('a rake task is not known before it runs', word.span)
      else task(word.text.split('[')[0] ?? word.text, parsed, context)
    }
  },
  { ...TASK_GRAMMAR, options: { ...TASK_GRAMMAR.options, ...takes('-e --execute -p --execute-print -E --execute-continue') } },
)

export const ruby: CommandTable = byName({
  gem,
  'bundle bundler': { ...bundle, transparent: true },
  ...ofApplications({ rake }),
  'rbenv rvm chruby': tool('rbenv', {
    subcommands: byName({
      install: installsNamed('rbenv', 'ruby'),
      uninstall: removes('rbenv'),
      'versions version which whence root list init': LISTS,
      'global local shell use rehash default': SELECTS,
    }),
  }),
})
