import { type TargetKind, target, type Verb } from '../../effect.ts'
import { cmdletNamed } from './names.ts'
import type { Cmdlet } from './session.ts'
import { knownValue, splitArguments, unknownValue, type Value, wordFrom } from './value.ts'

/** Cmdlets that change the machine: processes, services, schedules, accounts, protections, packages, disks. */

type Walk = Parameters<Cmdlet['run']>[1]

interface Acting {
  readonly verb: Verb
  readonly kind: TargetKind
  readonly action: string
  /** Parameters that name what is acted on; the first one given counts. */
  readonly on: readonly string[]
  /** Only where this parameter has one of these values. */
  readonly where?: readonly [string, RegExp]
  readonly reversible?: boolean
}

const NAMED = (
  'action trigger principal settings xml binarypathname startuptype status scope group member password repository ' +
  'requiredversion to from subject body attachments smtpserver enabled computername logname profile direction program ' +
  'remoteaddress localport protocol value aclobject taskpath description minimumversion'
).split(' ')
const SWITCHES = (
  'force recurse skippublishercheck allowclobber acceptlicense disablerealtimemonitoring nopassword usessl removedata ' + 'removeoem'
).split(' ')

/** As many of these as are looked at one by one; that there are more is said. */
function few(walk: Walk, values: readonly Value[]): readonly Value[] {
  if (values.length > 32) walk.context.opaque('a command names more than is followed', walk.span)
  return values.slice(0, 32)
}

/** A cmdlet that does one thing to what its parameters name. */
function acting(acts: Acting): Cmdlet {
  return {
    signature: { positional: [...acts.on], named: NAMED, switches: SWITCHES },
    run(bound, walk) {
      const [guard, allowed] = acts.where ?? []
      const guarded = guard === undefined || allowed === undefined || allowed.test(bound.get(guard)?.text ?? '?')
      const names = few(
        walk,
        acts.on.flatMap((name) => bound.all(name)),
      )
      const given = names.length > 0 ? names : [knownValue('')]
      for (const value of guarded ? given : []) {
        walk.context.emit(acts.verb, target(acts.kind, value.text ?? value.prefix), {
          action: acts.action,
          span: walk.span,
          attributes: value.text === null ? { unresolved: true } : {},
          ...(acts.reversible === undefined ? {} : { reversible: acts.reversible }),
        })
      }
      return unknownValue()
    },
  }
}

/** A cmdlet that does what a program does; `words` come before what its parameters name. */
function likeProgram(program: string, words: readonly string[], on: readonly string[]): Cmdlet {
  return {
    signature: { positional: [...on], named: NAMED, switches: SWITCHES },
    run(bound, walk) {
      const names = on.flatMap((name) => bound.all(name))
      const input = names.length === 0 && bound.input !== null ? [bound.input] : []
      return walk.native(program, [...words.map((word): Value => knownValue(word)), ...names, ...input])
    },
  }
}

const install: Cmdlet = {
  signature: { positional: ['name'], named: [...NAMED, 'source', 'providername'], switches: SWITCHES },
  run(bound, walk) {
    for (const value of bound.all('name')) {
      walk.context.emit('execute', target('package', value.text ?? value.prefix), {
        action: 'pkg:install',
        span: walk.span,
        attributes: { manager: 'powershell', source: bound.get('source') === null ? 'registry' : 'url', name: value.text ?? '' },
      })
    }
    return unknownValue()
  },
}

const mail: Cmdlet = {
  signature: { positional: ['to', 'subject', 'body'], named: [...NAMED, 'cc', 'bcc', 'port'], switches: SWITCHES },
  run(bound, walk) {
    for (const file of bound.all('attachments')) walk.native('cat', [file], { paths: true })
    for (const to of [...bound.all('to'), ...bound.all('cc'), ...bound.all('bcc')]) {
      walk.context.emit('send', target('address', to.text ?? to.prefix), { action: 'mail:send', span: walk.span })
    }
    return unknownValue()
  },
}

