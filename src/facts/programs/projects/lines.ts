import { list } from '../tool.ts'
import { attributeOf, blocksOf, listsOf, quotedIn, tagsIn } from './scan.ts'

/** Command lines that stand in build files. */

/** `<executable>` with its `<argument>`s, `<exec executable=…>` of Ant, `<Exec Command=…>` of MSBuild. */
export function linesOfXml(text: string): readonly string[] {
  const plugins = tagsIn(text, 'configuration').flatMap(({ inner }) => {
    const [program] = tagsIn(inner, 'executable')
    const given = [
      ...tagsIn(inner, 'argument').map((tag) => quote(decoded(tag.inner))),
      ...tagsIn(inner, 'commandlineArgs').map((tag) => decoded(tag.inner)),
    ]
    return program === undefined ? [] : [[quote(decoded(program.inner)), ...given].join(' ')]
  })
  const ant = tagsIn(text, 'exec').flatMap((tag) => {
    const program = attributeOf(tag, 'executable')
    const given = tagsIn(tag.inner, 'arg').map((arg) => {
      const value = attributeOf(arg, 'value')
      return value === null ? decoded(attributeOf(arg, 'line') ?? '') : quote(decoded(value))
    })
    return program === null ? [] : [[quote(decoded(program)), ...given].join(' ')]
  })
  const tasks = tagsIn(text, 'Exec').flatMap((tag) => attributeOf(tag, 'Command') ?? [])
  return [...plugins, ...ant, ...tasks.map((line) => msbuild(decoded(line)))]
}

/** Properties of MSBuild as variables of the environment, which they are where they are no others. */
const msbuild = (text: string): string =>
  text.replace(/\$\((\w+)\)/g, (_, name: string) => `\${${name}}`).replace(/\$\([^()]{0,200}\)|%\(\w+\)|@\(\w+\)/g, '"$UNKNOWN"')

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&#xA;', '\n'],
  ['&#10;', '\n'],
])

const decoded = (text: string): string => text.replace(/&#?\w{1,8};/g, (whole) => ENTITIES.get(whole) ?? whole).trim()
const quote = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const CALL = /\b(execute_process|add_custom_command|add_custom_target|file)\s*\(/gi
/** Words of these calls that are no words of a command. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...list(
    'COMMAND WORKING_DIRECTORY TIMEOUT RESULT_VARIABLE RESULTS_VARIABLE OUTPUT_VARIABLE ERROR_VARIABLE INPUT_FILE OUTPUT_FILE ERROR_FILE',
  ),
  ...list('OUTPUT_QUIET ERROR_QUIET COMMAND_ECHO COMMAND_ERROR_IS_FATAL OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE'),
  ...list('ENCODING ECHO_OUTPUT_VARIABLE DEPENDS OUTPUT BYPRODUCTS COMMENT VERBATIM TARGET PRE_BUILD POST_BUILD PRE_LINK ALL SOURCES'),
  ...list('MAIN_DEPENDENCY USES_TERMINAL COMMAND_EXPAND_LISTS JOB_POOL APPEND'),
])

/** Command lines of a file of CMake: of the programs that it starts, and of what it does to files. */
export function linesOfCmake(text: string): readonly string[] {
  const lines: string[] = []
  for (const { 0: whole, 1: name = '', index } of text.matchAll(CALL)) {
    const words = argumentsIn(text, index + whole.length)
    if (name.toLowerCase() === 'file') lines.push(...fileCommand(words))
    else
      for (const [at, word] of words.entries()) {
        if (word !== 'COMMAND') continue
        const rest = words.slice(at + 1)
        const end = rest.findIndex((next) => KEYWORDS.has(next))
        lines.push(
          (end < 0 ? rest : rest.slice(0, end))
            .filter((next) => next !== 'ARGS')
            .map(quoted)
            .join(' '),
        )
      }
  }
  return lines.filter((line) => line !== '')
}

/** `file(REMOVE_RECURSE …)`, `file(READ …)`, `file(DOWNLOAD url file)`. */
function fileCommand([verb = '', ...rest]: readonly string[]): readonly string[] {
  const [first = '', second = ''] = rest.map(quoted)
  if (/^REMOVE(?:_RECURSE)?$/.test(verb)) return rest.map((path) => `rm -rf ${quoted(path)}`)
  if (/^(?:READ|STRINGS)$/.test(verb)) return [`cat ${first}`]
  if (/^(?:WRITE|APPEND)$/.test(verb)) return [`: >> ${first}`]
  if (verb === 'DOWNLOAD') return [`curl -o ${second === '' ? 'download' : second} ${first}`]
  return verb === 'UPLOAD' ? [`curl -T ${first} ${second}`] : []
}

/** Words to the bracket that closes; `${NAME}` stays as it is, `$ENV{NAME}` becomes a variable of the shell. */
function argumentsIn(text: string, from: number): readonly string[] {
  const words: string[] = []
  const pattern = /\[=*\[([\s\S]{0,4000}?)\]=*\]|"((?:[^"\\]|\\[\s\S]){0,8000})"|([^\s()"#]{1,2000})|\)|\(|#[^\n]*/y
  pattern.lastIndex = from
  let depth = 1
  for (let at = from; at < text.length && words.length < 256; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) {
      pattern.lastIndex = at + 1
      continue
    }
    const [whole, bracket, double, plain] = found
    if (whole === '(') depth++
    else if (whole === ')' && --depth === 0) break
    const word = bracket ?? double?.replace(/\\(["\\$])/g, '$1') ?? plain
    if (word !== undefined) words.push(word.replace(/\$ENV\{(\w+)\}/g, (_, name: string) => `\${${name}}`))
  }
  return words
}

/** For a shell, with variables that are left open. */
const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word)
    ? word
    : `"${word
        .replace(/\$\{CMAKE_COMMAND\}/g, 'cmake')
        .replace(/["\\`]/g, '\\$&')
        .replace(/\$(?!\{\w+\})/g, '\\$')}"`

