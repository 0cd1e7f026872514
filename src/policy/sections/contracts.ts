/** Contracts: what the arguments of a tool must be, from `tool-contracts.json`, from the policy, and from schemas of the tools. */
import { ENFORCEMENTS, type Enforcement } from '../../core/verdict.ts'
import { compileAll, readCatalogue, toolsField } from '../contracts/catalogue.ts'
import { indexContracts } from '../contracts/index-contracts.ts'
import { lintContracts } from '../contracts/lint/lint.ts'
import type { Contract, ContractsSection } from '../contracts/model.ts'
import { compileProviders, providersField } from '../contracts/provider-field.ts'
import { compileTables, tablesField } from '../contracts/table-field.ts'
import { lintToolName } from '../lint/tools.ts'
import { described, flag, type Located, listOf, located, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'

const schemasField = record({
  check: described(flag, 'False: schemas of tools are not looked at; default true.'),
  unknown_arguments: described(
    oneOf(['violation', 'ignore']),
    'What an argument is that the schema does not name and does not settle; default `violation`.',
  ),
  enforcement: described(oneOf(ENFORCEMENTS), 'Level of violations of schemas; default that of the section.'),
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
    for (const [value, { at }] of written?.tools ?? []) lintToolName({ value, at }, context)
    if (context.reader.errors.length === 0) context.report(lintContracts(result, context.registry))
    return { contracts: result }
  },
})

/** A file that cannot be read or understood makes the whole policy an error: a contract that is missing protects nothing. */
function fromFile(file: Located<string>, enforcement: Enforcement, { reader, options, report }: CompileContext): readonly Contract[] {
  const read = options.readFile?.(file.value) ?? { problem: 'files cannot be read here' }
  if ('problem' in read) {
    const message = `the contract file \`${file.value}\` cannot be read: ${read.problem}`
    reader.fail({ code: 'policy.contract_file', message, help: 'paths are relative to the directory of the policy', at: file.at })
    return []
  }
  const { contracts: found, errors, warnings } = readCatalogue(read.text, file.value, enforcement)
  reader.errors.push(...errors)
  report(warnings)
  return found
}
