/** What the policy says of the proxy between MCP clients and servers. */

/** Risk levels up to which the person at a client may be asked. */
export const ELICITING = ['none', 'low', 'medium', 'high'] as const

/** Findings in results, by the names of their rules. */
export const WITHHELD = ['canary', 'hidden', 'secret', 'response-size'] as const

export interface McpProxySection {
  /** What becomes of a result that could not be inspected. */
  readonly uninspected: 'block' | 'pass'
  /** Milliseconds that a call waits for people at most. */
  readonly hold: number
  readonly elicit: (typeof ELICITING)[number]
  /** True: tools that would be denied whatever their arguments are left out of lists. */
  readonly hide: boolean
  readonly withhold: ReadonlySet<string>
  /** Null: certificates say nothing. */
  readonly certificates: CertificateCallers | null
}

/** Who calls, by the certificate that a program in front of the proxy has checked. */
export interface CertificateCallers {
  /** In small letters. */
  readonly header: string
  /** Where that program sends from; nobody else's header counts. */
  readonly from: readonly { readonly address: string; readonly prefix: number }[]
  readonly holders: readonly CertificateHolder[]
}

export interface CertificateHolder {
  /** As it stands in the header. */
  readonly subject: string
  readonly agent: string | null
  readonly role: string | null
  readonly user: string | null
  readonly tenant: string | null
}
