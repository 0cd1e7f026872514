import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Role, Word } from '../../host.ts'
import { deletePath, reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { byName, list, runsLine, sayClaim, takes } from '../tool.ts'

/**
 * Keys, certificates, encryption.
 * Actions: secret:export (private keys leave their store) · secret:change · secret:read · net:tls · net:listen · net:resolve.
 */

const HELP = ['--help', '--version']

const READS = list(
  '-in -inkey -key -CA -CAkey -CAfile -cert -certfile -config -signature -sigfile -prverify -verify -sign -content -chain -untrusted -rand',
)
const WRITES = list('-out -keyout -outkey -writerand -CRLfile')

function roles(names: readonly string[], role: Role): Readonly<Record<string, Role>> {
  return Object.fromEntries(names.map((name) => [name, role]))
}

const OPENSSL_VALUED = takes(
  '-connect -host -port -servername -proxy -starttls -cipher -ciphersuites -alpn -subj -days -newkey -algorithm -pkeyopt ' +
    '-passin -passout -pass -K -iv -S -md -iter -inform -outform -keyform -certform -name -nameopt -extensions -reqexts ' +
    '-addext -set_serial -accept -verify_return -verify_hostname -CApath -curves -groups -sess_out -sess_in -engine ' +
    '-provider -provider-path -propquery -curve -salt',
)

const CIPHER = /^-?(?:aes|aria|bf|blowfish|camellia|cast|chacha|des|idea|rc2|rc4|seed|sm4)/

/** `openssl enc -d -aes-256-cbc`. */
function deciphers(name: string, parsed: ParsedCommand): boolean {
  if (!parsed.flag('-d') || !(name === 'enc' || CIPHER.test(name))) return false
  return parsed.invocation.args.some(({ prefix }) => CIPHER.test(prefix))
}

/** An engine or provider is a library that is loaded. */
function loadsLibrary(library: Word | null, context: CommandContext): void {
  if (library !== null && (library.text === null || library.text.includes('/')))
    context.emit('execute', context.path(library), { action: 'code:library', span: library.span })
}

const openssl: CommandSpec = {
  flags: list(
    '-d -e -a -A -base64 -salt -nosalt -pbkdf2 -nodes -noenc -noout -text -x509 -new -pubout -pubin -showcerts -brief ' +
      '-quiet -debug -hex -binary -r -c -p -P -des3 -aes256 -aes-256-cbc -aes128 -sha256 -sha1 -sha512 -md5 -batch -selfsign ' +
      '-tls1_2 -tls1_3 -no_tls1 -crlf -ign_eof -WWW -www -HTTP -verify_return_error -dates -issuer -subject -fingerprint ' +
      '-serial -modulus -check -legacy -nocerts -nokeys -export -signer',
  ),
  options: { ...OPENSSL_VALUED, ...roles(READS, 'read'), ...roles(WRITES, 'write') },
  singleDashLong: true,
  operands: ['data'],
  inert: ['-help', '--help', '-version'],
  refine: (parsed, context) => {
    const [command, ...words] = parsed.operands
    const name = command?.text ?? ''
    const host = parsed.value('-connect', '-host', '-proxy')
    if (name === 's_client' && host !== null) {
      reachUrl(context, host, { verb: 'send', action: 'net:tls' })
      reachUrl(context, host, { verb: 'fetch', action: 'net:tls' })
    } else if (name === 's_server') {
      context.emit('change', context.thing('host', parsed.value('-accept', '-port')?.text ?? '4433'), { action: 'net:listen' })
    } else if (deciphers(name, parsed)) {
      unlocked(parsed, context, parsed.value('-in') ?? undefined)
    } else if (/^(?:dgst|sha\d*|md5|asn1parse|verify|crl|x509)$/.test(name)) for (const word of words) readPath(context, word)
    if (FLAGGED.test(name)) swallowed(parsed, context)
    loadsLibrary(parsed.value('-engine', '-provider-path'), context)
  },
}

/** Commands where `-sign` and `-verify` name no file: what stands behind them is an option with a value of its own. */
const FLAGGED = /^(?:pkeyutl|rsautl|cms|smime)$/

function swallowed(parsed: ParsedCommand, context: CommandContext): void {
  const { args } = parsed.invocation
  for (const [at, { text }] of args.entries()) {
    const [option, file] = [args[at + 1], args[at + 2]]
    if ((text === '-sign' || text === '-verify') && READS.includes(option?.text ?? '') && file !== undefined) readPath(context, file)
  }
}

const gpg: CommandSpec = {
  flags: list(
    '-a -b -c -d -e -k -K -n -q -s -v --armor --batch --yes --no-tty --quiet --sign --encrypt --decrypt --symmetric ' +
      '--verify --clearsign --clear-sign --detach-sign --list-keys --list-secret-keys --list-public-keys --fingerprint ' +
      '--with-colons --import --export --export-secret-keys --export-secret-subkeys --delete-keys --delete-secret-keys ' +
      '--delete-secret-and-public-key --gen-key --generate-key --full-generate-key --quick-generate-key --edit-key ' +
      '--recv-keys --receive-keys --send-keys --search-keys --refresh-keys --dearmor --enarmor --card-status --check-sigs ' +
      '--list-sigs --list-packets --gen-random --print-md --export-ownertrust --import-ownertrust --export-ssh-key ' +
      '--multifile --no-default-keyring',
  ),
  options: {
    ...takes(
      '-r -u -N -z --recipient --local-user --homedir --keyserver --keyring --secret-keyring --passphrase --pinentry-mode ' +
        '--trust-model --cipher-algo --digest-algo --compress-algo --status-fd --logger-fd --command-fd --passphrase-fd ' +
        '--options --default-key --agent-program',
    ),
    '--passphrase-file': 'read',
    '-o': 'write',
    '--output': 'write',
  },
  inert: [...HELP, '-h', '-n', '--dry-run'],
  refine: (parsed, context) => {
    const secret = context.thing('resource', 'private keys')
    if (parsed.flag('--export-secret-keys', '--export-secret-subkeys')) context.emit('read', secret, { action: 'secret:export' })
    else if (parsed.flag('--delete-secret-keys', '--delete-secret-and-public-key'))
      context.emit('delete', secret, { action: 'secret:change' })
    else if (parsed.flag(...KEY_SERVER)) keyServer(parsed, context)
    else onKeyRing(parsed, context)
  },
}

const KEY_SERVER = list('--recv-keys --receive-keys --search-keys --refresh-keys --send-keys')
const KEY_RING = list('--delete-keys --edit-key --gen-key --generate-key --full-generate-key --import --import-ownertrust')
/** Modes whose operands name keys, not files. */
const KEY_NAMES = list(
  '-k -K --list-keys --list-secret-keys --fingerprint --export --edit-key --delete-keys --list-sigs --check-sigs --gen-random --export-ssh-key',
)

function onKeyRing(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.flag(...KEY_RING)) context.emit('change', context.thing('resource', 'key ring'), { action: 'gpg:keys' })
  for (const word of parsed.flag(...KEY_NAMES) ? [] : parsed.operands) encrypted(parsed, context, word)
}

