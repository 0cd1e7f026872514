import { target } from '../../effect.ts'
import { newObject } from './dotnet.ts'
import { FILE_CMDLETS } from './files.ts'
import type { Cmdlet } from './session.ts'
import { SYSTEM_CMDLETS } from './system.ts'
import { fetchedFrom, knownValue, scalars, splitArguments, unknownValue, type Value, wordFrom } from './value.ts'

/**
 * Cmdlets that use the network or run code; those on files and the machine have files of their own. Where a program of Unix does
 * the same, its table says what that means.
 */

const flag = (name: string): Value => knownValue(name)

/** Parameters with one value, and the option of curl that means the same. */
const CURL_OPTIONS = [
  ['infile', '-T'],
  ['outfile', '-o'],
  ['proxy', '-x'],
] as const

const webRequest: Cmdlet = {
  signature: {
    positional: ['uri'],
    named: [
      ...['method', 'custommethod', 'body', 'infile', 'outfile', 'headers', 'form', 'proxy', 'useragent', 'contenttype', 'timeoutsec'],
      ...['websession', 'sessionvariable', 'certificate', 'token', 'authentication', 'maximumredirection', 'maximumretrycount'],
    ],
    switches: ['usebasicparsing', 'usedefaultcredentials', 'skipcertificatecheck', 'disablekeepalive', 'allowunencryptedauthentication'],
  },
  run(bound, walk) {
    const address = bound.get('uri') ?? unknownValue()
    const method = (bound.get('method') ?? bound.get('custommethod'))?.text ?? ''
    const body = bound.get('body') ?? null
    const entries = (value: Value | null): Iterable<Value> => value?.table?.values() ?? []
    const words: Value[] = []
    if (method !== '') words.push(flag('-X'), knownValue(method.toUpperCase()))
    for (const value of [...scalars(body), ...entries(bound.get('form') ?? null), ...entries(body)])
      words.push(flag('--data-raw'), value.text === null ? { ...value, prefix: '' } : value)
    for (const [parameter, option] of CURL_OPTIONS) {
      const value = bound.get(parameter) ?? null
      if (value !== null) words.push(flag(option), value)
    }
    if (bound.on('skipcertificatecheck')) words.push(flag('-k'))
    for (const header of entries(bound.get('headers') ?? null)) words.push(flag('-H'), header)
    walk.native('curl', [...words, address])
    return fetchedFrom(walk.context, wordFrom(address, walk.span))
  },
}

const bitsTransfer: Cmdlet = {
  signature: { positional: ['source', 'destination'], named: ['transfertype', 'displayname', 'priority'], switches: ['asynchronous'] },
  run(bound, walk) {
    const source = bound.get('source') ?? unknownValue()
    const upload = bound.get('transfertype')?.text?.toLowerCase().startsWith('upload') === true
    const other = bound.get('destination') ?? knownValue('.')
    walk.native('curl', upload ? [flag('-T'), source, other] : [flag('-o'), other, source])
    return unknownValue()
  },
}

const invokeExpression: Cmdlet = {
  signature: { positional: ['command'] },
  run: (bound, walk) => walk.run(bound.get('command') ?? bound.input ?? unknownValue()),
}

/** Cmdlets that run a script block here, later or elsewhere. */
const runBlock: Cmdlet = {
  signature: {
    positional: ['scriptblock'],
    named: ['computername', 'session', 'filepath', 'argumentlist', 'name', 'initializationscript', 'vmname', 'containerid', 'hostname'],
    switches: ['asjob', 'usessl', 'parallel'],
  },
  run(bound, walk) {
    const host = bound.get('computername') ?? bound.get('session') ?? bound.get('hostname') ?? bound.get('vmname')
    const file = bound.get('filepath')
    const body = (): void => {
      for (const value of bound.all('scriptblock')) {
        if (value.block === null) walk.run(value)
        else walk.block(value.block, bound.input)
      }
      if (file !== null) walk.context.script('powershell', wordFrom(file, walk.span), [])
    }
    if (host === null) body()
    else {
      const remote = host.text ?? host.prefix
      walk.context.emit('send', target('host', remote), { action: 'net:remote-shell', span: walk.span, attributes: { remote } })
      const here = walk.context
      here.within({ attributes: { remote }, remote: true }, (inner) => {
        walk.context = inner
        body()
      })
      walk.context = here
    }
    return unknownValue()
  },
}

