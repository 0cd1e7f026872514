import type { CommandContext, CommandSpec, CommandTable, Word } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { cleans, type Develops, develops } from '../development/develop.ts'
import { loadCode, ranUnread } from '../loads.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { inferredAct } from '../unknown/unknown.ts'
import { BUILD, packages, RUN, sources, TEST } from './languages-parts.ts'
import { BUILDS, CONFIGURES, installs, LISTS, LOOKS_UP, publishes, removes } from './packages.ts'

/** Tools of one language each: Swift, Dart and Flutter, Zig, Nim, Crystal, Clojure, Scala, Java and smaller ones. */

const SWIFT_GRAMMAR = {
  flags:
    '-v --verbose --show-bin-path --enable-code-coverage --parallel --skip-build --static-swift-stdlib --disable-sandbox -q --quiet --build-tests --list-tests',
  valued:
    '-c --configuration --product --target --package-path --scratch-path --build-path --triple --arch -j --jobs --filter ' +
    '--skip -Xswiftc -Xcc -Xlinker --sdk --num-workers',
}
const SWIFT = packages('swift', 'Package.swift', { index: ['--registry'] })
const swift = tool('swift', {
  subcommands: {
    build: develops({ ...BUILD, ...SWIFT_GRAMMAR }),
    test: develops({ ...TEST, ...SWIFT_GRAMMAR }),
    run: develops({ ...RUN, ...SWIFT_GRAMMAR }),
    format: develops({ action: 'dev:format', flags: '-r --recursive -p', fixes: '-i --in-place', valued: '--configuration' }),
    package: {
      options: takes('--package-path --configuration -c'),
      flags: list('--allow-writing-to-package-directory --disable-sandbox'),
      subcommands: byName({
        'resolve add-dependency': SWIFT.add,
        update: SWIFT.update,
        'init add-target add-product edit unedit generate-xcodeproj plugin archive-source compute-checksum': BUILDS,
        'clean reset purge-cache': cleans('.build'),
        'describe dump-package show-dependencies tools-version diagnose-api-breaking-changes': LISTS,
      }),
    },
    'package-registry': {
      subcommands: byName({
        publish: does({ verb: 'publish', action: 'cli:publish', kind: 'package', at: 0, value: 'package', reversible: false }),
        'set unset': does({ verb: 'change', action: 'pkg:config', kind: 'variable', value: 'registry' }),
        'login logout': does({ verb: 'change', action: 'tool:auth', kind: 'account', at: 0, value: 'registry' }),
      }),
    },
    repl: develops(RUN),
  },
  operands: [],
  options: takes('-e', 'code:swift'),
  refine: ({ operands: [first] }, context) => {
    if (first !== undefined) ranUnread(first, context)
  },
})