/** Modes that put the name of whoever holds the key under a file. */
const SIGNS = list('-s -b --sign --detach-sign --clearsign --clear-sign')

/** What somebody locked away is shown; where it goes into a file or a program, that is looked at. */
function unlocked(parsed: ParsedCommand, context: CommandContext, word: Word | undefined): void {
  if (parsed.invocation.piped || parsed.value('-o', '--output', '-out') !== null) return
  const what = context.thing('resource', word?.text ?? 'what is encrypted')
  context.emit('read', what, { action: 'secret:read', ...(word === undefined ? {} : { span: word.span }) })
}

function encrypted(parsed: ParsedCommand, context: CommandContext, word: ParsedCommand['operands'][number]): void {
  readPath(context, word)
  if (parsed.flag('-d', '--decrypt')) unlocked(parsed, context, word)
  const signs = parsed.flag(...SIGNS)
  if (signs) context.emit('execute', context.thing('resource', word.text ?? word.prefix), { action: 'sign:file', span: word.span })
  const makes = parsed.flag('-e', '-c', '-s', '-b', '--encrypt', '--symmetric', '--sign', '--detach-sign', '--clearsign', '--clear-sign')
  if (makes && parsed.value('-o', '--output') === null && word.text !== null) writePath(context, wordOf(`${word.text}.gpg`, word))
}

