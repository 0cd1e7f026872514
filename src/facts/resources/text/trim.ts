/** The text without a run of `character` at its end. Linear, which an expression that ends in `+$` is not. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
