/** All sections of the policy file in one table: a new section is one file and one line here. */
import type { JsonObject } from '../core/json.ts'
import { authorization } from './authorization/section.ts'
import { baseline } from './baseline/section.ts'
import { flow } from './flow/section.ts'
import { hooks } from './hooks/section.ts'
import { outcome } from './outcome/section.ts'
import { preview } from './preview/section.ts'
import { mcpProxy } from './proxies/mcp-section.ts'
import { modelProxy } from './proxies/model-section.ts'
import type { Field } from './reading/fields.ts'
import { type Fields, type Recorded, record } from './reading/record.ts'
import { risk } from './risk/section.ts'
import type { Vocabulary } from './section.ts'
import { approvals } from './sections/approvals.ts'
import { audit } from './sections/audit.ts'
import { capabilities } from './sections/capabilities.ts'
import { contracts } from './sections/contracts.ts'
import { disclosure } from './sections/disclosure.ts'
import { general } from './sections/general.ts'
import { guards } from './sections/guards.ts'
import { hazards } from './sections/hazards.ts'
import { judges } from './sections/judges.ts'
import { limits } from './sections/limits.ts'
import { registry } from './sections/registry.ts'
import { roles } from './sections/roles.ts'
import { rules } from './sections/rules.ts'
import { server } from './sections/server.ts'
import { tests } from './sections/tests.ts'
import { sequences } from './sequences/section.ts'
import { undo } from './undo/section.ts'

/** In the order of the file; the registry comes before what is typed against it. */
export const SECTIONS = [
  general,
  registry,
  contracts,
  rules,
  capabilities,
  roles,
  hazards,
  guards,
  judges,
  flow,
  authorization,
  sequences,
  baseline,
  risk,
  disclosure,
  approvals,
  outcome,
  preview,
  undo,
  hooks,
  server,
  modelProxy,
  mcpProxy,
  audit,
  limits,
  tests,
] as const

/** The whole file as one field. */
export function policyField(vocabulary: Vocabulary): Field<Recorded<Fields>> {
  const fields: Fields = Object.assign({}, ...SECTIONS.map((each) => each.fields(vocabulary)))
  return record(fields, { required: ['version'], expects: 'a mapping that starts with `version: 1`' })
}

/** JSON Schema (2020-12) of the policy file, for editors; the compiler checks more than a schema can say. */
export function policySchema(vocabulary: Vocabulary): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Countersign policy',
    ...policyField(vocabulary).schema,
  }
}
