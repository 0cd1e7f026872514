import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { changePath, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Who may do what: modes, owners, attributes of files, and accounts.
 * Actions: fs:chmod (attributes mode, recursive, setuid) · fs:chown · fs:acl · fs:attributes · security:disable (immutability
 * or quarantine taken off) · privilege:capability, privilege:grant, privilege:sudoers, privilege:switch · user:add, user:remove,
 * user:change, user:password.
 */

const HELP = ['--help', '--version']
const RECURSIVE = ['-R', '--recursive']

function recursive(parsed: ParsedCommand): JsonObject {
  return parsed.flag(...RECURSIVE) ? { recursive: true } : {}
}

/** `chmod -x f`: a mode that looks like an option. */
const DASH_MODE = /^-[rwxXstugo]+(?:,|$)/

function modeAndFiles(parsed: ParsedCommand): { readonly mode: Word | null; readonly files: readonly Word[] } {
  if (parsed.value('--reference') !== null) return { mode: null, files: parsed.operands }
  const dashed = parsed.unknown.find((word) => DASH_MODE.test(word.prefix))
  if (dashed !== undefined) return { mode: dashed, files: parsed.operands }
  return { mode: parsed.operands[0] ?? null, files: parsed.operands.slice(1) }
}

const chmod: CommandSpec = {
  flags: list('-R -f -v -c -h -H -L -P --recursive --silent --quiet --verbose --changes --no-preserve-root --preserve-root'),
  options: takes('--reference'),
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    const { mode, files } = modeAndFiles(parsed)
    const unknown = mode !== null && mode.text === null ? { reason: 'the mode is not known before it runs' } : {}
    for (const word of files) {
      changePath(context, word, { action: 'fs:chmod', ...unknown, attributes: { mode: mode?.text ?? null, ...recursive(parsed) } })
    }
  },
}

const chown: CommandSpec = {
  flags: list('-R -f -v -c -h -H -L -P -n -x --recursive --silent --verbose --changes --no-dereference --no-preserve-root'),
  options: takes('--reference --from'),
  inert: HELP,
  inertFirst: true,
  refine: (parsed, context) => {
    const referenced = parsed.value('--reference') !== null
    const owner = referenced ? null : (parsed.operands[0]?.text ?? null)
    const files = referenced ? parsed.operands : parsed.operands.slice(1)
    for (const word of files) changePath(context, word, { action: 'fs:chown', attributes: { owner, ...recursive(parsed) } })
  },
}

const chattr: CommandSpec = {
  flags: list('-R -V -f'),
  options: takes('-v -p'),
  stopAtOperand: false,
  refine: (parsed, context) => {
    const modes = [...parsed.unknown, ...parsed.operands.filter((word) => /^[+=]/.test(word.prefix))]
    const files = parsed.operands.filter((word) => !/^[+=]/.test(word.prefix))
    const mode = modes[0]?.text ?? null
    const off = modes.some((word) => /^-[A-Za-z]*[ia]/.test(word.prefix) || word.text === null)
    for (const word of files) {
      changePath(context, word, { action: off ? 'security:disable' : 'fs:attributes', attributes: { mode, ...recursive(parsed) } })
    }
  },
}

const xattr: CommandSpec = {
  flags: list('-l -r -s -v -x -c -d -w -p'),
  inert: ['-h', '--help'],
  refine: (parsed, context) => {
    const cleared = parsed.flag('-c')
    if (!cleared && !parsed.flag('-d', '-w')) return
    const quarantine = cleared || (parsed.flag('-d') && parsed.operands[0]?.text === 'com.apple.quarantine')
    const skip = cleared ? 0 : parsed.flag('-w') ? 2 : 1
    for (const word of parsed.operands.slice(skip)) {
      changePath(context, word, {
        action: quarantine ? 'security:disable' : 'fs:attributes',
        attributes: parsed.flag('-r') ? { recursive: true } : {},
      })
    }
  },
}

const setfacl: CommandSpec = {
  flags: list('-R -b -k -d -n --recursive --remove-all --remove-default --default --test'),
  options: { ...takes('-m -x --modify --remove'), '-M': 'read', '-X': 'read', '--restore': 'read', '--modify-file': 'read' },
  inert: [...HELP, '--test'],
  refine: (parsed, context) => {
    const acl = parsed.value('-m', '--modify', '-x', '--remove')?.text ?? null
    for (const word of parsed.operands) changePath(context, word, { action: 'fs:acl', attributes: { acl, ...recursive(parsed) } })
  },
}

