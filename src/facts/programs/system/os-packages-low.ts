import type { CommandSpec, CommandTable } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { runCalls } from '../unknown/code.ts'
import { INSECURE, onPackage } from './os-packages.ts'

/** Package tools whose options, not words, say what happens: pacman, dpkg, rpm; and Nix. Actions: see os-packages.ts. */

const HELP = ['--help', '--version', '-h']

/** `pacman -Syu x`: an operation letter, then modifiers. */
const pacman: CommandSpec = {
  flags: list(
    '-S -R -U -Q -F -D -T -V -y -u -s -n -c -d -q -k -o -l -i -e -m -t -g -w -p -f -a --sync --remove --upgrade --query ' +
      '--files --noconfirm --needed --search --refresh --sysupgrade --recursive --nosave --cascade --info --list --owns ' +
      '--clean --print --asdeps',
  ),
  options: takes(
    '-b -r --dbpath --root --arch --cachedir --color --config --gpgdir --hookdir --logfile --ignore --overwrite --print-format',
  ),
  inert: ['--help', '-h', '--version', '-V', '-p', '--print'],
  refine: (parsed, context) => {
    const operation = (kind: string) => {
      for (const word of parsed.operands) onPackage(context, word, { manager: 'pacman', kind, insecure: false })
      if (parsed.operands.length === 0) onPackage(context, null, { manager: 'pacman', kind, insecure: false })
    }
    const asks = parsed.flag('-s', '--search', '-i', '--info', '-l', '--list', '-g')
    if (parsed.flag('-R', '--remove')) operation('remove')
    else if (parsed.flag('-U', '--upgrade')) operation('install')
    else if (parsed.flag('-S', '--sync') && !asks) {
      if (parsed.operands.length > 0) operation('install')
      else if (parsed.flag('-u', '--sysupgrade')) operation('upgrade')
      else if (parsed.flag('-c', '--clean'))
        context.emit('delete', context.thing('program', 'pacman'), { action: 'pkg:cache', reversible: true })
      else context.emit('fetch', context.thing('program', 'pacman'), { action: 'pkg:refresh' })
    } else if (parsed.operands.length === 0 && parsed.invocation.args.length === 0 && parsed.invocation.name !== 'pacman')
      operation('upgrade')
  },
}

/** Low-level tools: an option says what happens to the files or packages named. */
function lowLevel(
  name: string,
  options: { readonly install: string; readonly remove: string; readonly valued?: string; readonly inert?: string },
): CommandSpec {
  return {
    flags: list(
      `${options.install} ${options.remove} -l -L -s -S -p -c -C -I -q -a -f -v -h -R --list --listfiles --status --search ` +
        '--force-all --nodeps --force --test -x -X --extract --vextract -y --print-architecture --configure --audit --contents ' +
        '--info --verify --import',
    ),
    options: takes(`--root --admindir --instdir --prefix ${options.valued ?? ''}`),
    inert: ['--help', '--version', ...list(options.inert ?? '')],
    refine: (parsed, context) => {
      const kind = parsed.flag(...list(options.remove)) ? 'remove' : parsed.flag(...list(options.install)) ? 'install' : null
      const insecure = parsed.flag(...INSECURE)
      const into = parsed.flag('-x', '-X', '--extract', '--vextract') ? parsed.operands[1] : undefined
      if (into !== undefined) writePath(context, into, { action: 'archive:extract', attributes: { recursive: true } })
      for (const word of parsed.values('--file', ...(name === 'nix-env' ? ['-f'] : []))) context.fetched(word)
      for (const word of parsed.values('-A', '--attr')) onPackage(context, word, { manager: name, kind: kind ?? 'install', insecure })
      for (const word of kind === null ? [] : parsed.operands)
        onPackage(context, word, { manager: name, kind: kind ?? 'install', insecure })
      if (parsed.flag('--import')) onPackage(context, null, { manager: name, kind: 'source', insecure })
    },
  }
}

const nixEnv = lowLevel('nix-env', {
  install: '-i --install -u --upgrade',
  remove: '-e --uninstall',
  valued: '-f -A -p -I --file --attr --profile',
  inert: '--dry-run -q --query',
})

const nixEffect = (kind: string): CommandSpec => ({
  refine: ({ operands }, context) => {
    for (const word of operands) {
      if (kind !== 'build' || word.text === null || !OWN_FLAKE.test(word.text))
        onPackage(context, word, { manager: 'nix', kind, insecure: false })
    }
  },
})

