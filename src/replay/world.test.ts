import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { Recording } from './read.ts'
import { worldOfRecording } from './world.ts'

const recording = (...calls: readonly JsonObject[]): Recording => ({
  session: 's',
  source: 'test',
  role: null,
  task: null,
  sessionLabel: null,
  world: null,
  undescribed: false,
  calls: calls.map((args) => ({ tool: 'Bash', args, result: null })),
  labels: calls.map(() => ({ label: 'benign', accept: null })),
})
const commands = (...all: readonly string[]): Recording => recording(...all.map((command) => ({ command })))

describe('the world of a recording', () => {
  const table: readonly (readonly [string, Recording, { readonly home: string; readonly cwd: string }])[] = [
    ['nothing known: the neutral one', commands('ls'), { home: '/home/user', cwd: '/home/user/project' }],
    [
      'the home most paths lie in',
      commands('ls /home/ann/a /home/ann/b', 'cat /home/bob/c'),
      { home: '/home/ann', cwd: '/home/ann/project' },
    ],
    [
      'the directory that files share',
      recording({ file_path: '/home/ann/shop/src/a.ts' }, { file_path: '/home/ann/shop/test/b.ts' }),
      { home: '/home/ann', cwd: '/home/ann/shop' },
    ],
    [
      'where commands go, outside every home too',
      commands('cd /repo && make', 'cd /repo && make test', 'ls'),
      { home: '/home/user', cwd: '/repo' },
    ],
    [
      'what stands before a file that tools name from the workspace on and a command names whole',
      recording({ file_path: './pkg/log/a.go' }, { file_path: 'pkg/log/b.go' }, { command: 'rm /home/ann/code/shop/pkg/log/a.go' }),
      { home: '/home/ann', cwd: '/home/ann/code/shop' },
    ],
    [
      'not what stands before another file, nor before the name of one alone, nor a place that settings are kept in',
      recording(
        { file_path: './pkg/log/a.go' },
        { file_path: 'README.md' },
        { command: 'rm /home/ann/code/shop/pkg/log/c.go /home/ann/x/README.md /home/ann/.cache/pkg/log/a.go /srv/pkg/log/a.go' },
      ),
      { home: '/home/ann', cwd: '/home/ann/project' },
    ],
    [
      'who names most files from the workspace on stands there, whatever else is read by whole names',
      recording(
        { file_path: './pkg/log/a.go' },
        { file_path: './main.go' },
        { file_path: './pkg/log/b.go' },
        { file_path: '/home/ann/other/debug/debug.log' },
        { command: 'rm /home/ann/code/shop/pkg/log/a.go' },
      ),
      { home: '/home/ann', cwd: '/home/ann/code/shop' },
    ],
    ['a quoted directory', commands('cd "/repo/web" && make'), { home: '/home/user', cwd: '/repo/web' }],
    ['after a line break or a bracket', commands('date\ncd /repo', '(cd /repo; make)'), { home: '/home/user', cwd: '/repo' }],
    ['a word that ends in cd is no change of directory', commands('abcd /repo'), { home: '/home/user', cwd: '/home/user/project' }],
    [
      'one visit elsewhere does not widen the workspace',
      commands(...Array.from({ length: 9 }, () => 'cd /home/ann/shop && ls'), 'cd /home/ann/other && ls'),
      { home: '/home/ann', cwd: '/home/ann/shop' },
    ],
    [
      'work in two places is work in what holds both',
      commands('cd /home/ann/code/a', 'cd /home/ann/code/b'),
      { home: '/home/ann', cwd: '/home/ann/code' },
    ],
    [
      'temporary places are no workspace',
      commands('cd /tmp/x && make', 'cd /private/tmp/y && ls'),
      { home: '/home/user', cwd: '/home/user/project' },
    ],
    ['system places are no workspace', commands('cd /etc && ls', 'cd /usr/lib && ls'), { home: '/home/user', cwd: '/home/user/project' }],
    ['settings are no workspace', commands('cd /home/ann/.config/x && ls'), { home: '/home/ann', cwd: '/home/ann/project' }],
    [
      'work scattered over the home is none either',
      commands('cd /home/ann/a', 'cd /home/ann/b', 'cd /home/ann/c'),
      { home: '/home/ann', cwd: '/home/ann/project' },
    ],
    [
      'half of the work is enough where there is no better place',
      recording({ path: '/task/README' }, { path: '/workspace/a/x.py' }, { path: '/workspace/b/y.py' }),
      { home: '/home/user', cwd: '/workspace' },
    ],
    ['who works in the home of root is root', commands('cd /root/app && ls', 'cat /root/app/x'), { home: '/root', cwd: '/root/app' }],
    ['one mention of it is not', commands('cat /root/app/x'), { home: '/home/user', cwd: '/home/user/project' }],
  ]
  for (const [name, recorded, expected] of table) {
    test(name, () => {
      const { home, cwd } = worldOfRecording(recorded)
      expect({ home, cwd }).toEqual(expected)
    })
  }

  test('the gate lives in that home; macOS has its own temporary places', () => {
    expect(worldOfRecording(commands('ls /home/ann/x'))).toEqual({
      home: '/home/ann',
      cwd: '/home/ann/project',
      gate: ['/home/ann/.countersign'],
    })
    expect(worldOfRecording(commands('ls /Users/ann/x')).temporary).toContain('/private/tmp')
  })
})
