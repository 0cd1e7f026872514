import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'
import { configOption, gitFlag, helperTransport, inTree, packPrograms, workTree } from './code.ts'

/** Pushing, fetching and cloning: what every git subcommand that moves commits between repositories has in common. */

/** Absolute directory of the repository, for the View. */
function directory(parsed: ParsedCommand, context: CommandContext): string | null {
  const tree = workTree(parsed)
  if (tree.startsWith('/')) return tree
  if (context.cwd === null) return null
  return tree === '.' ? context.cwd : `${context.cwd}/${tree}`
}

interface Remote {
  readonly name: string
  readonly attributes: JsonObject
  /** Of a push: `stranger` where the place is no remote of the repository. */
  readonly stranger: JsonObject
}

/** Variables by which git takes another repository or other configuration than the ones that stand there. */
const ELSEWHERE = /^(?:GIT_(?:DIR|COMMON_DIR|WORK_TREE|CONFIG\w*|CEILING_DIRECTORIES|NAMESPACE)|HOME|XDG_CONFIG_HOME)$/
const LEADS = /^(?:remote|url|include|includeif|branch)\./i
/** Configuration that says which branches are pushed where no one names them. */
const CHOOSES = /^(?:push|branch|remote)\./i

/**
 * True where a remote by name may lead elsewhere than the one of that name in the repository of the call: whoever grants a push to
 * `origin` means that one, and anybody can clone a repository whose `origin` is their own.
 */
function isAstray(parsed: ParsedCommand, context: CommandContext, where: string | null): boolean {
  if ([...parsed.invocation.env.keys()].some((name) => ELSEWHERE.test(name))) return true
  if (parsed.value('--git-dir', '--config-env') !== null) return true
  if (parsed.values('-c').some(({ text }) => text === null || LEADS.test(text))) return true
  const { view } = context
  if (where === null || view.cwd === null) return true
  const [here, home] = [view.git(where), view.git(view.cwd)]
  if (here !== null && home !== null) return here.top !== home.top
  return where !== view.cwd && !where.startsWith(`${view.cwd}/`)
}

/** A directory of this machine, or `.`. */
const isLocal = (address: string): boolean => /^(?:\.|\/|~|file:)/.test(address)

/** Host and path of an address of git, in any of its spellings. */
const placeOf = (address: string): string =>
  address
    .replace(/^(?:\w{1,12}:\/\/)?(?:[^@/]{1,200}@)?/, '')
    .replace(/^([^/:]{1,253}):(?:\d{1,5}\/|\/?)/, '$1/')
    .replace(/(?:\.git)?\/?$/, '')
    .toLowerCase()

/** Of this machine, or a remote of the repository in any spelling. */
const isRemote = (address: string, git: ReturnType<CommandContext['view']['git']>): boolean =>
  isLocal(address) || Object.values(git?.remotes ?? {}).some((known) => placeOf(known) === placeOf(address))

const isLedAway = (parsed: ParsedCommand): boolean => parsed.values('-c').some(({ text }) => text !== null && LEADS.test(text))

/** The remote that a command names, or the one git would take. */
function remoteOf(word: Word | null, parsed: ParsedCommand, context: CommandContext): Remote {
  const where = directory(parsed, context)
  const git = where === null ? null : context.view.git(where)
  const name = word === null ? 'origin' : nameOf(word)
  const named = word === null || !/[:/]/.test(word.prefix)
  const astray = named && isAstray(parsed, context, where)
  const url = !astray && git !== null && Object.hasOwn(git.remotes, name) ? (git.remotes[name] ?? null) : null
  const stranger = named ? isLedAway(parsed) : !isRemote(nameOf(word), git)
  const attributes = {
    remote: word === null ? 'origin' : known(word),
    ...(astray ? { astray } : {}),
    ...(url === null ? {} : { url }),
    ...(git?.branch ? { head: git.branch } : {}),
  }
  return { name, attributes, stranger: stranger ? { stranger } : {} }
}

const PUSH_FLAGS = list(
  '-f --force --force-if-includes --all --branches --mirror --tags --follow-tags -d --delete --prune -n --dry-run ' +
    '--porcelain -u --set-upstream --atomic --no-verify --verify -q --quiet -v --verbose --progress --thin -4 -6 --ipv4 ' +
    '--ipv6 --no-force-with-lease',
)

