import type { Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import type { Bound, Signature } from './bind.ts'
import type { Script } from './tree.ts'
import type { Value } from './value.ts'

/** What cmdlets and methods may ask of the script that runs them. */

/** What a program gets besides its words. */
export interface Native {
  readonly input?: Value | null
  /** The words are paths: `*` stands for many names. */
  readonly paths?: boolean
}

export interface Session {
  /** Where effects go; another one after the directory changed. */
  context: CommandContext
  readonly span: Span
  readonly aliases: Map<string, string>
  /** Runs a program with these words. */
  native(name: string, words: readonly Value[], given?: Native): Value
  /** Runs a block on what comes through the pipeline. */
  block(script: Script, input: Value | null): Value
  /** Runs text as PowerShell: known text is read, unknown text is said to be what it is. */
  run(value: Value): Value
}

export interface Cmdlet {
  readonly signature: Signature
  /** Emits what the cmdlet does; the value is what it hands on. */
  run(bound: Bound, walk: Session): Value
}
