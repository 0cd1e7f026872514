/** The tools of the peer server, under the names that the conformance suite calls. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { audio, image, resource, text } from './offered.ts'

type Block = typeof image | typeof audio | ReturnType<typeof text> | ReturnType<typeof resource>
type Result = { content: Block[]; isError?: boolean } | InputRequiredResult
export type Run = (args: Readonly<Record<string, unknown>>, context: ServerContext, keep: Keep) => Promise<Result>

/** What a tool may do to the server around it. */
export interface Keep {
  readonly mint: (step: number) => Promise<string>
  readonly changed: (kind: 'tools' | 'prompts') => void
}

const say = async (...content: Block[]): Promise<Result> => ({ content })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const form = (message: string, properties: Readonly<Record<string, object>>, required: readonly string[] = Object.keys(properties)) => ({
  message,
  requestedSchema: { type: 'object', properties, required } as never,
})
const string = { type: 'string' }

/** Without the keys that the era or the client rules out, nothing is asked. */
const ELICITED: Readonly<Record<string, ReturnType<typeof form>>> = {
  test_elicitation: form('', { response: { ...string, description: 'The answer' } }, []),
  test_elicitation_sep1034_defaults: form(
    'Look at the defaults',
    {
      name: { ...string, default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    [],
  ),
  test_elicitation_sep1330_enums: form(
    'Choose',
    {
      untitledSingle: { ...string, enum: ['option1', 'option2', 'option3'] },
      titledSingle: { ...string, oneOf: titled('First', 'Second', 'Third') },
      legacyEnum: { ...string, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
      untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { ...string, enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('First', 'Second', 'Third') } },
    },
    [],
  ),
}

function titled(...titles: readonly string[]): readonly object[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }))
}

const NAME = { user_name: inputRequired.elicit(form('What is your name?', { name: string })) }
const question = (asked: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(asked) }], maxTokens })

async function elicit(name: string, args: Readonly<Record<string, unknown>>, context: ServerContext): Promise<Result> {
  const asked = ELICITED[name]
  const answer = await context.mcpReq.elicitInput({ ...asked, message: String(args.message ?? asked?.message) } as never)
  return say(text(`${name}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`))
}

/** Asks for a name until one came. */
const named: Run = async (_args, context) => {
  const name = acceptedContent<{ name?: string }>(context.mcpReq.inputResponses, 'user_name')?.name
  return typeof name === 'string' ? say(text(`Hello, ${name}!`)) : inputRequired({ inputRequests: NAME })
}

/** Asks once, with a state that comes back signed. */
const confirmed: Run = async (_args, context, keep) =>
  context.mcpReq.requestState() === undefined
    ? inputRequired({
        inputRequests: { confirm: inputRequired.elicit(form('Please confirm', { ok: { type: 'boolean' } })) },
        requestState: await keep.mint(1),
      })
    : say(text('state-ok'))

const rounds: Run = async (_args, context, keep) => {
  const state = context.mcpReq.requestState<{ step: number }>()
  if (state?.step === 2) return say(text('Both steps are done.'))
  const [step, property] = state === undefined ? ([1, 'name'] as const) : ([2, 'color'] as const)
  return inputRequired({
    inputRequests: { [`step${step}`]: inputRequired.elicit(form(`Step ${step}: your ${property}?`, { [property]: string })) },
    requestState: await keep.mint(step),
  })
}

