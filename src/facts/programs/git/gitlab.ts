import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { byName, type Doing, does, doing, known, list, nameOf, refined, takes, tool } from '../tool.ts'

/** GitLab's `glab`, and Gitea's `tea`. */

const REPO = list('-R --repo --login')
const on = (what: Doing, reversible = true, spec: CommandSpec = {}) =>
  does({ ...doing(what), kind: 'repository', option: REPO, value: 'origin', reversible }, { ...spec, operands: ['data'] })

const VIEW = on('fetch gl:read')
const DATA = takes(
  '-t --title -d --description -l --label -a --assignee -m --message --milestone -b --target-branch -s --source-branch ' +
    '--reviewer --ref -n --name -N --notes -P --per-page -p --page -F --output -O --order -g --group --state --search ' +
    '--author -u --user --index --tag-name --run-untagged --variables -v --value -k --key',
)
const GRAMMAR: CommandSpec = {
  flags: list(
    '-y --yes -f --fill -w --web --draft --wip --squash-before-merge --remove-source-branch --rebase -A --all --mine ' +
      '--force --push --public --private --internal --rebase-only --auto-merge',
  ),
  options: DATA,
}

/** Requests by method; anything but reading changes something. */
function api(parsed: ParsedCommand, context: CommandContext): void {
  const endpoint = parsed.operands[0]
  if (endpoint === undefined) return
  const fields = parsed.value('-f', '-F', '--raw-field', '--field', '--input') !== null
  const given = parsed.value('-X', '--method')
  const method = given === null ? (fields ? 'POST' : 'GET') : given.text
  if (method === null) context.opaque('the method of the request is not known before it runs', endpoint.span)
  const reads = method?.toUpperCase() === 'GET' || method?.toUpperCase() === 'HEAD'
  const path = endpoint.text ?? endpoint.prefix
  const action = /releases/.test(path)
    ? 'gl:release'
    : /merge$/.test(path)
      ? 'gl:pr-merge'
      : /merge_requests$/.test(path)
        ? 'gl:pr-create'
        : /pipeline|trigger/.test(path)
          ? 'gl:workflow-run'
          : 'gl:api'
  context.emit(reads ? 'fetch' : method?.toUpperCase() === 'DELETE' ? 'delete' : 'change', context.thing('resource', nameOf(endpoint)), {
    action: reads ? 'gl:read' : action,
    attributes: { method, endpoint: known(endpoint) },
  })
}

const MERGE_REQUEST: CommandSpec = {
  subcommands: byName({
    'create new': on('publish gl:pr-create'),
    'merge accept': on('change gl:pr-merge', false),
    'note approve revoke comment': on('publish gl:comment'),
    'close reopen update rebase todo edit for': on('change gl:pr-edit'),
    delete: on('delete gl:pr-edit', false),
    'list ls view show diff issues approvers': VIEW,
    checkout: does([
      { verb: 'fetch', action: 'git:fetch', kind: 'repository', value: 'origin' },
      { verb: 'change', action: 'git:checkout', kind: 'repository', value: '.' },
    ]),
  }),
}
const SIMPLE = (action: string): CommandSpec => ({
  subcommands: byName({
    'list ls view get show status export search': VIEW,
    'create new set update edit close reopen add note upload trigger': on(`change ${action}`),
    'delete remove': on(`delete ${action}`, false),
  }),
})

const glab = tool('gl', {
  ...GRAMMAR,
  options: { ...DATA, ...takes('-R --repo') },
  subcommands: byName({
    mr: MERGE_REQUEST,
    issue: SIMPLE('gl:issue'),
    release: {
      subcommands: byName({
        'create upload': on('publish gl:release', false),
        delete: on('delete gl:release', false),
        'list view download': VIEW,
      }),
    },
    repo: {
      subcommands: byName({
        'create fork': on('publish gl:repo-create'),
        delete: on('delete gl:repo-delete', false),
        'transfer archive mirror members update': on('change gl:repo-edit'),
        'view list search contributors': VIEW,
        clone: does([
          { verb: 'fetch', action: 'git:clone', kind: 'repository', at: 0 },
          { verb: 'write', action: 'git:clone', kind: 'path', at: 1, value: '.' },
        ]),
      }),
    },
    ci: {
      subcommands: byName({
        'run trigger retry create run-trig': on('change gl:workflow-run'),
        'list view status trace lint get artifact config': VIEW,
        'cancel delete': on('change gl:run', false),
      }),
    },
    'variable securefile': SIMPLE('gl:secret'),
    'ssh-key gpg-key deploy-key token': SIMPLE('gl:key'),
    'label snippet schedule milestone incident iteration': SIMPLE('gl:issue'),
    api: refined(api, {
      flags: list('-i --include --paginate --silent'),
      options: takes('-X --method -f --raw-field -F --field -H --header --input --hostname'),
    }),
    auth: {
      subcommands: byName({
        status: does(
          [
            { verb: 'read', action: 'gl:read', kind: 'account', value: 'gitlab', when: (parsed) => !parsed.flag('-t', '--show-token') },
            {
              verb: 'read',
              action: 'secret:read',
              kind: 'account',
              value: 'gitlab',
              when: (parsed) => parsed.flag('-t', '--show-token'),
            },
          ],
          { flags: list('-t --show-token') },
        ),
        'login logout configure-docker': does({ verb: 'change', action: 'gl:auth', kind: 'account', value: 'gitlab' }),
      }),
    },
    alias: {
      ...does({ verb: 'change', action: 'tool:config', kind: 'variable', value: 'glab' }),
      flags: list('-s --shell'),
      operands: ['data'],
      subcommands: {
        set: {
          flags: list('-s --shell'),
          operands: ['data'],
          refine: (parsed, context) => {
            const [name, line] = parsed.operands
            context.emit('change', context.thing('variable', 'glab'), {
              action: 'tool:config',
              ...(name === undefined ? {} : { span: name.span }),
            })
            // It runs when it is called, whenever that is.
            const text = parsed.flag('-s', '--shell') ? line?.text : /^!(.*)$/s.exec(line?.text ?? '')?.[1]
            if (line !== undefined && text !== undefined) context.shell(text, line.span, 'glab')
          },
        },
      },
    },
    'config completion check-update': {
      ...does({ verb: 'change', action: 'tool:config', kind: 'variable', value: 'glab' }),
      operands: ['data'],
    },
  }),
  aliases: { project: 'repo', pipe: 'ci', pipeline: 'ci', var: 'variable' },
})

const tea = tool('gl', {
  ...GRAMMAR,
  subcommands: byName({
    'pr pulls pull': MERGE_REQUEST,
    'issue issues comment milestone milestones label labels time times': { ...SIMPLE('gl:issue'), ...VIEW },
    'release releases': {
      subcommands: byName({
        create: on('publish gl:release', false),
        edit: on('publish gl:release'),
        delete: on('delete gl:release', false),
        'list ls assets': VIEW,
      }),
    },
    'repo repos': {
      subcommands: byName({
        'create fork migrate': on('publish gl:repo-create'),
        delete: on('delete gl:repo-delete', false),
        'list ls search': VIEW,
      }),
    },
    'whoami notifications open logins': { ...VIEW, operands: ['data'] },
    'login logout': { ...does({ verb: 'change', action: 'gl:auth', kind: 'account', value: 'gitea' }), operands: ['data'] },
    admin: { ...on('change gl:api', false) },
    clone: VIEW,
  }),
})

export const gitlab: CommandTable = { glab, tea }
