import type { CommandSpec, CommandTable } from '../../host.ts'
import { supabaseServer } from '../data/servers.ts'
import { byName, does, list, takes } from '../tool.ts'
import { AWS } from './aws.ts'
import { AZURE } from './azure.ts'
import { wrangler } from './cloudflare.ts'
import { BQ, GCLOUD, GSUTIL } from './google.ts'
import { platform } from './platforms.ts'

/** Clouds and hosting platforms by program. */

const doctl = platform({
  provider: 'digitalocean',
  deploys: ['apps create-deployment', 'serverless deploy'],
  secrets: ['registry docker-config', 'databases connection', 'databases user get', 'kubernetes cluster kubeconfig show'],
  access: ['compute ssh-key', 'auth init', 'databases user create', 'registry login'],
  remote: ['compute ssh', 'apps console'],
  reads: ['account', 'balance', 'invoice', 'auth list', 'kubernetes cluster kubeconfig'],
})

const fly = platform({
  provider: 'fly',
  deploys: ['deploy', 'launch'],
  secrets: ['auth token', 'tokens create', 'postgres users'],
  access: ['tokens revoke', 'orgs invite', 'orgs remove', 'ssh issue', 'ssh establish'],
  remote: ['ssh console', 'ssh sftp', 'console', 'machine exec', 'machines exec', 'postgres connect', 'pg connect'],
  local: ['proxy', 'wireguard', 'doctor', 'settings', 'agent', 'config save', 'config validate'],
  reads: ['status', 'logs', 'releases', 'platform', 'secrets list', 'config show', 'config env'],
  deletes: ['apps destroy', 'volumes destroy', 'machine destroy', 'machines destroy', 'destroy', 'postgres detach'],
  updates: ['secrets', 'scale', 'autoscale', 'checks', 'regions'],
})

const heroku = platform({
  provider: 'heroku',
  deploys: ['container release', 'container push', 'pipelines promote', 'builds create'],
  secrets: [
    'config',
    'config get',
    'config edit',
    'auth token',
    'authorizations',
    'pg credentials',
    'redis credentials',
    'pg credentials url',
  ],
  access: [
    'access',
    'keys add',
    'keys remove',
    'keys clear',
    'members',
    'authorizations create',
    'authorizations revoke',
    'teams',
    'clients',
  ],
  remote: ['run', 'ps exec', 'ps copy', 'pg psql', 'redis cli', 'run detached'],
  local: ['local', 'git', 'plugins', 'buildpacks search'],
  reads: [
    'pg info',
    'pg ps',
    'pg diagnose',
    'ps',
    'logs',
    'releases',
    'releases info',
    'features',
    'addons info',
    ...'maintenance domains apps regions stack status certs drains'.split(' '),
    'pg backups',
    'pg backups url',
  ],
  updates: [
    'config set',
    'config unset',
    'maintenance on',
    'maintenance off',
    'ps scale',
    'ps restart',
    'ps stop',
    'ps kill',
    'restart',
    'dyno',
    'pg promote',
    'pg upgrade',
    'addons create',
    'addons attach',
    'domains add',
    'rollback',
    'releases rollback',
    'pg backups capture',
    'pg copy',
  ],
  deletes: [
    'apps destroy',
    'pg reset',
    'addons destroy',
    'destroy',
    'domains remove',
    'domains clear',
    'certs remove',
    'pg backups restore',
    'pg backups delete',
    'pipelines destroy',
    'drains remove',
    'webhooks remove',
  ],
})

const vercel = platform({
  provider: 'vercel',
  bare: 'deploy',
  deploys: ['deploy', 'promote', 'redeploy', 'rollback', 'alias set', 'rolling-release'],
  secrets: ['env pull', 'pull'],
  access: ['teams invite', 'teams add', 'tokens'],
  local: ['dev', 'link', 'init', 'build', 'cache', 'telemetry', 'guidance'],
  // `env ls` shows names alone.
  reads: [
    'ls',
    'list',
    'inspect',
    'logs',
    'env ls',
    'env list',
    'teams ls',
    'domains ls',
    'dns ls',
    'certs ls',
    'alias ls',
    'project ls',
    'bisect',
  ],
  production: ['--prod'],
})

const netlify = platform({
  provider: 'netlify',
  deploys: ['deploy'],
  secrets: ['env list', 'env get', 'env clone'],
  local: ['dev', 'serve', 'functions create', 'functions invoke', 'functions build', 'recipes', 'completion', 'unlink', 'addons auth'],
  reads: ['status', 'sites list', 'watch', 'logs'],
  updates: ['api', 'env set', 'env unset', 'env import', 'blobs set', 'build-hook'],
})

