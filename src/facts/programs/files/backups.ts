import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { CONFIGURES, LISTS } from '../packages/packages.ts'
import { type Act, byName, does, known, list, nameOf, refined, takes, tool } from '../tool.ts'

/**
 * Copies to other places: rclone, restic, borg, duplicity, s3cmd, mc. A remote place is a host that data is sent to.
 * Actions: cloud:upload, cloud:download, cloud:delete, backup:create, backup:restore, backup:delete, backup:mount.
 */

/** `remote:path` of rclone, `s3://bucket`: not on this machine. */
function isRemote(word: Word): boolean {
  return /^(?:[A-Za-z0-9][\w .+@-]*:|:[a-z]+[,:]|[a-z0-9]+:\/\/)/.test(word.text ?? word.prefix)
}

/** `mc` names a place by an alias, as in `play/bucket`; local paths are written with `.` or `/`. */
function aliased(word: Word, parsed: ParsedCommand): Word {
  const alias = /^mc(?:li)?$/.test(parsed.invocation.name) && /^[\w-]+\/./.test(word.text ?? '')
  return alias ? { ...word, text: `s3://${word.text}`, prefix: `s3://${word.prefix}` } : word
}

/** One end of a copy. */
function from(word: Word, context: CommandContext, moves: boolean): void {
  if (isRemote(word))
    context.emit(moves ? 'delete' : 'fetch', context.thing('resource', nameOf(word)), {
      action: moves ? 'cloud:delete' : 'cloud:download',
      span: word.span,
    })
  else if (moves) {
    readPath(context, word)
    deletePath(context, word, { attributes: { recursive: true } })
  } else readPath(context, word, { attributes: { recursive: true } })
}

function copy(kind: 'copy' | 'move' | 'sync'): NonNullable<CommandSpec['refine']> {
  return (parsed, context) => {
    const [source, target] = parsed.operands.map((word) => aliased(word, parsed))
    if (source === undefined || target === undefined) return
    from(source, context, kind === 'move')
    const deletes = kind === 'sync' || parsed.flag('--delete-excluded', '--delete-removed', '--remove', '--delete')
    const attributes = { ...(deletes ? { delete: true } : {}) }
    if (isRemote(target)) {
      context.emit('send', context.thing('resource', nameOf(target)), {
        action: 'cloud:upload',
        span: target.span,
        attributes: { ...attributes, carries: isRemote(source) ? [] : [known(source)] },
      })
      if (deletes)
        context.emit('delete', context.thing('resource', nameOf(target)), {
          action: 'cloud:delete',
          span: target.span,
          certainty: 'likely',
        })
    } else {
      writePath(context, target, {
        ...(isRemote(source) ? { action: 'cloud:download' } : {}),
        attributes: { ...attributes, recursive: true },
      })
      if (deletes) deletePath(context, target, { certainty: 'likely', attributes: { recursive: true } })
    }
  }
}

/** Removes at one place, here or there. */
function remove(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) {
    if (isRemote(word)) context.emit('delete', context.thing('resource', nameOf(word)), { action: 'cloud:delete', span: word.span })
    else deletePath(context, word, { attributes: { recursive: true } })
  }
}

const RCLONE_FLAGS = list(
  '-P --progress -v -vv -q --quiet --checksum -c -u --update --ignore-existing --size-only --fast-list -i --interactive ' +
    '--delete-excluded --delete-before --delete-after --inplace -L --copy-links --immutable --metadata --no-traverse',
)
const RCLONE_VALUES = {
  ...takes(
    '--include --exclude --filter --max-age --min-age --max-size --min-size --transfers --checkers --bwlimit --backup-dir ' +
      '--suffix --log-level --stats -T --compare-dest --vfs-cache-mode --drive-shared-with-me --max-depth',
  ),
  ...takes('--config --include-from --exclude-from --filter-from --files-from', 'read'),
  ...takes('--log-file', 'write'),
}
const RCLONE_INERT = list('--dry-run -n --help -h --version -V')
const LOOK = does({ verb: 'fetch', action: 'cloud:read', kind: 'resource', from: 0, value: 'remote' })

