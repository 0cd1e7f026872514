/** Where two of our hooks stand before one host. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { gateProgram } from '../cli/version.ts'
import { HOSTS } from './all.ts'
import { doubled, doubledLine } from './borrowed.ts'
import { hostNamed } from './index.ts'

const CASES = [
  { installed: ['claude-code'], doubled: [] },
  { installed: ['cursor'], doubled: [] },
  { installed: ['claude-code', 'cursor'], doubled: ['cursor: once'] },
  { installed: ['claude-code', 'codex', 'gemini-cli'], doubled: [] },
  { installed: ['claude-code', 'copilot-cli'], doubled: [] },
  { installed: ['claude-code', 'copilot-cli'], editor: true, doubled: ['vscode: once'] },
] as const

test.each(CASES)('$installed: $doubled', ({ installed, doubled: expected, ...more }) => {
  const home = stateDirectoryOfTest()
  vi.stubEnv('HOME', home)
  vi.stubEnv('COUNTERSIGN_HOME', join(home, '.countersign'))
  if ('editor' in more) mkdirSync(join(home, '.vscode'))
  for (const name of installed)
    for (const { path, after } of hostNamed(name)?.install({ scope: 'user', ...gateProgram() }) ?? []) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, after ?? '')
    }
  expect(doubled().map(({ host, told }) => `${host.name}: ${told}`)).toEqual(expected)
  for (const each of doubled()) expect(doubledLine(each)).toContain('decided once')
  vi.unstubAllEnvs()
})

test('whose hooks are borrowed is a host, and the words say which of its settings', () => {
  for (const { name, about } of HOSTS)
    for (const { from, scopes } of about.borrows ?? []) {
      const lender = hostNamed(from)
      expect([name, from, lender === undefined]).toEqual([name, from, false])
      expect(lender?.about.scopes).toEqual(expect.arrayContaining([...scopes]))
    }
})
