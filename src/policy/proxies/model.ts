/** What the policy says of the proxy that stands in front of model APIs. */
import type { Listening } from '../policy.ts'

export interface ModelProxySection {
  readonly listen: Listening
  /** The longest prefix that fits a path counts. */
  readonly upstreams: readonly Upstream[]
  /** Whom calls are judged as, by the upstream key that their requests carry. */
  readonly keys: readonly KeyHolder[]
  /** Whether whoever asks must be known, by a token or one of `keys`. */
  readonly callers: 'known' | 'anyone'
  /** Text in place of a call that may not run; or Signet's statuses and bodies, with or without the reason. */
  readonly answers: 'rewrite' | 'strict' | 'verbose'
  /** What becomes of a part of an answer that could hold a call and cannot be read; never an allow. */
  readonly uninspected: 'deny' | 'ask'
  /** Paths whose answers are sent on unseen; `*` stands for any characters. */
  readonly unseen: readonly string[]
  /** Milliseconds that an answer waits for a person before it says that the call is pending; 0: not at all. */
  readonly hold: number
}

export interface Upstream {
  /** Empty, or begins with a slash and ends without one. It is not part of the path that is sent on. */
  readonly prefix: string
  /** Without a trailing slash; its path comes before the path of the request. */
  readonly url: string
  /** The key that is added, where the proxy is told to: only for callers that are known. */
  readonly key: { readonly env: string; readonly header: string } | null
}

export interface KeyHolder {
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  readonly sha256: string
  readonly agent: string | null
  readonly role: string | null
  readonly user: string | null
  readonly tenant: string | null
  /** True: the last user message of its requests is taken for the user's own words. */
  readonly vouches: boolean
}
