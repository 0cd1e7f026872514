import { describe, expect, test } from 'vitest'
import { random } from '../../../../test/secret-kinds.ts'
import { findSecrets } from './find.ts'
import { SERVICE_TOKENS } from './rules-services.ts'

/** Kinds of tokens by the shape that their issuer writes down; made up at run time, so that nobody takes this file for a leak. */

const LETTERS: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  h: '0123456789abcdef',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  c: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  d: '0123456789',
}

/** `pat{A14}.{h64}`: each brace a run of characters of that alphabet. */
function made(shape: string, seed: number): string {
  let run = seed
  return shape.replace(/\{([Ahlucd])(\d+)\}/g, (_, kind: string, length: string) => {
    run += 1
    return random(LETTERS[kind] ?? '', Number(length), run)
  })
}

const UUID = '{h8}-{h4}-{h4}-{h4}-{h12}'
const SHAPES: readonly (readonly [rule: string, shape: string])[] = [
  ['airtable-token', 'pat{A14}.{h64}'],
  ['alibaba-key', 'LTAI{A20}'],
  ['artifactory-key', 'cmVmd{A59}'],
  ['atlassian-token', 'ATCTT3xFfGN0{A180}'],
  ['aws-session-token', 'IQoJb3JpZ2lu{A300}=='],
  ['aws-bedrock-key', 'bedrock-api-key-{A80}'],
  ['azure-client-secret', '{A3}8Q~{A34}'],
  ['azure-devops-token', '{A76}AZDO{A4}'],
  ['azure-function-key', '{A44}AzFu{A4}=='],
  ['azure-search-key', '{A42}AzSe{A6}'],
  ['azure-ai-key', '{A52}JQQJ99{A26}'],
  ['brevo-key', 'xkeysib-{h64}-{A16}'],
  ['buildkite-token', 'bkua_{h40}'],
  ['cerebras-key', 'csk-{l48}'],
  ['circleci-token', 'CCIPAT_{A22}_{h40}'],
  ['clickup-token', 'pk_{d8}_{u32}'],
  ['clojars-token', 'CLOJARS_{h60}'],
  ['cloudflare-token', 'cfut_{A40}'],
  ['cloudflare-origin-key', 'v1.0-{h24}-{h146}'],
  ['contentful-token', 'CFPAT-{A43}'],
  ['dropbox-token', 'sl.{A140}'],
  ['duffel-token', 'duffel_live_{A43}'],
  ['dynatrace-token', 'dt0c01.{u24}.{u64}'],
  ['easypost-key', 'EZAK{A54}'],
  ['elevenlabs-key', 'sk_{h48}'],
  ['facebook-token', 'EAACEdEose0cBA{A150}'],
  ['firecrawl-key', 'fc-{h32}'],
  ['fireworks-key', 'fw_{A24}'],
  ['flutterwave-key', 'FLWSECK-{h32}-X'],
  ['fly-token', 'fo1_{A43}'],
  ['fly-token', 'fm2_{A120}'],
  ['frameio-token', 'fio-u-{A64}'],
  ['google-api-key', 'AQ.Ab8{A45}'],
  ['grafana-token', 'eyJrIjoi{A80}'],
  ['honeycomb-key', 'hcaik_{l58}'],
  ['hubspot-token', `pat-na1-${UUID}`],
  ['huggingface-token', 'api_org_{c34}'],
  ['infisical-token', 'st.{h24}.{h32}.{h32}'],
  ['intercom-token', 'dG9rO{A56}'],
  ['langsmith-key', 'lsv2_pt_{h32}_{h10}'],
  ['launchdarkly-key', `api-${UUID}`],
  ['launchdarkly-key', `sdk-${UUID}`],
  ['mandrill-key', 'md-x7K{A19}'],
  ['mapbox-token', 'sk.eyJ1{A70}.{A22}'],
  ['neon-key', 'napi_{l64}'],
  ['new-relic-key', '{h36}NRAL'],
  ['notion-token', 'secret_{A43}'],
  ['nuget-key', 'oy2{l43}'],
  ['nvidia-key', 'nvapi-{A64}'],
  ['onepassword-token', 'ops_eyJ{A260}'],
  ['onepassword-key', 'A3-{u6}-{u11}-{u5}-{u5}-{u5}'],
  ['paypal-token', ['access_token', 'production', '{l16}', '{h32}'].join('$')],
  ['pinecone-key', 'pcsk_{A6}_{A63}'],
  ['plaid-token', `access-production-${UUID}`],
  ['posthog-key', 'phx_{A43}'],
  ['prefect-key', 'pnu_{A36}'],
  ['putty-key', 'Private-Lines: 1\n{A60}'],
  ['readme-key', 'rdme_{l70}'],
  ['render-key', 'rnd_{A32}'],
  ['resend-key', 're_{A8}_{A24}'],
  ['scalingo-token', 'tk-us-{A48}'],
  ['shippo-token', 'shippo_live_{h40}'],
  ['snyk-token', 'snyk_uat.{h8}.{A100}'],
  ['sonar-token', 'sqp_{h40}'],
  ['square-token', 'EAAA{A60}'],
  ['supabase-token', 'sb_secret_{A31}'],
  ['tailscale-key', 'tskey-auth-{A12}-{A32}'],
  ['tavily-key', 'tvly-dev-{A32}'],
  ['teams-webhook', `/webhookb2/${UUID}@${UUID}/IncomingWebhook/{h32}/${UUID}`],
  ['tencent-key', 'AKID{A32}'],
  ['twitter-token', 'AAAAAAAAAAAAAAAAAAAAAB{A80}'],
  ['typeform-token', 'tfp_{A44}_{A14}'],
  ['vercel-token', 'vercel_blob_rw_{A16}_{A32}'],
  ['vercel-token', 'vcp_{A56}'],
  ['yandex-key', 'AQVN{A36}'],
  ['zapier-webhook', 'hooks.zapier.com/hooks/catch/{d7}/{l7}'],
]

