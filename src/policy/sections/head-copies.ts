/** Where copies of the head of the log may be kept: files by absolute path, and addresses that hand no secret to a log. Pure. */
import { describeUrl } from '../../facts/resources/url/describe.ts'
import type { HeadCopy } from '../policy.ts'

/** True for a file on this machine; false for an address. */
export function isFileCopy({ to }: Pick<HeadCopy, 'to'>): boolean {
  return to.startsWith('/')
}

export interface CopyFault {
  readonly message: string
  readonly help: string
}

/** What is wrong with a place, or null. The text of an address is not repeated: it may hold a secret. */
export function copyFault({ to, tokenEnv }: HeadCopy): CopyFault | null {
  if (isFileCopy({ to })) return pathFault(to) ?? (tokenEnv === null ? null : NO_TOKEN)
  if (!/^https?:/i.test(to) || !URL.canParse(to)) return { message: 'this is no place for a copy', help: PLACES }
  const url = new URL(to)
  if (url.username !== '' || url.password !== '') return { message: 'the address holds a password', help: 'name it with `token_env`' }
  if (url.hash !== '') return { message: 'the address has a fragment', help: 'a fragment is never sent' }
  const { scope } = describeUrl(to)
  if (scope === 'metadata') return { message: 'the address is a metadata service', help: PLACES }
  if (url.protocol === 'https:' || scope === 'loopback') return null
  return { message: 'the address is not https', help: 'whoever answers in its place could hide a loss; plain http is for loopback alone' }
}

const PLACES = 'write an absolute path such as `/mnt/backup/countersign.head`, or an address such as `https://heads.example.com/gate-1`'
const NO_TOKEN: CopyFault = { message: '`token_env` is for addresses', help: 'a file needs no token' }

function pathFault(path: string): CopyFault | null {
  const parts = path.slice(1).split('/')
  const plain = parts.every((part) => part !== '' && part !== '.' && part !== '..') && !path.includes('\0')
  return plain ? null : { message: 'this is no plain path of a file', help: 'write it without `..`, `//` and a slash at its end' }
}