const several: Run = async (_args, context, keep) =>
  context.mcpReq.requestState() === undefined
    ? inputRequired({
        inputRequests: { ...NAME, greeting: question('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
        requestState: await keep.mint(1),
      })
    : say(text(JSON.stringify(context.mcpReq.inputResponses ?? {})))

function capabilitiesOf(context: ServerContext): Readonly<Record<string, unknown>> {
  return ((context.mcpReq.envelope ?? context.mcpReq._meta) as Record<string, never> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

const asCapable: Run = async (_args, context) => {
  const declared = capabilitiesOf(context)
  const inputRequests = {
    ...('sampling' in declared ? { greeting: question('Generate a greeting', 50) } : {}),
    ...('elicitation' in declared ? NAME : {}),
  }
  return Object.keys(inputRequests).length === 0 ? say(text('This client can be asked nothing.')) : inputRequired({ inputRequests })
}

/** Asks for one thing under `key`, and tells what came. */
const asking =
  (key: string, asked: Parameters<typeof inputRequired>[0]['inputRequests']): Run =>
  async (_args, context) =>
    inputResponse(context.mcpReq.inputResponses, key).kind === 'missing'
      ? inputRequired(asked === undefined ? {} : { inputRequests: asked })
      : say(text(JSON.stringify(context.mcpReq.inputResponses?.[key])))

const logging: Run = async (_args, context) => {
  for (const each of ['started', 'processing', 'completed']) {
    await context.mcpReq.log('info', `Tool execution ${each}`)
    await pause(20)
  }
  return say(text('It told three times what it did.'))
}

const progress: Run = async (_args, context) => {
  const progressToken = context.mcpReq._meta?.progressToken ?? 0
  for (const done of [0, 50, 100]) {
    const params = { progressToken, progress: done, total: 100, message: `Completed step ${done} of 100` }
    await context.mcpReq.notify({ method: 'notifications/progress', params })
    await pause(20)
  }
  return say(text(String(progressToken)))
}

const sampling: Run = async ({ prompt }, context) => {
  const answer = await context.mcpReq.requestSampling({ messages: [{ role: 'user', content: text(String(prompt)) }], maxTokens: 100 })
  return say(text(`LLM response: ${JSON.stringify(answer.content)}`))
}

/** The stream of this call ends early, so that the client has to come back for the result. */
const reconnection: Run = async (_args, context) => {
  context.http?.closeSSE?.()
  await pause(100)
  return say(text('The client came back.'))
}

export const TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: () => say(text('This is a simple text response for testing.')),
  test_image_content: () => say(image),
  test_audio_content: () => say(audio),
  test_embedded_resource: () => say(resource('test://embedded-resource', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    say(text('Multiple content types:'), image, resource('test://mixed-content-resource', '{"test":"data"}', 'application/json')),
  test_tool_with_logging: logging,
  test_tool_with_progress: progress,
  test_error_handling: async () => ({ content: [text('This tool intentionally returns an error for testing')], isError: true }),
  test_reconnection: reconnection,
  test_sampling: sampling,
  ...Object.fromEntries(Object.keys(ELICITED).map((name): [string, Run] => [name, (args, context) => elicit(name, args, context)])),
  json_schema_2020_12_tool: (args) => say(text(JSON.stringify(args))),
  test_input_required_result_elicitation: named,
  test_input_required_result_sampling: asking('capital_question', { capital_question: question('What is the capital of France?', 100) }),
  test_input_required_result_list_roots: asking('client_roots', { client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: several,
  test_input_required_result_multi_round: rounds,
  test_input_required_result_capabilities: asCapable,
  test_missing_capability: async (_args, context) => {
    if ('sampling' in capabilitiesOf(context)) return say(text('This client can be asked.'))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  },
  test_trigger_tool_change: async (_args, _context, keep) => {
    keep.changed('tools')
    return say(text('The list of tools changed.'))
  },
  test_trigger_prompt_change: async (_args, _context, keep) => {
    keep.changed('prompts')
    return say(text('The list of prompts changed.'))
  },
  test_streaming_elicitation: named,
  test_logging_tool: logging,
  test_header_param: (args) => say(text(JSON.stringify(args))),
}

/** The keywords of JSON Schema 2020-12 that have to survive. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { ...string, enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const SCHEMAS: Readonly<Record<string, object>> = {
  json_schema_2020_12_tool: SCHEMA_2020_12,
  test_sampling: { type: 'object', properties: { prompt: string }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: string }, required: ['message'] },
  test_header_param: { type: 'object', properties: { region: { ...string, 'x-mcp-header': 'Region' } } },
}

export const DEFINITIONS = Object.keys(TOOLS).map((name) => ({
  name,
  description: `Tests what ${name.replace(/^test_/, '').replaceAll('_', ' ')} stands for`,
  inputSchema: (SCHEMAS[name] ?? { type: 'object' }) as { type: 'object' },
}))
