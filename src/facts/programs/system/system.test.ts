import { cases } from '../table-harness.ts'

cases('kernel', [
  ['sysctl -a', ''],
  ['sysctl kernel.randomize_va_space', ''],
  ['sysctl -w net.ipv4.ip_forward=1', 'change kernel:setting net.ipv4.ip_forward=1'],
  ['sysctl kernel.randomize_va_space=0', 'change security:disable kernel.randomize_va_space=0'],
  ['sysctl -p x.conf', 'read x.conf | change kernel:setting kernel settings'],
  ['modprobe x', 'change kernel:module x'],
  ['modprobe -r x', 'change kernel:module x'],
  ['modprobe -n x', ''],
  ['insmod x.ko', 'change kernel:module x.ko'],
  ['rmmod x', 'change kernel:module x'],
  ['modinfo x', ''],
  ['kexec -l vmlinuz', 'change power:off kexec !'],
])

cases('power and clock', [
  ['shutdown -h now', 'change power:off machine !'],
  ['shutdown -c', 'change power:cancel machine'],
  ['reboot', 'change power:off machine !'],
  ['reboot --help', ''],
  ['poweroff -f', 'change power:off machine !'],
  ['halt', 'change power:off machine !'],
  ['init 0', 'change power:off run level 0'],
  ['init 6', 'change power:off run level 6'],
  ['telinit 1', 'change power:off run level 1'],
  ['date', ''],
  ['date +%s', ''],
  ["date -s '2020-01-01'", 'change system:clock clock'],
  ['date --set=2020-01-01', 'change system:clock clock'],
  ['date -d yesterday', ''],
  ['hwclock --systohc', 'change system:clock clock'],
  ['hwclock --show', ''],
  ['ntpdate p.example', 'change system:clock clock'],
])

cases('logs', [
  ['journalctl -u nginx', ''],
  ['journalctl -f', ''],
  ['journalctl --vacuum-time=1d', 'change history:clear journal'],
  ['journalctl --vacuum-size=1M', 'change history:clear journal'],
  ['journalctl --rotate', 'change log:rotate journal'],
  ['dmesg', ''],
  ['dmesg -C', 'change history:clear kernel log'],
  ['dmesg -c', 'change history:clear kernel log'],
  ['dmesg -n 1', 'change log:change kernel log'],
  ['logger hello', ''],
  ['logrotate -f x.conf', 'read x.conf | change log:rotate logrotate'],
  ['auditctl -e 0', 'change security:disable auditing'],
  ['auditctl -D', 'change security:disable auditing'],
  ['auditctl -l', ''],
  ['auditctl -w /etc -p wa', 'change security:change auditing'],
  ['wevtutil cl System', 'change history:clear event log'],
])

cases('protections', [
  ['setenforce 0', 'change security:disable SELinux'],
  ['setenforce 1', 'change security:change SELinux'],
  ['setsebool x on', 'change security:change SELinux'],
  ['getenforce', ''],
  ['aa-complain x', 'change security:disable aa-complain'],
  ['aa-status', ''],
  ['apparmor_parser -R x', 'change security:disable AppArmor'],
  ['fail2ban-client stop', 'change security:disable fail2ban'],
  ['fail2ban-client status', ''],
  ['setpriv --no-new-privs rm x', 'delete x !'],
  ['restorecon -R /x', 'change security:change SELinux'],
])

cases('boot', [
  ['update-grub', 'change kernel:boot update-grub'],
  ['grub-install /dev/sda', 'change kernel:boot grub-install'],
  ['efibootmgr -o 1,2', 'change security:change boot entries'],
  ['efibootmgr', ''],
  ['update-initramfs -u', 'change kernel:boot update-initramfs'],
  ['ldconfig', 'change system:setting ldconfig'],
  ['update-alternatives --display x', ''],
  ['update-alternatives --set x y', 'change system:setting update-alternatives'],
  ['locale-gen', 'change system:setting locale-gen'],
  ['keyctl show', ''],
  ['keyctl print 123', 'read secret:read kernel keyring'],
  ['keyctl add user x y @u', 'change secret:change kernel keyring'],
  ['tmpreaper 7d /tmp', 'possible delete /tmp !'],
])

cases('looking', [
  ['uname -a', ''],
  ['hostid', ''],
  ['lshw', ''],
  ['sensors', ''],
  ['nvidia-smi', ''],
  ['dmidecode', ''],
  ['arch', ''],
])