const firebase = platform({
  provider: 'firebase',
  deploys: ['deploy', 'hosting clone', 'hosting channel deploy', 'appdistribution distribute', 'ext install', 'apphosting rollouts create'],
  secrets: ['functions secrets access', 'login ci', 'functions config get', 'apphosting secrets access', 'auth export'],
  access: ['login add', 'apps android sha create'],
  local: ['emulators', 'serve', 'init', 'use', 'functions shell', 'experiments', 'setup', 'target', 'logout'],
  reads: [
    'functions log',
    'database get',
    'firestore indexes',
    'projects list',
    'hosting sites list',
    'hosting channel list',
    'remoteconfig get',
    'apps list',
    'apps sdkconfig',
    'functions list',
    'database profile',
  ],
  updates: [
    'database set',
    'database push',
    'database update',
    'database import',
    'auth import',
    'functions config set',
    'functions config unset',
    'functions secrets set',
    'hosting channel create',
    'remoteconfig rollback',
  ],
  deletes: [
    'database remove',
    'firestore delete',
    'firestore databases delete',
    'functions delete',
    'hosting disable',
    'hosting channel delete',
    'hosting sites delete',
    'functions secrets destroy',
    'functions secrets prune',
    'ext uninstall',
  ],
  valued: '-P',
})

const supabase = supabaseServer(
  platform({
    provider: 'supabase',
    deploys: ['functions deploy', 'config push'],
    secrets: ['projects api-keys', 'branches get', 'postgres-config get'],
    access: ['network-bans', 'network-restrictions', 'ssl-enforcement', 'sso'],
    local: [
      'init',
      'start',
      'stop',
      'status',
      'db start',
      'db diff',
      'db lint',
      'db pull',
      'gen',
      'migration new',
      'migration list',
      'migration squash',
      'functions new',
      'functions serve',
      'seed',
      'test',
      'services',
      'bootstrap',
      'inspect',
    ],
    reads: ['secrets list', 'functions list', 'projects list', 'branches list', 'orgs list', 'db dump', 'functions download'],
    updates: ['db push', 'migration up', 'migration repair', 'secrets set', 'domains', 'vanity-subdomains', 'snippets', 'storage cp'],
    deletes: ['db reset', 'projects delete', 'functions delete', 'secrets unset', 'branches delete', 'storage rm', 'migration down'],
  }),
)

const railway = platform({
  provider: 'railway',
  deploys: ['up', 'deploy', 'redeploy'],
  secrets: ['variables', 'variable'],
  remote: ['ssh', 'connect'],
  local: ['run', 'shell', 'link', 'open', 'docs', 'dev'],
  reads: ['status', 'logs', 'list'],
  deletes: ['down', 'delete', 'environment delete', 'volume delete'],
  updates: ['add', 'domain', 'environment', 'service', 'volume', 'scale', 'init'],
})

const simple = (provider: string) =>
  platform({
    provider,
    deploys: ['deploy', 'publish', 'up', 'releases create'],
    access: ['keys', 'ssh-key', 'ssh-keys', 'iam', 'users'],
    secrets: ['secrets get', 'tokens create'],
    remote: ['ssh', 'server ssh', 'instance ssh'],
    local: ['config', 'configure'],
  })

/** One command that puts a directory before the public. */
const PUBLISHER: CommandSpec = does(
  { verb: 'publish', action: 'pages:deploy', kind: 'service', at: 1, value: 'site', reversible: true },
  { operands: ['read', 'data'], options: takes('-p --project -d --domain'), inert: list('--help -h --version -v') },
)

export const clouds: CommandTable = byName({
  aws: AWS,
  'aws2 awslocal': AWS,
  gcloud: GCLOUD,
  gsutil: GSUTIL,
  bq: BQ,
  az: AZURE,
  doctl,
  'fly flyctl': fly,
  heroku,
  'vercel vc now': vercel,
  'netlify ntl': netlify,
  wrangler,
  firebase,
  supabase,
  railway,
  ...Object.fromEntries(
    list(
      'render hcloud linode-cli scw ibmcloud oci exo vultr-cli civo upcloud koyeb northflank clever cf planetscale pscale ' +
        'neonctl turso deployctl modal convex upsun platform',
    ).map((name) => [name, simple(name)]),
  ),
  surge: PUBLISHER,
})
