import { describe, expect, test } from 'vitest'
import { callOf, NOBODY } from '../../../test/support/calls.ts'
import { COMPILE } from '../../cli/open.ts'
import { analyseCall } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { hazard } from './index.ts'

/** Deletions that run and are marked, under the policy that ships. */

const compiled = compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 })
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { policy } = compiled
const cwd = '/home/user/shop'
const RUST = { [`${cwd}/Cargo.toml`]: '', [`${cwd}/Makefile`]: 'clean:\n\trm -f shop *.bin\n', [`${cwd}/gen.sh`]: 'rm out.txt\n' }

function found(command: string, files: Readonly<Record<string, string>>, state = emptySession(0)): readonly string[] {
  const view = createFixedView({ home: '/home/user', user: 'user', cwd, files })
  const call = callOf('Bash', { command }, { principal: NOBODY, session: null, cwd })
  const findings = hazard.evaluate({ call, facts: analyseCall(call, view, { state, policy }), policy, state })
  return findings.map(({ verdict, rule }) => `${verdict} ${rule}`)
}

describe('what may not come back is marked', () => {
  for (const command of [
    'rm a.txt b.txt',
    'unlink a.txt',
    'rm *.sqlite',
    "bash -c 'rm a.db'",
    'env X=1 rm a.txt',
    'python3 -c "import os; os.remove(\'a.csv\')"',
    'python3 -c "from pathlib import Path; Path(\'a.txt\').unlink()"',
    'ruby -e \'File.delete("a.rb")\'',
    'perl -e \'unlink "a.txt"\'',
    'php -r \'unlink("a.php");\'',
    'awk \'BEGIN { system("rm a.txt") }\'',
    "find src -name '*.js' -exec rm {} +",
    "find . -name '*.md' -o -name '*.o' | xargs rm",
    'xargs rm < list.txt',
    'rm -rf .github',
    'rm -rf build',
    'rm -rf /tmp/session-9',
    'find /tmp/session-9 -type f -delete',
    'cd /tmp && rm -rf results-old',
    'rm a.txt; echo x > a.txt',
    'echo x > b.txt; rm a.txt',
    'rm a.o/../a.txt',
    'rm ./dist/a/../../other/a.txt',
    'rm node_modules/.././a.txt',
  ]) {
    test(command, () => expect(found(command, {})).toContain('flag deletes'))
  }
})

describe('what tools, this call or a recipe made is not', () => {
  for (const command of [
    'rm -rf node_modules',
    'rm -rf src/../node_modules/./a',
    'rm -rf packages/a/.next coverage',
    'rm -f a.o lib/b.pyc .DS_Store nohup.out core.4711',
    "find . \\( -name '*.pyc' -o -name '__pycache__' \\) -delete",
    'fd -e pyc -x rm',
    'echo x > a.txt; cat a.txt; rm a.txt',
    'cp a.txt a.bak; rm a.bak',
    'mkdir -p d && touch d/a && rm d/a',
    'rm -rf /tmp/x && mkdir -p /tmp/x',
    'rm -f /tmp/out.json',
    'T=$(mktemp); rm -f "$T"',
    'python3 -c "import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)"',
    'rm -rf target build',
    'cargo clean',
    'make clean',
    'sh gen.sh',
    './gen.sh',
    'trash a.txt',
    'gzip a.txt',
    'git rm --cached a.txt',
    'rm --help',
    'grep rm a.txt',
  ]) {
    test(command, () => expect(found(command, RUST)).toEqual([]))
  }
})

describe('what earlier calls of the session wrote', () => {
  const written = new Map([[`${cwd}/a.txt`, { digest: null, origin: null, tool: 'Write', at: 0 }]])
  const state = { ...emptySession(0), written }
  test('is deleted unmarked', () => expect(found('rm a.txt', {}, state)).toEqual([]))
  test('and nothing else', () => expect(found('rm a.txt b.txt', {}, state)).toEqual(['flag deletes']))
})

describe('what is asked of the machine is bounded', () => {
  const many = (each: (at: number) => string) => Array.from({ length: 200 }, (_, at) => each(at))
  for (const [title, command] of [
    ['many directories', `rm -rf ${many((at) => `a${at}/dist`).join(' ')}`],
    ['many commands', many((at) => `rm -rf a${at}/dist`).join('; ')],
  ] as const) {
    test(title, () => {
      const view = createFixedView({ home: '/home/user', user: 'user', cwd, files: {} })
      analyseCall(callOf('Bash', { command }, { principal: NOBODY, session: null, cwd }), view, { state: emptySession(0), policy })
      const asked = view.answers().filter((answer) => JSON.stringify(answer).includes('package.json'))
      expect(asked.length).toBeLessThan(100)
    })
  }
})

describe('a name that builds use proves nothing by itself', () => {
  for (const [command, files, expected] of [
    ['rm -rf target', { [`${cwd}/pom.xml`]: '' }, []],
    ['rm -rf target', { [`${cwd}/package.json`]: '{}' }, ['flag deletes']],
    ['rm -rf dist', { [`${cwd}/package.json`]: '{}' }, []],
    ['rm -rf packages/a/dist', { [`${cwd}/packages/a/package.json`]: '{}' }, []],
    ['rm -rf packages/a/dist', { [`${cwd}/package.json`]: '{}' }, ['flag deletes']],
    ['rm -rf vendor', { [`${cwd}/go.mod`]: '' }, []],
    ['rm -rf vendor', {}, ['flag deletes']],
  ] as const) {
    test(`${command} beside ${Object.keys(files).join(' ') || 'nothing'}`, () => expect(found(command, files)).toEqual(expected))
  }
})
