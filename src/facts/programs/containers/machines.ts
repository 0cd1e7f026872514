import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { develops } from '../development/develop.ts'
import { LISTS } from '../packages/packages.ts'
import { type Act, byName, does, each, list, nameOf, takes, tool } from '../tool.ts'
import { wording } from '../wording.ts'

/**
 * Virtual machines, system containers and boards: what runs inside them is not this machine's; destroying one loses its disk.
 * Actions: vm:change, vm:create, vm:delete (irreversible), dev:vm, dev:flash.
 */

const MACHINE: Pick<Act, 'kind' | 'from' | 'value'> = { kind: 'resource', from: 0, value: 'machine' }
const DELETES = does(
  { ...MACHINE, verb: 'delete', action: 'vm:delete', reversible: false, flags: { force: ['-f', '--force'] } },
  { flags: list('--purge -p --all --delete --remove-all-storage --nvram -y') },
)
const CHANGES = does(
  { ...MACHINE, verb: 'change', action: 'vm:change' },
  { options: takes('--type --timeout --name -n --cpus --memory --disk -c -m -d -s'), flags: list('--all --force -f --headless') },
)
const CREATES = does(
  { ...MACHINE, verb: 'change', action: 'vm:create' },
  {
    options: takes(
      '-n --name -c --cpus -m --memory -d --disk --cloud-init --network -p --profile -s --storage --type --ostype --basefolder',
    ),
    flags: list('--register --ephemeral -e --vm'),
  },
)
const COPIES = does({ verb: 'execute', action: 'dev:vm', kind: 'resource', value: 'machine' }, { operands: ['data'] })

/** Words after the machine's name run in it; one word with blanks in it is a line for its shell. */
export function inside(skip: number): CommandSpec {
  return {
    flags: list('-t -T -n -i -it --interactive'),
    options: takes('--user -u --cwd --workdir --env --group -d --distribution --mode'),
    operands: [],
    stopAtOperand: true,
    refine: (parsed, context) => {
      const words = parsed.operands.slice(skip).filter((word) => word.text !== '--')
      const machine = skip === 0 ? 'machine' : nameOf(parsed.operands[0] ?? parsed.invocation.program)
      context.emit('execute', context.thing('host', machine), { action: 'dev:vm' })
      const { name } = parsed.invocation
      const [only] = words
      if (only !== undefined)
        context.within({ attributes: { remote: machine }, remote: true }, (inner) =>
          words.length === 1 && /\s/.test(only.prefix) ? inner.shell(only.text, only.span, name) : inner.command(words, name),
        )
    },
  }
}

function machineTool(more: Readonly<Record<string, CommandSpec>> = {}): CommandSpec {
  return tool('vm', {
    options: takes('-c --connect --project'),
    flags: list('-q --quiet -v --verbose --nologo'),
    subcommands: byName({
      ...each(
        'list ls info show get status version networks aliases find dominfo domstate domblklist net-list vol-list pool-list ' +
          'dumpxml remote image storage network config-show showvminfo monitor logs',
        { ...LISTS, operands: ['data'] },
      ),
      ...each(
        'start stop restart suspend resume shutdown reboot reset pause unpause freeze unfreeze set edit rename snapshot restore ' +
          'attach-disk detach-disk setmem setvcpus autostart mount umount move clone modifyvm controlvm startvm storagectl ' +
          'storageattach config profile init-daemon recover publish export',
        CHANGES,
      ),
      'launch create init define import importovf createvm copy clonevm': CREATES,
      'delete rm remove destroy undefine purge unregistervm uninstall vol-delete pool-delete snapshot-delete closemedium unregister':
        DELETES,
      exec: inside(1),
      'shell console ssh': inside(1),
      'transfer file guestcontrol push pull': COPIES,
      ...more,
    }),
  })
}

/** `wsl -d X -- cmd`, `wsl cmd`: Linux on the same machine; `--unregister` loses its disk. */
const wsl: CommandSpec = {
  flags: list('--shutdown --list -l -v --verbose --status --update --install'),
  options: takes(
    '-d --distribution -u --user --cd --shell-type --set-default -s --terminate -t --unregister --export --import --set-version -e --exec',
  ),
  inert: list('--help --version --list -l --status'),
  stopAtOperand: true,
  operands: [],
  refine: (parsed: ParsedCommand, context: CommandContext) => {
    const gone = parsed.value('--unregister')
    if (gone !== null) context.emit('delete', context.thing('resource', nameOf(gone)), { action: 'vm:delete', span: gone.span })
    const run = parsed.value('-e', '--exec')
    const words = [...(run === null ? [] : [run]), ...parsed.operands]
    if (words.length > 0) context.command(words, 'wsl')
    else if (gone === null) context.emit('change', context.thing('resource', 'wsl'), { action: 'vm:change' })
  },
}

