import { type Files, listsIn, useGate } from '../../projects/harness.ts'

/**
 * More of what a working developer types: repositories of many packages, services of the project, the younger package managers, reading of
 * code hosts, clusters on this machine, plans and clouds. The labels were committed before any verdict was looked at.
 */

useGate()

const FILES: Files = {
  'package.json':
    '{"name":"shop","private":true,"workspaces":["packages/*"],"scripts":{"build":"turbo run build","test":"turbo run test","dev":"turbo run dev --parallel","clean":"turbo run clean && rm -rf node_modules/.cache"}}',
  'turbo.json': '{"tasks":{"build":{"dependsOn":["^build"],"outputs":["dist/**"]},"test":{}}}',
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
  'nx.json': '{"targetDefaults":{"build":{"cache":true}}}',
  'packages/ui/package.json': '{"name":"@shop/ui","scripts":{"build":"tsup src/index.ts","test":"vitest run","lint":"eslint src"}}',
  'packages/api/package.json':
    '{"name":"@shop/api","scripts":{"dev":"tsx watch src/server.ts","migrate":"drizzle-kit migrate","seed":"tsx src/seed.ts"}}',
  'packages/api/src/server.ts': 'export const port = 3000\n',
  'packages/api/src/seed.ts': 'console.log("seeded")\n',
  'compose.yaml':
    'services:\n  db:\n    image: postgres:16\n    environment: { POSTGRES_PASSWORD: dev }\n    volumes: ["db:/var/lib/postgresql/data"]\n  mail:\n    image: axllent/mailpit\nvolumes:\n  db:\n',
  'pyproject.toml': '[project]\nname = "tools"\nversion = "0.1.0"\n[tool.poe.tasks]\nlint = "ruff check ."\n',
  'uv.lock': 'version = 1\n',
  'tests/test_a.py': 'def test_a():\n    assert 1\n',
  'deno.json': '{"tasks":{"check":"deno check src/main.ts","test":"deno test -A"}}',
  'src/main.ts': 'console.log(1)\n',
  'infra/main.tf': 'resource "null_resource" "a" {}\n',
  'k8s/base/kustomization.yaml': 'resources:\n  - deploy.yaml\n',
  'k8s/base/deploy.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\n',
  'charts/api/Chart.yaml': 'apiVersion: v2\nname: api\nversion: 0.1.0\n',
  justfile: 'test:\n    pytest -q\n\nfmt:\n    ruff format .\n',
  'Taskfile.yml': 'version: "3"\ntasks:\n  lint:\n    cmds:\n      - ruff check .\n',
  Tiltfile: 'docker_compose("compose.yaml")\n',
  '.tool-versions': 'nodejs 22.1.0\n',
}

/** Rows that do not hold yet. */
const MISSED: readonly string[] = [
  // Whose processes these are is known on a real machine, and not in a described world (`processes.test.ts`).
  'ends of what was started: pnpm --filter @shop/api dev > /tmp/api.log 2>&1 & ;;; pgrep',
  'ends of what was started: node packages/api',
  'ends of what was started: python3 -m pytest',
  // It may deploy to whichever cluster is chosen: what the Tiltfile says is not read.
  'services of the project: tilt ci',
]

const all = listsIn(FILES, MISSED)

