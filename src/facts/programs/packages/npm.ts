import type { Json } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, type Doing, does, doing, list, runsLine, takes, tool } from '../tool.ts'
import { BUILDS, CONFIGURES, installs, LISTS, LOOKS_UP, publishes, removes, SCRIPT, sameAs } from './packages.ts'

/** npm, and the subcommands that pnpm, yarn and bun share with it. */

/** Edits the manifest or the lock of the package itself. */
const MANIFEST_ACT = { verb: 'write', action: 'pkg:manifest', kind: 'package', value: 'package.json' } as const
const MANIFEST = does(MANIFEST_ACT)

/** Scripts that npm runs by itself, of whoever installs or packs. */
const LIFECYCLE = /^scripts\.(?:(?:pre|post)?(?:install|prepare|pack|publish|version|uninstall)|prepublishOnly|dependencies)=(\S[\s\S]*)$/

/** `npm pkg set`: what is in the file from then on is not followed, but what runs unasked is looked at. */
function rewritten({ invocation, operands }: ParsedCommand, context: CommandContext): void {
  context.emit('write', context.path(knownWord('package.json', invocation.span)), { action: 'text:edit' })
  for (const { text, span } of operands) {
    const script = LIFECYCLE.exec(text ?? '')?.[1]
    if (script !== undefined)
      context.within({ attributes: { lifecycle: true }, remote: false, certainty: 'likely' }, (inner) => inner.shell(script, span, 'npm'))
  }
}

export const JS = {
  manifest: 'package.json',
  slashIsGit: true,
  index: ['--registry'],
  indexVariables: list('NPM_CONFIG_REGISTRY npm_config_registry'),
  attributes: (parsed: ParsedCommand): Readonly<Record<string, Json>> =>
    parsed.value('--location')?.text === 'global' ? { global: true } : {},
}

const SHARED_FLAGS = list(
  '-g --global --silent -s --quiet -q --verbose -d --json --yes -y --no-audit --no-fund --no-progress --offline ' +
    '--prefer-offline --ignore-scripts --legacy-peer-deps --workspaces -ws --include-workspace-root --parseable --long -l ' +
    '--all -a -p --production -D -P -O -E -B --save --save-dev --save-prod --save-optional --save-exact --save-peer ' +
    '--save-bundle --no-save --no-optional --foreground-scripts --no-package-lock --package-lock-only --strict-peer-deps ' +
    '--no-bin-links --if-present --expect-results --force -f -r --recursive --stream --parallel --dev --peer --optional ' +
    '--exact --frozen-lockfile --no-frozen-lockfile --immutable --non-interactive --ignore-engines --ignore-optional ' +
    '--check-files --flat --pure-lockfile -W --ignore-workspace-root-check --latest -L -i --interactive --workspace-root -w',
)
export const SHARED_OPTIONS = takes(
  '--prefix -C --cwd --userconfig --globalconfig --cache --loglevel --tag --access --otp --omit --include --workspace ' +
    '--filter -F --scope --install-strategy --before --script-shell --node-options --network-concurrency --dir --reporter ' +
    '--audit-level --depth --location --auth-type --modules-folder --cache-folder --registry',
)
export const JS_GRAMMAR: CommandSpec = { flags: SHARED_FLAGS, options: SHARED_OPTIONS, optionalValues: ['--color', '--provenance'] }

export const NPM_PUBLISH = publishes({
  action: 'npm:publish',
  manifest: 'package.json',
  flags: { force: ['--force', '-f'] },
  values: { tag: ['--tag'], access: ['--access'], registry: ['--registry'] },
})

function npmAct(what: Doing, reversible: boolean, at = 0): CommandSpec {
  return does({ ...doing(what), kind: 'package', at, value: '.', reversible })
}

export const DIST_TAG: CommandSpec = {
  subcommands: byName({
    'add set': npmAct('publish npm:dist-tag', true),
    'rm remove': npmAct('publish npm:dist-tag', true),
    'ls list': LOOKS_UP,
  }),
}
const OWNER: CommandSpec = {
  subcommands: byName({ 'add rm remove': npmAct('change npm:owner', false, 1), 'ls list': LOOKS_UP }),
}
export const ACCOUNT = does({ verb: 'change', action: 'npm:token', kind: 'account', value: 'npm' })
const TOKEN: CommandSpec = {
  subcommands: byName({
    'list ls': does({ verb: 'read', action: 'npm:token', kind: 'account', value: 'npm' }),
    create: does({ verb: 'change', action: 'npm:token', kind: 'account', value: 'npm', reversible: false }),
    'revoke delete rm remove': ACCOUNT,
  }),
}
/** Settings that hold a login to a registry: `//registry.example/:_authToken`. */
const asksForSecret = ({ operands }: ParsedCommand) =>
  operands.some(({ text }) => text === null || /(?:^|:)_(?:auth|authToken|password)$/.test(text))

