/** Readers of `contracts.providers`: lookups outside that are made before a call is judged. */
import { described, type Located, listOf, located, mapOf, text, whole } from '../fields.ts'
import { record } from '../record.ts'
import type { CompileContext } from '../section.ts'
import type { HttpLookup, ProviderBinding } from './model.ts'
import { type Path, parsePath } from './path.ts'

const providerField = record(
  {
    tools: described(listOf(text), 'The tools whose calls it is asked for: exact names, or `server/name`.'),
    http: described(
      located(text),
      'Address that is read with GET; `{name}` stands for an argument, percent-encoded. Without it the host program provides it.',
    ),
    headers_env: described(mapOf(located(text)), 'Headers whose values are taken from environment variables.'),
    timeout_ms: described(whole(1, 60_000), 'How long to wait; default 1000. What comes later is not known.'),
  },
  { required: ['tools'] },
)

export const providersField = described(mapOf(located(providerField)), 'Lookups outside whose answers are state: `{state: name}`.')

type RawProviders = NonNullable<ReturnType<(typeof providersField)['read']>>
type RawProvider = NonNullable<ReturnType<(typeof providerField)['read']>>

/** The providers; faults go to the reader. */
export function compileProviders(raw: RawProviders, context: CompileContext): readonly ProviderBinding[] {
  return [...raw].map(([name, { value }]) => ({
    name,
    tools: value.tools ?? [],
    http: value.http === undefined ? null : (compileHttp(value.http, value, context) ?? null),
    timeoutMs: value.timeout_ms ?? 1_000,
  }))
}

function compileHttp(http: Located<string>, value: RawProvider, context: CompileContext): HttpLookup | undefined {
  const template = split(http, context)
  if (template === undefined) return undefined
  const headers = new Map<string, string>()
  for (const [header, variable] of value.headers_env ?? []) {
    const found = context.options.env?.(variable.value) ?? ''
    if (found === '')
      context.warn(
        'lint.provider_header',
        `the variable \`${variable.value}\` is not set, so the header \`${header}\` is not sent`,
        variable.at,
      )
    else headers.set(header, found)
  }
  return { ...template, headers }
}

/** The address must name its host itself: an argument may fill a part of the path or the query, never choose who is asked. */
function split(http: Located<string>, { reader }: CompileContext): Pick<HttpLookup, 'parts' | 'args'> | undefined {
  const pieces = http.value.split(/[{}]/)
  const parts = pieces.filter((_, index) => index % 2 === 0)
  const names = pieces.filter((_, index) => index % 2 === 1)
  const origin = /^https?:\/\/[A-Za-z0-9.:[\]-]+\//.test(parts[0] ?? '')
  if (!origin || pieces.length % 2 === 0 || !URL.canParse(parts.join('x'))) {
    const help = 'write it as `https://host/path/{argument}`; arguments stand behind the host'
    return reader.fail({ code: 'policy.wrong_value', message: 'this is no address to look up', help, at: http.at })
  }
  try {
    return { parts, args: names.map((name): Path => parsePath(name)) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the path cannot be read'
    return reader.fail({ code: 'policy.contract_path', message, at: http.at })
  }
}
