import type { CommandSpec, CommandTable } from '../../host.ts'
import { byName, does, list, runsLine, takes, tool } from '../tool.ts'
import { BUILDS, CONFIGURES, installs, LISTS, LOOKS_UP, publishes, removes, SCRIPT, type Source } from './packages.ts'

/** cargo and rustup. */

const GRAMMAR: CommandSpec = {
  flags: list(
    '-q --quiet -v --verbose -vv --locked --offline --frozen --release -r --all --workspace --all-features ' +
      '--no-default-features --all-targets --lib --bins --tests --benches --examples --no-run --no-fail-fast --keep-going -f ' +
      '--force --no-verify --allow-dirty --dev --build --optional --fix --allow-staged --bin --list',
  ),
  options: takes(
    '-p --package -F --features --target --target-dir --manifest-path --lockfile-path -j --jobs --profile --config -Z ' +
      '--color --message-format -C --exclude --bin --example --test --bench --root --index --registry --token --version ' +
      '--vers --git --branch --tag --rev --path --rename',
  ),
}

const CARGO_INSTALL = installs(
  {
    manager: 'cargo',
    manifest: 'Cargo.toml',
    index: ['--index', '--registry'],
    also: (parsed) => [
      ...parsed.values('--git').map((word) => ({ word, source: 'git' as Source })),
      ...parsed.values('--path').map((word) => ({ word, source: 'path' as Source })),
    ],
  },
  { ...GRAMMAR, options: { ...GRAMMAR.options, ...takes('--root', 'write') } },
)

const PUBLISH = publishes(
  {
    action: 'crates:publish',
    manifest: 'Cargo.toml',
    dryRun: ['-n', '--dry-run'],
    values: { registry: ['--registry', '--index'], package: ['-p', '--package'] },
  },
  GRAMMAR,
)
const TEST = does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'cargo test' }, GRAMMAR)
const BUILD: CommandSpec = { ...BUILDS, ...GRAMMAR, flags: GRAMMAR.flags ?? [] }

/** `cargo watch -x test -s 'echo done'`, `cargo watch -- command`. */
const WATCH: CommandSpec = {
  ...runsLine({
    flags: '-c --clear -q --quiet --debug --why --poll --postpone --no-vcs-ignores --no-dot-ignores --ignore-nothing --no-restart -L',
    valued: '-C --workdir -d --delay --features -i --ignore -w --watch -B -E --env-file --notify',
    programs: '-s --shell',
  }),
  options: {
    ...takes('-C --workdir -d --delay --features -i --ignore -w --watch -B -E --env-file --notify -x --exec'),
    ...takes('-s --shell', 'program'),
  },
  refine: (parsed, context) => {
    const { invocation, operands } = parsed
    context.emit('execute', context.thing('program', 'cargo watch'), { action: 'dev:build' })
    for (const word of parsed.values('-x', '--exec'))
      context.shell(word.text === null ? null : `cargo ${word.text}`, word.span, invocation.name)
    if (operands.length > 0) context.command(operands, invocation.name)
  },
}

const cargo = tool('cargo', {
  fallback: (parsed, context) => {
    const [first, ...rest] = parsed.operands
    if (first?.prefix.startsWith('+') !== true || parsed.path.length > 0) return false
    const { args, program } = parsed.invocation
    if (rest.length > 0) context.command([program, ...args.filter((word) => word !== first)], 'cargo')
    return true
  },
  ...GRAMMAR,
  subcommands: byName({
    publish: PUBLISH,
    yank: does(
      { verb: 'publish', action: 'crates:yank', kind: 'package', at: 0, value: '.', reversible: true, flags: { undo: ['--undo'] } },
      GRAMMAR,
    ),
    owner: does(
      {
        verb: 'change',
        action: 'crates:owner',
        kind: 'package',
        at: 0,
        value: '.',
        reversible: false,
        values: { add: ['-a', '--add'], remove: ['-r', '--remove'] },
        when: (p) => !p.flag('-l', '--list'),
      },
      { flags: list('-l --list') },
    ),
    'login logout': does({ verb: 'change', action: 'crates:token', kind: 'account', value: 'crates' }),
    'install binstall add fetch': CARGO_INSTALL,
    'update upgrade generate-lockfile vendor': installs({ manager: 'cargo', manifest: 'Cargo.toml', verb: 'upgrade' }, GRAMMAR),
    'remove uninstall': removes('cargo', GRAMMAR),
    'build check doc package rustc rustdoc fix fmt clippy expand bloat init new build-deps llvm-lines make nextest-build dist release-plan':
      BUILD,
    'test bench nextest miri tarpaulin llvm-cov mutants hack fuzz criterion': { ...TEST, operands: ['data'] },
    run: { ...BUILD, refine: (_, context) => context.emit('execute', context.thing('program', 'cargo run'), { action: 'dev:run' }) },
    watch: WATCH,
    clean: does(
      { verb: 'delete', action: 'dev:clean', kind: 'path', option: ['--target-dir'], value: 'target', reversible: true },
      GRAMMAR,
    ),
    'metadata tree pkgid locate-project verify-project read-manifest report config version outdated audit deny machete udeps geiger license':
      { ...LISTS, ...GRAMMAR, flags: GRAMMAR.flags ?? [], operands: ['data'] },
    'search info': LOOKS_UP,
    release: publishes(
      { action: 'crates:publish', dryRun: [] },
      { ...GRAMMAR, flags: [...(GRAMMAR.flags ?? []), ...list('-x --execute')] },
    ),
  }),
  aliases: { b: 'build', c: 'check', d: 'doc', r: 'run', t: 'test', rm: 'remove' },
})

const UPGRADE = does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', at: 0, value: 'rust', attributes: { manager: 'rustup' } })
const TOOLCHAIN = does(
  {
    verb: 'execute',
    action: 'pkg:install',
    kind: 'package',
    from: 0,
    value: 'rust',
    attributes: { source: 'registry', manager: 'rustup' },
  },
  { options: takes('--toolchain -c --component -t --target --profile') },
)

const rustup = tool('rustup', {
  subcommands: byName({
    install: TOOLCHAIN,
    'update self': UPGRADE,
    'toolchain target component': {
      subcommands: byName({ 'install add link': TOOLCHAIN, 'uninstall remove': removes('rustup'), list: LISTS }),
    },
    uninstall: removes('rustup'),
    'show which check doc man': LISTS,
    'default override set': { ...CONFIGURES, operands: ['data'] },
    run: SCRIPT,
  }),
})

export const rust: CommandTable = { cargo, rustup }
