/** The importers by the names of what they read, and a policy as text. */
import { Document } from 'yaml'
import { importAegis } from './aegis.ts'
import { importFullsend } from './fullsend.ts'
import type { Importer, Migrated } from './migrated.ts'
import type { Note } from './notes.ts'
import { importPromptise } from './promptise.ts'
import { importRoleOs } from './role-os.ts'
import { importSignet } from './signet.ts'

export { NothingToImport } from './migrated.ts'
export type { Note } from './notes.ts'
export { UnreadableSource } from './source.ts'

export const IMPORTERS: ReadonlyMap<string, Importer> = new Map([
  ['signet', importSignet],
  ['role-os', importRoleOs],
  ['fullsend', importFullsend],
  ['aegis', importAegis],
  ['promptise', importPromptise],
])

/** `file:12: setting: what became of it`, on one line. */
export function noteLine({ place, setting, text, kind }: Note): string {
  return oneLine(`${place.path}:${place.line}: ${setting}: ${kind === 'left' ? 'not carried over' : 'differs'}: ${text}`)
}

/** The policy as a file, with what was not carried over at its head, so that whoever reads it later knows. */
export function policyText(seed: string, { policy, notes }: Migrated): string {
  const document = new Document(policy, { version: '1.2' })
  const head = notes.length === 0 ? [] : ['What stays behind or holds differently:', ...notes.map((note) => `- ${noteLine(note)}`)]
  document.commentBefore = [`Imported from ${seed} by \`countersign import ${seed}\`. Read it before it is in force.`, ...head]
    .map((line) => ` ${line}`)
    .join('\n')
  return document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true, singleQuote: null })
}

/** Text of a configuration may hold anything; a comment and a terminal line hold one line of what can be seen. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, ' ')
}