const setcap: CommandSpec = {
  flags: list('-q -v -r -n'),
  inert: HELP,
  refine: (parsed, context) => {
    if (parsed.flag('-v')) return
    const removing = parsed.flag('-r')
    const files = removing ? parsed.operands : parsed.operands.slice(1)
    const capabilities = removing ? null : (parsed.operands[0]?.text ?? null)
    for (const word of files)
      changePath(context, word, { action: removing ? 'fs:attributes' : 'privilege:capability', attributes: { capabilities } })
  },
}

/** Groups whose members are, or easily become, root. */
const ROOT_GROUPS: ReadonlySet<string> = new Set(
  list('sudo wheel admin root docker lxd libvirt disk shadow adm kmem sudoers staff systemd-journal video'),
)

function grants(groups: Word | null): boolean {
  if (groups === null) return false
  return groups.text === null || groups.text.split(',').some((group) => ROOT_GROUPS.has(group))
}

interface AccountAct {
  readonly action: string
  readonly attributes?: JsonObject
}

function onAccount(context: CommandContext, word: Word | undefined, { action, attributes = {} }: AccountAct): void {
  const verb = action === 'user:remove' ? 'delete' : 'change'
  const target = context.thing('account', word?.text ?? word?.prefix ?? 'self')
  context.emit(verb, target, { action, attributes, ...(word === undefined ? {} : { span: word.span }) })
}

/** Account programs: options with values, the operand that names the account, and options that name groups. */
function account(
  action: string,
  valued: string,
  more: { readonly groups?: readonly string[]; readonly inert?: readonly string[] } = {},
): CommandSpec {
  const { groups = [], inert = [] } = more
  return {
    options: takes(`${valued} ${groups.join(' ')}`),
    inert: ['--help', '-h', '--version', ...inert],
    refine: (parsed, context) => {
      const wanted = parsed.value(...groups)
      const rootLike = parsed.value('-u', '--uid')?.text === '0'
      onAccount(context, parsed.operands.at(-1), { action, attributes: { groups: wanted?.text ?? null } })
      if (grants(wanted) || rootLike)
        onAccount(context, parsed.operands.at(-1), { action: 'privilege:grant', attributes: { groups: wanted?.text ?? null } })
    },
  }
}

const adduser: CommandSpec = {
  options: takes(
    '--home --shell --uid --gid --ingroup --gecos --comment --conf --firstuid --lastuid --firstgid --lastgid -h -s -u -G -g -k',
  ),
  flags: list('--system --disabled-password --disabled-login --group --quiet -D -S -H'),
  inert: ['--help', '--version'],
  refine: ({ operands: [user, group] }, context) => {
    onAccount(context, user, { action: 'user:add', attributes: { groups: group?.text ?? null } })
    if (grants(group ?? null)) onAccount(context, user, { action: 'privilege:grant', attributes: { groups: group?.text ?? null } })
  },
}

/** Databases of accounts by name; that of passwords is a file nobody else may read. */
const getent: CommandSpec = {
  options: takes('-s --service'),
  inert: HELP,
  refine: ({ operands: [database, ...keys] }, context) => {
    // Names of hosts are asked for over the network.
    const hosts = /^(?:ahosts(?:v[46])?|hosts)$/.test(database?.text ?? '') ? keys : []
    for (const word of hosts) context.emit('fetch', { ...context.url(word), kind: 'host' }, { action: 'net:resolve', span: word.span })
    if (database !== undefined && /^g?shadow$/.test(database.text ?? '')) readPath(context, wordOf(`/etc/${database.text}`, database))
  },
}

const gpasswd: CommandSpec = {
  options: takes('-a -d -A -M --add --delete'),
  inert: HELP,
  refine: (parsed, context) => {
    const group = parsed.operands[0] ?? null
    const user = parsed.value('-a', '--add', '-d', '--delete', '-M', '-A') ?? undefined
    onAccount(context, user, { action: 'user:change', attributes: { groups: group?.text ?? null } })
    if (grants(group) && parsed.value('-a', '--add', '-A', '-M') !== null) onAccount(context, user, { action: 'privilege:grant' })
  },
}

