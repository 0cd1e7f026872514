import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { pathTarget } from './index.ts'

/** Paths as `kernel-name scope classes`; the kernel's name is left out where it is what was written. */

const view = createFixedView({
  home: '/home/me',
  user: 'me',
  cwd: '/home/me/shop',
  links: { '/home/me/shop/link': '/etc', '/home/me/shop/keys': '/home/me/.ssh' },
})

function told(path: string, cwd: string | null = '/home/me/shop'): string {
  const { real, scope, classes } = pathTarget(path, cwd, view)
  return [real === path ? null : String(real), scope, ...classes].filter((word) => word !== null).join(' ')
}

describe('where a path lies', () => {
  for (const [path, expected] of [
    ['src/a.ts', '/home/me/shop/src/a.ts workspace'],
    ['./a', '/home/me/shop/a workspace'],
    ['../b/a.ts', '/home/me/b/a.ts home'],
    ['/home/me/shop', 'workspace workspace-root'],
    ['.', '/home/me/shop workspace workspace-root'],
    ['/home/me', 'home home-root workspace-root'],
    ['~', '/home/me home home-root workspace-root'],
    ['~/', '/home/me home home-root workspace-root'],
    ['/', 'system filesystem-root'],
    ['/home', 'elsewhere home-root workspace-root'],
    ['/home/bob/x', 'elsewhere other-user'],
    ['/root/.bashrc', 'elsewhere shell-startup other-user'],
    ['~bob/x', '/home/bob/x elsewhere other-user'],
    ['~me/x', '/home/me/x home'],
    ['$HOME/x', '/home/me/x home'],
    ['/tmp/x', 'temporary'],
    ['/var/tmp/x', 'temporary'],
    ['/dev/null', 'device'],
    ['/dev/sda', 'device device'],
    ['/dev/nvme0n1p1', 'device device'],
    ['/dev/shm/x', 'device'],
    ['/dev/stdin', 'device'],
    ['/proc/self/environ', 'system credential system'],
    ['/proc/cpuinfo', 'system system'],
    ['/etc/passwd', 'system system'],
    ['/usr/bin/env', 'system system'],
    ['/opt/x', 'system system'],
    ['/srv/x', 'elsewhere'],
    ['/host_mnt/etc/shadow', 'elsewhere credential system'],
    ['/host_mnt/home/me/shop/a', 'elsewhere'],
    ['/host_mnt/home/bob/x', 'elsewhere other-user'],
    ['/hostfs/root/.ssh/id_rsa', 'elsewhere credential other-user'],
    ['/rootfs', 'elsewhere filesystem-root'],
    ['/host/etc/cron.d/x', 'elsewhere scheduled system'],
    ['/mnt/host/etc/passwd', 'elsewhere system'],
    ['/mnt/data/etc/passwd', 'elsewhere'],
    ['/host_mnt_2/etc/shadow', 'elsewhere'],
    ['/hosts/etc/shadow', 'elsewhere'],
    ['/host_mnt/../etc/shadow', '/etc/shadow system credential system'],
    ['link/passwd', '/etc/passwd system system'],
    ['keys/id_rsa', '/home/me/.ssh/id_rsa home credential'],
    ['link', '/etc system system'],
    ['C:\\Windows\\System32\\config\\SAM', 'null system credential system'],
    ['C:/Users/x', 'null elsewhere other-user home-root'],
    ['..\\..\\etc\\passwd', '/home/me/shop/..\\..\\etc\\passwd workspace other-user'],
    ['\\\\host\\share\\x', 'null unknown'],
    // Windows' own spellings of a path that it is to take as it stands.
    ['\\\\?\\C:\\Windows\\System32\\config\\SAM', 'null system credential system'],
    ['\\\\?\\C:\\', 'null system filesystem-root'],
    ['\\\\.\\C:\\Users\\x\\a.txt', 'null elsewhere other-user'],
    ['//?/C:/Users/x/a.txt', 'null elsewhere other-user'],
    ['\\\\?\\UNC\\host\\share\\x', 'null unknown'],
    ['/mnt/c/Windows/System32/config/SAM', 'elsewhere credential system'],
    ['/mnt/c/Users/me/notes.txt', 'elsewhere other-user'],
    ['/mnt/data/Users/me/notes.txt', 'elsewhere'],
  ] as const) {
    test(path, () => expect(told(path)).toBe(expected))
  }
})