const CONFIG: CommandSpec = {
  flags: list('-g --global -l --long --json -L'),
  options: takes('--location'),
  subcommands: byName({
    set: CONFIGURES,
    'delete rm edit fix': CONFIGURES,
    'list ls': LISTS,
    get: does([
      { verb: 'read', action: 'pkg:read', kind: 'package', value: 'installed', when: (parsed) => !asksForSecret(parsed) },
      { verb: 'read', action: 'secret:read', kind: 'variable', at: 0, value: 'npm', when: asksForSecret },
    ]),
  }),
}
const AUDIT: CommandSpec = {
  ...LOOKS_UP,
  operands: ['data'],
  subcommands: {
    fix: does({ verb: 'execute', action: 'pkg:install', kind: 'package', value: 'package.json', attributes: { source: 'manifest' } }),
    signatures: LOOKS_UP,
  },
}

/** `npm explore package -- command`: in the directory of the package. */
const RUNS_IN: CommandSpec = runsLine({ skip: 1 })

/** The act where `--prefix DIR` and its like say that it is done. */
function inDirectory(spec: CommandSpec): CommandSpec {
  const { refine } = spec
  if (refine === undefined) return spec
  return {
    ...spec,
    refine: (parsed, context) => {
      const directory = parsed.value('--prefix', '-C', '--cwd', '--dir')
      if (directory === null) refine(parsed, context)
      else context.within({ attributes: {}, remote: false, directory }, (inner) => refine(parsed, inner))
    },
  }
}

/** What npm, pnpm and yarn have in common. */
export function family(manager: string, global: readonly string[]): Readonly<Record<string, CommandSpec>> {
  const options = { ...JS, manager, global }
  return byName({
    'install add ci install-test install-ci-test link': inDirectory(installs(options)),
    'update upgrade dedupe': inDirectory(installs({ ...options, verb: 'upgrade' })),
    'remove uninstall prune': inDirectory(removes(manager, {}, global)),
    publish: NPM_PUBLISH,
    unpublish: npmAct('delete npm:unpublish', false),
    'deprecate undeprecate': npmAct('publish npm:deprecate', true),
    'dist-tag': DIST_TAG,
    owner: OWNER,
    token: TOKEN,
    'access team org profile hook trust': {
      subcommands: byName({
        'list ls get status': LOOKS_UP,
        'set add rm remove create destroy delete grant revoke public restricted edit update enable-2fa disable-2fa github gitlab': npmAct(
          'change npm:owner',
          false,
        ),
      }),
    },
    'login adduser logout': ACCOUNT,
    'view search outdated fund whoami ping docs repo bugs home diff stars': LOOKS_UP,
    'list ls ll la why explain query sbom root bin prefix doctor licenses get': LISTS,
    explore: RUNS_IN,
    'star unstar': npmAct('change npm:star', true),
    'pack rebuild': inDirectory(BUILDS),
    version: does({ verb: 'change', action: 'pkg:version', kind: 'package', value: '.' }),
    audit: AUDIT,
    config: CONFIG,
    set: CONFIGURES,
    pkg: {
      subcommands: byName({
        get: LISTS,
        'set delete fix': does(MANIFEST_ACT, { refine: rewritten }),
      }),
    },
    shrinkwrap: MANIFEST,
    cache: {
      subcommands: byName({
        'clean clear rm add dir': does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }),
        'ls verify list path': LISTS,
      }),
    },
    'run test start stop restart': SCRIPT,
    exec: sameAs('npx'),
    'init create': does({ verb: 'execute', action: 'pkg:run', kind: 'package', at: 0, value: 'package.json' }, { stopAtOperand: true }),
  })
}

export const NPM_ALIASES: Readonly<Record<string, string>> = {
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
    const args = parsed.invocation.args.map((word, index) => (index === at ? knownWord(only, word.span) : word))
    context.command([parsed.invocation.program, ...args], parsed.invocation.name)
    return true
  }
}

const npmCommands = family('npm', ['-g', '--global'])
export const npm = tool('npm', {
  fallback: abbreviation(Object.keys(npmCommands)),
  ...JS_GRAMMAR,
  subcommands: npmCommands,
  aliases: NPM_ALIASES,
})
