/** Code that others start without naming it: what builds, tests and linters load by the name of the file, and cells of notebooks. */
import { isJsonObject, type Json, own, parseJson } from '../../core/json.ts'
import { shellWords } from '../resources/text/quote.ts'
import { notebook } from '../tools/notebook.ts'

/** Loaded by pip, pytest, nox, invoke, fabric and scons when they start. */
export const LOADED_PYTHON = /^(?:setup|conftest|noxfile|fabfile|sitecustomize|usercustomize)\.py$|^SConstruct$/

export const NOTEBOOK = /\.ipynb$/i

/** Settings of bundlers, linters and test runners, which are programs. */
export const LOADED_JAVASCRIPT =
  /^[\w-]+\.config\.[cm]?[jt]s$|^\.(?:eslint|prettier|babel|stylelint|mocha)rc\.[cm]?js$|^(?:gulp|grunt)file\.[cm]?[jt]s$/i

export const LOADED_RUBY = /^(?:Rakefile|Gemfile|Podfile|Vagrantfile|Fastfile|Brewfile|Guardfile|Dangerfile)$|\.(?:rake|gemspec)$/

const asCommand = (code: string): string => shellWords(['python3', '-c', code])

export const ofPython = (text: string): readonly string[] => [asCommand(text)]

export const ofJavaScript = (text: string): readonly string[] => [shellWords(['node', '-e', text])]

export const ofRuby = (text: string): readonly string[] => [shellWords(['ruby', '-e', text])]

/** One cell, or all cells of the file in their order; what is no code of a notebook holds none. */
export function ofNotebook(text: string): readonly string[] {
  const whole = /^\s*\{/.test(text) ? parseJson(text) : undefined
  if (!isJsonObject(whole)) return ofCell(text)
  const cells = own(whole, 'cells')
  return Array.isArray(cells) ? cells.flatMap((cell) => ofCell(sourceOf(cell))) : []
}

function ofCell(text: string): readonly string[] {
  const { shell, python } = notebook(text)
  return python === '' ? shell : [...shell, asCommand(python)]
}

function sourceOf(cell: Json): string {
  if (!isJsonObject(cell) || own(cell, 'cell_type') === 'markdown') return ''
  const source = own(cell, 'source')
  if (Array.isArray(source)) return source.filter((line) => typeof line === 'string').join('')
  return typeof source === 'string' ? source : ''
}
