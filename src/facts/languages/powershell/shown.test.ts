import { family } from '../../../layers/hazard/verdict-harness.ts'

const pwsh = (text: string) => `pwsh -c '${text}'`

family('secrets of the environment that PowerShell prints', {
  meets: 'ask credential-command',
  commands: [
    pwsh('$env:GITHUB_TOKEN'),
    pwsh('Write-Output $env:GITHUB_TOKEN'),
    pwsh('echo "token: $env:GITHUB_TOKEN"'),
    pwsh('Write-Host "x $env:AWS_SECRET_ACCESS_KEY" -ForegroundColor Red'),
    pwsh('"a" + $env:GITHUB_TOKEN'),
    pwsh('"{0}" -f $env:GITHUB_TOKEN'),
    pwsh('$x = $env:GITHUB_TOKEN; $x'),
    pwsh('[Environment]::GetEnvironmentVariable("AWS_SECRET_ACCESS_KEY")'),
    pwsh('Get-Date; $env:GITHUB_TOKEN; Get-Date'),
    pwsh('$env:GITHUB_TOKEN | Out-Host'),
  ],
  run: [
    pwsh('$env:PATH'),
    pwsh('Write-Host "building $env:CONFIGURATION"'),
    pwsh('$env:GITHUB_TOKEN.Length'),
    pwsh('$env:GITHUB_TOKEN -ne $null'),
    pwsh('[string]::IsNullOrEmpty($env:GITHUB_TOKEN)'),
    pwsh('if ($env:GITHUB_TOKEN) { "set" } else { "missing" }'),
    pwsh('$x = $env:GITHUB_TOKEN'),
    pwsh('[Environment]::GetEnvironmentVariable("PATH")'),
    pwsh('./build.ps1 -Token $env:GITHUB_TOKEN'),
  ],
})
