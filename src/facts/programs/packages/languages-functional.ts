import type { CommandTable } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { databaseTask, testEnvironment } from '../data/database-tasks.ts'
import { cleans, develops } from '../development/develop.ts'
import { does, each, list, refined, runsLine, takes, tool } from '../tool.ts'
import { BUILD, packages, RUN, TEST } from './languages-parts.ts'
import { CONFIGURES, LISTS, LOOKS_UP, publishes, RUNS } from './packages.ts'

/** Tools of Elixir and Erlang, Haskell and OCaml. */

const HEX = packages('hex', 'mix.exs')
const DATABASE = { kind: 'database', value: 'application' } as const
const MIX_TASK = develops({ ...BUILD, flags: '--force --warnings-as-errors --all --no-start --only-dev', valued: '--only --env' })
const mix = tool('mix', {
  subcommands: {
    ...each(
      'compile new release escript.build phx.new phx.gen phx.digest assets.build assets.deploy gettext.extract ecto.gen.migration docs eval-file',
      MIX_TASK,
    ),
    ...each(
      'test coveralls',
      develops({
        ...TEST,
        flags: '--stale --failed --cover --trace --slowest',
        valued: '--only --exclude --include --seed --max-failures',
      }),
    ),
    run: {
      ...develops({ ...RUN, flags: '--no-halt --no-start --no-compile', valued: '-r --require', stopAtOperand: true }),
      options: takes('-e --eval -r --require'),
      refine: (parsed, context) => {
        const code = parsed.value('-e', '--eval')
        if (code !== null) context.code('elixir', code.text, code.span)
        context.emit('execute', context.thing('program', 'mix run'), { action: 'dev:run' })
      },
    },
    'phx.server': develops({ action: 'dev:serve', operands: 'data' }),
    format: develops({ action: 'dev:format', fixes: '*', looks: '--check-formatted --dry-run' }),
    ...each('credo dialyzer sobelow xref lint', develops({ action: 'dev:lint', operands: 'data' })),
    ...each('deps.get deps.compile local.hex local.rebar archive.install', HEX.add),
    'deps.update': HEX.update,
    ...each('deps.clean deps.unlock archive.uninstall', HEX.remove),
    ...each('deps deps.tree hex.info hex.outdated hex.audit phx.routes ecto.migrations hex.search', LISTS),
    clean: cleans('_build'),
    'hex.publish': publishes({ action: 'hex:publish' }, { flags: ['--yes', '--replace'], options: takes('--revert --organization') }),
    'hex.owner': does({ verb: 'change', action: 'hex:owner', kind: 'package', value: '.', reversible: false }, { operands: ['data'] }),
    'hex.retire': does({ verb: 'delete', action: 'hex:retire', kind: 'package', at: 0, value: '.' }, { operands: ['data'] }),
    ...each(
      'ecto.drop ecto.reset',
      refined(
        (_, context) => {
          const attributes = testEnvironment('MIX_ENV', context)
          context.emit('delete', context.thing(DATABASE.kind, DATABASE.value), { action: 'sql:drop', attributes })
        },
        { flags: ['-f', '--force'], options: takes('-r --repo') },
      ),
    ),
    ...each(
      'ecto.migrate ecto.create ecto.rollback ecto.setup ecto.load',
      does({ ...DATABASE, verb: 'change', action: 'sql:migrate' }, { options: takes('-r --repo -n --step --to -v') }),
    ),
    do: {
      ...MIX_TASK,
      refine: (parsed, context) => {
        MIX_TASK.refine?.(parsed, context)
        const run = parsed.operands.findIndex(({ text }) => text === 'cmd')
        if (run >= 0) context.command(parsed.operands.slice(run + 1), 'mix')
        for (const word of parsed.operands) {
          if (word.text === null) context.opaque('a task of `mix do` is not known before it runs', word.span)
          else databaseTask(word.text.replace(/,$/, ''), context, 'mix')
        }
      },
    },
    cmd: runsLine({ valued: '--app --cd', flags: '--shell' }),
    'ecto.dump': does({ ...DATABASE, verb: 'read', action: 'sql:dump' }),
  },
  operands: ['data'],
  refine: ({ operands: [first] }, context) =>
    context.emit('execute', context.thing('script', `mix ${first?.text ?? first?.prefix ?? ''}`.trim()), { action: 'dev:task' }),
})
const rebar3 = tool('rebar3', {
  subcommands: {
    ...each('compile release tar escriptize new as shell docs', MIX_TASK),
    ...each('eunit ct proper cover dialyzer xref', develops(TEST)),
    ...each('get-deps', HEX.add),
    upgrade: HEX.update,
    ...each('deps tree', LISTS),
    clean: cleans('_build'),
    hex: {
      subcommands: {
        publish: publishes({ action: 'hex:publish' }),
        ...each('user owner organization', CONFIGURES),
        ...each('search', LOOKS_UP),
      },
    },
  },
})

