import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../spec.ts'
import { BUILDS, CONFIGURES, install, installs, LISTS, LOOKS_UP, publishes, removes, SCRIPT } from './packages.ts'
import { does, each, list, literal, nameOf, takes, tool } from './tool.ts'

/** JavaScript package managers: npm, pnpm, yarn, bun, deno and the tools that install node itself. */

const JS = {
  manifest: 'package.json',
  slashIsGit: true,
  index: ['--registry'],
  indexVariables: list('NPM_CONFIG_REGISTRY npm_config_registry'),
}

const SHARED_FLAGS = list(
  '-g --global --silent -s --quiet -q --verbose -d --json --yes -y --no-audit --no-fund --no-progress --offline --prefer-offline --ignore-scripts --legacy-peer-deps --workspaces -ws --include-workspace-root --parseable --long -l --all -a -p --production -D -P -O -E -B --save --save-dev --save-prod --save-optional --save-exact --save-peer --save-bundle --no-save --no-optional --foreground-scripts --no-package-lock --package-lock-only --strict-peer-deps --no-bin-links --if-present --expect-results --force -f -r --recursive --stream --parallel --dev --peer --optional --exact --frozen-lockfile --no-frozen-lockfile --immutable --non-interactive --ignore-engines --ignore-optional --check-files --flat --pure-lockfile -W --ignore-workspace-root-check --latest -L -i --interactive --workspace-root -w',
)
const SHARED_OPTIONS = takes(
  '--prefix -C --cwd --userconfig --globalconfig --cache --loglevel --tag --access --otp --omit --include --workspace --filter -F --scope --install-strategy --before --script-shell --node-options --network-concurrency --dir --reporter --audit-level --depth --auth-type --modules-folder --cache-folder --registry',
)
const JS_GRAMMAR: CommandSpec = { flags: SHARED_FLAGS, options: SHARED_OPTIONS, optionalValues: ['--color', '--provenance'] }

const NPM_PUBLISH = publishes({
  action: 'npm:publish',
  flags: { force: ['--force', '-f'] },
  values: { tag: ['--tag'], access: ['--access'], registry: ['--registry'] },
})

function npmAct(verb: 'change' | 'publish' | 'read' | 'delete', action: string, at = 0, reversible?: boolean): CommandSpec {
  return does({ verb, action, kind: 'package', at, value: '.', ...(reversible === undefined ? {} : { reversible }) })
}

const DIST_TAG: CommandSpec = {
  subcommands: {
    ...each('add set', npmAct('publish', 'npm:dist-tag', 0, true)),
    ...each('rm remove', npmAct('publish', 'npm:dist-tag', 0, true)),
    ...each('ls list', LOOKS_UP),
  },
}
const OWNER: CommandSpec = {
  subcommands: { ...each('add rm remove', npmAct('change', 'npm:owner', 1, false)), ...each('ls list', LOOKS_UP) },
}
const ACCOUNT = does({ verb: 'change', action: 'npm:token', kind: 'account', value: 'npm' })
const TOKEN: CommandSpec = {
  subcommands: {
    ...each('list ls', does({ verb: 'read', action: 'npm:token', kind: 'account', value: 'npm' })),
    create: does({ verb: 'change', action: 'npm:token', kind: 'account', value: 'npm', reversible: false }),
    ...each('revoke delete rm remove', ACCOUNT),
  },
}
const CONFIG: CommandSpec = {
  flags: list('-g --global -l --long --json -L'),
  options: takes('--location'),
  subcommands: {
    set: CONFIGURES,
    ...each('delete rm edit fix', CONFIGURES),
    ...each('get list ls', LISTS),
  },
}
const AUDIT: CommandSpec = {
  ...LOOKS_UP,
  operands: ['data'],
  subcommands: {
    fix: does({ verb: 'execute', action: 'pkg:install', kind: 'package', value: 'package.json', attributes: { source: 'manifest' } }),
    signatures: LOOKS_UP,
  },
}

