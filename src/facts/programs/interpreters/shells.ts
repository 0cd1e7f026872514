import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { wrapping } from '../running/words.ts'
import { byName, each, list, takes } from '../tool.ts'

/** Shells: text after `-c`, a script file, or standard input. */

const NAMES = 'bash sh zsh dash ksh ksh93 mksh ash rbash rksh rzsh yash posh osh hush'
const INTERPRETERS = 'python python2 python3 perl ruby php node nodejs lua tclsh expect bun deno pwsh powershell'

const SHELLS: ReadonlySet<string> = new Set([...list(NAMES), ...list(INTERPRETERS), 'fish', 'csh', 'tcsh', 'xonsh', 'nu'])

/** True for programs that run what they are fed: to connect one to another machine is to hand over a shell. */
export function isShell(name: string): boolean {
  return SHELLS.has(name)
}

/** What a shell runs first of the home: only what the call itself put there is looked at. */
function startUpFiles(parsed: ParsedCommand): readonly string[] {
  if (!/bash$/.test(parsed.invocation.name)) return []
  const login = parsed.flag('-l', '--login') && !parsed.flag('--noprofile') ? list('.bash_profile .bash_login .profile') : []
  return [...login, ...(parsed.flag('-i') && !parsed.flag('--norc') ? ['.bashrc'] : [])]
}

/** `+x` and `+o name` are options like `-x`, which end neither the options nor `-c`. */
const SWITCHED_OFF = /^\+[A-Za-z]+$/

/** The call without the options that are switched off first; null where there are none. */
function withoutSwitchedOff({ operands, invocation }: ParsedCommand): readonly Word[] | null {
  const [first] = operands
  if (first?.text === undefined || first.text === null || !SWITCHED_OFF.test(first.text)) return null
  const at = invocation.args.indexOf(first)
  const named = (first.text.match(/o/gi) ?? []).length
  return [invocation.program, ...invocation.args.slice(0, at), ...invocation.args.slice(at + 1 + named)]
}