const stopProcess: Cmdlet = {
  signature: { positional: ['id'], named: ['name', 'inputobject'], switches: ['force'] },
  run(bound, walk) {
    const [id, name] = [bound.all('id'), bound.all('name')]
    // `Get-Process | Stop-Process`: every process there is.
    if (bound.input !== null && name.length + id.length === 0) return walk.native('pkill', [knownValue('-f'), knownValue('.')])
    if (name.length > 0) return walk.native('pkill', name)
    return walk.native('kill', [knownValue('-9'), ...(id.length > 0 ? id : [unknownValue()])])
  },
}

const schedule: Cmdlet = {
  signature: {
    positional: ['taskname', 'name'],
    named: [...NAMED, 'execute', 'argument', 'scriptblock', 'filepath', 'inputobject', 'user'],
    switches: SWITCHES,
  },
  run(bound, walk) {
    const name = bound.get('taskname') ?? bound.get('name') ?? knownValue('')
    walk.context.emit('persist', target('service', name.text ?? name.prefix), { action: 'schedule:job', span: walk.span })
    for (const value of bound.all('scriptblock')) if (value.block !== null) walk.block(value.block, null)
    return unknownValue()
  },
}

/** What a task will run; the words are one text for the program. */
const taskAction: Cmdlet = {
  signature: { positional: ['execute', 'argument'], named: ['workingdirectory', 'id'] },
  run(bound, walk) {
    const program = bound.get('execute') ?? unknownValue()
    const words = bound.all('argument').flatMap(splitArguments)
    walk.context.command(
      [program, ...words].map((value) => wordFrom(value, walk.span)),
      'powershell',
    )
    return unknownValue()
  },
}

const expand: Cmdlet = {
  signature: { positional: ['path', 'destinationpath'], named: ['literalpath'], switches: ['force'] },
  run(bound, walk) {
    const into = bound.get('destinationpath')
    return walk.native('unzip', [knownValue('-o'), ...bound.paths(), ...(into === null ? [] : [knownValue('-d'), into])])
  },
}

const disable = (on: readonly string[]): Cmdlet =>
  acting({ verb: 'change', kind: 'service', action: 'security:disable', on, reversible: true })

const preference: Cmdlet = {
  signature: {
    positional: [],
    named: (
      'exclusionpath exclusionprocess exclusionextension disablerealtimemonitoring mapsreporting submitsamplesconsent ' +
      'disablebehaviormonitoring disableioavprotection disablescriptscanning'
    ).split(' '),
    switches: ['force'],
  },
  run(bound, walk) {
    const off = (
      'disablerealtimemonitoring exclusionpath exclusionprocess exclusionextension disablebehaviormonitoring ' +
      'disableioavprotection disablescriptscanning'
    ).split(' ')
    const found = off.find((name) => bound.get(name) !== null && bound.get(name)?.text?.toLowerCase() !== 'false')
    const action = found === undefined ? 'system:setting' : 'security:disable'
    walk.context.emit('change', target('service', 'Windows Defender'), { action, span: walk.span })
    return unknownValue()
  },
}

const service = (verb: string): Cmdlet => likeProgram('systemctl', [verb], ['name', 'displayname'])
const setting = (on: readonly string[]): Cmdlet => acting({ verb: 'change', kind: 'resource', action: 'system:setting', on })
const account = (on: readonly string[], action: string): Cmdlet => acting({ verb: 'change', kind: 'account', action, on })
/** Whole disks and volumes: what was on them is gone. */
const wipe: Cmdlet = {
  signature: { positional: ['driveletter', 'number', 'disknumber'], named: NAMED, switches: [...SWITCHES, 'full', 'confirm'] },
  run(bound, walk) {
    const named = ['driveletter', 'number', 'disknumber'].flatMap((name) => bound.all(name))
    for (const value of named.length === 0 ? [unknownValue()] : few(walk, named)) {
      const on = { ...target('path', `disk ${value.text ?? value.prefix}`.trim(), 'device'), classes: ['device' as const] }
      walk.context.emit('delete', on, { action: 'disk:erase', span: walk.span, reversible: false })
    }
    return unknownValue()
  },
}