/** What npm, pnpm and yarn have in common. */
function family(manager: string, global: readonly string[]): Readonly<Record<string, CommandSpec>> {
  const options = { ...JS, manager, global }
  return {
    ...each('install add ci install-test install-ci-test link', installs(options)),
    ...each('update upgrade dedupe', installs({ ...options, verb: 'upgrade' })),
    ...each('remove uninstall prune', removes(manager, {}, global)),
    publish: NPM_PUBLISH,
    unpublish: npmAct('delete', 'npm:unpublish', 0, false),
    ...each('deprecate undeprecate', npmAct('publish', 'npm:deprecate', 0, true)),
    'dist-tag': DIST_TAG,
    owner: OWNER,
    token: TOKEN,
    ...each('access team org profile hook trust', {
      subcommands: {
        ...each('list ls get status', LOOKS_UP),
        ...each(
          'set add rm remove create destroy delete grant revoke public restricted edit update enable-2fa disable-2fa github gitlab',
          npmAct('change', 'npm:owner', 0, false),
        ),
      },
    }),
    ...each('login adduser logout', ACCOUNT),
    ...each('view search outdated fund whoami ping docs repo bugs home diff star stars unstar', LOOKS_UP),
    ...each('list ls ll la why explain query sbom root bin prefix doctor licenses get explore', LISTS),
    ...each('pack rebuild', BUILDS),
    version: does({ verb: 'change', action: 'pkg:version', kind: 'package', value: '.' }),
    audit: AUDIT,
    config: CONFIG,
    ...each('set pkg shrinkwrap', CONFIGURES),
    cache: {
      subcommands: {
        ...each('clean clear rm add dir', does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' })),
        ...each('ls verify list path', LISTS),
      },
    },
    ...each('run test start stop restart', SCRIPT),
    exec: does(
      { verb: 'execute', action: 'pkg:run', kind: 'package', at: 0 },
      { stopAtOperand: true, options: takes('-p --package -c --call') },
    ),
    ...each(
      'init create',
      does({ verb: 'execute', action: 'pkg:run', kind: 'package', at: 0, value: 'package.json' }, { stopAtOperand: true }),
    ),
  }
}

const NPM_ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(list('i in ins inst insta instal isnt isnta isntal isntall').map((name) => [name, 'install'])),
  ...Object.fromEntries(list('un unlink rm r').map((name) => [name, 'remove'])),
  ...Object.fromEntries(list('up udpate').map((name) => [name, 'update'])),
  ...Object.fromEntries(list('v info show').map((name) => [name, 'view'])),
  ...Object.fromEntries(list('s se find').map((name) => [name, 'search'])),
  ...Object.fromEntries(list('t tst').map((name) => [name, 'test'])),
  ...Object.fromEntries(list('run-script rum urn').map((name) => [name, 'run'])),
  ...Object.fromEntries(list('clean-install ic install-clean isntall-clean').map((name) => [name, 'ci'])),
  x: 'exec',
  'dist-tags': 'dist-tag',
  author: 'owner',
  'add-user': 'adduser',
  c: 'config',
  ln: 'link',
  ddp: 'dedupe',
  rb: 'rebuild',
  la: 'list',
  it: 'install-test',
  cit: 'install-ci-test',
  innit: 'init',
}

/** Any unambiguous beginning of a subcommand is that subcommand: `npm publis` publishes. */
function abbreviation(names: readonly string[]) {
  return (parsed: ParsedCommand, context: CommandContext): boolean => {
    const text = parsed.operands[0]?.text
    if (text == null || parsed.path.length > 0) return false
    const found = names.filter((name) => name.startsWith(text))
    const [only] = found
    const at = parsed.invocation.args.findIndex((word) => word.text === text)
    if (only === undefined || found.length > 1 || at < 0) return false
    const args = parsed.invocation.args.map((word, index) => (index === at ? literal(only, word.span) : word))
    context.command([parsed.invocation.program, ...args], parsed.invocation.name)
    return true
  }
}

