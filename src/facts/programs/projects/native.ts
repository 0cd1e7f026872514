import { type Follower, optionOf } from './follow.ts'
import { linesOfCmake, linesOfNix, linesOfSwift, linesOfTerraform, planned } from './lines.ts'
import type { Loader } from './load.ts'
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
  loader.lines(file, linesOfCmake(text))
  for (const [, name = ''] of text.matchAll(/\badd_subdirectory\s*\(\s*"?([\w./-]{1,200})"?/gi))
    listFiles(loader, `${directory}/${name}`, seen)
  for (const [, name = ''] of text.matchAll(
    /\binclude\s*\(\s*"?(?:\$\{(?:CMAKE_CURRENT_(?:LIST|SOURCE)_DIR|PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}\/)?([\w./-]{1,200}\.cmake)"?/gi,
  )) {
    const included = loader.path(`${directory}/${name}`)
    if (included === null || seen.has(included) || !loader.isThere(included)) continue
    seen.add(included)
    loader.lines(included, linesOfCmake(loader.text(included) ?? ''))
  }
}

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

export const swift: Follower = ({ loader }) => {
  loader.lines('Package.swift', loader.isThere('Package.swift') ? linesOfSwift(loader.text('Package.swift') ?? '') : [])
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

export const nix: Follower = ({ loader, operands, invocation }) => {
  if (invocation.name !== 'nix-shell' && !/^(?:develop|shell|run)$/.test(operands[0] ?? '')) return
  for (const file of ['flake.nix', 'shell.nix', 'default.nix'])
    loader.lines(file, linesOfNix(loader.isThere(file) ? (loader.text(file) ?? '') : ''))
}

/** External programs of data run with every plan; those of provisioners when it is applied. */
export const terraform: Follower = ({ loader, context, operands, words }) => {
  const verb = operands[0] ?? ''
  if (!/^(?:plan|apply|refresh|validate|destroy|import|test)$/.test(verb)) return
  const root = loader.path(optionOf(words, '-chdir') ?? '.')
  const lines = /^(?:apply|destroy)$/.test(verb) ? linesOfTerraform : planned
  for (const name of root === null ? [] : (context.view.list(root, 200) ?? []))
    if (name.endsWith('.tf')) loader.lines(`${root}/${name}`, lines(loader.text(`${root}/${name}`) ?? ''))
}
