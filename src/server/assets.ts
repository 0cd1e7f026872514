/** Reads the built console into memory, once. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Asset } from './parts.ts'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json; charset=utf-8'],
])

/** By path below the directory, with slashes; empty where there is no such directory. Files of other types are left out. */
export function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const path of filesBelow(directory)) {
    const type = TYPES.get(extname(path))
    if (type === undefined) continue
    const bytes = new Uint8Array(readFileSync(path))
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    assets.set(relative(directory, path).split(sep).join('/'), { type, bytes, etag })
  }
  return assets
}

function filesBelow(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
