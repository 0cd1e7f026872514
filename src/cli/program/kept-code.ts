/**
 * The code of the command line as V8 compiled it for one Node, beside the program: whoever can write it can write the program. No other
 * file is ever run as code, and none that others than its owner can write.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { codeName } from '../../hosts/compiled.ts'

/** Put here by the build: a digest of all chunks. V8 itself looks at little more than the length of the source. */
declare const __IDENTITY__: string

/** Where the code for this Node lies; the place for another build, and for another Node, is another one. */
export function keptCodePath(directory: string): string {
  return join(directory, codeName(__IDENTITY__))
}

/** Null where there is none, or where somebody else than the owner of the program could have written it. */
export function keptCode(directory: string): string | null {
  const path = keptCodePath(directory)
  const code = statSync(path, { throwIfNoEntry: false })
  if (code === undefined || !code.isFile() || (code.mode & OTHERS_WRITE) !== 0) return null
  return code.uid === 0 || code.uid === statSync(directory).uid ? path : null
}

const OTHERS_WRITE = 0o022
