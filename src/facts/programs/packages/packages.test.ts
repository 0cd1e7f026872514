import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { record, shown, word } from '../harness.ts'
import { dotnetTools } from './dotnet.ts'
import { golang } from './go.ts'
import { javascript } from './javascript.ts'
import { jvm } from './jvm.ts'
import { packageName, sourceOf } from './packages.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'

const TABLES = [javascript, python, rust, golang, jvm, ruby, dotnetTools, php]
const effects = (line: string) => shown(TABLES, line)
const attributes = (line: string) => record(TABLES, line).effects[0]?.attributes

describe('sourceOf', () => {
  const SOURCES: readonly (readonly [string, string, boolean?])[] = [
    ['lodash', 'registry'],
    ['lodash@4.17.0', 'registry'],
    ['@scope/name', 'registry', true],
    ['@scope/name@1', 'registry', true],
    ['owner/name', 'git', true],
    ['github:owner/name', 'git', true],
    ['alias@npm:other@1', 'registry', true],
    ['x@https://h.example/x.tgz', 'url', true],
    ['git+https://h.example/r', 'git'],
    ['https://h.example/r.git', 'git'],
    ['https://h.example/r.git#main', 'git'],
    ['git@h.example:o/r', 'git'],
    ['ssh://git@h.example/o/r', 'git'],
    ['https://h.example/p.tar.gz', 'url'],
    ['http://h.example/p', 'url'],
    ['p @ https://h.example/p.whl', 'url'],
    ['./local', 'path'],
    ['../local', 'path'],
    ['/abs', 'path'],
    ['.', 'path'],
    ['file:../x', 'path'],
    ['dist/x.whl', 'path'],
    ['requests==2.0', 'registry'],
    ['requests[socks]>=2', 'registry'],
    ['$x', 'unknown'],
    ['requests==$v', 'registry'],
  ]
  for (const [text, expected, slash] of SOURCES) test(text, () => expect(sourceOf(word(text), slash ?? false)).toBe(expected))
})

describe('packageName', () => {
  const NAMES: readonly (readonly [string, string])[] = [
    ['lodash@4', 'lodash'],
    ['@scope/x@1.2', '@scope/x'],
    ['@scope/x', '@scope/x'],
    ['requests[socks]>=2', 'requests'],
    ['a~=1', 'a'],
    ['', '(empty)'],
    ['$x', '(unknown)'],
  ]
  for (const [text, expected] of NAMES) test(JSON.stringify(text), () => expect(packageName(word(text))).toBe(expected))
})

const PUBLISHING: readonly (readonly [string, string])[] = [
  ['npm publish', 'npm:publish'],
  ['npm publish --access public', 'npm:publish'],
  ['npm --loglevel silent publish', 'npm:publish'],
  ['npm publis', 'npm:publish'],
  ['npm publish --dry-run=false', 'npm:publish'],
  ['npm publish --dry-run --no-dry-run', 'npm:publish'],
  ['pnpm publish', 'npm:publish'],
  ['pnpm -r publish', 'npm:publish'],
  ['pnpm --filter x publish', 'npm:publish'],
  ['yarn publish', 'npm:publish'],
  ['yarn npm publish', 'npm:publish'],
  ['yarn workspace x publish', 'npm:publish'],
  ['yarn workspaces foreach -A npm publish', 'npm:publish'],
  ['bun publish', 'npm:publish'],
  ['deno publish', 'jsr:publish'],
  ['npm unpublish x@1', 'npm:unpublish'],
  ['npm deprecate x old', 'npm:deprecate'],
  ['npm dist-tag add x@1 latest', 'npm:dist-tag'],
  ['npm dist-tags rm x latest', 'npm:dist-tag'],
  ['npm owner add me x', 'npm:owner'],
  ['npm token create', 'npm:token'],
  ['npm access set status=public x', 'npm:owner'],
  ['twine upload dist/*', 'pypi:publish'],
  ['uv publish', 'pypi:publish'],
  ['uv --directory x publish dist/*', 'pypi:publish'],
  ['poetry publish --build', 'pypi:publish'],
  ['hatch publish', 'pypi:publish'],
  ['flit publish', 'pypi:publish'],
  ['pdm publish', 'pypi:publish'],
  ['anaconda upload x.conda', 'conda:publish'],
  ['cargo publish', 'crates:publish'],
  ['cargo publish -p x --allow-dirty', 'crates:publish'],
  ['cargo yank --version 1.0.0', 'crates:yank'],
  ['gem push x.gem', 'gems:publish'],
  ['gem pus x.gem', 'gems:publish'],
  ['gem yank x -v 1.0', 'gems:yank'],
  ['bundle exec gem push x.gem', 'gems:publish'],
  ['bundle exec rake release', 'gems:publish'],
  ['rake release', 'gems:publish'],
  ['dotnet nuget push x.nupkg -s https://n.example', 'nuget:publish'],
  ['nuget push x.nupkg', 'nuget:publish'],
  ['mvn deploy', 'maven:publish'],
  ['mvn -B clean deploy -DskipTests', 'maven:publish'],
  ['mvn release:perform', 'maven:publish'],
  ['./gradlew publish', 'maven:publish'],
  ['gradle :lib:publishReleasePublicationToSonatypeRepository', 'maven:publish'],
  ['sbt publishSigned', 'maven:publish'],
  ["sbt 'clean;publish'", 'maven:publish'],
]

