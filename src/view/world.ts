/** The world that a recorded row describes in its `context`: cwd, home, roots, paths. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { World } from './fixed.ts'

export type { World } from './fixed.ts'

/** The machine of calls of which nothing else is known. */
export const NEUTRAL = { home: '/home/user', cwd: '/home/user/project' } as const

/** Reads a described context over a neutral one. Paths may be a list of names, or names with what they are. */
export function worldOf(context: JsonObject, neutral: { readonly home: string; readonly cwd: string }): World {
  const home = text(own(context, 'home')) ?? neutral.home
  const cwd = text(own(context, 'cwd')) ?? neutral.cwd
  const roots = strings(own(context, 'roots'))
  const files: Record<string, string> = Object.create(null)
  const links: Record<string, string> = Object.create(null)
  const directories: string[] = []
  for (const [path, what] of pathsOf(own(context, 'paths'))) {
    if (isJsonObject(what) && typeof own(what, 'link') === 'string') links[path] = String(own(what, 'link'))
    else if (path.endsWith('/') || what === 'directory' || what === 'dir') directories.push(path.replace(/\/$/, ''))
    else files[path] = typeof what === 'string' && what !== 'file' ? what : ''
  }
  return { home, cwd, files, links, directories, ...(roots === null ? {} : { roots }) }
}

function pathsOf(paths: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(paths)) return paths.filter((path): path is string => typeof path === 'string').map((path) => [path, null])
  return isJsonObject(paths) ? Object.entries(paths) : []
}

function strings(value: Json | undefined): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : null
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
