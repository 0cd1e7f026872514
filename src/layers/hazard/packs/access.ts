import { type Effect, hasClass, type PathClass, resolvedName } from '../../../facts/effect.ts'
import { secretName } from '../../../facts/resources/secret/names.ts'
import type { HazardPack } from '../rule.ts'
import { action, attribute, has, verb } from './match.ts'

const secret = (effect: Effect) => hasClass(effect.target, 'credential')

/** What the machine tells everybody, and every installer asks for. */
const COMMON_KNOWLEDGE = new RegExp(
  String.raw`^/(?:etc/(?:[a-z*?]*[-*]?release\*?|os-release|debian_version|hosts|shells|services|protocols|mime\.types|timezone` +
    String.raw`|localtime|locale\.conf|ssl/certs/.*)|proc/(?:cpuinfo|meminfo|loadavg|uptime|version|filesystems` +
    String.raw`|stat|vmstat|diskstats|swaps|partitions|sys/(?!.*\.\.)[\w./-]{1,120})|sys/fs/cgroup/(?:memory|cpu|pids)[\w./]{0,64}` +
    String.raw`|sys/(?:class/(?:thermal|power_supply|hwmon)|devices/system/cpu)/.*)$`,
)

/** Settings, logs and process data of the machine; programs, their libraries and manuals are not meant. */
const OF_MACHINE = new RegExp(
  String.raw`^(?:/(?:etc|proc|sys|var(?!/www/(?!logs?/))|run|boot|private/(?:etc|var))/|/usr/local/etc/` +
    String.raw`|/(?:usr/local|opt)/(?:[^/]+/(?:conf|etc|logs?)/|.*\.(?:conf|cnf|ini)(?:\.php)?$)` +
    String.raw`|[a-z]:\\(?:windows|inetpub|programdata|boot\.ini))`,
  'i',
)

const ofMachine = (path: string, below: boolean) => OF_MACHINE.test(below ? `${path}/` : path) && !COMMON_KNOWLEDGE.test(path)

/** Names that only files with secrets have. */
const SECRET_FILE = new RegExp(
  String.raw`^[*./]{0,3}(?:id_(?:rsa|dsa|ecdsa|ed25519)|id_\*|credential|secret|passw|token|\.?htpasswd|\.?netrc|\.?env(?:$|[.*])` +
    String.raw`|wallet|keychain|shadow$|authorized_keys)|\.(?:pem|key|kdbx?|p12|pfx|ppk|jks|keystore|ovpn|keytab)\*?$`,
  'i',
)

/** A search by such a name that goes over a home, or over everything. */
function seeksSecrets({ target, attributes }: Effect): boolean {
  const named = attributes.named
  const wide =
    ['filesystem-root', 'home-root', 'other-user'].some((name) => hasClass(target, name as PathClass)) ||
    /^\/(?:home|Users|root|mnt|srv)\/?$/.test(resolvedName(target))
  return wide && Array.isArray(named) && named.some((name) => typeof name === 'string' && SECRET_FILE.test(name))
}

/** Rights taken from everybody but the owner: `chmod 600`, `chmod go-rwx`. */
const keepsToOwner = (effect: Effect) =>
  action(effect, 'fs:chmod') && /^(?:0?[0-7]00|u[-+=][rwx]+|go?-[rwx]+|go=|u=[rw]+,go=)$/.test(String(attribute(effect, 'mode')))

