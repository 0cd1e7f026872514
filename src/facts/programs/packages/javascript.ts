import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { byName, does, list, nameOf, takes, tool } from '../tool.ts'
import { ACCOUNT, DIST_TAG, family, JS, JS_GRAMMAR, NPM_ALIASES, NPM_PUBLISH, npm, SHARED_OPTIONS } from './npm.ts'
import {
  BUILDS,
  CONFIGURES,
  install,
  installs,
  installsNamed,
  LISTS,
  LOOKS_UP,
  publishes,
  removes,
  SCRIPT,
  SELECTS,
  sameAs,
} from './packages.ts'

/** JavaScript package managers: npm, pnpm, yarn, bun, deno and the tools that install node itself. */

/** A word that is no subcommand names a script of the package: `yarn build`. */
function packageScript(parsed: ParsedCommand, context: CommandContext): boolean {
  const first = parsed.operands[0]
  if (first === undefined || parsed.path.length > 0) return false
  context.emit('execute', context.thing('script', nameOf(first)), { action: 'pkg:script', span: first.span })
  return true
}

const pnpm = tool('pnpm', {
  fallback: packageScript,
  ...JS_GRAMMAR,
  subcommands: byName({
    ...family('pnpm', ['-g', '--global']),
    dlx: sameAs('npx'),
    'import fetch patch patch-commit deploy approve-builds': BUILDS,
    store: {
      subcommands: byName({
        'status path': LISTS,
        'prune add': does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'store' }),
      }),
    },
    env: {
      subcommands: byName({
        'use add': installs({ ...JS, manager: 'pnpm', manifest: 'node', global: ['-g', '--global'] }),
        'remove rm': removes('pnpm'),
        'list ls': LISTS,
      }),
    },
    'setup self-update': does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'pnpm', attributes: { global: true } }),
  }),
  aliases: NPM_ALIASES,
})

/** `yarn workspace NAME …`: the rest is a yarn command of its own. */
const WORKSPACE: CommandSpec = {
  stopAtOperand: true,
  refine: (parsed, context) => context.command([parsed.invocation.program, ...parsed.operands.slice(1)], 'yarn'),
}

const yarnInstall = installs({ ...JS, manager: 'yarn' })
const yarn = tool('yarn', {
  fallback: packageScript,
  ...JS_GRAMMAR,
  refine: (parsed, context) => install(parsed, context, { ...JS, manager: 'yarn' }),
  subcommands: byName({
    ...family('yarn', []),
    global: {
      subcommands: byName({
        'add upgrade': does({
          verb: 'execute',
          action: 'pkg:install',
          kind: 'package',
          from: 0,
          attributes: { manager: 'yarn', global: true, source: 'registry' },
        }),
        remove: does({ verb: 'change', action: 'pkg:remove', kind: 'package', from: 0, attributes: { manager: 'yarn', global: true } }),
        'list bin dir': LISTS,
      }),
    },
    npm: {
      subcommands: byName({
        publish: NPM_PUBLISH,
        tag: DIST_TAG,
        'login logout': ACCOUNT,
        'info audit whoami': LOOKS_UP,
      }),
    },
    tag: DIST_TAG,
    dlx: sameAs('npx'),
    workspace: WORKSPACE,
    workspaces: {
      subcommands: byName({
        'info list': LISTS,
        'run focus': SCRIPT,
        foreach: {
          ...WORKSPACE,
          refine: foreach,
          flags: list('-A --all -p -v -i -t -R -W --since -j'),
          options: takes('--include --exclude --from'),
        },
      }),
    },
    'up import plugin autoclean unplug patch set policies constraints stage': yarnInstall,
    'info npm-info': LOOKS_UP,
    'check versions node': LISTS,
  }),
  aliases: { ...NPM_ALIASES, rm: 'remove' },
})

function foreach(parsed: ParsedCommand, context: CommandContext): void {
  context.command([parsed.invocation.program, ...parsed.operands], 'yarn')
}

/** `bun file.ts` and `deno file.ts` run a file. */
function fileOrScript(parsed: ParsedCommand, context: CommandContext): boolean {
  const first = parsed.operands[0]
  if (first?.text === '-') {
    context.stdin('node')
    return true
  }
  // What is not known may be a file or an address as well as a script of the project.
  if (first !== undefined && (first.text === null || /\.[cm]?[jt]sx?$/.test(first.text))) {
    context.script('node', first, parsed.operands.slice(1))
    return true
  }
  return packageScript(parsed, context)
}

const RUN_FILE: CommandSpec = {
  stopAtOperand: true,
  refine: (parsed, context) => {
    const remote = parsed.operands[0]?.prefix.includes('://') === true ? parsed.operands[0] : undefined
    const [first] = parsed.operands
    if (remote !== undefined) context.emit('execute', context.url(remote), { action: 'code:remote', reversible: false })
    else if (!fileOrScript(parsed, context) && first !== undefined)
      context.emit('execute', context.thing('script', nameOf(first)), { action: 'pkg:script', span: first.span })
  },
}

