import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/** Programs that read text and print it: every operand is read, standard output is the only result unless an option says so. */

const HELP = ['--help', '--version']

function reads(valued = '', more: CommandSpec = {}): CommandSpec {
  return { operands: ['read'], inert: HELP, ...more, options: { ...takes(valued), ...more.options } }
}

/** Look into machine code: `-D`, `-d` and the like choose what is shown, and load nothing. */
const inspects = reads('-M -j -b -m --section --start-address --stop-address --format', {
  flags: list('-A -B -C -D -F -G -H -I -L -P -R -S -T -V -W -X -a -d -e -f -g -h -i -l -n -p -r -s -t -u -v -w -x'),
})

const pager: CommandSpec = {
  options: { '-o': 'write', '-O': 'write', '--log-file': 'write', '-k': 'read', '--lesskey-file': 'read', ...takes('-p -P -x -b -j') },
  inert: HELP,
  refine: ({ operands }, context) => {
    for (const word of operands) {
      // `+command` runs in the pager; `!` in it is a shell command.
      const bang = word.text?.startsWith('+') === true ? word.text.indexOf('!') : -1
      if (bang > 0) context.shell(word.text?.slice(bang + 1) ?? null, word.span, 'less')
      else if (!word.prefix.startsWith('+')) readPath(context, word)
    }
  },
}

const digest = reads('-a -l --algorithm --length', { flags: list('-c --check -b -t --tag -z --quiet --status -w --strict') })

const diff = reads(
  '-U -C -D -I -L -F -x -W -S --horizon-lines --ifdef --label --line-format --exclude --ignore-matching-lines ' +
    '--show-function-line --tabsize --width --starting-file',
  {
    optionalValues: list('--unified --context'),
    flags: list('-r --recursive -N -a -b -i -q -s -u -c -y -w -B -E -Z --brief --new-file --no-dereference'),
    options: { '-X': 'read', '--exclude-from': 'read', '--from-file': 'read', '--to-file': 'read' },
    attributes: { recursive: ['-r', '--recursive'] },
  },
)

const octal = reads('-A -j -N -S -t --address-radix --endian --skip-bytes --read-bytes --format', {
  optionalValues: list('--strings -w --width'),
})
const hex = reads('-n -s -e --length --skip --format', { options: { '-f': 'read', '--format-file': 'read' } })

/** `--pager` is a command line. */
function bat(parsed: ParsedCommand, context: CommandContext): void {
  const pager = parsed.value('--pager')
  if (pager !== null) context.shell(pager.text, pager.span, parsed.invocation.name)
}

/** `shuf -e a b`: the operands are the lines. */
function shuffle(parsed: ParsedCommand, context: CommandContext): void {
  if (!parsed.flag('-e', '--echo')) for (const word of parsed.operands) readPath(context, word)
}

export const text: CommandTable = byName({
  tac: reads('-s --separator'),
  'cat rev zcat gzcat bzcat xzcat zstdcat lz4cat ccat mdcat glow tsort colrm vis unvis': reads(),
  'bat batcat': {
    ...reads(
      '-l --language -H --highlight-line -r --line-range --theme --style --tabs --wrap --color --paging --decorations -m --map-syntax --file-name',
    ),
    flags: list('-n -A -p -P -u -f -d -pp'),
    options: takes(
      '-l --language -H --highlight-line -r --line-range --theme --style --tabs --wrap --color --paging --decorations -m --map-syntax --file-name --pager',
    ),
    refine: bat,
  },
  'jless csvlook csvstat csvcut csvgrep csvsort csvjson in2csv mlr': reads('-c -d -q -s --columns --icsv --ojson'),
  head: reads('-n -c --lines --bytes'),
  tail: reads('-n -c -s --lines --bytes --pid --sleep-interval --max-unchanged-stats'),
  'tailf multitail': reads('-n'),
  wc: reads('', { options: { '--files0-from': 'read' } }),
  cut: reads('-d -f -c -b --delimiter --fields --characters --bytes --output-delimiter'),
  sort: reads('-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel --batch-size --sort', {
    optionalValues: ['--check'],
    options: { '--random-source': 'read', '-o': 'write', '--output': 'write', '--compress-program': 'program', '--files0-from': 'read' },
    flags: list('-b -c -d -f -g -h -i -m -n -r -R -s -u -V -z -M'),
  }),
  shuf: reads('-n -i --head-count --input-range', {
    options: { '-o': 'write', '--output': 'write', '--random-source': 'read' },
    flags: list('-e --echo -r -z'),
    operands: ['data'],
    refine: shuffle,
  }),
  uniq: {
    options: takes('-f -s -w --skip-fields --skip-chars --check-chars'),
    operands: ['read', 'write'],
    inert: HELP,
  },
  nl: reads(
    '-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering ' +
      '--line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width',
  ),
  fold: reads('-w --width'),
  fmt: reads('-w -p -g --width --prefix --goal'),
  pr: reads('-D -h -l -N -o -w -W --columns --date-format --first-line-number --header --indent --length --page-width --width', {
    optionalValues: list('-e -i -n -s -S --expand-tabs --output-tabs --number-lines --separator --sep-string'),
  }),
  'expand unexpand': reads('-t --tabs'),
  column: reads(
    '-c -s -o -O -N -n -H -R -T -W -E -l -i -p -r --output-width --separator --output-separator --table-columns ' +
      '--table-columns-limit --table-name --table-order --table-hide --table-right --table-truncate --table-wrap ' +
      '--table-noextreme --tree --tree-id --tree-parent',
  ),
  paste: reads('-d --delimiters'),
  join: reads('-t -1 -2 -j -o -e -v -a'),
  comm: reads('--output-delimiter'),
  'diff colordiff icdiff delta difft wdiff': diff,
  diff3: reads('-L --label', { options: { '--diff-program': 'program' } }),
  sdiff: reads('-w --width -I --ignore-matching-lines --tabsize', {
    options: { ...takes('-o --output', 'write'), '--diff-program': 'program' },
  }),
  cmp: reads('-n -i --bytes --ignore-initial'),
  od: octal,
  'hexdump hd': hex,
  xxd: { options: takes('-l -s -c -g -o -n'), singleDashLong: true, operands: ['read', 'write'] },
  strings: reads('-n -t -e -T --bytes --radix --encoding'),
  'base64 base32 basenc basez uuencode uudecode': reads('-w -b --wrap', {
    flags: list('-d -D -i --decode --ignore-garbage'),
    options: { '--input': 'read', ...takes('-o --output', 'write') },
  }),
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum md5 shasum crc32 xxhsum': digest,
  more: { ...pager, options: takes('-n --lines') },
  'less most pg view-file zless zmore bzless xzless': pager,
  look: { operands: ['data', 'read'], options: takes('-t') },
  iconv: reads('-f -t --from-code --to-code', { options: { '-o': 'write', '--output': 'write' } }),
  'recode enca chardet uchardet': reads('-L'),
  'pdftotext pdftohtml': { operands: ['read', 'write'], options: takes('-f -l -x -y -W -H -enc'), singleDashLong: true },
  'pdfinfo pdfgrep docx2txt antiword catdoc hexyl': reads(),
  'readelf nm objdump ldd size otool': inspects,
  'pygmentize highlight source-highlight': reads('-l -f -O -s -S', { options: { '-o': 'write' } }),
  'lscpu lsblk lsusb lspci lsmod': { inert: HELP },
})
