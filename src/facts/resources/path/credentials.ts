/** Where secrets are kept: stores of programs, keys by their names, and the public halves that only look like secrets. */

/** Files beside secrets, or with a secret's ending, that hold none. Names as patterns; they win over the catalogue. */
export const PUBLIC_NAMES: readonly string[] = [
  ...['*.pub', 'known_hosts*', 'allowed_signers', '*.crt', '*.cer', '*.csr', '*.der', '*.p7b', '*.pub.pem', '*public*.pem', '*_pub.pem'],
  ...'cert.pem *cert.pem *-cert*.pem certificate*.pem ca.pem ca-*.pem *-ca.pem *_ca.pem cacert*.pem *chain*.pem'.split(' '),
  ...['*bundle*.pem', 'root*.pem', '*-root.pem', '*public*.key', '*.pub.key', 'pubkey*', 'pubring*', 'trustdb.gpg'],
  ...['*.example', '*.sample', '*.template', '*.tmpl', '*.dist', '*.defaults', '*.schema', '*.example.*', '*.sample.*', '*.template.*'],
  ...['example.env', 'sample.env', 'template.env', '*.md', '*.rst', '*.adoc', '.env.d.ts'],
]

/** Halves that are none of the public ones, whatever else their names say: `rootCA-key.pem`, `chain.private.pem`. */
export const PRIVATE_NAMES: readonly string[] = '*-key.pem *_key.pem *.key.pem *key*.p8 *private*.pem *-privkey*.pem privkey*.pem'.split(
  ' ',
)

/** Places public by their purpose: certificates that the machine trusts, what the key directory holds besides keys. */
export const PUBLIC_PLACES: readonly string[] = [
  ...['.ssh/config', '.ssh/config.d/**', '.ssh/authorized_keys*', '.ssh/rc'],
  ...'/etc/ssl/certs/** /etc/pki/ca-trust/** /etc/ca-certificates/** /usr/share/** /usr/lib/python*/** /usr/local/share/**'.split(' '),
]

/** Keys and secret files by name, wherever they lie. */
const BY_NAME = [
  ...['.env', '.env.*', '*.env', '.envrc', '.netrc', '_netrc', '.pypirc', '.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf', '.htpasswd'],
  ...'id_rsa* id_dsa* id_ecdsa* id_ed25519* id_xmss* *.pem *.key *.ppk *.p12 *.pfx *.p8 *.jks *.keystore'.split(' '),
  ...['*.kdbx', '*.kdb', '*.keytab', '*.ovpn', 'wg*.conf', '*.agekey', '*.asc.key', 'secring.*', 'master.key', 'wallet.dat', '*.wallet'],
  ...'.git-credentials .dockercfg .dockerconfigjson kubeconfig *.kubeconfig *.tfstate *.tfstate.* credentials.tfrc.json'.split(' '),
  ...['.terraformrc', 'terraform.rc', '.vault-token', '.vault_pass*', 'vault_pass*', '*vault_pass', '*vault_password', '.boto', '.s3cfg'],
  ...['rclone.conf', '.rclone.conf', 'credentials.json', 'credentials.toml', 'client_secret*.json', 'service-account*.json'],
  ...['service_account*.json', 'serviceaccount*.json', 'secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', '.secrets'],
  ...[
    'local.settings.json',
    'logins.json',
    'key3.db',
    'key4.db',
    'cookies.sqlite',
    'login data',
    '*.keychain',
    '*.keychain-db',
    '.rediscli_auth',
  ],
  ...['.claude.json', '.age-key*', 'age-key*.txt', '.sentryclirc', '.databrickscfg', 'ntds.dit', '.api_key', '.api-key', '.apikey'],
  ...'*.tfvars *.tfvars.json *.keyring krb5cc_* .smbcredentials smbcredentials .cifscredentials .passwd .my.cnf.*'.split(' '),
  ...'*adminsdk*.json .erlang.cookie token.pickle containers/auth.json .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc'.split(' '),
  ...['datasources.local.xml', 'wp-config.php', 'master.passwd', '.htdigest', '*.mobileprovision', '.dev.vars', '.npmrc.*', '.pgpass.*'],
]