/** From here on the name means what it was given; commands that follow are looked up by it first. */
const alias: Cmdlet = {
  signature: { positional: ['name', 'value'], named: ['scope', 'option', 'description'], switches: ['force', 'passthru'] },
  run(bound, walk) {
    const [name, value] = [bound.get('name'), bound.get('value')]
    if (name?.text && value?.text) walk.aliases.set(name.text.toLowerCase(), cmdletNamed(value.text.toLowerCase()))
    else walk.context.opaque('a name is given to a command that is not known', walk.span)
    return unknownValue()
  },
}

const sql: Cmdlet = {
  signature: {
    positional: ['query'],
    named: ['inputfile', 'serverinstance', 'database', 'username', 'password', 'connectionstring', 'querytimeout', 'variable', 'outputas'],
    switches: ['trustservercertificate', 'disablecommands', 'abortonerror'],
  },
  run(bound, walk) {
    const named = bound.get('database') ?? bound.get('serverinstance')
    const on = target('database', named?.text || 'default')
    for (const value of bound.all('query')) walk.context.sql(value.text, walk.span, on)
    for (const file of bound.all('inputfile')) walk.native('sqlcmd', [knownValue('-i'), file])
    return unknownValue()
  },
}

/** The copies of a disk that Windows keeps are objects like any other; whoever asks for them to delete them asks for them here. */
const objects: Cmdlet = {
  signature: {
    positional: ['class', 'classname', 'query'],
    named: ['namespace', 'computername', 'filter', 'property', 'credential'],
    switches: ['list', 'amended'],
  },
  run(bound, walk) {
    const asked = ['class', 'classname', 'query']
      .flatMap((name) => bound.all(name))
      .some((value) => /shadowcopy/i.test(value.text ?? value.prefix))
    if (asked) {
      walk.context.emit('delete', target('resource', 'shadow copies'), {
        action: 'backup:delete',
        span: walk.span,
        certainty: 'possible',
        reversible: false,
      })
    }
    return unknownValue()
  },
}