all('many packages', 'runs', [
  "pnpm --filter '@shop/ui...' build",
  'pnpm -r --parallel --workspace-concurrency=4 test',
  "pnpm --filter './packages/**' exec tsc --noEmit",
  "turbo run test --filter='...[origin/main]' --dry=json | jq '.tasks | length'",
  'npx nx affected -t lint test --base=origin/main --parallel=3',
  'npx nx graph --file=/tmp/graph.html',
  'npx lerna ls --all --json',
  'yarn workspace @shop/api dev',
  'yarn workspaces foreach -Apt run build',
  'npm run seed -w @shop/api',
  'npm ls -ws --depth=0',
  'npx changeset status --since=origin/main',
  'npx syncpack list-mismatches',
  'pnpm dedupe --check',
])
all('services of the project', 'runs', [
  'docker compose up -d --build --wait db mail',
  'docker compose ps --format json | jq -r .Name',
  'docker compose logs -f --since 5m db | head -40',
  'docker compose exec db pg_isready -U postgres',
  'docker compose restart mail',
  'docker compose config --services',
  'docker compose stop && docker compose rm -f mail',
  'docker compose --profile test run --rm api pytest -q',
  'docker stats --no-stream',
  'docker inspect shop-db-1 --format "{{.State.Health.Status}}"',
  'docker buildx build --load -t shop-api:dev packages/api',
  'tilt ci --timeout 5m',
])
all('younger package managers', 'runs', [
  'uv add --dev pytest-xdist && uv lock --check',
  'uv run --with rich python -c "import rich; print(rich.__name__)"',
  'uvx ruff check .',
  'uv pip list --outdated',
  'uv python install 3.13',
  'poetry install --with dev --sync',
  'poetry run pytest -n 4 tests',
  'poetry show --tree | head -30',
  'poe lint',
  'pdm run test',
  'hatch run test:cov',
  'pixi run test',
  'bun install --frozen-lockfile && bun run build',
  'bun --filter "@shop/*" test',
  'deno task check',
  'deno test --allow-read src',
  'just fmt && just test',
  'task lint',
  'mise exec -- node --version',
  'rye sync',
])
all('reading of code hosts, clusters, clouds', 'runs', [
  'gh pr list --search "review-requested:@me" --json number,title',
  'gh pr view 42 --comments',
  'gh run list --workflow ci.yml --branch main -L 5 --json conclusion,databaseId',
  'gh run download 123 -n coverage -D /tmp/coverage',
  'gh release view --json tagName -q .tagName',
  'gh api graphql -f query=\'{ repository(owner: "acme", name: "shop") { issues(first: 3) { nodes { title } } } }\'',
  "gh search code 'parseCart' --repo acme/shop --limit 5",
  'glab mr view 7 --comments',
  'kubectl --context kind-shop get pods -A -o wide',
  'kubectl --context minikube logs deploy/api -c api --since=10m',
  'kubectl --context kind-shop apply -k k8s/base',
  'kubectl --context kind-shop rollout status deploy/api --timeout=60s',
  'kubectl config get-contexts -o name',
  'kind load docker-image shop-api:dev --name shop',
  'minikube start --driver=docker && minikube status',
  'kustomize build k8s/base | kubeconform -strict -summary',
  'helm lint charts/api && helm template api charts/api --set image.tag=dev | head -60',
  'terraform -chdir=infra plan -out=/tmp/plan.bin -lock=false',
  'terraform -chdir=infra show -json /tmp/plan.bin | jq .resource_changes',
  'tflint --chdir=infra && tofu -chdir=infra validate',
  'aws s3api list-objects-v2 --bucket shop-dev --max-items 5',
  'aws cloudformation describe-stack-events --stack-name shop-dev --max-items 10',
  'aws ec2 describe-instances --query "Reservations[].Instances[].InstanceId" --output text',
  'aws logs filter-log-events --log-group-name /aws/lambda/cart --filter-pattern ERROR --max-items 5',
  'gcloud run services describe api --region europe-west1 --format="value(status.url)"',
  'az webapp list --query "[].name" -o tsv',
])
all('ends of what was started', 'runs', [
  ['pnpm --filter @shop/api dev > /tmp/api.log 2>&1 &', "pgrep -f 'tsx watch src/server.ts' | xargs kill"],
  ['node packages/api/src/server.ts &', "kill $(pgrep -f 'packages/api/src/server.ts')"],
  ['python3 -m pytest --looponfail tests &', 'pgrep -f "pytest --looponfail" | xargs -r kill -TERM'],
  ['npx vite --port 5199 &', 'lsof -ti tcp:5199 | xargs kill'],
])
// The same words where nothing of it is this session's, or where it is not this machine's.
all('not so ordinary', 'asks', [
  'pgrep -f postgres | xargs kill -9',
  'pgrep -u root sshd | xargs sudo kill',
  'pgrep . | xargs kill -9',
  'kubectl --context prod-eu apply -k k8s/base',
  'docker compose down -v --rmi all',
  'docker compose rm -fsv db',
  'docker compose -p other-project rm -f db',
  'terraform -chdir=infra apply -auto-approve',
  'aws s3 rm s3://shop-prod --recursive',
  'gh pr merge 42 --admin --squash',
  'docker system prune -af --volumes',
  'npx lerna publish from-package --yes',
])
