import type { JsonObject } from '../../../core/json.ts'
import type { Verb } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Package tools of operating systems. Queries and refreshing the lists emit no change.
 * Actions: os-package:install, os-package:remove, os-package:upgrade, os-package:build, os-package:source (where packages come
 * from) · pkg:refresh · service:enable, service:stop … (`brew services`).
 */

const HELP = ['--help', '--version', '-h']

const VERBS: Readonly<Record<string, Verb>> = { install: 'change', upgrade: 'change', remove: 'delete', build: 'execute', source: 'change' }

/** Where a package argument comes from by its spelling. */
function sourceOf(word: Word): string {
  if (/^(?:https?|ftp):\/\//i.test(word.prefix)) return 'url'
  return /^[./~]/.test(word.prefix) || /\.(?:deb|rpm|apk|pkg\.tar\.\w+|snap|flatpak|rb|dmg|pkg)$/.test(word.prefix) ? 'path' : 'registry'
}

interface Operation {
  readonly manager: string
  readonly kind: string
  readonly insecure: boolean
}

export function onPackage(context: CommandContext, word: Word | null, { manager, kind, insecure }: Operation): void {
  const source = word === null ? 'registry' : sourceOf(word)
  const attributes: JsonObject = { manager, source, system: true, ...(insecure ? { insecure } : {}) }
  if (word !== null && source === 'url') reachUrl(context, word, { verb: 'fetch', attributes })
  if (word !== null && source === 'path') readPath(context, word)
  const unknown = word !== null && word.text === null ? { reason: 'the package is not known before it runs' } : {}
  context.emit(VERBS[kind] ?? 'change', context.thing('package', word?.text ?? word?.prefix ?? 'all packages'), {
    action: `os-package:${kind}`,
    reversible: kind !== 'source',
    attributes,
    ...(word === null ? {} : { span: word.span }),
    ...unknown,
  })
}

export const INSECURE = list(
  '--allow-unauthenticated --force-yes --nogpgcheck --no-gpg-checks --no-gpg-check --allow-insecure-repositories ' +
    '--no-verify --allow-untrusted --nosignature --nodigest --no-signature',
)

interface Manager {
  readonly name: string
  readonly install: string
  readonly remove: string
  readonly upgrade: string
  readonly quiet: string
  readonly source?: string
  readonly build?: string
  /** Works on all packages where none is named. */
  readonly valued?: string
  readonly inert?: string
  readonly extra?: (parsed: ParsedCommand, context: CommandContext) => void
  readonly more?: Readonly<Record<string, CommandSpec>>
}

/** A manager with subcommands by what they do. */
function manager(spec: Manager): CommandSpec {
  const subcommands: Record<string, CommandSpec> = {}
  const put = (names: string, kind: string, everything: boolean) => {
    for (const name of list(names)) {
      subcommands[name] = {
        refine: (parsed, context) => {
          spec.extra?.(parsed, context)
          const operation = { manager: spec.name, kind, insecure: parsed.flag(...INSECURE) }
          for (const word of parsed.operands) onPackage(context, word, operation)
          if (parsed.operands.length === 0 && everything) onPackage(context, null, operation)
        },
      }
    }
  }
  put(spec.install, 'install', false)
  put(spec.remove, 'remove', true)
  put(spec.upgrade, 'upgrade', true)
  put(spec.source ?? '', 'source', true)
  put(spec.build ?? '', 'build', true)
  for (const name of list(spec.quiet)) subcommands[name] = { operands: ['data'] }
  return {
    flags: [...list('-y -q -qq -v -d -f -m --yes --assume-yes --quiet --force --no-install-recommends --reinstall --purge'), ...INSECURE],
    options: takes(`${spec.valued ?? ''}`),
    inert: [...HELP, ...list(spec.inert ?? '')],
    subcommands: { ...subcommands, ...spec.more },
    // No subcommand but an operand nobody knows is opaque; hooks given by option run in any case.
    ...(spec.extra === undefined ? {} : { refine: (parsed, context) => unknownWord(spec, parsed, context) }),
  }
}

function unknownWord(spec: Manager, parsed: ParsedCommand, context: CommandContext): void {
  spec.extra?.(parsed, context)
  const [word] = parsed.operands
  if (word?.text !== undefined && word.text !== null) context.opaque(`unknown subcommand \`${word.text}\` of \`${spec.name}\``, word.span)
}

/** `-o APT::Update::Pre-Invoke::=command` runs a command. */
function aptHooks(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-o', '--option')) {
    const match = /^(?:APT|DPkg)::[\w:-]+=/i.exec(word.prefix)
    if (match !== null && /Invoke|Install-Pkgs|Pager|Options/i.test(match[0]))
      context.shell(word.text === null ? null : word.text.slice(match[0].length), word.span, 'apt')
    else if (word.text === null) context.opaque('an option of `apt` is not known before it runs', word.span)
  }
}

