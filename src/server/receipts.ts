/** Signs receipts for callers that ask for them. The key is read when the first one is signed. */
import { issueReceipt, type ReceiptKey } from '../audit/receipt.ts'
import { receiptKey, receiptKeys } from '../audit/receipt-key.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject } from '../core/json.ts'
import { digester } from '../open.ts'
import type { Reply } from './reply.ts'

export interface Receipts {
  /** The reply with the receipt of the decision, in a header and in the body. */
  readonly signed: (reply: Reply, decision: Decision) => Reply
  /** PEM of the public key; the first call makes one. */
  readonly publicKey: () => string
}

export function createReceipts(home: string, now: () => number): Receipts {
  let key: ReceiptKey | null = null
  const current = (): ReceiptKey => {
    key ??= receiptKey(home)
    return key
  }
  return {
    signed: (reply, decision) => {
      const receipt = issueReceipt(decision, now(), { key: current(), digester })
      if (receipt === null || !isJsonObject(reply.body)) return reply
      return { ...reply, body: { ...reply.body, receipt }, headers: { ...reply.headers, 'x-signet-receipt': receipt } }
    },
    publicKey: () => {
      current()
      return receiptKeys(home)[0] ?? ''
    },
  }
}
