import { hasClass } from '../../effect.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, each, list, refined, takes } from '../tool.ts'
import { gitFlag, helperTransport, inTree, packPrograms, workTree } from './code.ts'

/** git subcommands that only look, and those that write what they saw into a file. */

const reading = (spec: CommandSpec): CommandSpec =>
  refined((parsed, context) => {
    context.emit('read', context.thing('repository', workTree(parsed)), { action: 'git:read' })
    spec.refine?.(parsed, context)
  }, spec)

/** Options of `log`, `diff`, `show` and their kin that take a value; the rest are flags, attached values or harmless. */
const LOG_OPTIONS = takes(
  '-S -G -L -O -l --since --until --after --before --author --committer --grep --max-count --skip --format --date ' +
    '--diff-filter --inter-hunk-context --src-prefix --dst-prefix --line-prefix --output-indicator-new ' +
    '--output-indicator-old --anchored --word-diff-regex --find-object --ignore-matching-lines -I --rotate-to --skip-to ' +
    '--exclude --glob --notes',
)
const LOG_FLAGS = list(
  '-p --patch -u -s --no-patch --raw --numstat --shortstat --summary --name-only --name-status --oneline --graph --all ' +
    '--follow --cached --staged --merge-base --no-index --check --full-index --binary -w -b -z -a --text --reverse --quiet ' +
    '-q --exit-code --ext-diff --no-ext-diff --textconv --no-textconv --no-color --no-renames --no-pager --cc -c --decorate ' +
    '--no-decorate --merges --no-merges --first-parent --minimal --patience --histogram -R -v',
)
const LOG_OPTIONAL = list(
  '--pretty --stat --color --color-words --word-diff --dirstat --abbrev -U --unified -M -C -B -D --find-renames ' +
    '--find-copies -n --submodule --relative --decorate --branches --tags --remotes --color-moved',
)

/** `diff --no-index a b` reads any two files; `--output=f` writes one. */
function outsideFiles(parsed: ParsedCommand, context: CommandContext): void {
  const paths: readonly Word[] = gitFlag(parsed, '--no-index')
    ? parsed.operands
    : parsed.operands.filter((word) => word.prefix.startsWith('/'))
  for (const word of paths) context.emit('read', context.path(inTree(parsed, word)), { action: 'git:read' })
  storedFiles(parsed, context)
  shownFiles(parsed, context)
  const output = parsed.value('--output')
  if (output !== null) context.emit('write', context.path(inTree(parsed, output)), { action: 'git:read' })
  if (gitFlag(parsed, '--ext-diff')) {
    context.emit('execute', context.thing('program', 'diff.external'), { action: 'git:tool', certainty: 'possible' })
  }
}

/** `HEAD:.env` is that file, whatever lies in the work tree now. */
function storedFiles(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) {
    const at = word.text?.indexOf(':') ?? -1
    const path = word.text?.slice(at + 1) ?? ''
    if (at < 1 || path === '' || path.startsWith('/')) continue
    context.emit('read', context.path(inTree(parsed, knownWord(path, word.span))), { action: 'git:read', span: word.span })
  }
}

/** Subcommands that print what is in files, whether or not they are told to. */
const PRINTS: ReadonlySet<string> = new Set(['diff', 'show', 'blame', 'annotate', 'grep'])

/** `git log -p -- .env` prints every state that the file was in. */
function shownFiles(parsed: ParsedCommand, context: CommandContext): void {
  if (!PRINTS.has(parsed.path.join(' ')) && !gitFlag(parsed, '-p', '--patch', '-u', '-L')) return
  if (gitFlag(parsed, '--stat', '--name-only', '--name-status', '--shortstat', '--no-patch', '-q', '--quiet')) return
  for (const word of parsed.operands) {
    if (word.text === null || !word.text.includes('.') || word.text.includes(':')) continue
    const target = context.path(inTree(parsed, word))
    if (hasClass(target, 'credential')) context.emit('read', target, { action: 'git:read', span: word.span })
  }
}

const LOG = reading({
  flags: LOG_FLAGS,
  options: { ...LOG_OPTIONS, '--output': 'data' },
  optionalValues: LOG_OPTIONAL,
  refine: outsideFiles,
})

/** `git stash show -p` prints what a stash holds. */
export const STASH_SHOW: CommandSpec = { ...LOG, flags: [...LOG_FLAGS, '--include-untracked', '--only-untracked'] }

const GREP = reading({
  flags: list(
    '-h -H -i -v -w -n -c -l -L -r -a -I -E -F -G -P -q -z -o -p -W --cached --no-index --untracked --ignore-case ' +
      '--invert-match --word-regexp --extended-regexp --fixed-strings --perl-regexp --basic-regexp --line-number --count ' +
      '--files-with-matches --name-only --files-without-match --all-match --and --or --not --recursive --heading --break ' +
      '--column --only-matching --show-function --function-context --quiet --no-color --textconv --text',
  ),
  options: takes('-e -f -A -B -C --max-depth --threads -m --max-count --after-context --before-context --context'),
  optionalValues: list('-O --open-files-in-pager --color'),
  refine: (parsed, context) => {
    const pager = parsed.value('-O', '--open-files-in-pager')
    if (pager !== null) context.shell(pager.text, pager.span, 'git')
    outsideFiles(parsed, context)
  },
})

