import type { CommandSpec, CommandTable } from '../../host.ts'
import { ranUnread } from '../loads.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { BUILDS, CONFIGURES, installs, LISTS, LOOKS_UP, publishes, removes } from './packages.ts'

/** dotnet and nuget. */

const GRAMMAR: CommandSpec = {
  flags: list(
    '--no-restore --no-build --nologo --self-contained --no-self-contained --force --interactive --no-dependencies ' +
      '--disable-parallel --locked-mode --no-cache --prerelease -g --global --local --skip-duplicate -n --no-symbols ' +
      '--non-interactive --blame --list-tests -t --no-incremental --include-symbols',
  ),
  options: takes(
    '-c --configuration -f --framework -r --runtime -v --verbosity -o --output -s --source -k --api-key -ss --symbol-source ' +
      '-sk --symbol-api-key --timeout --version --package-directory --tool-path --add-source --configfile -p --property ' +
      '--project --launch-profile --filter --logger -l --settings --collect --results-directory --arch --os --tl -m --name ' +
      '--language',
  ),
}
const withGrammar = (spec: CommandSpec): CommandSpec => ({
  ...spec,
  flags: [...(spec.flags ?? []), ...(GRAMMAR.flags ?? [])],
  options: { ...GRAMMAR.options, ...spec.options },
})

const PUSH = publishes({ action: 'nuget:publish', files: true, dryRun: [], values: { source: list('-s --source -Source') } }, GRAMMAR)
const DELETE = does({ verb: 'delete', action: 'nuget:unpublish', kind: 'package', at: 0, reversible: false }, GRAMMAR)
const SOURCES: CommandSpec = { subcommands: byName({ 'add remove update enable disable': CONFIGURES, list: LISTS }) }
const INSTALL = installs(
  { manager: 'dotnet', manifest: '*.csproj', index: list('-s --source --add-source -Source'), global: ['-g', '--global'] },
  GRAMMAR,
)
const TEST = withGrammar(does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'dotnet test' }))
const REFERENCE: CommandSpec = { subcommands: byName({ 'add remove': BUILDS, list: LISTS }) }

/** To migration 0: before the first one. */
const EMPTIES = does({ verb: 'delete', action: 'sql:drop', kind: 'database', value: 'application', reversible: false })
const UPDATES = does({ verb: 'change', action: 'sql:migrate', kind: 'database', value: 'application' })

/** `dotnet script x.csx`, `dotnet script eval 'code'`. */
const SCRIPTS: CommandSpec = {
  flags: list('-i --interactive --no-cache --isolated-load-context'),
  options: takes('-c --configuration -s --sources -d --debug'),
  operands: [],
  subcommands: { eval: { stopAtOperand: true, operands: ['code', 'data'] } },
  refine: ({ operands: [first] }, context) => {
    if (first !== undefined) ranUnread(first, context)
  },
}

const ENTITY_FRAMEWORK: CommandSpec = {
  options: takes('-p --project -s --startup-project -c --context --connection -o --output'),
  subcommands: byName({
    database: {
      subcommands: {
        drop: does(
          {
            verb: 'delete',
            action: 'sql:drop',
            kind: 'database',
            value: 'application',
            reversible: false,
            flags: { force: ['-f', '--force'] },
          },
          { inert: ['--dry-run'] },
        ),
        update: {
          operands: ['data'],
          refine: (parsed, context) => (parsed.operands[0]?.text === '0' ? EMPTIES : UPDATES).refine?.(parsed, context),
        },
      },
    },
    'migrations dbcontext': {
      subcommands: byName({ 'add remove script bundle optimize scaffold': BUILDS, 'list info has-pending-model-changes': LISTS }),
    },
  }),
}

const dotnet = tool('dotnet', {
  flags: list('--info --list-sdks --list-runtimes --version -d --diagnostics'),
  subcommands: byName({
    'build publish pack msbuild new format clean workload sln store vstest build-server dev-certs': withGrammar(BUILDS),
    test: TEST,
    'run watch exec': { ...withGrammar(does({ verb: 'execute', action: 'dev:run', kind: 'program', value: 'dotnet run' })) },
    restore: INSTALL,
    add: {
      operands: ['data'],
      subcommands: { package: INSTALL, reference: BUILDS },
      refine: (parsed, context) =>
        context.emit('execute', context.thing('package', parsed.operands.at(-1)?.text ?? '(unknown)'), {
          action: 'pkg:install',
          attributes: { source: 'registry', manager: 'dotnet' },
        }),
    },
    remove: {
      operands: ['data'],
      subcommands: { package: removes('dotnet'), reference: BUILDS },
      refine: (_, context) => context.emit('change', context.thing('package', 'reference'), { action: 'pkg:remove' }),
    },
    'list help': withGrammar({ ...LISTS, operands: ['data'] }),
    package: { subcommands: byName({ 'add update': INSTALL, remove: removes('dotnet'), list: LISTS, search: LOOKS_UP }) },
    reference: REFERENCE,
    solution: REFERENCE,
    tool: {
      subcommands: byName({
        'install update restore': INSTALL,
        uninstall: removes('dotnet', GRAMMAR, ['-g', '--global']),
        list: LISTS,
        search: LOOKS_UP,
        run: BUILDS,
      }),
    },
    nuget: {
      subcommands: byName({
        push: PUSH,
        delete: DELETE,
        locals: does(
          { verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' },
          { inert: ['-l', '--list'], flags: ['-c', '--clear'] },
        ),
        'verify why': LISTS,
        'add remove update enable disable': CONFIGURES,
        list: LISTS,
        trust: CONFIGURES,
      }),
    },
    'user-secrets': {
      subcommands: byName({
        list: does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'user secrets' }),
        'set remove clear init': CONFIGURES,
      }),
    },
    ef: ENTITY_FRAMEWORK,
    script: SCRIPTS,
  }),
})

const nuget = tool('nuget', {
  singleDashLong: true,
  options: takes('-Source -ApiKey -Version -OutputDirectory -ConfigFile'),
  subcommands: byName({
    push: PUSH,
    delete: DELETE,
    'install restore update': INSTALL,
    'pack spec': BUILDS,
    'list search': LOOKS_UP,
    sources: SOURCES,
    'setapikey config': does({ verb: 'change', action: 'nuget:token', kind: 'account', value: 'nuget' }),
    locals: CONFIGURES,
  }),
})

export const dotnetTools: CommandTable = byName({
  dotnet,
  nuget,
  'msbuild xbuild': does({ verb: 'execute', action: 'dev:build', kind: 'program' }),
  'dotnet-ef': tool('dotnet', ENTITY_FRAMEWORK),
})
