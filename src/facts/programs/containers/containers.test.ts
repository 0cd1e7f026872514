import { describe, expect, test } from 'vitest'
import { git } from '../git/git.ts'
import { record, shown } from '../harness.ts'
import { javascript } from '../packages/javascript.ts'
import { python } from '../packages/python.ts'
import { ruby } from '../packages/ruby.ts'
import { containers } from './containers.ts'

const TABLES = [containers, git]
const effects = (line: string) => shown(TABLES, line)

const EFFECTS: readonly (readonly [string, readonly string[]])[] = [
  ['docker ps -a', ['read container:read containers']],
  ['docker images', ['read container:read containers']],
  ['docker logs -f --tail 10 web', ['read container:read containers']],
  ['docker inspect web', ['read container:read containers']],
  ['docker container ls', ['read container:read containers']],
  ['docker plugin ls', ['read container:read containers']],
  ['docker trust inspect --pretty nginx', ['read container:read containers']],
  ['docker plugin install o/x', ['change container:change o/x']],
  ['docker plugin disable o/x', ['change container:change o/x']],
  ['docker trust sign o/x:1', ['change container:change o/x:1']],
  ['docker pull alpine', ['fetch container:pull alpine']],
  ['docker push o/x:1', ['publish docker:push o/x:1 !']],
  ['docker --context prod push o/x', ['publish docker:push o/x !']],
  ['docker image push o/x', ['publish docker:push o/x !']],
  ['podman push o/x', ['publish docker:push o/x !']],
  ['nerdctl -n k8s.io push o/x', ['publish docker:push o/x !']],
  ['docker build .', ['read container:build .', 'execute container:build image']],
  ['docker build -t o/x .', ['read container:build .', 'execute container:build o/x']],
  ['docker build --push -t o/x .', ['read container:build .', 'execute container:build o/x', 'publish docker:push o/x !']],
  [
    'docker buildx build --output type=registry -t o/x .',
    ['read container:build .', 'execute container:build o/x', 'publish docker:push o/x !'],
  ],
  ['docker buildx bake --push', ['execute container:build bake', 'publish docker:push bake !']],
  ['docker build https://h.example/r.git', ['execute code:remote https://h.example/r.git !', 'execute container:build image']],
  ['docker build -f Dockerfile.dev .', ['read - Dockerfile.dev', 'read container:build .', 'execute container:build image']],
  ['docker rm -f web', ['delete container:remove web !']],
  ['docker rmi o/x', ['delete image:remove o/x']],
  ['docker volume rm data', ['delete volume:remove data !']],
  ['docker volume ls', ['read container:read containers']],
  ['docker volume prune -f', ['delete volume:remove unused volumes !']],
  ['docker system prune -af --volumes', ['delete container:prune unused containers !']],
  ['docker system df', ['read container:read containers']],
  ['docker image prune', ['delete image:prune unused images']],
  ['docker stop web', ['change container:change web']],
  ['docker network rm n', ['delete container:network n']],
  ['docker login -u me h.example', ['change container:auth h.example']],
  ['docker cp web:/etc/x .', ['read container:copy web:/etc/x', 'write container:copy .']],
  ['docker cp secret.txt web:/tmp', ['read container:copy secret.txt', 'change container:copy web:/tmp']],
  ['docker save -o x.tar o/x', ['write - x.tar', 'read container:save o/x']],
  ['docker load -i x.tar', ['read - x.tar', 'change container:load images']],
  ['docker compose up -d', ['execute container:run compose']],
  ['docker compose -f a.yml up web', ['read - a.yml', 'execute container:run web']],
  ['docker compose --dry-run down -v', []],
  ['docker compose down', ['delete container:remove compose']],
  ['docker compose down -v', ['delete volume:remove compose volumes !']],
  ['docker compose push', ['publish docker:push . !']],
  ['docker compose logs', ['read container:read containers']],
  ['docker-compose ps', ['read container:read containers']],
  ['docker-compose -f a.yml down --volumes', ['read - a.yml', 'delete volume:remove compose volumes !']],
  ['docker service rm x', ['delete container:swarm x !']],
  ['docker context ls', ['read container:read containers']],
  ['docker push --help', []],
  ['docker --version', ['execute tool:help docker']],
  ['skopeo copy docker://a/x docker://b/x', ['fetch container:pull docker://a/x', 'publish docker:push docker://b/x !']],
  ['skopeo copy docker://a/x dir:/tmp/x', ['fetch container:pull docker://a/x', 'write container:save /tmp/x']],
  ['skopeo inspect docker://a/x', ['fetch container:read docker://a/x']],
  ['skopeo delete docker://a/x', ['delete docker:delete docker://a/x !']],
  ['buildah bud .', ['read container:build .', 'execute container:build image']],
  ['buildah push x docker://a/x', ['publish docker:push x !', 'publish docker:push docker://a/x !']],
  ['crane push x.tar a/x', ['publish docker:push x.tar !', 'publish docker:push a/x !']],
]

describe('containers', () => {
  for (const [line, expected] of EFFECTS) test(line, () => expect(effects(line)).toEqual(expected))
})

