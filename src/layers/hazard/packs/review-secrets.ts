import { type Effect, resolvedName } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'
import { carriesKey } from '../../../facts/resources/secret/in-address.ts'
import type { HazardRule } from '../rule.ts'
import { action, has } from './match.ts'

/** Secrets that come near: searched for, written out, made, or shown by what servers tell about themselves. */

/** Stores of passwords and keys whose names alone tell which accounts there are. */
const STORES = new RegExp(
  String.raw`/(?:\.password-store|\.local/share/(?:keyrings|kwalletd|gopass)|\.gnupg/private-keys-v1\.d|\.mozilla/firefox` +
    String.raw`|\.config/google-chrome|\.vault-token|Library/Keychains)(?:/|$)`,
)

/** Pages by which servers show their settings, memory and inner state, and files that were never meant to be served. */
const INNER_PAGE = new RegExp(
  String.raw`^/(?:[\w.-]{1,64}/){0,4}(?:actuator/(?:env|configprops|heapdump|threaddump|beans|mappings|loggers|httptrace` +
    String.raw`|httpexchanges|sessions|shutdown|jolokia|dump|trace|logfile)(?:/|$)|(?:manage|management)/(?:env|heapdump|configprops` +
    String.raw`|dump|trace)(?:/|$)|jolokia(?:/|$)|debug/(?:pprof(?:/|$)|vars$|requests$)|server-(?:status|info)$|phpinfo(?:\.php)?$` +
    String.raw`|(?:info|test)\.php$|\.git/?$|\.git/(?:config|HEAD|index|logs|objects|refs)(?:/|$)|\.svn/|\.hg/` +
    String.raw`|\.env(?:\.(?!example|sample|template|dist)[\w-]{1,32})?$|\.ht(?:passwd|access)$|\.aws/|\.ssh/|\.npmrc$` +
    String.raw`|\.docker/config\.json$|\.DS_Store$|wp-config\.php|web\.config$|elmah\.axd|trace\.axd` +
    String.raw`|[\w.-]{0,64}(?:backup|dump|database|db)[\w.-]{0,32}\.(?:sql|zip|tar|tgz|gz|bak)$|v1/(?:kv|agent/self)(?:/|$)` +
    String.raw`|v2/keys(?:/|$)|v1\.\d{1,2}/containers/json$|containers/json$|api/tunnels$|_cluster/settings$|_nodes(?:/|$)|console/?$` +
    String.raw`|h2-console)`,
  'i',
)

