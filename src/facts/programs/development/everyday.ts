import type { CommandContext, CommandTable, ParsedCommand } from '../../host.ts'
import { reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, each, list, takes, tool } from '../tool.ts'
import { develops } from './develop.ts'

/** Small tools that every session has a use for: indexes of code, checks of links and messages, generators, viewers of data. */

/** Files and addresses whose links are followed. */
function followsLinks(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) {
    if (/^https?:/i.test(word.prefix)) reachUrl(context, word, { verb: 'fetch' })
    else readPath(context, word)
  }
}

const HELP = '--help -h --version -V'
const GENERATES = develops({
  action: 'dev:generate',
  operands: 'data',
  verbs: 'generate gen diff vet check compile',
  flags: '-v -q --quiet --verbose --watch -w --lazy --clean',
  valued: '-p --package -g --generator-name -t --lang -l --src-lang --name -type -i --input --input-spec --additional-properties',
  reads: '-source -s',
  loads: '-c --config',
  writes: '-o --output --out -out -destination -output --output-dir',
  singleDashLong: true,
  inert: `${HELP} version`,
})

const PUBLISHES = (name: string) => does({ verb: 'publish', action: `${name}:publish`, kind: 'package', value: '.', reversible: false })

const buf = tool('buf', {
  options: takes('--config --timeout --log-format'),
  subcommands: byName({
    'lint breaking build ls-files convert stats': develops({
      action: 'dev:lint',
      operands: 'data',
      writes: '-o --output',
      valued: '--against --path --exclude-path --error-format --type --from --to',
    }),
    format: develops({
      action: 'dev:format',
      fixes: '-w --write',
      flags: '-d --diff --exit-code',
      writes: '-o --output',
      valued: '--path',
    }),
    generate: develops({
      action: 'dev:generate',
      operands: 'data',
      valued: '--path --include-imports --exclude-path',
      loads: '--template',
      writes: '-o --output',
    }),
    push: PUBLISHES('buf'),
  }),
})

const wasmPack = tool('wasm-pack', {
  flags: list('-v --verbose -q --quiet'),
  options: takes('--log-level'),
  subcommands: byName({
    'build new': develops({
      action: 'dev:build',
      operands: 'data',
      flags: '--dev --release --profiling --debug --no-pack --no-opt --no-typescript',
      valued: '-t --target -s --scope -m --mode --out-name',
      writes: '-d --out-dir',
    }),
    test: develops({ action: 'dev:test', operands: 'data', flags: '--node --firefox --chrome --safari --headless -r --release' }),
    pack: develops({ action: 'dev:build', operands: 'data' }),
    publish: PUBLISHES('npm'),
  }),
})

/** `-u` writes the versions that it found. */
const updates = develops({
  action: 'dev:lint',
  operands: 'data',
  flags: '-u --upgrade -g --global -i --interactive -m --minimal -D --deep -w --workspaces --root --jsonUpgraded',
  valued: '-t --target -x --reject -f --filter -p --packageManager --dep --format -e --errorLevel',
  writes: '--packageFile',
  inert: HELP,
  more: (parsed, context) => {
    if (parsed.flag('-u', '--upgrade')) writePath(context, knownWord('package.json', parsed.invocation.span), { action: 'dev:generate' })
  },
})

export const everyday: CommandTable = byName({
  'ctags universal-ctags uctags etags gtags cscope': develops({
    action: 'dev:generate',
    flags: '-R -a -b -q -k -e -u -x -L -B --recurse --append',
    valued: '--languages --exclude --fields --extras --kinds-all --langmap --sort -I -s',
    loads: '--options',
    reads: '-i',
    writes: '-f -o',
    output: 'tags',
    inert: `${HELP} --list-languages --list-kinds`,
  }),
  buf,
  'wasm-pack': wasmPack,
  'ast-grep': tool('ast-grep', {
    subcommands: each(
      'run scan test new',
      develops({
        action: 'dev:lint',
        fixes: '-U --update-all -i --interactive',
        flags: '--json --no-ignore --debug-query --skip-snapshot-tests --heading',
        valued: '-p --pattern -l --lang -r --rewrite --selector --strictness --globs -A -B -C --color --inline-rules --filter -j --threads',
        reads: '--rule',
        loads: '-c --config',
      }),
    ),
  }),
  'lychee linkchecker': {
    flags: list('-v -q -n --verbose --no-progress --offline --cache --include-fragments --dump --recursive --check-extern'),
    options: {
      ...takes('--exclude --include --exclude-path --timeout --max-retries -r -f --format --base --accept -a -t --threads -T'),
      ...takes('-c --config -f', 'read'),
      ...takes('-o --output', 'write'),
    },
    inert: list(HELP),
    operands: ['data'],
    refine: followsLinks,
  },
  commitlint: develops({
    action: 'dev:lint',
    operands: 'data',
    flags: '-q -s -V --verbose --quiet --strict --last -l',
    valued: '-f --from -t --to -d --cwd -p',
    reads: '-e --edit',
    loads: '-g --config -x --extends -o --format',
    inert: '--help -h --version -v --print-config',
  }),
  act: develops({
    action: 'dev:task',
    operands: 'data',
    flags: '-q -v -r -b -w --watch --reuse --bind --rm --verbose --quiet --pull --no-skip-checkout',
    valued: '-j --job -P --platform -s --secret --env --input --var --matrix --actor -a --container-architecture --defaultbranch',
    reads: '-e --eventpath --secret-file --env-file --var-file --input-file',
    loads: '-W --workflows',
    inert: `${HELP} -l --list -n --dryrun -g --graph --bug-report`,
  }),
  'ncu npm-check-updates npm-check': updates,
  'graphql-codegen orval quicktype json2ts json2typescript mockgen mockery gotests stringer wire sqlc templ': GENERATES,
  'elm-test elm-review scalafix tsd dpdm benchstat': develops({ action: 'dev:test', operands: 'data', inert: HELP }),
  typst: develops({
    action: 'dev:build',
    verbs: 'compile c watch w query fonts',
    lastWritten: true,
    flags: '--open',
    valued: '--root --input --font-path --format -f --ppi --pages --field',
    inert: HELP,
  }),
  'pdftoppm pdftocairo pdfimages': {
    operands: ['read', 'write'],
    flags: list('-png -jpeg -tiff -svg -pdf -ps -mono -gray -cropbox -singlefile -list -all -j -q -v -h -p -transp'),
    options: takes('-f -l -r -rx -ry -x -y -W -H -scale-to -scale-to-x -scale-to-y -jpegopt -sep -opw -upw'),
    singleDashLong: true,
  },
  pdffonts: { operands: ['read'], options: takes('-f -l -opw -upw'), singleDashLong: true },
  tesseract: {
    operands: ['read', 'write'],
    options: { ...takes('-l --psm --oem -c --dpi --loglevel'), ...takes('--tessdata-dir --user-words --user-patterns', 'read') },
    inert: list('--help --version --list-langs -h -v'),
  },
  'gron ungron jd dyff csvlens wasm-objdump callgrind_annotate ms_print': {
    operands: ['read'],
    options: { ...takes('-o --output', 'write') },
  },
  'htmlq pup': {
    operands: ['data'],
    options: {
      ...takes('-a --attribute -b --base -r --remove-nodes -i --indent'),
      ...takes('-f --filename --file', 'read'),
      ...takes('-o --output', 'write'),
    },
  },
  choose: { operands: ['data'], options: { ...takes('-f --field-separator -o --output-field-separator'), ...takes('-i --input', 'read') } },
  'yj jo procs': { operands: ['data'] },
})
