/**
 * The database that Alembic's settings name: the section that the call chooses, and `env.py`, which may connect in its own way. Whatever takes more than
 * reading to know says nothing here.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type Place, textAt } from './place.ts'

/** Null: it is not said plainly. @throws where several databases are named. */
export function alembic(text: string, at: Place): string | null {
  const { section = 'alembic', hasArguments = false } = at.chosen ?? {}
  const keys = sectionsOf(text)
  const of = (name: string, key: string): string | null => plain(keys.get(name)?.get(key) ?? keys.get('DEFAULT')?.get(key), at)
  const several = (keys.get(section)?.get('databases') ?? '').split(',').filter((name) => name.trim() !== '')
  if (several.length > 1) throw new Error(`\`${at.file}\` names several databases: ${several.map((name) => name.trim()).join(', ')}`)
  const code = codeAt(keys.get(section)?.has('script_location') === true ? of(section, 'script_location') : 'alembic', at)
  if (code === 'unknown' || (code !== null && ITS_OWN.test(code))) return null
  if (hasArguments && (code === null || !BY_SETTINGS.test(code) || READS_ARGUMENTS.test(code))) return null
  return of(section, 'sqlalchemy.url') ?? (keys.has(section) ? null : of('', 'sqlalchemy.url'))
}

/** What `env.py` sets decides instead. */
const ITS_OWN = /set_main_option|set_section_option|os\.environ|getenv|create_(?:async_)?engine\s*\(/
const BY_SETTINGS = /engine_from_config\s*\(|get_main_option\s*\(\s*["']sqlalchemy\.url["']/
const READS_ARGUMENTS = /x_argument|cmd_opts/

/** Null: there is none. */
function codeAt(location: string | null, { directory }: Place): string | null | 'unknown' {
  // `package:directory` lies where Python finds the package.
  if (location === null || (location.includes(':') && !isAbsolute(location))) return 'unknown'
  return textAt(join(resolve(directory, location), 'env.py'))
}

type Keys = ReadonlyMap<string, ReadonlyMap<string, string | null>>

/** By section; `''` is what stands before the first. A value of several lines, or one that is given twice, is null. */
function sectionsOf(text: string): Keys {
  const found = new Map<string, Map<string, string | null>>()
  let [section, last] = ['', '']
  for (const line of text.split(/\r?\n/)) {
    const named = /^\[([^\]]{1,200})\]/.exec(line)?.[1]
    const [, key, value = ''] = /^([\w.]{1,100})\s{0,20}[=:]\s{0,20}(.{0,500})$/.exec(line) ?? []
    if (named !== undefined) [section, last] = [named, '']
    const keys = found.get(section) ?? new Map<string, string | null>()
    found.set(section, keys)
    if (key !== undefined) {
      keys.set(key, keys.has(key) ? null : value.trim())
      last = key
    } else if (/^\s+[^\s#;]/.test(line) && last !== '') keys.set(last, null)
  }
  return found
}

/** `%(here)s` is the directory of the settings; every other name in a value is not followed. */
function plain(value: string | null | undefined, { file }: Place): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = value.replaceAll('%(here)s', dirname(file))
  return /%(?!%)/.test(text.replaceAll('%%', '')) ? null : text.replaceAll('%%', '%')
}
