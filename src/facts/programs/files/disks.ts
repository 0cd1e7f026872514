import type { JsonObject } from '../../../core/json.ts'
import type { EffectOptions } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { changePath, reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { byName, each, list, takes } from '../tool.ts'

/**
 * Disks, partitions, volumes and mounts.
 * Actions: disk:format, disk:partition, disk:erase, disk:volume (irreversible) · disk:check · disk:attach · mount:mount,
 * mount:unmount, mount:swap.
 */

const HELP = ['--help', '--version', '-V']

function onDevice(context: CommandContext, word: Word, options: string | EffectOptions): void {
  changePath(context, word, { reversible: false, ...(typeof options === 'string' ? { action: options } : options) })
}

/** The first path among the operands is the device. */
const DEVICE_FLAGS = '-f -F -q -v -c -y -Y -l -n -I -s --force --quiet --list --verify --no-act -a --all -K'

function device(action: string, valued: string, quiet: readonly string[] = []): CommandSpec {
  return {
    flags: list(DEVICE_FLAGS),
    options: takes(valued),
    inert: [...HELP, '-h', ...quiet],
    refine: ({ operands }, context) => {
      const named = operands.filter((word) => word.text === null || word.text.includes('/') || word.glob)
      const devices = named.length > 0 ? named : operands.filter((word) => !/^\d+[KMGTkmgt]?$/.test(word.text ?? ''))
      for (const word of devices.slice(0, 1)) onDevice(context, word, action)
    },
  }
}

const mkfs = device('disk:format', '-t -L -U -b -N -i -m -O -E -T -S -s -d -j -D -R -C --type --label', ['-n', '--dry-run'])

/** The ext family has letters of its own: `-j`, `-D` and `-S` take nothing. */
const mke2fs: CommandSpec = {
  ...mkfs,
  flags: list('-c -D -F -j -n -q -S -v -V'),
  options: takes('-b -C -d -e -E -g -G -i -I -J -l -L -m -M -N -o -O -r -t -T -U -z'),
}

/** Volume programs with words: some words destroy, some change, the others show. */
interface Words {
  readonly destroys: RegExp
  readonly changes: RegExp
}

function volumes({ destroys, changes }: Words, valued = ''): CommandSpec {
  return {
    options: takes(valued),
    operands: ['data'],
    inert: [...HELP, '-n', '--dry-run', '--test'],
    refine: (parsed, context) => {
      const words = parsed.operands.map((word) => word.text ?? '\0')
      const named = parsed.operands.at(-1)
      const verb = words.slice(0, 2).join(' ')
      const force = parsed.unknown.some((word) => /^-[A-Za-z]*[rRf]/.test(word.text ?? '-f'))
      const options = parsed.unknown.map((word) => word.text ?? '').join(' ')
      if (destroys.test(`${verb} ${options}`)) volume(context, named, { recursive: force })
      else if (changes.test(verb)) context.emit('change', context.thing('resource', verb), { action: 'disk:attach' })
      else if (words.slice(0, 1).includes('\0')) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`)
    },
  }
}

function volume(context: CommandContext, word: Word | undefined, attributes: JsonObject): void {
  if (word !== undefined && (word.text === null || word.text.startsWith('/')))
    onDevice(context, word, { action: 'disk:volume', attributes })
  else context.emit('delete', context.thing('resource', word?.text ?? 'volume'), { action: 'disk:volume', attributes })
}

const named = (action: string): CommandSpec => ({
  flags: list('-f -y -v -q -t --force --yes --test'),
  options: takes('-L -n -l -s -i -I -S --name --size --config'),
  inert: [...HELP, '-t', '--test'],
  refine: ({ operands }, context) => {
    for (const word of operands) volume(context, word, { tool: action })
  },
})

const fdisk: CommandSpec = {
  ...device('disk:partition', '-b -C -H -S -u -t -o -L -w -W'),
  refine: (parsed, context) => {
    const shows = parsed.flag('-l', '--list') || parsed.unknown.some((word) => /^-(?:p|-print|i|-dump|d)$/.test(word.text ?? ''))
    const [first] = parsed.operands
    if (!shows && first !== undefined) onDevice(context, first, 'disk:partition')
  },
}

const parted: CommandSpec = {
  flags: list('-l -s -m -i --list --script --machine'),
  options: takes('-a --align'),
  inert: [...HELP, '-h', '-v'],
  refine: (parsed, context) => {
    const [first, ...words] = parsed.operands
    const shows =
      parsed.flag('-l', '--list') || words.every((word) => /^(?:print|p|unit|free|[kKMGT]?i?B|s|all|help)$/.test(word.text ?? '\0'))
    if (first !== undefined && (!shows || words.length === 0) && !parsed.flag('-l', '--list')) onDevice(context, first, 'disk:partition')
  },
}

const cryptsetup: CommandSpec = {
  flags: list('-q -v -y --batch-mode --verify-passphrase'),
  options: takes('-c -h -s -d -S -i -T --cipher --hash --key-size --key-file --key-slot --type --label'),
  inert: HELP,
  refine: ({ operands: [verb, first, second], unknown }, context) => {
    const word = verb?.text ?? 'erase'
    if (/^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|luksHeaderRestore)$/.test(word)) {
      if (first !== undefined) onDevice(context, first, 'disk:format')
    } else if (word === 'luksDump' || word === 'tcryptDump') {
      const keys = unknown.some(({ text }) => /^--dump-(?:master|volume)-key|^--unbound/.test(text ?? ''))
      if (keys) context.emit('read', context.thing('resource', first?.text ?? 'volume'), { action: 'secret:read' })
    } else if (!/^(?:status|isLuks|luksUUID|benchmark)$/.test(word)) {
      context.emit('change', context.thing('resource', second?.text ?? first?.text ?? 'volume'), { action: 'disk:attach' })
    }
  },
}

/** `host:/export`, `//server/share`: a mount from another machine. */
const REMOTE = /^(?:\/\/|\\\\|[\w.-]+:\/|[\w.-]+@[\w.-]+:)/

const mount: CommandSpec = {
  flags: list(
    '-a -B -R -f -F -i -l -m -n -r -s -v -w --bind --rbind --move --all --fake --read-only --make-private --make-rprivate --make-shared --make-slave',
  ),
  options: takes(
    '-t -o -L -U -O -T -N --types --options --options-mode --options-source --source --target --target-prefix --fstab --label --uuid --namespace --test-opts',
  ),
  inert: [...HELP, '-h', '-f', '--fake'],
  refine: (parsed, context) => {
    const { operands } = parsed
    const source = operands.length > 1 ? operands[0] : undefined
    const point = parsed.value('--target') ?? operands.at(-1)
    if (point === undefined || point === null) {
      if (parsed.flag('-a', '--all')) context.emit('change', context.thing('resource', 'all of fstab'), { action: 'mount:mount' })
      return
    }
    const remote = source !== undefined && REMOTE.test(source.prefix)
    const attributes = { source: source?.text ?? null, options: parsed.value('-o', '--options')?.text ?? null, remote }
    changePath(context, point, { action: 'mount:mount', attributes })
    if (remote && source !== undefined) reachUrl(context, source, { verb: 'fetch', action: 'net:contact' })
  },
}

const userMount: CommandSpec = {
  flags: list('-f -d -s -C'),
  options: takes('-o -p -F'),
  inert: HELP,
  refine: ({ operands: [source, point] }, context) => {
    if (source !== undefined) reachUrl(context, source, { verb: 'fetch', action: 'net:contact' })
    if (point !== undefined)
      changePath(context, point, { action: 'mount:mount', attributes: { remote: true, source: source?.text ?? null } })
  },
}

const umount: CommandSpec = {
  flags: list('-a -f -l -n -r -R -v -d -i -q -u -z --all --force --lazy --recursive'),
  options: takes('-t -O -N --types --test-opts --namespace'),
  inert: [...HELP, '-h', '--fake'],
  refine: (parsed, context) => {
    if (parsed.flag('-a', '--all'))
      context.emit('change', context.thing('resource', 'all mounts'), { action: 'mount:unmount', attributes: { mass: true } })
    for (const word of parsed.operands) {
      context.emit('change', context.thing('resource', word.text ?? word.prefix), { action: 'mount:unmount', span: word.span })
    }
  },
}

const swap = (): CommandSpec => ({
  flags: list('-a -s -v -e -f --all --show --summary'),
  options: takes('-L -U -p -o --priority'),
  inert: [...HELP, '-s', '--show', '--summary'],
  effects: [{ verb: 'change', action: 'mount:swap', target: { kind: 'resource', operand: 0, value: 'all swap' } }],
})

const losetup: CommandSpec = {
  flags: list('-a -f -l -P -r -D --show --all --find --list --detach-all'),
  options: takes('-b -c -d -o -j -O --associated --detach --offset --output --sector-size --set-capacity --sizelimit'),
  inert: [...HELP, '-a', '-l', '--list'],
  effects: [{ verb: 'change', action: 'disk:attach', target: { kind: 'resource', operand: 0, value: 'loop device' } }],
}

/** `e2fsck`: its `-t` takes nothing, its `-C` a descriptor. */
const E2FSCK: CommandSpec = {
  flags: list('-a -c -D -d -f -F -k -n -p -r -t -v -V -y'),
  options: takes('-b -B -C -E -j -l -L -z'),
}

function repair(parsed: ParsedCommand, context: CommandContext): void {
  const only = parsed.flag('-n', '-N')
  for (const word of parsed.operands) {
    if (!only) context.emit('change', context.thing('resource', word.text ?? word.prefix), { action: 'disk:check', span: word.span })
  }
}

const fsck: CommandSpec = {
  flags: list('-A -a -n -N -p -y -f -r -C -M -P -R -T -V -v -c -D'),
  options: takes('-t -b -B -E -j -l -L'),
  inert: ['--help', '--version', '-V'],
  refine: repair,
}

const ZFS: Words = {
  destroys: /^(?:destroy|rollback|labelclear)\b/,
  changes: /^(?!list|get|status|iostat|history|diff|events|version|help|holds|userspace|\0)\w+/,
}
const BTRFS: Words = {
  destroys: /^(?:subvolume|su|sub) (?:delete|del)\b|^(?:rescue|restore) |^check\b.* --(?:repair|init-\S+)|^device (?:remove|delete)\b/,
  changes: /^(?!\S+ (?:show|list|usage|df|stats|status|du|get-default|find-new)\b)\S+ \w+/,
}

export const disks: CommandTable = byName({
  ...each(
    'mkfs mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.jfs mkntfs mkdosfs mkswap ' +
      'newfs newfs_apfs mkexfatfs mkreiserfs',
    mkfs,
  ),
  'mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs': mke2fs,
  wipefs: {
    ...device('disk:erase', '-o -t -O --offset --types --output', ['-n', '--no-act']),
    refine: (parsed, context) => {
      const wipes = parsed.flag('-a', '--all') || parsed.value('-o', '--offset') !== null
      for (const word of wipes ? parsed.operands : []) onDevice(context, word, 'disk:erase')
    },
  },
  blkdiscard: device('disk:erase', '-o -l -p --offset --length --step'),
  badblocks: {
    flags: list('-w -n -s -v -f'),
    options: { ...takes('-b -c -p -d -e -t'), '-o': 'write', '-i': 'read' },
    refine: (parsed, context) => {
      for (const word of parsed.flag('-w') ? parsed.operands.slice(0, 1) : []) onDevice(context, word, 'disk:erase')
    },
  },
  'fdisk sfdisk gdisk sgdisk cfdisk cgdisk': fdisk,
  parted,
  partprobe: { inert: HELP, effects: [{ verb: 'change', action: 'disk:attach' }] },
  'lvremove vgremove pvremove lvreduce vgreduce': named('lvm'),
  'lvcreate vgcreate lvextend vgextend lvresize lvchange vgchange resize2fs xfs_growfs growpart': {
    options: takes('-L -n -l'),
    inert: [...HELP, '-t'],
    effects: [{ verb: 'change', action: 'disk:attach', target: { kind: 'resource', operand: -1, value: 'volume' } }],
  },
  pvcreate: device('disk:format', '-u --uuid --restorefile'),
  'lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan blkid findmnt findfs swapinfo mountpoint': {
    inert: HELP,
  },
  lvm: volumes({ destroys: /^(?:lvremove|vgremove|pvremove|lvreduce)\b/, changes: /^(?:lv|vg|pv)(?:create|extend|change|resize)\b/ }),
  cryptsetup,
  smartctl: {
    flags: list('-a -i -x -H -A -c -l --all --info --xall --health --scan --json -j'),
    options: takes('-d -q -T -b -n -l -s -o -S -t -C -g --smart --offlineauto --saveauto --test --set --device --log --get'),
    inert: [...HELP, '-h', '-V'],
    refine: (parsed, context) => {
      const sets = parsed.value('-s', '-o', '-S', '-t', '--smart', '--offlineauto', '--saveauto', '--test', '--set') !== null
      const word = parsed.operands.at(-1)
      if (sets && word !== undefined) context.emit('change', context.thing('resource', word.text ?? word.prefix), { action: 'disk:check' })
    },
  },
  mdadm: {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands, unknown }, context) => {
      const zero = unknown.some((word) =>
        /^(?:--(?:zero-superblock|remove|fail|set-faulty|stop|create|grow|build|re-add|assemble|incremental)|-[A-Z]*[SCGB]|-[frA])/.test(
          word.text ?? '--stop',
        ),
      )
      if (zero && operands[0] !== undefined) onDevice(context, operands[0], 'disk:volume')
    },
  },
  'zfs zpool': volumes(ZFS, '-o -t -s -d -R -S'),
  btrfs: volumes(BTRFS),
  mount,
  'sshfs s3fs gcsfuse mount.nfs mount.cifs': userMount,
  'umount fusermount fusermount3': umount,
  'pivot_root switch_root': {
    inert: HELP,
    effects: [{ verb: 'change', action: 'mount:root', target: { kind: 'resource', operand: 0, value: '/' } }],
  },
  'swapon swapoff': swap(),
  losetup,
  'fsck ntfsfix dosfsck fsck.vfat': fsck,
  xfs_repair: { flags: list('-n -f -L -P -v -d -e'), options: takes('-o -l -r -m -c -t'), inert: ['-V'], refine: repair },
  'e2fsck fsck.ext2 fsck.ext3 fsck.ext4': { ...fsck, ...E2FSCK },
  'tune2fs e2label fatlabel xfs_admin': {
    flags: list('-f -j -l'),
    options: takes('-c -C -e -E -g -i -J -L -m -M -o -O -Q -r -s -T -u -U -z'),
    inert: [...HELP, '-l'],
    operands: ['data'],
    effects: [{ verb: 'change', action: 'disk:check', target: { kind: 'resource', operand: 0, value: 'file system' } }],
  },
  hdparm: {
    flags: list('-I -i -t -T -g -C -v'),
    options: takes('-S -W -B -M -a --security-erase --user-master --security-set-pass'),
    inert: HELP,
    refine: (parsed, context) => {
      const word = parsed.operands.at(-1)
      if (word !== undefined && parsed.value('--security-erase') !== null) onDevice(context, word, 'disk:erase')
    },
  },
  nvme: volumes({ destroys: /^(?:format|sanitize|delete-ns|write-zeroes)\b/, changes: /^(?:create-ns|attach-ns|detach-ns|reset|fw-)/ }),
  eject: { inert: HELP, effects: [{ verb: 'change', action: 'mount:unmount', target: { kind: 'resource', operand: 0, value: 'drive' } }] },
  'qemu-img': {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands: [verb, ...words] }, context) => {
      const image = words.at(-1)
      const last = verb?.text === 'create' ? words.find((word) => /[./]/.test(word.prefix)) : image
      for (const word of verb?.text === 'convert' ? words.slice(0, -1) : []) readPath(context, word)
      if (last !== undefined && /^(?:create|convert|resize|commit|rebase)$/.test(verb?.text ?? 'create'))
        writePath(context, last, { action: 'disk:attach' })
    },
  },
})