/** Reads the repository and writes a file when told to. */
function exporting(options: string, spec: CommandSpec = {}): CommandSpec {
  const refine: CommandSpec['refine'] = (parsed, context) => {
    const output = parsed.value(...list(options))
    if (output !== null) context.emit('write', context.path(inTree(parsed, output)), { action: 'git:export' })
    packPrograms(parsed, context)
    spec.refine?.(parsed, context)
  }
  return reading({ ...spec, refine, options: { ...takes(options), ...spec.options } })
}

const ARCHIVE = exporting('-o --output', {
  flags: list('-l --list -v --verbose -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes'),
  options: takes('--format --prefix --remote --exec --add-file --add-virtual-file --mtime'),
  refine: (parsed, context) => {
    const remote = parsed.value('--remote')
    if (remote !== null && !helperTransport(remote, context)) context.emit('fetch', context.url(remote), { action: 'git:fetch' })
    const files = [...parsed.values('--add-file'), ...parsed.operands.slice(1).filter((word) => word.text !== null)]
    for (const file of files) context.emit('read', context.path(inTree(parsed, file)), { action: 'git:read' })
  },
})

const BUNDLE: CommandSpec = {
  subcommands: byName({
    create: refined(
      (parsed, context) => {
        context.emit('read', context.thing('repository', workTree(parsed)), { action: 'git:read' })
        const file = parsed.operands[0]
        if (file !== undefined) context.emit('write', context.path(inTree(parsed, file)), { action: 'git:export' })
      },
      { flags: list('-q --quiet --progress --all --all-progress'), options: takes('--version --filter --since') },
    ),
    'verify list-heads': does({ verb: 'read', action: 'git:read', kind: 'path', at: 0 }),
    unbundle: does({ verb: 'change', action: 'git:gc', kind: 'repository', value: '.' }),
  }),
}

const DIFFTOOL: CommandSpec = refined(
  (parsed, context) => {
    for (const word of parsed.values('-x', '--extcmd')) context.shell(word.text, word.span, 'git')
    context.emit('execute', context.thing('program', 'git difftool'), { action: 'git:tool' })
  },
  {
    flags: list('-d --dir-diff -y --no-prompt --prompt -g --gui --cached --staged --tool-help --trust-exit-code'),
    options: takes('-t --tool -x --extcmd'),
  },
)

const FORMAT_PATCH = exporting('-o --output-directory --output', {
  flags: list('-s --signoff -n -N -k -p --stdout --cover-letter --thread --no-thread --root --attach --inline --numbered --no-numbered -q'),
  options: takes('--subject-prefix --start-number -v --reroll-count --in-reply-to --to --cc --suffix --signature --base --from'),
  refine: (parsed, context) => {
    if (parsed.flag('--stdout') || parsed.value('--output') !== null) return
    const into = parsed.value('-o', '--output-directory')
    if (into !== null && into.text === null) return
    // One file for each commit, named after it.
    const names: Word = {
      text: into === null ? '*.patch' : `${into.text}/*.patch`,
      prefix: '',
      glob: true,
      dynamic: false,
      span: parsed.invocation.span,
    }
    context.emit('write', context.path(inTree(parsed, names)), { action: 'git:export' })
  },
})

const PLAIN =
  'blame annotate status shortlog describe rev-list rev-parse ls-files ls-tree cat-file show-ref show-branch name-rev ' +
  'merge-base for-each-ref count-objects fsck whatchanged cherry check-ignore check-attr check-ref-format check-mailmap ' +
  'var verify-commit verify-tag verify-pack diff-files diff-index diff-tree get-tar-commit-id patch-id interpret-trailers ' +
  'stripspace column fmt-merge-msg mailinfo mailsplit unpack-file for-each-repo survey backfill last-modified range-diff ' +
  'show-index diagnose bugreport'

/** Subcommands that only read. */
export const GIT_READ: Readonly<Record<string, CommandSpec>> = byName({
  ...each(
    PLAIN,
    reading({
      flags: list(
        '-s -b -u -z -v -t -l -d -r -p -n -h -q --short --branch --porcelain --ignored --all --heads --tags --verify ' +
          '--abbrev-ref --show-toplevel --git-dir --is-inside-work-tree --others --cached --modified --deleted --exclude-standard ' +
          '--name-only --long --contains --count',
      ),
      options: takes('-L --contents --since --exclude -x -X --format --sort --match --batch-check --path --max-count -S'),
      refine: outsideFiles,
    }),
  ),
  'log diff show': LOG,
  grep: GREP,
  archive: ARCHIVE,
  bundle: BUNDLE,
  difftool: DIFFTOOL,
  'format-patch': FORMAT_PATCH,
  'fast-export': exporting('--export-marks', { flags: list('--all') }),
})