describe('tokens by their shape', () => {
  for (const [rule, shape] of SHAPES) {
    const token = made(shape, 7)
    test(`${rule}: ${shape} is found whole`, () =>
      expect(findSecrets(`use ${token} now`, '').map((found) => [found.rule, found.span.start, found.span.end])).toEqual([
        [rule, 4, 4 + token.length],
      ]))
    test(`${rule}: ${shape} cut in the middle is not that token`, () => {
      const half = token.slice(0, Math.ceil(token.length / 2))
      const kinds = findSecrets(`use ${half} now`, '').map((found) => found.rule)
      // Some kinds have no fixed length: half of a long one is one still.
      if (!OPEN.has(rule)) expect(kinds).not.toContain(rule)
    })
  }
  test('every kind of the table has a shape here', () =>
    expect([...new Set(SERVICE_TOKENS.map(([name]) => name))].toSorted()).toEqual([...new Set(SHAPES.map(([rule]) => rule))].toSorted()))
})

/** Kinds whose length is only bounded below. */
const OPEN: ReadonlySet<string> = new Set(['atlassian-token', 'aws-session-token', 'tavily-key', 'putty-key'])

describe('what only looks like one', () => {
  for (const text of [
    'path/to/pattern.abcdef0123456789',
    'sdk-core-4.2.1',
    'api-gateway-service-0001-prod',
    'pk_columns_in_table',
    'sk_learn_tests_passed',
    're_compile_the_regular_expression_now_ok',
    'md-button md-raised md-primary md-hue-1',
    'vc_compile_flags=-O2',
    'fc-list : family style',
    'secret_manager_client.access_secret_version',
    'st.session_state.messages.append',
    'AKIDS are identifiers',
    'v1.0-beta-3',
    'sq_euclidean_distance',
    'rnd_seed = 42',
    'sl.setlocale(LC_ALL)',
    'the EZAK method and EAA records',
    'A3-SIZE-PAPER-00001',
    'cf_stack_update_complete_wait_condition_for_the_test_environment',
    `${'A'.repeat(120)}`,
    `${'0'.repeat(200)}`,
  ]) {
    test(text.slice(0, 60), () => expect(findSecrets(`x ${text} y`, '')).toEqual([]))
  }
})
