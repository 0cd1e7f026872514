import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, reachUrl, readPath, writePath } from '../../resources/acts.ts'

/**
 * Programs that every Windows has and that are used for what they were not made for: to fetch, to run, to open what is closed.
 * Their options begin with `/` or `-`. Actions: code:remote · http:get · fs:acl, fs:chown, fs:shred · service:*.
 */

const HELP = ['/?', '-?', '/help']

const isOption = (word: Word): boolean => /^[/-]/.test(word.text ?? '')
const plain = (words: readonly Word[]): readonly Word[] => words.filter((word) => !isOption(word))
const lower = (word: Word | undefined): string => word?.text?.toLowerCase() ?? ''
const options = ({ invocation }: ParsedCommand): readonly string[] => invocation.args.filter(isOption).map(lower)

/** A program with options of its own kind; every word is an operand. */
function program(refine: (parsed: ParsedCommand, context: CommandContext) => void): CommandSpec {
  return { operands: ['data'], inert: HELP, refine }
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i

function fetches(word: Word, context: CommandContext): void {
  reachUrl(context, word, { verb: 'fetch', action: 'http:get', attributes: { method: 'GET' } })
}

/** Runs what an address answers: `mshta http://…`, `regsvr32 /i:http://…`. */
function runsFrom(word: Word, context: CommandContext): void {
  fetches(word, context)
  context.emit('execute', context.url(word), { action: 'code:remote', span: word.span, reversible: false })
}

const certutil = program(({ invocation }, context) => {
  const words = plain(invocation.args)
  const given = invocation.args.map(lower)
  if (given.some((word) => /^[-/](?:urlcache|verifyctl|url)$/.test(word))) {
    const [address, file] = words
    if (address !== undefined) fetches(address, context)
    if (file !== undefined) writePath(context, file, { action: 'http:save', attributes: { from: address?.text ?? '' } })
  } else if (given.some((word) => /^[-/](?:decode|decodehex|encode|encodehex)$/.test(word))) {
    if (words[0] !== undefined) readPath(context, words[0])
    if (words[1] !== undefined) writePath(context, words[1])
  } else if (given.some((word) => /^[-/](?:exportpfx|exportpvk|recoverkey|getkey)$/.test(word))) {
    context.emit('read', context.thing('resource', 'private keys'), { action: 'secret:read' })
  } else if (given.some((word) => /^[-/](?:addstore|delstore|importpfx|repairstore|a|t)$/.test(word))) {
    context.emit('change', context.thing('resource', 'trusted certificates'), { action: 'security:change' })
  }
})

const bitsadmin = program(({ invocation }, context) => {
  const words = plain(invocation.args)
  const at = words.findIndex((word) => ADDRESS.test(word.text ?? word.prefix))
  const [address, file] = [words[at], words[at + 1]]
  if (address !== undefined && at >= 0) fetches(address, context)
  if (file !== undefined && at >= 0) writePath(context, file, { action: 'http:save', attributes: { from: address?.text ?? '' } })
  if (invocation.args.some((word) => lower(word) === '/setnotifycmdline'))
    context.emit('persist', context.thing('service', 'transfer job'), { action: 'schedule:job' })
})

const mshta = program(({ invocation }, context) => {
  for (const word of plain(invocation.args)) {
    const text = word.text ?? word.prefix
    if (ADDRESS.test(text)) runsFrom(word, context)
    else if (/^(?:javascript|vbscript):/i.test(text)) context.opaque('`mshta` runs script that is not analysed', word.span)
    else context.emit('execute', context.path(word), { action: 'script:unseen', span: word.span })
  }
})

const rundll32 = program(({ invocation }, context) => {
  const words = invocation.args.map((word) => word.text ?? word.prefix).join(' ')
  if (/javascript:|vbscript:|mshtml/i.test(words)) context.opaque('`rundll32` runs script that is not analysed')
  else if (/comsvcs|\bminidump/i.test(words))
    context.emit('read', context.thing('process', words.slice(0, 200)), { action: 'proc:memory', reversible: false })
  else if (/lockworkstation|shell32\.dll,control_rundll|printui/i.test(words)) return
  else context.emit('execute', context.thing('code', words.slice(0, 200)), { action: 'code:library', reversible: false })
})

const regsvr32 = program(({ invocation }, context) => {
  for (const word of invocation.args) {
    const text = word.text ?? word.prefix
    const address = /^[/-]i:(.*)$/i.exec(text)?.[1]
    if (address !== undefined && ADDRESS.test(address)) runsFrom({ ...word, text: address, prefix: address }, context)
    else if (!isOption(word)) context.emit('execute', context.path(word), { action: 'code:library', span: word.span, reversible: false })
  }
})

/** `icacls PATH /grant Everyone:F /T`. */
const icacls = program((parsed, context) => {
  const [path] = plain(parsed.invocation.args)
  const text = parsed.invocation.args.map((word) => word.text ?? word.prefix).join(' ')
  if (path === undefined || !/\/(?:grant|deny|remove|reset|setowner|setintegritylevel|restore|inheritance)/i.test(text)) return
  const open = /\/grant(?::r)?\s+\*?(?:everyone|users|authenticated users|s-1-1-0|s-1-5-11|builtin\\users)/i.test(text)
  const recursive = options(parsed).includes('/t')
  const target = context.path(path)
  if (open) context.emit('change', target, { action: 'fs:chmod', span: path.span, attributes: { mode: 'a+rwx', recursive } })
  else context.emit('change', target, { action: 'fs:acl', span: path.span, attributes: { recursive } })
})

const takeown = program((parsed, context) => {
  const { args } = parsed.invocation
  const path = args[args.findIndex((word) => lower(word) === '/f') + 1]
  if (path === undefined) return
  context.emit('change', context.path(path), {
    action: 'fs:chown',
    span: path.span,
    attributes: { recursive: options(parsed).includes('/r') },
  })
})

const cipher = program(({ invocation }, context) => {
  for (const word of invocation.args) {
    const wiped = /^\/w:(.*)$/i.exec(word.text ?? '')?.[1]
    if (wiped === undefined) continue
    const target = context.path({ ...word, text: wiped, prefix: wiped })
    context.emit('delete', target, { action: 'fs:shred', span: word.span, reversible: false })
  }
})

const SERVICE_ACTS: ReadonlyMap<string, 'change' | 'persist' | 'delete'> = new Map([
  ...(['start', 'stop', 'pause', 'continue', 'config', 'failure', 'sdset', 'control'] as const).map((verb) => [verb, 'change'] as const),
  ['create', 'persist'],
  ['delete', 'delete'],
])
/** Services that watch over the machine. */
const GUARDS = /^(?:windefend|mpssvc|wscsvc|sense|wdnissvc|eventlog|bfe|securityhealthservice|wuauserv|sysmon\w*)$/i

/** `sc.exe [\\host] VERB NAME …`. */
const sc = program(({ invocation }, context) => {
  const words = invocation.args.filter((word) => !(word.text ?? '').startsWith('\\\\'))
  const verb = SERVICE_ACTS.get(lower(words[0]))
  const name = words[1]
  if (verb === undefined || name === undefined) return
  const on = context.thing('service', name.text ?? name.prefix)
  const off = /^(?:stop|pause|delete|config)$/.test(lower(words[0])) && GUARDS.test(name.text ?? '')
  const action = off ? 'security:disable' : verb === 'persist' ? 'service:install' : 'service:change'
  context.emit(verb, on, { action, span: name.span })
})

/** `del /s /q C:\x`, `rd /s C:\x`. */
const del = program((parsed, context) => {
  const given = options(parsed)
  for (const word of plain(parsed.invocation.args)) {
    deletePath(context, word, { attributes: { recursive: given.includes('/s'), force: given.includes('/f') || given.includes('/q') } })
  }
})

export const windowsPrograms: CommandTable = {
  certutil,
  bitsadmin,
  mshta,
  rundll32,
  regsvr32,
  icacls,
  takeown,
  cipher,
  sc,
  'sc.exe': sc,
  erase: del,
  cmdkey: program(({ invocation }, context) => {
    if (invocation.args.some((word) => lower(word) === '/list'))
      context.emit('read', context.thing('resource', 'stored credentials'), { action: 'secret:list' })
    else context.emit('change', context.thing('resource', 'stored credentials'), { action: 'secret:change' })
  }),
}
