import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { CONFIGURES, type InstallOptions, installs, LISTS, LOOKS_UP, removes, type Source, sourceOf } from './packages.ts'

/** pip and what speaks its language: where Python packages come from. */

const INDEX = list('-i --index-url --extra-index-url --index --default-index --find-links -f --source')
const INDEX_VARIABLES = list('PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_EXTRA_INDEX_URL UV_DEFAULT_INDEX UV_INDEX')

export const PIP_FLAGS = list(
  '-U --upgrade --user --pre --no-deps --no-index --no-cache-dir --no-cache --no-build-isolation --force-reinstall ' +
    '--ignore-installed -I --break-system-packages --no-warn-script-location --no-input -q --quiet -v -vv -vvv --verbose ' +
    '--isolated --require-virtualenv --disable-pip-version-check --prefer-binary --require-hashes --no-compile --compile ' +
    '--use-pep517 --no-use-pep517 --check-build-dependencies --dry-run -y --yes --system --reinstall --no-clean --debug ' +
    '--use-deprecated --all-extras --strict --offline',
)
export const PIP_OPTIONS = {
  ...takes('-r --requirement -c --constraint --requirements --constraints --cert --client-cert', 'read'),
  ...takes('-t --target -d --dest --report --log -w --wheel-dir', 'write'),
  ...takes(
    '-e --editable --prefix --root --platform --python-version --implementation --abi --only-binary --no-binary ' +
      '--config-settings -C --global-option --build-option --progress-bar --root-user-action --timeout --retries ' +
      '--trusted-host --proxy --exists-action --cache-dir --src --upgrade-strategy --python -p --format --path --exclude ' +
      '--extra --group --resolution --prerelease --link-mode --index-strategy --keyring-provider --color --directory ' +
      '--project --config-file --extras --python-platform --exclude-newer',
  ),
}

/** A bare name is a directory here, and no package of a registry. */
export const editable = (parsed: ParsedCommand) =>
  parsed.values('-e', '--editable').map((word) => {
    const source = sourceOf(word)
    return { word, source: source === 'registry' ? ('path' as Source) : source }
  })

/** Requirements files name the packages: they stand for a manifest of their own. */
export const listed = (parsed: ParsedCommand) =>
  parsed
    .values('-r', '--requirement', '--requirements')
    .map((word) => ({ word, source: word.prefix.includes('://') ? ('url' as Source) : ('manifest' as Source) }))

export const PIP: InstallOptions = {
  manager: 'pip',
  manifest: 'requirements.txt',
  index: INDEX,
  indexVariables: INDEX_VARIABLES,
  also: (parsed) => [...editable(parsed), ...listed(parsed)],
  attributes: (parsed) => ({
    ...(parsed.flag('--break-system-packages', '--system') ? { system: true } : {}),
    ...(parsed.flag('--user') ? { user: true } : {}),
    ...(parsed.flag('-U', '--upgrade') ? { upgrade: true } : {}),
    ...(parsed.value('--trusted-host') === null ? {} : { unverified: true }),
  }),
}
export const PIP_GRAMMAR: CommandSpec = { flags: PIP_FLAGS, options: PIP_OPTIONS }

const DOWNLOAD = installs({ ...PIP, verb: 'download' }, PIP_GRAMMAR)

/** What is fetched lies in the directory where nothing else is said. */
function saves(parsed: ParsedCommand, context: CommandContext): void {
  DOWNLOAD.refine?.(parsed, context)
  if (parsed.value('-d', '--dest', '-w', '--wheel-dir') !== null) return
  writePath(context, knownWord('.', parsed.invocation.span), { action: 'pkg:save' })
}

export const PIP_COMMANDS: Readonly<Record<string, CommandSpec>> = byName({
  install: { ...installs(PIP, PIP_GRAMMAR), inert: ['--dry-run'] },
  sync: installs({ ...PIP, manifest: 'requirements.txt' }, PIP_GRAMMAR),
  'download wheel': { ...DOWNLOAD, refine: saves },
  uninstall: removes('pip', { ...PIP_GRAMMAR, options: { ...PIP_OPTIONS, ...takes('-r --requirement', 'read') } }),
  'list show freeze check inspect debug hash tree': {
    ...LISTS,
    flags: [...(LISTS.flags ?? []), ...list('-f --files -v -o --outdated -u --uptodate -l --local --user')],
  },
  'search index': LOOKS_UP,
  compile: installs({ ...PIP, verb: 'download' }, { ...PIP_GRAMMAR, options: { ...PIP_OPTIONS, ...takes('-o --output-file', 'write') } }),
  config: {
    flags: list('--user --global --site'),
    options: takes('--editor'),
    subcommands: byName({ 'set unset edit': CONFIGURES, 'list get debug': LISTS }),
  },
  cache: {
    subcommands: byName({
      'dir info list': LISTS,
      'remove purge': does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }),
    }),
  },
})

export const pip = tool('pip', {
  flags: list('-q -v --quiet --verbose --isolated --no-input --version -V'),
  options: takes('--python --proxy --timeout --cache-dir --log'),
  subcommands: PIP_COMMANDS,
})
