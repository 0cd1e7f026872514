import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { byName, does, each, runsLine, takes, tool } from '../tool.ts'
import { cleans, type Develops, develops, runsRest } from './develop.ts'

/** Build systems: CMake, Ninja, Meson, Bazel, autotools, SCons, JavaScript bundlers and monorepo runners. */

const BUILD: Develops = { action: 'dev:build', operands: 'data' }

/** `cmake -E`: a little shell of its own. */
function cmakeTool(parsed: ParsedCommand, context: CommandContext): boolean {
  const { args, name: program } = parsed.invocation
  const at = args.findIndex((word) => word.text === '-E')
  const verb = args[at + 1]
  if (at < 0 || verb === undefined) return false
  const rest = args.slice(at + 2)
  const name = verb.text ?? ''
  if (/^(?:env|time|chdir)$/.test(name)) cmakeRun(name, rest, { program, context })
  else if (name === 'tar') context.command([knownWord('tar', verb.span), ...rest], program)
  else if (!cmakeFiles(name, rest, context) && !/^(?:echo|echo_append|sleep|true|false|capabilities|environment|help)$/.test(name))
    context.opaque('what `cmake -E` does is not known before it runs', verb.span)
  return true
}

/** Reads, writes and deletes; false for a verb that does none of it. */
function cmakeFiles(name: string, words: readonly Word[], context: CommandContext): boolean {
  const paths = words.filter((word) => !word.prefix.startsWith('-'))
  if (/^(?:rm|remove|remove_directory)$/.test(name)) {
    for (const word of paths) deletePath(context, word, name === 'remove' ? {} : { attributes: { recursive: true } })
  } else if (/^(?:copy|copy_if_different|copy_directory|rename|create_symlink|create_hardlink)$/.test(name)) {
    for (const word of paths.slice(0, -1)) readPath(context, word)
    for (const word of paths.slice(-1)) writePath(context, word)
    if (name === 'rename') for (const word of paths.slice(0, -1)) deletePath(context, word, { reversible: true })
  } else if (/^(?:touch|touch_nocreate|make_directory)$/.test(name)) {
    for (const word of paths) writePath(context, word)
  } else if (/^(?:cat|compare_files|md5sum|sha1sum|sha256sum|sha512sum)$/.test(name)) {
    for (const word of paths) readPath(context, word)
  } else return false
  return true
}

/** `env X=1 program`, `time program`, `chdir directory program`. */
function cmakeRun(
  name: string,
  words: readonly Word[],
  { program, context }: { readonly program: string; readonly context: CommandContext },
): void {
  const from = name === 'chdir' ? 1 : words.findIndex((word) => !/^(?:--unset=|--modify|--|[A-Za-z_]\w*=)/.test(word.prefix))
  const [directory] = words
  const run = (inner: CommandContext): void => inner.command(words.slice(from), program)
  if (name === 'chdir' && directory !== undefined) context.within({ remote: false, attributes: {}, directory }, run)
  else if (from >= 0) run(context)
}

function cmake(parsed: ParsedCommand, context: CommandContext): void {
  if (cmakeTool(parsed, context)) return
  const script = parsed.value('-P')
  const name = parsed.flag('--build') ? 'cmake --build' : parsed.flag('--install') ? 'cmake --install' : 'cmake'
  // What stands behind `--` goes to make.
  for (const word of parsed.rest) {
    const shell = /^(?:MAKE)?SHELL=(.*)$/.exec(word.text ?? '')?.[1]
    if (shell !== undefined) context.shell(shell, word.span, 'cmake')
  }
  if (script !== null) ranUnread(script, context)
  else context.emit('execute', context.thing('program', name), { action: 'dev:build' })
  if (parsed.flag('--install')) {
    const into = parsed.value('--prefix') ?? knownWord('/usr/local', parsed.invocation.span)
    context.emit('write', context.path(into), { action: 'dev:install', certainty: 'likely', attributes: { recursive: true } })
  }
}

