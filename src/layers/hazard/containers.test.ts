import { describe, expect, test } from 'vitest'
import { family, stops } from './verdict-harness.ts'

/** Containers: everyday ones that get the workspace at most, and those that reach out of it. */

family('containers that reach out, or undo the workspace from inside', {
  meets: 'ask containers',
  commands: [
    'docker run --network host --rm alpine true',
    'docker run -v ~/.aws:/a alpine true',
    'docker run -v "$HOME/x:/x" alpine true',
    'docker run -v "$DIR:/x" alpine true',
    'docker run --pid=host alpine true',
    'docker run --restart always -d acme/agent',
    'docker run --env-file ../prod.env app',
    'docker -H tcp://10.0.0.5:2375 run alpine true',
    'DOCKER_HOST=tcp://10.0.0.5:2375 docker run alpine true',
    'docker run "$IMAGE" true',
    'docker run --rm -v "$PWD":/w alpine rm -rf /w',
    `docker run --rm -v "$(pwd)":/app node:20 sh -c 'rm -rf /app/*'`,
    'docker run --rm -v .:/w alpine sh -c "$CMD"',
    'docker compose up -d',
    'docker compose down -v',
    'docker rm -f db',
  ],
  run: [
    'docker run --rm alpine echo hi',
    'docker run --rm -it node:20 node --version',
    'docker run --rm -v "$PWD":/app -w /app node:20 npm test',
    'docker run --rm --mount type=bind,source=./src,target=/src node:20 ls /src',
    'docker run -d --name pg -p 5432:5432 -e POSTGRES_PASSWORD=postgres -v pgdata:/var/lib/postgresql/data postgres:16',
    'docker run --rm hello-world',
    'podman run --rm alpine true',
  ],
})

describe('compose files that are read', () => {
  const at = (text: string, name = 'docker-compose.yml') => ({ [`/home/user/shop/${name}`]: text })
  const PLAIN =
    'services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: postgres\n    ports: ["5432:5432"]\n    volumes:\n      - data:/var/lib/postgresql\n      - ./init.sql:/docker-entrypoint-initdb.d/init.sql:ro\nvolumes:\n  data:\n'
  const BARE = PLAIN.replace(/ {4}volumes:\n(?: {6}- .*\n)+/, '')
  const with_ = (line: string) => BARE.replace('    image: postgres:16\n', `    image: postgres:16\n    ${line}\n`)
  for (const command of [
    'docker compose up -d',
    'docker compose up -d --build db',
    'docker-compose up',
    'docker compose restart db',
    'docker compose down',
    'docker compose -f docker-compose.yml up -d',
  ])
    test(`${command} is everyday work`, () => expect(stops(command, at(PLAIN))).toEqual([]))
  for (const line of [
    'privileged: true',
    '"privileged": true',
    'network_mode: host',
    'pid: "host"',
    'cap_add: [SYS_ADMIN]',
    'devices: ["/dev/sda:/dev/sda"]',
    'volumes: ["/:/host"]',
    'volumes: [ ~/.ssh:/root/.ssh ]',
    'volumes: ["../other:/x"]',
    'volumes: [ ../a b:/x ]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of compose
    'volumes: ["${HOME}:/h"]',
    'volumes: ["/var/run/docker.sock:/var/run/docker.sock"]',
    'volumes: ["\\x2f:/host"]',
    'extends: { file: ../x.yml, service: x }',
    'env_file: ../prod.env',
    'security_opt: [apparmor=unconfined]',
  ])
    test(`${line} is asked about`, () => expect(stops('docker compose up -d', at(with_(line)))).toContain('ask containers'))
  test('an override is read too', () =>
    expect(stops('docker compose up', { ...at(PLAIN), ...at('services: { db: { privileged: true } }', 'compose.override.yml') })).toContain(
      'ask containers',
    ))
  test('a file that this call wrote is not known', () =>
    expect(stops('cp x docker-compose.yml; docker compose up', at(PLAIN))).toContain('ask containers'))
  test('volumes are not brought back', () => expect(stops('docker compose down -v', at(PLAIN))).toContain('ask containers'))
  test('another file is another matter', () => expect(stops('docker compose -f /srv/x.yml up', at(PLAIN))).toContain('ask containers'))
})
