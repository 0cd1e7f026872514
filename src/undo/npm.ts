/** A package that was published, and the way back that the registry leaves: unpublished within its window, deprecated after it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Effect } from '../core/effect.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

export interface NpmPublish extends JsonObject {
  /** Directory of the package, whose settings of npm hold. */
  readonly top: string
  readonly package: string
  readonly version: string
  /** That the call named; null: the one of the settings. */
  readonly registry: string | null
}

/** As the registry's own rule says: https://docs.npmjs.com/policies/unpublish. Milliseconds. */
const WINDOW_MS = 72 * 3_600_000
const ASK_MS = 60_000
const NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,200})?$/

/** Null where the call does not say which package it publishes, or where: a tarball, a workspace, a script in another language. */
export function captureNpm({ attributes = {}, directory = null }: Effect): NpmPublish | null {
  const { manifest, registry = null } = attributes
  if (typeof manifest !== 'string' || directory === null) return null
  if (registry !== null && !isAddress(registry)) return null
  const read: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
  const { name, version } = isJsonObject(read as Json) ? (read as JsonObject) : {}
  if (typeof name !== 'string' || typeof version !== 'string' || !NAME.test(name) || !VERSION.test(version)) return null
  return { top: dirname(manifest), package: name, version, registry }
}

const isAddress = (value: Json): value is string => typeof value === 'string' && /^https?:\/\/[\w.:[\]/@%-]+$/.test(value)

/** What npm would be called with; a reason where that is not possible, null where the version is not there. Asks the registry. */
export async function npmBack(
  published: NpmPublish,
  at: number,
  now: number,
): Promise<readonly string[] | { readonly problem: string } | null> {
  const { package: name, version } = published
  const versions = await versionsOf(published)
  if (!versions.includes(version)) return null
  const spec = `${name}@${version}`
  const end = registryWords(published)
  // A package without any version would be gone as a whole, and its name closed for a day.
  if (now - at < WINDOW_MS && versions.length > 1) return ['npm', 'unpublish', spec, ...end]
  return ['npm', 'deprecate', spec, 'published by mistake', ...end]
}

const registryWords = ({ registry }: NpmPublish): readonly string[] => (registry === null ? [] : ['--registry', registry])

async function versionsOf(published: NpmPublish): Promise<readonly string[]> {
  try {
    const text = await runNpm(published, ['npm', 'view', published.package, 'versions', '--json', ...registryWords(published)])
    const read: unknown = JSON.parse(text)
    return (Array.isArray(read) ? read : [read]).filter((version) => typeof version === 'string')
  } catch (error) {
    if (error instanceof Error && error.message.includes('E404')) return []
    throw error
  }
}

/** @throws with npm's own words. */
export async function runNpm({ top }: NpmPublish, [program = 'npm', ...args]: readonly string[]): Promise<string> {
  const { stdout } = await run(program, args, { cwd: top, timeout: ASK_MS, env: { ...process.env, npm_config_update_notifier: 'false' } })
  return stdout
}

const run = promisify(execFile)