/** `Process` of a manifest of Swift, which is a program. */
export function linesOfSwift(text: string): readonly string[] {
  const programs = text.split('\n').flatMap((line) => (/\b(?:executableURL|launchPath)\b/.test(line) ? quotedIn(line).slice(0, 1) : []))
  const given = listsOf(text, 'arguments').map((list) => quotedIn(list).map(single).join(' '))
  return programs.map((program, at) => `${single(program)} ${given[at] ?? ''}`)
}

/** `shellHook = "…"` and `''…''`. */
export function linesOfNix(text: string): readonly string[] {
  return ['shellHook', 'buildCommand'].flatMap((name) => {
    const rest = text.slice(text.search(new RegExp(`\\b${name}\\s{0,8}=`)))
    const value = rest.slice(rest.indexOf('=') + 1).trimStart()
    const block = value.startsWith("''")
      ? value.slice(2, Math.max(2, value.indexOf("''", 2)))
      : (quotedIn(value.startsWith('"') ? value : '')[0] ?? '')
    return rest.startsWith(name) && block !== '' ? [unescaped(block)] : []
  })
}

/** External programs of data. */
export function planned(text: string): readonly string[] {
  return blocksOf(text, 'data "external"')
    .flatMap((block) => listsOf(block, 'program'))
    .map((list) => quotedIn(list).map(single).join(' '))
}

/** The same with those of provisioners. */
export function linesOfTerraform(text: string): readonly string[] {
  return [...planned(text), ...blocksOf(text, 'provisioner "local-exec"').flatMap(commandOf)]
}

/** `command = "…"`, or the here-document behind it. */
function commandOf(block: string): readonly string[] {
  const at = block.search(/\bcommand\s{0,8}=/)
  const rest = at < 0 ? '' : block.slice(block.indexOf('=', at) + 1).trimStart()
  const end = /^<<-?\s{0,8}(\w{1,40})\n/.exec(rest)
  if (end?.[1] === undefined) return quotedIn(rest).slice(0, 1).map(unescaped)
  const close = rest.indexOf(end[1], end[0].length)
  return [unescaped(rest.slice(end[0].length, close < 0 ? undefined : close))]
}

const unescaped = (text: string): string => text.replace(/\\(["\\])/g, '$1').replace(/\$\{[^{}]{0,300}\}/g, '"$UNKNOWN"')
const single = (text: string): string => `'${unescaped(text).replaceAll("'", "'\\''")}'`

const GENERATE = /^\/\/go:generate[ \t]+(.+)$/gm

/** What `go generate` runs of a source. */
export function generatedBy(text: string): readonly string[] {
  return text.includes('//go:generate') ? [...text.matchAll(GENERATE)].map(([, line = '']) => line) : []
}
