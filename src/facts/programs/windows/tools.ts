import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { changePath } from '../../resources/acts.ts'
import { byName } from '../tool.ts'
import { type Line, wording } from '../wording.ts'
import { fromCmd } from './shell.ts'

/** Programs of Windows that set up the machine: drivers, disks, accounts of a domain, sessions. Their options begin with `/`. */

const HELP = '/? -? /help'

const windows = (on: string, lines: readonly Line[], otherwise: Line[0]): CommandSpec => wording({ on, lines, otherwise, inert: HELP })

const words = ({ invocation }: ParsedCommand): readonly string[] => invocation.args.map((word) => word.text?.toLowerCase() ?? '\0')

const ofWindows = (refine: (parsed: ParsedCommand, context: CommandContext) => void): CommandSpec => ({
  operands: ['data'],
  inert: ['/?', '-?', '/help'],
  refine,
})

/** `taskkill /f /im name`: by name it ends every one of them. */
const taskkill = ofWindows((parsed, context) => {
  const given = words(parsed)
  const at = given.findIndex((word) => word === '/im' || word === '/fi' || word === '/pid')
  const named = parsed.invocation.args[at + 1]?.text ?? 'processes'
  const attributes = given[at] === '/pid' ? {} : { pattern: true }
  if (at >= 0) context.emit('change', context.thing('process', named), { action: 'proc:kill', reversible: false, attributes })
})

/** `attrib +h +r file`. */
const attrib = ofWindows(({ invocation }, context) => {
  if (!invocation.args.some(({ prefix }) => /^[+-][a-z]$/i.test(prefix))) return
  for (const word of invocation.args) if (!/^[+/-]/.test(word.prefix)) changePath(context, word, { action: 'fs:attributes' })
})

/** `forfiles /p C:\\x /c "cmd /c del @file"` runs its command for each. */
const forfiles = ofWindows((parsed, context) => {
  const word = parsed.invocation.args[words(parsed).indexOf('/c') + 1]
  if (word !== undefined && words(parsed).includes('/c'))
    context.shell(word.text === null ? null : fromCmd(word.text), word.span, 'forfiles')
})

export const windowsTools: CommandTable = byName({
  taskkill,
  attrib,
  forfiles,
  chkdsk: windows('disk', [['change disk:check', /\/(?:f|r|x|b|spotfix|offlinescanandfix)\b/i]], null),
  setx: windows('environment of the account', [[null, /^ *$/]], 'change system:setting'),
  powercfg: windows(
    'power settings',
    [
      [
        null,
        new RegExp(
          String.raw`^[/-](?:list|l|query|q|qh|a|availablesleepstates|getactivescheme|energy|batteryreport|sleepstudy|systempowerreport` +
            String.raw`|devicequery|lastwake|waketimers|requests|srumutil|aliases|aliasesvh|export)\b|^ `,
          'i',
        ),
      ],
    ],
    'change system:setting',
  ),
  wusa: windows('updates', [['change os-package:remove', /\/uninstall\b/i]], 'change os-package:install'),
  pnputil: windows('drivers', [['change kernel:module', /^[/-](?:delete|add|disable|enable|remove|restart)-|^-[adi]\b/i]], null),
  'logoff tsdiscon rwinsta': windows('session', [], 'change power:off'),
  'assoc ftype': windows('file types', [['change system:setting', /=/]], null),
  w32tm: windows('clock', [['change system:clock', /^\/(?:config|register|unregister|resync)\b/i]], null),
  secedit: windows('security policy', [['change security:change', /^\/(?:configure|import|generaterollback|refreshpolicy)\b/i]], null),
  ntdsutil: windows('directory', [], 'read secret:read'),
  esentutl: windows(
    'databases of Windows',
    [
      ['read secret:read', /ntds|\bsam\b|webcache|login data/i],
      ['change system:setting', /^\/[dpr]\b/i],
    ],
    null,
  ),
  mountvol: windows(
    'volume',
    [
      ['change mount:unmount', / \/[dp]\b|^\/[npers]\b/i],
      [null, /^ *$| \/l\b/i],
    ],
    'change mount:mount',
  ),
  'lodctr unlodctr': windows('counters', [[null, /^\/q\b|^ *$/i]], 'change system:setting'),
  slmgr: windows('licence of Windows', [[null, /^[/-](?:dli|dlv|xpr|dti)\b|^ *$/i]], 'change system:setting'),
  djoin: windows('domain', [], 'change user:change'),
  netdom: windows('domain', [[null, /^(?:query|verify|help)\b|^ *$/i]], 'change user:change'),
  reagentc: windows(
    'recovery',
    [
      ['change security:disable', /^\/disable\b/i],
      ['change system:setting', /^\/(?:enable|set\S+|boottore)\b/i],
    ],
    null,
  ),
})
