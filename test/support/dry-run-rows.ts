/** Commands of every program that has a dry run of its own, with the words that must come of them. Options are those of the manuals. */
import type { DryRunProgram } from '../../src/policy/preview/model.ts'

export interface Row {
  readonly row: DryRunProgram
  /** The program, as it is called. */
  readonly name: string
  readonly call: string
  /** Its arguments as they must be started; of SQL, what must stand in them. */
  readonly dry: readonly string[] | readonly RegExp[]
  readonly runs: 'as it is' | 'in the sandbox'
  /** Options that the program has with this verb, from its manual. */
  readonly options: string
  /** On the arguments, joined: that nothing is done. */
  readonly isDry: string
  readonly answer?: { readonly stdout?: string; readonly stderr?: string; readonly exit?: number }
}

const PLAN = { row: 'terraform', runs: 'as it is', isDry: '^(?:-chdir=\\S+ )?plan ' } as const
const PLAN_OPTIONS =
  '^-(?:chdir=.+|destroy|refresh-only|input=.+|no-color|lock=.+|parallelism.*|target.*|replace.*|var|var-file.*|refresh=.+|state=.+|compact-warnings)$'
const PLAN_WORDS = ['plan', '-input=false', '-no-color', '-lock=false']
const CLUSTER = { row: 'kubectl', name: 'kubectl', runs: 'as it is' } as const
const CLUSTER_OPTIONS =
  '^-(?:[fnkRl]|-(?:dry-run=server|namespace.*|filename.*|image=.*|replicas=.*|server-side|context.*|cascade.*|field-manager=.*))$'
const CHART = { row: 'helm', name: 'helm', runs: 'as it is' } as const
const PLAYBOOK = { row: 'ansible', name: 'ansible-playbook', runs: 'in the sandbox' } as const
const REVISION = { row: 'alembic', name: 'alembic', runs: 'in the sandbox' } as const

