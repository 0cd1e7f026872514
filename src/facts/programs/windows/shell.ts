import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { deletePath, readPath, writePath } from '../../resources/acts.ts'
import { byName } from '../tool.ts'

/**
 * The shell of Windows and its own commands: `cmd /c`, `rd`, `copy`, `format`; programs that run others there.
 * Actions: disk:format · disk:partition · privilege:elevate · code:remote · script:unseen · backup:delete · system:setting.
 */

const HELP = ['/?', '-?', '/help']
const isOption = ({ prefix }: Word): boolean => /^[/-][a-z?]+(?::.*)?$/i.test(prefix)
const plain = ({ invocation }: ParsedCommand): readonly Word[] => invocation.args.filter((word) => !isOption(word))
const given = ({ invocation }: ParsedCommand): readonly string[] =>
  invocation.args.filter(isOption).map(({ text }) => text?.toLowerCase() ?? '')

function program(refine: (parsed: ParsedCommand, context: CommandContext) => void): CommandSpec {
  return { operands: ['data'], inert: HELP, refine }
}

/** What `cmd` reads, spelled for our shell: `^` only quotes, `\` does not, `%X%` is a variable, `&` comes between commands. */
export function fromCmd(text: string): string {
  return text
    .replace(/\^([^\r\n])/g, '$1')
    .replaceAll('\\', '\\\\')
    .replace(/%(\w{1,40})%/g, (_, name: string) => `\${${name}}`)
    .replace(/([^&>])&(?![&>])/g, '$1;')
}

const cmd = program(({ invocation }, context) => {
  const { args } = invocation
  const at = args.findIndex(({ text }) => /^\/[ckr]$/i.test(text ?? ''))
  const words = args.slice(at + 1)
  const [first] = words
  if (at < 0 || first === undefined) {
    context.stdin('shell')
    return
  }
  const text = words.some((word) => word.text === null) ? null : words.map((word) => word.text).join(' ')
  const span = { ...first.span, end: Math.max(first.span.end, words.at(-1)?.span.end ?? 0) }
  context.shell(text === null ? null : fromCmd(text), span, 'cmd')
})

const removes = program((parsed, context) => {
  const options = given(parsed)
  const attributes = { recursive: options.includes('/s'), force: options.includes('/q') || options.includes('/f') }
  for (const word of plain(parsed)) deletePath(context, word, { attributes })
})

const copies = (moves: boolean): CommandSpec =>
  program((parsed, context) => {
    const words = plain(parsed)
    const [from, to] = [words[0], words[1]]
    if (from !== undefined) readPath(context, from)
    if (from !== undefined && moves) deletePath(context, from, { reversible: true })
    if (to === undefined) return
    writePath(context, to)
    // A mirror removes what the source has not.
    if (given(parsed).some((option) => option === '/mir' || option === '/purge'))
      deletePath(context, to, { attributes: { recursive: true } })
  })

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|\\\\)/i

/** Runs what it is given: a file, or what an address or a share of another machine answers. */
const runs = program((parsed, context) => {
  for (const word of parsed.invocation.args) {
    const value = word.prefix.replace(/^[/-][a-z]+:(?=["a-z\\])/i, '').replace(/^"/, '')
    const named = { ...word, text: word.text === null ? null : value, prefix: value }
    if (ADDRESS.test(value)) {
      context.emit('fetch', context.url(named), { span: word.span })
      context.emit('execute', context.url(named), { action: 'code:remote', span: word.span, reversible: false })
    } else if (/\.(?:js|jse|vbs|vbe|wsf|msi|msp|xsl)$/i.test(value)) {
      context.emit('execute', { ...context.path(named), kind: 'script' }, { action: 'script:unseen', span: word.span })
    }
  }
})

/** `msiexec /x {GUID}`, `/i package.msi`: software of the machine comes or goes. */
const msiexec = program((parsed, context) => {
  runs.refine?.(parsed, context)
  const options = given(parsed)
  const removes = options.some((option) => /^[/-](?:x|uninstall)/.test(option))
  const installs = options.some((option) => /^[/-](?:i|package|update|p|a|f[a-z]*|j[um]?)$/.test(option))
  if ((removes || installs) && !ADDRESS.test(plain(parsed)[0]?.prefix ?? ''))
    context.emit('change', context.thing('package', plain(parsed)[0]?.text ?? 'package'), {
      action: `os-package:${removes ? 'remove' : 'install'}`,
    })
})

const wmic = program((parsed, context) => {
  runs.refine?.(parsed, context)
  const words = parsed.invocation.args.map((word) => word.text?.toLowerCase() ?? '').join(' ')
  const node = /\/node:(\S+)/.exec(words)?.[1]
  if (node !== undefined) context.emit('send', context.thing('host', node), { action: 'net:remote-shell' })
  if (/\bprocess call create\b/.test(words))
    context.emit('change', context.thing('process', words.slice(0, 100)), { action: 'cli:change', certainty: 'likely' })
  if (/\bshadow(?:copy|storage)\b/.test(words) && /\bdelete\b/.test(words)) {
    context.emit('delete', context.thing('service', 'shadow copies'), { action: 'backup:delete', reversible: false })
  } else if (/\b(?:delete|uninstall)\b/.test(words)) {
    context.emit('delete', context.thing('resource', words.slice(0, 100)), { action: 'system:setting', reversible: false })
  } else if (/ (?:set|call) /.test(words) && !/\bprocess call create\b/.test(words)) {
    context.emit('change', context.thing('resource', words.slice(0, 100)), { action: 'system:setting', reversible: false })
  }
})

const runas = program((parsed, context) => {
  const user = parsed.invocation.args.map(({ text }) => /^\/user:(.*)$/i.exec(text ?? '')?.[1]).find((name) => name !== undefined)
  context.emit('change', context.thing('account', user ?? 'another user'), { action: 'privilege:elevate', attributes: { by: 'runas' } })
  const line = plain(parsed)[0]
  if (line !== undefined) context.shell(line.text === null ? null : fromCmd(line.text), line.span, 'runas')
})

/** `format C:`: only a drive is meant; other programs of that name are told files. */
const format = program((parsed, context) => {
  for (const word of plain(parsed)) {
    if (!/^[a-z]:\\?$/i.test(word.text ?? '')) continue
    context.emit('delete', { ...context.path(word), classes: ['device'] }, { action: 'disk:format', span: word.span, reversible: false })
  }
})

const diskpart = program((parsed, context) => {
  const script = plain(parsed)[0]
  if (script !== undefined) readPath(context, script)
  context.emit('change', context.thing('resource', 'disks'), { action: 'disk:partition', reversible: false })
})

export const windowsShell: CommandTable = byName({
  cmd,
  rd: removes,
  'copy xcopy robocopy': copies(false),
  format,
  diskpart,
  'cscript wscript': runs,
  msiexec,
  wmic,
  runas,
})