/** Stores by their directory, wherever it lies: a home that was copied is a home. */
const BY_PLACE = [
  ...['.mcp-auth', '.mcp-auth/**'],
  ...['.ssh', '.ssh/*', '.gnupg/**', '.aws', '.aws/credentials*', '.aws/sso/**', '.aws/cli/**', '.azure/**', '.kube', '.kube/config*'],
  ...'.docker/config.json .config/gcloud/** .oci .oci/** .aliyun/** .bluemix/** .password-store/** .cargo/credentials*'.split(' '),
  ...'.gem/credentials .bundle/config .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties nuget/nuget.config'.split(' '),
  ...'.nuget/nuget.config .composer/auth.json .config/gh/hosts.yml .config/hub .config/glab-cli/** .terraform.d/credentials*'.split(' '),
  ...['.config/rclone/**', '.wireguard/**', 'wireguard/*.conf', '.pki/nssdb/**', '.config/sops/**', '.config/age/**', '.cloudflared/**'],
  ...['.claude/.credentials.json', '.claude/api_key', '.codex/auth.json', '.gemini/oauth_creds.json', '.config/github-copilot/**'],
  ...(
    '.mozilla .mozilla/firefox .mozilla/firefox/** keystore/utc--* .electrum/** .bitcoin/** .ethereum/** .config/solana/** ' + '.monero/**'
  ).split(' '),
]

/**
 * Stores that only a home has. First what any program calls the file in its own directory: most of the many clients that
 * keep a token do so under one of these names.
 */
