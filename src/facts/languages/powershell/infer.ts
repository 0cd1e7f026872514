import { target } from '../../effect.ts'
import type { Session } from './session.ts'
import type { Value } from './value.ts'

/** Cmdlets that no table knows: their names are a verb and a noun, and the verb says what is done to the noun. */

const DELETES = /^(?:remove|clear|uninstall|revoke|unregister|reset|dismount|erase|disable)-(\w+)$/
const CHANGES = /^(?:stop|restart|start|set|update|new|add|grant|enable|move|rename|restore|suspend|deploy|invoke)-(\w+)$/

/** Nouns of modules that speak to clouds, directories and machines elsewhere. */
const ELSEWHERE = new RegExp(
  String.raw`^(?:az(?!ure$)|mg|msol|exo|spo|pnp|ec2|s3|rds|iam|ddb|ecs|eks|lm|sqs|sns|cfn|r53|kms|sec|asa?|elb2?|gce|gcs|gcsql|gke` +
    String.raw`|ad(?:user|group|computer|object|account|organizationalunit|domain)|vm|cluster|mailbox|teams?|intune|dnsserver` +
    String.raw`|dhcpserver)`,
)

/** What only this session of PowerShell remembers. */
const SESSION =
  /-(?:module|psdrive|pssession|job|alias|event|variable|typedata|psbreakpoint|pssnapin|host|cimsession|member|psreadline\w*)$/

/** Says what the name of an unknown cmdlet says; the call is looked at as a program besides. */
export function infer(name: string, words: readonly Value[], walk: Session): void {
  const noun = (DELETES.exec(name) ?? CHANGES.exec(name))?.[1]
  if (noun === undefined || SESSION.test(name)) return
  const deletes = DELETES.test(name)
  if (!deletes && !ELSEWHERE.test(noun)) return
  const named = words.find(({ text }) => text !== null && !text.startsWith('-'))?.text
  walk.context.emit(deletes ? 'delete' : 'change', target('resource', named ?? noun), {
    action: deletes ? 'cloud:delete' : 'cloud:update',
    reversible: !deletes,
    certainty: 'likely',
    span: walk.span,
    reason: `the name of \`${name.slice(0, 60)}\` says so`,
    attributes: { provider: 'powershell', operation: name.slice(0, 60) },
  })
}
