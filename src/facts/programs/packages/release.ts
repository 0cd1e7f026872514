import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { byName, does, known, list, refined, takes, tool } from '../tool.ts'
import { BUILDS, LISTS, SCRIPT } from './packages.ts'

/**
 * Release tools: one word that versions, tags, pushes, publishes and releases at once. Each effect is emitted under its own
 * action, so that a grant for one of them is no grant for the others.
 */

type Step =
  | 'npm:publish'
  | 'crates:publish'
  | 'gems:publish'
  | 'pypi:publish'
  | 'docker:push'
  | 'gh:release'
  | 'git:push'
  | 'pages:deploy'
  | 'gh:pr-create'

/** Publishing takes a package, pushing a repository. */
interface Release {
  readonly names: readonly Step[]
  readonly certainty: 'certain' | 'likely'
  /** Where it pushes to, where its words say so. */
  readonly pushes?: { readonly remote?: Attribute; readonly branch?: Attribute }
}

type Attribute = ReturnType<typeof known>

function steps({ names, certainty, pushes = {} }: Release, parsed: ParsedCommand, context: CommandContext): void {
  for (const name of names) {
    const target = name === 'git:push' || name.startsWith('gh:') ? context.thing('repository', 'origin') : context.thing('package', '.')
    const attributes = {
      by: [parsed.invocation.name, ...parsed.path].join(' '),
      ...(name === 'git:push' ? { remote: 'origin', tags: true, ...pushes } : {}),
    }
    context.emit('publish', target, { action: name, certainty, attributes })
  }
}

interface ReleaseOptions {
  readonly steps: readonly Step[]
  /** Options that make it only say what it would do. */
  readonly dry: string
  readonly flags?: string
  readonly valued?: string
  readonly pushes?: (parsed: ParsedCommand) => Release['pushes']
  /** Steps that an option takes away. */
  readonly without?: Readonly<Record<string, readonly Step[]>>
}

/** A release; its dry run still runs the configuration, which is code. */
function release(options: ReleaseOptions): CommandSpec {
  const dry = list(options.dry)
  return refined(
    (parsed, context) => {
      if (parsed.flag(...dry)) {
        context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:release-dry-run' })
        return
      }
      const gone = Object.entries(options.without ?? {}).flatMap(([flag, names]) =>
        parsed.flag(flag) || parsed.value(flag)?.text === 'false' ? names : [],
      )
      const names = options.steps.filter((name) => !gone.includes(name))
      steps({ names, certainty: 'likely', pushes: options.pushes?.(parsed) ?? {} }, parsed, context)
    },
    {
      flags: [...dry, ...Object.keys(options.without ?? {}), ...list(options.flags ?? '')],
      options: takes(options.valued ?? ''),
      operands: ['data'],
      inert: list('--help -h'),
    },
  )
}

const SEMANTIC = release({
  steps: ['npm:publish', 'gh:release', 'git:push'],
  dry: '-d --dry-run',
  flags: '--ci --no-ci --debug',
  valued: '-b --branches -r --repository-url -t --tag-format -p --plugins -e --extends',
})
const NP = release({
  steps: ['npm:publish', 'gh:release', 'git:push'],
  dry: '--preview',
  flags: '--any-branch --yolo --no-tests --no-cleanup --no-2fa',
  valued: '--tag --branch --contents --message --test-script',
  without: { '--no-publish': ['npm:publish'], '--no-release-draft': ['gh:release'] },
})
const RELEASE_IT = release({
  steps: ['npm:publish', 'gh:release', 'git:push'],
  dry: '-d --dry-run --release-version --changelog',
  flags: '--ci --verbose -V --only-version',
  valued: '-i --increment -c --config --preRelease',
  without: {
    '--no-npm': ['npm:publish'],
    '--no-npm.publish': ['npm:publish'],
    '--no-github.release': ['gh:release'],
    '--no-git.push': ['git:push'],
    '--no-git': ['git:push'],
  },
})
const STANDARD_VERSION = does({ verb: 'change', action: 'git:commit', kind: 'repository', value: '.' }, { inert: ['--dry-run', '--help'] })

