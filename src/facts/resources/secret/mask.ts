/** What stands where a secret was, and how it is known again: masking what is masked must change nothing. */

/** What every mask begins with; the name of its rule follows. */
export const MASK_START = '[redacted '

const MASK = /\[redacted [a-z-]+(?: [0-9a-f]{1,64})?\]/y

/** `[redacted rule]`, or `[redacted rule digest]`. */
export function maskFor(rule: string, digest: string | null): string {
  return digest === null ? `[redacted ${rule}]` : `[redacted ${rule} ${digest}]`
}

/** Length of the mask that starts at `at`, or 0. Exact: a secret that merely begins like a mask is no mask. */
export function maskLength(text: string, at: number): number {
  MASK.lastIndex = at
  return MASK.test(text) ? MASK.lastIndex - at : 0
}

/** The text without its masks: they name rules (`github-token`), which says nothing of what stands beside them. */
export function withoutMasks(text: string): string {
  return withMasksAs(text, '')
}

/** The text with something else in the place of each mask, such as one word where a mask would be several. */
export function withMasksAs(text: string, other: string): string {
  return text.replace(/\[redacted [a-z-]+(?: [0-9a-f]{1,64})?\]/g, () => other)
}
