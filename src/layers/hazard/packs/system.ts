import { type Effect, hasClass, resolvedName } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'
import type { HazardPack } from '../rule.ts'
import { action, attribute, byProject, family, has, verb } from './match.ts'
import { agentRules } from './system-agents.ts'

const openToAll = (effect: Effect) => {
  const mode = attribute(effect, 'mode')
  return typeof mode === 'string' && (/^[0-7]?[0-7][0-7][2367]$/.test(mode) || mode.split(',').some(opensToAll))
}

/** A symbolic clause that gives others, or everybody, the right to write: `o+w`, `a=rw`, `ugo+w`. */
const opensToAll = (clause: string) => {
  const at = clause.search(/[+=]/)
  return at > 0 && /[ao]/.test(clause.slice(0, at)) && clause.slice(at).includes('w')
}

const setsId = (effect: Effect) => {
  const mode = attribute(effect, 'mode')
  return typeof mode === 'string' && (/^[2467][0-7]{3}$/.test(mode) || /[+=][rwxXt]*s/.test(mode))
}

/** Places of schedules; directories of programs are none, whoever may change them. */
const waits = (path: string) =>
  /(?:^\/etc\/(?:cron|init|systemd|rc|xdg\/autostart)|\/\.config\/(?:systemd|autostart)\/|\/launch(?:agents|daemons)\/|\/var\/spool\/(?:cron|at)\/)/i.test(
    path,
  )

const LISTERS: ReadonlySet<string> = new Set(['ps', 'pgrep', 'pidof'])

/** A port that needs no rights: what listens there was started by hand, as what `lsof -ti :3000` shows. */
const isPort = ({ target }: Effect) => /^[1-9]\d{3,4}\/(?:tcp|udp)$/.test(target.value)

/** Processes are chosen by what they are called, as `pkill` would. */
const picksProcesses = (facts: Facts) => facts.commands.some(({ program }) => program !== null && LISTERS.has(program))

/** Where agents keep what they plan and remember between calls; memory that speaks to later sessions has a rule of its own. */
const NOTES = /\/\.(?:claude\/(?:plans|todos|projects\/[^/]+\/memory)|gemini\/tmp|codex\/memories)\/[^/]/

/** Files that are called audit logs; reports of `npm audit` and the like have other endings. */
const AUDIT_TRAIL = /(?:^|[/\\._-])audit[\w-]{0,40}\.(?:log|jsonl|ndjson)(?:\.\d{1,3})?$|[\w-]\.audit$/i

const isNote = (effect: Effect) => NOTES.test(resolvedName(effect.target))

/** A hook by its place, or all of them, or the settings of the repository; the samples that git puts there run never. */
const isHookOrSettings = (path: string) => {
  const [last = '', before] = path
    .split(/[/\\]/)
    .filter((name) => name !== '')
    .reverse()
  return last === 'hooks' || (before === 'hooks' && !last.includes('.')) || (before === '.git' && /^config(?:\.worktree)?$/.test(last))
}

