import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf, NOBODY } from '../../test/support/calls.ts'
import type { WrittenFile } from '../session/written.ts'
import { createFixedView } from '../view/fixed.ts'
import { analyse } from './analyse.ts'

/** What one call of a session fetches as a whole, and a later one runs. */

/** What is there by the time of the last call: every earlier one ran. */
const WORLD = {
  home: '/home/me',
  cwd: '/repo',
  roots: ['/repo'],
  temporary: ['/tmp'],
  files: { '/repo/tool/install.sh': 'echo hello\n', '/repo/tool/Makefile': 'all:\n\techo hi\n', '/repo/own/build.sh': 'echo\n' },
}

/** Actions of the last of the commands, each analysed with what the earlier ones wrote: only those about code from the network. */
function last(...commands: readonly string[]): readonly string[] {
  const written = new Map<string, WrittenFile>()
  const view = createFixedView(WORLD)
  let told: readonly string[] = []
  for (const command of commands) {
    const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
    const facts = analyse(call, view, { state: { written }, canaryTokens: [], maxCommandBytes: 10_000 })
    for (const { path, origin } of facts.written ?? []) written.set(path, { digest: null, origin, tool: 'Bash', at: 0 })
    told = facts.effects.flatMap(({ action, target }) => (action?.startsWith('code:') === true ? [`${action} ${target.value}`] : []))
  }
  return told
}

const URL = 'https://x.example/tool'
const PROJECT = [`code:fetched-project ${URL}`]
const UNPACKED = ['code:fetched-project https://x.example/tool.tgz']

describe('a tree that an earlier call fetched', () => {
  proves('T02', 'a program of it that cannot be looked at is a download, and its build is that of a fetched project', () => {
    expect(last(`git clone ${URL}`, './tool/bin/setup')).toEqual(['code:downloaded ./tool/bin/setup'])
    expect(last(`git clone ${URL}`, 'cd tool && make')).toEqual(PROJECT)
  })

  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[`git clone ${URL} vendor/x`, 'sh vendor/x/deep/er/run.sh'], ['code:downloaded vendor/x/deep/er/run.sh']],
    [
      [`git clone ${URL} /tmp/x`, 'npm --prefix /tmp/x install && cd /tmp/x && npm install'],
      [...PROJECT, ...PROJECT],
    ],
    [
      [`git clone ${URL}`, 'pip install -e ./tool && cd tool && python setup.py build'],
      [`code:downloaded ${URL}`, 'code:downloaded /repo/tool/setup.py', 'code:downloaded setup.py'],
    ],
    [[`git clone ${URL}`, 'cd tool && pip install -e .'], [`code:downloaded ${URL}`]],
    [[`git clone ${URL}`, 'cd tool/deep && cargo build'], PROJECT],
    [
      ['curl -sLO https://x.example/tool.tgz', 'tar xzf tool.tgz', 'cd tool && ./configure2'],
      ['code:downloaded ./configure2', ...UNPACKED],
    ],
    [['curl -sLO https://x.example/tool.tgz', 'tar xzf tool.tgz', 'cd tool && make'], UNPACKED],
    [['curl -sLO https://x.example/tool.tgz', 'tar xzf tool.tgz && cd tool && make'], UNPACKED],
    [['wget -q https://x.example/tool.tgz -O /tmp/a.tgz', 'mkdir -p b && tar xzf /tmp/a.tgz -C b', 'cd b && make'], UNPACKED],
    [['curl -sL https://x.example/tool.tgz | tar xz -C /tmp/t', '/tmp/t/run'], ['code:downloaded /tmp/t/run']],
    [['curl -sLo a.zip https://x.example/tool.zip', 'unzip -q a.zip -d z', './z/setup'], ['code:downloaded ./z/setup']],
    [[`git clone ${URL}`, 'cp -r tool/bin out', './out/setup'], ['code:downloaded ./out/setup']],
    // What can be read is judged by what is in it.
    [[`git clone ${URL}`, 'sh tool/install.sh'], []],
    // What the session wrote itself, and what was there.
    [[`git clone ${URL}`, 'echo hi > tool/own.sh', 'sh tool/own.sh'], []],
    [[`git clone ${URL}`, 'sh own/build.sh && ./own/unread && make'], []],
    [[`git clone ${URL} .`, './unread && make'], []],
    [['tar xzf own.tgz -C vendor', './vendor/setup'], []],
    [['git clone ./bare vendor', 'cd vendor && make'], []],
    [[`git clone ${URL}`, 'ls tool && cat tool/README.md && grep -r x tool'], []],
  ]
  /** What is not known of the last of the commands, and how many paths were looked up for it. */
  function asked(command: string): { readonly opaque: readonly (string | null)[]; readonly coverage: string; readonly lookups: number } {
    let lookups = 0
    const written = { get: (): undefined => void lookups++, size: 1 }
    const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
    const { effects, coverage } = analyse(call, createFixedView(WORLD), { state: { written }, canaryTokens: [], maxCommandBytes: 60_000 })
    return { opaque: effects.filter(({ verb }) => verb === 'opaque').map(({ reason }) => reason), coverage, lookups }
  }

  proves('T02', 'what is not looked up any more is said, and nothing is looked up twice', () => {
    const runs = (count: number): string => Array.from({ length: count }, (_, at) => `./d${at}/run`).join('; ')
    expect(asked(runs(200))).toMatchObject({ opaque: [] })
    expect(asked(`${runs(3)}; ${runs(3)}`).lookups).toBe(asked(runs(3)).lookups)
    expect(asked(runs(300))).toEqual({
      opaque: ['more files are read or run than can be looked up among those that earlier calls wrote'],
      coverage: 'partial',
      lookups: 512,
    })
  })

  for (const [commands, expected] of cases) test(commands.join(' ; then '), () => expect(last(...commands)).toEqual(expected))
})
