import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, insideOf, isDirectory, reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { readListed } from '../files/names.ts'
import { byName, list, nameOf, takes } from '../tool.ts'

/**
 * Copies between machines and the keys for it.
 * Actions: net:upload, net:download (attributes host, path, recursive) · fs:copy (both ends local) · ssh:key · ssh:authorize ·
 * ssh:agent · ssh:forget · archive:remove (sources removed) · fs:mirror (what is not in the source is deleted).
 */

const HELP = ['--help', '--version']

/** `user@host:path`, `host::module`, `scheme://host/path`; a `/` before the colon makes it a local name. */
function remoteOf(word: Word): { readonly host: Word; readonly path: string } | null {
  const known = word.prefix
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(known)) return { host: word, path: known }
  const bracket = known.indexOf(']')
  const colon = known.indexOf(':', known.includes('[') && bracket > 0 ? bracket : 0)
  if (colon <= 0 || known.slice(0, colon).includes('/')) return null
  const user = known.lastIndexOf('@', colon)
  return { host: wordOf(known.slice(user + 1, colon), word), path: known.slice(colon + 1) }
}

interface Copy {
  readonly sources: readonly Word[]
  readonly destination: Word
  readonly attributes: JsonObject
}

/** The file of this machine that an end of a copy is, where its host is this machine; what stands at another port may be another. */
function ownEnd(word: Word, context: CommandContext): Word | null {
  const remote = remoteOf(word)
  if (remote === null || word.text === null || remote.path.startsWith(':') || remote.path.includes('://')) return null
  if (context.remote || context.url(remote.host).scope !== 'loopback') return null
  const home = context.view.home
  return /^[/~]/.test(remote.path) ? wordOf(remote.path.replace(/^~(?=\/|$)/, home), word) : wordOf(`${home}/${remote.path}`, word)
}

/** How a source gets here, and the name that it has here. */
function arrival(source: Word, from: ReturnType<typeof remoteOf>): { readonly action: string; readonly named: Word } {
  return from === null ? { action: 'fs:copy', named: source } : { action: 'net:download', named: { ...source, text: from.path } }
}

/** From one machine to another what is sent is a file, though none of this machine. */
function carriedFrom(far: Word | undefined): JsonObject {
  return far === undefined ? {} : { carries: 'file', from: nameOf(far) }
}

/** Emits one copy: local reads and a sending, a fetch and local writes, or both ends local. */
function copy(context: CommandContext, { sources, destination, attributes }: Copy): void {
  const to = remoteOf(destination)
  const remote = sources.map(remoteOf)
  for (const [index, source] of sources.entries()) {
    const from = remote[index] ?? null
    const own = ownEnd(source, context)
    if (own !== null) readPath(context, own, { attributes, certainty: 'likely' })
    if (from === null) readPath(context, source, { attributes })
    else reachUrl(context, from.host, { verb: 'fetch', action: 'net:download', attributes: { ...attributes, path: from.path } })
  }
  if (to !== null) {
    const own = ownEnd(destination, context)
    if (own !== null) writePath(context, own, { attributes, certainty: 'likely' })
    const carried = own === null ? carriedFrom(sources.find((source) => remoteOf(source) !== null && ownEnd(source, context) === null)) : {}
    reachUrl(context, to.host, {
      verb: 'send',
      action: 'net:upload',
      attributes: { ...attributes, ...carried, path: to.path, remote: true },
    })
    return
  }
  const many = sources.length > 1 || isDirectory(context, destination)
  for (const [index, source] of sources.entries()) {
    const { action, named } = arrival(source, remote[index] ?? null)
    const word = many && !source.prefix.endsWith('/') ? insideOf(destination, named) : destination
    writePath(context, word, { action, attributes: { ...attributes, from: source.text ?? (source.prefix || null) } })
  }
}

/** ssh options that run a command on this machine. */
function sshCommands(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-o')) {
    const match = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|Match\s+exec)\s*[= ]\s*/i.exec(word.prefix)
    if (match === null) continue
    context.shell(word.text === null ? null : word.text.slice(match[0].length), word.span, parsed.invocation.name)
  }
  for (const word of parsed.values('-S')) context.command([word], parsed.invocation.name)
  for (const word of parsed.values('-J')) reachUrl(context, word, { verb: 'fetch', action: 'net:contact' })
}

