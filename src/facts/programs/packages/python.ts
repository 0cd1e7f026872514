import type { CommandSpec, CommandTable, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, list, refined, takes, tool } from '../tool.ts'
import {
  alongside,
  BUILDS,
  CONFIGURES,
  type InstallOptions,
  install,
  installs,
  installsNamed,
  LISTS,
  LOOKS_UP,
  publishes,
  RUNS,
  removes,
  SCRIPT,
  SELECTS,
  type Source,
  sameAs,
} from './packages.ts'
import { editable, listed, PIP, PIP_COMMANDS, PIP_FLAGS, PIP_GRAMMAR, PIP_OPTIONS, pip } from './pip.ts'

/** Python package tools: pip, pipx, uv, poetry, hatch, flit, pdm, pipenv, conda, twine, virtualenv. */

/** Applications for the whole user. */
const APPLICATION: InstallOptions = { ...PIP, manager: 'pipx', manifest: 'applications', attributes: () => ({ user: true }) }

const pipx = tool('pip', {
  subcommands: byName({
    'install inject upgrade reinstall upgrade-all reinstall-all install-all': installs(APPLICATION, PIP_GRAMMAR),
    'uninstall uninject uninstall-all': removes('pipx'),
    run: sameAs('uvx'),
    'list environment': LISTS,
    ensurepath: does({ verb: 'persist', action: 'pkg:config', kind: 'variable', value: 'PATH' }),
    pin: CONFIGURES,
    unpin: CONFIGURES,
    runpip: {
      stopAtOperand: true,
      refine: (parsed, context) => context.command([knownWord('pip', parsed.invocation.span), ...parsed.operands.slice(1)], 'pipx'),
    },
  }),
})

const PYPI_PUBLISH = publishes(
  { action: 'pypi:publish', values: { repository: list('--publish-url -r --repository --repository-url --index --repo') } },
  {
    options: takes(
      '-u --username -p --password -t --token --dist-dir --trusted-publishing --keyring-provider --check-url --cert ' +
        '--client-cert --config-file --comment --pypirc',
    ),
    flags: list('--build --skip-existing --no-interaction -n --skip-build --no-build --no-publish --sign'),
  },
)
const UPLOAD = publishes(
  { action: 'pypi:publish', files: true, dryRun: [], values: { repository: list('-r --repository --repository-url') } },
  {
    options: takes('-u --username -p --password -c --comment -i --identity --config-file --cert --client-cert --sign-with'),
    flags: list('-s --sign --skip-existing --non-interactive --verbose --disable-progress-bar --attestations'),
    operands: ['read'],
  },
)

const PROJECT_GRAMMAR: CommandSpec = {
  flags: [
    ...PIP_FLAGS,
    ...list(
      '--dev -D --no-dev --only-dev --frozen --locked --all-groups --no-sync --no-root --no-interaction -n --sync ' +
        '--no-editable --editable --exact --workspace --bare --lib --app --package --allow-prereleases',
    ),
  ],
  options: {
    ...PIP_OPTIONS,
    ...takes(
      '--package --with --without --only --tag --branch --rev --git --path --optional -G --env -E --with-requirements ' +
        '--features --name --markers -P --upgrade-package',
    ),
  },
}

/** Installs of a project tool: packages by name, by `--git` or `--path`. */
function project(manager: string, manifest: string, verb: 'install' | 'upgrade' = 'install'): CommandSpec {
  return installs(
    {
      ...PIP,
      manager,
      manifest,
      verb,
      also: (parsed) => [
        ...editable(parsed),
        ...listed(parsed),
        ...parsed.values('--git').map((word: Word) => ({ word, source: 'git' as Source })),
      ],
    },
    PROJECT_GRAMMAR,
  )
}

const ENVIRONMENT = does(
  { verb: 'write', action: 'pkg:environment', kind: 'path', at: 0, value: '.venv' },
  {
    options: takes('-p --python --prompt --index-url'),
    flags: list('--seed --clear --system-site-packages --upgrade --copies --symlinks --without-pip -q --allow-existing'),
  },
)
const SELF_UPDATE = does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'self', attributes: { global: true } })

