/** Guards that look at characters, tokens and names: canaries, hidden characters, pinned definitions, the plain allowlist. */

import { canonicalToolName } from '../../core/tool-name.ts'
import type { DefinitionsSection, GuardsSection } from '../policy.ts'
import type { Located } from '../reading/fields.ts'
import { described, flag, listOf, located, mapOf, nullable, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { compileScanners, scannerField } from './scanners.ts'

const MIN_CANARY = 8

const guardFields = record({
  ssrf: described(
    record({
      strict: described(
        flag,
        'Deny every address but public hosts over http and https; ask where redirects are followed from there. Default false: the hazard packs judge alone.',
      ),
      allow_hosts: described(
        listOf(text),
        'Hosts that strict lets through all the same, wherever they redirect; `*.example.com` stands for all below it.',
      ),
      resolve: described(
        flag,
        'Look the public names of a call up before it is judged, and judge their addresses. Default false: a lookup tells its server that somebody asked.',
      ),
    }),
    'Addresses that are not for agents; judged by the hazard packs, and here where strict.',
  ),
  canary: described(
    record({
      tokens: described(listOf(located(text)), `Texts that must never leave, at least ${MIN_CANARY} characters each.`),
      tokens_env: described(listOf(located(text)), 'Names of environment variables that hold such texts.'),
    }),
    'Canary tokens.',
  ),
  unicode: described(record({ enabled: described(flag, 'Default true.') }), 'Characters that a reader cannot see.'),
  allowlist_env: described(text, 'Variable that holds such a list, parted by commas; unset or empty blocks every tool (Fullsend).'),
  results: described(
    record({
      hidden: described(flag, 'Characters that a reader cannot see, and terminal sequences other than colours. Default true.'),
      secrets: described(flag, 'Tokens, keys and passwords. Default true.'),
    }),
    'What is looked for in what tools return; canary tokens always are. The agent is told, and it stands in the log.',
  ),
  definitions: described(
    record({
      on_change: described(oneOf(['ask', 'deny']), 'What a definition gets that is not the pinned one; default `ask`.'),
      first_use: described(
        oneOf(['trust', 'ask', 'deny']),
        'What a tool gets that has no pin: `trust` pins what is seen first, the others wait for `countersign pins accept`. Default `trust`.',
      ),
      pins: described(
        mapOf(located(text)),
        'Digests (`sha256:…`) by `server/name`, or by the name of a tool of the host. They come before what was seen first.',
      ),
      except: described(listOf(text), 'Servers whose definitions change by themselves: they are not compared.'),
    }),
    'What a tool says of itself, held to what it said before.',
  ),
  scanners: described(scannerField, 'Programs of others that are shown each call before it runs. They only raise.'),
  own_program: described(
    record({
      develop: described(
        located(flag),
        'True: agents may change the package that the gate runs from (its `dist`, `bin`, `node_modules`), which decides all that they do. ' +
          'Only for work on Countersign itself, under a gate that runs from its checkout. Default false. Node and what the hook starts stay protected.',
      ),
    }),
    'The program that the gate runs as.',
  ),
  allowlist: described(nullable(listOf(text)), 'Exact names of the only tools that may be called; an empty list blocks every tool.'),
})

export const guards = section({
  fields: () => ({ guards: described(guardFields, 'Guards that look at characters, tokens and names.') }),
  compile: (values, context): { guards: GuardsSection } => ({
    guards: {
      ssrf: {
        strict: values.guards?.ssrf?.strict ?? false,
        resolve: values.guards?.ssrf?.resolve ?? false,
        allowHosts: (values.guards?.ssrf?.allow_hosts ?? []).map((host) => host.toLowerCase()),
      },
      canary: {
        tokens: [
          ...plain(values.guards?.canary?.tokens ?? [], context),
          ...fromEnvironment(values.guards?.canary?.tokens_env ?? [], context),
        ],
      },
      scanners: compileScanners(values.guards?.scanners ?? [], context),
      unicode: { enabled: values.guards?.unicode?.enabled ?? true },
      allowlist: allowlistOf(values.guards?.allowlist, values.guards?.allowlist_env, context),
      definitions: definitionsOf(values.guards?.definitions, context),
      results: { hidden: values.guards?.results?.hidden ?? true, secrets: values.guards?.results?.secrets ?? true },
      ownProgram: { develop: developing(values.guards?.own_program?.develop, context) },
    },
  }),
})

function developing(given: Located<boolean> | undefined, { warn }: CompileContext): boolean {
  if (given?.value !== true) return false
  warn('lint.own_program', 'agents may change the program of the gate that judges them', given.at)
  return true
}

type RawDefinitions = NonNullable<NonNullable<ReturnType<(typeof guardFields)['read']>>['definitions']>

const DIGEST = /^sha256:[0-9a-f]{64}$/

function definitionsOf(written: RawDefinitions | undefined, { reader }: CompileContext): DefinitionsSection {
  const pins = new Map<string, string>()
  for (const [tool, { value, at }] of written?.pins ?? []) {
    pins.set(canonicalToolName(tool), value)
    if (DIGEST.test(value)) continue
    const help = 'write `sha256:` and 64 digits, as `countersign pins list` shows them'
    reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no digest of a definition`, help, at })
  }
  return {
    onChange: written?.on_change ?? 'ask',
    firstUse: written?.first_use ?? 'trust',
    pins,
    except: new Set(written?.except),
  }
}

/** Both lists hold where both are given: a tool must stand in each. */
function allowlistOf(
  listed: readonly string[] | null | undefined,
  variable: string | undefined,
  { options }: CompileContext,
): readonly string[] | null {
  const known = listed?.map(canonicalToolName)
  // Where variables cannot be asked, what one would say is not known to be empty.
  if (variable === undefined || options.env === undefined) return known ?? null
  const named = (options.env?.(variable) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(canonicalToolName)
  return known === undefined ? named : known.filter((name) => named.includes(name))
}

function plain(tokens: readonly Located<string>[], { reader }: CompileContext): readonly string[] {
  for (const { value, at } of tokens) {
    if (value.length >= MIN_CANARY) continue
    const message = `a canary token needs at least ${MIN_CANARY} characters`
    reader.fail({ code: 'policy.wrong_value', message, help: 'a short token is found everywhere', at })
  }
  return tokens.map((token) => token.value)
}

/** A variable that is not set guards nothing, which is worth a warning but must not stop every call. */
function fromEnvironment(names: readonly Located<string>[], { options, warn }: CompileContext): readonly string[] {
  const tokens: string[] = []
  for (const { value: name, at } of names) {
    const token = options.env?.(name) ?? ''
    if (token.length >= MIN_CANARY) tokens.push(token)
    else if (token === '') warn('lint.canary_unset', `the variable \`${name}\` is not set, so this canary guards nothing`, at)
    else warn('lint.canary_short', `the token in \`${name}\` has fewer than ${MIN_CANARY} characters, so it is not used`, at)
  }
  return tokens
}
