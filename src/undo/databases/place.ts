/** Where the settings of an application are looked for, and what the call says of them. */
import { readFileSync, statSync } from 'node:fs'

export interface SettingsParts {
  readonly directory: string
  readonly variable: (name: string) => string | null
  /** What the call says about its settings. */
  readonly chosen?: Chosen
}

export interface Chosen {
  /** The file that the call names, or the module; absent: the usual one. */
  readonly settings?: string
  /** The part of it that holds; absent: the one of everyday work. */
  readonly environment?: string
  /** The section of the file; absent: the usual one. */
  readonly section?: string
  /** True where the call hands on words that only the project's own code reads. Absent: no. */
  readonly hasArguments?: boolean
  /** No settings outside of this directory are read. */
  readonly within: string
}

export interface Place extends SettingsParts {
  readonly file: string
}

/** Larger files are not read. */
const MAX_SETTINGS = 262_144

export function textAt(path: string): string | null {
  try {
    const { size } = statSync(path)
    return size > MAX_SETTINGS ? null : readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