/** An emulator that boots a disk: the program runs, the disk is written. */
const qemu: CommandSpec = {
  flags: list('-nographic -enable-kvm -snapshot -daemonize -S -s -no-reboot -curses'),
  options: {
    ...takes(
      '-m -smp -cpu -machine -M -boot -net -netdev -device -display -vga -serial -monitor -name -append -accel -usb -k -L -bios -object -chardev -global',
    ),
    ...takes('-hda -hdb -drive -cdrom -kernel -initrd -fda -pflash'),
  },
  singleDashLong: true,
  inert: list('--help -help -h --version -version'),
  operands: ['data'],
  refine: (parsed, context) => {
    for (const word of parsed.values('-hda', '-hdb', '-fda', '-pflash')) {
      context.emit(parsed.flag('-snapshot') ? 'read' : 'write', context.path(word), { action: 'vm:change', span: word.span })
    }
    for (const word of parsed.values('-cdrom', '-kernel', '-initrd')) context.emit('read', context.path(word), { span: word.span })
    context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:vm' })
  },
}

/** Boards: the program goes onto a device at a port. */
const FLASH: Act = { verb: 'change', action: 'dev:flash', kind: 'resource', value: 'board', reversible: false }
const BOARD_GRAMMAR = {
  options: takes(
    '-b --fqbn -p --port -P --programmer --chip --baud -e --environment -t --target -d --project-dir -a --address -s --serial --before --after',
  ),
  flags: list('-v --verbose -u --upload --verify --clean'),
}
const board = tool('dev', {
  ...BOARD_GRAMMAR,
  subcommands: byName({
    'compile build init project-init device-info monitor menuconfig set-target size reconfigure check test debug attach': develops({
      action: 'dev:build',
      operands: 'data',
      flags: '-u --upload',
    }),
    run: {
      ...BOARD_GRAMMAR,
      operands: ['data'],
      refine: (parsed, context) => {
        const uploads = /upload|flash|erase/.test(parsed.value('-t', '--target')?.text ?? '')
        context.emit(uploads ? 'change' : 'execute', context.thing(uploads ? 'resource' : 'program', uploads ? 'board' : 'run'), {
          action: uploads ? 'dev:flash' : 'dev:build',
          reversible: !uploads,
        })
      },
    },
    'upload flash burn-bootloader write_flash write-flash program app-flash sign': does(FLASH, { ...BOARD_GRAMMAR, operands: ['data'] }),
    'erase erase_flash erase-flash erase_region recover': does({ ...FLASH, verb: 'delete' }, { ...BOARD_GRAMMAR, operands: ['data'] }),
    'board device list ports chip_id read_mac flash_id version info devices outdated': { ...LISTS, operands: ['data'] },
    'core lib pkg platform install update upgrade': does(
      {
        verb: 'execute',
        action: 'pkg:install',
        kind: 'package',
        from: 1,
        value: 'board support',
        attributes: { source: 'registry', manager: 'board' },
      },
      { operands: ['data'] },
    ),
    'read_flash read-flash dump_mem': does({ verb: 'read', action: 'dev:vm', kind: 'resource', value: 'board' }, { operands: ['data'] }),
    'clean fullclean': develops({ action: 'dev:clean', operands: 'data' }),
  }),
})
/** A command of a programmer that leaves nothing on the device, among others in one text too. */
const ERASES = /(?:^|[\s;_-])(?:mass[_-]?|chip[_-]?|full[_-]?)?erase(?:$|[\s;_-])|(?:^|[\s;])(?:unprotect|recover)(?:$|[\s;])/

/** Programmers that only ever write to the device. */
const programmer = does(FLASH, {
  operands: ['data'],
  refine: ({ invocation: { args, span } }, context) => {
    if (args.some(({ text, prefix }) => ERASES.test(text ?? prefix)))
      context.emit('delete', context.thing('resource', 'board'), { action: 'dev:flash', span, reversible: false })
  },
  options: takes('-p -c -P -b -U -f -F -d -a -D -i -s -e'),
  inert: list('--help -h --version -l --list'),
})

export const machines: CommandTable = byName({
  virsh: machineTool({ destroy: CHANGES }),
  'VBoxManage vboxmanage multipass lxc incus limactl utmctl prlctl vmrun quickemu': machineTool(),
  lima: inside(0),
  colima: machineTool({ ssh: inside(0) }),
  'systemd-nspawn': machineTool({
    terminate: CHANGES,
    poweroff: CHANGES,
    enable: CHANGES,
    disable: CHANGES,
    bind: CHANGES,
    'pull-tar': CREATES,
    'pull-raw': CREATES,
  }),
  wsl,
  'qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386 qemu-system-riscv64 firecracker cloud-hypervisor': qemu,
  'arduino-cli arduino platformio pio west idf.py esptool esptool.py': board,
  nrfjprog: wording({
    on: 'board',
    lines: [
      ['delete dev:flash', / --(?:recover|erase\w*|qspieraseall)\b/],
      ['change dev:flash', / --(?:program|memwr|ramwr|rbp)\b/],
      [null, /./],
    ],
    valued: '--snr -s --family -f --coprocessor --clockspeed --program',
  }),
  'dfu-util openocd st-flash picotool stm32flash bossac teensy_loader_cli probe-rs': programmer,
})