const startProcess: Cmdlet = {
  signature: {
    positional: ['filepath', 'argumentlist'],
    named: ['verb', 'workingdirectory', 'windowstyle', 'redirectstandardoutput', 'redirectstandarderror', 'redirectstandardinput'],
    switches: ['wait', 'nonewwindow', 'loaduserprofile', 'usenewenvironment'],
  },
  run(bound, walk) {
    if (bound.get('verb')?.text?.toLowerCase() === 'runas') {
      const attributes = { by: 'Start-Process' }
      walk.context.emit('change', target('account', 'Administrator'), { action: 'privilege:elevate', span: walk.span, attributes })
    }
    for (const name of ['redirectstandardoutput', 'redirectstandarderror']) {
      const file = bound.get(name)
      if (file !== null) walk.native('tee', [file])
    }
    const named = bound.get('filepath') ?? unknownValue()
    // A bare name is looked for where it is called first of all.
    const program = /^[\w.-]+\.(?:exe|bat|cmd|com|msi|ps1|vbs|js|hta)$/i.test(named.text ?? '')
      ? knownValue(`./${named.text}`, { from: named.from })
      : named
    // One text of arguments is taken apart by the program that starts; several are handed on as they are.
    const given = bound.all('argumentlist')
    const words = given.length === 1 ? given.flatMap(splitArguments) : given
    walk.context.command(
      [program, ...words].map((value) => wordFrom(value, walk.span)),
      'powershell',
    )
    return unknownValue()
  },
}

const runPath: Cmdlet = {
  signature: { positional: ['path'], named: ['literalpath', 'name', 'argumentlist'], switches: ['force', 'global', 'passthru'] },
  run(bound, walk) {
    for (const path of bound.paths()) {
      const host = /^\\\\([\w.-]{1,255})\\/.exec(path.text ?? '')?.[1]
      if (host !== undefined) {
        const reason = 'what runs lies on another machine'
        walk.context.emit('execute', target('host', host), { action: 'code:remote', reversible: false, span: walk.span, reason })
      }
      if (path.text === null || /[\\/.]/.test(path.text)) walk.context.script('powershell', wordFrom(path, walk.span), [])
    }
    return unknownValue()
  },
}

const makeObject: Cmdlet = {
  signature: { positional: ['typename', 'argumentlist'], named: ['comobject', 'property'], switches: ['strict'] },
  run(bound, walk) {
    const com = bound.get('comobject')
    if (com !== null) {
      walk.context.opaque(`the COM object \`${com.text ?? '?'}\` is not analysed`, walk.span)
      return unknownValue({ type: 'com' })
    }
    return newObject((bound.get('typename')?.text ?? '').toLowerCase(), bound.all('argumentlist'), walk)
  },
}

const addType: Cmdlet = {
  signature: { positional: ['typedefinition'], named: ['memberdefinition', 'name', 'namespace', 'assemblyname', 'path', 'language'] },
  run(bound, walk) {
    if (bound.get('assemblyname') === null) walk.context.opaque('`Add-Type` compiles code that is not analysed', walk.span)
    return unknownValue()
  },
}

const forEach: Cmdlet = {
  signature: { positional: ['process'], named: ['begin', 'end', 'membername', 'parallel', 'throttlelimit'] },
  run(bound, walk) {
    let value = unknownValue()
    for (const name of ['begin', 'process', 'parallel', 'end']) {
      for (const part of bound.all(name)) if (part.block !== null) value = walk.block(part.block, bound.input)
    }
    return value
  },
}

const writeOutput: Cmdlet = {
  signature: { positional: ['inputobject'], switches: ['noenumerate'] },
  run: (bound) => bound.get('inputobject') ?? bound.input ?? knownValue(''),
}

/** What is printed past the pipeline. */
const writeHost: Cmdlet = {
  signature: { positional: ['object'], named: ['foregroundcolor', 'backgroundcolor', 'separator'], switches: ['nonewline'] },
  run: (bound) => bound.get('object') ?? bound.input ?? knownValue(''),
}

export const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map<string, Cmdlet>([
  ...FILE_CMDLETS,
  ['invoke-webrequest', webRequest],
  ['invoke-restmethod', webRequest],
  ['start-bitstransfer', bitsTransfer],
  ['invoke-expression', invokeExpression],
  ['invoke-command', runBlock],
  ['start-job', runBlock],
  ['start-threadjob', runBlock],
  ['measure-command', runBlock],
  ['start-process', startProcess],
  ['invoke-item', runPath],
  ['import-module', runPath],
  ['new-object', makeObject],
  ['add-type', addType],
  ['foreach-object', forEach],
  ['write-output', writeOutput],
  ['write-host', writeHost],
  ...SYSTEM_CMDLETS,
])