describe('publishing', () => {
  for (const [line, action] of PUBLISHING) {
    test(line, () => expect(record(TABLES, line).effects.map((e) => e.action)).toContain(action))
  }
  proves(['ROS-25'], '`npm publish --access public` publishes to the registry', () => {
    expect(effects('npm publish --access public')).toEqual(['publish npm:publish . !'])
    expect(attributes('npm publish --access public')).toEqual({ access: 'public' })
  })

  const QUIET = [
    'npm publish --dry-run',
    'pnpm publish --dry-run',
    'bun publish --dry-run',
    'cargo publish --dry-run',
    'cargo publish -n',
    'poetry publish --dry-run',
    'uv publish --dry-run',
    'npm pack',
    'npm publish --help',
    'npm view x',
    'npm run publish-docs',
    'npm dist-tag ls x',
    'npm owner ls x',
    'yarn build',
    'twine check dist/*',
    'gem build x.gemspec',
    'rake -T',
    'gradle publishToMavenLocal',
    'mvn install',
    'sbt publishLocal',
    'gradle -m publish',
    'dotnet publish -c Release',
  ]
  for (const line of QUIET) {
    test(`publishes nothing: ${line}`, () => expect(record(TABLES, line).effects.filter((e) => e.verb === 'publish')).toEqual([]))
  }
  test('a release also pushes', () => {
    expect(effects('rake release')).toEqual(['publish gems:publish . !', 'publish git:push origin !'])
    expect(effects('mvn release:prepare')).toEqual(['publish maven:publish . !', 'publish git:push origin !'])
  })
})

