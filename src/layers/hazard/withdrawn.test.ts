import { family } from './verdict-harness.ts'

family('what others may already install is not taken back unasked', {
  meets: 'ask unpublish',
  commands: [
    ...['npm unpublish left-pad@1.0.0 --force', 'npm unpublish left-pad', 'pnpm unpublish left-pad@1.0.0', 'gem yank x -v 1.0.0'],
    ...[
      'dotnet nuget delete X 1.0.0 -k key --non-interactive',
      'nuget delete X 1.0.0',
      'vsce unpublish acme.tool',
      'ovsx unpublish acme.tool',
    ],
    ...['skopeo delete docker://r.example/x:1', 'crane delete r.example/x:1', 'mix hex.retire shop 1.0.0 security'],
  ],
  run: [
    ...['npm view left-pad versions', 'npm unpublish --help', 'npm uninstall left-pad', 'gem list', 'dotnet nuget list source'],
    ...['skopeo inspect docker://r.example/x:1', 'crane ls r.example/x', 'mix hex.info shop'],
  ],
})

family('owners and tokens of registries are for people', {
  meets: 'ask accounts',
  commands: [
    ...[
      'cargo owner --add someone shop',
      'cargo login',
      'gem signin',
      'pod trunk add-owner SHOP a@b.example',
      'mix hex.owner add shop a@b.example',
    ],
    ...['dart pub login', 'vsce login acme', 'nuget setapikey x', 'uv auth login r.example', 'anaconda login'],
  ],
  run: ['cargo search shop', 'gem search shop', 'vsce ls', 'uv pip list'],
})

family('schedules and databases are not taken away unasked', {
  meets: 'ask services',
  commands: [
    ...[
      'crontab -r',
      'atrm 5',
      'mysqladmin shutdown',
      'mysqladmin -h db.example -u root kill 12',
      'redis-cli shutdown',
      'redis-cli SHUTDOWN NOSAVE',
    ],
    ...['redis-cli config set dir /root/.ssh', 'redis-cli -h db CONFIG SET dbfilename authorized_keys'],
  ],
  run: [
    'crontab -l',
    'atq',
    'mysqladmin ping',
    'mysqladmin status',
    'redis-cli config get dir',
    'redis-cli info',
    'redis-cli config set maxmemory 100mb',
  ],
})

family('the trash is somebody’s', {
  meets: 'ask empty-trash',
  commands: ['trash-empty', 'trash-empty 30'],
  run: ['trash old.txt', 'trash-list'],
})

family('queues and their places are not emptied unasked', {
  meets: 'ask database-destruction',
  commands: [
    ...[
      'kafka-topics --bootstrap-server b:9092 --delete --topic orders',
      'kafka-delete-records.sh --bootstrap-server b --offset-json-file x.json',
    ],
    ...['kafka-consumer-groups --bootstrap-server b --group g --reset-offsets --to-earliest --all-topics --execute'],
    ...['clickhouse client --query "TRUNCATE TABLE x"', "clickhouse-client -q 'drop table x'", 'mysqladmin drop shop -f'],
  ],
  run: [
    'kafka-topics --bootstrap-server b:9092 --list',
    'kafka-consumer-groups --bootstrap-server b --group g --describe',
    'clickhouse client -q "SELECT 1"',
  ],
})

family('edits that no commit holds', {
  meets: 'ask discard-work',
  commands: ['hg update -C', 'hg checkout --clean main', 'hg revert --all', 'jj abandon'],
  run: ['hg update', 'hg pull', 'hg checkout main', 'jj undo'],
})

family('directories that no build makes anew', {
  meets: 'ask delete-directory',
  commands: ['rm -rf src', 'rm -rf node_modules src', 'rm -rf vendor/../lib', 'rm -rf packages/vue.js', 'rm -rf docs.d'],
  run: [
    ...[
      'rm -rf node_modules package-lock.json',
      'rm -rf Pods Podfile.lock',
      'rm -rf yarn.lock',
      'rm -rf src/old.test.ts',
      'rm -rf notes.md',
    ],
    ...['rm -fr vendor composer.lock', 'rm -rf target Cargo.lock'],
  ],
})

