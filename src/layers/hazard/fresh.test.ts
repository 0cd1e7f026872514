import { expect, test } from 'vitest'
import { family, stops } from './verdict-harness.ts'

/** Secret files that a command makes where nothing was, and those that it takes the place of. */

family('secret files that are overwritten, or filled with what is no example', {
  meets: 'ask change-credential',
  commands: [
    'cp notes.txt .env',
    'cp .env.example ~/.aws/credentials',
    'ssh-keygen -f ~/.ssh/id_ed25519 -N ""',
    'openssl genrsa -out ~/.ssh/id_rsa 2048',
    'openssl enc -d -in x.enc -out .env',
    'echo x > .env',
  ],
  run: [
    'cp .env.example .env',
    'cp -n .env.sample .env.local',
    '[ -f .env ] || cp .env.example .env',
    'cp config/secrets.yml.example config/secrets.yml',
    'touch .env.test',
    'openssl genrsa -out server.key 2048',
    'openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem -days 365 -nodes -subj "/CN=localhost"',
    'openssl rand -hex 32 -out master.key',
    'ssh-keygen -t ed25519 -f ./id_ed25519 -N ""',
    'mkcert -key-file dev.key -cert-file dev.crt localhost',
  ],
})

test.each(['cp .env.example .env', 'openssl genrsa -out .env 2048', 'cp -f .env.sample .env'])(
  '%s where there is one already is asked',
  (command) => {
    expect(stops(command, { '/home/user/shop/.env': 'A=1', '/home/user/shop/.env.example': 'A=' })).toContain('ask change-credential')
  },
)
