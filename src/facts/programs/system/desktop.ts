import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { isStream, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'
import { appleScript } from './applescript.ts'

/**
 * Opening things, AppleScript, and macOS programs that convert or capture.
 * Actions: app:open · app:script · capture:screen · text:edit · media:convert · secret:read (asks the user for one) · privilege:elevate.
 */

const open: CommandSpec = {
  flags: list('-e -t -f -F -W -R -n -g -j -h -u'),
  options: takes('-a -b -s --env --stdin --stdout --stderr --args'),
  inert: ['--help'],
  refine: (parsed, context) => {
    const application = parsed.value('-a', '-b')
    if (application !== null)
      context.emit('execute', context.thing('program', application.text ?? 'unknown'), { action: 'app:open', span: application.span })
    for (const word of parsed.operands) openWord(word, context)
  },
}

/** A URL is fetched by the browser; a file is read, or run where it is a program or a bundle. */
function openWord(word: Word, context: CommandContext): void {
  if (/^[a-z][a-z0-9+.-]+:/i.test(word.prefix) && !/^[a-z]:[\\/]/i.test(word.prefix)) {
    context.emit('fetch', context.url(word), { action: 'app:open', span: word.span, attributes: word.dynamic ? { dynamic: true } : {} })
  } else if (/\.(?:app|command|tool|workflow|pkg|mpkg|terminal|scpt|jar|desktop|appimage|run)\/?$/i.test(word.text ?? '')) {
    context.emit('execute', context.path(word), { action: 'app:open', span: word.span })
  } else readPath(context, word, { action: 'app:open' })
}

const osascript: CommandSpec = {
  flags: list('-i'),
  options: takes('-e -l -s -ss'),
  refine: (parsed, context) => {
    const texts = parsed.values('-e')
    const language = parsed.value('-l')?.text ?? 'AppleScript'
    const [only] = texts
    const lines = texts.every(({ text }) => text !== null) ? texts.map(({ text }) => text).join('\n') : null
    if (only !== undefined) appleScript({ ...only, text: lines }, context, language)
    const [file] = parsed.operands
    if (texts.length > 0) return
    if (file !== undefined && !isStream(file)) {
      readPath(context, file)
      context.opaque('an AppleScript file runs', file.span)
    } else context.opaque('an AppleScript comes from standard input')
  },
}

/** A converted file stands beside the one it was made from. */
function converts(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.value('-convert', '-cat') === null || parsed.value('-output') !== null || parsed.flag('-stdout')) return
  writePath(context, knownWord('.', parsed.invocation.span), { action: 'media:convert' })
}

export const desktop: CommandTable = byName({
  'open xdg-open gnome-open kde-open wslview sensible-browser': open,
  osascript,
  'screencapture imagesnap': {
    options: takes('-t -T -l -D -R -B -d'),
    refine: ({ operands, invocation }, context) => {
      context.emit('read', context.thing('resource', 'screen or camera'), { action: 'capture:screen' })
      for (const word of operands) writePath(context, word, { action: 'capture:screen' })
      if (operands.length === 0 && invocation.name === 'imagesnap') context.emit('write', context.thing('resource', 'snapshot.jpg'))
    },
  },
  'say afplay': { options: { '-o': 'write', '-f': 'read', '-v': 'data', '-r': 'data' } },
  sips: {
    options: { ...takes('-g --getProperty -x --extractProfile'), '-o': 'write', '--out': 'write' },
    refine: (parsed, context) => {
      const asks = parsed.unknown.length === 0 || parsed.value('-o', '--out') !== null
      for (const word of parsed.operands.slice(-1)) {
        readPath(context, word)
        if (!asks) writePath(context, word, { action: 'media:convert' })
      }
    },
  },
  textutil: {
    flags: list('-info -stdin -stdout'),
    options: { ...takes('-convert -cat -format -inputencoding -encoding -extension -title'), '-output': 'write' },
    singleDashLong: true,
    operands: ['read'],
    refine: converts,
  },
  qlmanage: { flags: list('-p -t -r'), options: { ...takes('-s -c'), '-o': 'data' }, operands: ['read'] },
  lipo: {
    flags: list('-info -archs -detailed_info -create'),
    options: { '-output': 'write', '-o': 'write', ...takes('-thin -extract -remove -arch') },
    singleDashLong: true,
    operands: ['read'],
  },
  install_name_tool: {
    options: takes('-id -add_rpath -delete_rpath -rpath -change -prepend_rpath'),
    singleDashLong: true,
    refine: ({ operands }, context) => {
      const file = operands.at(-1)
      if (file !== undefined) writePath(context, file)
    },
  },
  'shortcuts automator': { operands: ['data'], effects: [{ verb: 'execute', action: 'app:script' }] },
})