export const ROWS: readonly Row[] = [
  {
    ...{ row: 'git', name: 'git', call: 'git push --no-verify --force-with-lease origin main', runs: 'as it is' },
    dry: ['push', '--dry-run', '--no-verify', '--porcelain', '--force-with-lease', 'origin', 'main'],
    ...{ options: '^--(?:dry-run|no-verify|porcelain|force-with-lease)$', isDry: '^push --dry-run ' },
  },
  {
    ...{ row: 'git', name: 'git', call: 'git push --no-dr origin main', runs: 'in the sandbox' },
    dry: ['push', '--dry-run', '--no-verify', '--porcelain', '--no-dr', 'origin', 'main'],
    ...{ options: '^--(?:dry-run|no-verify|porcelain|no-dr)$', isDry: '^push --dry-run ' },
  },
  {
    ...{ row: 'rsync', name: 'rsync', call: 'rsync -az --delete src/ dst/', runs: 'as it is' },
    dry: ['--dry-run', '--itemize-changes', '-az', '--delete', 'src/', 'dst/'],
    ...{ options: '^-(?:az|-dry-run|-itemize-changes|-delete)$', isDry: '--dry-run' },
  },
  {
    ...{ row: 'rsync', name: 'rsync', call: 'rsync -a -e ssh src/ host:dst/', runs: 'in the sandbox' },
    dry: ['--dry-run', '--itemize-changes', '-a', '-e', 'ssh', 'src/', 'host:dst/'],
    ...{ options: '^-(?:a|e|-dry-run|-itemize-changes)$', isDry: '--dry-run' },
  },
  {
    ...{ row: 'npm', name: 'npm', call: 'npm publish --tag next', runs: 'in the sandbox' },
    dry: ['publish', '--tag', 'next', '--dry-run', '--fetch-retries=0'],
    ...{ options: '^--(?:tag|dry-run|fetch-retries=0)$', isDry: '--dry-run' },
  },
  {
    ...{ row: 'apt', name: 'apt-get', call: 'apt-get install -y jq', runs: 'as it is' },
    ...{ dry: ['-s', 'install', '-y', 'jq'], options: '^-[sy]$', isDry: '^-s ' },
  },
  {
    ...{ row: 'apt', name: 'apt-get', call: 'apt-get install -yo APT::Get::Simulate=no jq', runs: 'in the sandbox' },
    ...{ dry: ['-s', 'install', '-yo', 'APT::Get::Simulate=no', 'jq'], options: '^-(?:s|yo)$', isDry: '^-s ' },
  },
  {
    ...{ ...PLAN, name: 'terraform', call: 'terraform -chdir=infra apply --auto-approve -lock-timeout=5s -var size=3 -var-file=a.tfvars' },
    dry: ['-chdir=infra', ...PLAN_WORDS, '-lock-timeout=5s', '-var', 'size=3', '-var-file=a.tfvars'],
    options: PLAN_OPTIONS.replace('lock=.+', 'lock=.+|lock-timeout=.+'),
  },
  {
    ...{ ...PLAN, name: 'tofu', call: 'tofu destroy -auto-approve -backup=old -state-out new -target=a.b' },
    ...{ dry: [...PLAN_WORDS, '-destroy', '-target=a.b'], options: PLAN_OPTIONS },
  },
  {
    ...{
      ...CLUSTER,
      call: 'kubectl -n shop apply -Rf deploy --wait --timeout 60s -o yaml',
      dry: ['-n', 'shop', 'diff', '-R', '-f', 'deploy'],
    },
    ...{ options: CLUSTER_OPTIONS, isDry: ' diff ', answer: { stdout: '-  replicas: 2\n+  replicas: 3', exit: 1 } },
  },
  {
    ...{ ...CLUSTER, call: 'kubectl -n apply delete pod web --cascade=foreground' },
    dry: ['-n', 'apply', 'delete', '--dry-run=server', 'pod', 'web', '--cascade=foreground'],
    ...{ options: CLUSTER_OPTIONS, isDry: '--dry-run=server' },
  },
  {
    ...{ ...CLUSTER, call: 'kubectl scale deploy/web --replicas=0', dry: ['scale', '--dry-run=server', 'deploy/web', '--replicas=0'] },
    ...{ options: CLUSTER_OPTIONS, isDry: '--dry-run=server' },
  },
  {
    ...{ ...CLUSTER, call: 'kubectl run web --image=nginx -- sh -c true' },
    dry: ['run', '--dry-run=server', 'web', '--image=nginx', '--', 'sh', '-c', 'true'],
    ...{ options: CLUSTER_OPTIONS.replace('[fnkRl]', '[fnkRlc]'), isDry: '^run --dry-run=server ' },
  },
  {
    ...{
      ...CLUSTER,
      call: 'kubectl --kubeconfig=mine apply -f a.yaml',
      runs: 'in the sandbox',
      dry: ['--kubeconfig=mine', 'diff', '-f', 'a.yaml'],
    },
    ...{ options: '^-(?:f|-kubeconfig=.*)$', isDry: ' diff ', answer: { exit: 1 } },
  },
  {
    ...{ ...CHART, call: 'helm upgrade --install --atomic --timeout 5m -n shop web ./chart --set a=b' },
    dry: ['diff', 'upgrade', '--allow-unreleased', '-n', 'shop', 'web', './chart', '--set', 'a=b'],
    ...{ options: '^-(?:n|-allow-unreleased|-set)$', isDry: '^diff upgrade ' },
  },
  {
    ...{ ...CHART, call: 'helm install web ./chart --description --wait' },
    dry: ['install', '--dry-run=server', 'web', './chart', '--description', '--wait'],
    ...{ options: '^--(?:dry-run=server|description|wait)$', isDry: '^install --dry-run=server ' },
  },
  {
    ...{ ...CHART, call: 'helm install web ./chart --post-renderer cat', runs: 'in the sandbox' },
    dry: ['install', '--dry-run=server', 'web', './chart', '--post-renderer', 'cat'],
    ...{ options: '^--(?:dry-run=server|post-renderer)$', isDry: '^install --dry-run=server ' },
  },
  {
    ...{ ...PLAYBOOK, call: 'ansible-playbook -i hosts site.yml', dry: ['-i', 'hosts', 'site.yml', '--check', '--diff'] },
    ...{ options: '^-(?:i|-check|-diff)$', isDry: '--check' },
  },
  { ...REVISION, call: 'alembic upgrade head', dry: ['upgrade', 'head', '--sql'], options: '^--sql$', isDry: '--sql' },
  {
    ...{ ...REVISION, name: 'poetry', call: 'poetry run alembic upgrade head', dry: ['run', 'alembic', 'upgrade', 'head', '--sql'] },
    ...{ options: '^--sql$', isDry: '--sql' },
  },
  {
    ...{ row: 'flyway', name: 'flyway', call: 'flyway -url=jdbc:postgresql://db/shop migrate', runs: 'as it is' },
    ...{ dry: ['-url=jdbc:postgresql://db/shop', 'info'], options: '^-url=', isDry: ' info$' },
  },
  {
    ...{ row: 'flyway', name: 'flyway', call: 'flyway -callbacks=Mine -jarDirs=lib migrate', runs: 'in the sandbox' },
    ...{ dry: ['-callbacks=Mine', '-jarDirs=lib', 'info'], options: '^-(?:callbacks|jarDirs)=', isDry: ' info$' },
  },
  {
    ...{ row: 'prisma', name: 'npx', call: 'npx --no-install prisma migrate deploy', runs: 'in the sandbox', options: '^--no-install$' },
    ...{ dry: ['--no-install', 'prisma', 'migrate', 'status'], isDry: ' migrate status$' },
    // As the program does where migrations are pending.
    answer: { exit: 1, stdout: 'Following migration have not yet been applied:\n2_more' },
  },
  {
    ...{ row: 'prisma', name: 'prisma', call: 'prisma migrate deploy --schema=db/schema.prisma', runs: 'in the sandbox' },
    ...{ dry: ['migrate', 'status', '--schema=db/schema.prisma'], options: '^--schema=', isDry: '^migrate status' },
  },
  {
    ...{ row: 'drizzle', name: 'drizzle-kit', call: 'drizzle-kit push --force --config=a.ts', runs: 'in the sandbox' },
    ...{ dry: ['push', '--strict', '--verbose', '--config=a.ts'], options: '^--(?:strict|verbose|config=.*)$', isDry: '--strict' },
  },
  {
    ...{ row: 'psql', name: 'psql', call: 'psql shop -c "DELETE FROM orders"', runs: 'as it is', isDry: 'RAISE EXCEPTION USING ERRCODE' },
    dry: [/^shop --no-psqlrc --no-password /, /DO .*DELETE FROM orders.*RAISE EXCEPTION/s],
    ...{ options: '^-(?:c|-no-psqlrc|-no-password|-quiet|-set=.*)$', answer: { stderr: 'ERROR:  CS001: rows changed: 2' } },
  },
  {
    ...{
      row: 'mysql',
      name: 'mysql',
      call: 'mysql -h db shop -e "DELETE FROM orders"',
      runs: 'as it is',
      isDry: 'START TRANSACTION.*ROLLBACK$',
    },
    dry: [/^-hdb shop --batch --skip-column-names -e /, /START TRANSACTION;.*PREPARE.*ROLLBACK$/s],
    ...{ options: '^-(?:hdb|e|-batch|-skip-column-names)$', answer: { stdout: 'rows changed: 2' } },
  },
  {
    ...{ row: 'sqlite', name: 'sqlite3', call: 'sqlite3 a.db "delete from t"', runs: 'in the sandbox' },
    dry: ['a.db', "delete from t\n;select 'rows changed: ' || total_changes()"],
    // A statement is its own trial, on a copy: it has no words that keep it from acting.
    ...{ options: '^$', isDry: 'total_changes' },
  },
]
