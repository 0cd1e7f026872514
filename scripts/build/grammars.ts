/** Makes the bundle load the grammar of a language when code in it is first met: most calls hold none. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

const LOADS = /^import \* as grammar from ('\.\/grammar\.ts')$/m

/** In `languages/<language>/load.ts`; esbuild runs a module that is required when it is first required. */
export function lazyGrammars(): Plugin {
  return {
    name: 'lazy-grammars',
    setup(build) {
      build.onLoad({ filter: /[\\/]languages[\\/]\w+[\\/]load\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const grammar = LOADS.exec(source)?.[1]
        if (grammar === undefined || !source.includes('return grammar')) throw new Error(`${path} loads no grammar`)
        const contents = source.replace(LOADS, 'declare const grammar: never').replace('return grammar', `return require(${grammar})`)
        return { contents, loader: 'ts', resolveDir: dirname(path) }
      })
    },
  }
}