const apt = manager({
  name: 'apt',
  install: 'install reinstall build-dep',
  remove: 'remove purge autoremove autopurge',
  upgrade: 'upgrade full-upgrade dist-upgrade dselect-upgrade safe-upgrade',
  quiet:
    'list search show showsrc policy depends rdepends madison pkgnames dump stats unmet showpkg changelog check moo ' +
    'versions why why-not indextargets help version',
  source: 'edit-sources',
  valued: '-o -c -t -a --option --config-file --target-release --default-release --host-architecture',
  inert: '-s --simulate --just-print --dry-run --recon --no-act --print-uris',
  extra: aptHooks,
  more: byName({
    update: { effects: [{ verb: 'fetch', action: 'pkg:refresh' }], refine: aptHooks },
    'download source': { effects: [{ verb: 'fetch', action: 'pkg:download' }] },
    'clean autoclean distclean': { effects: [{ verb: 'delete', action: 'pkg:cache', reversible: true }] },
    'mark hold unhold auto manual showhold showmanual showauto': { operands: ['data'] },
  }),
})

const dnf = manager({
  name: 'dnf',
  install: 'install reinstall localinstall groupinstall builddep module debuginfo-install downgrade swap',
  remove: 'remove erase autoremove groupremove',
  upgrade: 'upgrade update upgrade-minimal update-minimal distro-sync system-upgrade offline-upgrade groupupdate',
  quiet:
    'list search info provides whatprovides repolist repoquery deplist check check-update history grouplist groups group ' +
    'updateinfo repoinfo resolvedep version help',
  source: 'config-manager copr',
  valued:
    '-c -x -e -R --enablerepo --disablerepo --repo --repoid --exclude --installroot --releasever --setopt --comment --advisory --forcearch',
  inert: '--assumeno',
  more: {
    makecache: { effects: [{ verb: 'fetch', action: 'pkg:refresh' }] },
    download: { effects: [{ verb: 'fetch', action: 'pkg:download' }] },
    clean: { effects: [{ verb: 'delete', action: 'pkg:cache', reversible: true }] },
    mark: { operands: ['data'] },
  },
})

const zypper = manager({
  name: 'zypper',
  install: 'install in si install-new-recommends inr verify ve source-install',
  remove: 'remove rm',
  upgrade: 'update up patch dist-upgrade dup',
  quiet:
    'search se info if list-updates lu list-patches lp packages pa patterns pt products pd what-provides wp repos lr ' +
    'services ls locks ll ps versioncmp targetos patch-check pchk help licenses',
  source: 'addrepo ar removerepo rr modifyrepo mr renamerepo nr addservice as removeservice rs addlock al removelock rl',
  valued: '-R -r -p -t -C --root --repo --reposd-dir --config',
  inert: '-D --dry-run',
  more: byName({
    'refresh ref refresh-services refs': { effects: [{ verb: 'fetch', action: 'pkg:refresh' }] },
    'clean cc': { effects: [{ verb: 'delete', action: 'pkg:cache', reversible: true }] },
  }),
})

const apk = manager({
  name: 'apk',
  install: 'add fix',
  remove: 'del',
  upgrade: 'upgrade',
  quiet: 'list info search policy stats dot version audit verify manifest',
  valued: '-p -X -t --root --repository --virtual --keys-dir --repositories-file --arch --cache-dir --wait',
  inert: '-s --simulate',
  more: {
    update: { effects: [{ verb: 'fetch', action: 'pkg:refresh' }] },
    fetch: { effects: [{ verb: 'fetch', action: 'pkg:download' }] },
    cache: { operands: ['data'] },
  },
})

const brewServices: CommandSpec = {
  refine: ({ operands: [verb, service] }, context) => {
    const word = verb?.text ?? (verb === undefined ? 'list' : 'start')
    if (/^(?:list|info|ls)$/.test(word)) return
    const persists = word === 'start' || word === 'restart'
    context.emit(persists ? 'persist' : 'change', context.thing('service', service?.text ?? 'all services'), {
      action: `service:${persists ? 'enable' : word}`,
    })
  },
}

