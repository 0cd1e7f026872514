import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { applyChecks, previewChecks } from './doctor.ts'

const said = async (section: string, problem: string | null) =>
  (
    await previewChecks(policy(`version: 1\ndefault: ask\n${section}`), {
      problem: async () => problem,
      copying: async () => null,
      watches: async () => true,
    })
  ).map(({ state, detail }) => `${state} ${detail}`)

test('says whether commands can be tried out, and what counts where they cannot', async () => {
  expect(await said('', 'bubblewrap is not installed')).toEqual([])
  expect(await said('preview: {}\n', null)).toEqual(['ok commands are tried out in a sandbox over copies'])
  expect(await said('preview: {}\n', 'no. Install it')).toEqual([
    'warn commands cannot be tried out (people are asked without one): no. Install it',
  ])
  expect(await said('preview: { require_dryrun_supported: true, on_unsupported: deny }\n', 'no. Install it')).toEqual([
    'warn commands cannot be tried out (such calls count as deny): no. Install it',
  ])
})

test('says what was left half made and cannot be taken back here', () => {
  const home = temporaryDirectory()
  expect(applyChecks(home)).toEqual([])
  mkdirSync(join(home, 'previews/making'), { recursive: true })
  writeFileSync(join(home, 'previews/making/apr_1.json'), JSON.stringify({ version: 1, machine: 'elsewhere' }))
  const detail = expect.stringMatching(/apr_1\.json was written on another machine .*delete it$/)
  expect(applyChecks(home)).toEqual([{ name: 'apply', state: 'warn', detail }])
})
