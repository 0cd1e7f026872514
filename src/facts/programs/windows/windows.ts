import type { CommandContext, CommandSpec, CommandTable, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { registryAction } from './registry.ts'

/**
 * Programs of Windows that settings, services and protection are changed with; their options begin with `/`.
 * Actions: schedule:install · security:disable · system:registry, system:setting · backup:delete · kernel:boot ·
 * firewall:change · user:change.
 */

const HELP = ['/?', '-?', '/help']

const lower = (word: Word | undefined): string => word?.text?.toLowerCase() ?? ''

/** `reg add KEY`, `reg delete KEY`, `reg import FILE`. */
const reg: CommandSpec = {
  operands: ['data'],
  inert: HELP,
  refine: ({ invocation }, context) => {
    const [verb, key] = invocation.args
    if (verb === undefined || key === undefined) return
    if (verb.text === null) context.opaque('what `reg` does is not known before it runs')
    else onKey(lower(verb), key, context)
  },
}

function onKey(verb: string, key: Word, context: CommandContext): void {
  const name = key.text ?? key.prefix
  const on = context.thing('resource', name)
  switch (verb) {
    case 'add':
    case 'copy':
    case 'restore':
    case 'load': {
      // A key that is not known may be one that runs programs.
      const action = key.text === null ? 'schedule:install' : registryAction(name)
      context.emit(action === 'schedule:install' ? 'persist' : 'change', on, { action, reversible: false })
      return
    }
    case 'delete':
    case 'unload':
      context.emit('delete', on, { action: registryAction(name) === 'security:disable' ? 'security:disable' : 'system:registry' })
      return
    case 'import':
      readPath(context, key)
      context.emit('persist', context.thing('resource', 'registry'), { action: 'schedule:install', reversible: false })
      return
    case 'save':
    case 'export': {
      const secret = /^(?:hklm|hkey_local_machine)\\(?:sam|security|system)$/i.test(name)
      context.emit('read', secret ? { ...on, classes: ['credential'] } : on, { action: 'system:registry' })
    }
  }
}

/** The first pattern that the words match says what they do. */
function byWords(
  what: string,
  rules: readonly (readonly [pattern: RegExp, verb: 'change' | 'delete' | 'read', action: string])[],
): CommandSpec {
  return {
    operands: ['data'],
    inert: HELP,
    refine: ({ invocation }, context) => {
      const words = invocation.args.map((word) => word.text?.toLowerCase() ?? '\0').join(' ')
      if (words.startsWith('\0')) context.opaque(`what \`${invocation.name}\` does is not known before it runs`)
      const rule = rules.find(([pattern]) => pattern.test(words))
      if (rule !== undefined) context.emit(rule[1], context.thing('service', what), { action: rule[2], reversible: rule[1] !== 'delete' })
    },
  }
}

/** What `dism` changes in the system or in an image of it; all else of it looks. */
const CHANGES_IMAGE = new RegExp(
  String.raw`/(?:disable|enable|remove)-feature|/remove-package|/remove-capability` +
    String.raw`|/(?:add|remove)-(?:package|driver|capability|provisionedappxpackage)|/apply-|/delete-image` +
    String.raw`|/(?:restorehealth|resetbase|startcomponentcleanup|revertpendingactions)|/set-|/enable-`,
)

const DEFENCE = /defender|applocker|guard|bitlocker|firewall|smartscreen/

export const windows: CommandTable = {
  reg,
  regedit: {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands }, context) => {
      const file = operands.find((word) => !lower(word).startsWith('/'))
      if (file !== undefined) onKey('import', file, context)
    },
  },
  bcdedit: byWords('boot settings', [[/^\/(?:set|delete|deletevalue|create|import|default|bootsequence)/, 'change', 'kernel:boot']]),
  vssadmin: byWords('shadow copies', [[/^(?:delete|resize) shadow/, 'delete', 'backup:delete']]),
  wbadmin: byWords('backups', [
    [/^delete /, 'delete', 'backup:delete'],
    [/^disable /, 'change', 'security:disable'],
  ]),
  auditpol: byWords('audit policy', [[/^\/(?:clear|remove|restore)|disable/, 'change', 'security:disable']]),
  'manage-bde': byWords('disk encryption', [
    [/^-protectors -get/, 'read', 'secret:read'],
    [/^-(?:off|pause|protectors -disable)/, 'change', 'security:disable'],
    [/^-(?:on|lock|unlock|autounlock|changep|wipefreespace|forcerecovery|setidentifier|upgrade|protectors -)/, 'change', 'security:change'],
  ]),
  netsh: byWords('network settings', [
    [/^(?:adv)?firewall .*(?:state off|disable)/, 'change', 'security:disable'],
    [/^(?:adv)?firewall .*(?:add|set|delete|reset)/, 'change', 'firewall:change'],
    [/^wlan .*key=clear/, 'read', 'secret:read'],
    [
      new RegExp(
        String.raw`^winsock (?:reset|set|remove)|^(?:interface|int|bridge|namespace|ras) .*reset` +
          String.raw`|^wlan (?:delete|connect|disconnect|set|add|start|stop|refresh)|^http (?:add|delete|flush|update)` +
          String.raw`|^winhttp (?:import|reset)|^trace start`,
      ),
      'change',
      'firewall:change',
    ],
    [/^interface .*(?:set|add|delete)|^winhttp set/, 'change', 'firewall:change'],
  ]),
  dism: {
    operands: ['data'],
    inert: HELP,
    refine: ({ invocation }, context) => {
      const words = invocation.args.map((word) => lower(word)).join(' ')
      if (!CHANGES_IMAGE.test(words)) return
      const off = !words.includes('/enable-feature') && DEFENCE.test(words)
      context.emit('change', context.thing('service', 'features of Windows'), { action: off ? 'security:disable' : 'system:setting' })
    },
  },
  net: byWords('accounts and services', [
    [/^(?:user|localgroup|group|accounts) .*\/(?:add|delete|active)/, 'change', 'user:change'],
    [/^user \S+ [^/\s]/, 'change', 'user:change'],
    [/^stop .*(?:defend|firewall|mpssvc|wscsvc|eventlog)/, 'change', 'security:disable'],
    [/^(?:stop|start|pause) /, 'change', 'service:stop'],
    [/^share .*=|^share .*\/delete|^file .*\/close/, 'change', 'firewall:change'],
    [/^use .*(?:\\\\|\/delete)/, 'change', 'mount:mount'],
    [/^(?:accounts|config) .*\//, 'change', 'security:change'],
    [/^time .*\/set/, 'change', 'system:clock'],
  ]),
}
