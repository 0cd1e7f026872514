import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { byName, does, doing, each, list, runsLine, takes, tool } from '../tool.ts'

/** Small tools of everyday: converters, galleries that are fetched, replacing in files, tapes of terminals, queues of one machine. */

const HELP = ['-h', '--help', '--version']

/** `sd [-p] find replace file…`: rewrites the files, or what it reads where none is named. */
const sd: CommandSpec = {
  flags: list('-p --preview -F --fixed-strings -s --string-mode -A --across'),
  options: takes('-n --max-replacements -f --flags'),
  inert: HELP,
  operands: ['data'],
  refine: (parsed, context) => {
    for (const word of parsed.operands.slice(2)) {
      if (parsed.flag('-p', '--preview')) readPath(context, word)
      else writePath(context, word, { action: 'text:edit' })
    }
  },
}

/** The last of several operands is what the others become; one alone becomes itself. */
function lastWritten({ operands }: ParsedCommand, context: CommandContext): void {
  for (const [at, word] of operands.entries()) {
    if (word.text === '-') continue
    if (at > 0 && at === operands.length - 1) writePath(context, word)
    else readPath(context, word)
  }
}

/** Pages, galleries and sites that are fetched into files. */
const gallery: CommandSpec = {
  flags: list(
    '-g -G -j -J -k -K -q -v -w -s --get-urls --dump-json --simulate --list-keywords --no-download --no-skip --write-metadata --zip --cbz --verbose --quiet',
  ),
  options: {
    ...takes(
      '-f --filename -u --username -p --password -o --option -r --limit-rate -R --retries -a --user-agent --range --filter ' +
        '--chapter-range --sleep --proxy --exec --exec-after --cookies-from-browser',
    ),
    ...takes('-i --input-file -I --input-file-comment -x --input-file-delete -C --cookies -c --config --config-yaml --config-toml', 'read'),
    ...takes('-d --destination -D --directory --write-log --write-unsupported --download-archive', 'write'),
  },
  inert: [...HELP, '--list-extractors', '--list-modules'],
  operands: ['url'],
  refine: (parsed, context) => {
    for (const word of parsed.values('--exec', '--exec-after')) context.shell(word.text, word.span, parsed.invocation.name)
    const browser = parsed.value('--cookies-from-browser')
    if (browser !== null) context.emit('read', context.thing('resource', 'browser cookies'), { action: 'secret:read', span: browser.span })
  },
}

/** `vhs file.tape`: the tape says what is typed into a shell. */
const vhs = tool('vhs', {
  flags: list('-p --publish -q --quiet'),
  options: takes('-o --output', 'write'),
  operands: ['steps'],
  subcommands: byName({
    record: { options: takes('-s --shell'), operands: ['data'] },
    validate: { operands: ['read'] },
    new: { operands: ['write'] },
    'themes manual': {},
    publish: does({ ...doing('publish cli:publish'), kind: 'resource', at: 0, value: 'tape', reversible: false }, { operands: ['read'] }),
    serve: does({ ...doing('execute dev:serve'), kind: 'program', value: 'vhs' }),
  }),
  refine: () => undefined,
})

const QUEUE_LOOKS = each('status log follow wait format-status completions', {
  operands: ['data'],
  options: takes('-g --group -l --lines'),
})
const QUEUE_CHANGES = each('kill remove clean reset pause start stash enqueue restart switch parallel group edit shutdown send env', {
  operands: ['data'],
  flags: list('-a --all -i --in-place'),
  options: takes('-g --group --add --remove -s --signal'),
})

/** `pueue add -- command`: runs it later, on this machine. */
const pueue = tool('pueue', {
  options: takes('-c --config -p --profile --color'),
  subcommands: {
    add: runsLine({
      flags: '-i --immediate -s --stashed -e --escape -p --print-task-id',
      valued: '-w --working-directory -d --delay -g --group -a --after -o --priority -l --label',
    }),
    ...QUEUE_LOOKS,
    ...QUEUE_CHANGES,
  },
})

export const converters: CommandTable = byName({
  sd,
  img2pdf: {
    options: {
      ...takes(
        '--pagesize -S --imgsize -s --border -b --fit -f --title --author --creationdate --moddate --keywords --subject ' +
          '--colorspace -C --nodate --rotation --engine',
      ),
      ...takes('-o --output', 'write'),
      '--from-file': 'read',
    },
    flags: list('--auto-orient -a --first-frame-only --pillow-limit-break --verbose -v --pdfa'),
    inert: HELP,
    operands: ['read'],
  },
  ocrmypdf: {
    flags: list(
      '-r -c -d -f -s -i -k -q -v --rotate-pages --clean --deskew --skip-text --force-ocr --redo-ocr --remove-background --clean-final --quiet',
    ),
    options: {
      ...takes(
        '-l --language -j --jobs -O --optimize --image-dpi --output-type --title --author --subject --keywords --pages --tesseract-timeout',
      ),
      '--sidecar': 'write',
      ...takes('--plugin', 'load'),
    },
    inert: HELP,
    operands: [],
    refine: lastWritten,
  },
  'gallery-dl': gallery,
  vhs,
  pueue,
  'a2ensite a2dissite a2enmod a2dismod a2enconf a2disconf': does(
    { ...doing('change service:change'), kind: 'service', value: 'apache' },
    { flags: list('-q -m -p -f --quiet --maintmode --purge --force'), operands: ['data'], inert: HELP },
  ),
  'lp lpr': {
    flags: list('-c -m -E -l -r -s -p -R'),
    options: takes('-d -P -h -H -i -n -o -q -t -T -U -# -u -y -C -J -f -w'),
    inert: HELP,
    operands: ['read'],
    refine: (parsed, context) => {
      const host = parsed.value('-h')
      if (host !== null) context.emit('send', context.url(host), { action: 'net:upload', span: host.span })
    },
  },
})
