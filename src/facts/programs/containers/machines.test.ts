import { cases } from '../table-harness.ts'

cases('machines', [
  ['virsh list --all', 'read pkg:read installed'],
  ['virsh start x', 'change vm:change x'],
  ['virsh destroy x', 'change vm:change x'],
  ['vagrant destroy -f', 'delete vm:delete machine !'],
  ['vagrant up', 'likely execute dev:vm vagrant'],
  ['virsh undefine x --remove-all-storage', 'delete vm:delete x !'],
  ['virsh dumpxml x', 'read pkg:read installed'],
  ['VBoxManage list vms', 'read pkg:read installed'],
  ['VBoxManage startvm x --type headless', 'change vm:change x'],
  ['VBoxManage unregistervm x --delete', 'delete vm:delete x !'],
  ['VBoxManage createvm --name x --register', 'change vm:create machine'],
  ['multipass launch -n x', 'change vm:create machine'],
  ['multipass exec x -- rm y', 'execute dev:vm x | delete y ! remote=x'],
  ['multipass shell x', 'execute dev:vm x'],
  ['multipass delete x --purge', 'delete vm:delete x !'],
  ['multipass list', 'read pkg:read installed'],
  ['multipass purge', 'delete vm:delete machine !'],
  ['multipass --help', ''],
  ['lxc launch ubuntu x', 'change vm:create ubuntu | change vm:create x'],
  ['lxc exec x -- rm -rf /y', 'execute dev:vm x | delete /y ! +recursive +force remote=x'],
  ['lxc delete -f x', 'delete vm:delete x ! +force'],
  ['lxc list', 'read pkg:read installed'],
  ['incus exec x rm y', 'execute dev:vm x | delete y ! remote=x'],
  ['limactl shell x rm y', 'execute dev:vm x | delete y ! remote=x'],
  ['colima start', 'change vm:change machine'],
  ['colima delete', 'delete vm:delete machine !'],
  ['systemd-nspawn list', 'read pkg:read installed'],
])

cases('Linux on Windows', [
  ['wsl rm x', 'delete x !'],
  ['wsl -d Ubuntu -- rm x', 'delete x !'],
  ['wsl -e rm x', 'delete x !'],
  ['wsl --list', ''],
  ['wsl --unregister Ubuntu', 'delete vm:delete Ubuntu !'],
  ['wsl --shutdown', 'change vm:change wsl'],
])

cases('emulators', [
  ['qemu-system-x86_64 -hda disk.img -m 1G', 'write vm:change disk.img | execute dev:vm qemu-system-x86_64'],
  ['qemu-system-x86_64 -snapshot -hda disk.img', 'read vm:change disk.img | execute dev:vm qemu-system-x86_64'],
  ['qemu-system-x86_64 -cdrom a.iso', 'read a.iso | execute dev:vm qemu-system-x86_64'],
  ['qemu-system-x86_64 --version', ''],
])

cases('boards', [
  ['arduino-cli compile -b x', 'execute dev:build arduino-cli compile'],
  ['arduino-cli upload -p /dev/ttyUSB0', 'change dev:flash board !'],
  ['arduino-cli board list', 'read pkg:read installed'],
  ['arduino-cli core install x', 'execute pkg:install x source=registry manager=board'],
  ['platformio run', 'execute dev:build run'],
  ['pio run -t upload', 'change dev:flash board !'],
  ['pio test', 'execute dev:build pio test'],
  ['idf.py build', 'execute dev:build idf.py build'],
  ['idf.py flash', 'change dev:flash board !'],
  ['esptool.py erase_flash', 'delete dev:flash board !'],
  ['esptool.py --port x write_flash 0x0 a.bin', 'change dev:flash board !'],
  ['west build', 'execute dev:build west build'],
  ['west flash', 'change dev:flash board !'],
  ['avrdude -p m328p -U flash:w:a.hex', 'change dev:flash board !'],
  ['dfu-util -D a.bin', 'change dev:flash board !'],
  ['st-flash write a.bin 0x8000000', 'change dev:flash board !'],
  ['openocd --version', ''],
])