const CMAKE: CommandSpec = {
  flags: (
    '--build --install --clean-first --fresh -v --verbose --open -LA -L --debug-output --trace -N --strip -E --use-stderr ' +
    '-Wno-dev -Wdev'
  ).split(' '),
  options: Object.fromEntries(
    (
      '-S -B -G -D -U -A -T -j --parallel -t --target --config --component --preset --log-level -C -P --toolchain --prefix ' +
      '--install-prefix'
    )
      .split(' ')
      .map((name) => [name, 'data' as const]),
  ),
  ...{ optionalValues: ['-W'] },
  operands: ['data'],
  inert: ['--help', '-h', '--version', '--system-information', '--list-presets', '--help-command', '--help-module', '--help-variable'],
  refine: (parsed, context) => {
    const into = parsed.value('-B')
    if (into !== null) context.emit('write', context.path(into), { action: 'dev:build', span: into.span })
    cmake(parsed, context)
  },
}

/** `ninja -t clean` removes; other tools of `-t` look. */
const NINJA: Develops = {
  ...BUILD,
  flags: '-v --verbose --quiet -n',
  valued: '-j -k -l -t -d -w',
  inert: '--help -h --version -n',
  more: (parsed, context) => {
    if (/^clean/.test(parsed.value('-t')?.text ?? '')) {
      context.emit('delete', context.thing('resource', 'build output'), { action: 'dev:clean', reversible: true })
    }
    const into = parsed.value('-C')
    if (into !== null) context.emit('write', context.path(into), { action: 'dev:build', span: into.span })
  },
}

const MESON = tool('dev', {
  subcommands: byName({
    'setup configure compile dist init rewrite subprojects wrap': develops({
      ...BUILD,
      flags: '--wipe --reconfigure --clean -v',
      valued: '-C -D --buildtype --prefix -j -b --native-file --cross-file',
    }),
    test: develops({ action: 'dev:test', operands: 'data', flags: '-v --list --gdb', valued: '-C -t --suite --wrap -j' }),
    install: does(
      { verb: 'write', action: 'dev:install', kind: 'path', option: ['--destdir'], value: '/usr/local' },
      { options: { '-C': 'data', '--tags': 'data' }, inert: ['--dry-run', '-n'] },
    ),
    introspect: develops({ action: 'dev:lint' }),
    devenv: runsLine({ valued: '-C --workdir -w', flags: '--dump' }),
  }),
  operands: ['data'],
  refine: (_, context) => context.emit('execute', context.thing('program', 'meson'), { action: 'dev:build' }),
})

const BAZEL_GRAMMAR = {
  flags:
    '-k --keep_going -s --subcommands --nobuild --verbose_failures --expunge --expunge_async --async --nocache_test_results --show_progress',
  valued:
    '-c --compilation_mode --config --define --copt --test_filter --test_output --jobs -j --output --platforms --cpu --action_env --test_arg --run_under',
}
const BAZEL = tool('dev', {
  flags: ['--batch', '--nohome_rc', '--noworkspace_rc'],
  options: { '--output_base': 'data', '--output_user_root': 'data', '--bazelrc': 'read', '--host_jvm_args': 'data' },
  subcommands: byName({
    'build cquery aquery query fetch sync mod vendor info version dump shutdown analyze-profile mobile-install canonicalize-flags license print_action':
      develops({ ...BUILD, ...BAZEL_GRAMMAR }),
    'test coverage': develops({ ...BUILD, ...BAZEL_GRAMMAR, action: 'dev:test' }),
    run: develops({ ...BUILD, ...BAZEL_GRAMMAR, action: 'dev:run' }),
    clean: cleans('bazel-out', { flags: BAZEL_GRAMMAR.flags }),
    goals: develops(BUILD),
  }),
  operands: ['data'],
  refine: (parsed, context) => context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:build' }),
})

/** Bundlers and front-end builds: they load their configuration and write their output directory. */
const BUNDLER: Develops = {
  action: 'dev:build',
  operands: 'data',
  flags:
    '--watch -w --minify -m --sourcemap --bundle --production -p --no-cache --silent --clean --dts --force --metafile ' +
    '--splitting --ssr --emptyOutDir --open --host --hot --verbose -i --allow-overwrite --analyze',
  valued:
    '--mode --target --format -f --platform --external --loader --define --entry --env --port --log-level --level -l ' +
    '--devtool -d --base --public-dir --public-url --global-name -n --name -e -i= --minify= --tsconfig --presets ' +
    '--extensions -x --entry-names --servedir',
  loads: '-c --config --plugin --config-file --resolve-loader',
  writes: '--outfile --outdir -o --output --output-path --dist-dir --out-dir --out-file --dir',
  inert: '--help -h --version -v -V',
}