export const SYSTEM_CMDLETS: readonly (readonly [string, Cmdlet])[] = [
  ['stop-process', stopProcess],
  ['stop-service', service('stop')],
  ['start-service', service('start')],
  ['restart-service', service('restart')],
  ['set-service', acting({ verb: 'change', kind: 'service', action: 'service:change', on: ['name'] })],
  ['remove-service', acting({ verb: 'delete', kind: 'service', action: 'service:change', on: ['name'] })],
  ['new-service', acting({ verb: 'persist', kind: 'service', action: 'service:install', on: ['name', 'binarypathname'] })],
  ['register-scheduledtask', schedule],
  ['set-scheduledtask', schedule],
  ['register-scheduledjob', schedule],
  ['new-scheduledtaskaction', taskAction],
  ['unregister-scheduledtask', acting({ verb: 'delete', kind: 'service', action: 'schedule:remove', on: ['taskname'] })],
  [
    'set-executionpolicy',
    acting({
      verb: 'change',
      kind: 'service',
      action: 'security:disable',
      on: ['executionpolicy'],
      where: ['executionpolicy', /^(?:bypass|unrestricted|\?)$/i],
    }),
  ],
  ['set-mppreference', preference],
  ['add-mppreference', preference],
  [
    'set-netfirewallprofile',
    acting({ verb: 'change', kind: 'service', action: 'security:disable', on: ['profile', 'name'], where: ['enabled', /^(?:false|\?)$/i] }),
  ],
  ['disable-netfirewallrule', disable(['name', 'displayname'])],
  ['remove-netfirewallrule', disable(['name', 'displayname'])],
  ['new-netfirewallrule', acting({ verb: 'change', kind: 'service', action: 'firewall:change', on: ['displayname', 'name'] })],
  [
    'disable-windowsoptionalfeature',
    acting({
      verb: 'change',
      kind: 'service',
      action: 'security:disable',
      on: ['featurename'],
      where: ['featurename', /defender|applocker|guard|bitlocker|\?/i],
    }),
  ],
  ['disable-bitlocker', disable(['mountpoint'])],
  ['disable-computerrestore', acting({ verb: 'change', kind: 'service', action: 'security:disable', on: ['drive'] })],
  [
    'uninstall-windowsfeature',
    acting({
      verb: 'change',
      kind: 'service',
      action: 'security:disable',
      on: ['name'],
      where: ['name', /defender|applocker|guard|bitlocker|\?/i],
    }),
  ],
  ['set-alias', alias],
  ['new-alias', alias],
  ['invoke-sqlcmd', sql],
  ['get-wmiobject', objects],
  ['get-ciminstance', objects],
  ['clear-eventlog', acting({ verb: 'delete', kind: 'resource', action: 'history:clear', on: ['logname'], reversible: false })],
  ['remove-eventlog', acting({ verb: 'delete', kind: 'resource', action: 'history:clear', on: ['logname'], reversible: false })],
  ['clear-history', acting({ verb: 'delete', kind: 'resource', action: 'history:clear', on: ['id'], reversible: false })],
  ['clear-recyclebin', acting({ verb: 'delete', kind: 'resource', action: 'fs:trash', on: ['driveletter'], reversible: false })],
  ['format-volume', wipe],
  ['clear-disk', wipe],
  ['remove-partition', wipe],
  ['initialize-disk', wipe],
  ['restart-computer', likeProgram('reboot', [], [])],
  ['stop-computer', likeProgram('poweroff', [], [])],
  ['new-localuser', account(['name'], 'user:add')],
  ['set-localuser', account(['name'], 'user:change')],
  ['remove-localuser', account(['name'], 'user:change')],
  ['enable-localuser', account(['name'], 'user:change')],
  ['add-localgroupmember', account(['group', 'member'], 'privilege:grant')],
  ['add-adgroupmember', account(['identity', 'members'], 'privilege:grant')],
  ['disable-netadapter', acting({ verb: 'change', kind: 'service', action: 'firewall:network', on: ['name'] })],
  ['enable-psremoting', acting({ verb: 'change', kind: 'service', action: 'net:listen', on: [] })],
  ['enter-pssession', acting({ verb: 'send', kind: 'host', action: 'net:remote-login', on: ['computername'] })],
  ['new-pssession', acting({ verb: 'send', kind: 'host', action: 'net:remote-login', on: ['computername'] })],
  ['send-mailmessage', mail],
  ['test-connection', likeProgram('ping', ['-c', '1'], ['targetname'])],
  ['test-netconnection', likeProgram('ping', ['-c', '1'], ['computername'])],
  ['resolve-dnsname', likeProgram('dig', [], ['name'])],
  ['install-module', install],
  ['install-script', install],
  ['install-package', install],
  ['install-psresource', install],
  ['update-module', install],
  ['set-acl', likeProgram('chmod', ['go+rw'], ['path'])],
  ['get-clipboard', acting({ verb: 'read', kind: 'resource', action: 'clipboard:read', on: [] })],
  ['set-clipboard', acting({ verb: 'write', kind: 'resource', action: 'clipboard:write', on: [] })],
  ['set-date', setting(['date'])],
  ['set-timezone', setting(['id'])],
  ['rename-computer', setting(['newname'])],
  ['compress-archive', likeProgram('tar', ['-cf'], ['destinationpath', 'path'])],
  ['expand-archive', expand],
  ['unblock-file', likeProgram('touch', [], ['path'])],
]