export const access: HazardPack = {
  name: 'secrets',
  summary: 'credentials, other people’s files, the environment and histories',
  rules: [
    {
      id: 'read-credential',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads credentials',
      advice: 'Work without the value of the secret; name the variable or file instead.',
      safer: 'ls ~/.ssh/known_hosts',
      examples: {
        match: ['cat ~/.ssh/id_rsa', 'grep token ~/.netrc', 'cp ~/.aws/credentials /tmp/', 'base64 .env'],
        not_match: ['cat ~/.ssh/known_hosts', 'cat ~/.ssh/id_rsa.pub', 'cat .env.example', 'ls ~/.ssh', 'cut -d= -f1 .env'],
      },
      verbs: ['read'],
      // Names are no secrets: listing a directory of keys shows nothing of them, nor do the names of settings.
      when: (effect) => secret(effect) && !action(effect, 'fs:list', 'fs:stat') && !has(effect, 'names_only'),
    },
    {
      id: 'change-credential',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'changes or removes credentials',
      advice: 'Ask your user to change credentials themselves.',
      safer: 'cat .env.example',
      examples: {
        match: ['rm ~/.ssh/id_rsa', 'echo x > ~/.aws/credentials', 'chmod 644 ~/.ssh/id_rsa'],
        not_match: [
          'touch notes.txt',
          'chmod 600 ~/.ssh/id_rsa',
          'chmod go-rwx key.pem',
          'cp .env.example .env',
          'openssl genrsa -out server.key 2048',
        ],
      },
      verbs: ['write', 'delete', 'change'],
      when: (effect) => secret(effect) && !keepsToOwner(effect) && !has(effect, 'fresh'),
    },
    {
      id: 'credential-command',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'prints or fetches a stored secret',
      advice: 'Work without the value of the secret.',
      safer: 'gh auth status',
      examples: {
        match: [
          'gh auth token',
          'aws secretsmanager get-secret-value --secret-id x',
          'security find-generic-password -w -s x',
          'strace -p 4711',
          'ps eww',
          'printenv AWS_SECRET_ACCESS_KEY',
          'echo $GITHUB_TOKEN',
          'env | grep -i token',
          'git commit -m "uses $NPM_TOKEN"',
          'SSH_AUTH_SOCK=/tmp/ssh-Xy12/agent.4711 ssh-add -l',
        ],
        not_match: [
          'printenv HOME',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
          'echo ${GITHUB_TOKEN:+set}',
          'env | grep NODE',
          'env | grep TOKEN | cut -d= -f1',
          'echo "$TOKEN" | docker login --password-stdin registry.example.com',
          'eval "$(ssh-agent -s)"',
          'gh auth status',
          'aws secretsmanager list-secrets',
          'strace ./app',
          'ps aux',
          'ps -ef',
        ],
      },
      actions: [
        'secret',
        'cloud:secret-read',
        'k8s:secret-read',
        'gh:token',
        'proc:memory',
        'proc:trace',
        'proc:environment',
        'tool:config',
        'env:get',
      ],
      when: (effect) =>
        action(effect, 'env:get')
          ? has(effect, 'picked') || secretName(effect.target.value) !== null
          : !action(effect, 'tool:config') || attribute(effect, 'operation') === 'config-helper',
    },
    {
      id: 'read-environment',
      code: 'hazard.credential_access',
      level: 'advisory',
      reason: 'shows the whole environment, or keeps a secret of it in a file',
      advice: 'Ask for the variable that is meant by its name.',
      safer: 'printenv PATH',
      examples: {
        match: ['env | sort', 'printenv', 'docker exec web env', 'echo "$API_KEY" > key.txt'],
        not_match: ['printenv HOME', 'env FOO=1 ls', 'echo "$HOME" > home.txt', 'set -e'],
      },
      actions: ['env:list', 'env:keep'],
      when: (effect) => !has(effect, 'names_only'),
    },
    {
      id: 'secret-in-image',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'bakes a secret into an image, where everybody who has the image can read it',
      advice: 'Hand it to the build as a secret, which no layer keeps.',
      safer: 'docker build --secret id=api_key,env=API_KEY .',
      examples: {
        match: [
          'docker build --build-arg API_KEY=$API_KEY .',
          'docker buildx build --build-arg NPM_TOKEN .',
          'docker compose build --build-arg DB_PASSWORD="$PW"',
        ],
        not_match: [
          'docker build --build-arg VERSION=1.2 .',
          'docker build --build-arg NODE_ENV=production .',
          'docker build --build-arg API_KEY= .',
        ],
      },
      actions: ['container:build-secret'],
    },
    {
      id: 'secret-in-repository',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'puts a file with secrets under version control although git is told to ignore it',
      advice: 'Leave it ignored; keep a file with the names and no values beside it.',
      safer: 'git add .env.example',
      examples: {
        match: ['git add -f .env', 'git add --force config/master.key'],
        not_match: ['git add .env', 'git add -f dist/app.js', 'git add -f .env.example', 'git add -fn .env'],
      },
      actions: ['git:secret'],
      when: (effect) => has(effect, 'forced'),
    },
    {
      id: 'read-other-user',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reaches into another user’s home',
      advice: 'Stay inside the workspace.',
      safer: 'ls .',
      examples: {
        match: ['cat /root/.bashrc', 'cp -r /home/somebody-else/.config .'],
        not_match: ['ls /home', 'cat ./README.md', 'find /home/somebody-else -name x'],
      },
      verbs: ['read', 'write', 'delete', 'change'],
      when: (effect) => hasClass(effect.target, 'other-user') && !action(effect, 'fs:list', 'fs:stat'),
    },
    {
      id: 'read-system',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads settings, accounts, logs or process data of the machine',
      advice: 'Stay inside the workspace, or say why the file of the machine is needed.',
      safer: 'cat /etc/os-release',
      examples: {
        match: [
          'cat /etc/passwd',
          'tail -n 50 /var/log/syslog',
          'grep Port /etc/ssh/sshd_config',
          'cat /proc/1/cmdline',
          'cat /opt/shop/conf/server.xml',
          'cat /usr/local/etc/php.ini',
          'grep -ri secret /etc',
        ],
        not_match: [
          'cat /etc/os-release',
          'cat /proc/meminfo',
          'cat /proc/sys/fs/inotify/max_user_watches',
          'cat /proc/sys/kernel/core_pattern',
          'ls /etc',
          'cat /usr/include/stdio.h',
          'cat ./etc/passwd',
          'test -f /etc/hosts',
        ],
      },
      verbs: ['read'],
      // Names are no content: what is listed or asked for is not read.
      when: (effect) =>
        effect.target.kind === 'path' &&
        effect.target.scope === 'system' &&
        !action(effect, 'fs:list', 'fs:stat') &&
        ofMachine(resolvedName(effect.target), has(effect, 'recursive')),
    },
    {
      id: 'read-device',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads a disk or the memory of the machine past the rights of its files',
      advice: null,
      safer: 'df -h',
      examples: {
        match: ['dd if=/dev/sda of=disk.img', 'strings /dev/mem', 'xxd /dev/nvme0n1'],
        not_match: ['head -c 16 /dev/urandom', 'cat /dev/null', 'df -h'],
      },
      verbs: ['read'],
      when: (effect) => hasClass(effect.target, 'device') && !action(effect, 'fs:list', 'fs:stat'),
    },
    {
      id: 'watch-user',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'takes what the user copied, sees, says or types',
      advice: 'Ask your user to paste what is needed.',
      safer: 'pbcopy < notes.txt',
      examples: {
        match: ['pbpaste', 'xclip -o', 'scrot x.png', 'arecord x.wav', 'xinput test 10', 'ffmpeg -f x11grab -i :0 x.mp4'],
        not_match: ['pbcopy < notes.txt', 'xclip -i notes.txt', 'ffmpeg -i a.mp4 b.webm', 'xinput list', 'arecord -l'],
      },
      actions: ['capture', 'clipboard:read'],
      when: (effect) => verb(effect, 'read'),
    },
    {
      id: 'seek-secrets',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'looks for secrets all over a home or the machine',
      advice: 'Look inside the workspace only.',
      safer: "find . -name '*.pem'",
      examples: {
        match: [
          "find ~ -name '*.pem'",
          "find / -name 'id_rsa*'",
          "find /home -name '.env'",
          'locate id_rsa',
          'mdfind -name password',
          'grep -r token ~/.config',
        ],
        not_match: [
          "find . -name '*.pem'",
          "find ~ -name '*.md'",
          'grep -r theme ~/.config',
          'grep -ri password ~/Documents',
          'locate stdio.h',
          "find / -name 'python3*'",
        ],
      },
      verbs: ['read'],
      actions: ['fs:list', 'seek:secrets'],
      when: (effect) => has(effect, 'kept') || seeksSecrets(effect),
    },
    {
      id: 'read-history',
      code: 'hazard.credential_access',
      level: 'soft',
      reason: 'reads or clears what was typed before',
      advice: null,
      safer: 'git log --oneline -n 5',
      examples: { match: ['cat ~/.bash_history', 'history -c', 'rm ~/.zsh_history'], not_match: ['git log'] },
      when: (effect) =>
        (verb(effect, 'read', 'write', 'delete') && hasClass(effect.target, 'history') && !action(effect, 'fs:list', 'fs:stat')) ||
        action(effect, 'history:clear'),
    },
  ],
}
