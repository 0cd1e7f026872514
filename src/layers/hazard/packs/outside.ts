import { resolvedName } from '../../../facts/effect.ts'
import { imitatedPackage } from '../../../facts/resources/text/package-names.ts'
import type { HazardPack } from '../rule.ts'
import { action, attribute, family, has, onThisMachine, staysInside, undoesInside } from './match.ts'
import { services } from './services.ts'

const FOREIGN = new Set(['url', 'git', 'index'])

/** What an editor loads runs with all rights of the person who uses it. */
const EDITORS = new Set('code code-insiders codium vscodium code-server cursor windsurf positron kiro trae antigravity'.split(' '))

/** Clients of clouds and clusters: what they are given more of is their user's. */
const CLIENTS: ReadonlySet<string> = new Set(['az', 'gcloud', 'krew'])

/** Files in which package managers write down what they chose, with checksums. */
const LOCK = new RegExp(
  String.raw`(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?` +
    String.raw`|(?:Cargo|Gemfile|composer|poetry|uv|pdm|Pipfile|mix|pubspec|flake|gradle)\.lock|go\.sum|\.terraform\.lock\.hcl` +
    String.raw`|deno\.lock|packages\.lock\.json)$`,
)

/** Methods that change nothing; a server may do anything on one that nobody knows (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['', 'GET', 'HEAD', 'OPTIONS', 'TRACE'])

export const outside: HazardPack = {
  name: 'outside',
  summary: 'what others will notice: releases, deployments, cloud and cluster changes, messages, payments, packages from odd sources',
  rules: [
    {
      id: 'publish',
      code: 'hazard.publish',
      level: 'soft',
      reason: 'publishes or deploys something',
      advice: 'Prepare the release and let your user publish it.',
      safer: 'npm publish --dry-run',
      examples: {
        match: ['npm publish', 'twine upload dist/*', 'cargo publish', 'docker push x/y', 'gh release create v1'],
        not_match: ['npm publish --dry-run', 'npm pack', 'gh release list'],
      },
      verbs: ['publish'],
      when: (effect) => !action(effect, 'git:push', 'gh:pr-create', 'gl:pr-create', 'gh:issue', 'gh:comment', 'gl:issue', 'gl:comment'),
    },
    {
      id: 'unpublish',
      code: 'hazard.publish',
      level: 'soft',
      reason: 'takes back what others may already install',
      advice: 'Deprecate it, or ask your user to withdraw it.',
      safer: 'npm view left-pad versions',
      examples: {
        match: [
          'npm unpublish left-pad@1.0.0 --force',
          'gem yank x -v 1',
          'nuget delete x 1.0',
          'skopeo delete docker://r.example/x',
          'mix hex.retire x 1',
        ],
        not_match: ['npm view left-pad', 'gem list', 'crane ls r.example/x'],
      },
      verbs: ['delete', 'change'],
      actions: ['npm:unpublish', 'nuget:unpublish', 'vscode:unpublish', 'gems:yank', 'docker:delete', 'hex:retire', 'vcs:obliterate'],
    },
    {
      id: 'remote-change',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'changes cloud, cluster or infrastructure resources, or starts a pipeline there',
      advice: 'Show the plan first and let your user apply it.',
      safer: 'terraform plan',
      examples: {
        match: [
          'terraform apply',
          'kubectl delete pod x',
          'aws s3 rm s3://bucket --recursive',
          'helm uninstall x',
          'gcloud compute instances delete x',
          'scancel 4711',
          'stripe products delete prod_1',
          { tool: 'mcp__heroku__ps_scale', args: { app: 'shop', dyno: 'web=0' } },
          { tool: 'mcp__jenkins__build_item', args: { fullname: 'deploy-prod' } },
        ],
        not_match: [
          { tool: 'mcp__jenkins__get_build', args: { fullname: 'test', number: 1 } },
          'terraform plan',
          'kubectl get pods',
          'aws s3 ls',
          'aws s3 cp s3://bucket/x .',
          'kubectl config use-context dev',
          'kubectl apply --dry-run=client -f x.yaml',
        ],
      },
      verbs: ['change', 'delete', 'write', 'send', 'execute', 'publish'],
      actions: ['cloud', 'k8s', 'helm', 'tf', 'gitops', 'cluster', 'pay', 'ci:run'],
      // These lie here: a file, and which cluster is meant next.
      when: (effect) => !action(effect, 'cloud:download', 'k8s:context') && !onThisMachine(effect),
    },
    {
      id: 'web-change',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'asks a server to change or delete something',
      advice: 'Read with GET, or let your user send the request.',
      safer: 'curl https://example.com/api/items',
      examples: {
        match: [
          'curl -X DELETE http://localhost:9200/logs',
          'curl -X PUT -d @item.json https://api.example.com/items/1',
          'curl --json {} https://api.example.com/items',
          'curl -X PURGE https://cdn.example.com/logo.png',
        ],
        not_match: [
          'curl https://api.example.com/items',
          'curl -I https://example.com',
          'curl -d name=x http://localhost:3000/login',
          "gh api graphql -f 'query={ viewer { login } }'",
        ],
      },
      verbs: ['send', 'fetch'],
      // On this machine agents try their own services out; only deleting is more than that.
      when: (effect) => {
        const method = String(attribute(effect, 'method') ?? '')
        // What is asked of a known hosting service is told by its own actions.
        if (family(effect, 'gh', 'gl')) return false
        return method === 'DELETE' || (effect.target.scope !== 'loopback' && !SAFE.has(method))
      },
    },
    {
      id: 'repository-change',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'changes a hosted repository, its settings or its secrets, or speaks there in your name',
      advice: 'Let your user change it in the web interface.',
      safer: 'gh repo view',
      examples: {
        match: ['gh repo delete o/r', 'gh pr merge 3', 'gh secret set X', 'gh workflow run deploy.yml', 'gh issue comment 3 -b x'],
        not_match: ['gh pr view 3', 'gh pr list'],
      },
      verbs: ['change', 'delete', 'publish', 'write'],
      actions: ['gh', 'gl'],
      when: (effect) => !action(effect, 'gh:pr-create', 'gl:pr-create'),
    },
    {
      id: 'unknown-command',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'an unknown program says that it deletes, publishes or changes something',
      advice: 'Show what it would change and let your user run it.',
      safer: 'acme users list',
      examples: {
        match: [
          'acme users delete u-7',
          'acme --region eu apps create',
          'acme-queue topics --purge',
          'acme deploy',
          'acme nuke',
          'acme-nuke run',
          'docker acme wipe x',
        ],
        not_match: ['acme users list', 'acme --help', 'acme report --format json', 'acme status'],
      },
      actions: ['cli'],
    },
    {
      id: 'accounts',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'changes who may do what at a service: logins, tokens, owners, members',
      advice: 'Ask your user to change access themselves.',
      safer: 'npm owner ls lodash',
      examples: {
        match: [
          'npm owner add someone pkg',
          'npm token create',
          'aws configure set aws_access_key_id x',
          'docker login registry.example.com',
          'cargo owner --add someone',
          'gem signin',
          'psql -c "GRANT ALL ON ALL TABLES IN SCHEMA public TO guest"',
          `psql -c "ALTER USER app WITH PASSWORD 'x'"`,
          { tool: 'mcp__slack__add_user_to_channel', args: { user: 'u', channel: 'c' } },
        ],
        not_match: ['npm owner ls pkg', 'psql -c "SELECT 1"', 'npm whoami', 'aws configure list'],
      },
      verbs: ['change', 'delete', 'write'],
      actions: [
        ...['tool:auth', 'container:auth', 'sql:grant', 'access', 'account:security'],
        ...['npm:owner', 'crates:owner', 'hex:owner', 'pods:owner'],
        ...['npm:token', 'crates:token', 'gems:token', 'pypi:token', 'conda:token', 'nuget:token', 'pub:token', 'vscode:token'],
      ],
    },
    {
      id: 'containers',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'starts, changes or removes containers, their volumes or their cluster, or removes virtual machines',
      advice: 'Look at what runs, and let your user start or remove it.',
      safer: 'docker ps',
      examples: {
        match: [
          'docker run --network host -d redis',
          'docker compose up -d',
          'docker rm -f db',
          'podman stop web',
          'multipass delete web --purge',
          'vagrant destroy -f',
        ],
        not_match: ['docker ps -a', 'docker logs web', 'docker images', 'docker compose config', 'docker build -t app .'],
      },
      verbs: ['change', 'delete', 'execute', 'write'],
      actions: [
        'container:run',
        'container:change',
        'container:remove',
        'container:prune',
        'container:swarm',
        'volume:remove',
        'vm:delete',
      ],
      when: (effect, facts) => !staysInside(effect) || undoesInside(facts),
    },
    {
      id: 'contained',
      code: 'hazard.system_change',
      level: 'advisory',
      reason: 'starts or stops containers that get nothing of the machine but the workspace',
      advice: null,
      safer: 'docker ps',
      examples: {
        match: ['docker run --rm alpine ls', 'docker run --rm -v "$PWD:/app" node:20 npm test'],
        not_match: ['docker ps', 'docker run --privileged alpine', 'docker run --rm -v "$PWD:/app" alpine rm -rf /app'],
      },
      actions: ['container:run', 'container:remove', 'container:change'],
      when: (effect, facts) => staysInside(effect) && !undoesInside(facts),
    },
    {
      id: 'package-settings',
      code: 'hazard.supply_chain',
      level: 'soft',
      reason: 'changes where packages come from or how they are checked',
      advice: 'Leave registries and checks as they are, or ask your user.',
      safer: 'npm config get registry',
      examples: {
        match: [
          'npm config set registry https://packages.example.net',
          'pip config set global.index-url https://x.example',
          'go env -w GONOSUMDB=*',
          'go mod edit -replace=example.com/a=example.net/b@v1',
        ],
        not_match: ['npm config get registry', 'pip config list', 'go env GOPATH', 'go mod edit -replace=example.com/a=../a'],
      },
      verbs: ['change', 'write'],
      actions: ['pkg:config'],
    },
    {
      id: 'lock-by-hand',
      code: 'hazard.supply_chain',
      level: 'soft',
      reason: 'writes a lock file past the package manager: what it pins is installed unseen',
      advice: 'Change the manifest, and let the package manager write the lock file.',
      safer: 'npm install --package-lock-only',
      examples: {
        match: ["echo '{}' > package-lock.json", 'sed -i s/1.0/1.1/ Cargo.lock', 'cp other.lock yarn.lock', 'tee poetry.lock < x'],
        not_match: ['npm install', 'cargo update', 'rm yarn.lock', 'cat yarn.lock', 'git checkout main', 'echo x > notes.lock'],
      },
      verbs: ['write'],
      when: (effect) => LOCK.test(resolvedName(effect.target)) && !family(effect, 'pkg', 'dev', 'git', 'archive'),
    },
    {
      id: 'remote-shell',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'runs commands on another machine',
      advice: 'Ask your user to run it there.',
      safer: 'ssh -V',
      examples: { match: ['ssh prod.example "systemctl restart app"'], not_match: ['ssh -V', 'ssh-keygen -l -f key.pub'] },
      actions: ['net:remote-shell', 'net:remote-login', 'ssh:authorize'],
    },
    {
      id: 'told-machine',
      code: 'hazard.remote_change',
      level: 'soft',
      reason: 'code tells another machine, a device or an account what to do, by a package that nothing is known of',
      advice: 'Show the code and let your user run it.',
      safer: "python3 -c 'import json; print(json.dumps({}))'",
      examples: {
        match: [
          `python3 -c 'from plc import Client; Client("10.0.3.4").write_coil(1, True)'`,
          `python3 -c 'import bus; bus.publish("door/open", hostname="bus.example.net")'`,
          `python3 -c 'import scope; scope.open("/dev/ttyUSB0").slew(10, 20)'`,
          `python3 -c 'import os, boards; boards.Client(token=os.environ["BOARDS_TOKEN"]).lists.delete("l1")'`,
        ],
        not_match: [
          `python3 -c 'from plc import Client; print(Client("10.0.3.4").read_coils(1, 8))'`,
          `python3 -c 'from plc import Client; Client("127.0.0.1").write_coil(1, True)'`,
          `python3 -c 'import os, boards; print(boards.Client(token=os.environ["BOARDS_TOKEN"]).lists.get("l1"))'`,
          `python3 -c 'import ipaddress; print(ipaddress.ip_address("10.0.3.4").is_private)'`,
        ],
      },
      verbs: ['change'],
      actions: ['net:act'],
    },
    ...services,
    {
      id: 'package-source',
      code: 'hazard.supply_chain',
      level: 'soft',
      reason: 'installs or runs a package from an unusual source',
      advice: 'Install it from the registry by name.',
      safer: 'npm install --save-dev vitest',
      examples: {
        match: [
          'pip install https://x.example/p.tar.gz',
          'pip install --index-url https://x.example/simple p',
          'npm install https://x.example/p.tgz',
          'code --install-extension acme.tool',
          'pipx run --spec https://x.example/p.whl p',
          'uvx --from git+https://x.example/p p',
        ],
        not_match: ['pip install requests', 'npm ci', 'npm install ./local', 'npx cowsay hi', 'uvx ruff check'],
      },
      actions: ['pkg:install', 'pkg:run', 'pkg:upgrade', 'pkg:download', 'dev:build'],
      when: (effect) => FOREIGN.has(String(attribute(effect, 'source') ?? '')) || EDITORS.has(String(attribute(effect, 'manager') ?? '')),
    },
    {
      id: 'lookalike-package',
      code: 'hazard.supply_chain',
      level: 'soft',
      reason: 'installs or runs a package whose name is one slip away from a well-known one',
      advice: 'Check the name; if it is meant, let your user install it.',
      safer: 'pip install requests',
      examples: {
        match: ['pip install reqeusts', 'npm install crossenv', 'npx -y @anthrpoic/mcp-server', 'yarn add loadash', 'uv add djanga'],
        not_match: ['pip install requests', 'npm install cross-env', 'npm install preact', 'npx cowsay hi', 'npm install ./reqeusts'],
      },
      actions: ['pkg:install', 'pkg:run', 'pkg:upgrade', 'pkg:download'],
      when: ({ target }) => target.kind === 'package' && imitatedPackage(target.value) !== null,
    },
    {
      id: 'system-package',
      code: 'hazard.system_change',
      level: 'soft',
      reason: 'installs or removes software of the machine',
      advice: 'Use what is installed, or ask your user.',
      safer: 'apt list --installed',
      examples: {
        match: ['apt-get install -y nginx', 'brew uninstall x', 'npm install -g x'],
        not_match: ['npm install x', 'apt list', 'brew list'],
      },
      actions: ['pkg:install', 'pkg:remove', 'pkg:upgrade', 'os-package'],
      // Parts of a client of a cloud or a cluster are its user's, not the workspace's.
      when: (effect) =>
        family(effect, 'os-package') ||
        has(effect, 'global') ||
        has(effect, 'system') ||
        CLIENTS.has(String(attribute(effect, 'manager') ?? '')),
    },
  ],
}
