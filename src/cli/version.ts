import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the package, found from the running file upward. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    try {
      const { name } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { name?: string }
      if (name === 'countersign') return directory
    } catch {
      // Not this one: go up.
    }
    const parent = dirname(directory)
    if (parent === directory) throw new Error('the package that this program belongs to cannot be found')
    directory = parent
  }
}

/** What decides where no daemon answers: this Node and this package's program for hooks. */
export function gateProgram(): { readonly node: string; readonly program: string; readonly build: string } {
  return { node: process.execPath, program: join(packageRoot(), 'dist/hook/load.cjs'), build: packageBuild() }
}

/** What files of other programs name as the command line of this package. */
export function commandLineProgram(): { readonly node: string; readonly program: string } {
  return { node: process.execPath, program: join(packageRoot(), 'dist/cli/bin.js') }
}

/** Tells the build of the package as it is on the disk now; empty where there is none. */
export function packageBuild(): string {
  try {
    return readFileSync(join(packageRoot(), BUILD_FILE), 'utf8').trim()
  } catch {
    return ''
  }
}

/** Written by `npm run build`. */
const BUILD_FILE = 'dist/build-id'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  return version
}
