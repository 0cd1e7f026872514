import { list } from '../tool.ts'
import { type Follower, optionOf } from './follow.ts'
import type { Loader } from './load.ts'
import { blocksOf, listsOf, quotedIn } from './scan.ts'
import { filesBelow } from './walk.ts'

/** CMake, Meson, Bazel, Zig, Swift, Nix, Elixir and Terraform. */

const MAX_FILES = 48

export const cmake: Follower = ({ loader, words, operands }) => {
  if (words.includes('--build') || words.includes('--install') || words.includes('-E') || words.includes('-P')) return
  const source = optionOf(words, '-S') ?? operands[0] ?? '.'
  listFiles(loader, source, new Set())
}

/** `CMakeLists.txt` of a directory, and those of the directories that it adds. */
function listFiles(loader: Loader, directory: string, seen: Set<string>): void {
  const file = `${directory}/CMakeLists.txt`
  const path = loader.path(file)
  if (path === null || seen.has(path) || seen.size >= MAX_FILES || !loader.isThere(file)) return
  seen.add(path)
  const text = (loader.text(file) ?? '').replace(/^[ \t]*#[^\n]*$/gm, '')
  loader.lines(file, commandsOf(text))
  for (const [, name = ''] of text.matchAll(/\badd_subdirectory\s*\(\s*"?([\w./-]{1,200})"?/gi))
    listFiles(loader, `${directory}/${name}`, seen)
  for (const [, name = ''] of text.matchAll(
    /\binclude\s*\(\s*"?(?:\$\{(?:CMAKE_CURRENT_(?:LIST|SOURCE)_DIR|PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}\/)?([\w./-]{1,200}\.cmake)"?/gi,
  )) {
    const included = loader.path(`${directory}/${name}`)
    if (included === null || seen.has(included) || !loader.isThere(included)) continue
    seen.add(included)
    loader.lines(included, commandsOf(loader.text(included) ?? ''))
  }
}

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
function commandsOf(text: string): readonly string[] {
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

export const meson: Follower = ({ loader, context, operands }) => {
  const place = operands.find((word) => loader.isThere(`${word}/meson.build`)) ?? '.'
  const root = loader.path(place)
  if (root !== null) for (const file of filesBelow(root, context, (name) => name === 'meson.build')) loader.load(file, 'starlark')
}

export const bazel: Follower = ({ loader, context }) => {
  const root = loader.path('.')
  if (root === null) return
  for (const file of filesBelow(root, context, (name) => /^(?:BUILD|WORKSPACE)(?:\.bazel)?$|\.bzl$|^MODULE\.bazel$/.test(name)))
    loader.load(file, 'starlark')
}

export const zig: Follower = ({ loader, operands }) => {
  if (operands[0] === 'build') loader.load(optionOf(operands, '--build-file') ?? 'build.zig', 'zig')
}

/** `Process` of a manifest of Swift, which is a program. */
export const swift: Follower = ({ loader }) => {
  const text = loader.isThere('Package.swift') ? (loader.text('Package.swift') ?? '') : ''
  const programs = text.split('\n').flatMap((line) => (/\b(?:executableURL|launchPath)\b/.test(line) ? quotedIn(line).slice(0, 1) : []))
  const given = listsOf(text, 'arguments').map((list) => quotedIn(list).map(single).join(' '))
  loader.lines(
    'Package.swift',
    programs.map((program, at) => `${single(program)} ${given[at] ?? ''}`),
  )
}

/** `mix.exs` and the settings that it loads; tests with their helper. */
export const mix: Follower = ({ loader, context, operands }) => {
  for (const name of ['mix.exs', 'config/config.exs', '.formatter.exs', '.iex.exs']) loader.load(name, 'elixir')
  if (operands[0] !== 'test') return
  loader.load('config/test.exs', 'elixir')
  loader.load('test/test_helper.exs', 'elixir')
  const named = operands
    .slice(1)
    .map((word) => word.replace(/:\d+$/, ''))
    .filter((word) => word.endsWith('.exs'))
  const path = loader.path('test')
  const files = named.length > 0 ? named : path === null ? [] : filesBelow(path, context, (name) => name.endsWith('_test.exs'))
  for (const file of files) loader.load(file, 'elixir')
}

/** `shellHook = "…"` and `''…''`. */
const HOOK = /\b(?:shellHook|buildCommand)\s*=\s*(?:"((?:[^"\\]|\\.){0,8000})"|''([\s\S]{0,8000}?)'')/g

export const nix: Follower = ({ loader, operands, invocation }) => {
  const enters = invocation.name === 'nix-shell' || /^(?:develop|shell|run)$/.test(operands[0] ?? '')
  if (!enters) return
  for (const file of ['flake.nix', 'shell.nix', 'default.nix']) {
    const text = loader.isThere(file) ? (loader.text(file) ?? '') : ''
    loader.lines(
      file,
      [...text.matchAll(HOOK)].map(([, plain, block]) => (plain ?? block ?? '').replace(/\$\{[^{}]{0,300}\}/g, '"$UNKNOWN"')),
    )
  }
}

/** External programs of data run with every plan; those of provisioners when it is applied. */
export const terraform: Follower = ({ loader, context, operands, words }) => {
  const verb = operands[0] ?? ''
  if (!/^(?:plan|apply|refresh|validate|destroy|import|test)$/.test(verb)) return
  const root = loader.path(optionOf(words, '-chdir') ?? '.')
  for (const name of root === null ? [] : (context.view.list(root, 200) ?? [])) {
    if (!name.endsWith('.tf')) continue
    const file = `${root}/${name}`
    const text = loader.text(file) ?? ''
    const programs = blocksOf(text, 'data "external"')
      .flatMap((block) => listsOf(block, 'program'))
      .map((list) => quotedIn(list).map(single).join(' '))
    const local = /^(?:apply|destroy)$/.test(verb) ? blocksOf(text, 'provisioner "local-exec"').flatMap(commandOf) : []
    loader.lines(file, [...programs, ...local])
  }
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