family('outside the workspace', {
  meets: 'ask delete-outside',
  commands: [
    ...[
      'rm -rf ~/.cache/huggingface',
      'rm -rf ~/.cache/torch/hub',
      'rm -rf ~/.cache/../projects',
      'rm -rf ~/.npm',
      'rm -rf ~/.gradle',
      'rm -rf ~/.m2',
    ],
    ...['rm -rf ~/projects/.cache', 'rm -rf ~/Library/Application\\ Support/Code', 'rm -rf ~/Library/Developer'],
  ],
  run: [
    ...['rm -rf ~/.cache/pip', 'rm -rf ~/.cache/ms-playwright ~/.cache/Cypress', 'rm -rf ~/.npm/_cacache', 'rm -rf ~/.gradle/caches'],
    ...[
      'rm -rf ~/Library/Developer/Xcode/DerivedData',
      'rm -rf ~/Library/Developer/Xcode/DerivedData/Shop-abc',
      'rm -rf ~/Library/Caches/CocoaPods',
    ],
  ],
})

family('tools of data, models and sites: what they delete', {
  meets: 'ask database-destruction',
  commands: [
    ...['celery -A shop purge -f', 'airflow db reset -y', 'airflow db clean --clean-before-timestamp 2024-01-01', 'wp db reset --yes'],
    ...[
      'wp db query "DROP TABLE wp_users"',
      'wp search-replace old new',
      'wp site empty --yes',
      'drush sql-drop -y',
      'drush sqlq "truncate users"',
    ],
  ],
  run: [
    ...[
      'celery -A shop worker -l info',
      'airflow db migrate',
      'airflow dags list',
      'airflow tasks test d t 2024-01-01',
      'dbt run --select +a',
    ],
    ...[
      'dbt build --full-refresh',
      'wp plugin list',
      'wp search-replace old new --dry-run',
      'wp db query "SELECT 1"',
      'wp db export x.sql',
      'drush cr',
    ],
    ...[
      'dvc repro',
      'dvc pull',
      'mlflow ui',
      'hf download a/b --local-dir m',
      'kaggle datasets download a/b',
      'torchrun --nproc_per_node 2 train.py',
    ],
    ...[
      'wandb offline',
      'tensorboard --logdir runs',
      'scrapy crawl quotes -O q.json',
      'nginx -t',
      'caddy run',
      'caddy fmt -w Caddyfile',
      'p4 sync',
    ],
  ],
})

family('tools of data, models and sites: what others notice', {
  meets: 'ask remote-change',
  commands: [
    ...[
      'airflow dags trigger load',
      'airflow dags delete load -y',
      'dvc gc -w -f',
      'mlflow gc',
      'mlflow experiments delete --experiment-id 1',
    ],
    ...['hf repo delete acme/m', 'wandb sync runs', 'hdfs dfs -rm -r -skipTrash /data', 'hadoop fs -put x /data', 'hdfs namenode -format'],
    ...['dokku apps:destroy shop --force', 'dokku ps:restart shop', 'drush sql-sync @prod @self'],
  ],
  run: ['hdfs dfs -ls /data', 'dokku apps:list', 'airflow dags show load', 'mlflow experiments search', 'drush status'],
})

family('tools of data, models and sites: what goes out', {
  meets: 'ask publish',
  commands: [
    'hf upload acme/m ./m',
    'kaggle competitions submit -c x -f s.csv -m m',
    'kaggle datasets create -p .',
    'dvc push',
    'wandb artifact put data',
    'p4 submit -d x',
  ],
  run: ['hf cache scan', 'kaggle competitions list', 'dvc status', 'wandb status', 'p4 opened'],
})

family('what an unknown program says after its topic, or by its name', {
  meets: 'ask unknown-command',
  commands: [
    'acme apps:destroy shop',
    'acme db:reset',
    'acme submit',
    'acme artifacts upload x.zip',
    'acme gems yank x',
    'acme-uninstall.sh',
    'acme-uninstaller',
  ],
  run: ['acme apps:list', 'acme db:resetting-plan', 'acme submissions', 'acme apps:destroy --help', 'acme-installer', 'acme logs:tail'],
})

family('code of a site is read as code', {
  meets: 'ask delete-outside',
  commands: [`wp eval 'system("rm -rf ~/x");'`, `drush php-eval 'system("rm -rf ~/x");'`, `wp --exec='system("rm -rf ~/x");' cli version`],
  run: [`wp eval 'echo get_option("home");'`, `drush ev 'print 1;'`],
})

family('files handed to whoever has the address', {
  meets: 'deny send-to-drop',
  commands: ['onionshare-cli x.log'],
  run: ['onionshare-cli --help', 'paste -d, a b'],
})