const LERNA_GRAMMAR: CommandSpec = {
  flags: list(
    '-y --yes --no-private --force-publish --conventional-commits --exact --canary -c --no-verify-access --create-release --stream --parallel --no-bail',
  ),
  options: takes(
    '--registry --dist-tag --preid --scope --ignore --since --contents --message -m --concurrency --allow-branch --git-remote --loglevel',
  ),
}
const LERNA = (names: readonly Step[]): CommandSpec => ({
  ...LERNA_GRAMMAR,
  flags: [...(LERNA_GRAMMAR.flags ?? []), ...list('--no-push --no-git-tag-version')],
  operands: ['data'],
  refine: (parsed, context) =>
    steps(
      {
        names: names.filter((name) => name !== 'git:push' || !(parsed.flag('--no-push') || parsed.flag('--no-git-tag-version'))),
        certainty: 'likely',
      },
      parsed,
      context,
    ),
})
const lerna = tool('lerna', {
  ...LERNA_GRAMMAR,
  subcommands: byName({
    publish: { ...LERNA(['npm:publish', 'git:push']), subcommands: byName({ 'from-package from-git': LERNA(['npm:publish']) }) },
    version: LERNA(['git:push']),
    'run exec': SCRIPT,
    'bootstrap init create import link clean repair add': BUILDS,
    'list ls la ll changed diff info': LISTS,
  }),
})

const changeset = tool('changeset', {
  refine: (_, context) => context.emit('execute', context.thing('program', 'changeset'), { action: 'dev:build' }),
  subcommands: byName({
    publish: refined((parsed, context) => steps({ names: ['npm:publish'], certainty: 'certain' }, parsed, context), {
      flags: list('--no-git-tag'),
      options: takes('--otp --tag'),
    }),
    'version add init tag pre': { ...BUILDS, operands: ['data'] },
    status: LISTS,
  }),
})

const GORELEASER_RELEASE: CommandSpec = {
  flags: list('--clean --rm-dist --auto-snapshot --draft --fail-fast --nightly --prepare --single-target --snapshot'),
  options: {
    ...takes('-f --config --release-notes --release-header --release-footer', 'read'),
    ...takes('--skip -k --id -p --parallelism --timeout'),
  },
  refine: (parsed, context) => {
    const skipped = parsed.values('--skip').flatMap((word) => (word.text ?? '').split(','))
    if (parsed.flag('--snapshot') || skipped.includes('publish'))
      context.emit('execute', context.thing('program', 'goreleaser'), { action: 'dev:build' })
    else
      steps(
        { names: ['gh:release', ...(skipped.includes('docker') ? [] : (['docker:push'] as const))], certainty: 'likely' },
        parsed,
        context,
      )
  },
}
const goreleaser = tool('goreleaser', {
  subcommands: byName({
    release: GORELEASER_RELEASE,
    publish: GORELEASER_RELEASE,
    announce: does({ verb: 'send', action: 'message:announce', kind: 'service', value: 'announcements' }),
    'build init healthcheck continue': BUILDS,
    'check jsonschema': LISTS,
  }),
  aliases: { r: 'release', b: 'build', c: 'check' },
})

/** Those that read the branch from settings of their own push where only their words can say. */
const READ_SETTINGS: ReadonlySet<string> = new Set(['mkdocs', 'mike'])

function pagesBranch(parsed: ParsedCommand): Release['pushes'] {
  const reads = READ_SETTINGS.has(parsed.invocation.name)
  const branch = parsed.value('-b', '--branch', '--remote-branch')
  const remote = parsed.value('-o', '--remote', '--remote-name', '-r', '--repo')
  if (branch === null && reads) return {}
  return { branch: branch === null ? 'gh-pages' : known(branch), ...(remote === null ? {} : { remote: known(remote) }) }
}

const PAGES = release({
  pushes: pagesBranch,
  steps: ['pages:deploy', 'git:push'],
  dry: '--no-push -n',
  flags: '-f --add -t --dotfiles --nojekyll --no-history',
  valued:
    '-d --dist -b --branch -r --repo -m --message -u --user -e --dest -o --remote -s --src --cname -x --tag --remote-branch --remote-name',
})
const mkdocs = tool('mkdocs', {
  options: takes('-f --config-file -b --remote-branch -r --remote-name -m --message -d --site-dir -a --dev-addr -t --theme'),
  flags: list('--force --no-history -q --quiet -v --verbose -c --clean -s --strict -w --livereload'),
  subcommands: byName({
    'gh-deploy': PAGES,
    'build new get-deps': BUILDS,
    serve: does({ verb: 'execute', action: 'dev:serve', kind: 'program', value: 'mkdocs serve' }),
  }),
})

