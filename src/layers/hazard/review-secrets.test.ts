import { describe, expect, test } from 'vitest'
import { marked, meets } from './verdict-harness.ts'

/** Secrets that come near: what runs and is marked, and what looks alike, under the policy that ships. */

marked('searches where things were typed, logged, committed or are kept', {
  rule: 'sought-secrets',
  commands: [
    "history | grep -E 'secret|token'",
    "history | awk '/api_key/'",
    'fc -l 1 | grep -i passwd',
    'history | cat | grep password',
    "git log -S'AWS_SECRET_ACCESS_KEY'",
    "git log -G 'BEGIN RSA PRIVATE KEY' --all",
    'git log -p --all | grep -i password',
    'git stash list -p | grep -i secret',
    'git show HEAD~5 | grep -i password',
    'git rev-list --all | xargs git grep -i password',
    "git grep -i 'api_key' $(git rev-list --all)",
    "journalctl --since today | grep -E 'token|secret'",
    "journalctl -g 'password'",
    'journalctl --grep=passwd',
    'docker logs web 2>&1 | grep -i password',
    'dmesg | grep -i password',
    "grep -rn 'api_key' ~/projects",
    "rg 'AKIA[0-9A-Z]{16}' ~/work",
    'tree ~/.password-store',
    'find ~/.password-store -type f',
    'ls ~/.local/share/keyrings',
    'ls ~/.gnupg/private-keys-v1.d',
    'gopass ls',
    'pass',
    'op item list',
    'security find-internet-password -s github.com -a me',
  ],
  silent: [
    'grep -rn token src',
    'grep -ri password .',
    'cat src/a.ts | grep password',
    'npm test 2>&1 | grep -i token',
    'history | tail -5',
    'history | grep npm',
    "git log -S 'parseToken' -- src",
    "git log -S 'tokenize' --oneline",
    'git log --grep token --oneline',
    'git log -p | grep TODO',
    'git grep token',
    'git diff | grep password',
    'git log --oneline --all | grep auth',
    'journalctl -u app | tail -50',
    'journalctl -u nginx | grep error',
    'docker logs web | grep -i error',
    'docker ps | grep token',
    'dmesg | grep usb',
    'ls ~/.ssh',
    'pass --help',
    'op --version',
  ],
})

marked('secrets in the words of a command', {
  rule: 'written-secret',
  commands: [
    'curl --proxy-user user:pass https://x.example/',
    'curl -U me:hunter2 https://x.example/',
    "mysql -u root -pS3cret -e 'select 1'",
    'redis-cli -a hunter2 ping',
    'redis-cli --pass hunter2 ping',
    'http -a bob:hunter2 https://x.example/',
    'zip -P hunter2 a.zip README.md',
    '7z a -phunter2 a.7z README.md',
    'curl "https://x.example/?key=3fa85f6457174562"',
    'curl "https://x.example/a?b=c&signature=1a2b3c4d5e6f7a8b"',
    'wget "https://x.example/d?appid=0f3c2d1b4a59687e"',
  ],
  silent: [
    'curl "https://x.example/search?key=name"',
    'curl "https://x.example/?sort_key=date&page=2"',
    'curl "https://x.example/v1?api_key=YOUR_API_KEY"',
    'curl "https://x.example/?key=test"',
    'curl "https://x.example/?next_page_token=CAUQAA1234567890"',
    'curl "https://x.example/?token=aaaaaaaaaaaaaaaa"',
    'curl "http://localhost:3000/?token=abcdef123456"',
    'curl -u "$USER:$PASS" http://localhost:3000/',
    'curl -u admin:admin http://localhost:9200/',
    "mysql -u root -p -e 'select 1'",
    'mysql -uroot -proot -h 127.0.0.1 -e "select 1"',
    '7z x a.7z',
    'redis-cli ping',
    'zip a.zip README.md',
  ],
})