/** `uv run` takes a command, a script or, with `-m`, a module. */
const UV_RUN: CommandSpec = {
  ...RUNS,
  flags: [
    ...(PROJECT_GRAMMAR.flags ?? []),
    ...list('-m --module -s --script --gui-script --isolated --no-project --active --managed-python --all-packages'),
  ],
  options: { ...PROJECT_GRAMMAR.options, ...takes('-w --with-editable --env-file -p --python') },
  refine: (parsed, context) => {
    alongside(parsed, context)
    const python = knownWord('python', parsed.invocation.span)
    if (parsed.flag('-m', '--module')) context.command([python, knownWord('-m', parsed.invocation.span), ...parsed.operands], 'uv')
    else if (parsed.flag('-s', '--script')) context.command([python, ...parsed.operands], 'uv')
    else if (parsed.operands[0]?.text === '-') context.stdin('python')
    else RUNS.refine?.(parsed, context)
  },
}

const uv = tool('uv', {
  flags: list('-q --quiet -v --verbose --offline --no-cache -n --no-progress --no-config --native-tls --system-certs'),
  options: takes('--directory --project --config-file --cache-dir --color --allow-insecure-host'),
  subcommands: byName({
    pip: { subcommands: PIP_COMMANDS },
    'add sync': project('uv', 'pyproject.toml'),
    remove: removes('uv', PROJECT_GRAMMAR),
    lock: project('uv', 'pyproject.toml', 'upgrade'),
    run: UV_RUN,
    tool: {
      subcommands: byName({
        run: sameAs('uvx'),
        'install upgrade': installs({ ...APPLICATION, manager: 'uv' }, PROJECT_GRAMMAR),
        uninstall: removes('uv'),
        'list dir': LISTS,
        'update-shell': does({ verb: 'persist', action: 'pkg:config', kind: 'variable', value: 'PATH' }),
      }),
    },
    python: {
      subcommands: byName({
        'install upgrade': installsNamed('uv', 'python'),
        uninstall: removes('uv'),
        'list find dir': LISTS,
        pin: CONFIGURES,
      }),
    },
    publish: { ...PYPI_PUBLISH },
    build: BUILDS,
    'init export version format': BUILDS,
    venv: ENVIRONMENT,
    tree: LISTS,
    cache: {
      subcommands: byName({
        'clean prune': does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }),
        'dir size': LISTS,
      }),
    },
    self: { subcommands: { update: SELF_UPDATE, version: LISTS } },
    auth: {
      subcommands: byName({
        'login logout': does({ verb: 'change', action: 'pypi:token', kind: 'account', at: 0, value: 'index' }),
        token: does({ verb: 'read', action: 'secret:read', kind: 'account', value: 'index' }),
        dir: LISTS,
      }),
    },
  }),
})

/** What poetry, hatch, flit, pdm, pipenv and rye share. */
function projectTool(manager: string, more: Readonly<Record<string, CommandSpec>> = {}): CommandSpec {
  return tool(manager, {
    flags: list('-q --quiet -v -vv -vvv --verbose --no-ansi --ansi -n --no-interaction --no-plugins --no-cache'),
    options: takes('-C --directory -P --project -p -e --env --data-dir --cache-dir --config'),
    subcommands: byName({
      'add install sync': project(manager, 'pyproject.toml'),
      'update upgrade lock': project(manager, 'pyproject.toml', 'upgrade'),
      'remove uninstall': removes(manager, PROJECT_GRAMMAR),
      publish: PYPI_PUBLISH,
      'build init new export version fmt clean requirements': BUILDS,
      run: RUNS,
      shell: SCRIPT,
      test: does({ verb: 'execute', action: 'dev:test', kind: 'program', value: `${manager} test` }),
      'show list check info status about graph dep outdated venv which': LISTS,
      search: LOOKS_UP,
      config: CONFIGURES,
      'source cache dependency': { subcommands: byName({ 'show list': LISTS, 'add remove clear': CONFIGURES }) },
      env: {
        subcommands: byName({
          'info list find show': LISTS,
          'use create': BUILDS,
          run: RUNS,
          'remove prune': removes(manager),
        }),
      },
      self: { subcommands: byName({ 'update add install': SELF_UPDATE, 'show lock': LISTS, remove: removes(manager) }) },
      ...more,
    }),
  })
}

const CONDA_GRAMMAR: CommandSpec = {
  flags: list(
    '-y --yes -q --quiet --json --offline --dry-run -d --no-deps --only-deps --force-reinstall --freeze-installed --all ' +
      '--override-channels --use-local --no-pin --copy --update-all --dev --insecure -k --no-default-packages --revision',
  ),
  options: {
    ...takes('-n --name -p --prefix -c --channel --solver --experimental-solver --platform --subdir --repodata-fn --clone'),
    ...takes('-f --file', 'read'),
  },
  inert: ['--dry-run', '-d'],
}
const CONDA: InstallOptions = { manager: 'conda', manifest: 'environment.yml', index: [] }
/** Channels that are kept by those who make conda, or reviewed by many; anybody may open another one. */
const CHANNELS = new Set(
  'defaults main free r msys2 anaconda conda-forge bioconda pytorch nvidia intel rapidsai local nodefaults'.split(' '),
)