const INSTALLS: readonly (readonly [string, readonly string[], Record<string, unknown>])[] = [
  ['npm install', ['execute pkg:install package.json'], { source: 'manifest', manager: 'npm' }],
  ['npm i lodash', ['execute pkg:install lodash'], { source: 'registry', spec: 'lodash' }],
  ['npm i lodash@4 chalk', ['execute pkg:install lodash', 'execute pkg:install chalk'], { spec: 'lodash@4' }],
  ['npm ci', ['execute pkg:install package.json'], { source: 'manifest' }],
  ['npm install -g x', ['execute pkg:install x'], { global: true }],
  ['npm --global add x', ['execute pkg:install x'], { global: true }],
  [
    'npm install https://x.example/p.tgz',
    ['execute pkg:install https://x.example/p.tgz', 'fetch pkg:fetch https://x.example/p.tgz'],
    { source: 'url' },
  ],
  ['npm install owner/repo', ['execute pkg:install owner/repo', 'fetch pkg:fetch owner/repo'], { source: 'git' }],
  ['npm install ./local', ['execute pkg:install ./local'], { source: 'path' }],
  [
    'npm install --registry https://r.example x',
    ['execute pkg:install x', 'fetch pkg:fetch https://r.example'],
    { source: 'index', index: 'https://r.example' },
  ],
  ['npm install $x', ['execute pkg:install (unknown)'], { source: 'unknown' }],
  ['npm uninstall x', ['change pkg:remove x'], { manager: 'npm' }],
  ['npm update', ['execute pkg:upgrade package.json'], {}],
  ['npm ls --depth 0', ['read pkg:read installed'], {}],
  ['npm view lodash version', ['fetch pkg:read lodash', 'fetch pkg:read version'], {}],
  ['npm audit', ['fetch pkg:read registry'], {}],
  ['npm audit fix', ['execute pkg:install package.json'], {}],
  ['npm config get registry', ['read pkg:read installed'], {}],
  ['pyenv local 3.12', ['change pkg:select 3.12'], {}],
  ['pyenv versions', ['read pkg:read installed'], {}],
  ['pyenv init -', ['read pkg:read installed'], {}],
  ['pyenv install 3.12', ['execute pkg:install 3.12'], {}],
  ['rbenv global 3.3', ['change pkg:select 3.3'], {}],
  ['nvm alias default 20', ['change pkg:select default'], {}],
  ['asdf install nodejs 20', ['execute pkg:install nodejs'], {}],
  ['asdf plugin add x https://x.example/p.git', ['change pkg:config x'], {}],
  ['asdf plugin list', ['read pkg:read installed'], {}],
  ['mise use node@20', ['change pkg:select node@20'], {}],
  ['mise run build', ['execute pkg:script build'], {}],
  ['mise settings set x y', ['change pkg:config set'], {}],
  ['npm pkg get name version', ['read pkg:read installed'], {}],
  ['npm pkg set name=x', ['write pkg:manifest package.json', 'write text:edit package.json'], {}],
  ['npm pkg delete scripts.x', ['write pkg:manifest package.json', 'write text:edit package.json'], {}],
  ['npm shrinkwrap', ['write pkg:manifest package.json'], {}],
  ['npm config set registry https://r.example', ['change pkg:config registry'], {}],
  ['npm test', ['execute pkg:script test'], {}],
  ['pnpm add -D vitest', ['execute pkg:install vitest'], { manager: 'pnpm' }],
  ['pnpm build', ['execute pkg:script build'], {}],
  ['yarn', ['execute pkg:install package.json'], { manager: 'yarn' }],
  ['yarn add x', ['execute pkg:install x'], { manager: 'yarn' }],
  ['yarn global add x', ['execute pkg:install x'], { global: true }],
  ['yarn dev', ['execute pkg:script dev'], {}],
  ['bun add x', ['execute pkg:install x'], { manager: 'bun' }],
  ['bun pm ls', ['read pkg:read installed'], {}],
  ['deno run https://x.example/a.ts', ['execute code:remote https://x.example/a.ts !'], {}],
  ['pip install requests', ['execute pkg:install requests'], { source: 'registry', manager: 'pip' }],
  ['pip3 install -r requirements.txt', ['read - requirements.txt', 'execute pkg:install requirements.txt'], {}],
  ['pip install -e .', ['execute pkg:install .'], { source: 'path' }],
  ["pip install -e '.[dev]'", ['execute pkg:install .[dev]'], { source: 'path' }],
  [
    'pip install git+https://h.example/r',
    ['execute pkg:install git+https://h.example/r', 'fetch pkg:fetch git+https://h.example/r'],
    { source: 'git' },
  ],
  [
    'pip install --index-url https://x.example/simple p',
    ['execute pkg:install p', 'fetch pkg:fetch https://x.example/simple'],
    { source: 'index' },
  ],
  [
    'PIP_INDEX_URL=https://x.example/simple pip install p',
    ['execute pkg:install p', 'fetch pkg:fetch https://x.example/simple'],
    { source: 'index' },
  ],
  ['pip install --find-links ./wheels p', ['execute pkg:install p'], { source: 'path' }],
  ['pip install --break-system-packages p', ['execute pkg:install p'], { system: true }],
  ['pip install --dry-run p', [], {}],
  ['pip uninstall -y p', ['change pkg:remove p'], {}],
  ['pip list', ['read pkg:read installed'], {}],
  ['pip show p', ['read pkg:read installed'], {}],
  ['pip download p', ['fetch pkg:download p', 'write pkg:save .'], {}],
  ['pip download -d out p', ['write - out', 'fetch pkg:download p'], {}],
  ['pipx install p', ['execute pkg:install p'], { user: true, manager: 'pipx' }],
  ['pipx runpip x install p', ['execute pkg:install p'], { manager: 'pip' }],
  ['uv pip install p', ['execute pkg:install p'], {}],
  [
    'uv add p --git https://h.example/r',
    ['execute pkg:install p', 'execute pkg:install https://h.example/r', 'fetch pkg:fetch https://h.example/r'],
    { manager: 'uv' },
  ],
  ['uv sync', ['execute pkg:install pyproject.toml'], { source: 'manifest' }],
  ['uv venv', ['write pkg:environment .venv'], {}],
  ['uv tool install ruff', ['execute pkg:install ruff'], { user: true }],
  ['poetry add p', ['execute pkg:install p'], { manager: 'poetry' }],
  ['poetry show', ['read pkg:read installed'], {}],
  ['pipenv install p', ['execute pkg:install p'], { manager: 'pipenv' }],
  ['conda install -n env -c conda-forge p', ['execute pkg:install p'], { source: 'registry' }],
  ['conda install -c https://c.example p', ['execute pkg:install p', 'fetch pkg:fetch https://c.example'], { source: 'index' }],
  ['conda install --dry-run p', [], {}],
  ['virtualenv v', ['write pkg:environment v'], {}],
  ['cargo install ripgrep', ['execute pkg:install ripgrep'], { manager: 'cargo' }],
  ['cargo install --version 1.0 x', ['execute pkg:install x'], {}],
  [
    'cargo install --git https://h.example/r',
    ['execute pkg:install https://h.example/r', 'fetch pkg:fetch https://h.example/r'],
    { source: 'git' },
  ],
  ['cargo add serde --features derive', ['execute pkg:install serde'], {}],
  ['cargo build --release', ['execute dev:build .'], {}],
  ['cargo t', ['execute dev:test cargo test'], {}],
  ['cargo tree', ['read pkg:read installed'], {}],
  ['rustup update', ['change pkg:upgrade rust'], {}],
  ['rustup toolchain list', ['read pkg:read installed'], {}],
  ['go build -o bin/x ./...', ['write - bin/x', 'execute dev:build .'], {}],
  ['go test -run TestX ./...', ['execute dev:test go test'], {}],
  ['go install golang.example/x@latest', ['execute pkg:install golang.example/x'], { source: 'registry' }],
  ['go run x.example/tool@latest', ['execute pkg:run x.example/tool@latest'], {}],
  ['go run ./cmd/x', ['execute dev:run ./cmd/x'], {}],
  ['go mod tidy', ['fetch pkg:download go.mod'], {}],
  ['go list -m all', ['read pkg:read installed'], {}],
  ['go env GOPATH', ['read pkg:read GOPATH'], {}],
  ['go env -w GOFLAGS=x', ['change pkg:config GOFLAGS=x'], {}],
  ['gofmt -l a.go', ['read dev:format a.go'], {}],
  ['gofmt -w a.go', ['write dev:format a.go'], {}],
  ['mvn test', ['execute dev:test test'], {}],
  ['gradle clean build', ['delete dev:clean build output', 'execute dev:build build'], {}],
  ['gradle dependencies', ['read pkg:read dependencies'], {}],
  ['gem install rails', ['execute pkg:install rails'], { manager: 'gem' }],
  ['gem install -s https://g.example x', ['execute pkg:install x', 'fetch pkg:fetch https://g.example'], { source: 'index' }],
  ['gem list', ['read pkg:read installed'], {}],
  ['bundle', ['execute pkg:install Gemfile'], { source: 'manifest' }],
  ['bundle install --path vendor', ['execute pkg:install Gemfile'], {}],
  ['rake test', ['execute pkg:script test'], {}],
  ['dotnet build', ['execute dev:build .'], {}],
  ['dotnet add package X --version 1.0', ['execute pkg:install X'], { manager: 'dotnet' }],
  ['dotnet tool install -g x', ['execute pkg:install x'], { global: true }],
  ['dotnet ef database drop --force', ['delete sql:drop application !'], { force: true }],
  ['dotnet ef database drop --dry-run', [], {}],
  ['dotnet user-secrets list', ['read secret:read user secrets'], {}],
  ['composer require x/y', ['execute pkg:install x/y'], { manager: 'composer' }],
  ['composer inst', ['execute pkg:install composer.json'], {}],
  ['composer global require x/y', ['execute pkg:install x/y'], { global: true }],
  ['composer show', ['read pkg:read installed'], {}],
  ['composer lint', ['execute pkg:script lint'], {}],
]