describe('what holds secrets, and what only looks like it', () => {
  for (const [path, expected] of [
    ['~/.ssh/id_rsa', '/home/me/.ssh/id_rsa home credential'],
    ['~/.ssh/id_rsa.pub', '/home/me/.ssh/id_rsa.pub home'],
    ['~/.ssh/known_hosts', '/home/me/.ssh/known_hosts home'],
    ['~/.ssh/config', '/home/me/.ssh/config home scheduled'],
    ['~/.ssh', '/home/me/.ssh home credential'],
    ['~/.ssh/authorized_keys', '/home/me/.ssh/authorized_keys home shell-startup'],
    ['~/.aws/credentials', '/home/me/.aws/credentials home credential'],
    ['~/.vnc/passwd', '/home/me/.vnc/passwd home credential'],
    ['~/.sbt/1.0/credentials.sbt', '/home/me/.sbt/1.0/credentials.sbt home credential'],
    ['~/.msmtprc', '/home/me/.msmtprc home credential'],
    ['~/.erlang.cookie', '/home/me/.erlang.cookie home credential'],
    ['~/.config/Exodus/seed', '/home/me/.config/Exodus/seed home credential'],
    ['~/.aws/config', '/home/me/.aws/config home'],
    ['~/.netrc', '/home/me/.netrc home credential'],
    ['.env', '/home/me/shop/.env workspace credential'],
    ['.env.local', '/home/me/shop/.env.local workspace credential'],
    ['.env.example', '/home/me/shop/.env.example workspace'],
    ['config/.env.production', '/home/me/shop/config/.env.production workspace credential'],
    ['app.env', '/home/me/shop/app.env workspace credential'],
    ['server.key', '/home/me/shop/server.key workspace credential'],
    ['server.pem', '/home/me/shop/server.pem workspace credential'],
    ['cert.pem', '/home/me/shop/cert.pem workspace'],
    ['public.pem', '/home/me/shop/public.pem workspace'],
    ['~/.docker/config.json', '/home/me/.docker/config.json home credential'],
    ['~/.kube/config', '/home/me/.kube/config home credential'],
    ['~/.npmrc', '/home/me/.npmrc home credential scheduled'],
    ['.npmrc', '/home/me/shop/.npmrc workspace'],
    ['~/.config/gh/hosts.yml', '/home/me/.config/gh/hosts.yml home credential'],
    ['~/.config/acme/credentials', '/home/me/.config/acme/credentials home credential'],
    ['~/.config/acme/token', '/home/me/.config/acme/token home credential'],
    ['~/.config/acme/settings.json', '/home/me/.config/acme/settings.json home'],
    ['~/.acme/credentials.json', '/home/me/.acme/credentials.json home credential'],
    ['~/.acme/auth.json', '/home/me/.acme/auth.json home credential'],
    ['~/.git-credentials', '/home/me/.git-credentials home credential'],
    ['~/.gnupg/private-keys-v1.d/x.key', '/home/me/.gnupg/private-keys-v1.d/x.key home credential'],
    ['~/.gnupg', '/home/me/.gnupg home credential'],
    ['terraform.tfvars', '/home/me/shop/terraform.tfvars workspace credential'],
    ['terraform.tfstate', '/home/me/shop/terraform.tfstate workspace credential'],
    ['wp-config.php', '/home/me/shop/wp-config.php workspace credential'],
    ['/etc/shadow', 'system credential system'],
    ['/etc/gshadow', 'system credential system'],
    ['/etc/ssh/ssh_host_rsa_key', 'system credential system'],
    ['/etc/ssh/ssh_host_rsa_key.pub', 'system system'],
    ['/run/secrets/db', 'system credential system'],
    ['/var/run/secrets/kubernetes.io/serviceaccount/token', 'system credential system'],
    ['/proc/1/environ', 'system credential system'],
    ['/proc/self/fd/3', 'system system'],
    ['~/Library/Keychains/login.keychain-db', '/home/me/Library/Keychains/login.keychain-db home credential'],
    ['~/.config/google-chrome/Default/Cookies', '/home/me/.config/google-chrome/Default/Cookies home credential'],
    ['~/.mozilla/firefox/x.default/logins.json', '/home/me/.mozilla/firefox/x.default/logins.json home credential'],
    ['~/.password-store/a.gpg', '/home/me/.password-store/a.gpg home credential'],
    ['secrets.md', '/home/me/shop/secrets.md workspace'],
    ['docs/credentials.md', '/home/me/shop/docs/credentials.md workspace'],
    ['/home/bob/.ssh/id_ed25519', 'elsewhere credential other-user'],
    ['/backup/home/ann/.ssh/id_rsa', 'elsewhere credential'],
    ['/mnt/.AWS/credentials', 'elsewhere credential'],
    ['~/.Sſh/id_rsa', '/home/me/.Sſh/id_rsa home credential'],
    ['/tmp/krb5cc_1000', 'temporary credential'],
    // What NTFS opens: a stream of the file, its short name.
    ['.env::$DATA', '/home/me/shop/.env::$DATA workspace credential'],
    ['.ssh::$INDEX_ALLOCATION/id_rsa', '/home/me/shop/.ssh::$INDEX_ALLOCATION/id_rsa workspace credential'],
    ['ENV~1', '/home/me/shop/ENV~1 workspace credential'],
    ['notes~1', '/home/me/shop/notes~1 workspace'],
    ['a:b', '/home/me/shop/a:b workspace'],
    // Patterns that stand for a secret by whatever matches them.
    ['.env*', '/home/me/shop/.env* workspace credential'],
    ['.env.*', '/home/me/shop/.env.* workspace credential'],
    ['**/.env', '/home/me/shop/**/.env workspace credential'],
    ['**/.env?', '/home/me/shop/**/.env? workspace credential'],
    ['*.pem', '/home/me/shop/*.pem workspace credential'],
    ['*.env.example', '/home/me/shop/*.env.example workspace'],
    ['src/*', '/home/me/shop/src/* workspace'],
    ['*', '/home/me/shop/* workspace'],
    // Patterns that no directory was asked about.
    ['~/.aws/cred*', '/home/me/.aws/cred* home credential'],
    ['~/.{ssh,aws}/*', '/home/me/.{ssh,aws}/* home credential'],
    ['~/.*', '/home/me/.* home credential'],
    ['~/.ssh/id_[re]*', '/home/me/.ssh/id_[re]* home credential'],
    ['~/.cache/*', '/home/me/.cache/* home'],
    ['~/*', '/home/me/* home'],
    ['src/app/[id]/page.tsx', '/home/me/shop/src/app/[id]/page.tsx workspace'],
    ['src/{a,b}.ts', '/home/me/shop/src/{a,b}.ts workspace'],
    // Private halves under names of public ones.
    ['rootCA-key.pem', '/home/me/shop/rootCA-key.pem workspace credential'],
    ['chain.private.pem', '/home/me/shop/chain.private.pem workspace credential'],
    ['rootCA.pem', '/home/me/shop/rootCA.pem workspace'],
    ['public-key.pem', '/home/me/shop/public-key.pem workspace'],
    ['~/.step/secrets/root_ca_key', '/home/me/.step/secrets/root_ca_key home credential'],
    // What the kernel makes of the way out of the handles.
    ['/dev/fd/../environ', '/proc/self/environ system credential system'],
    ['/proc/self/fd/../environ', '/proc/self/environ system credential system'],
    ['/dev/fd/3', 'device'],
    // Variables of Windows.
    ['%USERPROFILE%\\.ssh\\id_rsa', '/home/me/.ssh/id_rsa home credential'],
    ['%APPDATA%\\gcloud\\credentials.db', '/home/me/AppData/Roaming/gcloud/credentials.db home credential'],
    ['$env:APPDATA\\GitHub CLI\\hosts.yml', '/home/me/AppData/Roaming/GitHub CLI/hosts.yml home credential'],
    ['%WINDIR%\\System32\\config\\SAM', '/Windows/System32/config/SAM system credential system'],
    ['%done%/x', '/home/me/shop/%done%/x workspace'],
    // The same stores on Windows and macOS.
    ['C:\\Users\\me\\AppData\\Roaming\\gcloud\\credentials.db', 'null elsewhere credential other-user'],
    ['C:\\Users\\me\\AppData\\Roaming\\GitHub CLI\\hosts.yml', 'null elsewhere credential other-user'],
    ['C:\\Users\\me\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Login Data', 'null elsewhere credential other-user'],
    ['C:\\Users\\me\\AppData\\Roaming\\NuGet\\NuGet.Config', 'null elsewhere credential other-user'],
    ['C:\\Users\\me\\AppData\\Roaming\\Microsoft\\Windows\\Recent\\x.lnk', 'null elsewhere other-user'],
    ['~/Library/Application Support/Slack/Cookies', '/home/me/Library/Application Support/Slack/Cookies home credential'],
    [
      '~/Library/Application Support/com.vercel.cli/auth.json',
      '/home/me/Library/Application Support/com.vercel.cli/auth.json home credential',
    ],
    ['~/Library/Group Containers/x/a', '/home/me/Library/Group Containers/x/a home'],
  ] as const) {
    test(path, () => expect(told(path)).toBe(expected))
  }
})