const HACKAGE = packages('hackage', '*.cabal')
const HASKELL = {
  ...each(
    'build configure init new setup docs haddock sdist ghci repl bench ide hoogle gen-bounds freeze',
    develops({
      ...BUILD,
      flags: '--fast --pedantic --no-run-tests --only-dependencies --only-snapshot',
      valued: '--ghc-options --flag --resolver -j --stack-yaml -w',
    }),
  ),
  ...each('test', develops({ ...TEST, flags: '--fast --coverage', valued: '--test-arguments --ta --test-options' })),
  ...each('run script', develops(RUN)),
  // `stack runghc -- -e …`: the words are those of the program.
  ...each('runghc ghci ghc runhaskell repl', {
    stopAtOperand: true,
    operands: [],
    refine: ({ operands, path, invocation }, context) =>
      context.command([knownWord(path.at(-1) === 'repl' ? 'ghci' : (path.at(-1) ?? 'ghc'), invocation.span), ...operands], invocation.name),
  }),
  exec: RUNS,
  ...each('install get unpack', HACKAGE.add),
  ...each('update upgrade', HACKAGE.update),
  ...each('list info ls path check outdated query list-bin dot', LISTS),
  upload: publishes(
    { action: 'hackage:publish', files: true, dryRun: [] },
    { flags: ['--publish', '-d', '--candidate'], options: takes('-u --username -p --password') },
  ),
  ...each('clean purge', cleans('dist-newstyle', { flags: '--full' })),
  'user-config': CONFIGURES,
}
const haskell = tool('haskell', {
  flags: ['-v', '--verbose', '--silent'],
  options: takes('--resolver --stack-yaml --project-file -w --with-compiler'),
  subcommands: HASKELL,
})

const OPAM = packages('opam', 'opam')
const opam = tool('opam', {
  flags: list('-y --yes -q'),
  options: takes('--switch --root'),
  subcommands: {
    ...each('install reinstall depext', OPAM.add),
    ...each('upgrade update', OPAM.update),
    ...each('remove uninstall', OPAM.remove),
    ...each('list show search info env config var lint', LISTS),
    ...each('switch pin repository repo lock clean option', { ...CONFIGURES, operands: ['data'] }),
    init: does(
      { verb: 'persist', action: 'pkg:config', kind: 'variable', value: 'shell start-up' },
      { flags: ['--disable-sandboxing', '-n', '--bare'] },
    ),
    exec: RUNS,
    publish: publishes({ action: 'opam:publish', dryRun: [] }),
  },
})
const dune = tool('dune', {
  options: takes('--root -j --profile --workspace'),
  subcommands: {
    ...each('build init install promote rpc subst utop ocaml top', develops({ ...BUILD, flags: '-w --watch --release', valued: '-p' })),
    ...each('test runtest', develops(TEST)),
    ...each('exec', develops(RUN)),
    ...each('fmt format-dune-file', does({ verb: 'write', action: 'dev:format', kind: 'path', value: '.' }, { inert: ['--preview'] })),
    clean: cleans('_build'),
    ...each('describe show external-lib-deps', LISTS),
    uninstall: OPAM.remove,
  },
})

export const functionalLanguages: CommandTable = {
  mix,
  ...each('rebar3 rebar', rebar3),
  ...each('stack cabal', haskell),
  ...each('opam esy', opam),
  dune,
}