const PUB = packages('pub', 'pubspec.yaml', { index: ['--hosted-url'] })
const pub: CommandSpec = {
  subcommands: byName({
    'get add downgrade': PUB.add,
    upgrade: PUB.update,
    remove: PUB.remove,
    'outdated deps': LISTS,
    publish: publishes({ action: 'pub:publish', dryRun: ['-n', '--dry-run'] }, { flags: ['-f', '--force'] }),
    global: { subcommands: { activate: PUB.add, deactivate: PUB.remove, list: LISTS, run: develops(RUN) } },
    run: develops(RUN),
    cache: { subcommands: byName({ 'clean repair add': does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }) }) },
    'login logout token': does({ verb: 'change', action: 'pub:token', kind: 'account', value: 'pub' }),
  }),
}
const DART_GRAMMAR = {
  flags:
    '--release --debug --profile -v --verbose --no-pub --coverage --fatal-infos --fatal-warnings --obfuscate ' +
    '--split-per-abi --no-codesign --update-goldens --delete-conflicting-outputs',
  valued:
    '-d --device-id --target -t --flavor --dart-define --build-name --build-number -j --concurrency --name -n --plain-name ' +
    '--platforms --org --web-port --web-renderer --dart-define-from-file --reporter -r',
}
const DART: Readonly<Record<string, CommandSpec>> = byName({
  'compile create build fix gen-l10n': develops({
    ...BUILD,
    ...DART_GRAMMAR,
    writes: '-o --output --split-debug-info',
    inert: '--help -h --dry-run -n',
  }),
  test: develops({ ...TEST, ...DART_GRAMMAR }),
  drive: develops({ ...TEST, ...DART_GRAMMAR }),
  run: develops({ ...RUN, ...DART_GRAMMAR }),
  analyze: develops({ action: 'dev:lint', ...DART_GRAMMAR }),
  format: develops({
    action: 'dev:format',
    flags: '--set-exit-if-changed',
    valued: '-l --line-length -o --output',
    fixes: '*',
    looks: '--set-exit-if-changed-only',
  }),
  pub,
  doc: develops(BUILD),
  'devtools daemon attach emulators language-server': develops(RUN),
})
const dart = tool('dart', {
  fallback: sources(/\.dart$/),
  flags: ['--enable-asserts', '--disable-analytics'],
  options: takes('--enable-experiment --packages'),
  subcommands: DART,
})
const flutter = tool('flutter', {
  flags: list('-v --verbose --suppress-analytics --no-version-check'),
  options: takes('-d --device-id'),
  subcommands: byName({
    ...DART,
    'doctor devices logs screenshot symbolize custom-devices bash-completion': LISTS,
    clean: cleans('build'),
    'upgrade downgrade channel precache': does({
      verb: 'change',
      action: 'pkg:upgrade',
      kind: 'package',
      value: 'flutter',
      attributes: { global: true },
    }),
    'install assemble': develops({ ...BUILD, ...DART_GRAMMAR }),
    config: CONFIGURES,
    generate: develops(BUILD),
  }),
})

const ZIG_GRAMMAR = {
  flags: '-static -dynamic -fstrip -O0 --watch -lc --summary',
  valued: '-O -target -mcpu --name -I -L -l --prefix -p --release -j --test-filter -D',
  writes: '-femit-bin --cache-dir',
}
const zig = tool('zig', {
  subcommands: byName({
    'build build-exe build-lib build-obj init translate-c objcopy ar dlltool lib ranlib': develops({ ...BUILD, ...ZIG_GRAMMAR }),
    'cc c++': {
      stopAtOperand: false,
      operands: [],
      refine: ({ invocation }, context) =>
        context.command([{ ...invocation.program, text: 'clang', prefix: 'clang' }, ...invocation.args.slice(1)], 'zig'),
    },
    test: develops({ ...TEST, ...ZIG_GRAMMAR }),
    run: develops({ ...RUN, ...ZIG_GRAMMAR }),
    fmt: develops({ action: 'dev:format', fixes: '*', looks: '--check --stdin' }),
    fetch: installs({ manager: 'zig', manifest: 'build.zig.zon', verb: 'download' }, { options: takes('--save') }),
    'env targets zen libc std ast-check reduce': LISTS,
  }),
})

const NIMBLE = packages('nimble', '*.nimble')
const nim = tool('nim', {
  options: takes('--eval', 'code'),
  subcommands: byName({
    'c cc cpp compile js objc check doc rst2html e compileToC': develops({
      ...BUILD,
      flags: '-r --run -f --forceBuild',
      attached: '-d -p',
      writes: '--out --outdir',
      valued: '-o --path --mm --opt --app',
      more: (parsed, context) => {
        const out = parsed.value('-o')
        const text = out?.text?.replace(/^[:=]/, '') ?? null
        if (out !== null) context.emit('write', context.path({ ...out, text, prefix: text ?? out.prefix }), { span: out.span })
      },
    }),
    r: develops(RUN),
    dump: LISTS,
  }),
})
const nimble = tool('nimble', {
  flags: list('-y --accept -n --reject --verbose'),
  subcommands: byName({
    'install develop refresh': NIMBLE.add,
    'upgrade lock sync': NIMBLE.update,
    uninstall: NIMBLE.remove,
    'build init c cc cpp check setup shell tasks': BUILDS,
    test: develops(TEST),
    run: develops(RUN),
    publish: publishes({ action: 'nimble:publish', dryRun: [] }),
    'search list path dump deps': LISTS,
    clean: cleans('nimcache'),
  }),
})

