/** Text of a policy file → compiled policy, or every error in it. Nothing is ignored, nothing is guessed (T42, PIT-1). */
import { createDigester } from '../core/digest.ts'
import type { PolicyError } from './errors.ts'
import { lintPolicy } from './lint.ts'
import type { Policy, PolicyWarning } from './policy.ts'
import { parseDocument } from './reading/document.ts'
import { Reader, type YamlNode } from './reading/fields.ts'
import { json } from './reading/json-field.ts'
import { PolicySource } from './reading/source.ts'
import { policyField, SECTIONS } from './schema.ts'
import type { Stated } from './scopes/model.ts'
import type { CompileContext, CompileOptions, FileText } from './section.ts'

export type { CompileOptions } from './section.ts'

export type CompileResult = { readonly ok: true; readonly policy: Policy } | { readonly ok: false; readonly errors: readonly PolicyError[] }

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void ? I : never
type Sections = Intersection<ReturnType<(typeof SECTIONS)[number]['compile']>>

/** Reads, checks and compiles a policy. Errors come in the order of the file. */
export function compilePolicy(text: string, given: CompileOptions): CompileResult {
  const kept = given.kept?.find(text, given) ?? null
  if (kept !== null) return { ok: true, policy: kept }
  const { options, asked } = watchingEnvironment(given)
  const source = new PolicySource(text, options.path)
  const reader = new Reader(source)
  const document = parseDocument(reader)
  const root = document?.contents as YamlNode
  const whole = { start: 0, end: 1 }
  const values = document === null ? undefined : policyField(options.vocabulary).read(root, reader, whole)
  if (values === undefined || reader.errors.length > 0) return failed(reader)
  const warnings: PolicyWarning[] = []
  const named = new Map<string, FileText>()
  const sections = compileSections(values, { reader, options: rememberFiles(options, named), warnings })
  const canonical = json.read(root, reader, whole)
  if (reader.errors.length > 0 || canonical === undefined) return failed(reader)
  const everything = named.size === 0 ? canonical : { policy: canonical, files: Object.fromEntries(named) }
  const digest = createDigester(options.sha256).digest('countersign/policy/v1', everything)
  const policy: Policy = { ...sections, digest, path: options.path, files: [...named.keys()], warnings, stated: statedIn(values) }
  const result = { ...policy, warnings: [...warnings, ...lintPolicy(policy)] }
  // What variables say is a secret, and changes without the file.
  if (!asked()) given.kept?.keep(text, result, named)
  return { ok: true, policy: result }
}

function watchingEnvironment(options: CompileOptions): { readonly options: CompileOptions; readonly asked: () => boolean } {
  const { env } = options
  let asked = false
  if (env === undefined) return { options, asked: () => asked }
  const watched = (name: string): string | undefined => {
    asked = true
    return env(name)
  }
  return { options: { ...options, env: watched }, asked: () => asked }
}

/** What the file itself says, where saying nothing has a default. */
function statedIn({ hazards, guards, contracts, flow, risk }: NonNullable<ReturnType<ReturnType<typeof policyField>['read']>>): Stated {
  const { packs, enforcement, rules, written } = (hazards ?? {}) as Readonly<Record<'packs' | 'enforcement' | 'rules' | 'written', unknown>>
  const { unicode } = (guards ?? {}) as { unicode?: unknown }
  return {
    hazards: [packs, enforcement, written].some((each) => each !== undefined) ? 'packs' : rules === undefined ? 'nothing' : 'named',
    schemas: contracts !== undefined,
    unicode: unicode !== undefined,
    askAt: (flow as { ask_at?: unknown } | undefined)?.ask_at !== undefined,
    flagAt: (risk as { flag_at?: unknown } | undefined)?.flag_at !== undefined,
  }
}

/** Every file is read once, so that what is enforced is what the digest is over. */
function rememberFiles(options: CompileOptions, named: Map<string, FileText>): CompileOptions {
  const { readFile } = options
  if (readFile === undefined) return options
  return {
    ...options,
    readFile: (name) => {
      const known = named.get(name) ?? readFile(name)
      named.set(name, known)
      return known
    },
  }
}

interface Compilation {
  readonly reader: Reader
  readonly options: CompileOptions
  readonly warnings: PolicyWarning[]
}

function compileSections(values: object, { reader, options, warnings }: Compilation): Sections {
  const sections: Partial<Sections> = {}
  for (const each of SECTIONS) {
    const context: CompileContext = {
      reader,
      options,
      registry: sections.registry ?? null,
      judges: sections.judges ?? null,
      warn: (code, message, at) => warnings.push({ code, message, ...reader.source.place(at.start) }),
      report: (more) => warnings.push(...more),
    }
    // The root record read every field with the very `Field` that the section declares.
    Object.assign(sections, each.compile(values as never, context))
  }
  return sections as Sections
}

function failed(reader: Reader): CompileResult {
  return { ok: false, errors: reader.errors.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}