describe('what is obeyed, run or told later', () => {
  for (const [path, expected] of [
    ['~/.bashrc', '/home/me/.bashrc home shell-startup'],
    ['~/.zshrc', '/home/me/.zshrc home shell-startup'],
    ['~/.profile', '/home/me/.profile home shell-startup'],
    ['~/.config/fish/config.fish', '/home/me/.config/fish/config.fish home shell-startup'],
    ['~/.bash_functions', '/home/me/.bash_functions home shell-startup'],
    ['/etc/profile.d/x.sh', 'system shell-startup system'],
    ['/etc/ld.so.preload', 'system shell-startup system'],
    ['~/.gitconfig', '/home/me/.gitconfig home scheduled'],
    ['~/.pryrc', '/home/me/.pryrc home scheduled'],
    ['~/.gradle/init.gradle', '/home/me/.gradle/init.gradle home scheduled'],
    ['~/.ipython/profile_default/startup/00.py', '/home/me/.ipython/profile_default/startup/00.py home scheduled'],
    ['~/.kube/plugins/x', '/home/me/.kube/plugins/x home scheduled'],
    ['~/.local/bin/x', '/home/me/.local/bin/x home scheduled'],
    ['~/.local/lib/python3.11/site-packages/x.pth', '/home/me/.local/lib/python3.11/site-packages/x.pth home scheduled'],
    ['~/go/pkg/mod/x/y.go', '/home/me/go/pkg/mod/x/y.go home scheduled'],
    ['/usr/local/bin/x', 'system scheduled system'],
    ['/etc/cron.d/x', 'system scheduled system'],
    ['/etc/crontab', 'system scheduled system'],
    ['/var/spool/cron/me', 'system scheduled system'],
    ['~/.config/systemd/user/x.service', '/home/me/.config/systemd/user/x.service home scheduled'],
    ['/etc/systemd/system/x.service', 'system scheduled system'],
    ['~/Library/LaunchAgents/x.plist', '/home/me/Library/LaunchAgents/x.plist home scheduled'],
    ['~/.config/autostart/x.desktop', '/home/me/.config/autostart/x.desktop home scheduled'],
    ['.git/hooks/pre-commit', '/home/me/shop/.git/hooks/pre-commit workspace vcs'],
    ['.git/config', '/home/me/shop/.git/config workspace vcs'],
    ['.git', '/home/me/shop/.git workspace vcs'],
    ['git~1/hooks/pre-commit', '/home/me/shop/git~1/hooks/pre-commit workspace vcs'],
    ['.git::$INDEX_ALLOCATION/config', '/home/me/shop/.git::$INDEX_ALLOCATION/config workspace vcs'],
    ['CLAUDE~1/settings.json', '/home/me/shop/CLAUDE~1/settings.json workspace agent-settings'],
    ['.github/workflows/ci.yml', '/home/me/shop/.github/workflows/ci.yml workspace ci'],
    ['.gitlab-ci.yml', '/home/me/shop/.gitlab-ci.yml workspace ci'],
    ['Jenkinsfile', '/home/me/shop/Jenkinsfile workspace ci'],
    ['.devcontainer/devcontainer.json', '/home/me/shop/.devcontainer/devcontainer.json workspace scheduled'],
    ['.claude/settings.json', '/home/me/shop/.claude/settings.json workspace agent-settings'],
    ['~/.claude/settings.json', '/home/me/.claude/settings.json home agent-settings'],
    ['.mcp.json', '/home/me/shop/.mcp.json workspace agent-settings'],
    ['.cursor/mcp.json', '/home/me/shop/.cursor/mcp.json workspace agent-settings'],
    ['.vscode/settings.json', '/home/me/shop/.vscode/settings.json workspace agent-settings'],
    ['CLAUDE.md', '/home/me/shop/CLAUDE.md workspace agent-instructions'],
    ['docs/AGENTS.md', '/home/me/shop/docs/AGENTS.md workspace agent-instructions'],
    ['.cursorrules', '/home/me/shop/.cursorrules workspace agent-instructions'],
    ['.github/copilot-instructions.md', '/home/me/shop/.github/copilot-instructions.md workspace agent-instructions'],
    ['countersign.yaml', '/home/me/shop/countersign.yaml workspace gate'],
    ['~/.countersign/countersign.db', '/home/me/.countersign/countersign.db home gate'],
    ['~/.bash_history', '/home/me/.bash_history home history credential'],
    ['~/Documents/tax.pdf', '/home/me/Documents/tax.pdf home personal'],
    ['/boot/vmlinuz', 'system boot system'],
    ['/etc/fstab', 'system boot system'],
    ['/var/run/docker.sock', 'system device system'],
    ['src/claude.md.ts', '/home/me/shop/src/claude.md.ts workspace'],
    ['settings.json', '/home/me/shop/settings.json workspace'],
  ] as const) {
    test(path, () => expect(told(path)).toBe(expected))
  }
})

