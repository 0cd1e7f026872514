import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { type ApiAct, graphqlActs, restAct } from '../../resources/url/github-api.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'

/** `gh api`: which request it makes, and what that request does. */

const API_GRAMMAR: CommandSpec = {
  flags: list('-i --include --paginate --silent --slurp --verbose'),
  options: {
    ...takes('-X --method -f --raw-field -F --field -H --header -q --jq -t --template --cache --hostname -p --preview'),
    ...takes('--input', 'read'),
  },
}

/** The method that `gh api` would use: its own option, a header that overrides it, or POST where fields are given. */
function methodOf(parsed: ParsedCommand): Word | string {
  for (const header of parsed.values('-H', '--header')) {
    const match = /^x-http-method-override:\s{0,9}([a-z]+)/i.exec(header.text ?? '')
    if (match?.[1] !== undefined) return match[1]
  }
  const given = parsed.value('-X', '--method')
  if (given !== null) return given
  return parsed.value('-f', '-F', '--raw-field', '--field', '--input') === null ? 'GET' : 'POST'
}

interface Request {
  readonly endpoint: Word
  readonly method: string
}

function emitAct(act: ApiAct, { endpoint, method }: Request, context: CommandContext): void {
  context.emit(act.verb, context.thing('resource', nameOf(endpoint)), {
    action: act.action,
    reversible: act.reversible,
    span: endpoint.span,
    attributes: { method, endpoint: known(endpoint), by: 'gh api', ...(act.lost === undefined ? {} : { [act.lost]: true }) },
  })
}

const fields = (parsed: ParsedCommand): readonly Word[] => parsed.values('-f', '-F', '--raw-field', '--field')

/** The GraphQL document of `-f query=…`; null where it is not in the command. */
function queryOf(parsed: ParsedCommand): string | null {
  const field = fields(parsed).find((word) => word.prefix.startsWith('query='))
  return field?.text == null || field.text.startsWith('query=@') ? null : field.text.slice('query='.length)
}

function api(parsed: ParsedCommand, context: CommandContext): void {
  const endpoint = parsed.operands[0]
  if (endpoint === undefined) return
  const method = methodOf(parsed)
  const name = typeof method === 'string' ? method : method.text
  const path = endpoint.text ?? endpoint.prefix
  if (path.replace(/^\/+/, '') === 'graphql') {
    const query = queryOf(parsed)
    if (query === null) context.opaque('the GraphQL document is not known before it runs', endpoint.span)
    for (const act of query === null ? [] : graphqlActs(query)) emitAct(act, { endpoint, method: 'POST' }, context)
    return
  }
  if (name === null) {
    context.opaque('the method of the request is not known before it runs', endpoint.span)
    return
  }
  if (endpoint.text === null && name.toUpperCase() !== 'GET' && path.split('/').length < 4)
    context.opaque('the endpoint is not known before it runs', endpoint.span)
  const act = restAct(name, path)
  const forced = act.action === 'git:push' && fields(parsed).some((word) => word.text === 'force=true')
  emitAct(forced ? { ...act, reversible: false, lost: 'force' } : act, { endpoint, method: name.toUpperCase() }, context)
}

/** `gh api`. */
export const API: CommandSpec = refined(api, API_GRAMMAR)
