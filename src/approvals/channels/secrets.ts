/** Secrets of channels, read when they are needed and never kept: an environment variable, or a file that only its owner can read. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type ChannelPolicy, type SecretSource, sourcesOf } from '../../policy/channels.ts'
import { ChannelFailure, type ChannelParts } from './channel.ts'

const MAX_BYTES = 4_096

/** @throws {ChannelFailure} where it is not there, or others can read it. Its text is in no message. */
export function readSecret(source: SecretSource, { env }: Pick<ChannelParts, 'env'>): string {
  const text = 'env' in source ? (env(source.env) ?? '') : fileText(source.file)
  if (text === '') throw new ChannelFailure('env' in source ? `the variable \`${source.env}\` is not set` : `\`${source.file}\` is empty`)
  return text
}

/** Every one that can be read, in order. @throws {ChannelFailure} where none can. */
export function readSecrets<T>(
  sources: readonly SecretSource[],
  parts: Pick<ChannelParts, 'env'>,
  parse: (text: string) => T | null,
): readonly T[] {
  const faults: string[] = []
  const found = sources.flatMap((source): readonly T[] => {
    try {
      const parsed = parse(readSecret(source, parts))
      if (parsed !== null) return [parsed]
      faults.push(`${'env' in source ? source.env : source.file} is no secret of the needed form`)
    } catch (error) {
      faults.push(error instanceof Error ? error.message : 'it cannot be read')
    }
    return []
  })
  if (found.length === 0) throw new ChannelFailure(`there is no secret: ${faults.join('; ')}`)
  return found
}

/** Why secrets of this channel cannot be read from here, each in a line. */
export function secretFaults(channel: ChannelPolicy, parts: Pick<ChannelParts, 'env'>): readonly string[] {
  const faults = sourcesOf(channel).flatMap((source) => {
    try {
      readSecret(source, parts)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : 'it cannot be read']
    }
  })
  return [...new Set(faults)]
}

function fileText(path: string): string {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    throw new ChannelFailure(`\`${path}\` cannot be read`)
  }
  try {
    const { mode, size, uid } = fstatSync(descriptor)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new ChannelFailure(`\`${path}\` is no file`)
    const owner = process.getuid?.()
    if ((mode & 0o077) !== 0) throw new ChannelFailure(`others can read \`${path}\`: give it mode 0600`)
    if (owner !== undefined && uid !== owner && uid !== 0) throw new ChannelFailure(`\`${path}\` belongs to another user`)
    if (size > MAX_BYTES) throw new ChannelFailure(`\`${path}\` is too long for a secret`)
    return readFileSync(descriptor, 'utf8').trim()
  } finally {
    closeSync(descriptor)
  }
}