const RUNS: readonly (readonly [string, readonly string[]])[] = [
  ['docker run alpine', ['execute container:run alpine']],
  ['docker run --rm -it -p 80:80 -e A=b --name x alpine', ['execute container:run alpine']],
  ['docker run -v "$(pwd)":/app alpine', ['execute container:run alpine', 'write container:mount (unknown)']],
  ['docker run -v ./src:/app alpine', ['execute container:run alpine', 'write container:mount ./src']],
  ['docker run -v ./src:/app:ro alpine', ['execute container:run alpine', 'read container:mount ./src']],
  ['docker run -v data:/var/lib alpine', ['execute container:run alpine']],
  ['docker run -v /:/host alpine', ['execute container:run alpine', 'write container:mount /']],
  ['docker run --mount type=bind,source=/etc,target=/e,readonly alpine', ['execute container:run alpine', 'read container:mount /etc']],
  ['docker run --mount type=bind,src=/etc,dst=/e alpine', ['execute container:run alpine', 'write container:mount /etc']],
  ['docker run --mount type=volume,source=data,target=/e alpine', ['execute container:run alpine']],
  ['docker run --privileged alpine', ['execute container:run alpine', 'change privilege:container host !']],
  ['docker run --privileged=false alpine', ['execute container:run alpine']],
  ['docker run --cap-add=SYS_ADMIN alpine', ['execute container:run alpine', 'change privilege:container host !']],
  ['docker run --cap-add NET_BIND_SERVICE alpine', ['execute container:run alpine']],
  ['docker run --pid=host alpine', ['execute container:run alpine', 'change privilege:container host !']],
  ['docker run --pid host alpine', ['execute container:run alpine', 'change privilege:container host !']],
  ['docker run --net=host alpine', ['execute container:run alpine']],
  ['docker run --security-opt seccomp=unconfined alpine', ['execute container:run alpine', 'change privilege:container host !']],
  ['docker run --device /dev/sda alpine', ['execute container:run alpine', 'change privilege:container host !']],
  [
    'docker run -v /var/run/docker.sock:/var/run/docker.sock alpine',
    ['execute container:run alpine', 'change privilege:container container engine !'],
  ],
  [
    'docker run --env-file .env alpine',
    ['read - .env', 'execute container:run alpine', 'read container:env .env'].filter((s) => !s.startsWith('read -')),
  ],
  ['docker exec --privileged web sh', ['change privilege:container host !', 'execute container:exec web']],
  ['docker create -v /etc:/e alpine', ['execute container:run alpine', 'write container:mount /etc']],
]

describe('what a container may do to this machine', () => {
  for (const [line, expected] of RUNS) test(line, () => expect(effects(line)).toEqual(expected))

  test('the command inside is analysed too', () => {
    expect(record(TABLES, 'docker run --rm alpine git push').commands).toEqual(['git push'])
    expect(effects('docker run --rm alpine git push')).toContain('publish git:push origin')
    expect(record(TABLES, 'docker exec -it -u root web sh -c x').commands).toEqual(['sh -c x'])
    expect(record(TABLES, 'docker run --entrypoint git alpine push --force').effects.map((e) => e.action)).toContain('git:push')
    expect(record(TABLES, 'docker compose exec web git push').effects.map((e) => e.action)).toContain('git:push')
    expect(record(TABLES, 'docker run alpine ls --privileged').effects.map((e) => e.action)).toEqual(['container:run'])
  })
  test('attributes name the ways out', () => {
    expect(record(TABLES, 'docker run --privileged --cap-add ALL --pid host x').effects[1]?.attributes).toEqual({
      privileged: true,
      capabilities: ['ALL'],
      pid: 'host',
    })
  })
})

describe('runners of other tools', () => {
  const tables = [javascript, python, ruby, git]
  const RUNNERS: readonly (readonly [string, string])[] = [
    ['poetry run pytest -k x', 'pytest -k x'],
    ['uv run pytest', 'pytest'],
    ['uv run --with x git push', 'git push'],
    ['uv run -m pytest', 'python -m pytest'],
    ['pipenv run python x.py', 'python x.py'],
    ['conda run -n env git push', 'git push'],
    ['hatch run git push', 'git push'],
    ['bundle exec git push', 'git push'],
    ['npm exec -- semantic-release', 'npx -- semantic-release'],
    ['npm exec --package=x -c "git push"', 'npx --package=x -c git push'],
    ['pnpm --filter x exec git push', 'npx git push'],
    ['pnpm dlx np', 'npx np'],
    ['yarn dlx np', 'npx np'],
    ['bun x np', 'npx np'],
    ['uv tool run ruff check', 'uvx ruff check'],
    ['pipx run black .', 'uvx black .'],
  ]
  for (const [line, expected] of RUNNERS) test(line, () => expect(record(tables, line).commands[0]).toBe(expected))
  test('a script of uv', () => expect(record(tables, 'uv run tool.py').codes).toEqual(['python:@tool.py']))
})

describe('unknown subcommands', () => {
  for (const line of ['docker frobnicate', 'podman volume frobnicate', 'docker compose frobnicate', 'skopeo frobnicate']) {
    test(line, () => expect(record(TABLES, line).effects).toMatchObject([{ action: 'container:unknown', certainty: 'likely' }]))
  }
})
