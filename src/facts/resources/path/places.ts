/** What places mean to their owner: files obeyed later, settings of agents, history, schedules, the system, devices. */
import type { Entry } from './patterns.ts'

/** Files that every new shell or login runs: to write one is to leave something behind. */
const STARTUP = [
  ...['~/.bashrc', '~/.bash_profile', '~/.bash_login', '~/.bash_logout', '~/.bash_aliases', '~/.profile', '~/.zshrc', '~/.zshenv'],
  ...['~/.zprofile', '~/.zlogin', '~/.zlogout', '~/.kshrc', '~/.mkshrc', '~/.cshrc', '~/.tcshrc', '~/.login', '~/.config/fish/**'],
  ...['~/.xinitrc', '~/.xprofile', '~/.xsession', '~/.xsessionrc', '~/.pam_environment', '~/.config/environment.d/**', '~/.oh-my-zsh/**'],
  ...['~/.config/plasma-workspace/**', '~/.config/powershell/**', '~/documents/powershell/**', '~/documents/windowspowershell/**'],
  ...['~/.ssh/authorized_keys*', '~/.ssh/rc', '~/.ssh/environment', '/etc/profile', '/etc/profile.d/**', '/etc/bash.bashrc', '/etc/bashrc'],
  ...'~/.bash_functions ~/.zsh_functions ~/.bashrc.d/** ~/.profile.d/** ~/.zshrc.d/** ~/.zsh/** ~/.exports ~/.functions'.split(' '),
  ...['/etc/zsh/**', '/etc/zshrc', '/etc/zshenv', '/etc/environment', '/etc/ld.so.preload', '/etc/skel/**', '/etc/fish/**'],
]

/** What programs started later obey or run instead of what was meant: class `scheduled`, as it waits for its time too. */
const OBEYED_LATER = [
  ...(
    '~/.ssh/config ~/.gitconfig ~/.config/git/** ~/.hgrc ~/.inputrc ~/.vimrc ~/.vim/** ~/.config/nvim/** ~/.emacs ~/.emacs.d/** ' +
    '~/.tmux.conf ~/.screenrc ~/.gdbinit ~/.lldbinit ~/.curlrc ~/.wgetrc ~/.pip/pip.conf ~/.config/pip/pip.conf ~/.condarc ' +
    '~/.yarnrc ~/.yarnrc.yml ~/.npmrc ~/.gemrc ~/.cargo/config* ~/.rprofile ~/.pythonrc* ~/.psqlrc ~/.sqliterc ~/.irbrc ' +
    '~/.local/bin/** ~/bin/** ~/.cargo/bin/** ~/.vscode/extensions/** ~/.pryrc ~/.mavenrc ~/.pdbrc ~/.ghci ~/.perldb ~/.octaverc ' +
    '~/.sbtrc ~/.nanorc ~/.mailrc ~/.*/init.* ~/.config/*/init.* ~/.*/plugins/** ~/.config/*/plugins/** ~/.*/startup/** ' +
    '~/.*/*/startup/** ~/.config/direnv/** ~/.selected_editor ~/.mailcap /etc/ld.so.conf.d/** /etc/gitconfig /etc/ssh/sshd_config* ' +
    '~/.config/pnpm/rc ~/.config/litellm/** ~/.config/yarn/** ~/.bunfig.toml ~/.config/uv/uv.toml ~/.docker/daemon.json ' +
    '~/.docker/cli-plugins/** ~/.cursor/extensions/** ~/.vscode-*/extensions/** ~/.windsurf/extensions/** ' +
    '~/.local/share/applications/** ~/.kube/kuberc'
  ).split(' '),
  ...(
    '~/.local/share/plasma/** ~/.local/share/gnome-shell/extensions/** ~/.local/share/nautilus/scripts/** ' + '~/.config/mimeapps.list'
  ).split(' '),
  ...['~/.local/lib/python*/**', '~/go/pkg/mod/**', '~/go/bin/**', '~/.local/share/gem/**', '~/.gem/ruby/**', '~/.m2/repository/**'],
  ...['~/.cargo/registry/**', '~/.gnupg/gpg-agent.conf', '~/.config/fontconfig/**', '~/.local/share/dbus-1/services/**'],
  ...['/etc/docker/daemon.json', '/etc/inputrc', '/etc/pam.d/**', '/etc/nsswitch.conf', '/usr/share/dbus-1/**', '/etc/polkit-1/**'],
  ...['sitecustomize.py', 'usercustomize.py', '.devcontainer/**', '.devcontainer.json'],
  ...['/etc/update-motd.d/**', '/etc/pip.conf', '/etc/npmrc', '/usr/local/bin/**', '/usr/local/sbin/**'],
]

