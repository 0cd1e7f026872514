/**
 * What a request to the HTTP interface of a well-known service does: a release is a release, whether `gh` makes it, a server's
 * tool, or a POST. Only what people gate is told; that data goes out is an effect of its own.
 */
import { type Effect, effect, target, type Verb } from '../../effect.ts'
import { restAct } from './github-api.ts'
import { below } from './names.ts'

interface Route {
  /** Hosts, each with all below it; null: any host whose path fits. */
  readonly hosts: readonly string[] | null
  /** Methods, as words; absent: whatever changes something. */
  readonly methods?: string
  readonly path: RegExp
  readonly verb: Verb
  readonly action: string
  /** Group of `path` that names the package. */
  readonly named?: true
}

const NPM = ['registry.npmjs.org', 'registry.yarnpkg.com', 'npm.pkg.github.com']
const STRIPE = ['api.stripe.com']
const PAYPAL = ['paypal.com']
const KUBERNETES = /^\/(?:api\/v1|apis\/[a-z0-9.]+\/v\d[a-z0-9]*)\/namespaces\/[^/]+\/[a-z]+(?:\/|$)/

/** First match wins. */
const ROUTES: readonly Route[] = [
  { hosts: NPM, path: /^\/-\/package\/([^/]+)\/dist-tags/, verb: 'publish', action: 'npm:dist-tag', named: true },
  { hosts: NPM, methods: 'DELETE', path: /^\/((?:@[^/]+\/)?[^/-][^/]*)/, verb: 'delete', action: 'npm:unpublish', named: true },
  { hosts: NPM, methods: 'PUT', path: /^\/((?:@[^/%]+(?:\/|%2f))?[^/@-][^/]*)$/i, verb: 'publish', action: 'npm:publish', named: true },
  { hosts: ['upload.pypi.org', 'test.pypi.org'], path: /^\/legacy\/?$/, verb: 'publish', action: 'pypi:publish' },
  { hosts: ['crates.io'], path: /^\/api\/v1\/crates\/new$/, verb: 'publish', action: 'crates:publish' },
  { hosts: ['crates.io'], path: /^\/api\/v1\/crates\/([^/]+)\/[^/]+\/(?:un)?yank$/, verb: 'delete', action: 'crates:yank', named: true },
  { hosts: ['crates.io'], path: /^\/api\/v1\/crates\/([^/]+)\/owners$/, verb: 'change', action: 'crates:owner', named: true },
  { hosts: ['rubygems.org'], path: /^\/api\/v1\/gems\/yank$/, verb: 'delete', action: 'gems:yank' },
  { hosts: ['rubygems.org'], path: /^\/api\/v1\/gems\/([^/]+)\/owners$/, verb: 'change', action: 'gems:owner', named: true },
  { hosts: ['rubygems.org'], path: /^\/api\/v1\/gems$/, verb: 'publish', action: 'gems:publish' },
  {
    hosts: null,
    path: /^\/v2\/((?:[^/]+\/)+)(?:manifests\/[^/]+|blobs\/uploads(?:\/[^/]*)?)$/,
    verb: 'publish',
    action: 'docker:push',
    named: true,
  },
  { hosts: STRIPE, path: /^\/v1\/refunds/, verb: 'pay', action: 'payment:refund' },
  {
    hosts: STRIPE,
    path: /^\/v1\/(?:charges|payment_intents|transfers|payouts|topups|checkout\/sessions)/,
    verb: 'pay',
    action: 'payment:transfer',
  },
  { hosts: STRIPE, path: /^\/v1\/(?:subscriptions|invoices|invoiceitems|prices|plans|coupons)/, verb: 'change', action: 'payment:billing' },
  { hosts: PAYPAL, path: /^\/v\d\/payments\/(?:captures|sale|capture)\/[^/]+\/refund/, verb: 'pay', action: 'payment:refund' },
  { hosts: PAYPAL, path: /^\/v\d\/(?:payments|checkout\/orders)/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['squareup.com', 'squareupsandbox.com'], path: /^\/v2\/refunds/, verb: 'pay', action: 'payment:refund' },
  { hosts: ['squareup.com', 'squareupsandbox.com'], path: /^\/v2\/(?:payments|payouts)/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['api.mollie.com'], path: /^\/v2\/payments\/[^/]+\/refunds/, verb: 'pay', action: 'payment:refund' },
  { hosts: ['api.mollie.com', 'api.razorpay.com'], path: /^\/v\d\/(?:payments|orders|payouts)/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['adyen.com', 'adyenpayments.com'], path: /^\/(?:v\d+\/)?payments/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['wise.com', 'transferwise.com'], path: /^\/v\d\/(?:profiles\/[^/]+\/)?transfers/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['api.coinbase.com'], path: /^\/v2\/accounts\/[^/]+\/transactions/, verb: 'pay', action: 'payment:transfer' },
  { hosts: ['api.sendgrid.com'], path: /^\/v3\/mail\/send$/, verb: 'send', action: 'mail:send' },
  { hosts: ['api.mailgun.net', 'api.eu.mailgun.net'], path: /^\/v3\/[^/]+\/messages/, verb: 'send', action: 'mail:send' },
  { hosts: ['api.postmarkapp.com'], path: /^\/email/, verb: 'send', action: 'mail:send' },
  { hosts: ['api.resend.com'], path: /^\/emails/, verb: 'send', action: 'mail:send' },
  { hosts: ['api.brevo.com'], path: /^\/v3\/smtp\/email/, verb: 'send', action: 'mail:send' },
  { hosts: ['mandrillapp.com'], path: /^\/api\/1\.0\/messages\/send/, verb: 'send', action: 'mail:send' },
  { hosts: ['googleapis.com'], path: /\/users\/[^/]+\/(?:messages|drafts)\/send$/, verb: 'send', action: 'mail:send' },
  {
    hosts: ['graph.microsoft.com'],
    path: /\/(?:sendMail|messages\/[^/]+\/(?:send|reply|replyAll|forward))$/i,
    verb: 'send',
    action: 'mail:send',
  },
  { hosts: ['amazonaws.com'], path: /^\/v2\/email\/outbound-(?:bulk-)?emails$/, verb: 'send', action: 'mail:send' },
  { hosts: ['api.netlify.com'], path: /^\/api\/v1\/(?:sites\/[^/]+\/)?(?:deploys|builds)/, verb: 'publish', action: 'pages:deploy' },
  { hosts: ['api.vercel.com'], path: /^\/v\d+\/deployments/, verb: 'publish', action: 'pages:deploy' },
  { hosts: ['api.cloudflare.com'], path: /\/pages\/projects\/[^/]+\/deployments/, verb: 'publish', action: 'pages:deploy' },
  { hosts: ['app.terraform.io'], path: /^\/api\/v2\/runs(?:\/[^/]+\/actions\/apply)?$/, verb: 'change', action: 'tf:apply' },
  { hosts: null, methods: 'DELETE', path: KUBERNETES, verb: 'delete', action: 'k8s:delete' },
  { hosts: null, path: KUBERNETES, verb: 'change', action: 'k8s:apply' },
]