const maturin = tool('maturin', {
  flags: list('-r --release --skip-existing --sdist --strip --universal2 -q -v'),
  options: takes(
    '-o --out -m --manifest-path -i --interpreter -u --username -p --password --repository --repository-url --target -F --features',
  ),
  subcommands: byName({
    'publish upload': {
      operands: ['data'],
      refine: (parsed, context) => steps({ names: ['pypi:publish'], certainty: 'certain' }, parsed, context),
    },
    'build develop new init sdist generate-ci': BUILDS,
    'list-python': LISTS,
  }),
})

/** `vsce publish`, `ovsx publish`: an extension for everybody's editor. */
const EXTENSION = tool('vscode', {
  options: takes('-p --pat -t --target -i --packagePath -m --message -o --out'),
  flags: list('--pre-release --no-dependencies --yarn --allow-missing-repository'),
  subcommands: byName({
    publish: {
      operands: ['data'],
      refine: (_, context) => context.emit('publish', context.thing('package', '.'), { action: 'vscode:publish' }),
    },
    unpublish: {
      operands: ['data'],
      refine: (_, context) => context.emit('delete', context.thing('package', '.'), { action: 'vscode:unpublish' }),
    },
    'package create-namespace verify-pat': BUILDS,
    'ls show search get': LISTS,
    'login logout': {
      operands: ['data'],
      refine: (parsed, context) =>
        context.emit('change', context.thing('account', parsed.operands[0]?.text ?? 'editor'), { action: 'vscode:token' }),
    },
  }),
})

const JRELEASER = tool('jreleaser', {
  options: takes('-b --basedir -c --config-file -g --grs'),
  flags: list('-y --dry-run'),
  subcommands: byName({
    'release full-release deploy upload publish': release({ steps: ['gh:release', 'git:push'], dry: '-y --dry-run' }),
    announce: does({ verb: 'send', action: 'message:announce', kind: 'service', value: 'announcements' }),
    'assemble build changelog checksum sign config init json-schema': BUILDS,
  }),
})

/** `release-please` and its kin open pull requests and cut releases on the host. */
const RELEASE_PLEASE = tool('release-please', {
  options: takes('--token --repo-url --target-branch --config-file --manifest-file --release-type --package-name --path'),
  subcommands: byName({
    'release-pr manifest-pr bootstrap': release({ steps: ['gh:pr-create'], dry: '--dry-run' }),
    'github-release manifest-release': release({ steps: ['gh:release'], dry: '--dry-run' }),
    'debug-config': LISTS,
  }),
})

/** Version bumpers that commit and tag, and push when told to. */
const BUMP: CommandSpec = {
  flags: list('--allow-dirty --commit --tag --verbose --no-commit --no-tag --push --patch --minor --major --changelog -y --yes'),
  options: takes('--current-version --new-version --config-file --search --replace'),
  operands: ['data'],
  inert: list('--help -n --dry-run'),
  refine: (parsed, context) => {
    context.emit('change', context.thing('repository', '.'), { action: 'git:commit', attributes: { version: known(parsed.operands[0]) } })
    if (parsed.flag('--push')) steps({ names: ['git:push'], certainty: 'certain' }, parsed, context)
  },
}

export const releases: CommandTable = byName({
  'semantic-release': SEMANTIC,
  np: NP,
  'release-it': RELEASE_IT,
  'standard-version': STANDARD_VERSION,
  lerna,
  changeset,
  goreleaser,
  'gh-pages': PAGES,
  'angular-cli-ghpages': PAGES,
  mkdocs,
  mike: PAGES,
  maturin,
  'vsce ovsx': EXTENSION,
  jreleaser: JRELEASER,
  'release-please': RELEASE_PLEASE,
  'bump2version bumpversion bump-my-version cz tbump': BUMP,
  auto: release({ steps: ['npm:publish', 'gh:release', 'git:push'], dry: '-d --dry-run' }),
  'cargo-release': release({ steps: ['crates:publish', 'git:push'], dry: '--dry-run', valued: '-p --package' }),
})