const rclone = tool('cloud', {
  flags: RCLONE_FLAGS,
  options: RCLONE_VALUES,
  inert: RCLONE_INERT,
  subcommands: byName({
    'copy copyto copyurl': { refine: copy('copy') },
    'move moveto': { refine: copy('move') },
    'sync bisync': { refine: copy('sync') },
    'delete deletefile purge rmdir rmdirs cleanup dedupe': { refine: remove },
    'ls lsl lsd lsf lsjson size md5sum sha1sum hashsum check cryptcheck tree about cat listremotes': LOOK,
    'mkdir touch rcat settier': does({ verb: 'send', action: 'cloud:upload', kind: 'resource', from: 0, value: 'remote' }),
    link: does({ verb: 'publish', action: 'cloud:share', kind: 'resource', at: 0, value: 'remote' }),
    'serve rcd': does({ verb: 'change', action: 'net:listen', kind: 'resource', at: 1, value: 'files' }),
    'mount nfsmount mount2': does({ verb: 'change', action: 'mount:mount', kind: 'resource', at: 1, value: 'remote' }),
    config: {
      subcommands: byName({
        'create update delete password disconnect reconnect encryption': CONFIGURES,
        'show dump file providers paths': does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'rclone configuration' }),
      }),
    },
    'obscure selfupdate gendocs genautocomplete': LISTS,
  }),
})

const CREATE: Act = { verb: 'send', action: 'backup:create', kind: 'resource', value: 'repository' }
const FORGET: Act = { verb: 'delete', action: 'backup:delete', kind: 'resource', from: 0, value: 'repository', reversible: false }
const BACKUP_GRAMMAR = {
  flags: list(
    '-v --verbose --stats --progress -p --prune --force --json --one-file-system -x --list --full-if-older --no-lock --all --quiet -q --info',
  ),
  options: {
    ...takes(
      '-r --repo --repository --tag --host -H --exclude -e -k --keep-last --keep-daily --keep-weekly --keep-monthly ' +
        '--keep-yearly --keep-within -d -w -m -y -H --compression -C --path --prefix -P --glob-archives -a --encryption --name ' +
        '--include -i',
    ),
    ...takes('--password-file --files-from --exclude-file --exclude-from --patterns-from', 'read'),
    ...takes('-t --target', 'write'),
  },
  inert: list('--dry-run -n --help -h --version'),
}
/** The host where a repository is: `sftp:u@host:/r`, `s3:https://host/r`, `u@host:r::name`; null on this machine, and where it is not said. */
function hostOf(repository: string): string | null {
  const address = repository.replace(/^(?:sftp|s3|rest|rclone|swift|b2|gs|azure):(?=\w)/, '')
  const found = /^(?:\w{2,8}:\/\/)?(?:[^@/:\s]{1,100}@)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?::|\/|$)/.exec(address)?.[1]
  return found === undefined || /^(?:file|local):/.test(repository) ? null : found
}

