/** The small syntax tree that PowerShell source is read into: as much of it as effects need. */

/** Part of an expandable string. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'script'; readonly script: Script }

export type Node =
  | { readonly kind: 'string'; readonly pieces: readonly Piece[]; readonly bare: boolean }
  | { readonly kind: 'variable'; readonly name: string }
  | {
      readonly kind: 'type'
      readonly name: string /** Blocks of an attribute: `[ValidateScript({ … })]`. */
      readonly blocks: readonly Script[]
    }
  | { readonly kind: 'block'; readonly script: Script }
  | { readonly kind: 'group'; readonly script: Script }
  | { readonly kind: 'table'; readonly entries: readonly (readonly [string, Script])[] }
  | { readonly kind: 'member'; readonly of: Node; readonly name: string; readonly args: readonly Script[] | null }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: Node | null }

export interface Stage {
  /** `&` calls, `.` calls in this scope, empty where neither stands there. */
  readonly invoke: '' | '&' | '.'
  /** A value is worked out: no command name comes first. */
  readonly expression: boolean
  readonly nodes: readonly Node[]
  /** Files that get the output. */
  readonly redirects: readonly { readonly to: Node; readonly append: boolean }[]
}

export type Statement =
  | { readonly kind: 'pipeline'; readonly stages: readonly Stage[] }
  | { readonly kind: 'assign'; readonly name: string | null; readonly value: Script }
  | { readonly kind: 'flow'; readonly keyword: string; readonly parts: readonly Script[]; readonly loop: string | null }
  | { readonly kind: 'function'; readonly name: string; readonly body: Script }

export type Script = readonly Statement[]
