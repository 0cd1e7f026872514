import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { removes, type Source } from '../packages/packages.ts'
import { attributesOf, byName, type Doing, does, doing, each, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { CLONE } from './github-clone.ts'
import { CLIENT, CREATE_PR, downloaded, ISSUE, type Options, on, PR, RELEASE, VIEW } from './github-pulls.ts'
import { API } from './github-request.ts'

/** GitHub's `gh` and the older `hub`: what they read, publish, change and delete on the host. */

const WEB: CommandSpec = {
  flags: list('-w --web -f --force -y --yes -a -c -s --comments --all --name-only --patch --draft -d --json-only'),
}

/** Options of `gh` whose value is data, whatever the subcommand. */
const DATA = takes(
  '-L --limit -s --state -l --label -A --author -S --search -q --jq -t --template --json -a --assignee -m --milestone -H ' +
    '--head -B --base -b --body -T --title --reviewer -r --ref --hostname --color --interval --job --attempt -e --env ' +
    '--event --branch --workflow -u --user --owner --org --visibility --reason --add-label --remove-label --add-assignee ' +
    '--remove-assignee --add-reviewer --remove-reviewer -p --project --recover --app --user-id --scopes --git-protocol ' +
    '--sort --order --language --topic --created --updated --match --merged-at --field-id --id --number',
)

const NAMED = (what: Doing, options: Options = {}, spec: CommandSpec = {}) =>
  does({ ...doing(what), kind: 'repository', at: 0, value: 'origin', ...options }, spec)
const REPOSITORY: CommandSpec = {
  subcommands: byName({
    'create new': NAMED(
      'publish gh:repo-create',
      { reversible: true, flags: { public: ['--public'], push: ['--push'] } },
      {
        flags: list('--private --internal --add-readme -c --clone --disable-issues --disable-wiki --include-all-branches'),
        options: takes('-d --description -s --source -r --remote -t --team -p --template -g --gitignore -l --license -h --homepage'),
      },
    ),
    clone: CLONE,
    fork: NAMED(
      'publish gh:repo-create',
      { reversible: true },
      { flags: list('--clone --remote --default-branch-only'), options: takes('--org --fork-name --remote-name') },
    ),
    delete: NAMED('delete gh:repo-delete', { reversible: false }, { flags: list('--yes --confirm') }),
    edit: NAMED(
      'change gh:repo-edit',
      { attributes: CLIENT, values: { visibility: ['--visibility'] } },
      {
        flags: list(
          '--accept-visibility-change-consequences --enable-issues --enable-wiki --delete-branch-on-merge --template --allow-forking',
        ),
        options: takes('-d --description -h --homepage --default-branch --add-topic --remove-topic'),
      },
    ),
    'archive rename unarchive sync': NAMED(
      'change gh:repo-edit',
      { flags: { force: ['--force'] } },
      { options: takes('-b --branch -s --source') },
    ),
    'deploy-key': {
      subcommands: byName({
        list: VIEW,
        'add delete': on('change gh:deploy-key', { reversible: false }, { flags: list('-w --allow-write'), options: takes('-t --title') }),
      }),
    },
    autolink: { subcommands: byName({ 'list view': VIEW, 'create delete': on('change gh:repo-edit') }) },
    'view list ls license gitignore read-dir read-file': VIEW,
    'set-default': does({ verb: 'change', action: 'tool:config', kind: 'repository', at: 0, value: '.' }),
    credits: VIEW,
  }),
}

/** Lists are looked at, the rest changes; `names` says how the thing's own verbs are called. */
function things(action: string, changes: string, removing = 'delete remove'): CommandSpec {
  return {
    subcommands: byName({
      'list ls view status search get check verify download field-list item-list': VIEW,
      ...each(
        changes,
        on(`change ${action}`, {}, { options: takes('-b --body -v --value --title -n --name -d --description -f --env-file --color') }),
      ),
      ...each(removing, on(`delete ${action}`, { reversible: false })),
    }),
  }
}

const SECRET = things('gh:secret', 'set')
const GIST: CommandSpec = {
  subcommands: byName({
    'create new': refined(gist, { flags: list('-p --public -w --web'), options: takes('-d --desc -f --filename') }),
    'edit rename': on(
      'publish gh:gist',
      {},
      { options: { ...takes('-a --add', 'read'), ...takes('-d --desc -f --filename -r --remove') } },
    ),
    delete: on('delete gh:gist', { reversible: false }),
    'list ls view': VIEW,
    clone: CLONE,
  }),
}

function gist(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands)
    if (word.text !== '-') context.emit('read', context.path(word), { action: 'gh:gist', span: word.span })
  const attributes = attributesOf({ flags: { public: list('-p --public') } }, parsed)
  const carries = parsed.operands.map(nameOf)
  context.emit('publish', context.thing('service', 'gist'), { action: 'gh:gist', attributes: { ...attributes, carries } })
}