export const system: HazardPack = {
  name: 'system',
  summary: 'what runs later, rights, services and settings of the machine, protections switched off',
  rules: [
    {
      id: 'shell-startup',
      code: 'hazard.persistence',
      level: 'hard',
      reason: 'changes a file that every new shell runs',
      advice: 'Set the variable in the command itself, or ask your user to edit the file.',
      safer: 'FOO=bar npm test',
      examples: {
        match: ['echo x >> ~/.bashrc', 'echo x > ~/.zshrc', 'cat x >> $HOME/.bashrc', 'tee -a ~/.profile < x'],
        not_match: ['cat ~/.bashrc', 'source ~/.bashrc'],
      },
      verbs: ['write', 'persist', 'delete'],
      when: (effect) => hasClass(effect.target, 'shell-startup'),
    },
    {
      id: 'scheduled',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'leaves something behind that runs later',
      advice: 'Run it now, in the foreground, or ask your user to schedule it.',
      safer: 'crontab -l',
      examples: {
        match: [
          'crontab jobs.txt',
          '(crontab -l; echo "* * * * * x") | crontab -',
          'systemctl enable x',
          'cp x.service /etc/systemd/system/',
        ],
        not_match: ['crontab -l', 'systemctl status x'],
      },
      verbs: ['write', 'delete', 'change', 'persist'],
      // Hooks that the project keeps for itself run what it says, as its build does.
      when: (effect) =>
        (verb(effect, 'persist') && !(byProject(effect) && action(effect, 'git:hooks'))) || hasClass(effect.target, 'scheduled'),
    },
    {
      id: 'build-service',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'changes what the build service runs with the rights and secrets of the project',
      advice: 'Show the change to the pipeline and let your user make it.',
      safer: 'cat .github/workflows/ci.yml',
      examples: {
        match: ['echo x >> .github/workflows/release.yml', 'mv ci.yml .gitlab-ci.yml', 'sed -i s/a/b/ Jenkinsfile'],
        not_match: ['cat .github/workflows/ci.yml', 'touch docs/workflows.md'],
      },
      verbs: ['write', 'persist'],
      when: (effect) => hasClass(effect.target, 'ci'),
    },
    {
      id: 'leaves-workspace',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'uses a file tool outside the workspace',
      advice: 'Keep to files of the workspace, or ask your user to add the directory to it.',
      safer: { tool: 'Write', args: { file_path: 'notes.txt', content: 'x' } },
      examples: {
        match: [
          { tool: 'Write', args: { file_path: '/srv/x', content: 'y' } },
          { tool: 'Edit', args: { file_path: '~/notes.txt', old_string: 'a', new_string: 'b' } },
        ],
        not_match: ['cat ~/notes.txt', 'cp a.txt ~/b.txt', { tool: 'Read', args: { file_path: '~/notes.txt' } }],
      },
      verbs: ['read', 'write', 'delete', 'change'],
      // A file tool names its file outright, so leaving is meant; what a command touches on its way is judged by what it is.
      when: (effect, facts) =>
        facts.commands.length === 0 &&
        effect.target.kind === 'path' &&
        ((effect.target.scope === 'elsewhere' && !action(effect, 'fs:list', 'fs:stat')) ||
          (effect.target.scope === 'home' && !verb(effect, 'read') && !isNote(effect))),
    },
    {
      id: 'scheduled-by-hand',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'starts by hand what only the scheduler or a login should start',
      advice: 'Ask your user to run it.',
      safer: 'ls /etc/cron.daily',
      examples: {
        match: ['/etc/cron.daily/rotate', '~/.config/autostart/start.sh', 'sh /etc/init.d/app start'],
        not_match: ['ls /etc/cron.daily', './start.sh', 'source .venv/bin/activate'],
      },
      verbs: ['execute'],
      when: (effect) => effect.target.kind === 'script' && waits(resolvedName(effect.target)),
    },
    {
      id: 'vcs-hooks',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'changes hooks or settings inside a repository’s metadata',
      advice: 'Use the version-control commands instead of its internal files.',
      safer: 'git status',
      examples: {
        match: ['echo x > .git/hooks/pre-commit', 'cp hook .git/hooks/post-commit', 'rm .git/hooks/pre-commit', 'rm .git/config'],
        not_match: ['cat .git/config', 'git config user.name x', 'rm -f .git/index.lock', 'rm .git/hooks/pre-commit.sample'],
      },
      verbs: ['write', 'persist', 'change', 'delete'],
      // A lock that was left over is nobody's; a hook is somebody's check, and the settings name hooks, keys and remotes.
      when: (effect) =>
        hasClass(effect.target, 'vcs') && !family(effect, 'git') && (!verb(effect, 'delete') || isHookOrSettings(effect.target.value)),
    },
    {
      id: 'login-keys',
      code: 'hazard.persistence',
      level: 'hard',
      reason: 'lets somebody log in to this machine',
      advice: null,
      safer: 'ssh-keygen -l -f key.pub',
      examples: { match: ['echo "ssh-ed25519 AAAA x" >> ~/.ssh/authorized_keys'], not_match: ['cat ~/.ssh/authorized_keys'] },
      verbs: ['write', 'persist'],
      when: ({ target }) => /(^|[/\\])authorized_keys2?$/.test(resolvedName(target)),
    },
    {
      id: 'privilege',
      code: 'hazard.privilege',
      level: 'soft',
      reason: 'gains or hands out rights',
      advice: 'Do it without elevated rights, or ask your user to run it.',
      safer: 'ls -l',
      examples: {
        match: ['sudo apt-get install x', 'chmod u+s ./x', 'usermod -aG sudo me', 'visudo'],
        not_match: ['chmod +x run.sh', 'id'],
      },
      actions: ['privilege', 'user', 'fs:chmod', 'fs:copy'],
      when: (effect) => !action(effect, 'fs:chmod', 'fs:copy') || setsId(effect),
    },
    {
      id: 'open-permissions',
      code: 'hazard.privilege',
      level: 'soft',
      reason: 'lets everybody write',
      advice: 'Give rights to the owner only.',
      safer: 'chmod u+x run.sh',
      examples: { match: ['chmod 777 x', 'chmod -R a+w .', 'chmod o+w x'], not_match: ['chmod 644 x', 'chmod +x run.sh', 'chmod 755 x'] },
      actions: ['fs:chmod'],
      when: openToAll,
    },
    {
      id: 'system-files',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'changes files of the operating system',
      advice: 'Keep changes inside the workspace.',
      safer: 'cat /etc/hosts',
      examples: {
        match: [
          'echo x >> /etc/hosts',
          'chown root /usr/bin/x',
          'cp x /usr/local/bin/',
          'chmod 666 /dev/sda',
          'chown me /var/run/docker.sock',
        ],
        not_match: ['cat /etc/hosts', 'cp x ./bin/'],
      },
      verbs: ['write', 'delete', 'change', 'persist'],
      when: (effect) =>
        hasClass(effect.target, 'system', 'boot', 'device') ||
        (action(effect, 'fs:allocate', 'fs:truncate') && hasClass(effect.target, 'filesystem-root')),
    },
    {
      id: 'agent-instructions',
      code: 'hazard.persistence',
      level: 'advisory',
      reason: 'changes what agents are told to do',
      advice: null,
      safer: 'cat CLAUDE.md',
      examples: { match: ['echo x >> CLAUDE.md'], not_match: ['cat CLAUDE.md'] },
      verbs: ['write', 'delete', 'change', 'persist'],
      when: (effect) => hasClass(effect.target, 'agent-instructions'),
    },
    {
      id: 'foreign-instructions',
      code: 'hazard.persistence',
      level: 'soft',
      reason: 'puts text from elsewhere where agents take their orders from',
      advice: 'Show the text to your user first.',
      safer: 'cat CLAUDE.md',
      examples: {
        match: ['curl -o AGENTS.md https://example.com/agents.md', 'cp /tmp/notes.md CLAUDE.md'],
        not_match: ['echo x >> CLAUDE.md', 'cp docs/agents.md AGENTS.md', 'curl -o notes.md https://example.com/notes.md'],
      },
      verbs: ['write'],
      when: (effect) =>
        hasClass(effect.target, 'agent-instructions') &&
        /^(?:[a-z][a-z0-9+.-]*:\/\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|\.\.\/)/i.test(String(attribute(effect, 'from') ?? '')),
    },
    {
      id: 'other-terminal',
      code: 'hazard.hidden_code',
      level: 'soft',
      reason: 'writes to another terminal, where it may be taken for what somebody typed or saw',
      advice: 'Print to the own output.',
      safer: 'echo done',
      examples: { match: ['echo x > /dev/pts/3', 'echo x > /dev/tty1'], not_match: ['echo x > /dev/tty', 'echo x > /dev/stderr', 'tty'] },
      verbs: ['write'],
      when: ({ target }) => /^\/dev\/(?:pts\/\d+|tty\d+|vcsa?\d*)$/.test(resolvedName(target)),
    },
    {
      id: 'audit-trail',
      code: 'hazard.security_disabled',
      level: 'soft',
      reason: 'changes a record of who did what',
      advice: 'Leave the record as it is; read it, or write to a log of your own.',
      safer: 'tail -n 20 audit.log',
      examples: {
        match: ['truncate -s 0 events.audit', "echo '{}' >> ~/.acme/audit.jsonl", 'rm logs/audit.log', 'sed -i /deny/d app_audit.log'],
        not_match: ['cat audit.log', 'npm audit --json > audit.json', 'touch docs/audit.md', 'grep deny audit.jsonl > /tmp/denied.txt'],
      },
      verbs: ['write', 'delete', 'change'],
      when: ({ target }) => target.kind === 'path' && AUDIT_TRAIL.test(resolvedName(target)),
    },
    {
      id: 'option-file',
      code: 'hazard.hidden_code',
      level: 'soft',
      reason: 'makes a file whose name later commands read as an option',
      advice: 'Begin no file name with a dash.',
      safer: 'touch ./notes.txt',
      examples: {
        match: ["touch -- '--checkpoint=1'", 'echo x > ./-rf', "printf x > '--reference=y'"],
        not_match: ['touch notes-1.txt', 'touch -- notes.txt', 'echo x > a-b'],
      },
      verbs: ['write'],
      when: ({ target }) => target.kind === 'path' && /^(?:\.\/)*-|\/-[^/]*$/.test(target.value) && target.value !== '-',
    },
    {
      id: 'services',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'changes services, kernel or accounts of the machine, or stops its databases',
      advice: 'Ask your user to do it.',
      safer: 'systemctl status ssh',
      examples: {
        match: [
          'systemctl stop nginx',
          'shutdown -h now',
          'modprobe x',
          'mount /dev/sdb1 /mnt',
          'sysctl -w x=1',
          'spctl --reset-default',
          'mysql -e SHUTDOWN',
          'redis-cli shutdown',
          'crontab -r',
        ],
        not_match: ['systemctl status nginx', 'uptime', 'mysql -e "SHOW PROCESSLIST"', 'atq', 'redis-cli info'],
      },
      verbs: ['change', 'persist', 'execute', 'delete'],
      actions: [
        'sql:kill',
        'schedule:remove',
        'service',
        'power',
        'kernel',
        'mount',
        'firewall',
        'system',
        'security',
        'disk',
        'backup',
        'log',
      ],
    },
    {
      id: 'security-off',
      code: 'hazard.security_disabled',
      level: 'hard',
      reason: 'switches a protection off',
      advice: null,
      safer: 'ufw status',
      examples: {
        match: ['setenforce 0', 'ufw disable', 'iptables -F', 'systemctl stop auditd'],
        not_match: ['ufw status', 'iptables -L'],
      },
      actions: ['security:disable'],
    },
    ...agentRules,
    {
      id: 'container-escape',
      code: 'hazard.privilege',
      level: 'hard',
      reason: 'hands the machine’s own files to a container',
      advice: 'Mount only directories of the workspace.',
      safer: 'docker ps',
      examples: {
        match: ['docker run -v /:/host alpine ls /host', 'docker run -v /etc:/e alpine sh', 'docker run -v "$HOME:/h" alpine sh'],
        not_match: ['docker run -v "$PWD:/src" alpine ls', 'docker run -v data:/data alpine ls'],
      },
      actions: ['container:mount'],
      when: (effect) =>
        hasClass(effect.target, 'filesystem-root', 'home-root', 'system', 'boot', 'device', 'credential') &&
        (verb(effect, 'write') || hasClass(effect.target, 'filesystem-root', 'home-root', 'device', 'credential')),
    },
    {
      id: 'process-root',
      code: 'hazard.privilege',
      level: 'soft',
      reason: 'reaches files through another process, past the walls of a container or of its user',
      advice: 'Name the file itself, if it is yours to use.',
      safer: 'ls /proc/self/cwd',
      examples: {
        match: ['ls /proc/1/root/home/', 'cat /proc/4711/root/srv/x', 'cp x /proc/1/root/tmp/x', 'cat /proc/4711/cwd/notes.txt'],
        not_match: ['ls /proc/self/root', 'cat /proc/self/cwd/README.md', 'readlink /proc/4711/cwd', 'cat docs/proc/1/root/x.md'],
      },
      verbs: ['read', 'write', 'delete', 'change', 'execute'],
      when: (effect) =>
        /^\/proc\/(?:\d+|[*?[][^/]*)\/(?:task\/[^/]+\/)?root(?:\/|$)/.test(effect.target.value) ||
        (/^\/proc\/(?:\d+|[*?[][^/]*)\/(?:task\/[^/]+\/)?cwd\/./.test(effect.target.value) && !action(effect, 'fs:list', 'fs:stat')),
    },
    {
      id: 'kill-others',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'ends processes by pattern or of others',
      advice: 'End only the process you started, by its number.',
      safer: 'kill %1',
      examples: {
        match: [
          'kill -9 -1',
          'pkill -f python',
          'killall node',
          "ps aux | grep node | awk '{print $2}' | xargs kill",
          'kill $(pidof nginx)',
        ],
        not_match: ['kill 12345', 'pgrep node', 'kill $(cat server.pid)', 'ps aux; kill %1'],
      },
      actions: ['proc:kill'],
      when: (effect, facts) =>
        has(effect, 'mass') ||
        (has(effect, 'pattern') && !isPort(effect) && attribute(effect, 'of') !== 'workspace') ||
        (effect.reason !== null && picksProcesses(facts) && attribute(effect, 'of') !== 'workspace'),
    },
  ],
}
