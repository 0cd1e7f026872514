/** The form of an authorisation graph, for whoever writes one: a JSON Schema (2020-12). What it cannot say, `parse.ts` checks. */
import type { JsonObject } from '../../core/json.ts'
import { GRAPH_LIMITS } from './model.ts'

const TEXT: JsonObject = { type: 'string', minLength: 1, maxLength: GRAPH_LIMITS.text }

const SAYS: JsonObject = {
  type: 'object',
  properties: { says: { ...TEXT, description: 'the value, exactly as the request has it' } },
  required: ['says'],
  additionalProperties: false,
}

const FROM: JsonObject = {
  type: 'object',
  properties: {
    from: { ...TEXT, description: 'the tool whose result holds the value' },
    field: { ...TEXT, description: 'the field of that result; left out: any field' },
    place: { ...TEXT, description: 'what that tool is called for, exactly as the request has it: a file, an address, a name' },
  },
  required: ['from'],
  additionalProperties: false,
}

const PERMIT: JsonObject = {
  type: 'object',
  properties: {
    tool: { ...TEXT, description: 'a tool of the list' },
    arguments: {
      type: 'object',
      maxProperties: GRAPH_LIMITS.arguments,
      additionalProperties: { type: 'array', minItems: 1, maxItems: GRAPH_LIMITS.origins, items: { anyOf: [SAYS, FROM] } },
      description: 'where the value of each argument may come from; an argument that is left out may only hold what the request names',
    },
    reason: { ...TEXT, description: 'which words of the request ask for it' },
  },
  required: ['tool'],
  additionalProperties: false,
}

export const GRAPH_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Countersign authorisation graph',
  type: 'object',
  properties: {
    version: { const: 1 },
    permits: { type: 'array', maxItems: GRAPH_LIMITS.permits, items: PERMIT },
  },
  required: ['version', 'permits'],
  additionalProperties: false,
}
