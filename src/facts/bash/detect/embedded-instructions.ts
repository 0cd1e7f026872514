import { target } from '../../effect.ts'
import { addressesModels } from '../../resources/text/addressed.ts'
import { isKnown } from '../walk/which.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/** What a command is given to say, and who acts on it: build services, models, the settings of other programs, interpreters. */

/** Lines of output by which a step of a build changes what later steps run: variables, search paths, the end of all commands. */
const TELLS_BUILD = new RegExp(
  String.raw`(?:^|\s|\\n|["'\x60(])(?:::(?:set-env|add-path|stop-commands)\b` +
    String.raw`|##vso\[task\.(?:prependpath|setvariable|setendpoint|setsecret|uploadfile|addattachment)\b` +
    String.raw`|##vso\[build\.(?:updatebuildnumber|addbuildtag)\b` +
    String.raw`|##teamcity\[(?:setParameter|publishArtifacts|buildNumber)\b)`,
  'i',
)

/** What an interpreter is given as code. */
const CODE = /^(?:-[a-zA-Z]{0,3}[cepr]|--(?:eval|print|run|command)|eval)$/

/** Words of `echo`, messages of commits and texts in one-liners, by who reads them. */
export function reportEmbeddedInstructions({ invocation }: Execution): readonly Detected[] {
  const { name, args } = invocation
  if (name === 'git' && !args.some(({ text }) => text === 'commit' || text === 'tag' || text === 'notes')) return NOTHING
  const span = invocation.span
  const said = args.map(({ text, prefix }) => text ?? prefix)
  const [builds, models] = [said.some((text) => TELLS_BUILD.test(text)), said.some(addressesModels)]
  if (!builds && !models) return NOTHING
  return [
    ...(builds ? found(target('service', 'the build service'), { verb: 'change', action: 'ci:command', span }) : NOTHING),
    ...(models ? found(target('agent', 'whoever reads it'), { verb: 'write', action: 'agent:address', span }) : NOTHING),
  ]
}

/** `requires_approval: false`, `verify_ssl = no`, `"mfaRequired": false`. */
const GUARD_ASKED_OFF = new RegExp(
  String.raw`\b(?:requires?|required|needs?|enabled?|enforced?|mandatory|must|human|manual|strict)[-_]?(?:approvals?|approvers?` +
    String.raw`|confirm(?:ation)?s?|reviews?|reviewers|auth(?:entication|orization)?|mfa|2fa|verif(?:y|ication)|signatures?|signed` +
    String.raw`|sandbox(?:ed)?|audit|tls|ssl)["']?\s{0,4}[:=]\s{0,4}["']?(?:false|no|off|never|none|disabled?|0)\b`,
  'i',
)
const GUARD_OFF = new RegExp(
  String.raw`\b(?:approvals?|approvers?|confirm(?:ation)?s?|reviews?|reviewers|auth(?:entication|orization)?|mfa|2fa` +
    String.raw`|verif(?:y|ication)|signatures?|signed|sandbox(?:ed)?|audit|tls|ssl)[-_]?(?:required|enabled|enforced|mode|ssl|tls` +
    String.raw`|certs?|certificates?|signatures?|log(?:ging)?|check)["']?\s{0,4}[:=]\s{0,4}["']?(?:false|no|off|never|none|disabled?` +
    String.raw`|0)\b`,
  'i',
)
/** `autoApprove: true`, `skip_verification=1`. */
const GUARD_PAST = new RegExp(
  String.raw`\b(?:auto|skip|bypass|disable|ignore|allow)[-_]?(?:(?:approvals?|approvers?|confirm(?:ation)?s?|reviews?|reviewers` +
    String.raw`|auth(?:entication|orization)?|mfa|2fa|verif(?:y|ication)|signatures?|signed|sandbox(?:ed)?|audit|tls|ssl)|approved?` +
    String.raw`|unsafe|insecure|untrusted)["']?\s{0,4}[:=]\s{0,4}["']?(?:true|yes|on|always|enabled?|1)\b`,
  'i',
)

/** A text that switches a check of somebody else's off. */
export const lowers = (text: string): boolean => GUARD_ASKED_OFF.test(text) || GUARD_OFF.test(text) || GUARD_PAST.test(text)

/** `sed -i`, `yq -i`, `echo … >>`: a setting that keeps somebody asked is switched off. */
export function reportEdited({ site, invocation, streams, start }: Execution): readonly Detected[] {
  const { effects } = site.analysis
  const writes =
    streams.effects.length > 0 || effects.slice(start).some(({ verb, target: { kind } }) => verb === 'write' && kind === 'path')
  if (!writes) return NOTHING
  const word = invocation.args.find(({ text, prefix }) => lowers(put(text ?? prefix, EDITORS.has(invocation.name))))
  return word === undefined
    ? NOTHING
    : found(target('resource', 'a check'), { verb: 'change', action: 'settings:lowered', span: word.span })
}

const EDITORS: ReadonlySet<string> = new Set(['sed', 'perl'])

/** What a word puts in: of `s/old/new/` and of `1i text` the new part; a search or a deletion puts nothing. */
function put(text: string, edits: boolean): string {
  if (!edits) return text
  const found = /(?:^|[;\d\s])s([/|#,@!~])/.exec(text)
  if (found === null) return /^[\d$]{0,6}[aic]/.test(text) ? text : ''
  const parts = text.slice(found.index + found[0].length).split(found[1] as string, 16)
  return parts.slice(1).join('\n')
}

/** A command line of a known program where source of a language belongs: it says another thing than it does. */
const COMMAND_LINE = /^\s{0,16}([a-z][\w.-]{0,32})\s{1,4}(?:--?[a-zA-Z]|https?:\/\/|~?\/)/

/** `node -e "rm -rf /"`: no code of the language; whoever wrote it took the interpreter for a shell, or hopes that a reader does. */
export function reportForeignCode({ invocation }: Execution): readonly Detected[] {
  const { args, span } = invocation
  for (const [at, { text }] of args.entries()) {
    if (text === null) continue
    const equals = /^--(?:eval|print)=/.exec(text)
    const code = equals !== null ? text.slice(equals[0].length) : CODE.test(text) ? (args[at + 1]?.text ?? null) : null
    const program = code === null ? undefined : COMMAND_LINE.exec(code)?.[1]
    if (program === undefined || !isKnown(program)) continue
    return found(target('code', program), { verb: 'execute', action: 'code:foreign', span, certainty: 'possible' })
  }
  return NOTHING
}