/** Smaller languages whose tools share the same words. */
function languageTool(
  manager: string,
  manifest: string,
  about: { readonly publish?: string; readonly sources?: RegExp } = {},
): CommandSpec {
  const found = packages(manager, manifest)
  return tool(manager, {
    fallback: sources(about.sources ?? /^\.{0,2}\//),
    ...(about.sources === undefined ? {} : {}),
    flags: list('-v --verbose -q --release --prod -w --watch'),
    options: takes('-o --output -I -D -p --profile'),
    subcommands: byName({
      'build compile new init docs doc make bundle uberjar jar dist package gen generate assembly setup reload': develops({
        ...BUILD,
        flags: '--release --static --no-debug -O',
      }),
      'test spec t check-tests': develops(TEST),
      'run repl exec play with-profile console script': develops(RUN),
      eval: { stopAtOperand: true, operands: ['code', 'data'] },
      'add install get deps fetch restore': found.add,
      'update upgrade lock': found.update,
      'remove uninstall prune': found.remove,
      'list show info tree env tool outdated search classpath doctor': LISTS,
      'format fmt tool-format': develops({ action: 'dev:format', fixes: '*', looks: '--check' }),
      'check lint vet analyze': develops({ action: 'dev:lint' }),
      clean: cleans('build'),
      'publish deploy upload': publishes({ action: about.publish ?? `${manager}:publish` }),
    }),
  })
}

/** Options of the virtual machine: agents that are loaded, commands that a shell runs when it dies. */
function ofMachine(word: Word, context: CommandContext): void {
  const { text, prefix, span } = word
  const agent = /^-(?:javaagent|agentpath):/.exec(prefix)?.[0].length
  const dying = /^-XX:On(?:OutOfMemory)?Error=/.exec(prefix)?.[0].length
  if (dying !== undefined) context.shell(text?.slice(dying) ?? null, span, 'java')
  if (agent !== undefined) loadCode({ ...word, text: text?.slice(agent).split('=')[0] ?? null, prefix: prefix.slice(agent) }, context)
}

/** `java -jar x.jar`, `java -cp … Main`, `java Main.java`; agents are code too. */
const java: CommandSpec = {
  flags: list('-ea -esa -server -client --enable-preview -showversion -d64'),
  options: takes('-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports --add-reads --upgrade-module-path'),
  optionalValues: list('-D -X'),
  singleDashLong: true,
  stopAtOperand: true,
  operands: [],
  inert: list('-help --help -h -? --list-modules'),
  inertFirst: true,
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    for (const word of args) ofMachine(word, context)
    // Agents are loaded before it tells its version.
    if (args.some(({ text }) => text === '-version' || text === '--version' || text === '-fullversion')) return
    for (const word of parsed.values('-cp', '-classpath', '--class-path', '-p', '--module-path'))
      for (const path of word.text?.split(':', 64) ?? []) context.fetched(wordOf(path, word))
    const at = args.findIndex((word) => word.text === '-jar' || word.text === '-m' || word.text === '--module')
    const jar = args[at]?.text === '-jar' ? args[at + 1] : undefined
    const first = parsed.operands[0]
    if (jar !== undefined) {
      ranUnread(jar, context)
      claimed(jar, args.slice(at + 2), context)
    } else if (first?.prefix.endsWith('.java') === true) ranUnread(first, context)
    else if (at >= 0 || first !== undefined) {
      const main = at >= 0 ? args[at + 1] : first
      context.emit('execute', context.thing('program', main?.text ?? 'java'), { action: 'dev:run' })
    }
  },
}

