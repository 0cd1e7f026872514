/** How the program is bundled when it is shipped. What is timed is bundled the same way. */
import type { BuildOptions } from 'esbuild'
import { lazyFamilies } from './families.ts'
import { lazyGrammars } from './grammars.ts'

export const SHIPPED: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  plugins: [lazyFamilies(), lazyGrammars()],
  logLevel: 'warning',
}
