import type { CommandContext, CommandSpec, CommandTable, Invocation, Language, Word } from '../../host.ts'
import { byName, list } from '../tool.ts'

/**
 * Interpreters of languages that are read by their words: code in an argument, in a file or on standard input.
 */

interface Grammar {
  readonly language: Language
  /** Options whose value is code, as the next word or after `=`; a single letter may have it attached. */
  readonly code: readonly string[]
  /** Options whose value is a file that runs. */
  readonly loads?: readonly string[]
  /** Other options with a value. */
  readonly valued?: readonly string[]
  /** An operand that begins with a bracket is code. */
  readonly forms?: true
}

interface Found {
  readonly codes: Word[]
  readonly files: Word[]
}

/** Code and files among the words; behind a script everything is the script's. */
function find(args: readonly Word[], grammar: Grammar): Found {
  const found: Found = { codes: [], files: [] }
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word
    const known = word.text ?? word.prefix
    const { name, value } = optionIn(word, args[at + 1])
    const takes = roleOf(name, grammar)
    if (takes !== null) {
      if (value === args[at + 1]) at++
      if (value !== undefined && takes !== 'value') found[takes].push(value)
    } else if (attached(known, grammar)) found.codes.push({ ...word, text: word.text?.slice(2) ?? null, prefix: known.slice(2) })
    else if (known.startsWith('-')) continue
    else if (grammar.forms === true && /^\s*\(/.test(known)) found.codes.push(word)
    else if (found.codes.length === 0) {
      found.files.push(word)
      break
    }
  }
  return found
}

/** What an option takes: code, a file that is loaded, or what matters not; null where it is none. */
function roleOf(name: string, { code, loads, valued }: Grammar): 'codes' | 'files' | 'value' | null {
  if (code.includes(name)) return 'codes'
  if (loads?.includes(name) === true) return 'files'
  return valued?.includes(name) === true ? 'value' : null
}

/** `--eval=x`, or an option whose value is the next word. */
function optionIn(word: Word, next: Word | undefined): { readonly name: string; readonly value: Word | undefined } {
  const known = word.text ?? word.prefix
  const equals = known.startsWith('-') ? known.indexOf('=') : -1
  if (equals <= 0) return { name: known, value: next }
  return { name: known.slice(0, equals), value: { ...word, text: word.text?.slice(equals + 1) ?? null, prefix: known.slice(equals + 1) } }
}

function attached(known: string, { code }: Grammar): boolean {
  return known.length > 2 && /^-[a-zA-Z]/.test(known) && code.includes(known.slice(0, 2)) && !/^-[a-zA-Z-]+$/.test(known)
}

function runsWords(grammar: Grammar): CommandSpec {
  return {
    operands: [],
    inert: ['--version', '--help', '-h', '-v', '-V'],
    inertFirst: true,
    refine: ({ invocation }, context) => run(invocation, grammar, context),
  }
}

function run({ args }: Invocation, grammar: Grammar, context: CommandContext): void {
  const { codes, files } = find(args, grammar)
  for (const file of files) context.script(grammar.language, file, args.slice(args.indexOf(file) + 1))
  const [first] = codes
  if (first === undefined) {
    if (files.length === 0) context.stdin(grammar.language)
    return
  }
  // Several are lines of one program.
  const lines = codes.map(({ text }) => text)
  if (lines.includes(null)) for (const word of codes) context.code(grammar.language, word.text, word.span)
  else context.code(grammar.language, lines.join('\n'), first.span)
}

/** `erl -eval CODE`, `-s MODULE FUNCTION`, `-run MODULE FUNCTION`. */
const erl: CommandSpec = {
  operands: [],
  refine: ({ invocation: { args } }, context) => {
    for (const [at, { text }] of args.entries()) {
      const next = args[at + 1]
      if (next === undefined || text === null) continue
      if (/^--?eval$/.test(text)) context.code('erlang', next.text, next.span)
      else if (/^-(?:s|run)$/.test(text) && next.text !== 'init')
        context.emit('execute', context.thing('script', next.text ?? next.prefix), {
          action: 'script:unseen',
          span: next.span,
          certainty: 'likely',
        })
    }
  },
}

const r = runsWords({ language: 'r', code: ['-e'], loads: ['-f', '--file'], valued: list('-g --gui -d --debugger --encoding') })

const octave = runsWords({
  language: 'octave',
  code: list('--eval --exec -batch -r'),
  valued: list('--path -p --image-path --info-file --exec-path --built-in-docstrings-file -sd -logfile'),
})
const lisp = (code: string, loads: string): CommandSpec =>
  runsWords({
    language: 'lisp',
    code: list(code),
    loads: list(loads),
    forms: true,
    valued: list('-Sdeps -Srepro --dynamic-space-size --core --control-stack-size -L --classpath -cp'),
  })

export const wordLanguages: CommandTable = byName({
  'Rscript rscript R littler': r,
  julia: runsWords({
    language: 'julia',
    code: list('-e -E --eval --print'),
    loads: list('-L --load'),
    valued: list('-J --sysimage -t --threads -p --procs -C --cpu-target -H --home --machine-file'),
  }),
  'ghci runghc runhaskell': runsWords({ language: 'haskell', code: ['-e'] }),
  'elixir iex.bat': runsWords({
    language: 'elixir',
    code: list('-e --eval'),
    loads: list('-r -pr --dot-iex'),
    valued: list('-S -pa -pz --app --erl --cookie --name --sname --rpc-eval --remsh --boot'),
  }),
  escript: runsWords({ language: 'erlang', code: [] }),
  'erl werl': erl,
  'groovy scala kotlin jshell': runsWords({
    language: 'jvm',
    code: ['-e'],
    valued: list('-cp -classpath --classpath -D -i -I --class-path'),
  }),
  raku: runsWords({ language: 'raku', code: ['-e'], valued: ['-I', '-M'] }),
  // It has no `-c` and would look for a file of that name; whoever writes one means code.
  tclsh: runsWords({ language: 'tcl', code: ['-c'], valued: ['-encoding'] }),
  'octave octave-cli matlab': octave,
  'clojure clj bb babashka': lisp('-e --eval', '-i --init -f --file'),
  guile: lisp('-c', '-l -s'),
  racket: lisp('-e --eval', '-f --load -t --require -u'),
  sbcl: lisp('--eval', '--load --script'),
})
