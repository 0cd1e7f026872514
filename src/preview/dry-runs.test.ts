/** Commands and the dry runs that the manuals of their programs give; and which of them the analysis knows to only read. */
import { describe, expect, test } from 'vitest'
import { bash } from '../../test/support/calls.ts'
import { describedView } from '../../test/support/workplace.ts'
import { analyseCall } from '../open.ts'
import { emptySession } from '../session/state.ts'
import { dryRunOf } from './dry-runs.ts'

const factsOf = (command: string) => analyseCall(bash(command), describedView({}), { state: emptySession(0), policy: null })
const madeOf = (command: string) => dryRunOf(factsOf(command), command)
const dryOf = (command: string): string | null => {
  const made = madeOf(command)
  return made === null || 'refused' in made ? null : made.words.join(' ')
}
const verbs = (command: string): readonly string[] => [...new Set(factsOf(command).effects.map(({ verb }) => verb))]

describe('a command becomes its dry run', () => {
  test.each<[string, string]>([
    ['git push --force origin main', 'git push --dry-run --no-verify --porcelain --force origin main'],
    ['rsync -a --delete src/ dst/', 'rsync --dry-run --itemize-changes -a --delete src/ dst/'],
    ['npm publish --tag next', 'npm publish --tag next --dry-run --fetch-retries=0'],
    ['apt-get install -y jq', 'apt-get -s install -y jq'],
    ['terraform apply -auto-approve -var-file=a.tfvars', 'terraform plan -input=false -no-color -lock=false -var-file=a.tfvars'],
    ['terraform -chdir=infra destroy -auto-approve', 'terraform -chdir=infra plan -input=false -no-color -lock=false -destroy'],
    ['kubectl apply -f a.yaml -n shop', 'kubectl diff -f a.yaml -n shop'],
    ['kubectl delete pod x', 'kubectl delete --dry-run=server pod x'],
    ['helm upgrade --install --wait shop ./chart -f a.yaml', 'helm diff upgrade --allow-unreleased shop ./chart -f a.yaml'],
    ['helm install shop ./chart', 'helm install --dry-run=server shop ./chart'],
    ['ansible-playbook -i hosts site.yml', 'ansible-playbook -i hosts site.yml --check --diff'],
    ['alembic upgrade head', 'alembic upgrade head --sql'],
    ['npx drizzle-kit push', 'npx drizzle-kit push --strict --verbose'],
    ['pnpm exec drizzle-kit push --force', 'pnpm exec drizzle-kit push --strict --verbose'],
    ['npm exec -- prisma migrate deploy', 'npm exec -- prisma migrate status'],
    ['npx -y prisma@6 migrate deploy', 'npx -y prisma@6 migrate status'],
    ['./node_modules/.bin/prisma migrate deploy', './node_modules/.bin/prisma migrate status'],
    ['.venv/bin/alembic upgrade head', '.venv/bin/alembic upgrade head --sql'],
    ['python3 -m alembic upgrade head', 'python3 -m alembic upgrade head --sql'],
    ['uv run ansible-playbook site.yml', 'uv run ansible-playbook site.yml --check --diff'],
    ['flyway -url=jdbc:x migrate', 'flyway -url=jdbc:x info'],
    ['prisma migrate deploy', 'prisma migrate status'],
    ['sqlite3 a.db "delete from t"', "sqlite3 a.db delete from t\n;select 'rows changed: ' || total_changes()"],
  ])('%s', (command, dry) => {
    expect(dryOf(command)).toBe(dry)
  })

  test.each([
    ['a dry run already', 'git push --dry-run origin main'],
    ['a dry run in short', 'rsync -avn a b'],
    ['another use', 'git pull'],
    ['a plan that was kept', 'terraform apply plan.out'],
    ['two commands', 'git push && rm -rf build'],
    ['one in another', 'git push origin $(cat branch)'],
    ['a word that is not known before it runs', 'git push origin $BRANCH'],
    ['output into a file', 'rsync -a a b > log'],
    ['a wrapper', 'sudo apt-get install jq'],
    ['no program of the table', 'make deploy'],
    ['a wrapper around what starts it', 'sudo npx prisma migrate deploy'],
    ['one that takes its options for its own', 'npm exec prisma migrate deploy'],
    ['a script that may do more', 'npm run migrate'],
    ['another program of the same name, which may have the network', './git push origin main'],
    ['a starter of such a program', 'npx git push origin main'],
    ['two of them', 'npx prisma migrate deploy; npx prisma migrate deploy'],
    ['a word that a shell makes something of', 'npx prisma migrate deploy --schema=~/x'],
    ['a variable before it', 'DATABASE_URL=file:a npx prisma migrate deploy'],
    ['a way down, which the printed plan does not know', 'alembic downgrade -1'],
    ['so many steps from a place that the printed plan does not know', 'alembic upgrade +1'],
  ])('none: %s', (_name, command) => {
    expect(dryOf(command)).toBeNull()
  })

  test.each([
    'git push origin main',
    'kubectl apply -f a.yaml',
    'terraform apply',
    'ansible-playbook site.yml',
    'helm upgrade shop ./chart',
  ])('the analysis knows that the dry run of `%s` only reads', (command) => {
    for (const verb of verbs(dryOf(command) ?? 'rm x')) expect(['read', 'fetch']).toContain(verb)
    expect(verbs(command).some((verb) => verb !== 'read' && verb !== 'fetch')).toBe(true)
  })
  test('and what is started by another program never runs outside of the sandbox', () => {
    for (const command of ['npx prisma migrate deploy', './node_modules/.bin/drizzle-kit push', 'poetry run alembic upgrade head'])
      expect(madeOf(command)).toMatchObject({ effects: 'executes' })
  })
  test('a database that is a file is migrated on a copy instead of a plan from the first migration on', () => {
    const command = 'alembic upgrade head'
    const read = (name: string): string | null => (name === 'alembic.ini' ? '[alembic]\nsqlalchemy.url = sqlite:///app.db\n' : null)
    expect(dryRunOf(factsOf(command), command, read)).toBeNull()
    expect(dryRunOf(factsOf(command), command, () => '[alembic]\nsqlalchemy.url = postgresql://a/b\n')).not.toBeNull()
  })
  test('Prisma ends with 1 where migrations are pending, and where it failed', () => {
    const made = madeOf('prisma migrate deploy')
    if (made === null || 'refused' in made) throw new Error('no dry run')
    const ended = (exitCode: number, output: string): boolean => made.endedWell(exitCode, output)
    expect(ended(0, 'up to date')).toBe(true)
    expect(ended(1, 'Following migration have not yet been applied:\n2_more')).toBe(true)
    expect(ended(1, "Error: P1001: Can't reach database server")).toBe(false)
    expect(ended(2, 'have not yet been applied')).toBe(false)
  })
  test('and that the one of npm runs scripts', () => {
    expect(verbs(dryOf('npm publish') ?? '')).toContain('execute')
  })
})
