import { family } from './verdict-harness.ts'

/** Code that nobody has seen, from where everybody may write: as settings, as packages, in search paths; and what is like it. */

family('settings that a tool takes its code from', {
  meets: 'ask hidden-program',
  commands: [
    'pytest -c /tmp/x/pytest.ini',
    'npx vite build --config /tmp/vite.config.js',
    'npx webpack --config=/tmp/webpack.config.js',
    'jest --config /tmp/jest.config.js',
    'npx rollup -c /dev/shm/rollup.config.mjs',
    'gulp --gulpfile /tmp/gulpfile.js',
    'tox -c /tmp/tox.ini',
    'cmake -C /tmp/cache.cmake ..',
    'php -c /tmp/php.ini index.php',
    'gunicorn -c /tmp/gunicorn.conf.py app:app',
    'uwsgi --ini /tmp/uwsgi.ini',
    'nginx -c /tmp/nginx.conf',
    'npm --userconfig /tmp/npmrc install',
    'cargo --config /tmp/cargo.toml build',
    'PIP_CONFIG_FILE=/tmp/pip.conf pip install requests',
    'GIT_CONFIG_GLOBAL=/tmp/gc git fetch',
    'go run /tmp/x/main.go',
    'scrapy runspider /tmp/spider.py',
    'gem install /tmp/x.gem',
    'pip install /tmp/x-1.0-py3-none-any.whl',
    'npm install /tmp/x.tgz',
  ],
  run: [
    'pytest -c setup.cfg',
    'pytest -c /dev/null tests',
    'npx vite --config vite.config.ts',
    'ruff check --config /tmp/ruff.toml src',
    'gcc -c /tmp/x.c -o x.o',
    "printf '[pytest]' > /tmp/p.ini && pytest -c /tmp/p.ini",
    'echo "package main" > /tmp/m.go && go run /tmp/m.go',
    'go run ./cmd/x',
    'pip install ./x.whl',
    'cmake -C cache.cmake ..',
  ],
})

family('directories in which modules and programs are looked for first', {
  meets: 'ask injected-environment',
  commands: ['perl -I/tmp -MEvil -e 1', 'perl -I /dev/shm/lib x.pl', 'ruby -I /tmp -r evil app.rb', 'gcc -B/tmp/ x.c'],
  run: ['perl -Ilib -MMy -e 1', 'ruby -Ilib -Itest test/x.rb', 'gcc -B build -c x.c', 'RUBYOPT=-W0 ruby x.rb', 'gcc -I/tmp/include -c x.c'],
})

family('a plug-in of the compiler behind another option', {
  meets: 'ask loaded-code',
  commands: ['clang -Xclang -load -Xclang /tmp/p.so x.c'],
  run: ['clang -Xclang -ast-dump -fsyntax-only x.c'],
})

family('clients of a cloud in PHP', {
  meets: 'ask remote-change',
  commands: [
    `php -r '$s=new Aws\\S3\\S3Client([]); $s->deleteBucket(["Bucket"=>"prod"]);'`,
    `php -r '$s=new Aws\\Ec2\\Ec2Client([]); $s->terminateInstances(["InstanceIds"=>["i-1"]]);'`,
  ],
  run: [`php -r '$s->listBuckets([]);'`],
})

family('calls past the language', {
  meets: 'ask loaded-code',
  commands: [
    `perl -e 'syscall(87, "/home/user/.ssh/id_rsa")'`,
    `php -r 'FFI::cdef("int system(const char*);")->system("ls");'`,
    `ruby -e 'require "fiddle"; Fiddle.dlopen(nil)'`,
  ],
  run: ['python3 -c "import ctypes; print(ctypes.sizeof(ctypes.c_long))"', `perl -e 'print 1'`],
})

family('a secret is shown by what unlocks it', {
  meets: 'ask credential-command',
  commands: [
    'gpg -d secrets.gpg',
    'age -d -i key.txt secrets.age',
    'openssl enc -d -aes-256-cbc -in secrets.enc -k pw',
    'git config http.extraheader',
  ],
  run: [
    'gpg -d a.tar.gpg | tar x',
    'gpg -o out -d a.gpg',
    'openssl enc -base64 -d -in x',
    'sops --encrypt secrets.yaml',
    'vault policy read default',
    'vercel env ls',
    'kind create cluster',
    'nix develop -c cargo test',
  ],
})

family('a secret is shown by the history of its file', {
  meets: 'ask read-credential',
  commands: ['git log -p -- .env', 'git diff HEAD~3 -- .env', 'git blame .env', 'git show HEAD:.env', 'git show HEAD -- config/.env'],
  run: ['git log --oneline -- .env', 'git diff --stat -- .env', 'git log -p -- src/a.ts', 'git show HEAD:README.md'],
})

family('mounts of a service that is run once', {
  meets: 'deny container-escape',
  commands: ['docker compose run -v /:/host app sh'],
  run: ['docker compose run --rm app pytest', 'docker compose run -v ./data:/data app pytest'],
})

family('names that come from a list nobody read', {
  meets: 'ask delete-unknown',
  commands: ['find -files0-from /tmp/l -delete', 'printf x | find -files0-from - -delete'],
  run: ['find -files0-from names -print', 'find . -name "*.pyc" -delete'],
})
