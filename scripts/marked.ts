/** Documents with a part that a script writes. */

/** The text with what stands between `<!-- name: begin -->` and `<!-- name: end -->` replaced. @throws {Error} where those are missing. */
export function markedText(text: string, name: string, part: string): string {
  const [opening, closing] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [begin, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (begin < 0 || end < begin) throw new Error(`the document has no place for this: it needs \`${opening}\` and \`${closing}\``)
  return `${text.slice(0, begin + opening.length)}\n\n${part}\n\n${text.slice(end)}`
}