/** A flake of the directory itself, and what it has: code of the project, as a makefile is. */
const OWN_FLAKE = /^(?:path:)?\.(?:\/(?!.{0,200}\.\.)[\w./-]*)?(?:#.*)?$/

const nix: CommandSpec = {
  flags: list('-L -v --impure --refresh --offline --no-link --json'),
  options: takes('-f -I --file --expr --option --extra-experimental-features --experimental-features --arg --argstr --out-link -o'),
  inert: [...HELP, '--dry-run'],
  subcommands: byName({
    'search show-config eval path-info why-depends derivation log hash nar doctor help store config': { operands: ['data'] },
    flake: {
      operands: ['data'],
      subcommands: byName({
        'update lock init new clone': {
          operands: ['data'],
          effects: [{ verb: 'write', action: 'dev:generate', target: { kind: 'path', value: 'flake.lock' } }],
        },
      }),
    },
    registry: { operands: ['data'] },
    profile: {
      subcommands: byName({
        'install add': nixEffect('install'),
        remove: nixEffect('remove'),
        upgrade: nixEffect('upgrade'),
        'list history diff-closures': { operands: ['data'] },
        'rollback wipe-history': nixEffect('remove'),
      }),
    },
    build: { ...nixEffect('build'), effects: [{ verb: 'execute', action: 'dev:build' }] },
    fmt: { effects: [{ verb: 'execute', action: 'dev:format' }] },
    'run shell develop': {
      options: takes('-c --command'),
      refine: (parsed, context) => {
        const { args } = parsed.invocation
        const at = args.findIndex((word) => word.text === '-c' || word.text === '--command')
        const before = at < 0 ? parsed.operands : parsed.operands.filter((word) => args.indexOf(word) < at)
        for (const word of before.slice(0, 1)) {
          if (word.text !== null && OWN_FLAKE.test(word.text))
            context.emit('execute', context.thing('program', word.text), { action: 'dev:build' })
          else onPackage(context, word, { manager: 'nix', kind: 'build', insecure: false })
        }
        if (at >= 0) context.command(parsed.invocation.args.slice(at + 1), 'nix')
      },
    },
    upgrade: nixEffect('upgrade'),
  }),
}

/** `rpm --eval '%(command)'`: macros of rpm run commands, and Lua that does. */
function macros(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    options: { ...spec.options, ...takes('--eval -E --define -D --pipe') },
    refine: (parsed, context) => {
      spec.refine?.(parsed, context)
      for (const word of parsed.values('--pipe')) context.shell(word.text, word.span, 'rpm')
      for (const word of parsed.values('--eval', '-E', '--define', '-D')) {
        const text = word.text ?? ''
        const start = text.indexOf('%(')
        if (word.text === null) context.opaque('a macro is not known before it runs', word.span)
        else if (start >= 0) context.shell(text.slice(start + 2, Math.max(start + 2, text.lastIndexOf(')'))), word.span, 'rpm')
        else runCalls(text, word, context)
      }
    },
  }
}

export const lowLevelPackages: CommandTable = byName({
  'pacman yay paru pamac': pacman,
  dpkg: lowLevel('dpkg', { install: '-i --install --unpack', remove: '-r -P --remove --purge', inert: '--dry-run --no-act --simulate' }),
  rpm: macros(
    lowLevel('rpm', {
      install: '-i -U -F --install --upgrade --freshen --reinstall',
      remove: '-e --erase',
      valued: '--dbpath --queryformat --qf',
      inert: '--test -q --query -qa -qi -ql -qf -qp -qR -V --verify -K',
    }),
  ),
  'rpmdb rpmverify rpmspec rpmquery': macros({ inert: HELP }),
  gdebi: { operands: ['read'], effects: [{ verb: 'change', action: 'os-package:install' }] },
  'nix-env': nixEnv,
  nix,
  'nix-build nix-channel nixos-rebuild home-manager darwin-rebuild guix': {
    operands: ['data'],
    inert: [...HELP, '--list'],
    effects: [{ verb: 'change', action: 'os-package:build' }],
  },
  'nix-collect-garbage': {
    inert: [...HELP, '--dry-run'],
    effects: [{ verb: 'delete', action: 'os-package:remove', reversible: false }],
  },
  'nix-store': {
    flags: list('--gc --delete -q -r --query --realise --optimise --verify'),
    operands: ['data'],
    inert: [...HELP, '--dry-run', '--print-dead', '--print-live'],
    refine: (parsed, context) => {
      if (parsed.flag('--gc', '--delete'))
        context.emit('delete', context.thing('package', 'unused packages'), { action: 'os-package:remove' })
    },
  },
  'nix-instantiate nix-hash nix-prefetch-url': { operands: ['data'], inert: HELP },
  'nix-shell': {
    flags: list('--pure'),
    options: takes('-p -A -I -E --run --command --packages --attr'),
    inert: HELP,
    refine: (parsed, context) => {
      for (const word of parsed.values('--run', '--command')) context.shell(word.text, word.span, 'nix-shell')
      for (const word of [...parsed.values('-p', '--packages'), ...parsed.operands])
        onPackage(context, word, { manager: 'nix', kind: 'build', insecure: false })
    },
  },
})
