/** Contracts: what the arguments of a tool must be, from `tool-contracts.json`, from the policy, and from schemas of the tools. */
import { ENFORCEMENTS, type Enforcement } from '../../core/verdict.ts'
import { type ContractContext, compileContract, contractField } from '../contracts/contract-field.ts'
import { indexContracts, isPattern } from '../contracts/index-contracts.ts'
import { lintContracts } from '../contracts/lint.ts'
import type { Contract, ContractsSection } from '../contracts/model.ts'
import { compileProviders, providersField } from '../contracts/provider-field.ts'
import { compileTables, tablesField } from '../contracts/table-field.ts'
import { documentOf } from '../document.ts'
import { described, flag, type Located, listOf, located, mapOf, oneOf, Reader, text, type YamlNode } from '../fields.ts'
import { compileToolPattern } from '../glob.ts'
import { record } from '../record.ts'
import { type CompileContext, section } from '../section.ts'
import { PolicySource } from '../source.ts'

const schemasField = record({
  check: described(flag, 'False: schemas of tools are not looked at; default true.'),
  unknown_arguments: described(
    oneOf(['violation', 'ignore']),
    'What an argument is that the schema does not name and does not settle; default `violation`.',
  ),
  enforcement: described(oneOf(ENFORCEMENTS), 'Level of violations of schemas; default that of the section.'),
})

/** A key with `*` or `?` is a pattern; one that cannot be compiled is an error. */
const toolsField = mapOf(contractField, (name) => {
  if (!isPattern(name)) return null
  try {
    compileToolPattern(name, { strict: false })
    return null
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown reason'
    return { code: 'policy.pattern', message: `this pattern cannot be compiled: ${detail}` }
  }
})

const contractsField = record({
  files: described(listOf(located(text)), 'Contract files in the format of Role OS, by path from the directory of this file.'),
  enforcement: described(oneOf(ENFORCEMENTS), '`advisory` flags and tells the agent, `soft` asks, `hard` denies; default `advisory`.'),
  schemas: described(schemasField, "The tools' own JSON Schemas: of the call's definition, and `input_schema` under `tools`."),
  state: tablesField,
  providers: providersField,
  tools: described(toolsField, 'Contracts by tool: exact name, `server/name`, or a pattern with `*` and `?`.'),
})

export const contracts = section({
  fields: () => ({ contracts: described(contractsField, 'What the arguments of a tool must be, and how they must relate.') }),
  compile: (values, context): { contracts: ContractsSection } => {
    const written = values.contracts
    const enforcement = written?.enforcement ?? 'advisory'
    const own = compileAll(written?.tools ?? new Map(), { reader: context.reader, enforcement, warn: context.warn })
    const all = [...(written?.files ?? []).flatMap((file) => fromFile(file, enforcement, context)), ...own]
    const result: ContractsSection = {
      all,
      forTool: indexContracts(all),
      schemas: {
        check: written?.schemas?.check ?? true,
        enforcement: written?.schemas?.enforcement ?? enforcement,
        unknownArguments: written?.schemas?.unknown_arguments ?? 'violation',
      },
      tables: compileTables(written?.state ?? new Map(), context),
      providers: compileProviders(written?.providers ?? new Map(), context),
    }
    if (context.reader.errors.length === 0) context.report(lintContracts(result, context.registry))
    return { contracts: result }
  },
})

type RawContracts = NonNullable<ReturnType<(typeof toolsField)['read']>>

function compileAll(tools: RawContracts, context: ContractContext): readonly Contract[] {
  return [...tools].map(([tool, raw]) => compileContract(tool, raw, context))
}

/** A file that cannot be read or understood makes the whole policy an error: a contract that is missing protects nothing. */
function fromFile(file: Located<string>, enforcement: Enforcement, context: CompileContext): readonly Contract[] {
  const { reader, options } = context
  const read = options.readFile?.(file.value) ?? { problem: 'files cannot be read here' }
  if ('problem' in read) {
    const message = `the contract file \`${file.value}\` cannot be read: ${read.problem}`
    reader.fail({ code: 'policy.contract_file', message, help: 'paths are relative to the directory of the policy', at: file.at })
    return []
  }
  const source = new PolicySource(read.text, file.value)
  const inner = new Reader(source)
  const document = documentOf(inner, { noun: 'a contract file', example: 'a contract file maps names of tools to contracts' })
  const whole = { start: 0, end: 1 }
  const root = document?.contents as YamlNode
  const tools = document === null ? undefined : toolsField.read(root, inner, whole)
  const warn: ContractContext['warn'] = (code, message, at) =>
    context.report([{ code, message, path: file.value, ...source.place(at.start) }])
  const contracts = tools === undefined ? [] : compileAll(tools, { reader: inner, enforcement, warn })
  reader.errors.push(...inner.errors)
  return contracts
}
