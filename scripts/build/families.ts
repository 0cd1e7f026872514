/** Makes the bundle build a family of command tables when one of its programs is first asked for: a hook answers for one command. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import type { CommandTable } from '../../src/facts/host.ts'
import { FAMILIES } from '../../src/facts/programs/programs.ts'

export const PROGRAMS = fileURLToPath(new URL('../../src/facts/programs/programs.ts', import.meta.url))

/** Puts the lazy index in the place of `programs.ts`. */
export function lazyFamilies(): Plugin {
  return {
    name: 'lazy-families',
    setup(build) {
      build.onLoad({ filter: /[\\/]programs[\\/]programs\.ts$/ }, async ({ path }) =>
        path === PROGRAMS ? { contents: await lazyIndex(), loader: 'js', resolveDir: dirname(PROGRAMS) } : null,
      )
    },
  }
}

/** Source of a module with the exports of `programs.ts`; esbuild runs a module that is required when it is first required. */
export async function lazyIndex(): Promise<string> {
  const places = await exportedTables()
  const family = indexOf(FAMILIES)
  const longest = Math.max(...[...family.keys()].map(({ length }) => length))
  const modules = FAMILIES.map((table, at) => {
    const place = places.get(table)
    if (place === undefined) throw new Error(`command table ${at} (\`${Object.keys(table)[0]}\`, …) is exported by no file of programs/`)
    return `() => require('./${place.file}').${place.name},`
  })
  return `
const FAMILIES = [
${modules.join('\n')}
]
const INDEX = ${JSON.stringify(indexText(family))}
const known = new Map()
function familyOf(name) {
  const before = known.get(name)
  if (before !== undefined) return before
  if (name.length > ${longest} || name.includes('${END}') || name.includes('${BETWEEN}')) return -1
  const at = INDEX.indexOf('${END}' + name + '${BETWEEN}')
  const found = at < 0 ? -1 : parseInt(INDEX.slice(at + name.length + 2, at + name.length + 8), 10)
  if (known.size >= 4096) known.clear()
  known.set(name, found)
  return found
}
export function programNamed(name) {
  const family = familyOf(name)
  return family < 0 ? undefined : FAMILIES[family]()[name]
}
export function programNames() {
  return INDEX.slice(1, -1).split('${END}').map((entry) => entry.slice(0, entry.indexOf('${BETWEEN}')))
}
`
}

/** Of the text of the index: what stands before each name and at the end, and what stands between a name and its family. */
const [END, BETWEEN] = ['|', '=']

/** One text: an object of thousands of names takes a hook a fiftieth of its time to make. */
export function indexText(family: ReadonlyMap<string, number>): string {
  for (const name of family.keys())
    if (name.includes(END) || name.includes(BETWEEN)) throw new Error(`\`${name}\` cannot stand in the index`)
  return `${END}${[...family].map(([name, at]) => `${name}${BETWEEN}${at}${END}`).join('')}`
}

/** In which family each program stands; throws where one stands in two. */
export function indexOf(families: readonly CommandTable[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>()
  for (const [at, table] of families.entries()) {
    for (const name of Object.keys(table)) {
      if (index.has(name)) throw new Error(`\`${name}\` is defined twice, in command tables ${index.get(name)} and ${at}`)
      index.set(name, at)
    }
  }
  return index
}

/** Where each value that the files of programs/ export stands. */
async function exportedTables(): Promise<ReadonlyMap<unknown, { readonly file: string; readonly name: string }>> {
  const found = new Map<unknown, { file: string; name: string }>()
  const directory = dirname(PROGRAMS)
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()
  for (const file of files.filter((name) => name.endsWith('.ts') && !/(?:\.test|harness)\.ts$/.test(name))) {
    const exported: Readonly<Record<string, CommandTable>> = await import(pathToFileURL(join(directory, file)).href)
    for (const [name, value] of Object.entries(exported)) if (!found.has(value)) found.set(value, { file, name })
  }
  return found
}
