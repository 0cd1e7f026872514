import type { CommandContext, CommandSpec, CommandTable, Invocation, Language, Word } from '../../host.ts'
import { isStream, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { isRiskyValue } from '../../resources/environment/names.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { followByName } from '../projects/index.ts'
import { wrapping } from '../running/words.ts'
import { byName, list } from '../tool.ts'
import { wordLanguages } from './languages.ts'
import { packingModule, runningModule } from './python.ts'
import { invocationOf, runNamed, scriptFile } from './scripts.ts'

/** Interpreters: code in an argument, a module, a script file, or standard input. Options end where the program begins. */

/** What an interpreter's letters mean. */
interface Grammar {
  readonly language: Language
  /** Letters whose value is code. */
  readonly code: string
  /** Letters whose value is something else; an upper bound is harmless. */
  readonly valued: string
  /** Long options with a value. */
  readonly long: readonly string[]
  /** Long options whose value is code. */
  readonly longCode?: readonly string[]
  /** Letters or long options whose value is a file that runs first. */
  readonly preload?: readonly string[]
  /** Letters that only check or explain. */
  readonly inert?: readonly string[]
  /** The letter of in-place editing, which takes an attached suffix. */
  readonly inPlace?: string
  /** A script file runs after the code of options. */
  readonly both?: boolean
  /** Letters whose value is a module that is loaded first, and the statement that loads it (`perl -MSocket`). */
  readonly loads?: { readonly letters: string; readonly statement: (module: string) => string }
  /** The letter of a setting, and the settings that name a file which runs first (`php -d auto_prepend_file=x`). */
  readonly settings?: { readonly letter: string; readonly loading: RegExp }
  /** The letter of a directory in which modules are looked for first, and the variable that says the same. */
  readonly searches?: { readonly letter: string; readonly variable: string }
  /** An operand that begins or ends in `|` is a command line whose output is read, as in `perl -ne 'print' 'ls|'`. */
  readonly pipes?: boolean
  /** The letter of a module that runs (`python -m`). */
  readonly module?: string
}

/** The words of an interpreter, told apart. */
interface Reading {
  readonly codes: Word[]
  readonly preloads: Word[]
  /** Directories that modules are looked for in, before all others. */
  readonly searched: Word[]
  /** Statements that load modules before the code. */
  readonly loads: string[]
  readonly rest: Word[]
  module: Word | null
  inPlace: boolean
  /** Ends the names of what the files were before. */
  suffix: string
  inert: boolean
  /** The value of the code is printed (`node -p`). */
  prints: boolean
}

function read(invocation: Invocation, grammar: Grammar): Reading {
  const reading: Reading = {
    codes: [],
    preloads: [],
    searched: [],
    loads: [],
    rest: [],
    module: null,
    inPlace: false,
    suffix: '',
    inert: false,
    prints: false,
  }
  const { args } = invocation
  let at = 0
  for (; at < args.length && reading.module === null; at++) {
    const word = args[at]
    const known = word?.text ?? word?.prefix ?? ''
    if (word === undefined || !known.startsWith('-') || known === '-') break
    if (known === '--') {
      at++
      break
    }
    at += known.startsWith('--') ? longOption(word, args[at + 1], { reading, grammar }) : letters(word, args[at + 1], { reading, grammar })
    // `python -c code arg…`: what follows belongs to the code.
    if (grammar.module !== undefined && reading.codes.length > 0) {
      at++
      break
    }
  }
  reading.rest.push(...args.slice(at))
  return reading
}

interface Into {
  readonly reading: Reading
  readonly grammar: Grammar
}

/** Takes a long option; 1 where the next word is its value. */
function longOption(word: Word, next: Word | undefined, { reading, grammar }: Into): number {
  const known = word.text ?? word.prefix
  const equals = known.indexOf('=')
  const name = equals < 0 ? known : known.slice(0, equals)
  const value = equals < 0 ? next : sliceWord(word, equals + 1)
  if (grammar.inert?.includes(name) === true) reading.inert = true
  const code = grammar.longCode?.includes(name) === true
  const preload = grammar.preload?.includes(name) === true
  if (code && value !== undefined) reading.codes.push(value)
  if (name === '--print') reading.prints = true
  if (preload && value !== undefined) reading.preloads.push(value)
  return equals < 0 && (code || preload || grammar.long.includes(name)) ? 1 : 0
}

/** Takes a bundle of letters; 1 where the next word is the value of its last one. */
function letters(word: Word, next: Word | undefined, into: Into): number {
  const { reading, grammar } = into
  const known = word.text ?? word.prefix
  for (let at = 1; at < known.length; at++) {
    const letter = known[at] ?? ''
    const attached = at + 1 < known.length || word.text === null
    const value = attached ? sliceWord(word, at + 1) : next
    if (grammar.inert?.includes(`-${letter}`) === true) reading.inert = true
    if (letter === grammar.inPlace) {
      reading.inPlace = true
      // `-i.bak` takes the rest, but people write `-pi -e` and `-i -pe`; a letter after `i` that is code stays code.
      if (!attached || grammar.code.includes(known[at + 1] ?? '')) continue
      reading.suffix = known.slice(at + 1)
      return 0
    }
    if (takesValue(letter, value, into)) return attached ? 0 : 1
  }
  return 0
}

/** Takes a letter with its value; true where it has one, so that no letter follows. */
function takesValue(letter: string, value: Word | undefined, { reading, grammar }: Into): boolean {
  if (letter === grammar.module) {
    reading.module = value ?? null
    return true
  }
  if (grammar.code.includes(letter)) {
    if (value !== undefined) reading.codes.push(value)
    if (letter === 'p') reading.prints = true
    return true
  }
  if (grammar.preload?.includes(`-${letter}`) === true) {
    if (value !== undefined) reading.preloads.push(value)
    return true
  }
  if (value !== undefined) loadsBy(letter, value, { reading, grammar })
  return grammar.valued.includes(letter)
}

/** Letters that load modules, by name, by a place to look for them, or by a setting. */
function loadsBy(letter: string, value: Word, { reading, grammar: { loads, searches, settings } }: Into): void {
  if (loads?.letters.includes(letter) === true && value.text !== null) reading.loads.push(loads.statement(value.text))
  if (letter === searches?.letter) reading.searched.push(value)
  if (letter !== settings?.letter) return
  const setting = settings.loading.exec(value.text ?? value.prefix)?.[0].length
  if (setting !== undefined) reading.preloads.push(sliceWord(value, setting))
}

function interpreter(grammar: Grammar, modules?: (module: Word, rest: readonly Word[], context: CommandContext) => void): CommandSpec {
  return {
    operands: [],
    refine: ({ invocation }, context) => {
      const reading = read(invocation, grammar)
      if (reading.inert) return
      for (const word of reading.preloads) if (/[./]/.test(word.prefix)) context.script(grammar.language, word, [])
      reportSearched(reading.searched, grammar, context)
      const [first, ...rest] = reading.rest
      if (reading.module !== null) modules?.(reading.module, reading.rest, context)
      else if (reading.codes.length > 0) {
        runCodes(reading, grammar, context)
        if (grammar.both === true && first !== undefined) context.script(grammar.language, first, rest)
      } else if (first === undefined || first.text === '-') context.stdin(grammar.language, rest)
      else {
        context.script(grammar.language, scriptFile(first, grammar.language, context), rest)
        runNamed(reading.rest, invocation, context)
      }
    },
  }
}

/** What stands in a directory that everybody may write is loaded instead of the module that is meant. */
function reportSearched(words: readonly Word[], { searches }: Grammar, context: CommandContext): void {
  for (const { text, prefix, span } of words) {
    if (searches === undefined || !isRiskyValue(text ?? prefix, 'searching')) continue
    const attributes = { variable: searches.variable, value: text }
    context.emit('change', context.thing('variable', searches.variable), { action: 'env:inject', span, attributes })
  }
}

/** Several `-e` are lines of one program. Its operands are files where it edits or loops over them. */
function runCodes(reading: Reading, grammar: Grammar, context: CommandContext): void {
  const [first] = reading.codes
  if (first === undefined) return
  const { language } = grammar
  const lines = [...reading.loads, ...reading.codes.map((word) => word.text)]
  const only = reading.prints && lines.length === 1 ? first.text : null
  if (only !== null && !only.includes(';')) context.code(language, `console.log(${only}\n)`, first.span)
  else if (lines.length > 1 && !lines.includes(null)) context.code(language, lines.join('\n'), first.span)
  else for (const word of reading.codes) context.code(language, word.text, word.span)
  if (grammar.inPlace === undefined) return
  for (const word of reading.rest) {
    if (isStream(word)) continue
    if (grammar.pipes === true && PIPE_ENDS.test(word.prefix))
      context.shell(word.text?.replaceAll(PIPE_SIGNS, '') ?? null, word.span, 'perl')
    else loopsOver(word, reading, context)
  }
}

/** Perl takes `cmd |` and `| cmd` among its files for programs. */
const PIPE_ENDS = /^\s*\||\|\s*$/
const PIPE_SIGNS = /^\s*\||\|\s*$/g

/** A file that the code is run over, line by line, and that it may edit in its place. */
function loopsOver(word: Word, { inPlace, suffix }: Reading, context: CommandContext): void {
  readPath(context, word, { certainty: inPlace ? 'certain' : 'likely' })
  if (inPlace) writePath(context, word, { action: 'fs:edit' })
  if (suffix !== '' && word.text !== null) writePath(context, wordOf(backupOf(word.text, suffix), word), { action: 'fs:copy' })
}

/** `*` in a suffix is the name, as in `bak/*.orig`. */
function backupOf(path: string, suffix: string): string {
  if (!suffix.includes('*')) return path + suffix
  const slash = path.lastIndexOf('/') + 1
  const name = suffix.replaceAll('*', path.slice(slash))
  return suffix.includes('/') ? name : path.slice(0, slash) + name
}

/** Modules that are programs under another name. */
const PROGRAMS: ReadonlySet<string> = new Set(
  list(
    'pip pytest build twine venv virtualenv black ruff mypy flake8 isort pylint coverage tox nox pre_commit poetry pipx uv ' +
      'IPython ipython jupyter django flask uvicorn gunicorn hatch pdm flit maturin semantic_release alembic yoyo aerich ' +
      'pyway piccolo yt_dlp youtube_dl httpie awscli',
  ),
)
/** Modules whose program has another name. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['venv', 'virtualenv'],
  ['build', 'pyproject-build'],
  ['django', 'django-admin'],
  ['awscli', 'aws'],
  ['IPython', 'ipython'],
])
const QUIET_MODULES: ReadonlySet<string> = new Set(
  list(
    'json.tool calendar this antigravity dis ast tokenize timeit platform sysconfig site sys py_compile compileall pydoc ' +
      'inspect tabnanny symtable ensurepip venv zipapp doctest unittest trace cProfile profile pdb',
  ),
)

const FILE_SERVERS: ReadonlySet<string> = new Set(['http.server', 'SimpleHTTPServer', 'pyftpdlib'])

function serveFiles(module: Word, words: readonly Word[], context: CommandContext): void {
  const bind = words[words.findIndex((word) => word.text === '-b' || word.text === '--bind') + 1]
  const own = words.length > 1 && /^(?:127\.[\d.]+|localhost|::1)$/.test(bind?.text ?? '')
  const port = words.find((word) => /^\d+$/.test(word.text ?? ''))
  const attributes = { serves: 'files', ...(own ? { loopback: true } : {}) }
  context.emit('change', context.thing('host', port?.text ?? '8000'), { action: 'net:listen', span: module.span, attributes })
}

function pythonModule(module: Word, words: readonly Word[], context: CommandContext): void {
  const name = module.text
  if (name === null) {
    context.code('python', null, module.span)
  } else if (FILE_SERVERS.has(name)) serveFiles(module, words, context)
  else if (PROGRAMS.has(name)) {
    const program = NAMED.get(name) ?? name.replaceAll('_', '-')
    context.command([{ ...knownWord(program, module.span) }, ...words], 'python')
  } else if (runsOwn(name, module, { words, context }) || runningModule(module, words, context) || packingModule(module, words, context)) {
    // A module of the workspace is a script.
  } else if (name === 'json.tool') {
    for (const word of words.slice(0, 1)) readPath(context, word)
    for (const word of words.slice(1, 2)) writePath(context, word)
  } else {
    if (name === 'unittest') followByName(invocationOf(module, words), context)
    const action = QUIET_MODULES.has(name) ? 'dev:module' : 'program:module'
    context.emit('execute', context.thing('program', `python -m ${name}`), { action, certainty: 'likely', span: module.span })
  }
}

/** A file that stands there, or that this very call wrote. */
function isThere(path: string, at: Word, context: CommandContext): boolean {
  return context.view.realpath(path).type === 'file' || context.written(wordOf(path, at)) !== null
}

/** `python -m tools.build`: the file of that name where the command runs. */
function runsOwn(name: string, module: Word, { words, context }: { words: readonly Word[]; context: CommandContext }): boolean {
  if (!/^[\w.]+$/.test(name) || name.startsWith('.') || QUIET_MODULES.has(name)) return false
  for (const directory of context.beside().flatMap((place) => [place, `${place}/src`])) {
    const place = `${directory}/${name.replaceAll('.', '/')}`
    const path = [`${place}.py`, `${place}/__main__.py`].find((each) => isThere(each, module, context))
    if (path === undefined) continue
    context.script('python', { ...module, text: path, prefix: path }, words)
    return true
  }
  return false
}

const python = interpreter(
  {
    language: 'python',
    code: 'c',
    valued: 'WXQ',
    long: ['--check-hash-based-pycs'],
    module: 'm',
    inert: ['-V', '-h', '--version', '--help'],
  },
  pythonModule,
)

const node = interpreter({
  language: 'node',
  code: 'ep',
  valued: 'C',
  long: list(
    '--env-file --input-type --conditions --title --stack-trace-limit --max-old-space-size --inspect-port --test-name-pattern --test-reporter --watch-path',
  ),
  longCode: ['--eval', '--print'],
  preload: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
  inert: ['-v', '-h', '-c', '--version', '--help', '--check', '--v8-options'],
})

const tsx = interpreter({
  language: 'node',
  code: 'ep',
  valued: 'OP',
  long: list('--tsconfig --project'),
  longCode: ['--eval', '--print'],
  preload: ['-r', '--require', '--import'],
  inert: ['-v', '-h', '--version', '--help'],
})

/** `-MModule=a,b` is `use Module qw(a b);`. */
function useModule(module: string): string {
  const [name = '', list] = module.split('=', 2)
  return /^[\w:]+$/.test(name)
    ? `use ${name}${list === undefined ? '' : ` qw(${list.replace(/[^\w,:&$@]/g, '').replaceAll(',', ' ')})`};`
    : ''
}

const perl = interpreter({
  language: 'perl',
  code: 'eE',
  valued: 'MmIFxCdD',
  loads: { letters: 'Mm', statement: useModule },
  searches: { letter: 'I', variable: 'PERL5LIB' },
  long: [],
  inert: ['-v', '-V', '-c', '-h'],
  inPlace: 'i',
  pipes: true,
})

const ruby = interpreter({
  language: 'ruby',
  code: 'e',
  valued: 'rIEFCKWT',
  searches: { letter: 'I', variable: 'RUBYLIB' },
  loads: { letters: 'r', statement: (name) => (/^[\w./~-]+$/.test(name) ? `require '${name}';` : '') },
  long: list('--encoding --external-encoding --internal-encoding'),
  inert: ['--version', '--help', '-c', '-h'],
  inPlace: 'i',
})

const php = interpreter({
  language: 'php',
  code: 'rBRE',
  valued: 'dczSt',
  settings: { letter: 'd', loading: /^\s*(?:auto_(?:ap|pre)pend_file|(?:zend_)?extension|opcache\.preload)\s*=\s*/ },
  long: ['--define', '--php-ini', '--docroot'],
  longCode: ['--run'],
  preload: ['-F'],
  inert: ['-v', '-i', '-m', '-l', '-h', '--version', '--help', '--info'],
})

const lua = interpreter({ language: 'lua', code: 'e', valued: '', long: [], preload: ['-l'], inert: ['-v'], both: true })

export const interpreters: CommandTable = wrapping(
  byName({
    'python python2 python3 pypy pypy3 ipython ipython3 bpython': python,
    'node nodejs': node,
    'tsx ts-node ts-node-esm esno jiti': tsx,
    perl,
    'ruby jruby': ruby,
    'php php-cgi': php,
    'lua luajit': lua,
    ...wordLanguages,
  }),
)
