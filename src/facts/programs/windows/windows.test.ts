import { cases } from '../table-harness.ts'

cases('registry', [
  [
    'reg add HKCU\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run /v x /d calc.exe',
    'persist schedule:install HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run !',
  ],
  ["reg add 'HKLM\\Software\\Foo' /v x /d 1 /f", 'change system:registry HKLM\\Software\\Foo !'],
  [
    "reg ADD 'HKLM\\System\\CurrentControlSet\\Services\\x' /v ImagePath /d x.exe",
    'persist schedule:install HKLM\\System\\CurrentControlSet\\Services\\x !',
  ],
  [
    "reg add 'HKLM\\Software\\Policies\\Microsoft\\Windows Defender' /v DisableAntiSpyware /d 1",
    'change security:disable HKLM\\Software\\Policies\\Microsoft\\Windows Defender !',
  ],
  ["reg delete 'HKCU\\Software\\Foo' /f", 'delete system:registry HKCU\\Software\\Foo !'],
  ["reg query 'HKCU\\Software\\Foo'", ''],
  ["reg export 'HKCU\\Software\\Foo' out.reg", 'read system:registry HKCU\\Software\\Foo'],
  ["reg save 'HKLM\\SAM' sam.hiv", 'read system:registry HKLM\\SAM'],
  ['reg import x.reg', 'read x.reg | persist schedule:install registry !'],
  ['reg', ''],
  ['reg /?', ''],
])

cases('protection, boot and backups', [
  ['bcdedit /set safeboot minimal', 'change kernel:boot boot settings'],
  ['bcdedit /enum', ''],
  ['vssadmin delete shadows /all /quiet', 'delete backup:delete shadow copies !'],
  ['vssadmin list shadows', ''],
  ['wbadmin delete catalog -quiet', 'delete backup:delete backups !'],
  ['auditpol /clear /y', 'change security:disable audit policy'],
  ['auditpol /get /category:*', ''],
  ['manage-bde -off C:', 'change security:disable disk encryption'],
  ['manage-bde -status', ''],
  ['netsh advfirewall set allprofiles state off', 'change security:disable network settings'],
  ['netsh advfirewall firewall add rule name=x dir=in action=allow', 'change firewall:change network settings'],
  ['netsh wlan show profiles', ''],
  ['netsh firewall set opmode disable', 'change security:disable network settings'],
  ['netsh interface portproxy add v4tov4 listenport=80', 'change firewall:change network settings'],
  ['netsh interface show interface', ''],
  ['dism /online /disable-feature /featurename:Windows-Defender', 'change security:disable features of Windows'],
  ['dism /online /enable-feature /featurename:TelnetClient', 'change system:setting features of Windows'],
  ['dism /online /get-features', ''],
  ['net user x secret /add', 'change user:change accounts and services'],
  ['net user x newsecret', 'change user:change accounts and services'],
  ['net user', ''],
  ['net stop WinDefend', 'change security:disable accounts and services'],
  ['net view', ''],
])