const brew = manager({
  name: 'brew',
  install: 'install reinstall link postinstall',
  remove: 'uninstall remove rm autoremove unlink zap',
  upgrade: 'upgrade',
  quiet:
    'list ls info abv search desc deps uses leaves outdated config doctor dr home --version --prefix --cellar --cache ' +
    '--repository --repo --env --caskroom --taps commands options log missing cat formulae casks homepage help tap-info ' +
    'livecheck shellenv which-formula which-update linkage formula readall style audit typecheck docs man command ' +
    'command-not-found-init completions --config unbottled source',
  source: 'tap untap tap-new developer pin unpin migrate switch analytics update-reset',
  build:
    'test create edit extract bump bump-formula-pr bump-cask-pr pr-pull bottle irb ruby install-bundler-gems tests generate-man-completions',
  valued: '--appdir --fontdir --language --cc',
  inert: '-n --dry-run --cache --prefix --cellar --repository',
  more: {
    update: { effects: [{ verb: 'fetch', action: 'pkg:refresh' }] },
    fetch: { effects: [{ verb: 'fetch', action: 'pkg:download' }] },
    cleanup: { effects: [{ verb: 'delete', action: 'pkg:cache', reversible: true }] },
    services: brewServices,
    bundle: {
      operands: ['data'],
      subcommands: Object.fromEntries(list('check list exec').map((name) => [name, { operands: ['data' as const] }])),
      effects: [{ verb: 'change', action: 'os-package:install' }],
    },
    sh: { effects: [{ verb: 'execute', action: 'os-package:build' }] },
  },
})

const generic = (name: string, more: Partial<Manager> = {}): CommandSpec =>
  manager({
    name,
    install: 'install add localinstall',
    remove: 'remove uninstall purge delete rm autoremove deinstall',
    upgrade: 'upgrade update refresh selfupdate switch revert full-upgrade',
    quiet:
      'list ls info search show find outdated history version help query which why contents deps installed leaves status ' +
      'remote-info remotes changes known model tasks whoami documents permissions stats about provides variants location',
    source:
      'connect disconnect alias unalias set unset enable disable hold override remote-add remote-delete remote-modify tap bucket pin mask',
    ...more,
  })

const sourceTool: CommandSpec = { inert: HELP, operands: ['data'], effects: [{ verb: 'change', action: 'os-package:source' }] }

export const osPackages: CommandTable = byName({
  'apt apt-get apt-cache aptitude nala': apt,
  'apt-mark apt-file apt-show-versions apt-config': { operands: ['data'], inert: HELP },
  'apt-key add-apt-repository apt-add-repository': sourceTool,
  'yum dnf dnf5 microdnf tdnf': dnf,
  'yum-config-manager': sourceTool,
  'repoquery rpm2cpio dpkg-query pkg-config pkgconf apt-listchanges': { operands: ['data'], inert: HELP },
  zypper,
  apk,
  brew,
  linuxbrew: brew,
  snap: generic('snap'),
  flatpak: generic('flatpak', { build: 'run build build-init', valued: '--arch --branch --command --installation' }),
  port: generic('port'),
  'pkg pkg_add pkgin opkg eopkg swupd slackpkg cards': generic('pkg'),
  emerge: {
    flags: list(
      '-a -v -u -D -N -q -1 --ask --update --deep --newuse --quiet --oneshot --noreplace --depclean -c -C --unmerge --sync -f --fetchonly',
    ),
    options: takes('-j --jobs --with-bdeps --exclude --backtrack'),
    inert: ['--help', '-h', '--version', '-V', '-p', '--pretend', '-s', '--search', '-S'],
    refine: (parsed, context) => {
      const removes = parsed.flag('-c', '--depclean', '-C', '--unmerge')
      const operation = {
        manager: 'emerge',
        kind: removes ? 'remove' : parsed.flag('-u', '--update') ? 'upgrade' : 'install',
        insecure: false,
      }
      for (const word of parsed.operands) onPackage(context, word, operation)
      if (parsed.operands.length === 0 && (removes || parsed.flag('--sync'))) onPackage(context, null, operation)
    },
  },
  'choco scoop winget': generic('choco'),
})