const WRAPPER = /(?:^|\/)(?:gradle|maven)-wrapper\.jar$/

/** What a program of an archive says that it does: `java -jar admin-cli.jar delete-job x`. */
function claimed(jar: Word, args: readonly Word[], context: CommandContext): void {
  // The tasks of a build are named by the project, and the program that starts it is known by its own name.
  if (WRAPPER.test(jar.prefix)) return
  const claim = inferredAct(args)
  if (claim === null) return
  const on = context.thing('resource', `${jar.text ?? jar.prefix} ${claim.what}`)
  const reason = 'the words of an unknown program say so'
  context.emit(claim.verb, on, { action: claim.action, certainty: 'likely', reversible: claim.verb === 'change', reason })
}

const runs = (about: Partial<Develops> = {}): CommandSpec => ({
  ...develops({ ...RUN, ...about }),
  refine: ({ operands: [first], invocation }, context) => {
    const code = invocation.args.findIndex((word) => /^(?:-e|--eval|-eval|-c|-x)$/.test(word.text ?? ''))
    if (code >= 0) context.opaque(`\`${invocation.name}\` code is not analysed`, invocation.args[code + 1]?.span)
    else if (first !== undefined) ranUnread(first, context)
    else if (invocation.input.kind !== 'none') context.opaque(`\`${invocation.name}\` runs code that is not analysed`)
  },
})

export const languages: CommandTable = byName({
  swift,
  dart,
  'flutter fvm': flutter,
  zig,
  nim,
  nimble,
  crystal: languageTool('shards', 'shard.yml', { sources: /\.cr$/ }),
  shards: languageTool('shards', 'shard.yml'),
  gleam: languageTool('hex', 'gleam.toml', { publish: 'hex:publish' }),
  'lein boot': languageTool('clojars', 'project.clj', { publish: 'clojars:publish' }),
  'mill bleep cs coursier bloop scala-cli': languageTool('maven', 'build.sc', { publish: 'maven:publish', sources: /\.(?:sc|scala)$/ }),
  'v odin': languageTool('vpm', 'v.mod', { sources: /\.(?:v|odin)$/ }),
  dub: languageTool('dub', 'dub.json'),
  alr: languageTool('alire', 'alire.toml'),
  'fpm spago elm pulp gren roc raco': languageTool('packages', 'manifest'),
  luarocks: languageTool('luarocks', '*.rockspec', { publish: 'luarocks:publish' }),
  jbang: languageTool('maven', 'jbang', { sources: /\.(?:java|jsh|kt)$/ }),
  'cpan cpanm cpm carton minil': installs(
    { manager: 'cpan', manifest: 'cpanfile', index: ['--mirror', '--from'] },
    {
      flags: list('-n --notest -f --force -q --quiet -i -S --sudo --installdeps'),
      options: takes('-l --local-lib -L'),
      inert: ['--help', '-h', '--version', '-V'],
    },
  ),
  'conan vcpkg spack xrepo': tool('native', {
    subcommands: byName({
      'install add get download': installs({ manager: 'native', manifest: 'manifest', index: ['-r', '--remote'] }),
      'remove uninstall': removes('native'),
      search: LOOKS_UP,
      'list info inspect graph find spec owns version': LISTS,
      'create build export new integrate source test profile config cache env load unload lock': BUILDS,
      remote: {
        operands: [],
        subcommands: byName({
          'list list-users auth': LISTS,
          'add update rename remove enable disable login logout set-user': CONFIGURES,
        }),
      },
      upload: publishes({ action: 'conan:publish', dryRun: [] }),
    }),
  }),
  java,
  'lumo planck joker': runs({ flags: '-M -X -T' }),
  'clisp ecl gforth ocaml utop swipl gprolog maxima gnuplot sage spim io picolisp janet fennel': runs({
    flags: '--script --quiet -q --no-init --batch',
  }),
  amm: runs(),
})
