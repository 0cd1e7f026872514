import { type Follower, optionsOf } from './follow.ts'
import type { Loader } from './load.ts'
import { filesBelow } from './walk.ts'

/** Settings of tools that are programs, what they name, and bodies of tests. */

const ENDINGS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts']

/** Fields of settings and of `package.json` that name files to load, and their values. */
const FIELDS = 'setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|require|import|preset|testEnvironment|transform|loader|setup|file'
const NAMES_FILES = new RegExp(`\\b(?:${FIELDS})["']?\\s*:\\s*(\\[[^\\]]{0,2000}\\]|["'\`][^"'\`\\n]{1,300}["'\`])`, 'g')
const RELATIVE = /["'`](?:<rootDir>)?(\.{0,2}\/[^"'`\n]{1,300})["'`]/g

/** Settings by their usual names, or those that are told; what they name is loaded, too. */
function settings(loader: Loader, names: readonly string[], given: readonly string[]): void {
  const own = given.filter((name) => /\.[cm]?[jt]s$/.test(name))
  const found =
    own.length > 0 ? own : names.flatMap((name) => (/\.(?:[cm]?[jt]s|json)$/.test(name) ? [name] : ENDINGS.map((end) => `${name}.${end}`)))
  for (const name of found) {
    if (!loader.load(name, 'node')) continue
    for (const file of namedIn(loader.text(name) ?? '')) script(loader, file)
  }
}

/** Paths that settings name where files to load are named. */
function namedIn(text: string): readonly string[] {
  return [...text.matchAll(NAMES_FILES)].flatMap(([, value = '']) =>
    [...value.matchAll(RELATIVE)].map(([, path = '']) => path.replace(/^\/(?!\/)/, './')),
  )
}

function script(loader: Loader, path: string): void {
  if (!loader.load(path, 'node')) for (const end of [...ENDINGS, 'tsx', 'jsx']) if (loader.load(`${path}.${end}`, 'node')) return
}

const TEST = /[.-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/
const CODE = /\.[cm]?[jt]sx?$/

/** Named files, or those whose path has a word that is named, or all. */
function tests(
  loader: Loader,
  { context, operands, fits }: { context: Loader['context']; operands: readonly string[]; fits: (name: string, path: string) => boolean },
): void {
  const files = operands.filter((word) => loader.isThere(word))
  for (const file of files) loader.load(file, 'node')
  const root = loader.path('.')
  if (root === null || (files.length > 0 && files.length === operands.length)) return
  const filters = operands.filter((word) => !files.includes(word))
  for (const path of filesBelow(
    root,
    context,
    (name, inner) => fits(name, inner) && (filters.length === 0 || filters.some((word) => inner.includes(word.replace(/^\.\//, '')))),
  ))
    loader.load(path, 'node')
}

const inPlaces = (name: string, path: string): boolean => TEST.test(name) || (CODE.test(name) && /(?:^|\/)__tests__\//.test(path))

/** Runners of tests by the names of their settings, and the fields of `package.json` that hold some. */
const suite =
  (names: readonly string[], field: string | null, fits: (name: string, path: string) => boolean = inPlaces): Follower =>
  ({ loader, context, operands, words }) => {
    settings(loader, names, optionsOf(words, '-c', '--config'))
    const own = field === null ? null : inPackage(loader, field)
    for (const file of own === null ? [] : namedIn(own)) script(loader, file)
    for (const file of optionsOf(words, '-r', '--require', '--import', '--setupFiles')) script(loader, file)
    tests(loader, { context, operands: operands.filter((word) => !/^(?:run|watch|test|dev|bench|related|list|open)$/.test(word)), fits })
  }

/** The field of `package.json` as text. */
function inPackage(loader: Loader, field: string): string | null {
  const text = loader.isThere('package.json') ? loader.text('package.json') : null
  const at = text?.indexOf(`"${field}"`) ?? -1
  return text === null || at < 0 || !/^\s*:\s*\{/.test(text.slice(at + field.length + 2)) ? null : text.slice(at, at + 4_000)
}

export const vitest = suite(['vitest.config', 'vite.config', 'vitest.workspace', 'vitest.setup'], null)
export const jest = suite(['jest.config', 'jest.setup'], 'jest')
export const playwright = suite(['playwright.config'], null, (name, path) => TEST.test(name) && !path.startsWith('src/'))
export const cypress = suite(['cypress.config', 'cypress/support/e2e', 'cypress/support/commands', 'cypress/support/index'], null)
export const others = suite(
  ['ava.config', 'karma.conf', 'wdio.conf', 'nightwatch.conf', 'testcafe.config', '.taprc', 'jasmine.json'],
  null,
  (name, path) => TEST.test(name) || (CODE.test(name) && /^(?:tests?|spec)\//.test(path)),
)

/** Mocha takes every file of `test` where nothing else is said. */
export const mocha: Follower = (follow) => {
  const { loader } = follow
  for (const name of ['.mocharc.json', '.mocharc.jsonc', '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs']) {
    if (!loader.isThere(name)) continue
    if (/js$/.test(name)) loader.load(name, 'node')
    const text = loader.text(name) ?? ''
    for (const file of [...namedIn(text), ...inYaml(text)]) script(loader, file)
  }
  suite([], 'mocha', (name, path) => CODE.test(name) && (TEST.test(name) || /^tests?\/[^/]+$/.test(path)))(follow)
}

/** `require: ./test/setup`, or a list of such. */
function inYaml(text: string): readonly string[] {
  return [...text.matchAll(/^(?:require|file|import):\s*((?:.*\n?)(?:\s+-\s.*\n?)*)/gm)].flatMap(([, value = '']) =>
    [...value.matchAll(/(\.{0,2}\/[\w./-]+)/g)].map(([, path = '']) => path),
  )
}

/** `node --test`: files that are named, or those in places and by names of tests. */
export const nodeTest: Follower = ({ loader, context, operands, words }) => {
  if (!words.some((word) => /^--test(?:=|$)/.test(word))) return
  const named = operands.filter((word) => !word.endsWith('/') && !/[*?]/.test(word))
  const places = operands.filter((word) => word.endsWith('/'))
  tests(loader, {
    context,
    operands: named,
    fits: (name, path) =>
      CODE.test(name) &&
      (places.length > 0
        ? places.some((place) => path.startsWith(place.replace(/^\.\//, '')))
        : TEST.test(name) || /^test\.|^test-|_test\./.test(name) || /^test\//.test(path)),
  })
}

/** Settings that a tool loads when it starts. */
export const configured =
  (...names: readonly string[]): Follower =>
  ({ loader, words }) => {
    settings(loader, names, optionsOf(words, '-c', '--config', '--config-file'))
  }

/** `` $`rm -rf dist` `` of Bun, zx and execa. */
export const templates: Follower = ({ loader, operands }) => {
  for (const file of operands.filter((word) => CODE.test(word) && loader.isThere(word)).slice(0, 4)) {
    const text = loader.text(file) ?? ''
    if (!/['"](?:bun|zx|execa)['"]/.test(text)) continue
    loader.lines(
      file,
      [...text.matchAll(/\$`((?:[^`\\]|\\.){1,4000})`/g)].map(([, line = '']) => line.replace(PLACES, filled)),
    )
  }
}

const PLACES = /\$\{([^{}]{0,300})\}/g

/** A variable of the environment as one of the shell; anything else is not known. */
const filled = (_: string, code: string): string => {
  const name = /^\s*(?:process|Bun)\.env\.(\w+)\s*$/.exec(code)?.[1] ?? (/homedir\(\)/.test(code) ? 'HOME' : 'UNKNOWN')
  return `\${${name}}`
}

export const bunTest: Follower = ({ loader, context, operands }) => {
  if (operands[0] === 'test')
    tests(loader, { context, operands: operands.slice(1), fits: (name) => TEST.test(name) || /_test\.[jt]sx?$/.test(name) })
}