const condaInstall = refined((parsed, context) => {
  const strange = parsed
    .values('-c', '--channel')
    .some(({ prefix, text }) => prefix.includes('://') || !CHANNELS.has((text ?? '').split('/')[0] ?? ''))
  install(parsed, context, { ...CONDA, ...(strange ? { index: ['-c', '--channel'] } : {}) })
}, CONDA_GRAMMAR)
const CONDA_ENV = {
  subcommands: byName({ 'create update': condaInstall, remove: removes('conda', CONDA_GRAMMAR), 'list export config': LISTS }),
}

const conda = tool('conda', {
  subcommands: byName({
    'install create update upgrade': condaInstall,
    'remove uninstall': removes('conda', { ...CONDA_GRAMMAR, options: { ...CONDA_GRAMMAR.options, ...takes('-n --name') } }),
    env: CONDA_ENV,
    'list info compare doctor': LISTS,
    'search repoquery notices': LOOKS_UP,
    'activate deactivate': does({ verb: 'execute', action: 'pkg:environment', kind: 'program', at: 0, value: 'base' }),
    init: does({ verb: 'persist', action: 'pkg:config', kind: 'variable', value: 'shell start-up' }),
    'config rename package': CONFIGURES,
    clean: does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }),
    run: { ...RUNS, options: takes('-n --name -p --prefix --cwd'), flags: list('--no-capture-output --live-stream -v') },
    build: BUILDS,
    export: LISTS,
  }),
})

const twine = tool('pypi', { subcommands: { upload: UPLOAD, register: UPLOAD, check: { ...LISTS, operands: ['read'] } } })
const anaconda = tool('conda', {
  options: takes('-t --token -s --site'),
  subcommands: byName({
    upload: publishes({ action: 'conda:publish', files: true, dryRun: [] }),
    'search show whoami': LOOKS_UP,
    'login logout': does({ verb: 'change', action: 'conda:token', kind: 'account', value: 'anaconda' }),
    remove: removes('anaconda'),
  }),
})
const pipCompile: CommandSpec = {
  ...installs({ ...PIP, verb: 'download' }, { ...PIP_GRAMMAR, options: { ...PIP_OPTIONS, ...takes('-o --output-file', 'write') } }),
  inert: ['--help', '-h', '--dry-run'],
}

export const python: CommandTable = byName({
  'pip pip3 pypy-pip': pip,
  pipx,
  uv: { ...uv, transparent: true },
  poetry: { ...projectTool('poetry'), transparent: true },
  hatch: projectTool('hatch', {
    dep: LISTS,
    project: LISTS,
    python: { subcommands: byName({ 'install update remove': BUILDS, 'show find': LISTS }) },
  }),
  flit: projectTool('flit'),
  pdm: projectTool('pdm', { use: CONFIGURES, plugin: BUILDS, fix: BUILDS, import: BUILDS }),
  rye: projectTool('rye', { fetch: LISTS, pin: CONFIGURES, toolchain: BUILDS }),
  pipenv: {
    ...projectTool('pipenv', {
      upgrade: project('pipenv', 'Pipfile', 'upgrade'),
      scripts: LISTS,
      verify: LISTS,
      requirements: LISTS,
      open: SCRIPT,
    }),
    transparent: true,
  },
  'conda mamba micromamba': { ...conda, transparent: true },
  twine,
  'pyproject-build': BUILDS,
  anaconda,
  'pip-compile': pipCompile,
  'pip-sync': { ...installs(PIP, PIP_GRAMMAR), inert: ['--help', '-h', '--dry-run', '-n'] },
  'virtualenv pyvenv': { ...ENVIRONMENT, inert: ['--help', '-h', '--version'] },
  pyenv: tool('pyenv', {
    subcommands: byName({
      install: installsNamed('pyenv', 'python'),
      uninstall: removes('pyenv'),
      'versions version which whence root prefix commands init': LISTS,
      'global local shell rehash virtualenv activate deactivate': SELECTS,
      exec: RUNS,
    }),
  }),
})
