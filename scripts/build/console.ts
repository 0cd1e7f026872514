/**
 * Builds the web console into dist/console, as files that the server hands out: nothing is fetched from anybody else, nothing stands
 * inline in the page. The licences of its fonts go with them.
 */
import { copyFileSync } from 'node:fs'
import { build } from 'vite'

const FONTS = ['inter', 'jetbrains-mono'] as const

/** Rejects with what Vite throws. */
export async function buildConsole(): Promise<void> {
  await build({
    configFile: false,
    root: 'console',
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: '../dist/console',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      reportCompressedSize: false,
    },
  })
  for (const font of FONTS) copyFileSync(`node_modules/@fontsource-variable/${font}/LICENSE`, `dist/console/assets/${font}.LICENSE.txt`)
}
