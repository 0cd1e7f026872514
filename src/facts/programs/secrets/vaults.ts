import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { inferredAct } from '../unknown/unknown.ts'

/**
 * Stores of secrets. What prints a secret is `secret:read` (or `secret:export` for many), what changes one `secret:change`;
 * listing names and asking for the state of the store emits nothing.
 */

const HELP = ['--help', '--version', '-h', '-v']

interface Vault {
  /** Words whose presence as the verb prints secrets, changes the store, or runs a command with secrets after `--`. */
  readonly reads: string
  readonly quiet: string
  readonly runs?: string
  readonly valued?: string
  /** Operands alone, without a verb, print a secret: `pass mail/work`. */
  readonly bare?: boolean
  /** Long options begin with one dash. */
  readonly singleDash?: boolean
  /** Nested words under which nothing is a secret, whatever is read: rules and settings of the store. */
  readonly plain?: readonly string[]
  /** The store tells nothing by its verb alone: the second word decides (`vault kv get`). */
  readonly nested?: readonly string[]
}

const LISTING = /^(?:get|list)$/
const textOf = (word: Word | undefined): string => word?.text ?? ''

function vault({ reads, quiet, runs = '', valued = '', bare = false, nested = [], plain = [], singleDash = false }: Vault): CommandSpec {
  const reading = new Set(list(reads))
  const silent = new Set(list(quiet))
  const running = new Set(list(runs))
  const meaningOf = (word: string | null, words: readonly Word[]): 'unknown' | 'run' | 'read' | 'use' | 'change' | 'nothing' => {
    if (word === null) return 'unknown'
    if (running.has(word)) return 'run'
    if (reading.has(word)) return 'read'
    if (bare && !silent.has(word) && !CHANGES.has(word)) return 'use'
    return !alters(words) && (silent.has(word) || words.slice(0, 3).some((each) => LISTS.has(textOf(each)))) ? 'nothing' : 'change'
  }
  return {
    options: takes(valued),
    operands: ['data'],
    inert: HELP,
    singleDashLong: singleDash,
    refine: (parsed, context) => {
      const [first, second, third] = parsed.operands
      const group = textOf(first)
      const verb = nested.includes(group) ? (second ?? first) : first
      const { name } = parsed.invocation
      const config = (what: string): void => context.emit('read', context.thing('resource', `${name} ${what}`), { action: 'tool:config' })
      if (verb === undefined) return bare ? undefined : usesSecret(parsed, context)
      if (verb.text === 'metadata' && LISTING.test(textOf(third))) return config('metadata')
      switch (meaningOf(verb.text, parsed.operands)) {
        case 'unknown':
          return context.opaque(`what \`${name}\` does is not known before it runs`, verb.span)
        case 'run':
          return runsWith(parsed, context)
        case 'read':
          return verb !== first && plain.includes(group) ? config(group) : usesSecret(parsed, context)
        case 'use':
          return usesSecret(parsed, context)
        case 'change':
          return context.emit('change', context.thing('resource', `${name} store`), { action: 'secret:change', span: verb.span })
      }
    },
  }
}

const CHANGES: ReadonlySet<string> = new Set(list('insert add generate edit rm remove delete mv rename cp copy init import git otp'))

/** Words after a quiet verb that change all the same: `projects delete`. */
const ALTERS: ReadonlySet<string> = new Set(
  list('create delete update set rm remove edit add revoke disable enable move upload rotate clone'),
)

/** By the word after the group, and by what deeper ones claim: `vault user grant`. */
const alters = (words: readonly Word[]): boolean => ALTERS.has(textOf(words[1])) || inferredAct(words)?.what.includes(' ') === true

/** What is told of the store: names, versions, how it goes. */
const LISTS: ReadonlySet<string> = new Set(
  list('list ls help status info version version-history changelog usage history whoami state docs'),
)

function usesSecret(parsed: ParsedCommand, context: CommandContext): void {
  const what = parsed.operands.at(-1)?.text ?? parsed.invocation.name
  context.emit('read', context.thing('resource', what), { action: 'secret:read', attributes: { store: parsed.invocation.name } })
}

/** `op run -- command`: the command gets the secrets in its environment. */
function runsWith(parsed: ParsedCommand, context: CommandContext): void {
  const at = parsed.invocation.args.findIndex((word) => word.text === '--')
  const command = at < 0 ? parsed.operands.slice(1) : parsed.invocation.args.slice(at + 1)
  if (command.length > 0) context.command(command, parsed.invocation.name)
}

const PASS = vault({ reads: 'show grep', quiet: 'ls list find search version help', bare: true })

/** Asked by docker or git; what `get` prints is the secret itself. */
const CREDENTIAL_HELPER = vault({ reads: 'get fill', quiet: 'list version' })

/** Scanners show the secrets that they find: what they look through counts. */
function scans(parsed: ParsedCommand, context: CommandContext): void {
  const [mode, ...rest] = parsed.operands
  const given = parsed.values('-s', '--source')
  const places = given.length > 0 ? given : /^(?:filesystem|dir|directory|file)$/.test(mode?.text ?? '') ? rest : []
  for (const word of places) readPath(context, word, { attributes: { recursive: true } })
}