const ACCOUNT =
  '-c -d -e -f -p -s -u -Z -R -P --comment --home --expiredate --inactive --password --shell --uid --root --prefix --selinux-user'
const USERADD = `${ACCOUNT} -b -k -K --base-dir --home-dir --skel --key`
const USERMOD = `${ACCOUNT} -l -v -V -w -W --login --add-subuids --del-subuids --add-subgids --del-subgids`

const su: CommandSpec = {
  flags: list('- -l -m -p -P -T -f --fast --login --preserve-environment --pty --no-pty'),
  options: takes('-c --command --session-command -g -G -s --shell -w --whitelist-environment --group --supp-group'),
  inert: HELP,
  refine: (parsed, context) => {
    const [user, ...rest] = parsed.operands.filter((word, index) => index > 0 || word.text !== '-')
    onAccount(context, user, { action: 'privilege:switch', attributes: { user: user === undefined ? 'root' : user.text } })
    const script = parsed.value('-c', '--command', '--session-command')
    if (script !== null) context.shell(script.text, script.span, 'su')
    // What follows the user are the words of the shell.
    else if (rest.length > 0) context.command([knownWord('sh', parsed.invocation.span), ...rest], 'su')
    else context.stdin('shell')
  },
}

export const permissions: CommandTable = byName({
  'chmod gchmod': chmod,
  'chown chgrp gchown gchgrp lchown': chown,
  chattr,
  chflags: {
    ...chown,
    refine: ({ operands }, context) => {
      const off = /(?:^|,)no(?:uchg|schg|uappnd|sappnd|hidden)/.test(operands[0]?.text ?? 'nouchg')
      for (const word of operands.slice(1)) changePath(context, word, { action: off ? 'security:disable' : 'fs:attributes' })
    },
  },
  xattr,
  setfattr: {
    options: takes('-n -v -x --name --value --remove'),
    inert: HELP,
    refine: ({ operands }, context) => {
      for (const word of operands) changePath(context, word, { action: 'fs:attributes', attributes: { extended: true } })
    },
  },
  setfacl,
  setcap,
  umask: { inert: HELP },
  su,
  useradd: account('user:add', USERADD, { groups: ['-g', '-G', '--gid', '--groups'] }),
  usermod: account('user:change', USERMOD, { groups: ['-g', '-G', '--gid', '--groups'] }),
  adduser,
  addgroup: { ...adduser },
  userdel: account('user:remove', '-P -R --prefix --root'),
  deluser: account('user:remove', '--backup-to --backup-suffix --conf --home'),
  groupadd: account('user:change', '-g -K -p -P -R -U --gid --key --password --prefix --root --users'),
  groupmod: account('user:change', '-g -n -p -P -R -U --gid --new-name --password --prefix --root --users'),
  newusers: account('user:change', '-c -R -s --crypt-method --root --sha-rounds'),
  'groupdel delgroup': account('user:remove', '-P -R --prefix --root'),
  gpasswd,
  'passwd chpasswd chgpasswd': account(
    'user:password',
    '-i -n -w -x -c -r -R --crypt-method --inactive --maxdays --mindays --repository --root --warndays',
    {
      inert: ['-S', '--status'],
    },
  ),
  'chage chsh chfn': {
    ...account(
      'user:change',
      '-d -E -I -m -M -W -R -s --expiredate --inactive --lastday --maxdays --mindays --root --shell --warndays -f -o -r -h -p -w',
    ),
    inert: ['--help', '-l', '--list', '--list-shells'],
  },
  'visudo vipw vigr': {
    options: takes('-f -x'),
    inert: ['-c', '--check', '-V', '--version', '-h', '--help'],
    refine: (parsed, context) => {
      const file = parsed.value('-f')
      if (file !== null) writePath(context, file, { action: 'privilege:sudoers' })
      else context.emit('change', context.thing('account', 'sudoers'), { action: 'privilege:sudoers' })
    },
  },
  newgrp: { effects: [{ verb: 'change', action: 'privilege:switch', target: { kind: 'account', operand: 0, value: 'self' } }] },
  'id groups whoami who w users last lastlog lastb logname finger': { inert: HELP },
  getent,
})
