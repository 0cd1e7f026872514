import { cases } from '../table-harness.ts'

cases('protections', [
  ['csrutil disable', 'change security:disable system integrity protection'],
  ['csrutil status', ''],
  ['spctl --master-disable', 'change security:disable Gatekeeper'],
  ['spctl --status', ''],
  ['spctl --add /Applications/X.app', 'change security:change Gatekeeper'],
  ['nvram boot-args=-x', 'change kernel:boot firmware variables'],
  ['nvram -p', ''],
  ['fdesetup disable', 'change security:disable FileVault'],
  ['fdesetup status', ''],
  ['socketfilterfw --setglobalstate off', 'change security:disable application firewall'],
  ['tccutil reset All', 'change security:change tccutil'],
  ['profiles remove -identifier x', 'change security:disable configuration profiles'],
  ['profiles list', ''],
])

cases('keychain', [
  ['security find-generic-password -w -s x', 'read secret:read keychain'],
  ['security dump-keychain', 'read secret:read keychain'],
  ['security add-generic-password -s x -w y', 'change secret:change keychain'],
  ['security delete-generic-password -s x', 'change secret:change keychain'],
  ['security find-identity', ''],
  ['security list-keychains', ''],
  ['security unlock-keychain', 'read secret:read keychain'],
  ['security import x.p12', 'change secret:change keychain'],
])

cases('settings', [
  ['defaults read com.apple.finder', ''],
  ['defaults write com.apple.finder X -bool true', 'change system:setting com.apple.finder X'],
  ['defaults delete com.apple.finder', 'change system:setting com.apple.finder'],
  ['defaults write com.apple.LaunchServices LSQuarantine -bool false', 'change security:disable com.apple.LaunchServices LSQuarantine'],
  ['pmset sleepnow', 'change system:setting power settings'],
  ['pmset -g', ''],
  ['scutil --dns', ''],
  ['scutil --set HostName x', 'change firewall:network system configuration'],
  ['networksetup -listallnetworkservices', ''],
  ['networksetup -setdnsservers Wi-Fi 8.8.8.8', 'change firewall:network network settings'],
  ['networksetup -setwebproxy Wi-Fi p.example 8080', 'change firewall:network network settings'],
  ['systemsetup -setremotelogin on', 'change privilege:grant system settings'],
  ['dscl . -list /Users', ''],
  ['dscl . -create /Users/x', 'change user:change directory accounts'],
  ['dscl . -passwd /Users/x pw', 'change user:change directory accounts'],
  ['dseditgroup -o edit -a me -t user admin', 'change privilege:grant directory groups'],
  ['sysadminctl -addUser x', 'change user:change accounts'],
])

cases('disks and backups', [
  ['diskutil list', ''],
  ['diskutil eraseDisk JHFS+ x disk2', 'delete disk:erase disks !'],
  ['diskutil unmount disk2', 'change disk:attach disks'],
  ['hdiutil attach x.dmg', 'change disk:attach disk images'],
  ['hdiutil create -size 1g x.dmg', 'change disk:attach disk images'],
  ['tmutil delete /x', 'delete backup:delete backups !'],
  ['tmutil disable', 'change security:disable backups'],
  ['tmutil listbackups', ''],
  ['asr restore --source a --target b', 'delete disk:erase disk !'],
])

cases('packages and files', [
  ['installer -pkg x.pkg -target /', 'read x.pkg | change os-package:install installer'],
  ['pkgutil --pkgs', ''],
  ['pkgutil --forget x', 'change os-package:remove package receipts'],
  ['softwareupdate -l', ''],
  ['softwareupdate -ia', 'change os-package:upgrade system software'],
  ['codesign -s - x', 'change fs:attributes x'],
  ['codesign -v x', ''],
  ['plutil -convert xml1 x.plist', 'read x.plist | write text:edit x.plist'],
  ['plutil -p x.plist', 'read x.plist'],
  ["PlistBuddy -c 'Set :x y' x.plist", 'write text:edit x.plist'],
  ['mdfind x', 'read fs:list / +mass +recursive named=["x"]'],
  ['mdutil -i off /', 'change system:setting search index'],
  ['kextload x.kext', 'change kernel:module kextload'],
  ['kextstat', ''],
  ['sw_vers', ''],
  ['system_profiler', ''],
  ['bless --mount /x', 'change kernel:boot boot volume'],
  ['SetFile -a V x', 'change fs:attributes x'],
])