const scp: CommandSpec = {
  flags: list('-3 -4 -6 -A -B -C -O -p -q -r -R -s -T -v'),
  options: takes('-c -D -F -i -J -l -o -P -S -X'),
  refine: (parsed, context) => {
    sshCommands(parsed, context)
    const destination = parsed.operands.at(-1)
    if (destination === undefined || parsed.operands.length < 2) return
    copy(context, { sources: parsed.operands.slice(0, -1), destination, attributes: parsed.flag('-r') ? { recursive: true } : {} })
  },
}

const DELETES = list('--delete --delete-before --delete-during --del --delete-after --delete-delay --delete-excluded --delete-missing-args')

const rsync: CommandSpec = {
  flags: list(
    '-a -v -q -c -r -R -b -u -d -l -L -k -K -H -p -E -A -X -o -g -t -O -J -S -n -W -x -m -C -0 -z -P -h -8 -i -F -s -y -I ' +
      `-4 -6 -D ${DELETES.join(' ')} --archive --verbose --recursive --relative --update --inplace --append --dirs --links ` +
      '--perms --owner --group --times --devices --specials --sparse --dry-run --whole-file --existing --ignore-existing ' +
      '--remove-source-files --remove-sent-files --force --partial --progress --compress --stats --list-only --numeric-ids ' +
      '--human-readable --itemize-changes --no-motd --prune-empty-dirs --checksum --ignore-errors --safe-links --copy-links ' +
      '--hard-links --from0 --fuzzy --delay-updates --cvs-exclude --one-file-system',
  ),
  options: {
    ...takes(
      '-e -f -B -T -M -@ --rsh --filter --exclude --include --rsync-path --block-size --timeout --contimeout --max-size --min-size --bwlimit',
    ),
    ...takes(
      '--port --suffix --chmod --chown --usermap --groupmap --info --debug --out-format --log-file-format --password-file --partial-dir',
    ),
    ...takes(
      '--compare-dest --copy-dest --link-dest --max-delete --modify-window --temp-dir --compress-level --skip-compress --iconv --address',
    ),
    ...takes('--sockopts --outbuf --protocol --stop-after --early-input --remote-option'),
    '--backup-dir': 'data',
    '--files-from': 'data',
    '--exclude-from': 'read',
    '--include-from': 'read',
    '--log-file': 'write',
    '--write-batch': 'write',
    '--read-batch': 'read',
  },
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-e', '--rsh')) remoteShell(word, context)
    if (parsed.flag('-n', '--dry-run', '--list-only')) return contacts(parsed, context)
    for (const word of parsed.values('--files-from')) listed(parsed, word, context)
    const destination = parsed.operands.at(-1)
    if (destination === undefined || parsed.operands.length < 2) return
    const sources = parsed.operands.slice(0, -1)
    const recursive = parsed.flag('-a', '-r', '--archive', '--recursive')
    const mirror = parsed.flag(...DELETES)
    const attributes = { ...(recursive ? { recursive } : {}), ...(mirror ? { mirror } : {}) }
    copy(context, { sources, destination, attributes })
    if (mirror && remoteOf(destination) === null) {
      deletePath(context, destination, { action: 'fs:mirror', certainty: 'likely', attributes: { recursive: true } })
    }
    const removed = parsed.flag('--remove-source-files', '--remove-sent-files') ? sources : []
    for (const word of removed) {
      if (remoteOf(word) === null)
        deletePath(context, word, { action: 'archive:remove', reversible: true, attributes: { recursive: true } })
    }
  },
}

/** A dry run copies nothing, but the program that carries the connection starts all the same. */
function contacts({ operands }: ParsedCommand, context: CommandContext): void {
  for (const { host } of operands.flatMap((word) => remoteOf(word) ?? [])) reachUrl(context, host, { verb: 'fetch', action: 'net:contact' })
}

/** Names of a list lie below the source. */
function listed({ operands: [root], invocation }: ParsedCommand, list: Word, context: CommandContext): void {
  if (root !== undefined && remoteOf(root) === null) readListed(context, invocation, { from: list, below: root })
  else if (list.text !== '-') readPath(context, list)
}

const PLAIN_SSH: ReadonlySet<string> = new Set(list('-4 -6 -a -C -k -T -x -q -t -p -i -l -c -F -o'))
const PLAIN_SETTING =
  /^(?:Port|User|IdentityFile|StrictHostKeyChecking|UserKnownHostsFile|ConnectTimeout|BatchMode|Compression|ServerAliveInterval)=/i

