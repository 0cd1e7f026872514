/** What the peer server of the conformance suite offers besides tools: the names and texts that the suite's scenarios ask for. */

/** One red pixel. */
export const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A sound without samples. */
export const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const text = (said: string) => ({ type: 'text' as const, text: said })
export const image = { type: 'image' as const, data: IMAGE, mimeType: 'image/png' }
export const audio = { type: 'audio' as const, data: AUDIO, mimeType: 'audio/wav' }
export const resource = (uri: string, said: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
})

export const RESOURCES = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
]
export const TEMPLATES = [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }]

export type Contents = { uri: string; mimeType: string; text: string } | { uri: string; mimeType: string; blob: string }

export function contentsOf(uri: string): Contents | null {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined)
    return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: IMAGE }
  const known = RESOURCES.find((each) => each.uri === uri)
  return known === undefined ? null : { uri, mimeType: known.mimeType, text: `The text of ${known.name}.` }
}

const argument = (name: string) => ({ name, description: `The argument ${name}`, required: true })

export const PROMPTS = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  { name: 'test_prompt_with_arguments', description: 'A prompt with two arguments', arguments: [argument('arg1'), argument('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'A prompt with a resource', arguments: [argument('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'A prompt with an image' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that asks the user first' },
]

type Message = { role: 'user'; content: ReturnType<typeof text> | typeof image | ReturnType<typeof resource> }

/** The messages of a prompt that needs nothing more than its arguments. */
export function messagesOf(name: string, given: Readonly<Record<string, string>>): Message[] | null {
  const user = (content: Message['content']): Message => ({ role: 'user', content })
  switch (name) {
    case 'test_simple_prompt':
      return [user(text('This is a simple prompt for testing.'))]
    case 'test_prompt_with_arguments':
      return [user(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`))]
    case 'test_prompt_with_embedded_resource':
      return [user(resource(given.resourceUri ?? '', 'Embedded resource content for testing.')), user(text('Look at the resource above.'))]
    case 'test_prompt_with_image':
      return [user(image), user(text('Look at the image above.'))]
    default:
      return null
  }
}