/** What the refspecs of a push ask for. */
function refspecs(words: readonly Word[]): {
  readonly force: boolean
  readonly remove: boolean
  readonly branches: readonly (string | null)[]
  /** Absent: one name alone, or nothing is named. */
  readonly said?: string[]
} {
  const branches = words.map((word) => {
    if (word.text === null) return null
    const text = word.text.startsWith('+') ? word.text.slice(1) : word.text
    return (text.includes(':') ? text.slice(text.lastIndexOf(':') + 1) : text).replace('refs/heads/', '')
  })
  return {
    force: words.some((word) => word.prefix.startsWith('+')),
    remove: words.some((word) => word.text?.startsWith(':') === true && word.text !== ':'),
    branches,
    ...saidOf(words.map(({ text }) => text)),
  }
}

/** Words that say more than the name of one branch, to whoever has to know what each of them pushes. */
function saidOf(words: readonly (string | null)[]): { readonly said: string[] } | Record<string, never> {
  const said = words.filter((word) => word !== null)
  const [first = ''] = said
  const isPlain = words.length === 1 && first !== ':' && (first.lastIndexOf(':') <= 0 || /^\+?HEAD:(?!refs\/)[^:*]+$/.test(first))
  return words.length === 0 || said.length < words.length || isPlain ? {} : { said }
}

/** What the options and refspecs of a push say of it. */
function pushing(parsed: ParsedCommand, specs: ReturnType<typeof refspecs>) {
  const lease = gitFlag(parsed, '--force-with-lease') || parsed.value('--force-with-lease') !== null
  return {
    force: gitFlag(parsed, '-f', '--force') || specs.force || lease,
    lease,
    delete: gitFlag(parsed, '-d', '--delete') || specs.remove || gitFlag(parsed, '--prune'),
    ...(gitFlag(parsed, '--prune') ? { prune: true } : {}),
    mirror: gitFlag(parsed, '--mirror'),
    tags: gitFlag(parsed, '--tags') || gitFlag(parsed, '--follow-tags'),
    all: gitFlag(parsed, '--all') || gitFlag(parsed, '--branches'),
    no_verify: gitFlag(parsed, '--no-verify'),
  }
}

/** Git takes a beginning that only one option has for that option. */
const takesBackDryRun = ({ text }: Word): boolean => text !== null && text.startsWith('--no-d') && '--no-dry-run'.startsWith(text)

function push(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.operands[0] ?? parsed.value('--repo')
  if (word !== null) helperTransport(word, context)
  packPrograms(parsed, context)
  const remote = remoteOf(word, parsed, context)
  const specs = refspecs(parsed.operands.slice(1))
  const how = pushing(parsed, specs)
  const target = context.thing('repository', remote.name)
  if (gitFlag(parsed, '-n', '--dry-run') && !parsed.flag('--no-dry-run') && !parsed.unknown.some(takesBackDryRun)) {
    context.emit('fetch', target, { action: 'git:push-dry-run', attributes: remote.attributes })
    return
  }
  const chosen = parsed.values('-c').some(({ text }) => text === null || CHOOSES.test(text))
  const branch = specs.branches.length > 0 ? specs.branches.join(' ') : chosen ? null : (remote.attributes.head ?? null)
  context.emit('publish', target, {
    action: 'git:push',
    reversible: !(how.force || how.delete || how.mirror),
    attributes: {
      ...remote.attributes,
      ...remote.stranger,
      branch: specs.branches.includes(null) ? null : branch,
      ...how,
      ...(specs.said === undefined ? {} : { refspecs: specs.said }),
    },
  })
}

/** A push under another name: its remote is the operand at `at`. */
export function pushLike(at: number, spec: CommandSpec = {}): CommandSpec {
  return refined((parsed, context) => {
    const word = parsed.operands[at] ?? null
    if (word !== null) helperTransport(word, context)
    packPrograms(parsed, context)
    const remote = remoteOf(word, parsed, context)
    const force = gitFlag(parsed, '--force', '-f')
    const mirror = gitFlag(parsed, '--mirror')
    if (gitFlag(parsed, '--dry-run', '-n')) {
      context.emit('fetch', context.thing('repository', remote.name), { action: 'git:push-dry-run', attributes: remote.attributes })
      return
    }
    context.emit('publish', context.thing('repository', remote.name), {
      action: 'git:push',
      reversible: !(force || mirror),
      attributes: { ...remote.attributes, ...remote.stranger, force, mirror, by: parsed.path.join(' ') },
    })
  }, spec)
}