const TOKEN = does(
  { verb: 'read', action: 'gh:token', kind: 'account', option: list('-h --hostname'), value: 'github' },
  { options: takes('-u --user') },
)
const AUTH: CommandSpec = {
  subcommands: byName({
    token: TOKEN,
    status: refined(
      (parsed, context) => {
        const shows = parsed.flag('-t', '--show-token')
        context.emit(shows ? 'read' : 'fetch', context.thing('account', 'github'), { action: shows ? 'gh:token' : 'tool:status' })
      },
      { flags: list('-t --show-token -a --active'), options: takes('-h --hostname') },
    ),
    'login logout refresh switch setup-git': does(
      { verb: 'change', action: 'gh:auth', kind: 'account', value: 'github' },
      {
        flags: list('-w --web --with-token --insecure-storage -c --clipboard'),
        options: takes('-h --hostname -p --git-protocol -s --scopes'),
      },
    ),
  }),
}

const EXTENSION: CommandSpec = {
  subcommands: byName({
    'install upgrade': refined(
      (parsed, context) => {
        const word = parsed.operands[0] ?? knownWord('all', parsed.invocation.span)
        const source: Source = word.text === '.' ? 'path' : 'git'
        context.emit('execute', context.thing('package', nameOf(word)), {
          action: 'pkg:install',
          span: word.span,
          attributes: { manager: 'gh', source, spec: known(word) },
        })
      },
      { flags: list('--force --all --dry-run'), options: takes('--pin') },
    ),
    remove: removes('gh'),
    'list search browse': VIEW,
    exec: does({ verb: 'execute', action: 'gh:unknown', kind: 'program', at: 0 }, { stopAtOperand: true }),
    create: does({ verb: 'write', action: 'dev:build', kind: 'path', at: 0, value: '.' }),
  }),
}

const ALIAS: CommandSpec = {
  subcommands: byName({
    list: does({ verb: 'read', action: 'tool:config', kind: 'variable', value: 'aliases' }),
    set: refined(
      (parsed, context) => {
        const runs = parsed.flag('-s', '--shell') || parsed.operands[1]?.prefix.startsWith('!') === true
        context.emit(runs ? 'persist' : 'change', context.thing('variable', nameOf(parsed.operands[0] ?? parsed.invocation.program)), {
          action: 'tool:config',
          attributes: runs ? { runs_code: true } : {},
        })
      },
      { flags: list('-s --shell --clobber') },
    ),
    'delete import': does({ verb: 'change', action: 'tool:config', kind: 'variable', at: 0, value: 'aliases' }),
  }),
}

const CODESPACE: CommandSpec = {
  options: takes('-c --codespace --repo-owner'),
  subcommands: byName({
    'ssh code jupyter': does(
      { verb: 'execute', action: 'net:remote-shell', kind: 'host', option: list('-c --codespace'), value: 'codespace' },
      { stopAtOperand: true },
    ),
    'list ls logs view ports': VIEW,
    cp: does({ verb: 'send', action: 'gh:codespace', kind: 'host', value: 'codespace' }),
    'create edit rebuild stop': on('change gh:codespace'),
    delete: on('delete gh:codespace', { reversible: false }),
  }),
}

