import type { CommandContext, Language, Word } from '../host.ts'
import { readPath } from '../resources/acts.ts'
import { sliceWord } from '../resources/text/word.ts'

/** Code that a program loads because it is named: scripts by their extension, libraries, packages. */

const LANGUAGES: Readonly<Record<string, Language>> = {
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  pl: 'perl',
  rb: 'ruby',
  php: 'php',
  awk: 'awk',
  sed: 'sed',
  jq: 'jq',
  lua: 'lua',
  ps1: 'powershell',
  r: 'r',
  jl: 'julia',
  exs: 'elixir',
  tcl: 'tcl',
  clj: 'lisp',
  el: 'lisp',
  groovy: 'jvm',
}

/** The language a script is written in by its extension; null where that says nothing. */
export function scriptLanguage(path: string): Language | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  if (/^(?:ba|z|k|fi)?sh$/.test(extension)) return 'shell'
  return (Object.hasOwn(LANGUAGES, extension) ? LANGUAGES[extension] : undefined) ?? null
}

/** The language a script file is written in by its extension; shell where nothing says otherwise. */
export function languageOf(path: string): Language {
  return scriptLanguage(path) ?? 'shell'
}

/** A code file by its spelling; anything else that can be loaded is a package. */
function isFile(word: Word): boolean {
  const text = word.text ?? word.prefix
  return /^(?:\.{0,2}\/|~|file:)/.test(text) || /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|so|dylib|dll|jar|exs?|clj)$/.test(text)
}

/** Settings that are data, not code. */
const SETTINGS = /(?:^|\/)\.[\w-]+rc$|\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|xml|dist)$/

/** Code that a tool loads by option: read through the View where it is a script, named where it is a library or a package. */
export function loadCode(given: Word, context: CommandContext): void {
  // `--plugin=protoc-gen-x=./x`: a name, then the file.
  const word = given.text === null ? given : sliceWord(given, given.text.lastIndexOf('=') + 1)
  const text = word.text ?? word.prefix
  if (/:\/\/|^\/dev\/fd\//.test(text) && context.fetched(word)) return
  if (SETTINGS.test(text)) readPath(context, word)
  else if (!isFile(word)) {
    context.emit('execute', context.thing('package', text === '' ? '(unknown)' : text), { action: 'dev:load', span: word.span })
  } else if (/\.(?:so|dylib|dll|jar)$/.test(text)) context.emit('execute', context.path(word), { action: 'dev:load', span: word.span })
  else context.script(languageOf(text), word, [])
}

/** A file whose language is not analysed runs, or says what runs. */
export function ranUnread(word: Word, context: CommandContext): void {
  context.emit('execute', { ...context.path(word), kind: 'script' }, { action: 'script:unseen', span: word.span, certainty: 'likely' })
}