describe('where the directory is not known', () => {
  for (const [path, expected] of [
    ['src/a.ts', 'null unknown'],
    ['.env', 'null unknown credential'],
    ['.git/hooks/pre-commit', 'null unknown vcs'],
    ['../CLAUDE.md', 'null unknown agent-instructions'],
    ['.env.example', 'null unknown'],
    ['/etc/passwd', 'system system'],
    ['~/.bashrc', '/home/me/.bashrc home shell-startup'],
    ['~-/x', 'null unknown'],
  ] as const) {
    test(path, () => expect(told(path, null)).toBe(expected))
  }
})

describe('whose ground it is', () => {
  test('a workspace in a personal or system place is work, not papers', () => {
    const inside = createFixedView({ home: '/home/me', cwd: '/home/me/Documents/shop' })
    expect(pathTarget('a.txt', '/home/me/Documents/shop', inside)).toMatchObject({ scope: 'workspace', classes: [] })
    const opt = createFixedView({ home: '/home/me', cwd: '/opt/shop' })
    expect(pathTarget('a.txt', '/opt/shop', opt)).toMatchObject({ scope: 'workspace', classes: [] })
  })
  test('names are compared whole: a sibling with a longer name is no part of the workspace', () => {
    expect(pathTarget('/home/me/shop-evil/a', null, view).scope).toBe('home')
  })
  test('the places of the gate, by any spelling of their letters', () => {
    const gated = createFixedView({ home: '/home/me', cwd: '/home/me/shop', gate: ['/srv/gate'] })
    for (const path of ['/srv/gate', '/srv/gate/db', '/SRV/Gate/db', '/srv/gate./db']) {
      expect(pathTarget(path, null, gated).classes).toContain('gate')
    }
    expect(pathTarget('/srv/gatehouse', null, gated).classes).not.toContain('gate')
  })
  test('an empty path is nothing', () => expect(pathTarget('', '/x', view)).toMatchObject({ kind: 'unknown', scope: 'unknown' }))
})

