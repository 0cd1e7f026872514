/** A contract file as text → contracts, or every error in it: the format of Role OS's `tool-contracts.json`, and what goes beyond it. */
import type { Enforcement } from '../../core/verdict.ts'
import type { PolicyError } from '../errors.ts'
import { compileToolPattern } from '../glob.ts'
import type { PolicyWarning } from '../policy.ts'
import { documentOf } from '../reading/document.ts'
import { type Field, mapOf, Reader, type YamlNode } from '../reading/fields.ts'
import { PolicySource } from '../reading/source.ts'
import { type ContractContext, compileContract, contractField } from './contract-field.ts'
import { isPattern } from './index-contracts.ts'
import type { Contract } from './model.ts'

type RawContracts = ReadonlyMap<string, NonNullable<ReturnType<(typeof contractField)['read']>>>

/** Contracts by tool; a key with `*` or `?` is a pattern, and one that cannot be compiled is an error. */
export const toolsField: Field<RawContracts> = mapOf(contractField, (name) => {
  if (!isPattern(name)) return null
  try {
    compileToolPattern(name, { strict: false })
    return null
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown reason'
    return { code: 'policy.pattern', message: `this pattern cannot be compiled: ${detail}` }
  }
})

/** Every contract of a mapping that was read. */
export function compileAll(tools: RawContracts, context: ContractContext): readonly Contract[] {
  return [...tools].map(([tool, raw]) => compileContract(tool, raw, context))
}

export interface Catalogue {
  readonly contracts: readonly Contract[]
  readonly errors: readonly PolicyError[]
  readonly warnings: readonly PolicyWarning[]
}

/** Reads a contract file. @param path as it is to be called in errors. */
export function readCatalogue(text: string, path: string, enforcement: Enforcement): Catalogue {
  const source = new PolicySource(text, path)
  const reader = new Reader(source)
  const warnings: PolicyWarning[] = []
  const document = documentOf(reader, { noun: 'a contract file', example: 'a contract file maps names of tools to contracts' })
  const tools = document === null ? undefined : toolsField.read(document.contents as YamlNode, reader, { start: 0, end: 1 })
  const warn: ContractContext['warn'] = (code, message, at) => warnings.push({ code, message, path, ...source.place(at.start) })
  const contracts = tools === undefined ? [] : compileAll(tools, { reader, enforcement, warn })
  return { contracts, errors: reader.errors, warnings }
}
