import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { installs, LISTS, removes } from '../packages/packages.ts'
import { byName, does, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { followPlaybook } from './playbooks.ts'

/** Configuration management: ansible, salt, puppet, chef. */

const ANSIBLE_FLAGS = list(
  '-b --become -K --ask-become-pass -k --ask-pass -J --ask-vault-pass -v -vv -vvv -vvvv --list-hosts --list-tasks ' +
    '--list-tags --syntax-check --step --force-handlers --flush-cache -o --one-line -C --check -D --diff',
)
const ANSIBLE_OPTIONS = {
  ...takes(
    '-e --extra-vars -f --forks -l --limit -t --tags --skip-tags --start-at-task -u --user -c --connection -T --timeout ' +
      '--become-method --become-user --vault-id -B --background -P --poll -M --module-path -m --module-name -a --args ' +
      '--ssh-common-args --ssh-extra-args',
  ),
  ...takes('--private-key --key-file --vault-password-file', 'read'),
}

/** Hosts of `-i` and the pattern; `localhost` runs here. */
function isLocal(parsed: ParsedCommand, pattern: string | null): boolean {
  return (
    pattern === 'localhost' ||
    parsed.value('-c', '--connection')?.text === 'local' ||
    parsed.value('-i', '--inventory')?.text === 'localhost,'
  )
}

function adHoc(parsed: ParsedCommand, context: CommandContext): void {
  const pattern = parsed.operands[0] ?? knownWord('all', parsed.invocation.span)
  const module = parsed.value('-m', '--module-name')?.text ?? 'command'
  const local = isLocal(parsed, pattern.text)
  const harmless = ['ping', 'setup', 'debug', 'stat', 'gather_facts', 'ansible.builtin.ping', 'ansible.builtin.setup'].includes(module)
  context.emit(harmless ? 'fetch' : 'execute', context.thing('host', nameOf(pattern)), {
    action: harmless ? 'net:contact' : 'net:remote-shell',
    attributes: { module, local },
  })
  const args = parsed.value('-a', '--args')
  const name = module.slice(module.lastIndexOf('.') + 1)
  if (args === null || !['command', 'shell', 'raw', 'script'].includes(name)) return
  context.within({ attributes: { host: known(pattern) }, remote: !local }, (inside) => inside.shell(args.text, args.span, 'ansible'))
}

function playbook(parsed: ParsedCommand, context: CommandContext): void {
  const checks = parsed.flag('-C', '--check')
  for (const word of parsed.operands) {
    context.emit('read', context.path(word), { action: 'ansible:playbook', span: word.span })
    const attributes = { playbook: known(word), limit: known(parsed.value('-l', '--limit')), become: parsed.flag('-b', '--become') }
    if (checks) context.emit('fetch', context.thing('host', 'inventory'), { action: 'tf:plan', attributes })
    else if (!followPlaybook(word, context, isLocal(parsed, null)))
      context.emit('execute', context.thing('host', isLocal(parsed, null) ? 'localhost' : 'inventory'), {
        action: 'net:remote-shell',
        span: word.span,
        attributes,
      })
  }
}

const ANSIBLE: CommandSpec = {
  flags: ANSIBLE_FLAGS,
  options: { ...ANSIBLE_OPTIONS, ...takes('-i --inventory') },
  inert: list('--help -h --version --list-hosts'),
}
const PLAYBOOK: CommandSpec = refined(playbook, {
  ...ANSIBLE,
  inert: list('--help -h --version --list-hosts --list-tasks --list-tags --syntax-check'),
})

const GALAXY_INSTALL = does(
  {
    verb: 'execute',
    action: 'pkg:install',
    kind: 'package',
    from: 0,
    value: 'requirements.yml',
    attributes: { manager: 'ansible-galaxy', source: 'registry' },
  },
  {
    options: {
      ...takes('-r --role-file --requirements-file', 'read'),
      ...takes('-p --roles-path --collections-path -s --server --token --api-key'),
    },
    flags: list('-f --force -i --ignore-errors -n --no-deps -U --upgrade'),
  },
)
const GALAXY_GROUP: Readonly<Record<string, CommandSpec>> = byName({
  install: GALAXY_INSTALL,
  'list search info verify download': { ...LISTS, operands: ['data'] },
  'remove delete': does({ verb: 'change', action: 'pkg:remove', kind: 'package', from: 0 }),
  'publish import setup': does({ verb: 'publish', action: 'galaxy:publish', kind: 'package', at: 0, value: '.' }),
  'init build': does({ verb: 'execute', action: 'dev:build', kind: 'package', at: 0, value: '.' }),
})
const galaxy = tool('ansible', { subcommands: byName({ ...GALAXY_GROUP, 'role collection': { subcommands: GALAXY_GROUP } }) })

const _VAULT_READ = does(
  { verb: 'read', action: 'secret:read', kind: 'path', from: 0 },
  { options: takes('--vault-id --vault-password-file --output') },
)
/** Runs functions on machines: `salt '*' cmd.run 'x'`. */
const SALT: CommandSpec = refined(
  (parsed, context) => {
    const [target, call, ...rest] = parsed.operands
    const name = call === undefined ? 'state.apply' : nameOf(call)
    const harmless = /^(?:test\.ping|grains\.|status\.|sys\.(?:doc|list))/.test(name) || parsed.flag('-d', '--doc')
    context.emit(harmless ? 'fetch' : 'execute', context.thing('host', target === undefined ? 'minions' : nameOf(target)), {
      action: harmless ? 'net:contact' : 'net:remote-shell',
      attributes: { function: name },
    })
    const command = rest[0]
    if (name.startsWith('cmd.') && command !== undefined)
      context.within({ attributes: { host: known(target) }, remote: true }, (inside) => inside.shell(command.text, command.span, 'salt'))
  },
  {
    flags: list('-E -L -G -I -C -N -v --async -d --doc --static'),
    options: takes('-t --timeout -b --batch --out --config-dir -c'),
    inert: list('--help --version'),
  },
)

const APPLY_LOCAL: CommandSpec = does(
  { verb: 'execute', action: 'tf:apply', kind: 'resource', value: 'this machine' },
  { operands: ['data'], inert: list('--help --version --noop -W --why-run') },
)
const puppet = tool('tf', {
  subcommands: byName({
    'apply agent': APPLY_LOCAL,
    module: {
      subcommands: byName({
        'list search': { ...LISTS, operands: ['data'] },
        'install upgrade': installs({ manager: 'puppet', manifest: 'Puppetfile' }),
        uninstall: removes('puppet'),
      }),
    },
    'parser facts config lookup describe resource help': { ...LISTS, operands: ['data'] },
    'node cert ssl': does(
      { verb: 'change', action: 'tf:state', kind: 'resource', value: 'puppet', reversible: false },
      { operands: ['data'] },
    ),
  }),
})
const KNIFE_CHANGE = does({ verb: 'change', action: 'tf:apply', kind: 'resource', at: 0, value: 'chef' }, { operands: ['data'] })

const knife = tool('tf', {
  options: takes('-z -c --config -s --server-url -k --key -E -F'),
  subcommands: byName({
    'list show status search diff': { ...LISTS, operands: ['data'] },
    ssh: does({ verb: 'execute', action: 'net:remote-shell', kind: 'host', at: 0 }, { stopAtOperand: true }),
    'cookbook node role environment client user data tag acl': {
      subcommands: byName({
        'list show search diff bag-list': { ...LISTS, operands: ['data'] },
        'delete bulk purge': does(
          { verb: 'delete', action: 'tf:destroy', kind: 'resource', at: 0, value: 'chef' },
          { flags: ['-y', '-a'] },
        ),
      }),
      ...KNIFE_CHANGE,
    },
    'bootstrap upload download': KNIFE_CHANGE,
  }),
})

export const provisioning: CommandTable = byName({
  ansible: refined(adHoc, ANSIBLE),
  'ansible-playbook': PLAYBOOK,
  'ansible-galaxy': galaxy,
  'ansible-pull': refined(
    (parsed, context) => {
      const url = parsed.value('-U', '--url')
      context.emit('execute', url === null ? context.thing('code', 'playbook') : context.url(url), {
        action: 'code:remote',
        reversible: false,
      })
    },
    { options: takes('-U --url -C --checkout -d --directory -i --inventory -e --extra-vars'), inert: list('--help --version') },
  ),
  'ansible-inventory ansible-doc ansible-lint ansible-config molecule': {
    ...LISTS,
    operands: ['data'],
    inert: list('--help --version'),
  },
  'salt salt-ssh': SALT,
  'salt-call': APPLY_LOCAL,
  'chef-client chef-solo chef-apply cinc-client': APPLY_LOCAL,
  puppet,
  knife,
  'ansible-console': does(
    { verb: 'execute', action: 'net:remote-shell', kind: 'host', at: 0, value: 'inventory' },
    { options: takes('-i -l -u'), inert: ['--help', '-h', '--version', '--list-hosts'] },
  ),
})
