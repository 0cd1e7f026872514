import type { Language } from '../../../host.ts'

/** Packages whose objects speak for something elsewhere: a cloud, a cluster, a database, or a program under another name. */

/** How the calls of a package are read. */
export type How = 'aws' | 'cloud' | 'service' | 'data' | 'git' | 'docker' | 'program'

export interface Root {
  readonly how: How
  readonly provider: string
}

/** An object of such a package, with the names that led to it since. */
export interface Client extends Root {
  readonly service: string
  /** Names of members and calls, oldest first; empty for what speaks for the whole service. */
  readonly path: readonly string[]
  /** The last thing that was named on the way: a bucket, a table. */
  readonly thing: string
}

function roots(how: How, provider: string, packages: string): readonly (readonly [string, Root])[] {
  return packages.split(' ').map((name) => [name, { how, provider }])
}

const PYTHON: ReadonlyMap<string, Root> = new Map([
  ...roots('aws', 'aws', 'boto3 botocore aioboto3 aiobotocore'),
  ...roots('cloud', 'gcp', 'google googleapiclient firebase_admin'),
  ...roots('cloud', 'azure', 'azure msgraph'),
  ...roots('cloud', 'kubernetes', 'kubernetes kubernetes_asyncio lightkube kr8s'),
  ...roots(
    'cloud',
    'cloud',
    'digitalocean pydo linode_api4 hcloud ovh openstack novaclient libvirt proxmoxer pyVim CloudFlare cloudflare heroku3 nomad',
  ),
  ...roots('service', 'github', 'github github3 ghapi'),
  ...roots('service', 'gitlab', 'gitlab'),
  ...roots('service', 'huggingface', 'huggingface_hub'),
  ...roots('service', 'stripe', 'stripe paypalrestsdk braintree shopify'),
  ...roots(
    'service',
    'search',
    'elasticsearch opensearchpy algoliasearch meilisearch typesense pinecone weaviate qdrant_client chromadb pymilvus',
  ),
  ...roots(
    'service',
    'service',
    'jira atlassian notion_client hvac consul kafka confluent_kafka supabase minio b2sdk dropbox slack_sdk tweepy discord',
  ),
  ...roots('data', 'redis', 'redis valkey aioredis'),
  ...roots('git', 'git', 'git'),
  ...roots('docker', 'docker', 'docker podman aiodocker'),
  ...roots('program', 'sh', 'sh'),
])

const NODE: ReadonlyMap<string, Root> = new Map([
  ...roots('aws', 'aws', 'aws-sdk @aws-sdk'),
  ...roots('cloud', 'gcp', '@google-cloud googleapis firebase-admin'),
  ...roots('cloud', 'azure', '@azure'),
  ...roots('cloud', 'kubernetes', '@kubernetes'),
  ...roots('cloud', 'cloud', 'cloudflare hcloud-js dots-wrapper heroku-client @pulumi'),
  ...roots('service', 'github', '@octokit octokit @actions'),
  ...roots('service', 'gitlab', '@gitbeaker'),
  ...roots('service', 'stripe', 'stripe'),
  ...roots('service', 'search', '@elastic @opensearch-project algoliasearch meilisearch typesense @pinecone-database @qdrant'),
  ...roots('service', 'service', '@slack @notionhq @supabase minio kafkajs jira-client discord'),
  ...roots('data', 'database', '@prisma mongoose mongodb knex sequelize typeorm drizzle-orm mikro-orm objection'),
  ...roots('data', 'redis', 'redis ioredis valkey iovalkey @upstash'),
  ...roots('git', 'git', 'simple-git'),
  ...roots('docker', 'docker', 'dockerode'),
  ...roots('program', 'shelljs', 'shelljs'),
])

const RUBY: ReadonlyMap<string, Root> = new Map([
  ...roots('aws', 'aws', 'Aws'),
  ...roots('cloud', 'gcp', 'Google'),
  ...roots('cloud', 'azure', 'Azure'),
  ...roots('cloud', 'cloud', 'DropletKit Fog Kubeclient K8s'),
  ...roots('service', 'github', 'Octokit'),
  ...roots('service', 'gitlab', 'Gitlab'),
  ...roots('service', 'stripe', 'Stripe'),
  ...roots('service', 'search', 'Elasticsearch OpenSearch'),
])

const PHP: ReadonlyMap<string, Root> = new Map([
  ...roots('aws', 'aws', 'Aws'),
  ...roots('cloud', 'gcp', 'Google'),
  ...roots('cloud', 'azure', 'MicrosoftAzure'),
  ...roots('service', 'github', 'Github'),
  ...roots('service', 'stripe', 'Stripe'),
])

const NONE: ReadonlyMap<string, Root> = new Map()
const BY_LANGUAGE: Partial<Readonly<Record<Language, ReadonlyMap<string, Root>>>> = { python: PYTHON, node: NODE, ruby: RUBY, php: PHP }

/** What the first part of a dotted name is a package of; null for all others. */
export function rootOf(language: Language, name: string): Root | null {
  const head = /^@?[^./]+/.exec(name)?.[0] ?? ''
  const root = (BY_LANGUAGE[language] ?? NONE).get(head)
  return root === undefined || (head === 'google' && !name.startsWith('google.cloud')) ? null : root
}

/** Services whose command line has another name. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['secrets-manager', 'secretsmanager'],
  ['cloudwatch-logs', 'logs'],
  ['cloudwatchlogs', 'logs'],
  ['cognito-identity-provider', 'cognito-idp'],
  ['cognitoidentityprovider', 'cognito-idp'],
  ['elastic-load-balancing', 'elb'],
])

/** The service of AWS that a dotted name is about: `@aws-sdk/client-ec2.X`, `Aws.EC2.Client`, `aws-sdk.S3`; empty where it names none. */
export function serviceOf(name: string): string {
  const found = /^(?:@aws-sdk\/(?:client|lib)-([\w-]+)|[Aa]ws(?:-sdk)?(?:\/clients)?[./](\w+))/.exec(name)
  const service = (found?.[1] ?? found?.[2] ?? '').toLowerCase()
  return COMMANDS.get(service) ?? service
}

/** The name of what is called, without what it belongs to: `delete` of `api.items.delete`. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The operation a method is named after: `TerminateInstancesCommand`, `terminate_instances` and `terminateInstances` are one. */
export function operationName(method: string): string {
  return method
    .slice(0, 100)
    .replace(/Command$|[!?]$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}