const RUN: CommandSpec = {
  subcommands: byName({
    'list ls view watch': VIEW,
    download: on('fetch gh:read', {}, { options: takes('-D --dir -n --name -p --pattern'), operands: ['data'], refine: downloaded }),
    rerun: on('change gh:workflow-run', {}, { flags: list('--failed -d --debug') }),
    'cancel delete': on('change gh:run', { reversible: false }),
  }),
}

const gh = tool('gh', {
  options: { ...DATA, ...takes('-R --repo') },
  flags: WEB.flags ?? [],
  subcommands: byName({
    pr: PR,
    issue: ISSUE,
    release: RELEASE,
    repo: REPOSITORY,
    api: API,
    workflow: {
      subcommands: byName({
        run: on(
          'change gh:workflow-run',
          { reversible: false, values: { ref: list('-r --ref') } },
          { options: takes('-f --raw-field -F --field'), flags: ['--json'] },
        ),
        'list ls view': VIEW,
        'enable disable': on('change gh:workflow'),
      }),
    },
    run: RUN,
    secret: SECRET,
    variable: things('gh:variable', 'set'),
    gist: GIST,
    auth: AUTH,
    'ssh-key gpg-key': things('gh:key', 'add'),
    extension: EXTENSION,
    alias: ALIAS,
    codespace: CODESPACE,
    label: things('gh:label', 'create edit clone'),
    project: things(
      'gh:project',
      'create edit close copy link unlink mark-template field-create item-add item-create item-edit item-archive',
      'delete field-delete item-delete',
    ),
    cache: things('gh:cache', 'set'),
    ruleset: things('gh:repo-edit', 'set'),
    'search browse status': { ...VIEW, operands: ['data'], subcommands: each('code commits issues prs repos', VIEW) },
    'attestation org': things('gh:api', 'create'),
    config: {
      subcommands: byName({
        get: {
          refine: (parsed, context) => {
            const [setting] = parsed.operands
            const secret = setting?.text?.includes('token') === true
            context.emit('read', context.thing(secret ? 'resource' : 'variable', setting?.text ?? 'gh'), {
              action: secret ? 'secret:read' : 'tool:config',
            })
          },
          options: takes('-h --host'),
          operands: ['data'],
        },
        list: does({ verb: 'read', action: 'tool:config', kind: 'variable', at: 0, value: 'gh' }),
        'set clear-cache': does({ verb: 'change', action: 'tool:config', kind: 'variable', at: 0, value: 'gh' }),
      }),
    },
    'agent-task copilot': {
      operands: ['data'],
      subcommands: byName({ 'list view': VIEW }),
      refine: (_, context) => context.emit('execute', context.thing('agent', 'copilot'), { action: 'agent:start' }),
    },
  }),
  aliases: { cs: 'codespace', ext: 'extension', extensions: 'extension', at: 'attestation', rs: 'ruleset', co: 'pr' },
})

/** `hub` is git with more subcommands: what it does not know is git's. */
const hub = tool('gh', {
  fallback: (parsed, context) => {
    if (parsed.path.length > 0 || parsed.operands.length === 0) return false
    context.command([knownWord('git', parsed.invocation.span), ...parsed.invocation.args], 'hub')
    return true
  },
  subcommands: byName({
    'pull-request': CREATE_PR,
    release: RELEASE,
    'create fork': NAMED('publish gh:repo-create', { reversible: true }),
    delete: NAMED('delete gh:repo-delete', { reversible: false }),
    api: API,
    issue: ISSUE,
    gist: GIST,
    'browse compare ci-status pr': VIEW,
  }),
})

export const github: CommandTable = { gh, hub }