const bun = tool('bun', {
  fallback: fileOrScript,
  everywhere: (parsed, context) => {
    for (const word of parsed.values('-e', '--eval', '-p', '--print')) context.code('node', word.text, word.span)
    if (parsed.invocation.args.length === 0) context.stdin('node')
  },
  ...JS_GRAMMAR,
  options: { ...SHARED_OPTIONS, ...takes('-c --config -e --eval -p --print'), ...takes('-r --preload', 'load') },
  subcommands: {
    ...family('bun', ['-g', '--global']),
    run: { ...RUN_FILE, flags: list('--watch --hot --bun -b --silent') },
    x: sameAs('npx'),
    test: does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'bun test' }),
    build: BUILDS,
    upgrade: does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'bun', attributes: { global: true } }),
    pm: { subcommands: byName({ 'ls bin hash cache whoami view': LISTS, 'pack trust untrusted migrate version': BUILDS }) },
  },
  aliases: { ...NPM_ALIASES, a: 'add', c: 'create' },
})

const deno = tool('deno', {
  fallback: fileOrScript,
  flags: list('-A --allow-all -q --quiet --no-check --watch --unstable --no-lock --reload -r'),
  options: { ...takes('-c --config --import-map --lock --location --seed'), ...takes('--preload', 'load') },
  optionalValues: list('--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys'),
  subcommands: byName({
    'run serve': RUN_FILE,
    eval: {
      refine: (parsed, context) =>
        context.code('node', parsed.operands[0]?.text ?? null, parsed.operands[0]?.span ?? parsed.invocation.span),
    },
    publish: publishes({ action: 'jsr:publish' }),
    deploy: does({ verb: 'publish', action: 'pages:deploy', kind: 'service', value: 'deno' }),
    'install add cache': installs({ ...JS, manager: 'deno', manifest: 'deno.json', global: ['-g', '--global'] }),
    'remove uninstall': removes('deno', {}, ['-g', '--global']),
    task: SCRIPT,
    'test bench': does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'deno test' }),
    'check lint info doc types outdated coverage': LISTS,
    'fmt compile bundle init': BUILDS,
    upgrade: does({ verb: 'change', action: 'pkg:upgrade', kind: 'package', value: 'deno', attributes: { global: true } }),
  }),
})

/** `volta run --node 20 command`, `fnm exec --using=20 command`, `nvm exec 20 command`: the version may stand before the command. */
const WITH_VERSION: CommandSpec = {
  flags: list('--silent -s --no-npm --no-yarn --no-pnpm --bundled-npm --install --lts --verbose --quiet'),
  options: takes('--node --npm --yarn --pnpm --env --using --using-file --node-dist-mirror --fnm-dir --log-level --arch'),
  stopAtOperand: true,
  operands: [],
  refine: ({ operands, invocation }, context) => {
    const [first, ...rest] = operands
    const version = /^v?\d|^(?:node|stable|default|system|latest|lts)\b/.test(first?.text ?? '') && rest.length > 0
    context.command(version ? rest : operands, invocation.name)
  },
}

const NODE_VERSIONS: CommandSpec = tool('pkg', {
  subcommands: byName({
    'install i use default pin': installsNamed('node-versions', 'node'),
    'uninstall rm': removes('node-versions'),
    'ls list current which ls-remote list-remote env': LISTS,
    'alias unalias': SELECTS,
    'exec run': WITH_VERSION,
  }),
})

/** Managers of many languages' versions: the project says which, their plugins say from where. */
const VERSIONS: CommandSpec = tool('versions', {
  subcommands: byName({
    install: installsNamed('versions', '.tool-versions'),
    'uninstall prune': removes('versions'),
    'ls list current where which latest list-all ls-remote plugins info outdated env activate doctor version': LISTS,
    'use local global shell set pin unuse reshim trust link alias': SELECTS,
    plugin: { subcommands: byName({ 'list ls list-all': LISTS, 'add update remove install uninstall': CONFIGURES }) },
    'plugin-add plugin-update plugin-remove settings': CONFIGURES,
    'exec x': {
      stopAtOperand: true,
      operands: [],
      options: takes('-c --command', 'program'),
      // `mise exec node@20 -- node x.js`, `asdf exec ruby x.rb`
      refine: ({ operands }, context) => context.command(operands.slice(operands.findIndex((word) => word.text === '--') + 1), 'mise'),
    },
    'run tasks watch': SCRIPT,
  }),
})

const corepack: CommandSpec = tool('pkg', {
  subcommands: byName({
    'enable disable prepare use up install hydrate pack': does({
      verb: 'change',
      action: 'pkg:install',
      kind: 'package',
      at: 0,
      value: 'corepack',
      attributes: { source: 'registry', manager: 'corepack' },
    }),
    cache: CONFIGURES,
  }),
})

export const javascript: CommandTable = byName({
  npm,
  pnpm,
  yarn,
  yarnpkg: yarn,
  bun,
  deno,
  corepack,
  'nvm fnm volta n nodenv': NODE_VERSIONS,
  'asdf mise rtx proto': VERSIONS,
})
