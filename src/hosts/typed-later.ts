/** Commands that wait for somebody to type: on a host that shows what is typed to no hook, none of them is opened. Pure. */

const PROGRAMS: ReadonlySet<string> = new Set(
  [
    'sh bash zsh dash ksh fish csh tcsh python python2 python3 ipython node deno bun irb pry ruby perl php lua ghci',
    'psql mysql sqlite3 mongosh redis-cli ssh telnet nc ftp sftp su screen tmux gdb',
  ].flatMap((names) => names.split(' ')),
)

/** Programs that are nothing without a program of their own to read, when they are given only options. */
const ALONE: ReadonlySet<string> = new Set('psql mysql sqlite3 mongosh redis-cli ssh telnet nc ftp sftp su screen tmux gdb'.split(' '))

/** Words before a program that change nothing of what it is. */
const BEFORE: ReadonlySet<string> = new Set(['exec', 'env', 'command', 'sudo', 'nohup', 'time', 'nice', 'stdbuf', 'script'])

/** Options that say what is run. */
const SAYS = /^(?:-[A-Za-z]{0,8}[ceE]|--(?:command|eval|execute|print|version|help)(?:=.{0,4000})?|-V|-v|-h|--.{1,40}=.{0,4000})$/

/** True where the last command of the line starts a shell or an interpreter that is not told what to run. */
export function waitsForInput(line: string): boolean {
  const last = line.split(/&&|\|\||[;&|\n]/).findLast((part) => part.trim() !== '') ?? ''
  // What comes from a file or a document is seen; what is fed by a pipe, too.
  if (last.includes('<') || /(?<!\|)\|(?!\|)[^|]{0,4000}$/.test(line)) return false
  const [name = '', ...rest] = commandIn(last)
  return PROGRAMS.has(name) && !rest.some((word) => SAYS.test(word)) && isAlone(name, rest)
}

/** Nothing stands there that it could run. */
function isAlone(name: string, rest: readonly string[]): boolean {
  const operands = rest.filter((word) => !word.startsWith('-') || word === '-')
  if (ALONE.has(name)) return operands.length <= 1
  return rest.includes('-i') || operands.length === 0 || operands[0] === '-'
}

/** The bare name of the program and its words, without what stands before it. */
function commandIn(part: string): readonly string[] {
  const words = part.trim().split(/\s+/)
  const start = words.findIndex((word) => !BEFORE.has(word) && !/^\w+=|^-/.test(word))
  const [first = '', ...rest] = words.slice(Math.max(start, 0))
  const name =
    first
      .replaceAll(/^['"\\]|['"]$/g, '')
      .split('/')
      .at(-1) ?? ''
  return [name, ...rest]
}
