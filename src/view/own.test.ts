import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { shimScript } from '../hosts/shim.ts'
import { announceDaemon, daemonFile, packageRoot, programPlaces, runningDaemon } from './own.ts'

function installed(node: string, program: string): string {
  const home = temporaryDirectory()
  mkdirSync(join(home, 'bin'))
  writeFileSync(
    join(home, 'bin/claude-code-hook'),
    shimScript({ agent: 'any', title: 'Any', entrypoint: null, home, node, program, seconds: 5 }),
  )
  return home
}

describe('what the gate runs as', () => {
  proves('T40', 'its own package, and the Node that runs it', () => {
    expect(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))).toMatchObject({ name: 'countersign' })
    const { packages, others } = programPlaces(temporaryDirectory())
    expect(packages).toEqual([realpathSync(packageRoot())])
    expect(others).toContain(realpathSync(process.execPath))
    expect(others).toContain(realpathSync('/bin/sh'))
  })

  proves('T40', 'those that the installed hook names, which need not be those of this process', () => {
    const { packages, others } = programPlaces(installed('/opt/other/bin/node', '/opt/countersign/dist/hook/load.cjs'))
    expect(packages).toContain('/opt/countersign')
    expect(others).toContain('/opt/other/bin/node')
  })

  test('of a program that lies elsewhere only the file', () => {
    expect(programPlaces(installed('/n', '/srv/gate.js')).packages).toContain('/srv/gate.js')
  })
})

describe('the daemon that runs', () => {
  proves('T40', 'is known by what it said, until it leaves', () => {
    const home = temporaryDirectory()
    expect(runningDaemon(home)).toBeNull()
    const leave = announceDaemon(home, { port: 7433, forHooks: false, build: '' })
    expect(runningDaemon(home)).toEqual({ pid: process.pid, port: 7433, name: 'countersign', command: 'countersign' })
    leave()
    expect([runningDaemon(home), existsSync(daemonFile(home))]).toEqual([null, false])
  })

  for (const [title, text] of [
    ['is none where its number belongs to nobody', '{"pid":2147483646,"port":1}'],
    ['is none where its number is another program’s by now', '{"pid":1,"port":1}'],
    ['is none where the file is no JSON', 'pid'],
    ['is none where the file is another value', '[1]'],
    ['is none where the number is none', '{"pid":-1}'],
  ] as const) {
    test(title, () => {
      const home = temporaryDirectory()
      mkdirSync(join(home, 'run'))
      writeFileSync(daemonFile(home), text)
      expect(runningDaemon(home)).toBeNull()
    })
  }
})