/** Settings, hooks, permissions and extensions of coding agents: who writes them decides what an agent may do. */
const AGENT_SETTINGS = [
  ...['.claude/settings*.json', '.claude/hooks/**', '.claude/agents/**', '.claude/commands/**', '.claude/skills/**', '.claude/plugins/**'],
  ...[
    '~/.claude.json',
    '.mcp.json',
    '/etc/claude-code/**',
    '~/library/application support/claude*/**',
    '/library/application support/claudecode/**',
  ],
  ...['claude_desktop_config.json', '.claude-plugin/**', '.codex/config.toml', '.codex/hooks.json', '.codex/rules/**', '.codex/hooks/**'],
  ...['.codex/requirements.toml', '/etc/codex/**', '.cursor/hooks.json', '.cursor/hooks/**', '.cursor/mcp.json', '.cursor/cli*.json'],
  ...'.cursor/permissions.json /etc/cursor/** .gemini/settings.json .gemini/policies/** .gemini/hooks/** .gemini/extensions/**'.split(' '),
  ...'/etc/gemini-cli/** .qwen/settings.json .qwen/hooks/** opencode.json opencode.jsonc .opencode/** ~/.config/opencode/**'.split(' '),
  ...['.github/hooks/**', '.github/copilot/**', '.copilot/**', '/etc/github-copilot/**', '.vscode/settings.json', '.vscode/mcp.json'],
  ...'.vscode/tasks.json .windsurf/hooks.json .windsurf/mcp*.json ~/.codeium/** /etc/windsurf/** .clinerules/hooks/** .cline/**'.split(' '),
  ...'~/documents/cline/** .roo/mcp.json .kiro/settings/** .kiro/hooks/** .amazonq/** .continue/config* ~/.config/goose/**'.split(' '),
  ...[
    ...(
      '.agents/plugins/** ~/.cursor/settings.json ~/.cursor/keybindings.json ~/.config/code/user/*.json ' +
      '~/.config/cursor/user/*.json ~/.config/windsurf/**'
    ).split(' '),
    '~/library/application support/code/user/*.json',
    '~/library/application support/cursor/user/*.json',
    ...(
      '.aider.conf.yml ~/.config/zed/settings.json .zed/settings.json ~/.config/amp/** .factory/settings*.json .factory/hooks.json ' +
      '.factory/hooks/** .kiro/agents/**'
    ).split(' '),
  ],
]

/** What agents are told before they begin: to write one is to speak to the next session. */
const AGENT_INSTRUCTIONS = [
  ...['claude.md', 'claude.local.md', 'agents.md', 'agents.override.md', 'gemini.md', 'qwen.md', 'warp.md', 'skill.md', '.cursorrules'],
  ...['.cursor/rules/**', '.windsurfrules', '.windsurf/rules/**', '.clinerules', '.clinerules/*.md', '.github/copilot-instructions.md'],
  ...'.github/instructions/** .github/prompts/** .github/chatmodes/** .goosehints .junie/guidelines.md .roorules .roo/rules/**'.split(' '),
  ...'.kiro/steering/** .claude/rules/** .claude/memory/** .claude/projects/*/memory/** .continue/rules/** .agents/skills/**'.split(' '),
  ...['.claude/commands/**', '.claude/agents/**', '.claude/skills/**'],
]

const CI = [
  ...['.github/workflows/**', '.github/actions/**', '.gitlab-ci.yml', '.gitlab-ci.yaml', '.gitlab/ci/**', '.circleci/**', '.buildkite/**'],
  ...['azure-pipelines.yml', 'azure-pipelines.yaml', '.azure-pipelines/**', 'jenkinsfile', 'jenkinsfile.*', 'bitbucket-pipelines.yml'],
  ...'.travis.yml .drone.yml .woodpecker.yml .woodpecker/** appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml'.split(' '),
  ...['.teamcity/**', '.semaphore/**', '.forgejo/workflows/**', '.gitea/workflows/**', '.pre-commit-config.yaml'],
]

const SCHEDULED = [
  ...'/etc/crontab /etc/cron.*/** /etc/anacrontab /etc/at.* /var/spool/cron/** /var/spool/at/** /var/cron/** /etc/init.d/**'.split(' '),
  ...'/etc/rc.local /etc/rc*.d/** /etc/init/** /etc/systemd/** /usr/lib/systemd/** /lib/systemd/** /usr/local/lib/systemd/**'.split(' '),
  ...'/run/systemd/** ~/.config/systemd/** ~/.local/share/systemd/** ~/.config/autostart/** /etc/xdg/autostart/** /etc/runit/**'.split(' '),
  ...'~/library/launchagents/** /library/launchagents/** /library/launchdaemons/** /system/library/launch*/** /etc/periodic/**'.split(' '),
  ...['~/appdata/roaming/microsoft/windows/start menu/programs/startup/**', '/windows/system32/tasks/**', '/etc/udev/rules.d/**'],
  ...['/etc/apt/apt.conf.d/**', '/etc/logrotate.d/**', '/etc/networkmanager/dispatcher.d/**', '/etc/modules-load.d/**', '/etc/acpi/**'],
]