const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,16}:\/\/)?[^/?#]{0,256}([^?#]{0,2048})/i

const innerPage = ({ target }: Effect) => {
  const path = ADDRESS.exec(target.value)?.[1]
  return target.kind === 'url' && path !== undefined && INNER_PAGE.test(path)
}

/** What agents remember of their talks: everything that was said, pasted and read. */
const TALKS = new RegExp(
  String.raw`(?:^|/)(?:\.(?:claude/(?:projects|history|todos|shell-snapshots|file-history)|codex/(?:sessions|history|archived)` +
    String.raw`|cursor/(?:chats|conversations|projects)|gemini/(?:tmp|history|antigravity)|continue/(?:sessions|index)` +
    String.raw`|copilot/(?:history|session)|aider\.(?:chat|input)\.history|autogen|crewai|goose/sessions|windsurf|codeium|openhands` +
    String.raw`|opencode|langchain|specstory/history)(?:[/._-]|$)|(?:Code|Cursor|Windsurf)(?: - Insiders)?/User/(?:globalStorage` +
    String.raw`|workspaceStorage|History)(?:/|$))`,
  'i',
)

/** All of what an agent keeps. */
const WHOLE = /\/\.(?:claude|codex|cursor|gemini|continue|openhands|opencode|goose)\/?$/

const PACKERS: ReadonlySet<string> = new Set('tar bsdtar gtar zip 7z 7za 7zz rsync ditto'.split(' '))

const collects = ({ effects, commands }: Facts) =>
  effects.some((effect) => action(effect, 'archive:create', 'fs:copy', 'fs:move')) ||
  commands.some(({ program }) => program !== null && PACKERS.has(program))

const isTalk = (effect: Effect) =>
  TALKS.test(resolvedName(effect.target)) || (WHOLE.test(resolvedName(effect.target)) && has(effect, 'recursive'))

/** Directories of agents, and names below them that say who agreed to what. */
const OF_AGENT: ReadonlySet<string> = new Set(
  '.agent .agents .claude .codex .cursor .gemini .copilot .openhands .goose .autogen .crewai'.split(' '),
)
const LEAVE = /approv|permission|delegat|grant|consent|allow-?list|trust/i

const isLeave = (path: string) => {
  const names = path.split('/')
  const at = names.findIndex((name) => OF_AGENT.has(name))
  return at >= 0 && names.slice(at + 1).some((name) => LEAVE.test(name))
}

export const secretRules: readonly HazardRule[] = [
  {
    id: 'sought-secrets',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'looks for secrets where they were typed, logged, committed or are kept',
    advice: null,
    safer: 'grep -rn token src',
    examples: {
      match: [
        'history | grep -i password',
        "git log -S 'AWS_SECRET_ACCESS_KEY' --all",
        'git log -p | grep -iE "secret|token"',
        "journalctl -u app | awk '/password/'",
        'kubectl logs web | grep -i token',
        'grep -ri password ~/Documents',
        'ls -R ~/.password-store',
        'pass ls',
        'security find-generic-password -s Slack',
      ],
      not_match: [
        'grep -ri password .',
        'history | grep docker',
        "git log -S 'parseToken' -- src",
        'git log --oneline | grep token',
        'git diff | grep password',
        'kubectl logs web | grep error',
        'ls ~/.ssh',
        'pass --version',
      ],
    },
    verbs: ['read'],
    when: (effect) =>
      action(effect, 'seek:secrets', 'seek:names', 'browser:kept') ||
      (action(effect, 'fs:list', 'fs:stat') && STORES.test(`${resolvedName(effect.target)}/`)),
  },
  {
    id: 'written-secret',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'has a password or key written out in its words, where every process of the machine and every log sees it',
    advice: null,
    safer: 'curl --netrc-file /dev/null https://example.com',
    examples: {
      match: [
        'curl --proxy-user me:hunter2 https://example.com',
        "mysql -u root -pS3cret -e 'select 1'",
        'redis-cli -a hunter2 ping',
        'zip -P hunter2 a.zip a.txt',
        'curl "https://api.example.com/v1?api_key=9f8a7b6c5d4e3f2a"',
      ],
      not_match: [
        'curl -u "$USER:$PASS" https://example.com',
        'curl -u me https://example.com',
        "mysql -u root -p -e 'select 1'",
        'mysql -uroot -proot -h 127.0.0.1 -e "select 1"',
        'curl "https://example.com/?api_key=YOUR_API_KEY"',
        'curl "https://example.com/?sort_key=date&page_token=1234567890ab"',
        'curl "http://localhost:3000/?token=abcdef123456"',
        'openssl enc -aes-256-cbc -pass env:PW -in a -out b',
      ],
    },
    verbs: ['change', 'fetch', 'send'],
    when: (effect) =>
      action(effect, 'exposed:secret') ||
      (effect.target.kind === 'url' && effect.target.scope !== 'loopback' && carriesKey(effect.target.value)),
  },
  {
    id: 'new-key',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'makes a private key: whoever has its file is whoever it stands for',
    advice: null,
    safer: 'ssh-keygen -l -f key.pub',
    examples: {
      match: [
        "ssh-keygen -t ed25519 -N '' -f ./deploy_key",
        'openssl genrsa -out k.pem 2048',
        'openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem',
        'age-keygen -o key.txt',
        'cosign generate-key-pair',
      ],
      not_match: ['ssh-keygen -l -f key.pub', 'ssh-keygen -F github.com', 'openssl rand -hex 16', 'openssl version', 'gpg --list-keys'],
    },
    actions: ['key:new'],
  },
  {
    id: 'tracked-secret',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'puts a file that may hold secrets under version control',
    advice: null,
    safer: 'git add .env.example',
    examples: {
      match: ['git add .env', 'git add src certs/server.key', 'git commit -m wip .env.local'],
      not_match: ['git add .', 'git add .env.example', 'git add certs/ca.crt', 'git add test/fixtures/server.key', 'git commit -m .env'],
    },
    actions: ['git:secret'],
    when: (effect) => !has(effect, 'forced'),
  },
  {
    id: 'inner-page',
    code: 'hazard.credential_access',
    level: 'advisory',
    reason: 'asks a server for its settings, memory or files that are not meant for visitors',
    advice: null,
    safer: 'curl -fsS http://localhost:8080/actuator/health',
    examples: {
      match: [
        'curl http://localhost:8080/actuator/env',
        'curl -o h.bin http://localhost:8080/actuator/heapdump',
        'wget https://app.example/.git/config',
        'curl https://app.example/.env',
        'curl http://localhost:6060/debug/pprof/cmdline',
        'curl https://app.example/server-status',
      ],
      not_match: [
        'curl http://localhost:8080/actuator/health',
        'curl http://localhost:8080/actuator/prometheus',
        'curl https://api.github.com/repos/a/b/git/refs',
        'curl https://raw.githubusercontent.com/a/b/main/.env.example',
        'curl https://raw.githubusercontent.com/a/b/main/.gitignore',
        'curl http://localhost:3000/environment',
        'curl https://example.com/docs/actuator/env.html',
      ],
    },
    verbs: ['fetch', 'send'],
    when: innerPage,
  },
  {
    id: 'agent-talks',
    code: 'hazard.exfiltration',
    level: 'advisory',
    reason: 'gathers what agents remember of their sessions: all that was said, pasted and read in them',
    advice: null,
    safer: 'ls ~/.claude/projects',
    examples: {
      match: ['zip -r c.zip ~/.claude/projects', 'tar czf a.tgz ~/.codex/sessions', 'cp -r ~/.cursor/chats ./out'],
      not_match: ['ls ~/.claude/projects', 'tail -n 3 ~/.codex/sessions/a.jsonl', 'zip -r src.zip src', 'cp -r docs ./out'],
    },
    verbs: ['read', 'delete'],
    when: (effect, facts) =>
      effect.target.kind === 'path' &&
      (effect.verb === 'read' ? !action(effect, 'fs:list', 'fs:stat') : action(effect, 'fs:move')) &&
      isTalk(effect) &&
      collects(facts),
  },
  {
    id: 'agent-leave',
    code: 'hazard.agent',
    level: 'advisory',
    reason: 'writes where agents keep who allowed them what',
    advice: null,
    safer: 'cat .agent/approvals/deploy.json',
    examples: {
      match: ["echo '{}' > .agent/approvals/deploy.json", 'cp a.json ~/.agent/delegation.json', 'touch .codex/trusted.json'],
      not_match: ['cat .agent/approvals/deploy.json', "echo '{}' > .agent/notes.json", "echo '{}' > docs/approvals.json"],
    },
    verbs: ['write', 'change'],
    when: (effect) => effect.target.kind === 'path' && isLeave(resolvedName(effect.target)),
  },
]
