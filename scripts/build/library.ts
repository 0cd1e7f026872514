/** Bundles the library: one file for each sub-path that package.json exports, and what they share in chunks beside them. */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { SHIPPED } from './shipped.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const FILE = /^\.\/dist\/lib\/(.+)\.js$/

/** The names of the files in `src/library` that are exported. Throws where an export is built from no such file. */
export function exported({ exports }: Pick<Manifest, 'exports'>): readonly string[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const name = FILE.exec(target.default)?.[1]
    if (name === undefined) throw new Error(`package.json: \`${path}\` does not lead into ./dist/lib`)
    return [name]
  })
}

/** Writes `dist/lib`. */
export async function buildLibrary(): Promise<void> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  await build({
    ...SHIPPED,
    entryPoints: Object.fromEntries(exported(manifest).map((name) => [name, `src/library/${name}.ts`])),
    outdir: 'dist/lib',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    external: ['libsql', ...Object.keys(manifest.peerDependencies)],
    banner: { js: REQUIRE },
  })
}

/** For packages in CommonJS, which ask for modules of Node by `require`. */
export const REQUIRE = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
