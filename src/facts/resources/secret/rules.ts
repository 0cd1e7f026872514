/**
 * Tokens that carry their issuer's mark. One row per kind: a literal that must be there before its pattern is tried, and a
 * linear pattern. Patterns without a boundary have a mark that nothing else has; the others must not start inside a word.
 */
import { carriesChecksum } from './checksum.ts'
import { SERVICE_TOKENS } from './rules-services.ts'

export interface TokenRule {
  readonly name: string
  readonly literal: string
  /** Global; the match is the secret. */
  readonly pattern: RegExp
}

const rule = (name: string, literal: string, pattern: RegExp): TokenRule => ({ name, literal, pattern })

export const TOKEN_RULES: readonly TokenRule[] = [
  rule('anthropic-key', 'sk-ant-', /sk-ant-[A-Za-z0-9_-]{16,}/g),
  rule('openai-key', 'sk-', /(?<![A-Za-z0-9_-])sk-(?!ant-)[A-Za-z0-9_-]{20,}/g),
  rule('openai-key', 'sk-proj-', /sk-proj-[A-Za-z0-9_-]{16,}/g),
  rule('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{32,}/g),
  rule('groq-key', 'gsk_', /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,}/g),
  rule('xai-key', 'xai-', /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,}/g),
  rule('replicate-token', 'r8_', /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{37}/g),
  rule('huggingface-token', 'hf_', /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g),
  rule('github-token', 'gh', /gh[oprsu]_[A-Za-z0-9][A-Za-z0-9._-]{15,}/g),
  rule('github-token', 'github_pat_', /github_pat_[A-Za-z0-9_]{16,}/g),
  rule('gitlab-token', 'gl', /gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{16,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?/g),
  rule('gitlab-token', 'GR1348941', /GR1348941[A-Za-z0-9_-]{16,}/g),
  rule('bitbucket-token', 'ATBB', /ATBB[A-Za-z0-9]{28,}/g),
  rule('atlassian-token', 'ATATT3', /ATATT3[A-Za-z0-9_=-]{50,}/g),
  rule('slack-token', 'xox', /xox[abceoprs]-[A-Za-z0-9-]{10,}/g),
  rule('slack-token', 'xapp-', /xapp-[0-9]-[A-Za-z0-9-]{16,}/g),
  rule('slack-webhook', 'hooks.slack.com/', /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/]{20,}/g),
  rule('discord-webhook', '/api/webhooks/', /\/api\/webhooks\/[0-9]{15,21}\/[A-Za-z0-9_-]{40,}/g),
  rule('telegram-token', ':AA', /(?<![A-Za-z0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}/g),
  rule('google-api-key', 'AIza', /AIza[A-Za-z0-9_-]{35}/g),
  rule('google-oauth-secret', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{20,}/g),
  rule('google-access-token', 'ya29.', /ya29\.[A-Za-z0-9_-]{20,}/g),
  rule('google-refresh-token', '1//0', /(?<![A-Za-z0-9])1\/\/0[A-Za-z0-9_-]{30,}/g),
  rule('aws-access-key', 'AKIA', /AKIA[A-Z2-7]{16}/g),
  rule('aws-access-key', 'ASIA', /ASIA[A-Z2-7]{16}/g),
  rule('aws-bedrock-key', 'ABSK', /ABSK[A-Za-z0-9+/]{60,}={0,2}/g),
  rule('azure-storage-key', 'AccountKey=', /(?<=AccountKey=)[A-Za-z0-9+/]{40,}={0,2}/g),
  rule('azure-sas', 'sig=', /(?<=[?&]sig=)[A-Za-z0-9%+/=]{32,}/g),
  rule('stripe-key', 'k_', /(?<![A-Za-z0-9])[rs]k_(?:org_)?(?:live|test|prod)_[A-Za-z0-9]{16,}/g),
  rule('stripe-webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/=]{24,}/g),
  rule('square-token', 'sq0', /sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}/g),
  rule('shopify-token', 'shp', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g),
  rule('sendgrid-key', 'SG.', /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}/g),
  rule('mailgun-key', 'key-', /(?<![A-Za-z0-9-])key-[a-f0-9]{32}/g),
  rule('mailchimp-key', '-us', /(?<![A-Za-z0-9])[a-f0-9]{32}-us[0-9]{1,2}/g),
  rule('twilio-key', 'SK', /(?<![A-Za-z0-9])SK[a-f0-9]{32}/g),
  rule('npm-token', 'npm_', /npm_[A-Za-z0-9]{36}/g),
  rule('pypi-token', 'pypi-AgE', /pypi-AgE[A-Za-z0-9_-]{50,}/g),
  rule('rubygems-key', 'rubygems_', /rubygems_[a-f0-9]{48}/g),
  rule('cargo-token', 'cio', /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g),
  rule('docker-token', 'dckr_', /dckr_[a-z]{2,4}_[A-Za-z0-9_-]{20,}/g),
  rule('artifactory-key', 'AKCp', /AKCp[A-Za-z0-9]{60,}/g),
  rule('digitalocean-token', '_v1_', /do[opr]_v1_[a-f0-9]{64}/g),
  rule('heroku-key', 'HRKU-', /HRKU-[A-Za-z0-9_-]{36,}/g),
  rule('fly-token', 'FlyV1 ', /FlyV1 [A-Za-z0-9_,+/=-]{40,}/g),
  rule('netlify-token', 'nfp_', /(?<![A-Za-z0-9])nfp_[A-Za-z0-9]{36,}/g),
  rule('supabase-token', 'sbp_', /(?<![A-Za-z0-9])sbp_[a-f0-9]{40}/g),
  rule('planetscale-token', 'pscale_', /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}/g),
  rule('databricks-token', 'dapi', /(?<![A-Za-z0-9])dapi[a-f0-9]{32}/g),
  rule('vault-token', 'hv', /(?<![A-Za-z0-9])hv[bs]\.[A-Za-z0-9_-]{24,}/g),
  rule('terraform-token', '.atlasv1.', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}/g),
  rule('pulumi-token', 'pul-', /(?<![A-Za-z0-9])pul-[a-f0-9]{40}/g),
  rule('doppler-token', 'dp.', /(?<![A-Za-z0-9])dp\.[a-z]{2,5}\.[A-Za-z0-9]{40,}/g),
  rule('grafana-token', 'gl', /gl(?:sa|c)_[A-Za-z0-9_+/=]{32,}/g),
  rule('new-relic-key', 'NRAK-', /NRAK-[A-Z0-9]{27}/g),
  rule('sentry-token', 'sntry', /sntry[su]_[A-Za-z0-9_+/=]{40,}/g),
  rule('postman-key', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g),
  rule('linear-key', 'lin_', /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/g),
  rule('notion-token', 'ntn_', /(?<![A-Za-z0-9])ntn_[A-Za-z0-9]{40,}/g),
  rule('figma-token', 'figd_', /figd_[A-Za-z0-9_-]{36,}/g),
  rule('age-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[0-9A-Z]{58}/g),
  ...SERVICE_TOKENS.map(([name, literal, pattern]) => rule(name, literal, pattern)),
  rule('jwt', 'eyJ', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g),
]