/** Monorepo runners: tasks are scripts of the workspace's packages. */
const MONOREPO: Develops = {
  action: 'dev:task',
  operands: 'data',
  flags: '--force --parallel --no-cache --continue --all --affected --verbose --skip-nx-cache --watch --no-daemon --only',
  valued:
    '--filter -F --scope --target -t --targets --projects -p --base --head --concurrency --cache-dir --output-logs ' +
    '--configuration -c --since --include --exclude --log-order --to --from',
  inert: '--help -h --version --dry-run --dry --graph --summarize=false',
}

/** Options that name the file with the rules. */
function withSteps(names: string, spec: CommandSpec): CommandSpec {
  return { ...spec, options: { ...spec.options, ...takes(names, 'steps') } }
}

export const building: CommandTable = byName({
  'cmake cmake3': CMAKE,
  cpack: develops({ ...BUILD, flags: '-V --verbose --debug', valued: '-G -C -D -P -R', writes: '-B', reads: '--config' }),
  ctest: develops({
    ...BUILD,
    action: 'dev:test',
    flags: '-V -VV -N -Q --output-on-failure --rerun-failed --progress -F --verbose',
    valued: '-R -E -L -LE -j --parallel --timeout --test-dir -C --build-config -G -T -M -S -D --preset',
    loads: '-S',
    // What follows it is the command.
    more: ({ invocation: { args } }, context) => {
      const at = args.findIndex(({ text }) => text === '--test-command')
      if (at >= 0) context.command(args.slice(at + 1), 'ctest')
    },
  }),
  'ninja samu ninja-build': withSteps('-f', develops(NINJA)),
  meson: MESON,
  'bazel bazelisk buck buck2 pants plz': BAZEL,
  'scons waf xmake premake5 premake tup bjam bmake nmake mingw32-make mk remake colcon catkin_make catkin bitbake kas': withSteps(
    '-f',
    develops({ ...BUILD, flags: '-c -Q -s -u', valued: '-j --debug', inert: '--help -h -H --version -v -n --dry-run' }),
  ),
  ant: withSteps(
    '-f -buildfile -file',
    develops({
      ...BUILD,
      valued: '-D -lib -logger -propertyfile -l',
      flags: '-q -v -d -S -k -emacs',
      singleDashLong: true,
      inert: '-help -h -version -p -projecthelp --help',
    }),
  ),
  'autoconf automake autoreconf aclocal autoheader libtoolize autogen.sh bootstrap.sh gettextize intltoolize configure': develops({
    ...BUILD,
    flags: '-f -i -v -s -w --force --install --verbose',
    valued: '-I -W --prefix --host --build --target --with --srcdir',
    inert: '--help -h --version -V',
  }),
  libtool: runsRest('--silent --quiet --verbose -v --debug --finish', '--mode --tag'),
  'qmake qmake6 moc uic rcc lrelease lupdate': develops({
    ...BUILD,
    writes: '-o',
    inert: '--help -h --version -v --modversion --cflags --libs --exists --list-all --variable',
  }),
  ...each(
    'webpack webpack-cli rollup esbuild parcel tsup tsdown rolldown rspack rsbuild rslib swc bunchee unbuild microbundle ' +
      'ncc pkgroll snowpack browserify metro farm lasso brunch',
    develops(BUNDLER),
  ),
  'sass sassc lessc svgo': develops({ ...BUNDLER, operands: 'read', lastWritten: true }),
  'babel babel-node': develops({ ...BUNDLER, writes: `${BUNDLER.writes} -d` }),
  'postcss tailwindcss stylus unocss uglifyjs terser cleancss svgr imagemin csso lightningcss html-minifier html-minifier-terser purgecss':
    develops({ ...BUNDLER, operands: 'read' }),
  'turbo nx lage rush moon wireit doit preconstruct gulp grunt jake jakejs npm-run-all run-s run-p wsrun earthly dagger mage poe poethepoet nuke':
    develops(MONOREPO),
})
