import type { CommandTable } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { databaseTask, testEnvironment } from '../data/database-tasks.ts'
import { cleans, develops } from '../development/develop.ts'
import { byName, does, list, refined, runsLine, takes, tool } from '../tool.ts'
import { BUILD, packages, RUN, TEST } from './languages-parts.ts'
import { CONFIGURES, LISTS, LOOKS_UP, publishes, RUNS } from './packages.ts'

/** Tools of Elixir and Erlang, Haskell and OCaml. */

const HEX = packages('hex', 'mix.exs')
const DATABASE = { kind: 'database', value: 'application' } as const
const MIX_TASK = develops({ ...BUILD, flags: '--force --warnings-as-errors --all --no-start --only-dev', valued: '--only --env' })
const mix = tool('mix', {
  subcommands: byName({
    'compile new release escript.build phx.new phx.gen phx.digest assets.build assets.deploy gettext.extract ecto.gen.migration docs eval-file':
      MIX_TASK,
    'test coveralls': develops({
      ...TEST,
      flags: '--stale --failed --cover --trace --slowest',
      valued: '--only --exclude --include --seed --max-failures',
    }),
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
    'credo dialyzer sobelow xref lint': develops({ action: 'dev:lint', operands: 'data' }),
    'deps.get deps.compile local.hex local.rebar archive.install': HEX.add,
    'deps.update': HEX.update,
    'deps.clean deps.unlock archive.uninstall': HEX.remove,
    'deps deps.tree hex.info hex.outdated hex.audit phx.routes ecto.migrations hex.search': LISTS,
    clean: cleans('_build'),
    'hex.publish': publishes({ action: 'hex:publish' }, { flags: ['--yes', '--replace'], options: takes('--revert --organization') }),
    'hex.owner': does({ verb: 'change', action: 'hex:owner', kind: 'package', value: '.', reversible: false }, { operands: ['data'] }),
    'hex.retire': does({ verb: 'delete', action: 'hex:retire', kind: 'package', at: 0, value: '.' }, { operands: ['data'] }),
    'ecto.drop ecto.reset': refined(
      (_, context) => {
        const attributes = testEnvironment('MIX_ENV', context)
        context.emit('delete', context.thing(DATABASE.kind, DATABASE.value), { action: 'sql:drop', attributes })
      },
      { flags: ['-f', '--force'], options: takes('-r --repo') },
    ),
    'ecto.migrate ecto.create ecto.rollback ecto.setup ecto.load': does(
      { ...DATABASE, verb: 'change', action: 'sql:migrate' },
      { options: takes('-r --repo -n --step --to -v') },
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
  }),
  operands: ['data'],
  refine: ({ operands: [first] }, context) =>
    context.emit('execute', context.thing('script', `mix ${first?.text ?? first?.prefix ?? ''}`.trim()), { action: 'dev:task' }),
})
const rebar3 = tool('rebar3', {
  subcommands: byName({
    'compile release tar escriptize new as shell docs': MIX_TASK,
    'eunit ct proper cover dialyzer xref': develops(TEST),
    'get-deps': HEX.add,
    upgrade: HEX.update,
    'deps tree': LISTS,
    clean: cleans('_build'),
    hex: {
      subcommands: byName({
        publish: publishes({ action: 'hex:publish' }),
        'user owner organization': CONFIGURES,
        search: LOOKS_UP,
      }),
    },
  }),
})

const HACKAGE = packages('hackage', '*.cabal')
const HASKELL = byName({
  'build configure init new setup docs haddock sdist ghci repl bench ide hoogle gen-bounds freeze': develops({
    ...BUILD,
    flags: '--fast --pedantic --no-run-tests --only-dependencies --only-snapshot',
    valued: '--ghc-options --flag --resolver -j --stack-yaml -w',
  }),
  test: develops({ ...TEST, flags: '--fast --coverage', valued: '--test-arguments --ta --test-options' }),
  'run script': develops(RUN),
  // `stack runghc -- -e …`: the words are those of the program.
  'runghc ghci ghc runhaskell repl': {
    stopAtOperand: true,
    operands: [],
    refine: ({ operands, path, invocation }, context) =>
      context.command([knownWord(path.at(-1) === 'repl' ? 'ghci' : (path.at(-1) ?? 'ghc'), invocation.span), ...operands], invocation.name),
  },
  exec: RUNS,
  'install get unpack': HACKAGE.add,
  'update upgrade': HACKAGE.update,
  'list info ls path check outdated query list-bin dot': LISTS,
  upload: publishes(
    { action: 'hackage:publish', files: true, dryRun: [] },
    { flags: ['--publish', '-d', '--candidate'], options: takes('-u --username -p --password') },
  ),
  'clean purge': cleans('dist-newstyle', { flags: '--full' }),
  'user-config': CONFIGURES,
})
const haskell = tool('haskell', {
  flags: ['-v', '--verbose', '--silent'],
  options: takes('--resolver --stack-yaml --project-file -w --with-compiler'),
  subcommands: HASKELL,
})

const OPAM = packages('opam', 'opam')
const opam = tool('opam', {
  flags: list('-y --yes -q'),
  options: takes('--switch --root'),
  subcommands: byName({
    'install reinstall depext': OPAM.add,
    'upgrade update': OPAM.update,
    'remove uninstall': OPAM.remove,
    'list show search info env config var lint': LISTS,
    'switch pin repository repo lock clean option': { ...CONFIGURES, operands: ['data'] },
    init: does(
      { verb: 'persist', action: 'pkg:config', kind: 'variable', value: 'shell start-up' },
      { flags: ['--disable-sandboxing', '-n', '--bare'] },
    ),
    exec: RUNS,
    publish: publishes({ action: 'opam:publish', dryRun: [] }),
  }),
})
const dune = tool('dune', {
  options: takes('--root -j --profile --workspace'),
  subcommands: byName({
    'build init install promote rpc subst utop ocaml top': develops({ ...BUILD, flags: '-w --watch --release', valued: '-p' }),
    'test runtest': develops(TEST),
    exec: develops(RUN),
    'fmt format-dune-file': does({ verb: 'write', action: 'dev:format', kind: 'path', value: '.' }, { inert: ['--preview'] }),
    clean: cleans('_build'),
    'describe show external-lib-deps': LISTS,
    uninstall: OPAM.remove,
  }),
})

export const functionalLanguages: CommandTable = byName({
  mix,
  'rebar3 rebar': rebar3,
  'stack cabal': haskell,
  'opam esy': opam,
  dune,
})
