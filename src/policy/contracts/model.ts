/** What a contract is once it is compiled: parameters (L1–L3), relations (L4), and the state that relations may refer to. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { Condition } from '../condition.ts'
import type { Path } from './path.ts'

export const PARAM_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

export const FORMATS = ['date', 'date-time', 'currency'] as const
export type Format = (typeof FORMATS)[number]

/** What a value must be, as far as it says anything. */
export interface ValueRule {
  /** Empty: any type. */
  readonly types: readonly ParamType[]
  readonly enum: readonly Json[] | null
  readonly min: number | null
  readonly max: number | null
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly minItems: number | null
  readonly maxItems: number | null
  readonly pattern: { readonly text: string; readonly test: (value: string) => boolean } | null
  readonly format: Format | null
  /** Parameters of an object. */
  readonly fields: readonly Param[]
  /** Every item of an array. */
  readonly items: ValueRule | null
}

export interface Param extends ValueRule {
  readonly name: string
  readonly required: boolean
}

export const COMPARISONS = ['lt', 'le', 'gt', 'ge', 'eq', 'ne'] as const
export type Comparison = (typeof COMPARISONS)[number]

export type Fold = 'len' | 'chars' | 'sum' | 'count' | 'min' | 'max' | 'keys' | 'values' | 'date'
export type Arithmetic = 'add' | 'sub' | 'mul'

/** Where a value comes from. Every operand may turn out undefined; what needs it then defers. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'field'; readonly path: Path }
  | { readonly kind: 'state'; readonly key: string; readonly of: Operand | null; readonly path: Path | null }
  | { readonly kind: Fold; readonly of: Operand }
  | { readonly kind: Arithmetic; readonly of: readonly Operand[] }
  | { readonly kind: 'money'; readonly amount: Operand; readonly currency: Operand }
  | { readonly kind: 'now' }

export type Relation =
  | { readonly kind: 'cmp'; readonly op: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'sum'; readonly op: Comparison; readonly of: Path | readonly Path[]; readonly vs: Operand }
  | { readonly kind: 'present'; readonly fields: readonly Path[]; readonly count: number }
  | { readonly kind: 'requires'; readonly when: Antecedent; readonly require: readonly Path[] }
  | { readonly kind: 'distinct'; readonly fields: readonly Path[] }
  | { readonly kind: 'member'; readonly field: Operand; readonly in: Operand }
  | { readonly kind: 'char_at'; readonly string: Path; readonly index: Operand; readonly equals: Operand; readonly offset: number }
  | { readonly kind: 'matches'; readonly field: Operand; readonly pattern: string; readonly test: (value: string) => boolean }
  | { readonly kind: 'subset'; readonly of: Operand; readonly in: Operand }
  | { readonly kind: 'unique'; readonly of: Operand }
  | { readonly kind: 'known'; readonly of: Operand }
  | { readonly kind: 'unknown'; readonly of: Operand }
  | { readonly kind: 'any'; readonly relations: readonly Relation[] }
  | { readonly kind: 'cel'; readonly holds: string; readonly condition: Condition }

export interface Antecedent {
  readonly field: Path
  /** How the field must stand for the rule to apply; `presence`: it is there at all. */
  readonly test: { readonly equals: Json } | { readonly in: readonly Json[] } | 'presence'
}

export interface Place {
  readonly path: string | null
  readonly line: number
  readonly column: number
}

export interface Constraint {
  /** Its own `id`, else its kind and place: `cmp[0]`. */
  readonly id: string
  readonly relation: Relation
  /** Null: it always applies. */
  readonly guard: Condition | null
  readonly enforcement: Enforcement | null
  /** For the operator; empty where the contract gives none. */
  readonly reason: string
  /** For the agent instead of the text of the violation. */
  readonly advice: string | null
  readonly place: Place
}

export interface Contract {
  /** The tool as written: `name`, `server/name` or `mcp__server__name`. */
  readonly tool: string
  /** What the tool asks of its callers, in words; null where nothing is said. */
  readonly words: string | null
  readonly params: readonly Param[]
  /** True where an argument without a parameter is a violation. */
  readonly closed: boolean
  readonly constraints: readonly Constraint[]
  /** The level of every violation whose constraint has none of its own. */
  readonly enforcement: Enforcement
  /** State that stands in the file; what the session knows outweighs it. Prose is null. */
  readonly state: JsonObject | null
  readonly place: Place
}

/** One way in which a table of the session's state is filled from what a tool returned. */
export interface TableSource {
  /** Exact names or `server/name`. */
  readonly tools: ReadonlySet<string>
  /** The list inside the result of which every item is an entry; null: the result is one entry. */
  readonly each: Path | null
  /** Where the key stands (`args…`, `result…`, `item…`); null: the table is a single value. */
  readonly key: Path | null
  readonly value: Path | { readonly literal: Json }
  /** Only text values that match are kept. */
  readonly matches: ((value: string) => boolean) | null
}

export interface Table {
  readonly name: string
  readonly keyed: boolean
  readonly sources: readonly TableSource[]
}

/** A lookup outside, made before the layers run; its answer is a state key of its own. */
export interface ProviderBinding {
  readonly name: string
  /** Tools whose calls it is asked for. */
  readonly tools: readonly string[]
  /** Both null: the host program hands it in under this name. */
  readonly http: HttpLookup | null
  readonly sql: SqlLookup | null
  readonly timeoutMs: number
}

export interface HttpLookup {
  /** The parts of the address between which arguments stand, percent-encoded. */
  readonly parts: readonly string[]
  readonly args: readonly Path[]
  /** Header names with their values, taken from the environment when the policy was loaded. */
  readonly headers: ReadonlyMap<string, string>
}

export interface SqlLookup {
  /** A SQLite file as the policy names it; null: PostgreSQL. */
  readonly file: string | null
  /** Address of a PostgreSQL server; null where its variable is not set, or for a file. */
  readonly url: string | null
  /** The parts of the query between which arguments are bound. */
  readonly parts: readonly string[]
  readonly args: readonly Path[]
}

/** How a tool's own JSON Schema is treated. */
export interface SchemaChecks {
  readonly check: boolean
  readonly enforcement: Enforcement
  /** What an argument is that the schema does not name, where the schema does not settle it. */
  readonly unknownArguments: 'violation' | 'ignore'
}

export interface ContractsSection {
  /** Every contract for the tool, in the order of loading; constant time. */
  readonly forTool: (server: string | null, name: string) => readonly Contract[]
  readonly all: readonly Contract[]
  readonly schemas: SchemaChecks
  readonly tables: readonly Table[]
  readonly providers: readonly ProviderBinding[]
}