function keyServer(parsed: ParsedCommand, context: CommandContext): void {
  const server = parsed.value('--keyserver')
  const verb = parsed.flag('--send-keys') ? 'publish' : 'fetch'
  if (server === null) context.emit(verb, context.thing('host', 'default key server'), { action: 'gpg:keyserver' })
  else reachUrl(context, server, { verb, action: 'gpg:keyserver' })
}

const age: CommandSpec = {
  flags: list('-e -d -p -a --encrypt --decrypt --passphrase --armor'),
  options: { ...takes('-r --recipient'), '-i': 'read', '--identity': 'read', '-R': 'read', '-o': 'write', '--output': 'write' },
  operands: ['read'],
  inert: HELP,
  refine: (parsed, context) => {
    if (parsed.flag('-d', '--decrypt')) unlocked(parsed, context, parsed.operands[0])
  },
}

const keystore: CommandSpec = {
  flags: list('-v -rfc -noprompt -trustcacerts'),
  options: {
    ...takes('-alias -storepass -keypass -storetype -dname -validity -keyalg -keysize -srcstorepass -deststorepass -providerpath'),
    '-keystore': 'read',
    '-file': 'data',
    '-srckeystore': 'read',
    '-destkeystore': 'write',
  },
  singleDashLong: true,
  refine: (parsed, context) => {
    const modes = parsed.unknown.map((word) => word.text ?? '-delete')
    const file = parsed.value('-file')
    const store = parsed.value('-keystore')
    if (file !== null && modes.some((mode) => /^-(?:export|certreq)/.test(mode))) writePath(context, file)
    else if (file !== null) readPath(context, file)
    const changes = modes.some((mode) => /^-(?:delete|import|genkey|changealias|storepasswd|keypasswd|gensec)/.test(mode))
    if (store !== null && changes) writePath(context, store, { action: 'secret:change' })
  },
}

const certbot: CommandSpec = {
  operands: ['data'],
  flags: list('-n -d --dry-run --non-interactive --agree-tos --standalone --nginx --apache --force-renewal'),
  options: takes(
    '-d -m -w --email --domain --webroot-path --cert-name --config-dir --pre-hook --post-hook --deploy-hook --renew-hook ' +
      '--manual-auth-hook --manual-cleanup-hook',
  ),
  inert: [...HELP, '--dry-run'],
  refine: (parsed, context) => {
    for (const hook of parsed.values(
      ...'--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook'.split(' '),
    )) {
      context.shell(hook.text, hook.span, 'certbot')
    }
    const verb = parsed.operands[0]?.text ?? 'run'
    if (!/^(?:certificates|plugins|show_account)$/.test(verb))
      context.emit('change', context.thing('resource', 'certificates'), { action: 'service:certificate' })
  },
}

const KEYS: CommandSpec = {
  options: { '-o': 'write', '-s': 'write', '-p': 'write', '-y': 'read' },
  operands: ['read'],
  inert: HELP,
}

