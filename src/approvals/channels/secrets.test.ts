import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { readSecret, readSecrets, secretFaults } from './secrets.ts'
import { webhookSecret } from './standard-webhooks.ts'

const env = (name: string): string | undefined => ({ SET: 'from the environment', EMPTY: '' })[name]
const WHSEC = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

describe('a secret', () => {
  test('of a variable', () => expect(readSecret({ env: 'SET' }, { env })).toBe('from the environment'))
  for (const name of ['EMPTY', 'ABSENT', 'constructor'])
    test(`of the variable ${name} is not there`, () =>
      expect(() => readSecret({ env: name }, { env: (key) => (key === 'constructor' ? undefined : env(key)) })).toThrow('is not set'))

  const files: readonly (readonly [title: string, make: (directory: string) => string, expected: string])[] = [
    ['a file of its owner', (directory) => write(directory, 'secret\n', 0o600), 'secret'],
    ['one that its owner can only read', (directory) => write(directory, 'secret', 0o400), 'secret'],
    ['one that the group can read', (directory) => write(directory, 'secret', 0o640), 'others can read'],
    ['one that all can read', (directory) => write(directory, 'secret', 0o644), 'others can read'],
    ['an empty one', (directory) => write(directory, '\n', 0o600), 'is empty'],
    ['a long one', (directory) => write(directory, 'x'.repeat(5_000), 0o600), 'too long'],
    ['a directory', (directory) => made(join(directory, 'd')), 'is no file'],
    ['none', (directory) => join(directory, 'none'), 'cannot be read'],
    ['a link to one that all can read', (directory) => linked(directory, write(directory, 'secret', 0o644)), 'others can read'],
  ]
  for (const [title, make, expected] of files) {
    test(title, () => {
      const file = make(temporaryDirectory())
      const read = () => readSecret({ file }, { env })
      if (expected === 'secret') expect(read()).toBe(expected)
      else expect(read).toThrow(expected)
    })
  }
})

describe('several secrets', () => {
  const all = (...values: readonly string[]) => {
    const directory = temporaryDirectory()
    const sources = values.map((value, index) => ({ file: write(directory, value, 0o600, String(index)) }))
    return readSecrets(sources, { env }, webhookSecret)
  }

  test('in order', () =>
    expect(all(WHSEC, `whsec_${Buffer.alloc(24, 2).toString('base64')}`).map(({ length }) => length)).toEqual([32, 24]))
  test('those that are none are left out', () => expect(all('short', WHSEC)).toHaveLength(1))
  test('none at all is a failure that does not repeat them', () => {
    const error = (() => {
      try {
        return all('hunter2', 'hunter3')
      } catch (thrown) {
        return String(thrown)
      }
    })()
    expect(error).toContain('there is no secret')
    expect(error).not.toContain('hunter')
  })
})

describe('what keeps a channel from its secrets', () => {
  const channel = (secrets: string) =>
    policy(`approvals: { channels: [{ name: a, type: webhook, url: "https://x.example", secrets: [${secrets}] }] }`).approvals.channels[0]
  const faults = (secrets: string) => {
    const found = channel(secrets)
    if (found === undefined) throw new Error('no channel')
    return secretFaults(found, { env })
  }

  test('nothing', () => expect(faults('"env:SET"')).toEqual([]))
  test('each once, though replies use it, too', () =>
    expect(faults('"env:SET", "env:ABSENT"')).toEqual(['the variable `ABSENT` is not set']))
  test('a file that others can read', () => {
    const path = write(temporaryDirectory(), 'x', 0o644)
    expect(faults(`"file:${path}"`)).toEqual([`others can read \`${path}\`: give it mode 0600`])
  })
})

function write(directory: string, text: string, mode: number, name = 'secret'): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

function made(path: string): string {
  mkdirSync(path, { mode: 0o700 })
  return path
}

function linked(directory: string, target: string): string {
  const path = join(directory, 'link')
  symlinkSync(target, path)
  return path
}