const IN_HOME = [
  ...['~/.*/passwd', '~/.*/password*', '~/.*/*/credentials*', '~/.config/*/passwd', '~/.config/*/password*', '~/.config/*/sec.conf'],
  ...[
    '~/.config/exodus/**',
    '~/.config/*wallet*/**',
    '~/.config/ledger live/**',
    '~/.hex/**',
    '~/.irssi/config',
    '~/.muttrc',
    '~/.config/remmina/**',
  ],
  ...['~/.*/credentials*', '~/.*/token', '~/.*/token.*', '~/.*/tokens', '~/.*/tokens/**', '~/.*/*_token', '~/.*/auth.json', '~/.*/*.token'],
  ...'~/.*/.credentials* ~/.*/secrets* ~/.*/.cfcache ~/.*/session.json ~/.*/*credentials.json ~/.*/api_key* ~/.*/apikey*'.split(' '),
  ...['~/.config/*/credentials*', '~/.config/*/token', '~/.config/*/token.*', '~/.config/*/tokens', '~/.config/*/tokens/**'],
  ...['~/.config/*/auth.json', '~/.config/*/secrets*', '~/.config/*/session.json', '~/.config/*/.cfcache', '~/.config/*/*_token'],
  ...['~/.config/*/api_key*', '~/.config/*/*credentials.json', '~/.config/*/client_secret*', '~/.gnome2/keyrings/**', '~/.databricks/**'],
  ...(
    '~/.confluent/** ~/.helm/** ~/.ibmcloud/** ~/.config/wandb/** ~/.travis/** ~/.fastlane/** ~/.mycli/** ' + '~/.config/braintree/**'
  ).split(' '),
  ...['~/.config/jetbrains/*/options/security.xml', '~/.config/windsurf/user/globalstorage/**', '~/.local/share/1password/**'],
  ...['~/library/application support/cursor/user/globalstorage/**', '~/library/application support/windsurf/user/globalstorage/**'],
  ...['~/library/application support/bitwarden/**', '~/library/application support/microsoft edge/**', '~/.config/bitwarden cli/**'],
  ...[
    '~/appdata/local/microsoft/edge/user data/**',
    '~/appdata/local/microsoft edge/user data/**',
    '~/.local/share/containers/storage/secrets/**',
  ],
  ...['~/appdata/local/bravesoftware/**', '~/appdata/roaming/bitwarden/**', '~/appdata/roaming/code/user/globalstorage/**'],
  ...['~/.config/snyk/**', '~/.config/configstore/**'],
  ...['~/.npmrc', '~/.config/npm/**', '~/.yarnrc.yml', '~/.config/doctl/**', '~/.config/hcloud/**', '~/.config/linode-cli/**', '~/.fly/**'],
  ...['~/.vercel/**', '~/.local/share/com.vercel.cli/**', '~/.netlify/**', '~/.config/netlify/**', '~/.railway/**', '~/.config/heroku/**'],
  ...['~/.supabase/**', '~/.wrangler/**', '~/.config/.wrangler/**', '~/.planetscale/**', '~/.config/planetscale/**', '~/.config/stripe/**'],
  ...['~/.config/squareup/**', '~/.square/**', '~/.adyen/**', '~/.braintree/**', '~/.paypal/**', '~/.twilio-cli/**', '~/.snowflake/**'],
  ...'~/.snowsql/** ~/.dbt/** ~/.kaggle/** ~/.huggingface/** ~/.cache/huggingface/token ~/.config/openai/** ~/.openai/**'.split(' '),
  ...['~/.anthropic/**', '~/.config/anthropic/**', '~/.config/claude/**', '~/.config/gemini/credentials*', '~/.config/pypoetry/auth.toml'],
  ...['~/.config/composer/auth.json', '~/.jupyter/*config*', '~/.config/jupyter/*config*', '~/.local/share/jupyter/runtime/**'],
  ...(
    '~/.config/containers/auth.json ~/.local/share/containers/auth.json ~/.config/argocd/** ~/.argocd/** ' + '~/.config/helm/registry/**'
  ).split(' '),
  ...(
    '~/.config/op/** ~/.config/1password/** ~/.1password/** ~/.bitwarden/** ~/.config/bitwarden*/** ' + '~/.local/share/bitwarden/**'
  ).split(' '),
  ...['~/.lpass/**', '~/.local/share/lastpass/**', '~/.config/keepassxc/**', '~/.local/share/keyrings/**', '~/.local/share/kwalletd/**'],
  ...(
    '~/.config/google-chrome*/** ~/.config/chromium/** ~/.config/bravesoftware/** ~/.config/microsoft-edge*/** ' + '~/.config/vivaldi/**'
  ).split(' '),
  ...[
    '~/.config/opera*/**',
    '~/library/keychains/**',
    '~/library/cookies/**',
    '~/library/safari/**',
    '~/library/application support/google/chrome/**',
  ],
  ...[
    '~/library/application support/firefox/**',
    '~/library/application support/bravesoftware/**',
    '~/library/application support/1password/**',
  ],
  ...['~/appdata/local/google/chrome/user data/**', '~/appdata/roaming/mozilla/firefox/**', '~/appdata/*/microsoft/credentials/**'],
  ...['~/appdata/roaming/microsoft/protect/**', '~/.config/slack/**', '~/.slack/**', '~/.config/discord/**', '~/.config/signal/**'],
  ...'~/.local/share/telegramdesktop/** ~/.thunderbird/** ~/.putty/** ~/.config/filezilla/** ~/.config/ngrok/** ~/.ngrok2/**'.split(' '),
  ...['~/.config/datadog-agent/**', '~/.config/tailscale/**', '~/.config/doppler/**', '~/.doppler/**', '~/.vault.d/**', '~/.chef/*.pem'],
  ...(
    '~/.local/share/opencode/auth.json ~/.credentials/** ~/.config/code/user/globalstorage/** ~/.local/state/gcloud/** ' + '~/.xauthority'
  ).split(' '),
  ...['~/library/application support/code/user/globalstorage/**', '~/.config/cursor/user/globalstorage/**', '~/.config/chezmoi/**'],
  ...['~/appdata/roaming/gcloud/**', '~/appdata/roaming/github cli/**', '~/appdata/roaming/nuget/nuget.config', '~/appdata/*/*/auth.json'],
  ...['~/appdata/roaming/*/credentials*', '~/appdata/roaming/composer/auth.json', '~/appdata/roaming/slack/**'],
  ...['~/appdata/local/1password/**', '~/appdata/roaming/gnupg/**', '~/appdata/roaming/filezilla/**', '~/appdata/roaming/postgresql/**'],
  ...[
    '~/library/application support/slack/**',
    '~/library/application support/*/auth.json',
    '~/library/application support/*/credentials*',
  ],
  ...['~/library/application support/arc/**', '~/library/application support/discord/**', '~/library/application support/signal/**'],
  ...['~/.cursor/mcp.json', '~/.aider.conf.yml', '~/.continue/config.*', '~/library/application support/claude/claude_desktop_config.json'],
  ...['~/library/messages/**', '~/.local/share/atuin/**'],
  ...['~/.step/**', '~/.minikube/profiles/*/*.key', '~/.*/secrets/**', '~/.config/*/secrets/**'],
  ...['~/.mc/config.json', '~/.ansible/*vault*', '~/.config/nuget/**', '~/.config/circleci/**', '~/.circleci/cli.yml'],
]