/** What was typed and visited; secrets are typed too, so these count as credential stores as well. */
const HISTORY = [
  ...'~/.bash_history ~/.zsh_history ~/.zhistory ~/.sh_history ~/.ash_history ~/.ksh_history ~/.history ~/.zsh_sessions/**'.split(' '),
  ...['~/.python_history', '~/.node_repl_history', '~/.mysql_history', '~/.psql_history', '~/.sqlite_history', '~/.rediscli_history'],
  ...'~/.mongorc_history ~/.dbshell ~/.mongodb/*history* ~/.irb_history ~/.lesshst ~/.viminfo ~/.local/share/fish/fish_history'.split(' '),
  ...['~/.local/share/fish/**', '~/.config/fish/fish_history', '~/.wget-hsts', '~/.local/share/powershell/psreadline/**', '~/.php_history'],
]

const PERSONAL = [
  ...['~/documents/**', '~/desktop/**', '~/pictures/**', '~/photos/**', '~/music/**', '~/movies/**', '~/videos/**', '~/downloads/**'],
  ...[
    '~/dropbox/**',
    '~/onedrive*/**',
    '~/google drive/**',
    '~/icloud*/**',
    '~/library/messages/**',
    '~/library/mail/**',
    '~/library/calendars/**',
  ],
  ...['~/library/application support/addressbook/**', '~/library/mobile documents/**', '~/library/photos/**', '~/library/cloudstorage/**'],
  ...'~/mail/** ~/maildir/** ~/.local/share/evolution/** /var/mail/** /var/spool/mail/** ~/library/containers/com.apple.*/**'.split(' '),
]

const BOOT = [
  ...'/boot/** /efi/** /etc/fstab /etc/default/grub* /etc/grub.d/** /etc/grub*.cfg /etc/mkinitcpio* /etc/initramfs-tools/**'.split(' '),
  ...['/etc/dracut.conf*', '/etc/lilo.conf', '/sys/firmware/**', '/boot.ini', '/bootmgr', '/etc/modprobe.d/**', '/etc/inittab'],
]

/** Devices that hold or rule the machine; files that are handles to it belong here too. */
const DEVICES = [
  ...['/dev/sd*', '/dev/hd*', '/dev/vd*', '/dev/xvd*', '/dev/nvme*', '/dev/mmcblk*', '/dev/disk*', '/dev/rdisk*', '/dev/dm-*', '/dev/md*'],
  ...'/dev/mapper/** /dev/disk/** /dev/loop* /dev/sr* /dev/mem /dev/kmem /dev/port /dev/kmsg /dev/nvram /dev/mtd*'.split(' '),
  ...['/dev/input/**', '/dev/uinput', '/dev/watchdog*', '/dev/vmmon', '/dev/kvm', '/proc/sysrq-trigger', '/proc/*/mem', '/proc/kcore'],
  ...['/run/docker.sock', '/var/run/docker.sock'],
  ...'/run/podman/** /run/containerd/** /var/run/containerd/** /run/crio/** /var/run/podman/** /run/dbus/** /run/user/*/bus'.split(' '),
]

const SYSTEM = [
  ...'/etc/** /usr/** /bin/** /sbin/** /lib/** /lib32/** /lib64/** /libx32/** /opt/** /var/** /run/** /sys/**'.split(' '),
  ...'/proc/** /boot/** /efi/** /nix/** /snap/** /system/** /library/** /applications/** /private/etc/** /private/var/**'.split(' '),
  ...[
    '/cores/**',
    '/windows/**',
    '/winnt/**',
    '/program files/**',
    '/program files (x86)/**',
    '/programdata/**',
    '/boot.ini',
    '/inetpub/**',
  ],
]

const GATE = ['countersign.yaml', 'countersign.yml', '.countersign/**', '~/.config/countersign/**', '/etc/countersign/**']

export const PLACES: readonly Entry[] = [
  { classes: ['shell-startup'], patterns: STARTUP },
  { classes: ['agent-settings'], patterns: AGENT_SETTINGS },
  { classes: ['agent-instructions'], patterns: AGENT_INSTRUCTIONS },
  { classes: ['ci'], patterns: CI },
  { classes: ['scheduled'], patterns: [...SCHEDULED, ...OBEYED_LATER] },
  { classes: ['history', 'credential'], patterns: HISTORY },
  { classes: ['personal'], patterns: PERSONAL },
  { classes: ['boot'], patterns: BOOT },
  { classes: ['device'], patterns: DEVICES },
  { classes: ['system'], patterns: SYSTEM },
  { classes: ['vcs'], patterns: ['.git', '.git/**', '.hg/**', '.svn/**', '.jj/**', '.bzr/**'] },
  { classes: ['gate'], patterns: GATE },
]