describe('Views that take turns are each held against their own places', () => {
  const worlds = [
    [{ home: '/home/me', cwd: '/srv/a' }, 'workspace'],
    [{ home: '/home/me', cwd: '/srv/b' }, 'elsewhere'],
    [{ home: '/home/me', cwd: '/srv/b', roots: ['/srv/a', '/srv/b'] }, 'workspace'],
    [{ home: '/srv/a', cwd: '/srv/b' }, 'home'],
    [{ home: '/home/me', cwd: '/srv/b', temporary: ['/srv/a'] }, 'temporary'],
    [{ home: '/home/me', cwd: '/srv/b', gate: ['/srv/a'] }, 'elsewhere gate'],
  ] as const
  const seen = (world: (typeof worlds)[number][0]) => {
    const { scope, classes } = pathTarget('/srv/a/x', world.cwd, createFixedView(world))
    return [scope, ...classes].join(' ')
  }
  for (const [world, expected] of worlds) test(`${expected} in ${JSON.stringify(world)}`, () => expect(seen(world)).toBe(expected))
  for (const [world, expected] of [...worlds].reverse())
    test(`${expected} again in ${JSON.stringify(world)}`, () => expect(seen(world)).toBe(expected))
})

test('a path is what it was after more others than are kept', () => {
  const kept = '/home/me/.ssh/id_rsa'
  const before = told(kept)
  for (let i = 0; i < 3_000; i++) expect(told(`/home/me/shop/src/${i}.ts`)).toBe('workspace')
  expect(told(kept)).toBe(before)
  expect(before).toContain('credential')
})

test('hostile paths take bounded time', () => {
  for (const path of [
    '../'.repeat(20_000),
    '/'.repeat(50_000),
    `${'a/'.repeat(20_000)}.env`,
    '~'.repeat(50_000),
    '/proc/self/root'.repeat(2_000),
  ]) {
    expect(pathTarget(path, '/home/me/shop', view).kind).toBe('path')
  }
})