/** Stores of the machine. */
const OF_SYSTEM = [
  ...['/etc/shadow*', '/etc/gshadow*', '/etc/master.passwd', '/etc/security/opasswd', '/etc/krb5.keytab', '/etc/ssl/private/**'],
  ...['/etc/ssh/ssh_host_*_key', '/etc/wireguard/**', '/etc/openvpn/**', '/etc/ipsec.secrets', '/etc/ppp/*-secrets', '/etc/letsencrypt/**'],
  ...['/etc/networkmanager/system-connections/**', '/etc/kubernetes/*.conf', '/etc/kubernetes/pki/**', '/etc/rancher/*/*.yaml'],
  ...['/etc/rancher/k3s/k3s.yaml', '/etc/docker/key.json', '/etc/rclone.conf', '/etc/boto.cfg', '/etc/sasldb2', '/etc/mysql/debian.cnf'],
  ...['/etc/vault.d/**', '/etc/consul.d/**', '/etc/datadog-agent/datadog.yaml', '/etc/crypttab', '/etc/pki/tls/private/**'],
  ...(
    '/run/secrets/** /var/run/secrets/** /var/lib/kubelet/pki/** /var/lib/kubelet/pods/** /var/lib/rancher/** ' + '/var/db/shadow/**'
  ).split(' '),
  ...['/proc/*/environ', '/proc/*/mem', '/proc/*/task/*/environ', '/proc/kcore', '/proc/keys', '/library/keychains/**', '/var/db/sudo/**'],
  ...'/windows/system32/config/** /windows/repair/** /windows/ntds/** /var/lib/sss/secrets/** /etc/cups/passwd.md5 /dev/mem'.split(' '),
  ...['/dev/kmem', '/dev/port', '/etc/nomad.d/**', '/etc/grafana/grafana.ini', '/etc/gitlab/gitlab-secrets.json', '/proc/key-users'],
  ...['/sys/kernel/debug/**', '/sys/kernel/tracing/**', '/var/lib/postgresql/**', '/var/lib/mysql/**', '/.passwd'],
  ...['/var/backups/shadow*', '/var/backups/gshadow*', '/var/lib/jenkins/secrets/**', '/var/lib/jenkins/credentials.xml'],
]

/** Everything that holds a secret. */
export const CREDENTIALS: readonly string[] = [...BY_NAME, ...BY_PLACE, ...IN_HOME, ...OF_SYSTEM]