const FETCH_FLAGS = list(
  '--all -a --append --atomic -f --force -k --keep -p --prune -P --prune-tags -n --no-tags -t --tags -u --update-head-ok ' +
    '-q --quiet -v --verbose --progress --unshallow --dry-run --multiple --set-upstream -4 -6 --rebase -r --no-rebase --ff ' +
    '--no-ff --ff-only --squash --no-commit --commit --edit --no-edit -e --autostash --no-autostash --no-verify ' +
    '--allow-unrelated-histories --stat --signoff --write-commit-graph --update-shallow --refetch',
)
const FETCH_OPTIONS = takes(
  '--depth --deepen --shallow-since --shallow-exclude -j --jobs --upload-pack --exec -o --server-option --refmap ' +
    '--negotiation-tip --filter -s --strategy -X --strategy-option --bundle-uri',
)

/** `+main:main` sets a branch of one's own to what the other side has; `+refs/heads/*:refs/remotes/origin/*` only what is known of theirs. */
function overwrites({ text }: Word, force: boolean): boolean {
  const [, plus, to = ''] = /^(\+?)[^:]{1,250}:(.{1,250})$/.exec(text ?? '') ?? []
  return (force || plus === '+') && (!to.startsWith('refs/') || to.startsWith('refs/heads/'))
}

export function fetching(action: string, alters: boolean): CommandSpec {
  return refined(
    (parsed, context) => {
      const word = parsed.operands[0] ?? null
      if (word !== null) helperTransport(word, context)
      packPrograms(parsed, context)
      const remote = remoteOf(word, parsed, context)
      const target = word?.prefix.includes('://') ? context.url(word) : context.thing('repository', remote.name)
      context.emit('fetch', target, { action, attributes: remote.attributes })
      const branch = parsed.operands.slice(1).find((spec) => overwrites(spec, gitFlag(parsed, '-f', '--force')))
      if (branch !== undefined)
        context.emit('change', context.thing('repository', nameOf(branch)), { action: 'git:branch', attributes: { force: true } })
      if (alters) context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:merge', certainty: 'likely' })
    },
    { flags: FETCH_FLAGS, options: FETCH_OPTIONS, optionalValues: list('--recurse-submodules --rebase --gpg-sign -S --log') },
  )
}

/** The directory git makes for a URL: its last part, without `.git`. */
function cloneName(word: Word): Word {
  let text = word.text ?? word.prefix
  while (text.endsWith('/')) text = text.slice(0, -1)
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1)
  const name = last.endsWith('.git') ? last.slice(0, -4) : last
  return knownWord(name === '' ? '.' : name, word.span)
}

function clone(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.operands[0]
  if (word === undefined) return
  packPrograms(parsed, context)
  if (!helperTransport(word, context) || word.prefix.startsWith('http')) {
    const text = word.text ?? word.prefix
    const local = text.startsWith('/') || text.startsWith('.') || text.startsWith('file://')
    if (local) context.emit('read', context.path(word), { action: 'git:clone' })
    else
      context.emit('fetch', context.url(word), {
        action: 'git:clone',
        attributes: {
          submodules: gitFlag(parsed, '--recurse-submodules', '--recursive'),
          ...(gitFlag(parsed, '--mirror') ? { mirror: true } : {}),
        },
      })
  }
  context.emit('write', context.path(inTree(parsed, parsed.operands[1] ?? cloneName(word))), { action: 'git:clone' })
  for (const word of parsed.values('--config')) configOption(word, context)
  for (const word of parsed.values('--separate-git-dir'))
    context.emit('write', context.path(word), { action: 'git:clone', span: word.span })
  for (const template of parsed.values('--template'))
    context.emit('execute', context.path(template), { action: 'git:hooks', certainty: 'likely' })
}

/** `git clone`. */
export const CLONE: CommandSpec = refined(clone, {
  flags: list(
    '-l --local -s --shared --no-hardlinks -q --quiet -v --verbose --progress -n --no-checkout --bare --sparse --mirror ' +
      '--dissociate --single-branch --no-single-branch --no-tags --recurse-submodules --recursive --shallow-submodules ' +
      '--remote-submodules --reject-shallow',
  ),
  options: takes(
    '-o --origin -b --branch -u --upload-pack --template -c --config --depth --shallow-since --shallow-exclude --reference ' +
      '--reference-if-able --separate-git-dir -j --jobs --filter --server-option --bundle-uri --revision',
  ),
})

/** `git push`. */
export const PUSH: CommandSpec = refined(push, {
  flags: PUSH_FLAGS,
  options: takes('--repo --receive-pack --exec -o --push-option --recurse-submodules'),
  optionalValues: list('--force-with-lease --signed'),
})