const npmCommands = family('npm', ['-g', '--global'])
const npm = tool(
  { ...JS_GRAMMAR, subcommands: npmCommands, aliases: NPM_ALIASES },
  { name: 'npm', fallback: abbreviation(Object.keys(npmCommands)) },
)

/** A word that is no subcommand names a script of the package: `yarn build`. */
function packageScript(parsed: ParsedCommand, context: CommandContext): boolean {
  const first = parsed.operands[0]
  if (first === undefined || parsed.path.length > 0) return false
  context.emit('execute', context.thing('script', nameOf(first)), { action: 'pkg:script', span: first.span })
  return true
}

const pnpm = tool(
  {
    ...JS_GRAMMAR,
    subcommands: {
      ...family('pnpm', ['-g', '--global']),
      dlx: does({ verb: 'execute', action: 'pkg:run', kind: 'package', at: 0 }, { stopAtOperand: true }),
      ...each('import fetch patch patch-commit deploy approve-builds', BUILDS),
      store: {
        subcommands: {
          ...each('status path', LISTS),
          ...each('prune add', does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'store' })),
        },
      },
      env: {
        subcommands: {
          ...each('use add', installs({ ...JS, manager: 'pnpm', manifest: 'node', global: ['-g', '--global'] })),
          ...each('remove rm', removes('pnpm')),
          ...each('list ls', LISTS),
        },
      },
      ...each(
        'setup self-update',
        does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'pnpm', attributes: { global: true } }),
      ),
    },
    aliases: NPM_ALIASES,
  },
  { name: 'pnpm', fallback: packageScript },
)

/** `yarn workspace NAME …`: the rest is a yarn command of its own. */
const WORKSPACE: CommandSpec = {
  stopAtOperand: true,
  refine: (parsed, context) => context.command([parsed.invocation.program, ...parsed.operands.slice(1)], 'yarn'),
}

const yarnInstall = installs({ ...JS, manager: 'yarn' })
const yarn = tool(
  {
    ...JS_GRAMMAR,
    refine: (parsed, context) => install(parsed, context, { ...JS, manager: 'yarn' }),
    subcommands: {
      ...family('yarn', []),
      global: {
        subcommands: {
          ...each(
            'add upgrade',
            does({
              verb: 'execute',
              action: 'pkg:install',
              kind: 'package',
              from: 0,
              attributes: { manager: 'yarn', global: true, source: 'registry' },
            }),
          ),
          remove: does({ verb: 'change', action: 'pkg:remove', kind: 'package', from: 0, attributes: { manager: 'yarn', global: true } }),
          ...each('list bin dir', LISTS),
        },
      },
      npm: {
        subcommands: {
          publish: NPM_PUBLISH,
          tag: DIST_TAG,
          ...each('login logout', ACCOUNT),
          ...each('info audit whoami', LOOKS_UP),
        },
      },
      tag: DIST_TAG,
      dlx: does({ verb: 'execute', action: 'pkg:run', kind: 'package', at: 0 }, { stopAtOperand: true }),
      workspace: WORKSPACE,
      workspaces: {
        subcommands: {
          ...each('info list', LISTS),
          ...each('run focus', SCRIPT),
          foreach: {
            ...WORKSPACE,
            refine: foreach,
            flags: list('-A --all -p -v -i -t -R -W --since -j'),
            options: takes('--include --exclude --from'),
          },
        },
      },
      ...each('up import plugin autoclean unplug patch set policies constraints stage', yarnInstall),
      ...each('info npm-info', LOOKS_UP),
      ...each('check versions node', LISTS),
    },
    aliases: { ...NPM_ALIASES, rm: 'remove' },
  },
  { name: 'yarn', fallback: packageScript },
)

function foreach(parsed: ParsedCommand, context: CommandContext): void {
  context.command([parsed.invocation.program, ...parsed.operands], 'yarn')
}