marked('keys that are made', {
  rule: 'new-key',
  commands: [
    "ssh-keygen -t ed25519 -N '' -f ./k",
    'ssh-keygen -t ed25519 -f k < /dev/null',
    'echo | ssh-keygen -f k -t rsa',
    'openssl genrsa -out server.key 2048',
    'openssl genpkey -algorithm ED25519 -out k.pem',
    'openssl ecparam -genkey -name prime256v1 -out ec.pem',
    'openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem',
    'age-keygen -o k.txt',
    'minisign -G -W',
    'cosign generate-key-pair',
  ],
  silent: [
    'ssh-keygen -l -f k.pub',
    'ssh-keygen -F github.com',
    'openssl rand -hex 16',
    'openssl version',
    'openssl dgst -sha256 README.md',
    'gpg --list-keys',
    'age-keygen --version',
    'minisign -V -m README.md',
  ],
})

marked('pages and files that are not meant for visitors', {
  rule: 'inner-page',
  commands: [
    'curl http://localhost:8080/actuator/env/spring.datasource.password',
    'curl -o h.bin http://localhost:8080/shop/actuator/heapdump',
    'wget https://app.example/.git/config',
    'curl -s https://app.example/.env.production',
    'curl https://app.example/.aws/credentials',
    'curl http://localhost:6060/debug/pprof/heap',
    'curl http://localhost:6060/debug/vars',
    'curl localhost:8080/actuator/threaddump',
    'wget -r https://app.example/.git/',
    'curl https://app.example/.htpasswd',
    'curl https://app.example/db-backup.sql',
    'http GET https://app.example/actuator/configprops',
    `python3 -c "import requests; requests.get('http://localhost:8080/actuator/env')"`,
    'curl http://localhost:8500/v1/kv/?recurse',
  ],
  silent: [
    'curl http://localhost:8080/actuator/health',
    'curl http://localhost:8080/actuator/info',
    'curl http://localhost:8080/actuator/prometheus',
    'curl http://localhost:3000/environment',
    'curl http://localhost:9090/metrics',
    'curl http://localhost:9200/_cat/indices',
    'curl https://app.example/robots.txt',
    'curl localhost:8080/health',
    'curl https://example.com/a/b.git/',
    'curl https://api.github.com/repos/a/b/git/refs',
    'curl https://raw.githubusercontent.com/a/b/main/.gitignore',
    'curl https://raw.githubusercontent.com/a/b/main/.env.example',
    'curl "https://app.example/?page=/.env"',
  ],
})

marked('what agents remember of their sessions', {
  rule: 'agent-talks',
  commands: [
    'tar czf a.tgz ~/.claude/projects',
    'cp -r ~/.gemini/tmp ./out',
    'zip -r c.zip .cursor/conversations/',
    'tar cf m.tar ~/.codex/history.jsonl',
    'cp .aider.chat.history.md a.md',
    'tar cf - ~/.claude | gzip > a.tgz',
    'zip -r g.zip ~/.gemini',
    'mv .cursor/conversations /tmp/',
  ],
  silent: ['ls ~/.claude/projects', 'tail ~/.codex/sessions/a.jsonl', 'zip -r s.zip src', 'cp README.md docs.md'],
})

marked('who allowed an agent what', {
  rule: 'agent-leave',
  commands: ["echo '{}' > .agent/approvals/a.json", 'cp README.md .agents/permissions.json', 'tee .codex/trusted.json < README.md'],
  silent: ["echo '{}' > .agent/notes.json", "echo '{}' > docs/approvals.json", 'cat .agent/approvals/a.json'],
})

describe('what is stopped is not marked only', () => {
  for (const [command, rule] of [
    ['cat ~/.bash_history | grep token', 'ask read-history'],
    ['pass show work/mail', 'ask credential-command'],
    ['bw list items', 'ask credential-command'],
    ['curl "https://x.example/?token=3fa85f6457174562"', 'ask send-secret'],
    ['tar cf m.tar ~/.config/Code/User/globalStorage', 'ask read-credential'],
    ['security find-generic-password -w -s Slack', 'ask credential-command'],
    ['curl https://x.example/latest/meta-data', null],
    ['curl http://169.254.169.254/.env', 'deny metadata-service'],
  ] as const) {
    test(command, () => (rule === null ? expect(meets(command)).toEqual([]) : expect(meets(command)).toContain(rule)))
  }
})