export const vaults: CommandTable = byName({
  'pass gopass': {
    ...PASS,
    refine: (parsed, context) => {
      const { args } = parsed.invocation
      if (args[0]?.text === 'git') context.command(args, 'pass')
      else PASS.refine?.(parsed, context)
    },
  },
  op: vault({
    reads: 'read get inject',
    quiet: 'list ls signin signout whoami account vault user group update completion help',
    runs: 'run',
    nested: list('item document'),
    valued: '--vault --account --fields --format --env-file --session',
  }),
  'bw rbw': vault({
    // `list items` prints the items, passwords and all.
    reads: 'get export unlock list',
    quiet: 'status sync login logout lock config help update completion',
    valued: '--session --organizationid',
  }),
  lpass: vault({ reads: 'show export', quiet: 'ls status login logout sync', valued: '--color' }),
  'vault bao': vault({
    reads: 'read get unwrap print',
    quiet: 'status list login version path-help monitor',
    nested: list('kv token secrets auth policy lease operator'),
    plain: list('policy secrets auth'),
    singleDash: true,
    valued: '-address -namespace -format -field -mount -token -versions -cas -ttl',
  }),
  doppler: vault({
    reads: 'get download secrets',
    quiet: 'projects environments configs setup login logout me update activity',
    runs: 'run',
    nested: ['secrets'],
    valued: '-p -c -t --project --config --token --format',
  }),
  infisical: vault({
    reads: 'export get secrets',
    quiet: 'login init user scan',
    runs: 'run',
    nested: ['secrets'],
    valued: '--env --path --projectId --token',
  }),
  chamber: vault({ reads: 'read export env', quiet: 'list list-services history version', runs: 'exec' }),
  sops: {
    flags: list('-d -e -i -r --decrypt --encrypt --in-place --rotate'),
    options: { ...takes('--input-type --output-type --extract --kms --pgp --age --config'), '--output': 'write' },
    inert: HELP,
    refine: (parsed, context) => {
      const [verb, file, command] = parsed.operands
      if (/^exec-(?:env|file)$/.test(verb?.text ?? '')) {
        if (file !== undefined) context.emit('read', context.path(file), { span: file.span })
        if (command !== undefined) context.shell(command.text, command.span, 'sops')
        return
      }
      if (parsed.flag('-d', '--decrypt') || parsed.operands[0]?.text === 'decrypt') usesSecret(parsed, context)
      // What is encrypted is shown to nobody.
      const locks = parsed.flag('-e', '--encrypt') || verb?.text === 'encrypt'
      for (const word of locks ? [] : parsed.operands) context.emit('read', context.path(word), { span: word.span })
      const last = parsed.operands.at(-1)
      if (locks && parsed.flag('-i', '--in-place') && last !== undefined) context.emit('write', context.path(last), { span: last.span })
    },
  },
  'ansible-vault': {
    operands: ['data'],
    options: { ...takes('--vault-id --encrypt-vault-id --output'), '--vault-password-file': 'read' },
    inert: HELP,
    refine: (parsed, context) => {
      const verb = parsed.operands[0]?.text ?? 'view'
      if (/^(?:view|decrypt|edit)$/.test(verb)) usesSecret(parsed, context)
      else if (verb !== 'encrypt_string')
        for (const word of parsed.operands.slice(1)) context.emit('write', context.path(word), { action: 'secret:change', span: word.span })
    },
  },
  'keepassxc-cli kpcli': vault({
    reads: 'show clip export attachment-export',
    quiet: 'ls locate search db-info analyze diceware generate estimate help',
    valued: '-k -a -y',
  }),
  keyring: vault({ reads: 'get', quiet: 'diagnose --list-backends', valued: '-p -b --keyring-path --keyring-backend --mode' }),
  'docker-credential-osxkeychain docker-credential-secretservice docker-credential-pass docker-credential-wincred docker-credential-desktop':
    CREDENTIAL_HELPER,
  'git-credential-store git-credential-osxkeychain git-credential-libsecret git-credential-manager': CREDENTIAL_HELPER,
  'secret-tool': vault({ reads: 'lookup search', quiet: '' }),
  'kwallet-query': { options: takes('-f -r -w -l'), operands: ['data'], refine: usesSecret },
  'aws-vault saml2aws aws-okta': vault({ reads: 'export', quiet: 'list login', runs: 'exec' }),
  'git-crypt': vault({ reads: 'export-key unlock', quiet: 'status version lock' }),
  'berglas credstash conjur summon teller': vault({ reads: 'access get getall variable', quiet: 'list', runs: 'exec run' }),
  envchain: {
    flags: list('--set -s --list -l --noecho -n --unset'),
    inert: HELP,
    stopAtOperand: true,
    refine: (parsed, context) => {
      if (parsed.flag('--set', '-s', '--unset'))
        context.emit('change', context.thing('resource', 'envchain store'), { action: 'secret:change' })
      else if (!parsed.flag('--list', '-l') && parsed.operands.length > 1) context.command(parsed.operands.slice(1), 'envchain')
    },
  },
  trufflehog: { operands: ['data'], flags: ['--only-verified', '--json', '--no-verification'], inert: HELP, refine: scans },
  gitleaks: {
    operands: ['data'],
    flags: list('--no-git --verbose -v --staged --no-banner'),
    options: {
      ...takes('-s --source -c --config -b --baseline-path -f --report-format -l --log-level --log-opts'),
      '-r': 'write',
      '--report-path': 'write',
    },
    effects: [{ verb: 'execute', action: 'dev:lint', target: { kind: 'resource', value: 'gitleaks' } }],
    inert: HELP,
    refine: scans,
  },
  dashlane: vault({ reads: 'password p otp note', quiet: 'sync logout' }),
  dcli: vault({ reads: 'password p otp note exec read', quiet: 'sync logout team' }),
})
