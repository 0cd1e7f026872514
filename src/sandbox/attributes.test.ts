import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ATTRIBUTES, plantAttributes } from '../../test/support/random-programs.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { attributeReader, attributesNow, attributesProblem, attributeText } from './attributes.ts'
import { changesIn } from './changes.ts'

describe('extended attributes', () => {
  test.runIf(ATTRIBUTES)('are read of files, of links no further, and of what is not there none', async () => {
    const root = temporaryDirectory()
    for (const name of ['a', 'b\nb', 'c']) writeFileSync(join(root, name), '')
    symlinkSync('a', join(root, 'link'))
    plantAttributes(
      root,
      `attribute set a user.b 2; attribute set a user.a 1; attribute set $'b\\nb' user.x ''; attribute set a user.overlay.x 1`,
    )
    const paths = ['a', 'b\nb', 'c', 'link', 'none'].map((name) => join(root, name))
    const expected = [['user.a=31', 'user.b=32'], ['user.x='], [], [], []]
    const reader = attributeReader()
    expect([await reader.read(paths), attributesNow(paths)]).toEqual([expected, expected])
    reader.end()
  })

  test('that cannot be read are never taken for none', async () => {
    const reader = attributeReader()
    reader.end()
    expect(await reader.read(['/'])).toBeNull()
    const root = temporaryDirectory()
    plantAttributes(root, 'mkdir lower upper merged; echo 1 > merged/a; cp merged/a upper/a')
    const attributes = async (): Promise<null> => null
    expect(await changesIn([{ place: '/work', root }], { attributes })).toMatchObject({ changes: [{ path: '/work/a' }], unread: true })
  })

  test('are not looked for on another system, where the same numbers are other calls of the kernel', async () => {
    const before = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
    onTestFinished(() => void Object.defineProperty(process, 'platform', before))
    Object.defineProperty(process, 'platform', { ...before, value: 'darwin' })
    expect([attributesProblem() === null, attributesNow(['/']), await attributeReader().read(['/'])]).toEqual([false, null, null])
  })

  test.each([
    ['user.x=31', '"user.x" = "1"'],
    ['user.x=', '"user.x" = ""'],
    ['user.x=ff00', '"user.x" = 2 bytes'],
    ['user.a=b=3d', '"user.a=b" = "="'],
    ['user.x=e280ae', '"user.x" = 3 bytes'],
    [`user.x=${'31'.repeat(201)}`, '"user.x" = 201 bytes'],
  ])('%s is shown as %s', (attribute, text) => expect(attributeText(attribute)).toBe(text))
})