/** Reads what is named and puts it where the repository is. */
const saves: CommandSpec = {
  ...BACKUP_GRAMMAR,
  refine: (parsed, context) => {
    const repository = parsed.value('-r', '--repo') ?? parsed.operands.find((word) => /::|:\/\//.test(word.text ?? ''))
    const files = parsed.operands.filter((word) => word !== repository)
    for (const word of files) readPath(context, word, { attributes: { recursive: true } })
    const name = repository === undefined || repository === null ? 'repository' : nameOf(repository)
    const host = hostOf(name)
    const [file = null] = files.map(nameOf)
    context.emit(CREATE.verb, host === null ? context.thing('resource', name) : context.url(knownWord(host, parsed.invocation.span)), {
      action: 'backup:create',
      attributes: host === null ? { carries: files.map(nameOf) } : { carries: 'file', from: file },
    })
  },
}
const restores = does(
  { verb: 'write', action: 'backup:restore', kind: 'path', option: ['-t', '--target'], value: '.' },
  { ...BACKUP_GRAMMAR, operands: ['data'] },
)
const forgets = does(FORGET, BACKUP_GRAMMAR)
const looks = does(
  { verb: 'read', action: 'backup:read', kind: 'resource', value: 'repository' },
  { ...BACKUP_GRAMMAR, operands: ['data'] },
)

const repository = tool('backup', {
  ...BACKUP_GRAMMAR,
  subcommands: byName({
    'backup create full incr incremental': saves,
    'restore extract recover': restores,
    'forget prune delete remove-older-than remove-all-but-n-full cleanup purge destroy': forgets,
    'init initialize': refined((parsed, context) => {
      const word = parsed.value('-r', '--repo') ?? parsed.operands[0] ?? null
      const host = word === null ? null : hostOf(nameOf(word))
      if (host === null)
        context.emit('send', context.thing('resource', word === null ? 'repository' : nameOf(word)), { action: 'backup:create' })
      else context.emit('change', context.thing('host', host), { action: 'cloud:create' })
    }, BACKUP_GRAMMAR),
    'snapshots list ls find stats check verify diff info cat dump collection-status list-current-files key-list': looks,
    'key rekey config tag rename recreate compact rebuild-index repair migrate unlock break-lock upgrade': does(
      { verb: 'change', action: 'backup:change', kind: 'resource', value: 'repository' },
      { ...BACKUP_GRAMMAR, operands: ['data'] },
    ),
    'mount umount': does({ verb: 'change', action: 'mount:mount', kind: 'resource', at: 0, value: 'repository' }),
    copy: saves,
  }),
})

const BUCKET_GRAMMAR = {
  flags: list(
    '-r --recursive -f --force --delete-removed -a -w --overwrite --remove --quiet -q --json --older-than --public -P --acl-public',
  ),
  options: takes('-c --access_key --secret_key --host --region --expires -e --attr --storage-class'),
  inert: list('--dry-run -n --help -h --version --fake'),
}
/** Object stores by other clients: `s3cmd put`, `mc cp`, `b2 upload-file`. */
const bucket = tool('cloud', {
  ...BUCKET_GRAMMAR,
  subcommands: byName({
    'put get cp pipe upload-file download-file': { ...BUCKET_GRAMMAR, refine: copy('copy') },
    mv: { ...BUCKET_GRAMMAR, refine: copy('move') },
    'sync mirror': { ...BUCKET_GRAMMAR, refine: copy('copy') },
    'del rm rb delete-bucket delete-file-version abortmp rmobj': does(
      {
        verb: 'delete',
        action: 'cloud:delete',
        kind: 'resource',
        from: 0,
        value: 'bucket',
        flags: { recursive: ['-r', '--recursive'], force: ['--force'] },
      },
      BUCKET_GRAMMAR,
    ),
    'ls la du info find stat tree cat head diff version list-buckets list-file-names multipart': does(
      { verb: 'fetch', action: 'cloud:read', kind: 'resource', from: 0, value: 'bucket' },
      BUCKET_GRAMMAR,
    ),
    'mb make-bucket create-bucket': does({ verb: 'change', action: 'cloud:create', kind: 'resource', from: 0 }),
    'setacl setpolicy delpolicy anonymous policy share signurl accesslog cors': does(
      { verb: 'change', action: 'cloud:iam', kind: 'resource', from: 0, value: 'bucket' },
      { operands: ['data'] },
    ),
    'alias admin config authorize-account': CONFIGURES,
  }),
})

export const backups: CommandTable = byName({
  rclone,
  'restic borg borgmatic rustic kopia bupstash duplicity duplicacy': repository,
  'rdiff-backup': saves,
  's3cmd mc mcli b2 s5cmd s4cmd': bucket,
})
