/** The surface of the package, counted from the types as they are built: few names, each in one place, each with a docstring. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { ROOT } from '../hosts/harness.ts'

const MAX_NAMES = 60

interface Exported {
  readonly path: string
  readonly name: string
  /** The file that declares it, and its name there. */
  readonly file: string
  readonly declared: string
}

interface Specifier {
  readonly local: { readonly name: string }
  readonly exported: { readonly name: string }
}

interface Statement {
  readonly type: string
  readonly source?: { readonly value: string } | null
  readonly specifiers?: readonly Specifier[]
  readonly declaration?: {
    readonly id?: { readonly name: string }
    readonly declarations?: readonly { readonly id: { readonly name: string } }[]
  } | null
}

function exportsOf(path: string, file: string): readonly Exported[] {
  const text = readFileSync(file, 'utf8')
  const body = parseSync(file, text).program.body as unknown as readonly Statement[]
  expect(body.filter(({ type }) => type === 'ExportAllDeclaration')).toEqual([])
  return body.flatMap(({ type, source, specifiers = [], declaration }) => {
    if (type !== 'ExportNamedDeclaration') return []
    const there = source ? join(dirname(file), source.value.replace(/\.[jt]s$/, '.d.ts')) : file
    const own = [declaration?.id, ...(declaration?.declarations ?? []).map(({ id }) => id)].flatMap((id) => (id ? [id.name] : []))
    const named = specifiers.map(({ local, exported }) => ({ path, name: exported.name, file: there, declared: local.name }))
    return [...named, ...own.map((name) => ({ path, name, file, declared: name }))]
  })
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}
const surface = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : exportsOf(path, join(ROOT, target.types)),
)

test(`at most ${MAX_NAMES} names over all sub-paths`, () => {
  expect(surface.length).toBeGreaterThan(20)
  expect(surface.map(({ path, name }) => `${path} ${name}`).slice(MAX_NAMES)).toEqual([])
})

test('no declaration is exported from two places', () => {
  const places = surface.map(({ file, declared }) => `${file} ${declared}`)
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

test('each has a docstring', () => {
  const bare = surface.filter(({ file, declared }) => {
    const text = readFileSync(file, 'utf8')
    return !new RegExp(`\\*/\\n(?:export )?(?:declare )?(?:function|const|class|interface|type|async function) ${declared}\\b`).test(text)
  })
  expect(bare.map(({ path, name }) => `${path} ${name}`)).toEqual([])
})
