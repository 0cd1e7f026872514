/** The proxy in front of model APIs: where it listens, what stands behind it, who its callers are, how long an answer may wait. */

import type { Listening } from '../policy.ts'
import { described, flag, type Located, listOf, located, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { listenOf } from '../sections/server.ts'
import { durationOf } from '../sections/written.ts'
import type { KeyHolder, ModelProxySection, Upstream } from './model.ts'

const MINUTE = 60_000
const USUAL: Listening = { host: '127.0.0.1', port: 7434 }

const upstreamField = record(
  {
    prefix: described(located(text), 'Requests below this path go there, such as `/openai`; left out: those that no other prefix takes.'),
    url: described(located(text), 'Where the model API is, such as `https://api.openai.com`. https, or http on this machine.'),
    key_env: described(
      text,
      'Environment variable with a key that is added to requests of known callers. Left out: requests keep the key of their client.',
    ),
    key_header: described(
      oneOf(['authorization', 'x-api-key', 'x-goog-api-key']),
      'Header for that key; default `authorization`, as a bearer token.',
    ),
  },
  { required: ['url'] },
)

const keyField = record(
  {
    sha256: described(located(text), 'SHA-256 of the upstream key: `printf %s "$KEY" | sha256sum`.'),
    agent: described(text, 'The agent that its calls are judged as.'),
    role: described(text, 'Their role.'),
    user: described(text, 'Their user.'),
    tenant: described(text, 'Their tenant.'),
    vouches: described(flag, 'True: the last user message of a request is what the user wrote. Default: it is what the agent says so.'),
  },
  { required: ['sha256'] },
)

const proxyField = record({
  listen: described(located(text), 'Where `countersign proxy` answers; default `127.0.0.1:7434`. `--listen` says otherwise for one run.'),
  upstreams: described(listOf(upstreamField), 'Model APIs behind the proxy. `--upstream` names one for one run.'),
  keys: described(listOf(keyField), 'Whom calls are judged as, by the key that their requests carry. It stands above what headers say.'),
  callers: described(
    oneOf(['anyone', 'known']),
    '`known`: only requests with a Countersign token or one of `keys`. Default `anyone`; on other addresses than loopback `known`.',
  ),
  answers: described(
    oneOf(['rewrite', 'strict', 'verbose']),
    'What clients get where a call may not run: text in its place (default), or 403 and 202 as Signet answers, without (`strict`) or with the reason.',
  ),
  uninspected: described(
    oneOf(['deny', 'ask']),
    'What becomes of a part of an answer that could hold a call and cannot be read: withheld (default), or a person is asked.',
  ),
  unseen: described(
    listOf(located(text)),
    'Paths whose answers are sent on without a look, such as `/v1/batches*`; each is counted. Default: none.',
  ),
  hold: described(
    located(text),
    'How long an answer waits for a person before it says that the call is pending; default `4m`, at most `9m`. Some clients wait less.',
  ),
})

export const modelProxy = section({
  fields: () => ({ model_proxy: described(proxyField, 'The proxy in front of model APIs (`countersign proxy`).') }),
  compile: (values, context): { modelProxy: ModelProxySection } => {
    const raw = values.model_proxy
    const listen = raw?.listen === undefined ? USUAL : listenOf(raw.listen, context, USUAL)
    return {
      modelProxy: {
        listen,
        upstreams: (raw?.upstreams ?? []).flatMap((each) => upstreamOf(each, context) ?? []),
        keys: (raw?.keys ?? []).flatMap((each) => keyOf(each, context) ?? []),
        callers: raw?.callers ?? (isLoopback(listen.host) ? 'anyone' : 'known'),
        answers: raw?.answers ?? 'rewrite',
        uninspected: raw?.uninspected ?? 'deny',
        unseen: (raw?.unseen ?? []).flatMap((path) => pathOf(path, context) ?? []),
        hold: durationOf(raw?.hold, { otherwise: 4 * MINUTE, most: 9 * MINUTE, context }),
      },
    }
  },
})

type RawUpstream = NonNullable<ReturnType<typeof upstreamField.read>>
type RawKey = NonNullable<ReturnType<typeof keyField.read>>

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function upstreamOf(raw: RawUpstream, context: CompileContext): Upstream | null {
  const url = raw.url === undefined ? null : parseUpstream(raw.url.value)
  if (raw.url !== undefined && url === null) {
    const help = 'write it as `https://api.openai.com`'
    const message = `\`${raw.url.value}\` is no address of a model API: https, or http on this machine, without query and credentials`
    context.reader.fail({ code: 'policy.wrong_value', message, help, at: raw.url.at })
  }
  const prefix = raw.prefix === undefined ? '' : prefixOf(raw.prefix, context)
  if (url === null || prefix === null) return null
  const key = raw.key_env === undefined ? null : { env: raw.key_env, header: raw.key_header ?? 'authorization' }
  return { prefix, url, key }
}

/** The address without a trailing slash; null for what is none, and for one that others could read on the way. */
export function parseUpstream(address: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
  return plain && safe ? `${url.origin}${url.pathname}`.replace(/\/$/, '') : null
}

function prefixOf({ value, at }: Located<string>, { reader }: CompileContext): string | null {
  if (/^(?:\/[A-Za-z0-9._~-]+)+$/.test(value) && value !== '/countersign') return value
  const message = `\`${value}\` is no prefix; \`/countersign\` is the proxy's own`
  reader.fail({ code: 'policy.wrong_value', message, help: 'write it as `/openai`', at })
  return null
}

function pathOf({ value, at }: Located<string>, { reader }: CompileContext): string | null {
  if (value.startsWith('/') && !value.startsWith('/*') && value.length > 1) return value
  reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no path`, help: 'write it as `/v1/batches*`', at })
  return null
}

function keyOf(raw: RawKey, { reader }: CompileContext): KeyHolder | null {
  if (raw.sha256 === undefined) return null
  const sha256 = raw.sha256.value.toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    const help = 'write what `printf %s "$KEY" | sha256sum` prints'
    reader.fail({ code: 'policy.wrong_value', message: 'this is no SHA-256', help, at: raw.sha256.at })
    return null
  }
  const { agent = null, role = null, user = null, tenant = null, vouches = false } = raw
  return { sha256, agent, role, user, tenant, vouches }
}