describe('installing, looking and building', () => {
  for (const [line, expected, some] of INSTALLS) {
    test(line, () => {
      expect(effects(line)).toEqual(expected)
      if (expected.length > 0) expect(record(TABLES, line).effects.map((e) => e.attributes)).toContainEqual(expect.objectContaining(some))
    })
  }

  test('what the go tool runs', () => {
    expect(record(TABLES, "go test -exec 'sudo x' ./...").shells).toEqual(['sudo x'])
    expect(record(TABLES, 'go build -toolexec=./x .').shells).toEqual(['./x'])
  })
  test('code on the command line', () => {
    expect(record(TABLES, "rake -e 'system(1)'").codes).toEqual(['ruby:system(1)'])
    expect(record(TABLES, "deno eval 'x()'").codes).toEqual(['node:x()'])
    expect(record(TABLES, 'bun index.ts').codes).toEqual(['node:@index.ts'])
  })
})

describe('what no table knows is said', () => {
  const UNKNOWN: readonly (readonly [string, string])[] = [
    ['npm frobnicate', 'npm:unknown'],
    ['npm token frobnicate', 'npm:unknown'],
    ['pip frobnicate', 'pip:unknown'],
    ['uv constructor', 'uv:unknown'],
    ['cargo frobnicate', 'cargo:unknown'],
    ['go frobnicate', 'go:unknown'],
    ['gem frobnicate', 'gem:unknown'],
    ['dotnet nuget frobnicate', 'dotnet:unknown'],
    ['poetry frobnicate', 'poetry:unknown'],
  ]
  for (const [line, action] of UNKNOWN) {
    test(line, () => {
      const [only] = record(TABLES, line).effects
      expect(only).toMatchObject({ verb: 'execute', action, certainty: 'likely' })
    })
  }
  for (const line of ['npm $x', 'mvn $x', 'rake $x', 'sbt $x', 'cargo $x']) {
    test(line, () => expect(record(TABLES, line).reasons.length).toBeGreaterThan(0))
  }
})