/** Rules by the first two characters of their literal, both ASCII: one pass over a text tells which may match at all. */
const SHELVES: readonly (readonly number[])[] = shelve()
const SHELF_OF = new Int16Array(1 << 14)
SHELVES.forEach((rules, at) => {
  const literal = TOKEN_RULES[rules[0] ?? 0]?.literal ?? ''
  SHELF_OF[pair(literal.charCodeAt(0), literal.charCodeAt(1))] = at + 1
})

function shelve(): readonly (readonly number[])[] {
  const shelves = new Map<string, number[]>()
  TOKEN_RULES.forEach(({ literal }, at) => {
    const start = literal.slice(0, 2)
    shelves.set(start, [...(shelves.get(start) ?? []), at])
  })
  return [...shelves.values()]
}

function pair(first: number, second: number): number {
  return (first << 7) | second
}

/** UTF-16 offsets `[start, end)` of one secret and the rule that knows it. */
export interface FoundSecret {
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** Every token of a known issuer in `text`. */
export function findTokens(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const at of rulesFor(text)) {
    const { name, literal, pattern } = TOKEN_RULES[at] as TokenRule
    // `matchAll` would copy the expression each time.
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const token = match[0]
      if (isPlaceholder(token.slice(literal.length))) continue
      found.push({ rule: refine(name, token), start: match.index, end: match.index + token.length })
    }
  }
  return found
}

/** The rules whose literal stands in the text, in their own order. */
function rulesFor(text: string): readonly number[] {
  let found: Set<number> | null = null
  let first = text.charCodeAt(0)
  for (let i = 1; i < text.length; i++) {
    const second = text.charCodeAt(i)
    const shelf = first < 128 && second < 128 ? (SHELF_OF[pair(first, second)] as number) : 0
    first = second
    if (shelf === 0) continue
    for (const at of SHELVES[shelf - 1] as readonly number[]) {
      if (text.startsWith((TOKEN_RULES[at] as TokenRule).literal, i - 1)) found = (found ?? new Set()).add(at)
    }
  }
  return found === null ? NO_RULES : [...found].sort((a, b) => a - b)
}

const NO_RULES: readonly number[] = []

/** Some tokens say themselves whether they are real; those that are not stay under suspicion, and are masked too. */
function refine(name: string, token: string): string {
  return carriesChecksum(token) === false ? `${name}-like` : name
}

/** Documentation writes `EXAMPLE` or one character many times; issuers do not. */
export function isPlaceholder(body: string): boolean {
  return body.includes('EXAMPLE') || new Set(body.slice(0, 64)).size < 5
}
