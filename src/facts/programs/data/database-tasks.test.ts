import { cases } from '../table-harness.ts'

cases('goose is an agent and a migration tool: its arguments say which', [
  ['goose up', 'change sql:migrate application by=goose up'],
  ['goose up-to 20170506082420', 'change sql:migrate application by=goose up-to'],
  ['goose up-by-one', 'change sql:migrate application by=goose up-by-one'],
  ['goose down', 'change sql:migrate application by=goose down'],
  ['goose down-to 20170506082420', 'change sql:migrate application by=goose down-to'],
  ['goose down-to 0', 'delete sql:drop application ! by=goose down-to'],
  ['goose redo', 'change sql:migrate application by=goose redo'],
  ['goose reset', 'delete sql:drop application ! by=goose reset'],
  ['goose status', 'read pkg:read installed'],
  ['goose version', 'read pkg:read installed'],
  ['goose validate', 'read pkg:read installed'],
  ['goose create add_column sql', 'execute dev:build .'],
  ['goose fix', 'execute dev:build .'],
  ['goose postgres "user=x dbname=y" up', 'change sql:migrate user=x dbname=y by=goose postgres up'],
  ['goose postgres "postgres://me:secret@h/db" reset', 'delete sql:drop postgres://me@h/db ! by=goose postgres reset'],
  ['goose sqlite3 ./foo.db status', 'read pkg:read installed'],
  ['goose mysql dsn down-to 0', 'delete sql:drop dsn ! by=goose mysql down-to'],
  ['goose -dir migrations postgres dsn up', 'read migrations | change sql:migrate dsn by=goose postgres up'],
  ['goose -dir=migrations reset', 'read migrations | delete sql:drop application ! by=goose reset'],
  ['goose postgres dsn $X', '? what `goose` does to the database is not known before it runs'],
  ['goose postgres dsn', 'execute tool:help goose'],
  ['goose', 'execute agent:start goose gated=unknown'],
  ['goose session', 'execute agent:start goose gated=unknown prompt=session'],
  ['goose run -t "do it"', 'execute agent:start goose gated=unknown prompt=do it'],
  ['goose run -i plan.md', 'execute agent:start goose gated=unknown prompt=plan.md'],
  ['goose configure', 'execute agent:start goose gated=unknown prompt=configure'],
  ['goose --help', ''],
])

cases('several tasks in one command', [
  ['flyway info clean', 'read pkg:read installed | delete sql:drop application ! by=flyway info'],
  ['flyway migrate info', 'change sql:migrate application by=flyway migrate | read pkg:read installed'],
  [
    'flyway validate repair clean',
    'read pkg:read installed | change sql:migrate application by=flyway validate | delete sql:drop application ! by=flyway validate',
  ],
  ['flyway -url=jdbc:postgresql://me:pw@h/db clean', 'delete sql:drop jdbc:postgresql://me@h/db ! by=flyway clean'],
  [
    'flyway -configFiles=f.conf -url=jdbc:x info clean',
    'read f.conf | read pkg:read installed settings=f.conf | delete sql:drop jdbc:x ! by=flyway info settings=f.conf',
  ],
  ['rails db:version db:drop', 'read pkg:read installed | delete sql:drop application ! by=rails db:drop'],
  ['rails db:create db:drop', 'change sql:migrate application by=rails db:create | delete sql:drop application ! by=rails db:drop'],
  ['rails db:migrate:status db:reset', 'read pkg:read installed | delete sql:drop application ! by=rails db:reset'],
  ['rails about db:drop', 'read pkg:read installed | delete sql:drop application ! by=rails db:drop'],
  ['rails db:version', 'read pkg:read installed'],
  ['rails db:version RAILS_ENV=production', 'read pkg:read installed environment=production'],
  ['mix do ecto.version, ecto.drop', 'execute dev:build mix do | delete sql:drop application ! by=mix ecto.drop'],
  [
    'mix do ecto.create + ecto.drop',
    'execute dev:build mix do | change sql:migrate application by=mix ecto.create | delete sql:drop application ! by=mix ecto.drop',
  ],
  ['mix do deps.get, compile', 'execute dev:build mix do'],
])

