import { cases } from '../table-harness.ts'

cases('several commands', [
  ["concurrently 'rm x' 'rm y'", 'delete x ! | delete y !'],
  ["concurrently 'npm:dev' 'npm:watch'", 'execute pkg:script dev | execute pkg:script watch'],
  ["concurrently -k -n a,b 'rm x'", 'delete x !'],
  ['concurrently --help', ''],
  ['start-server-and-test start http://localhost:3000 test', 'execute pkg:script start | execute pkg:script test'],
  ["start-server-and-test 'rm x' 3000 'rm y'", 'delete x ! | delete y !'],
  ["hyperfine 'rm x'", 'delete x !'],
])

cases('watchers', [
  ['nodemon a.js', 'likely execute script:unseen a.js'],
  ["nodemon --exec 'rm x' a.js", 'delete x ! | delete a.js !'],
  ["nodemon -x 'python' a.py", 'likely execute script:unseen a.py'],
  ['nodemon a.py', 'likely execute script:unseen a.py'],
  ['nodemon --version', ''],
  ['watchexec -e ts -- rm x', 'delete x !'],
  ["watchexec 'rm x'", 'delete x !'],
  ["chokidar 'src/**' -c 'rm x'", 'delete x !'],
  ["onchange 'src/**' -- rm x", 'delete x !'],
  ['ts-node-dev a.ts', 'likely execute script:unseen a.ts'],
])

cases('environments', [
  ['cross-env A=b rm x', 'delete x !'],
  ['cross-env A=b B=c node a.js', 'likely execute script:unseen a.js'],
  ["cross-env-shell A=b 'rm x'", 'delete x !'],
  ['cross-env --help', ''],
  ['shx rm -rf x', 'delete x ! +recursive +force'],
  ['shx cp a b', 'read a | write fs:copy b from=a'],
  ['shx mkdir -p a', 'write fs:mkdir a'],
])

cases('files', [
  ['rimraf dist', 'delete fs:remove dist ! +recursive +force'],
  ['rimraf dist build', 'delete fs:remove dist ! +recursive +force | delete fs:remove build ! +recursive +force'],
  ["rimraf 'dist/**'", 'delete fs:remove dist ! +mass +recursive +force'],
  ['rimraf ~', 'delete fs:remove ~ ! +mass +recursive +force'],
  ['rimraf /', 'delete fs:remove / ! +mass +recursive +force'],
  ["rimraf -g '*.log'", 'delete fs:remove *.log ! +mass +recursive +force'],
  ['rimraf --help', ''],
  [
    'npx rimraf node_modules',
    'likely execute pkg:run rimraf manager=npx source=registry | delete fs:remove node_modules ! +recursive +force',
  ],
  ['del-cli dist', 'delete fs:remove dist ! +recursive +force'],
  ["del-cli 'dist/**' '!dist/x'", 'delete fs:remove dist ! +mass +recursive +force'],
  ['del-cli --dry-run dist', ''],
  ['cpy src/a dist', 'read src/a | write dist'],
  ["cpx 'src/**' dist", 'read src/** | write dist'],
  ["copyfiles -u 1 'src/**' dist", 'read src/** | write dist'],
  ['mkdirp a/b', 'write a/b'],
])

cases('keepers', [
  ['pm2 start a.js', 'persist proc:detach a.js by=pm2 | likely execute script:unseen a.js'],
  ["pm2 start 'rm x'", 'persist proc:detach rm x by=pm2 | delete x !'],
  ['pm2 start app --name x', 'persist proc:detach app by=pm2 | likely execute program:unknown app'],
  ['pm2 stop all', 'change proc:kill all'],
  ['pm2 delete x', 'change proc:kill x'],
  ['pm2 restart x', 'change proc:restart x'],
  ['pm2 list', 'read pkg:read installed'],
  ['pm2 logs', 'read pkg:read installed'],
  ['pm2 save', 'persist service:enable pm2'],
  ['pm2 startup', 'persist service:enable pm2'],
  ['pm2 kill', 'change proc:kill all'],
  ['pm2 --version', 'execute tool:help pm2'],
  ['foreman start', 'execute dev:serve foreman'],
  ['honcho -f Procfile.dev start', 'read Procfile.dev | execute dev:serve honcho | likely execute script:unseen Procfile.dev'],
  ['overmind start', 'execute dev:serve overmind'],
  ['wait-on http://localhost:3000', ''],
])
