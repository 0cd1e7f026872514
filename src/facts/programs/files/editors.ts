import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { typed } from '../system/applescript.ts'
import { byName, each, list, takes } from '../tool.ts'

/**
 * Editors, converters and the desktop. (vim, tmux and screen are wrappers.)
 * Actions: text:edit · app:open · app:input (keys and clicks) · clipboard:read, clipboard:write · capture:screen, capture:sound, capture:keys · media:convert.
 */

const HELP = ['--help', '--version', '-h', '-V']

/** Opens each file to be changed by a person or by commands. */
function edits(words: readonly Word[], context: CommandContext): void {
  for (const word of words.filter((item) => !item.prefix.startsWith('+'))) {
    readPath(context, word)
    writePath(context, word, { action: 'text:edit', certainty: 'likely' })
  }
}

const editor = (valued = '', flags = ''): CommandSpec => ({
  options: takes(valued),
  flags: list(flags),
  inert: HELP,
  refine: ({ operands }, context) => edits(operands, context),
})

/** `ed`, `ex`: commands on standard input, of which `!` runs a shell command. */
const ed: CommandSpec = {
  flags: list('-s -E -v -r -G -l'),
  options: takes('-p'),
  inert: HELP,
  refine: ({ operands, invocation: { input, program, span } }, context) => {
    for (const word of operands.filter((item) => item.prefix.startsWith('!'))) context.shell(word.text?.slice(1) ?? null, word.span, 'ed')
    edits(
      operands.filter((word) => !word.prefix.startsWith('!')),
      context,
    )
    if (input.kind === 'text' && input.text !== null) {
      for (const line of input.text.split('\n')) {
        const bang = line.indexOf('!')
        // `f name` is the file from then on.
        const written = /^(?:[\d,.$%\s]*[wW]q?|\s*f)\s+([^!\s].*)$/.exec(line)?.[1]
        if (written !== undefined) writePath(context, wordOf(written, program), { action: 'text:edit' })
        if (bang >= 0 && /^[\d,.$%\sa-z]*$/.test(line.slice(0, bang))) context.shell(line.slice(bang + 1), span, 'ed')
      }
    } else if (input.kind === 'pipe') context.opaque('the commands of `ed` come from a pipe')
  },
}

const emacs: CommandSpec = {
  flags: list('-nw -Q -q -batch --batch --no-init-file --no-site-file --quick --kill'),
  options: takes('-eval --eval -e -f --funcall -t -d -fn'),
  singleDashLong: true,
  inert: ['--help', '--version'],
  refine: (parsed, context) => {
    for (const word of parsed.values('-eval', '--eval', '-e')) {
      const shell = /\((?:shell-command(?:-to-string)?|call-process-shell-command|async-shell-command)\s+"((?:[^"\\]|\\.)*)"/.exec(
        word.text ?? '',
      )
      if (shell === null) context.opaque('Lisp runs in the editor', word.span)
      else context.shell(shell[1] ?? '', word.span, 'emacs')
    }
    const loaded = parsed.invocation.args.findIndex((word) => /^(?:-l|--load|--script)$/.test(word.text ?? ''))
    if (loaded >= 0) context.opaque('a Lisp file runs in the editor')
    edits(parsed.operands, context)
  },
}

const visual: CommandSpec = {
  flags: list(
    '-n -r -w -a -g --new-window --reuse-window --wait --add --goto --list-extensions --status --diff --verbose --disable-extensions',
  ),
  options: takes(
    '--user-data-dir --profile --extensions-dir --locale --install-extension --uninstall-extension --log --folder-uri --file-uri --remote --add-mcp',
  ),
  inert: ['--help', '--version', '-h', '-v', '--status', '-s', '--list-extensions'],
  refine: (parsed, context) => {
    for (const word of parsed.values('--install-extension', '--uninstall-extension', '--add-mcp')) {
      context.emit('change', context.thing('package', word.text ?? 'unknown'), {
        action: 'pkg:install',
        span: word.span,
        attributes: { manager: parsed.invocation.name },
      })
    }
    const [first] = parsed.operands
    if (first?.text === 'agent' && parsed.invocation.name === 'cursor')
      context.command([{ ...first, text: 'cursor-agent', prefix: 'cursor-agent' }, ...parsed.operands.slice(1)], 'cursor')
    else if (first?.text === 'tunnel') context.emit('publish', context.thing('service', 'editor tunnel'), { action: 'net:tunnel' })
    else for (const word of parsed.operands) readPath(context, word, { action: 'app:open' })
  },
}