/** Programs that sign packages and programs; the words say whether they do. */
const SIGNERS: Readonly<Record<string, RegExp>> = {
  cosign: /^(?:sign|sign-blob|attest|attest-blob)$/,
  signtool: /^sign$/i,
  productsign: /^--sign$/,
  rpmsign: /^--(?:add|re)sign$/,
  debsign: /./,
  osslsigncode: /^sign$/,
  notation: /^sign$/,
}

const signer = (says: RegExp): CommandSpec => ({
  operands: ['data'],
  inert: HELP,
  refine: (parsed, context) => {
    const { invocation } = parsed
    const words = invocation.args.map(({ text, prefix }) => text ?? prefix)
    if (!words.some((word) => says.test(word))) return sayClaim(parsed, context)
    const what = words.findLast((word) => !word.startsWith('-')) ?? invocation.name
    context.emit('execute', context.thing('resource', what), { action: 'sign:file', attributes: { by: invocation.name } })
    // The signature of an image goes to its registry, and into a log that everybody can read.
    const stays = words.some((word) => word.endsWith('-blob') || word === '--upload=false')
    if (/^(?:cosign|notation)$/.test(invocation.name) && !stays)
      context.emit('publish', context.thing('resource', what), { action: 'docker:push' })
  },
})

export const crypto: CommandTable = byName({
  ...Object.fromEntries(Object.entries(SIGNERS).map(([name, says]) => [name, signer(says)])),
  jarsigner: {
    options: takes('-keystore -storepass -keypass -storetype -sigfile -signedjar -tsa -digestalg -sigalg'),
    flags: list('-verify -certs -verbose -strict'),
    singleDashLong: true,
    inert: [...HELP, '-verify'],
    refine: ({ operands: [jar] }, context) => {
      if (jar === undefined) return
      writePath(context, jar)
      context.emit('execute', context.thing('resource', jar.prefix), { action: 'sign:file' })
    },
  },
  openssl,
  'gpg gpg2 gpgv gpgsm': gpg,
  'age rage': age,
  'age-keygen': KEYS,
  'minisign signify': {
    ...KEYS,
    refine: ({ invocation, operands }, context) => {
      if (!invocation.args.some(({ text }) => /^-S/.test(text ?? ''))) return
      const [file] = operands
      context.emit('execute', context.thing('resource', file?.prefix ?? 'message'), { action: 'sign:file' })
    },
  },
  keytool: keystore,
  'certbot acme.sh': certbot,
  'certigo step cfssl mkcert': {
    operands: ['data'],
    inert: HELP,
    refine: (parsed, context) => {
      const words = parsed.invocation.args.map((word) => word.text?.toLowerCase() ?? '')
      const trusts = parsed.invocation.name === 'step' ? /^(?:install|revoke|provisioner|admin)$/ : /^[-/](?:install|addstore|a|t)$/
      if (words.some((word) => trusts.test(word)))
        context.emit('change', context.thing('resource', 'trusted certificates'), { action: 'security:change' })
    },
  },
  'ssh-agent': {
    flags: list('-c -s -D -d -k'),
    options: takes('-a -E -P -t -O'),
    stopAtOperand: true,
    refine: ({ operands }, context) => {
      if (operands.length > 0) context.command(operands, 'ssh-agent')
    },
  },
  // `gpg-agent --daemon command`: with the agent in its environment.
  'gpg-agent': runsLine({
    flags: '--daemon --server --supervised -q --quiet -v --verbose -s --sh -c --csh --enable-ssh-support --no-detach',
    valued: '--homedir --options --default-cache-ttl --max-cache-ttl --log-file --debug-level',
    programs: '--pinentry-program --scdaemon-program',
  }),
  'gpgconf gpg-connect-agent pinentry': { operands: ['data'], inert: HELP },
  'ccrypt mcrypt aescrypt': {
    options: takes('-K -k -p'),
    inert: HELP,
    refine: ({ operands }, context) => {
      for (const word of operands) {
        readPath(context, word)
        deletePath(context, word, { action: 'fs:encrypt', reversible: true })
      }
    },
  },
})
