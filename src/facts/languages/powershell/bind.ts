import { knownValue, scalars, type Value } from './value.ts'

/** Parameters of a cmdlet: names in any letter case, cut short as far as they stay clear, positions, splatting. */

/** What a cmdlet takes. Names in lower case. */
export interface Signature {
  /** Parameters by position. */
  readonly positional: readonly string[]
  /** Further parameters with a value. */
  readonly named?: readonly string[]
  readonly switches?: readonly string[]
}

/** One argument as it was written. */
export type Argument =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: Value | null }

const COMMON_SWITCHES = ['whatif', 'confirm', 'verbose', 'debug', 'passthru', 'asjob']
const COMMON_NAMED =
  'erroraction warningaction informationaction errorvariable outvariable outbuffer pipelinevariable encoding credential'.split(' ')
const SHORT: ReadonlyMap<string, string> = new Map([
  ['ea', 'erroraction'],
  ['wa', 'warningaction'],
  ['cf', 'confirm'],
  ['wi', 'whatif'],
  ['lp', 'literalpath'],
  ['pspath', 'literalpath'],
  ['cn', 'computername'],
])

export class Bound {
  private readonly signature: Signature
  private readonly values = new Map<string, Value>()
  private readonly switches = new Set<string>()
  /** Parameters that the signature does not know. */
  readonly unknown: string[] = []
  /** What came through the pipeline. */
  readonly input: Value | null

  constructor(signature: Signature, args: readonly Argument[], input: Value | null) {
    this.signature = signature
    this.input = input
    const positions: Value[] = []
    for (let at = 0; at < args.length; at++) {
      const item = args[at]
      if (item === undefined) continue
      if (item.kind === 'value') {
        if (item.value.table === null) positions.push(item.value)
        else for (const [name, value] of item.value.table) this.take(name, value, null)
      } else {
        const next = args[at + 1]
        const following = item.value === null && next?.kind === 'value' ? next.value : null
        if (this.take(item.name, item.value, following)) at++
      }
    }
    const free = signature.positional.filter((name) => !this.values.has(name))
    for (const [at, value] of positions.entries()) {
      const name = free[at]
      if (name !== undefined) this.values.set(name, value)
      else this.unknown.push('')
    }
  }

  /** Takes a parameter with the value attached to it or the one behind it; true where it used up that one. */
  private take(spelled: string, attached: Value | null, following: Value | null): boolean {
    const { signature } = this
    const given = SHORT.get(spelled) ?? spelled
    const named = [...signature.positional, ...(signature.named ?? [])]
    const switches = [...(signature.switches ?? []), ...COMMON_SWITCHES]
    const all = [...named, ...switches, ...COMMON_NAMED]
    const name = all.find((item) => item === given) ?? all.find((item) => item.startsWith(given))
    if (name === undefined) {
      this.unknown.push(given)
      return false
    }
    if (switches.includes(name)) {
      if (attached?.text?.toLowerCase() !== 'false') this.switches.add(name)
      return false
    }
    this.values.set(name, attached ?? following ?? knownValue(''))
    return attached === null && following !== null
  }

  get(name: string): Value | null {
    return this.values.get(name) ?? null
  }

  /** Every value of a parameter, arrays taken apart. */
  all(name: string): readonly Value[] {
    return scalars(this.get(name))
  }

  on(name: string): boolean {
    return this.switches.has(name)
  }

  /** Values of `path` or `literalpath`, else what came through the pipeline. */
  paths(): readonly Value[] {
    const given = [...this.all('path'), ...this.all('literalpath')]
    return given.length > 0 ? given : scalars(this.input)
  }
}