/** `-e 'ssh -p 2222'` names the program that carries the connection: ssh with plain options is expected, anything else is run. */
function remoteShell(word: Word, context: CommandContext): void {
  const [program = '', ...others] = word.text?.split(' ').filter((part) => part !== '') ?? []
  const plain = (part: string) => (part.startsWith('-') ? PLAIN_SSH.has(part) : /^[\w@./~+-]+$/.test(part) || PLAIN_SETTING.test(part))
  const expected = /^(?:\/usr\/bin\/)?ssh$/.test(program) && others.every(plain)
  if (!expected) context.shell(word.text, word.span, 'rsync')
}

/** A library for keys on hardware: its code runs. */
function loadsLibrary(word: Word, context: CommandContext): void {
  if (word.text !== 'internal') context.emit('execute', context.path(word), { action: 'code:load', span: word.span })
}

/** `-Y sign` signs with the key that `-f` names; its other words check signatures. */
function askKey(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) readPath(context, word)
  if (parsed.value('-Y')?.text === 'sign')
    context.emit('execute', context.thing('resource', parsed.operands[0]?.prefix ?? 'message'), { action: 'sign:file' })
}

const keygen: CommandSpec = {
  flags: list('-A -B -c -e -g -H -h -i -K -L -l -p -q -U -u -v -y'),
  options: takes('-a -b -C -D -E -F -f -I -M -m -N -n -O -P -R -r -s -t -V -w -Y -Z -z'),
  refine: (parsed, context) => {
    for (const word of parsed.values('-D', '-w')) loadsLibrary(word, context)
    const file = parsed.value('-f')
    const home = (name: string) => wordOf(`~/.ssh/${name}`, parsed.invocation.program)
    const name = parsed.value('-t')?.text === 'ed25519' ? 'id_ed25519' : 'id_rsa'
    if (parsed.value('-Y') !== null) askKey(parsed, context)
    else if (parsed.value('-R') !== null) writePath(context, file ?? home('known_hosts'), { action: 'ssh:forget' })
    else if (parsed.flag('-y', '-e')) readPath(context, file ?? home(name), { action: 'ssh:key' })
    else if (!parsed.flag('-l', '-B', '-L', '-H') && parsed.value('-F') === null && parsed.value('-D') === null)
      writePath(context, file ?? home(name), { action: 'ssh:key' })
  },
}

const copyId: CommandSpec = {
  flags: list('-f -n -s -x'),
  options: takes('-i -p -o -F -t'),
  inert: ['-h', '-?', '-n'],
  refine: (parsed, context) => {
    const [host] = parsed.operands
    sshCommands(parsed, context)
    if (host !== undefined) reachUrl(context, host, { verb: 'send', action: 'ssh:authorize', attributes: { remote: true } })
  },
}

const sshAdd: CommandSpec = {
  flags: list('-c -C -D -d -K -k -L -l -q -v -X -x'),
  options: takes('-E -e -H -h -s -S -T -t'),
  refine: (parsed, context) => {
    for (const word of parsed.values('-s', '-e', '-S')) loadsLibrary(word, context)
    if (parsed.flag('-l', '-L') || parsed.value('-T') !== null) return
    const removing = parsed.flag('-d', '-D')
    const key = parsed.operands[0]?.text ?? 'default keys'
    context.emit('change', context.thing('resource', key), { action: 'ssh:agent', attributes: removing ? { removes: true } : {} })
  },
}

/** Programs that upload what they are given: magic-wormhole, croc, transfer.sh clients, rclone's two-ended copies. */
const giveaway: CommandSpec = {
  options: takes('--code -c --relay --pass --out'),
  inert: ['--help', '-h', '--version'],
  refine: (parsed, context) => {
    const [mode, ...files] = parsed.operands
    const code = parsed.invocation.name === 'croc' && mode !== undefined && mode.text !== 'send'
    if (code || mode?.text === 'receive' || mode?.text === 'recv') {
      context.emit('fetch', context.thing('host', parsed.invocation.name), { action: 'net:download' })
      return
    }
    for (const word of mode?.text === 'send' ? files : parsed.operands) readPath(context, word)
    const attributes: JsonObject = { service: 'file-sharing' }
    context.emit('send', context.thing('host', parsed.invocation.name), { action: 'net:upload', attributes })
  },
}

export const transfers: CommandTable = byName({
  'scp pscp': scp,
  'rsync grsync': rsync,
  'ssh-keygen': keygen,
  'ssh-copy-id': copyId,
  'ssh-add': sshAdd,
  'ssh-keyscan': { options: { ...takes('-p -T -t -O'), '-f': 'read' }, operands: ['host'] },
  'wormhole croc transfer ffsend termbin onionshare onionshare-cli': giveaway,
})
