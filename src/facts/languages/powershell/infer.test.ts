import { describe, expect, test } from 'vitest'
import { actions, lines } from '../../bash/harness.ts'

/** Cmdlets, objects and tables of PowerShell that go beyond what is named one by one. */

const quoted = (text: string): string => `pwsh -NoProfile -Command '${text.replaceAll("'", "'\\''")}'`

describe('what a name or an object says', () => {
  for (const [text, action] of [
    ['Remove-AzResourceGroup -Name prod -Force', 'cloud:delete'],
    ['Remove-S3Bucket -BucketName b', 'cloud:delete'],
    ['Stop-EC2Instance i-1', 'cloud:update'],
    ['Set-ADUser x -Enabled $false', 'cloud:update'],
    ['Get-ADUser -Filter * | Disable-ADAccount', 'cloud:delete'],
    ['Uninstall-Something x', 'cloud:delete'],
    ['Import-Module \\\\host.example\\x.psm1', 'code:remote'],
    ['[Ref].Assembly.GetType("System.Management.Automation.AmsiUtils")', 'security:disable'],
    ['gci env:', 'env:list'],
  ] as const)
    test(text, () => expect(actions(quoted(text))).toContain(action))
  for (const text of [
    'Remove-Module x',
    'Remove-PSDrive x',
    'Clear-Variable x',
    'Remove-Job 1',
    'New-Thing x',
    'Get-AzVM',
    'Import-Module Pester',
  ])
    test(text, () => expect(actions(quoted(text)).filter((a) => /^cloud|remote/.test(a))).toEqual([]))
})

describe('paths that objects and properties stand for', () => {
  for (const [text, like] of [
    ['(Get-Item /data/x).Delete()', 'rm -rf /data/x'],
    ['[Diagnostics.Process]::Start("rm", "-rf /data/x")', 'rm -rf /data/x'],
  ] as const)
    test(text, () => expect(lines(quoted(text)).join('\n')).toContain(lines(like).at(-1)))
})

describe('tables without blanks', () => {
  const whole = [
    '$x = @{a=1}; $x.a',
    '$p=@{Path="x";Force=$true}; Get-Item @p',
    '@{ "a" = 1; b=2 }',
    '@{ $m.Params.name = 1; $level = @{} }',
  ]
  for (const text of whole) test(text, () => expect(actions(quoted(text)).filter((a) => a.includes('opaque'))).toEqual([]))
  test('what a key runs is told', () => {
    expect(lines(quoted('@{ $m.Of($(rm -rf /data/x)).name = 1 }')).join('\n')).toContain(lines('rm -rf /data/x').at(-1))
  })
})
