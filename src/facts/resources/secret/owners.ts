/** Whose service a secret of the environment is for, by the words of its name: a token of one service is no other's business. */
import { below } from '../url/names.ts'
import { secretName } from './names.ts'

/** Words of a variable's name, and the domains that a secret so called is for. */
const OWNERS: readonly (readonly [string, string])[] = [
  ['github gh ghcr', 'github.com githubusercontent.com ghcr.io githubcopilot.com githubapp.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org atlassian.com'],
  ['npm yarn', 'npmjs.org npmjs.com yarnpkg.com pkg.github.com'],
  ['pypi twine', 'pypi.org pythonhosted.org'],
  ['openai', 'openai.com openai.azure.com'],
  ['anthropic claude', 'anthropic.com claude.ai claude.com'],
  ['gemini', 'googleapis.com google.com'],
  ['groq', 'groq.com'],
  ['mistral', 'mistral.ai'],
  ['cohere', 'cohere.ai cohere.com'],
  ['openrouter', 'openrouter.ai'],
  ['deepseek', 'deepseek.com'],
  ['perplexity', 'perplexity.ai'],
  ['replicate', 'replicate.com'],
  ['huggingface hf', 'huggingface.co hf.co'],
  [
    'aws',
    'amazonaws.com aws.amazon.com amazonaws.com.cn aws.dev cloudflarestorage.com digitaloceanspaces.com wasabisys.com backblazeb2.com',
  ],
  ['gcp google gcloud', 'googleapis.com google.com cloud.goog'],
  ['azure', 'azure.com windows.net microsoftonline.com azure.net azurecr.io microsoft.com azurewebsites.net'],
  ['cloudflare', 'cloudflare.com workers.dev cloudflarestorage.com'],
  ['digitalocean', 'digitalocean.com digitaloceanspaces.com'],
  ['hetzner hcloud', 'hetzner.cloud hetzner.com'],
  ['linode', 'linode.com'],
  ['heroku', 'heroku.com'],
  ['vercel', 'vercel.com vercel.app'],
  ['netlify', 'netlify.com netlify.app'],
  ['fly', 'fly.io machines.dev'],
  ['railway', 'railway.app railway.com'],
  ['supabase', 'supabase.co supabase.com supabase.in'],
  ['slack', 'slack.com'],
  ['discord', 'discord.com discordapp.com'],
  ['telegram', 'telegram.org'],
  ['stripe', 'stripe.com'],
  ['paypal', 'paypal.com'],
  ['twilio', 'twilio.com'],
  ['sendgrid', 'sendgrid.com'],
  ['mailgun', 'mailgun.net mailgun.org'],
  ['notion', 'notion.com notion.so'],
  ['linear', 'linear.app'],
  ['figma', 'figma.com'],
  ['airtable', 'airtable.com'],
  ['datadog', 'datadoghq.com datadoghq.eu ddog-gov.com'],
  ['snyk', 'snyk.io'],
  ['dropbox', 'dropbox.com dropboxapi.com'],
  ['docker dockerhub', 'docker.com docker.io'],
  ['brave', 'brave.com'],
  ['tavily', 'tavily.com'],
  ['wandb', 'wandb.ai'],
]

const DOMAINS: ReadonlyMap<string, readonly string[]> = new Map(
  OWNERS.flatMap(([words, domains]) => words.split(' ').map((word) => [word, domains.split(' ')] as const)),
)

/** Words of databases and machines: a password of theirs is for no service of the web. */
const OFF_THE_WEB: ReadonlySet<string> = new Set(
  'db database pg postgres postgresql mysql mariadb mssql mongo mongodb root sudo ssh'.split(' '),
)

/** Services that many run a server of their own of. */
const SELF_HOSTED: ReadonlySet<string> = new Set(['github', 'gh', 'gitlab', 'bitbucket', 'supabase'])

/** A host that bears the service's name without being a subdomain made to look like it: `gitlab.acme.example`, never `gitlab.com.x.example`. */
function ownServer(word: string, host: string): boolean {
  const name = word === 'gh' ? 'github' : word
  return SELF_HOSTED.has(word) && host.startsWith(`${name}.`) && !(DOMAINS.get(word) ?? []).some((domain) => host.startsWith(`${domain}.`))
}

/**
 * Whether a secret of that name is `own` to the host or `foreign` to it; `unknown` where its name says no service that is known.
 * `host` is a normalised public name of a service of the web.
 */
export function belongs(variable: string, host: string): 'own' | 'foreign' | 'unknown' {
  if (secretName(variable) === null) return 'unknown'
  const words = variable
    .slice(0, 96)
    .toLowerCase()
    .split(/[^a-z]+/)
  const word = words.find((item) => DOMAINS.has(item))
  if (!host.includes('.')) return 'unknown'
  if (word === undefined) return secretName(variable) === 'password' && words.some((item) => OFF_THE_WEB.has(item)) ? 'foreign' : 'unknown'
  if ((DOMAINS.get(word) ?? []).some((domain) => below(host, domain))) return 'own'
  return ownServer(word, host) ? 'unknown' : 'foreign'
}