/** What zsh evaluates in the middle of words: flags of expansions, and qualifiers of patterns (`*(e:code:)`, `*(+function)`). */
const ZSH_EVALUATES = /\$\{\([^()]{0,20}e[^()]{0,20}\)|[*?\w/)\]]\([^()\s|]{0,20}(?:e[:'"{[<]|\+\w)/

function runText(word: Word, { invocation: { name } }: ParsedCommand, context: CommandContext): void {
  const isZsh = name.endsWith('zsh')
  if (isZsh && ZSH_EVALUATES.test(word.text ?? '')) context.code('shell', null, { ...word.span, end: word.span.start })
  // `=name` is the path of the program of that name.
  const text = isZsh && word.text !== null ? word.text.replace(/(^|[\s;&|({])=(?=[A-Za-z])/g, '$1') : word.text
  context.shell(text, word.span, name)
}

function runShell(parsed: ParsedCommand, context: CommandContext): void {
  const { operands: words, invocation } = parsed
  const plain = withoutSwitchedOff(parsed)
  if (plain !== null) {
    context.command(plain, invocation.name)
    return
  }
  const [first, ...rest] = words
  for (const name of startUpFiles(parsed)) {
    const file = knownWord(`${context.view.home}/${name}`, invocation.span)
    if (context.written(file) !== null) context.script('shell', file, [])
  }
  if (parsed.flag('-c', '--command')) {
    if (first === undefined) context.opaque(`\`${invocation.name} -c\` has no command`)
    else runText(first, parsed, context)
  } else if (first === undefined || parsed.flag('-s') || first.text === '-') context.stdin('shell', parsed.flag('-s') ? words : rest)
  else context.script('shell', first, rest)
}

const shell: CommandSpec = {
  flags: list(
    '-a -b -c -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T -V --login --noediting --noprofile --norc ' +
      '--posix --restricted --verbose --no-rcs --interactive --debugger --dump-strings --wordexp',
  ),
  options: { ...takes('-o -O'), ...takes('--rcfile --init-file', 'script') },
  inert: ['--version', '--help', '-n'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runShell,
}

/** fish has `-c text` as an option with a value, and runs `-C text` first. */
const fish: CommandSpec = {
  flags: list('-i -l -n -N -P -v -h --interactive --login --no-config --no-execute --private'),
  options: takes('-c --command -C --init-command -d -o -f --features'),
  inert: ['--version', '--help', '-v', '-h', '-n', '--no-execute'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const texts = parsed.values('-c', '--command', '-C', '--init-command')
    for (const word of texts) context.shell(word.text, word.span, 'fish')
    const [first, ...rest] = parsed.operands
    if (texts.length > 0) return
    if (first === undefined) context.stdin('shell')
    else context.script('shell', first, rest)
  },
}

const powershell: CommandSpec = {
  singleDashLong: true,
  stopAtOperand: true,
  operands: [],
  inert: ['-Version', '-Help', '-?', '--version', '--help'],
  inertFirst: true,
  refine: ({ invocation }, context) => {
    const { args } = invocation
    const at = args.findIndex((word) => /^[-/](?:c|co|com|comm\w*|f|fi|fil|file|e|ec|en|enc\w*)$/i.test(word.text ?? ''))
    const option = args[at]?.text?.toLowerCase() ?? ''
    const words = at < 0 ? args.filter((word) => !/^[-/]/.test(word.text ?? '')) : args.slice(at + 1)
    const [first, ...rest] = words
    if (first === undefined || first.text === '-') context.stdin('powershell')
    else if (/^[-/]f/.test(option) || (at < 0 && /\.ps1$/i.test(first.text ?? ''))) context.script('powershell', first, rest)
    else if (/^[-/]e/.test(option)) context.code('powershell', first.text === null ? null : `-enc ${first.text}`, first.span)
    else {
      const known = words.every((word) => word.text !== null)
      context.code('powershell', known ? words.map((word) => word.text).join(' ') : null, first.span)
    }
  },
}

/** True for the `iex` of Elixir, which takes options and files; the one of PowerShell takes an expression. */
function isElixir(args: readonly Word[]): boolean {
  return args.some(({ prefix, text }) => prefix.startsWith('-') || (text !== null && /\.exs?$/.test(text)))
}

/** `iex -S mix phx.server`, `iex -e CODE`, `iex file.exs`. */
function elixirShell(args: readonly Word[], context: CommandContext): void {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word
    const next = args[at + 1]
    if (word.text === '-S') {
      context.command(args.slice(at + 1), 'iex')
      return
    }
    if (/^(?:-e|--eval|--rpc-eval)$/.test(word.prefix) && next !== undefined) context.code('elixir', next.text, next.span)
    else if (/^(?:-r|-pr|--require|--dot-iex)$/.test(word.prefix) && next !== undefined) context.script('elixir', next, [])
    else if (word.text !== null && /\.exs?$/.test(word.text) && !/^(?:-r|-pr|--require|--dot-iex)$/.test(args[at - 1]?.prefix ?? ''))
      context.script('elixir', word, [])
  }
}

/** `iex` typed into another shell: Elixir, or half of a PowerShell pipeline. */
const invokeExpression: CommandSpec = {
  operands: [],
  refine: ({ operands, invocation: { args } }, context) => {
    if (isElixir(args)) {
      elixirShell(args, context)
      return
    }
    const [first] = operands
    if (first === undefined) context.stdin('powershell')
    else context.code('powershell', first.text, first.span)
  },
}

const invokeWebRequest: CommandSpec = {
  singleDashLong: true,
  flags: list('-UseBasicParsing -useb'),
  options: {
    ...takes('-Uri -u', 'url'),
    ...takes('-OutFile -o', 'write'),
    ...takes('-InFile', 'read'),
    ...takes('-Method -Headers -Body -UserAgent'),
  },
  operands: ['url'],
}

export const shellPrograms: CommandTable = wrapping(
  byName({
    ...each(NAMES, shell),
    'csh tcsh': { ...shell, flags: list('-b -c -e -f -i -l -m -n -q -s -t -v -x') },
    'fish xonsh': fish,
    nu: {
      ...fish,
      options: takes('-c --commands -e --execute --config --env-config --plugin-config -t --table-mode --log-level'),
      // `^name` is the program of that name.
      refine: (parsed, context) => {
        const texts = parsed.values('-c', '--commands', '-e', '--execute')
        for (const { text, span } of texts) context.shell(text?.replace(/(^|[\s|;({])\^(?=\w)/g, '$1') ?? null, span, 'nu')
        if (texts.length === 0) fish.refine?.(parsed, context)
      },
    },
    'pwsh powershell': powershell,
    'iex invoke-expression': invokeExpression,
    'iwr irm invoke-webrequest invoke-restmethod': invokeWebRequest,
  }),
  'all',
)
