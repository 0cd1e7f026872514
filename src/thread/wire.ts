/** What goes between a thread and who started it. Only what can be copied: no functions, no classes. */
import { StoreError, type StoreFault } from '../store/store.ts'

export interface Asked {
  readonly id: number
  readonly task: string
  readonly input: unknown
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failure: Failure }

/** An error in a form that can be copied. */
export interface Failure {
  readonly message: string
  /** Of a `StoreError`; null for any other. */
  readonly fault: StoreFault | null
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { message, fault: error instanceof StoreError ? error.fault : null }
}

export function errorOf({ message, fault }: Failure): Error {
  return fault === null ? new Error(message) : new StoreError(fault, message)
}
