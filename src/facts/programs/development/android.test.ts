import { cases } from '../table-harness.ts'

cases('adb', [
  ['adb devices', 'read pkg:read installed'],
  ['adb shell', 'execute dev:device-login android device'],
  ['adb shell ls /sdcard', 'execute dev:device android device | read fs:list /sdcard remote=android device'],
  ['adb shell rm -rf /sdcard/x', 'execute dev:device android device | delete /sdcard/x ! +recursive +force remote=android device'],
  [
    'adb -s x shell pm uninstall y',
    'execute dev:device android device | likely execute program:unknown pm remote=android device | likely delete cli:delete pm uninstall ! remote=android device',
  ],
  [
    'adb shell $X',
    'execute dev:device android device | ? `adb` runs code that is not known before it runs | likely execute code:dynamic  ! language=shell by=adb remote=android device',
  ],
  ['adb install a.apk', 'read a.apk | execute dev:device android device'],
  ['adb install -r a.apk', 'read a.apk | execute dev:device android device'],
  ['adb uninstall com.x', 'delete dev:device com.x !'],
  ['adb push a.txt /sdcard/', 'read a.txt | execute dev:device adb'],
  ['adb pull /sdcard/a.txt', 'read dev:device android device'],
  ['adb pull /sdcard/a.txt out.txt', 'write out.txt | read dev:device android device'],
  ['adb logcat', 'read pkg:read installed'],
  ['adb reboot', 'change dev:device android device !'],
  ['adb reboot bootloader', 'change dev:device android device !'],
  ['adb root', 'change dev:device android device !'],
  ['adb connect 10.0.0.1', 'change dev:device 10.0.0.1'],
  ['adb backup -f out.ab', 'write out.ab | read dev:device android device'],
  ['adb kill-server', 'change dev:device android device'],
  ['adb version', 'read pkg:read installed'],
  ['adb help', 'read pkg:read installed'],
  ['adb', 'execute tool:help adb'],
])

cases('fastboot', [
  ['fastboot devices', 'read pkg:read installed'],
  ['fastboot flash boot boot.img', 'read boot.img | change disk:flash boot !'],
  ['fastboot flashall', 'change disk:flash android device !'],
  ['fastboot erase userdata', 'delete disk:erase userdata !'],
  ['fastboot format userdata', 'delete disk:erase userdata !'],
  ['fastboot oem unlock', 'change disk:flash unlock !'],
  ['fastboot flashing unlock', 'change disk:flash unlock !'],
  ['fastboot reboot', 'change dev:device android device'],
  ['fastboot -w', 'execute tool:help fastboot | delete disk:erase android device !'],
  ['fastboot getvar all', 'read pkg:read installed'],
])

cases('kit', [
  ["sdkmanager 'platforms;android-34'", 'execute pkg:install platforms manager=sdkmanager source=registry spec=platforms;android-34'],
  ['sdkmanager --list', ''],
  ['sdkmanager --licenses', 'execute pkg:install android sdk manager=sdkmanager source=manifest spec=android sdk'],
  ['emulator -avd x', 'execute dev:build emulator'],
  ['avdmanager create avd -n x', 'execute dev:build avdmanager'],
  ['apksigner sign --ks k.jks a.apk', 'execute dev:build apksigner'],
  ['zipalign 4 a.apk b.apk', 'execute dev:build zipalign'],
  ['bundletool build-apks', 'execute dev:build bundletool'],
])