const clipboardWrite: CommandSpec = {
  inert: HELP,
  effects: [{ verb: 'write', action: 'clipboard:write', target: { kind: 'resource', value: 'clipboard' } }],
}
const clipboardRead: CommandSpec = {
  inert: HELP,
  effects: [{ verb: 'read', action: 'clipboard:read', target: { kind: 'resource', value: 'clipboard' } }],
}

/** `xclip -o` reads the clipboard, without it standard input goes there. */
const xclip: CommandSpec = {
  flags: list('-i -o -out -in -f -r -b -p -a --output --input --clear --clipboard --primary'),
  options: takes('-selection -sel -t -target -display -l -loops'),
  singleDashLong: true,
  inert: ['-help', '--help', '-version'],
  refine: (parsed, context) => {
    const idle = !parsed.flag('-i', '-in', '--input') && parsed.invocation.input.kind === 'none' && parsed.operands.length === 0
    const reads = idle || parsed.flag('-o', '-out', '--output') || parsed.unknown.some((word) => /^-[a-z]*o/.test(word.text ?? '-o'))
    const action = reads ? 'clipboard:read' : 'clipboard:write'
    context.emit(reads ? 'read' : 'write', context.thing('resource', 'clipboard'), { action })
    for (const word of reads ? [] : parsed.operands) readPath(context, word)
  },
}

/** `concat:a|b`, `file:a`, `cache:x`, `subfile,,start,0,end,0,,:a`: what stands behind the protocols of ffmpeg. */
function behindProtocols(word: Word): readonly Word[] {
  const { text } = word
  if (text === null || !/^(?:concat|concatf|file|cache|async|crypto|subfile)[,:+]/i.test(text)) return [word]
  return text.split('|').map((part) => {
    const name = part.replace(/^(?:(?:concat|concatf|file|cache|async|crypto|subfile)(?:,[^:]{0,200})?[:+]){1,4}/i, '')
    return wordOf(name, word)
  })
}

/** A converter: inputs are read (or fetched), the last operand is written. */
function input(given: Word, context: CommandContext): void {
  for (const word of behindProtocols(given)) oneInput(word, context)
}