/** Actions of a GitHub-like host that people gate; comments and labels are not among them. */
const GITHUB: ReadonlySet<string> = new Set(
  'gh:release gh:pr-create gh:pr-merge gh:repo-edit gh:repo-delete gh:workflow-run git:push pages:deploy'.split(' '),
)

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const MAIL: ReadonlySet<string> = new Set(['smtp', 'smtps'])

/** What the request of this effect does at the other end, beside reaching it; null where nobody gates that. */
export function apiEffect(found: Effect): Effect | null {
  const { target: reached, verb } = found
  if ((verb !== 'send' && verb !== 'fetch') || reached.kind !== 'url' || reached.real === null) return null
  const { scheme } = found.attributes
  if (typeof scheme === 'string' && MAIL.has(scheme)) return made(found, { verb: 'send', action: 'mail:send', at: reached })
  const method = methodOf(found)
  if (SAFE.has(method)) return null
  const path = pathOf(reached.value)
  return path === null ? null : (atGithub(found, method, path) ?? atService(found, method, path))
}

/** A body without a word about the method is posted. */
function methodOf({ verb, attributes: { method } }: Effect): string {
  if (typeof method === 'string') return method.toUpperCase()
  return verb === 'send' ? 'POST' : 'GET'
}

function pathOf(url: string): string | null {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`
  return URL.canParse(full) ? new URL(full).pathname : null
}

function atGithub(found: Effect, method: string, path: string): Effect | null {
  const host = found.target.real ?? ''
  if (host !== 'api.github.com' && host !== 'uploads.github.com' && !path.startsWith('/api/v3/')) return null
  const { verb, action } = restAct(method, path)
  if (!GITHUB.has(action)) return null
  const repository = /^\/(?:api\/v3\/)?repos\/([^/]+\/[^/]+)/.exec(path)?.[1]
  return made(found, { verb, action, at: repository === undefined ? found.target : target('repository', repository) })
}

function atService(found: Effect, method: string, path: string): Effect | null {
  const host = found.target.real ?? ''
  const fits = ({ hosts, methods, path: route }: Route): boolean =>
    (hosts === null || hosts.some((name) => host === name || below(host, name))) &&
    (methods === undefined || methods.split(' ').includes(method)) &&
    route.test(path)
  const route = ROUTES.find(fits)
  if (route === undefined) return null
  const name = route.named === true ? route.path.exec(path)?.[1] : undefined
  return made(found, { verb: route.verb, action: route.action, at: name === undefined ? found.target : target('package', plain(name)) })
}

function plain(name: string): string {
  return name.replace(/%2f/i, '/').replace(/%40/, '@').replace(/\/$/, '')
}

function made(found: Effect, { verb, action, at }: { verb: Verb; action: string; at: Effect['target'] }): Effect {
  const { certainty, span, attributes } = found
  return effect(verb, at, { action, certainty, span, reversible: false, attributes: { ...attributes, over: 'http' } })
}
