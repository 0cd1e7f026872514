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
