import { describe, expect, test } from 'vitest'
import type { Invocation, Word } from '../host.ts'
import { lookup } from './index.ts'
import { readCommand } from './options.ts'

/**
 * Whether an option takes the next word, as the manuals of the programs have it: a flag that is believed to take a value hides an
 * operand, and a value that is taken for an operand is taken for a file.
 */
const GRAMMAR: readonly (readonly [programs: string, options: string, takes: 'nothing' | 'value'])[] = [
  ['pr', '-e -i -n -s -S', 'nothing'],
  ['pr', '-D -W --header --length --width --indent --columns', 'value'],
  ['diff', '--unified --context -u -c -y -N -r -q', 'nothing'],
  ['diff', '-U -C -I -F -D --tabsize --ifdef --line-format --horizon-lines', 'value'],
  ['diff3', '-X -x -A -e -E -m -i -a', 'nothing'],
  ['sdiff', '-W -B -E -Z -b -i -l -s -t -d -H', 'nothing'],
  ['sdiff', '-w --width -o -I', 'value'],
  ['od', '--strings -c -x -v -a -b -i', 'nothing'],
  ['od', '--endian -A -j -N -S -t', 'value'],
  ['base64 base32 basenc', '-i -d --ignore-garbage --decode', 'nothing'],
  ['column', '-d -t -x -e -J', 'nothing'],
  ['column', '-n -O -i -l -p -r --tree --table-hide --output-width', 'value'],
  ['nl', '--body-numbering --number-width --number-format --starting-line-number --section-delimiter', 'value'],
  ['hexdump', '--format --length --skip --format-file', 'value'],
  ['sort', '--check -c -C -u -r', 'nothing'],
  ['sort', '--sort --random-source -k -t -S -T', 'value'],
  ['cksum b2sum', '-l --length', 'value'],
  ['tac', '-s --separator', 'value'],
  ['more', '-p -d -f -l -c -s -u', 'nothing'],
  ['jq', '--tab -r -n -s -e -c -S -M -C -a -j', 'nothing'],
  ['jq', '--indent', 'value'],
  ['mkfifo mknod mkdir', '-Z', 'nothing'],
  ['mktemp', '-t -d -u -q --tmpdir', 'nothing'],
  ['mktemp', '-p --suffix', 'value'],
  ['ls dir vdir', '--color --classify --hyperlink -l -a -R', 'nothing'],
  ['ls', '--format --sort --time --time-style --block-size --quoting-style --indicator-style -w -I -T', 'value'],
  ['stat', '-f -L -t', 'nothing'],
  ['stat', '-c --format --printf --cached', 'value'],
  ['du', '-X --exclude-from --files0-from -d --max-depth -t --exclude -B', 'value'],
  ['file', '-e -F -f -m -P --magic-file --exclude --separator --files-from', 'value'],
  ['getcap', '-n -r -v', 'nothing'],
  ['namei', '-n -l -m -o -v -x', 'nothing'],
  ['getent', '-i -A', 'nothing'],
  ['useradd', '-l -m -M -r -N -U -o', 'nothing'],
  ['usermod', '-b -a -L -U -m -o', 'nothing'],
  ['usermod', '-l -e -d -c -s -V -W -v -w', 'value'],
  ['userdel', '-Z -f -r', 'nothing'],
  ['userdel', '-P -R', 'value'],
  ['deluser', '--group --system --remove-home --remove-all-files', 'nothing'],
  ['deluser', '--backup-to --conf', 'value'],
  ['adduser', '--firstuid --lastuid --firstgid --lastgid --comment', 'value'],
  ['groupadd groupmod', '-o -f -r', 'nothing'],
  ['groupadd', '-g -R -P --gid --root --prefix', 'value'],
  ['groupmod', '-n --new-name', 'value'],
  ['groupdel', '-R -P --root', 'value'],
  ['passwd', '-d -l -u -e -a -q', 'nothing'],
  ['passwd', '-R --root -r', 'value'],
  ['chage', '-i', 'nothing'],
  ['chsh', '-R --root -s', 'value'],
  ['wget', '--random-wait --mirror -r -c -N -k -p --no-check-certificate', 'nothing'],
  ['wget', '--ftp-user --ftp-password --dns-servers --start-pos --backups --retry-on-http-error --report-speed', 'value'],
  ['sftp', '-N -f -q -r -a -A -C -p -v', 'nothing'],
  ['sftp', '-b -B -c -D -F -i -J -l -o -P -R -S -s -X', 'value'],
  ['ssh-keygen', '-K -y -l -B -q -e -i -p -c -H -L', 'nothing'],
  ['ssh-keygen', '-D -f -t -b -C -N -P -I -n -V -s', 'value'],
  ['ssh-add', '-e -s -t -E -S -T', 'value'],
  ['ssh-add', '-l -L -D -d -c -k -q -K -x -X', 'nothing'],
  ['killall', '-e -g -I -i -l -q -r -v -w', 'nothing'],
  ['skill', '-n -i -v -w -f', 'nothing'],
  ['pkill', '-r -q -d -O -F -g -G -P -s -t -u -U', 'value'],
  ['systemctl', '--value --no-pager --failed -a -l -q --now', 'nothing'],
  ['sysctl', '-p --load -a -n -q -w -e', 'nothing'],
  ['sysctl', '-r --pattern', 'value'],
  ['date', '-I -u -R', 'nothing'],
  ['date', '-d -f -r -s', 'value'],
  ['logger', '--id -i -s -e', 'nothing'],
  ['logger', '-n -P -p -t -f -u -S --msgid --sd-id --size', 'value'],
  ['mkfs.ext4 mke2fs', '-D -S -j -c -F -q -v', 'nothing'],
  ['mkfs.ext4 mke2fs', '-I -l -J -G -M -e -g -o -r -z -b -L -t', 'value'],
  ['e2fsck fsck.ext4', '-t -p -y -f -v', 'nothing'],
  ['e2fsck fsck.ext4', '-C -E -b -B -j -l -L -z', 'value'],
  ['resize2fs', '-s -f -p -M -P', 'nothing'],
  ['tune2fs', '-L -U -c -e -g -m -o -r -u -C -E -J -M -O -Q -T -z', 'value'],
  ['losetup', '-c -j -o -b', 'value'],
  ['mount', '--fstab --label --uuid --namespace --target-prefix -t -o -L -U -T -N -O', 'value'],
  ['umount', '-N --namespace -t -O --test-opts', 'value'],
  ['pg_dump', '-w -W --password -a -c -C -s -v -x -O', 'nothing'],
  ['pg_dump', '-F -n -N -t -T -f -j -e -E -S -Z --role --section --snapshot --rows-per-insert --lock-wait-timeout', 'value'],
  ['pg_dumpall', '-r -t -w -g -a -c', 'nothing'],
  ['pg_dumpall', '-l -d -f --exclude-database', 'value'],
  ['pg_basebackup', '-P -w -W -v -g -z -R', 'nothing'],
  ['pg_basebackup', '-D -F -c -s -X -l -T -r -S -t --waldir --label', 'value'],
  ['mysqldump', '-A -B -n -t -v -w', 'nothing'],
  ['pg_restore', '-I -L -N -S -n -t -T -P -j --section --function --trigger', 'value'],
  ['pg_ctl', '-w -W -s', 'nothing'],
  ['pg_ctl', '-D -l -m -o -p -t -U -P -N', 'value'],
  ['pg_lsclusters', '-h -j', 'nothing'],
  ['vitest', '-w --watch -u --allowOnly --ui --run', 'nothing'],
  ['prove', '-c -o -r -t -v -l -b', 'nothing'],
  ['prove', '-j -e --jobs --exec -I -P', 'value'],
  ['objcopy', '--strip-symbols --redefine-syms --add-gnu-debuglink --keep-symbol --globalize-symbol -j -O -I -R -N', 'value'],
  ['xz', '-C -F --check --format --block-size --memory --block-list', 'value'],
  ['zstd', '--output-dir-flat --output-dir-mirror --patch-from --filelist --trace -D -M', 'value'],
  ['split', '--separator --line-bytes -a -b -C -l -n -t', 'value'],
  ['patch', '--quoting-style --reject-format --read-only -x', 'value'],
]

const word = (text: string): Word => ({ text, prefix: text, glob: false, dynamic: false, span: { pointer: '/command', start: 0, end: 0 } })

function invocation(name: string, args: readonly string[]): Invocation {
  const program = word(name)
  return { name, program, args: args.map(word), env: new Map(), input: { kind: 'none' }, piped: false, span: program.span }
}

describe('what an option takes', () => {
  for (const [programs, options, takes] of GRAMMAR)
    for (const name of programs.split(' '))
      test(`${name} ${options}: ${takes}`, () => {
        const spec = lookup(name)
        const wrong = options.split(' ').filter((option) => {
          const operands = readCommand(spec ?? {}, invocation(name, [option, 'WORD'])).parsed.operands.map(({ text }) => text)
          return operands.includes('WORD') !== (takes === 'nothing')
        })
        expect(wrong).toEqual([])
      })
})
