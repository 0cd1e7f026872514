import { family, marked } from './verdict-harness.ts'

family('references, and what keeps lost commits findable', {
  meets: 'ask rewrite-history',
  commands: [
    'git symbolic-ref -d HEAD',
    'git config gc.reflogExpire now',
    'git config --global gc.pruneExpire 0',
    'git -c gc.reflogExpire=0 -c gc.pruneExpire=now gc',
    'jj util gc --expire now',
    'jj op abandon ..@-',
  ],
  run: [
    'git symbolic-ref HEAD',
    'git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main',
    'git config gc.reflogExpire 90.days',
    'git config gc.auto 0',
    'git -c gc.auto=0 fetch',
    'jj op log',
    'jj op restore @-',
    'jj util completion bash',
  ],
})

marked('a branch set to another commit', {
  rule: 'moved-branch',
  commands: [
    'git branch --force main HEAD~5',
    'git update-ref -m x refs/heads/main HEAD~10',
    'git update-ref refs/tags/v1 HEAD',
    'git fetch origin +main:main',
    'git fetch . origin/main:main --force',
  ],
  silent: [
    'git branch main HEAD~5',
    'git update-ref refs/wip/saved HEAD',
    'git branch -M main',
    'git fetch origin +refs/heads/*:refs/remotes/origin/*',
    'git fetch origin main:main',
  ],
})

family('the repository itself', {
  meets: 'ask delete-workspace',
  commands: ['mv .git /tmp/old-git', 'mv ./.git ../saved.git', 'mv /home/user/shop/.git /tmp/x', 'mv .jj .jj.bak'],
  run: ['mv .github .gitlab', 'mv .gitignore.new .gitignore'],
})

family('branches of a hosted repository, by its interface', {
  meets: 'ask force-push',
  commands: [
    'gh api -X DELETE repos/acme/shop/git/refs/heads/main',
    'gh api --method PATCH /repos/acme/shop/git/refs/heads/main -f sha=deadbeef -F force=true',
    'gh api graphql -f query=\'mutation { deleteRef(input: {refId: "x"}) { clientMutationId } }\'',
    'gh api graphql -f query=\'mutation { updateRef(input: {refId: "x", oid: "y", force: true}) { ref { name } } }\'',
  ],
  run: ['gh api repos/acme/shop/git/refs/heads', 'gh api -X PATCH repos/acme/shop/git/refs/heads/topic -f sha=abc'],
})

family('what is remembered of a remote', {
  meets: 'ask git-config',
  commands: ['git remote rename evil origin', 'git remote remove origin', 'git remote set-url origin https://x.example/r.git'],
  run: [
    'git remote prune origin --dry-run',
    'git remote prune origin',
    'git remote set-head origin -a',
    'svn cleanup',
    'gh repo clone a/b -- --depth=1',
  ],
})

family('statements that are put together', {
  meets: 'ask database-destruction',
  commands: [
    `psql -d shop -c "DO 'BEGIN FOR r IN SELECT t FROM pg_tables LOOP EXECUTE ''DROP TABLE '' || r.t; END LOOP; END'"`,
    `psql -d shop -c "EXECUTE 'TRUNCATE TABLE ' || name"`,
    "psql -d shop -c 'DO $$ BEGIN IF true THEN DROP TABLE users; END IF; END $$'",
  ],
  run: [`psql -d shop -c 'DO $$ BEGIN FOR r IN SELECT 1 LOOP RAISE NOTICE 1; END LOOP; END $$'`],
})

family('migrations back to nothing, and forced ones', {
  meets: 'ask database-destruction',
  commands: [
    'npx sequelize-cli db:migrate:undo:all',
    'npx knex migrate:rollback --all',
    'npx drizzle-kit push --force',
    'rails db:drop',
    'RAILS_ENV=test DATABASE_URL=postgres://prod/shop rails db:drop',
    'RAILS_ENV=production rails db:drop',
    'dropdb -h db.prod.example shop_test',
    'dropdb contest',
  ],
  run: [
    'npx sequelize-cli db:migrate:undo',
    'npx drizzle-kit push',
    'RAILS_ENV=test bin/rails db:drop db:create',
    'RAILS_ENV=test bundle exec rake db:reset',
    'MIX_ENV=test mix ecto.reset',
    'php artisan migrate:fresh --env=testing',
  ],
})

marked('databases that tests make anew', {
  rule: 'test-database',
  commands: [
    'dropdb --if-exists shop_test',
    'RAILS_ENV=test rails db:drop',
    `sqlite3 /tmp/scratch.db "drop table if exists t; create table t(a)"`,
  ],
  silent: ['createdb shop_test', "psql -d shop_test -c 'SELECT 1'"],
})

family('other databases through such a one', {
  meets: 'ask database-destruction',
  commands: [
    "psql -d shop_test -c 'DROP DATABASE shop'",
    `mongosh shop_test --eval 'use shop' --eval 'db.dropDatabase()'`,
    `mongosh --eval 'db.dropDatabase()'`,
    "mysql shop_test -e 'USE shop; DROP TABLE users'",
    `sqlite3 /tmp/x.db "attach '/srv/prod.db' as p; drop table p.users"`,
    'sqlite3 /tmp/../srv/prod.db "drop table users"',
  ],
  run: [],
})

family('every row, however it is said', {
  meets: 'ask database-destruction',
  commands: [
    'psql -c "DELETE FROM users WHERE id IS NOT NULL"',
    'psql -c "DELETE FROM users WHERE id > 0"',
    'psql -c "UPDATE users SET a = 1 WHERE id >= 0"',
    `mongosh shop --eval 'db.users.updateMany({}, {$unset: {email: 1}})'`,
  ],
  run: [
    'psql -c "DELETE FROM users WHERE deleted_at IS NOT NULL"',
    'psql -c "DELETE FROM users WHERE id > 40"',
    `mongosh shop --eval 'db.users.updateMany({a: 1}, {$set: {b: 1}})'`,
  ],
})

family('clusters and clouds', {
  meets: 'ask remote-change',
  commands: [
    'kubectl delete pod api --context prod-kind',
    'kubectl --context kind-dev run x --image=a',
    'aws --endpoint-url https://s3.example s3 rb s3://x --force',
  ],
  run: ['kubectl delete pod api --context kind-dev', 'helm upgrade shop ./chart --kube-context minikube', 'awslocal s3 rb s3://x --force'],
})

family('tables of a whole model', {
  meets: 'ask database-destruction',
  commands: [
    'python -c "from app import db; db.drop_all()"',
    'python -c "from app.models import Base, engine; Base.metadata.drop_all(bind=engine)"',
    'python -c "from app import db, User; db.drop_tables([User])"',
  ],
  run: ['python -c "from app import db; db.create_all()"'],
})

family('links lead from where they lie', {
  meets: 'ask read-credential',
  commands: ['ln -s ../../.ssh/id_rsa docs/key', 'ln -s ../../.ssh/id_rsa docs/'],
  run: ['ln -sf ../scripts/pre-commit .husky/pre-commit', 'ln -s ../.ssh-notes.md docs/notes.md'],
})

family('images that are looked at', {
  meets: 'ask containers',
  commands: ['docker scout push shop:dev'],
  run: ['docker scout cves shop:dev', 'docker sbom shop:dev'],
})