function oneInput(word: Word, context: CommandContext): void {
  if (/^(?:https?|ftp|rtmp|rtsp|s3):\/\//i.test(word.prefix)) reachUrl(context, word, { verb: 'fetch' })
  else readPath(context, word)
}

/** Devices that it records from: screens, cameras, microphones. */
const RECORDS = /^(?:x11grab|xcbgrab|kmsgrab|fbdev|gdigrab|avfoundation|dshow|v4l2|video4linux2|alsa|pulse|jack|oss|sndio)$/

const ffmpeg: CommandSpec = {
  flags: list('-y -n -an -vn -sn -dn -nostdin -hide_banner -shortest -nostats -stats -re -copyts'),
  options: takes(
    '-i -f -c -c:v -c:a -codec -vcodec -acodec -b -b:v -b:a -r -s -ss -t -to -vf -af -filter_complex -map -crf -preset ' +
      '-loglevel -v -ar -ac -ab -q -q:v -q:a -qscale -aspect -pix_fmt -metadata -movflags -threads -profile:v -level -g -bf ' +
      '-vframes -frames:v -start_number -framerate -loop -stream_loop -itsoffset -tune -maxrate -bufsize -vsync -map_metadata ' +
      '-disposition -tag:v -strict -bsf:v -lavfi -hwaccel -pass -passlogfile -safe -protocol_whitelist -headers -user_agent ' +
      '-video_size -show_entries -of -select_streams -print_format',
  ),
  singleDashLong: true,
  inert: ['-h', '-version', '-help', '-codecs', '-formats', '-encoders', '-filters'],
  refine: (parsed, context) => {
    const device = parsed.values('-f').find(({ text }) => RECORDS.test(text ?? ''))
    if (device !== undefined) {
      const sound = /^(?:alsa|pulse|jack|oss|sndio)$/.test(device.text ?? '')
      context.emit('read', context.thing('resource', device.text ?? ''), {
        action: sound ? 'capture:sound' : 'capture:screen',
        span: device.span,
      })
    } else for (const word of parsed.values('-i')) input(word, context)
    const writes = parsed.invocation.name === 'ffmpeg' || parsed.invocation.name === 'avconv'
    for (const word of parsed.operands) {
      if (!writes) input(word, context)
      else if (/^(?:rtmp|rtsp|https?|udp|tcp|srt|ftp):\/\//i.test(word.prefix)) reachUrl(context, word, { verb: 'send' })
      else writePath(context, word, { action: 'media:convert' })
    }
  },
}

/** Headless browsers save pictures; an extension they are given is code. */
function browser(parsed: ParsedCommand, context: CommandContext): void {
  launchers(parsed, context)
  for (const word of parsed.values('--screenshot', '--print-to-pdf')) writePath(context, word, { action: 'media:convert' })
  for (const word of parsed.values('--load-extension')) context.emit('execute', context.path(word), { action: 'dev:load', span: word.span })
}

function convertLast(parsed: ParsedCommand, context: CommandContext): void {
  const inPlace = /^(?:mogrify|optipng|jpegoptim)$/.test(parsed.invocation.name)
  const files = parsed.operands.filter((word) => word.text === null || /[./]/.test(word.text))
  const last = files.at(-1)
  for (const word of inPlace || files.length < 2 ? files : files.slice(0, -1)) input(word, context)
  if (inPlace) for (const word of files) writePath(context, word, { action: 'media:convert' })
  else if (last !== undefined && files.length > 1) writePath(context, last, { action: 'media:convert' })
}

const magick: CommandSpec = {
  options: takes(
    '-resize -crop -quality -density -geometry -gravity -background -fill -font -pointsize -annotate -draw -size -rotate ' +
      '-colorspace -depth -blur -sharpen -extent -define -set -level -threshold -fuzz -transparent -border -bordercolor ' +
      '-format -type -compress -colors -delay -loop -thumbnail -page -alpha -channel -stroke -strokewidth -write',
  ),
  singleDashLong: true,
  inert: ['-help', '-version', '--help', '--version'],
  refine: convertLast,
}

const pandoc: CommandSpec = {
  flags: list('-s -N -C --standalone --toc --self-contained --embed-resources --number-sections --citeproc'),
  options: {
    ...takes(
      '-f -t -r -w -M -V --from --to --read --write --metadata --variable --toc-depth --wrap --columns --pdf-engine-opt ' +
        '--highlight-style --top-level-division --request-header --template --reference-doc --data-dir',
    ),
    '-o': 'write',
    '--output': 'write',
    '--extract-media': 'write',
    '-L': 'load',
    '--lua-filter': 'load',
    '-F': 'program',
    '--filter': 'program',
    '--pdf-engine': 'program',
    '-d': 'read',
    '--defaults': 'read',
    '--bibliography': 'read',
    '-c': 'data',
    '--css': 'data',
    '-H': 'read',
    '-B': 'read',
    '-A': 'read',
    '--metadata-file': 'read',
    '--csl': 'read',
  },
  inert: ['--help', '--version', '-v', '-h', '--list-input-formats', '--list-output-formats'],
  refine: (parsed, context) => {
    for (const word of parsed.operands) input(word, context)
  },
}

const exiftool: CommandSpec = {
  flags: list('-r -a -u -g -s -S -n -j -X -G -overwrite_original -m -q'),
  options: { ...takes('-d -ext -i -p -c -charset'), '-o': 'write', '-tagsfromfile': 'read', '-@': 'read', '-if': 'code:perl' },
  singleDashLong: true,
  inert: ['-ver', '-h', '-help'],
  refine: (parsed, context) => {
    const sets = parsed.unknown.some((word) => word.prefix.includes('='))
    for (const word of parsed.operands) {
      readPath(context, word)
      if (sets) writePath(context, word, { action: 'text:edit' })
    }
  },
}

const keys: CommandSpec = {
  operands: ['data'],
  inert: ['--help', '--version'],
  effects: [{ verb: 'execute', action: 'app:input', target: { kind: 'resource', value: 'keyboard and mouse' } }],
  // `xdotool type TEXT`, `wtype TEXT`, `cliclick t:TEXT`.
  refine: ({ operands }, context) => {
    for (const word of operands) if (word.text !== null) typed(word.text.replace(/^t:/, ''), word, context)
  },
}

/** Options of a browser whose value it runs in place of its own parts. */
const LAUNCHERS = '--gpu-launcher --renderer-cmd-prefix --utility-cmd-prefix --ppapi-plugin-launcher --browser-subprocess-path'

function launchers(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values(...list(LAUNCHERS))) {
    context.emit('change', context.thing('variable', 'browser launcher'), { action: 'env:inject', span: word.span, reversible: true })
    context.shell(word.text?.replace(/^"(.*)"$/, '$1') ?? null, word.span, parsed.invocation.name)
  }
}

export const editors: CommandTable = byName({
  // `-s` names what checks the spelling.
  'nano pico': { ...editor('-T -r -o -f -Y'), options: { ...takes('-T -r -o -f -Y'), ...takes('-s --speller', 'program') } },
  'micro joe jed mcedit helix hx kak ne tilde': editor('-T -r -o -s -f -Y'),
  'gedit kate kwrite mousepad pluma xed leafpad bbedit mate textmate notepad notepad++ sublime_text subl atom zed idea pycharm webstorm goland':
    editor('-n -l'),
  'ed red': ed,
  'emacs emacsclient xemacs': emacs,
  'code code-insiders codium vscodium code-server cursor windsurf positron kiro trae antigravity': visual,
  'pbcopy clip clip.exe wl-copy termux-clipboard-set': clipboardWrite,
  'pbpaste wl-paste termux-clipboard-get': clipboardRead,
  'xclip xsel': xclip,
  'xdotool ydotool wtype cliclick xte': keys,
  'scrot maim grim gnome-screenshot import flameshot spectacle': {
    options: takes('-d -q -s -o -f -w -window'),
    inert: ['--help', '--version'],
    singleDashLong: true,
    operands: ['write'],
    effects: [{ verb: 'read', action: 'capture:screen', target: { kind: 'resource', value: 'screen' } }],
  },
  'arecord parec parecord pw-record rec': {
    flags: list('-l -L -N -q -v'),
    options: takes('-d -f -r -c -t -D -i --device --duration --format --rate --channels'),
    inert: ['-l', '-L', '--help', '--version', '--list-devices'],
    operands: ['write'],
    effects: [{ verb: 'read', action: 'capture:sound', target: { kind: 'resource', value: 'microphone' } }],
  },
  xinput: {
    refine: ({ operands: [mode] }, context) => {
      if (/^test/.test(mode?.text ?? '')) context.emit('read', context.thing('resource', 'keyboard'), { action: 'capture:keys' })
    },
    flags: list('--list --list-props --short --test --test-xi2'),
  },
  'logkeys showkey evtest libinput-record keysniffer': {
    inert: [...HELP, '-k', '--kill'],
    effects: [{ verb: 'read', action: 'capture:keys', target: { kind: 'resource', value: 'keyboard' } }],
  },
  'ffmpeg avconv ffprobe ffplay': ffmpeg,
  'convert magick mogrify composite montage compare gm': magick,
  'identify mediainfo soxi': { operands: ['read'], options: takes('-format'), singleDashLong: true },
  ...each(
    'sox lame flac oggenc opusenc rsvg-convert inkscape potrace cwebp dwebp jpegoptim optipng pngquant gifsicle ps2pdf ' +
      'pdfunite pdfseparate qpdf pdftk wkhtmltopdf wkhtmltoimage dot neato mmdc qrencode',
    {
      options: { ...takes('-r -w -h -f -T -s -q -K -E -size -l'), '-o': 'write', '--output': 'write', '-sOutputFile': 'write' },
      singleDashLong: true,
      inert: HELP,
      refine: convertLast,
    },
  ),
  gs: {
    options: { ...takes('-r -w -h -f -T -s -q -K -E -size -l'), '-o': 'write', '-sOutputFile': 'write' },
    singleDashLong: true,
    inert: HELP,
    refine: (parsed, context) => {
      // A file of that name is a program: what is written goes into it.
      for (const { text, span } of parsed.invocation.args) {
        const command = /%pipe%([^()]{1,2000})/.exec(text ?? '')?.[1]
        if (command !== undefined) context.shell(command, span, 'gs')
      }
      convertLast(parsed, context)
    },
  },
  pandoc,
  exiftool: exiftool,
  'libreoffice soffice unoconv': {
    flags: list('--headless --norestore --invisible'),
    options: takes('--convert-to --outdir --infilter'),
    singleDashLong: true,
    operands: ['read'],
    inert: ['--help', '--version'],
    refine: ({ operands }, context) => {
      for (const { prefix, span } of operands)
        if (/^(?:macro:|vnd\.sun\.star\.script:)/.test(prefix)) context.opaque('a macro runs, which is not read', span)
    },
  },
  'google-chrome chrome chromium chromium-browser firefox safari brave microsoft-edge': {
    flags: list('--headless --disable-gpu --no-sandbox --incognito --private-window --new-window --dump-dom'),
    options: takes(
      `${LAUNCHERS} --user-data-dir --window-size --remote-debugging-port --proxy-server --profile-directory --load-extension -P`,
    ),
    optionalValues: ['--screenshot', '--print-to-pdf'],
    operands: ['url'],
    inert: ['--version', '--help'],
    refine: browser,
  },
})
