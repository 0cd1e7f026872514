/** The canonical form of a policy file: keys in the order of the schema, two spaces, comments kept. */
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { type Field, keyText, type YamlNode } from './reading/fields.ts'
import { policyField } from './schema.ts'
import type { Vocabulary } from './section.ts'

/** No names of other rooms are needed to order keys. */
const NO_NAMES: Vocabulary = { families: [], packs: new Map(), hazards: [], layers: [] }

/**
 * Formats a policy. Keys that the schema does not know stay behind those it knows; values are not touched.
 * @throws {SyntaxError} where the text is not one YAML document.
 */
export function formatPolicy(text: string): string {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) throw new SyntaxError(`the policy cannot be formatted: ${error.message}`)
  sort(document.contents as YamlNode, policyField(NO_NAMES))
  return document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true, singleQuote: null })
}

function sort(node: YamlNode, field: Field<unknown> | undefined): void {
  if (field === undefined) return
  if (isSeq(node)) {
    for (const item of node.items) sort(item as YamlNode, field.inner)
    return
  }
  if (!isMap(node)) return
  for (const pair of node.items) sort(pair.value as YamlNode, field.fields?.get(keyText(pair)) ?? field.inner)
  if (field.fields !== undefined) sortKeys(node, [...field.fields.keys()])
}

function sortKeys(node: YAMLMap, order: readonly string[]): void {
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const first = node.items[0]?.key
  node.items = node.items.toSorted((a, b) => rank(keyText(a)) - rank(keyText(b)))
  // The parser gives a comment above the first key to the map; it goes where its key goes.
  if (isScalar(first) && first !== node.items[0]?.key && node.commentBefore) {
    first.commentBefore = node.commentBefore
    node.commentBefore = null
  }
}