cases('by build tools', [
  ['mvn flyway:clean', 'delete sql:drop application ! by=mvn flyway:clean'],
  ['mvn -q test flyway:clean', 'execute dev:test test tool=mvn | delete sql:drop application ! by=mvn flyway:clean'],
  ['mvn flyway:migrate', 'change sql:migrate application by=mvn flyway:migrate'],
  ['mvn flyway:info', 'read pkg:read flyway:info'],
  ['mvn org.flywaydb:flyway-maven-plugin:clean', 'delete sql:drop application ! by=mvn org.flywaydb:flyway-maven-plugin:clean'],
  [
    'mvn org.flywaydb:flyway-maven-plugin:10.1.0:clean',
    'delete sql:drop application ! by=mvn org.flywaydb:flyway-maven-plugin:10.1.0:clean',
  ],
  ['mvn liquibase:dropAll', 'delete sql:drop application ! by=mvn liquibase:dropAll'],
  ['mvn liquibase:update', 'change sql:migrate application by=mvn liquibase:update'],
  ['mvn liquibase:rollback', 'change sql:migrate application by=mvn liquibase:rollback'],
  ['mvn liquibase:status', 'read pkg:read liquibase:status'],
  ['gradle flywayClean', 'delete sql:drop application ! by=gradle flywayClean'],
  ['gradle :db:flywayClean', 'delete sql:drop application ! by=gradle :db:flywayClean'],
  ['gradle flywayMigrate', 'change sql:migrate application by=gradle flywayMigrate'],
  ['gradle flywayInfo', 'read pkg:read flywayInfo'],
  ['gradle dropAll', 'delete sql:drop application ! by=gradle dropAll'],
  ['gradle liquibaseDropAll', 'delete sql:drop application ! by=gradle liquibaseDropAll'],
  ['gradle liquibaseUpdate', 'change sql:migrate application by=gradle liquibaseUpdate'],
  ['mvn clean', 'delete dev:clean build output'],
  ['gradle clean', 'delete dev:clean build output'],
  ['gradle flywayClean --dry-run', 'execute dev:build gradle'],
])

cases('back to before the first migration', [
  ['python manage.py migrate app zero', 'likely execute script:unseen manage.py | delete sql:drop application ! by=manage.py migrate zero'],
  ['django-admin migrate app zero', 'delete sql:drop application ! by=manage.py migrate zero'],
  ['django-admin migrate app 0002', 'change sql:migrate application by=manage.py migrate'],
  ['django-admin migrate app zero --plan', ''],
  ['dotnet ef database update 0', 'delete sql:drop application !'],
  ['dotnet ef database update Initial', 'change sql:migrate application'],
  ['dotnet-ef database update 0', 'delete sql:drop application !'],
  ['flask db downgrade base', 'delete sql:drop application ! by=flask db downgrade'],
  ['flask db downgrade', 'change sql:migrate application'],
  ['phinx migrate', 'change sql:migrate application by=phinx migrate'],
  ['phinx rollback -t 0', 'delete sql:drop application ! by=phinx rollback'],
  ['phinx rollback', 'change sql:migrate application by=phinx rollback'],
  [
    'vendor/bin/phinx rollback --target=0',
    'likely execute script:unseen vendor/bin/phinx | delete sql:drop application ! by=phinx rollback',
  ],
  ['alembic downgrade base', 'delete sql:drop application ! by=alembic downgrade'],
  ['python -m alembic downgrade base', 'delete sql:drop application ! by=alembic downgrade'],
  ['python3 -m yoyo rollback --all', 'delete sql:drop application ! by=yoyo rollback'],
  ['migrate -path=db -database=postgres://me:pw@h/db drop -f', 'read db | delete sql:drop postgres://me@h/db ! by=migrate drop'],
  ['migrate -path=db -database=x down -all', 'read db | delete sql:drop x ! by=migrate down'],
])

cases('Symfony', [
  [
    'bin/console doctrine:database:drop --force',
    'likely execute script:unseen bin/console | delete sql:drop application ! by=artisan doctrine:database:drop',
  ],
  [
    'bin/console doctrine:schema:drop --full-database --force',
    'likely execute script:unseen bin/console | delete sql:drop application ! by=artisan doctrine:schema:drop',
  ],
  ['symfony console doctrine:database:drop --force', 'delete sql:drop application ! by=artisan doctrine:database:drop'],
  ['symfony console doctrine:migrations:migrate', 'change sql:migrate application by=artisan doctrine:migrations:migrate'],
  ['bin/console cache:clear', 'likely execute script:unseen bin/console | execute dev:task artisan cache:clear'],
])

cases('a program of a package, run by the name of the package manager', [
  ['yarn changeset publish', 'execute pkg:script changeset | publish npm:publish . ! by=changeset publish'],
  ['pnpm changeset publish', 'execute pkg:script changeset | publish npm:publish . ! by=changeset publish'],
  ['bun changeset publish', 'execute pkg:script changeset | publish npm:publish . ! by=changeset publish'],
  ['yarn run changeset publish', 'execute pkg:script changeset | publish npm:publish . ! by=changeset publish'],
  ['yarn prisma migrate reset', 'execute pkg:script prisma | delete sql:drop application ! by=prisma migrate reset'],
  ['yarn build', 'execute pkg:script build'],
  ['yarn deploy', 'execute pkg:script deploy'],
  ['npm run changeset publish', 'execute pkg:script changeset'],
  ['yarn changeset', 'execute pkg:script changeset | execute dev:build changeset'],
])