/** `bun file.ts` and `deno file.ts` run a file. */
function fileOrScript(parsed: ParsedCommand, context: CommandContext): boolean {
  const first = parsed.operands[0]
  if (first !== undefined && /\.[cm]?[jt]sx?$/.test(first.text ?? '')) {
    context.script('node', first, parsed.operands.slice(1))
    return true
  }
  return packageScript(parsed, context)
}

const RUN_FILE: CommandSpec = {
  stopAtOperand: true,
  refine: (parsed, context) => {
    const remote = parsed.operands[0]?.prefix.includes('://') === true ? parsed.operands[0] : undefined
    if (remote !== undefined) context.emit('execute', context.url(remote), { action: 'code:remote', reversible: false })
    else fileOrScript(parsed, context)
  },
}

const bun = tool(
  {
    ...JS_GRAMMAR,
    options: { ...SHARED_OPTIONS, ...takes('-c --config -r --preload') },
    subcommands: {
      ...family('bun', ['-g', '--global']),
      run: { ...RUN_FILE, flags: list('--watch --hot --bun -b --silent') },
      x: does({ verb: 'execute', action: 'pkg:run', kind: 'package', at: 0 }, { stopAtOperand: true }),
      test: does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'bun test' }),
      build: BUILDS,
      upgrade: does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'bun', attributes: { global: true } }),
      pm: { subcommands: { ...each('ls bin hash cache whoami view', LISTS), ...each('pack trust untrusted migrate version', BUILDS) } },
    },
    aliases: { ...NPM_ALIASES, a: 'add', c: 'create' },
  },
  { name: 'bun', fallback: fileOrScript },
)

const deno = tool(
  {
    flags: list('-A --allow-all -q --quiet --no-check --watch --unstable --no-lock --reload -r'),
    options: takes('-c --config --import-map --lock --location --seed'),
    optionalValues: list('--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys'),
    subcommands: {
      ...each('run serve', RUN_FILE),
      eval: {
        refine: (parsed, context) =>
          context.code('node', parsed.operands[0]?.text ?? null, parsed.operands[0]?.span ?? parsed.invocation.span),
      },
      publish: publishes({ action: 'jsr:publish' }),
      deploy: does({ verb: 'publish', action: 'pages:deploy', kind: 'service', value: 'deno' }),
      ...each('install add cache', installs({ ...JS, manager: 'deno', manifest: 'deno.json', global: ['-g', '--global'] })),
      ...each('remove uninstall', removes('deno', {}, ['-g', '--global'])),
      ...each('task', SCRIPT),
      ...each('test bench', does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'deno test' })),
      ...each('check lint info doc types outdated coverage', LISTS),
      ...each('fmt compile bundle init', BUILDS),
      ...each('upgrade', does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'deno', attributes: { global: true } })),
    },
  },
  { name: 'deno', fallback: fileOrScript },
)

const NODE_VERSIONS: CommandSpec = tool(
  {
    subcommands: {
      ...each(
        'install i use default pin exec run',
        does({
          verb: 'execute',
          action: 'pkg:install',
          kind: 'package',
          at: 0,
          value: 'node',
          attributes: { source: 'registry', manager: 'node-versions' },
        }),
      ),
      ...each('uninstall rm', removes('node-versions')),
      ...each('ls list current which ls-remote list-remote env', LISTS),
      ...each('alias unalias', CONFIGURES),
    },
  },
  { name: 'pkg' },
)

const corepack: CommandSpec = tool(
  {
    subcommands: {
      ...each(
        'enable disable prepare use up install hydrate pack',
        does({
          verb: 'change',
          action: 'pkg:install',
          kind: 'package',
          at: 0,
          value: 'corepack',
          attributes: { source: 'registry', manager: 'corepack' },
        }),
      ),
      cache: CONFIGURES,
    },
  },
  { name: 'pkg' },
)

export const javascript: CommandTable = {
  npm,
  pnpm,
  yarn,
  yarnpkg: yarn,
  bun,
  deno,
  corepack,
  ...each('nvm fnm volta n nodenv', NODE_VERSIONS),
}
