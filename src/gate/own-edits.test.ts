import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import { callFromJson } from '../ingress/call.ts'
import { digester, type OpenedGate, openGate } from '../open.ts'
import { landResult } from '../open-results.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { loadPolicyText } from '../policy/file.ts'

/** The whole gate on this machine, with a repository that git made: edits are carried out as the host would. */

let around = ''
let root = ''
let state = ''
let opened: OpenedGate
/** One for each test: what is asked again and again raises the risk of a session. */
let session = 0
beforeEach(() => {
  session++
})
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' })

beforeAll(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-own-edits-')))
  root = join(around, 'repository')
  mkdirSync(root)
  state = newStateDirectory()
  git('init', '-q', '-b', 'main')
  for (const name of ['mine.js', 'theirs.js', 'before.js']) writeFileSync(join(root, name), 'export const a = 1\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  const policy = loadPolicyText(DEFAULT_POLICY, COMPILE)
  opened = openGate({ home: state, policy: () => policy })
})
afterAll(() => {
  opened.close()
  for (const directory of [around, state]) rmSync(directory, { recursive: true, force: true })
})

function callOf(tool: string, args: JsonObject): ToolCall {
  const read = callFromJson({ tool, args, cwd: root, session: `s${session}` }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

async function decided(tool: string, args: JsonObject): Promise<{ readonly decision: string; readonly rules: readonly string[] }> {
  const { decision, determining, findings } = await opened.gate.decide(callOf(tool, args))
  return { decision, rules: determining.map((at) => findings[at]?.rule ?? '') }
}

const says = async (command: string): Promise<string> => (await decided('Bash', { command })).decision

/** Judged, run, and its result kept; behind `!` somebody else runs it. */
async function runs(command: string): Promise<void> {
  if (command.startsWith('!')) return byOthers(command)
  expect(await says(command), command).toMatch(/^(allow|flag)$/)
  await ends(command)
}

/** The same, with a yes of somebody where one is asked. */
async function runsAnyhow(command: string): Promise<void> {
  if (command.startsWith('!')) return byOthers(command)
  await says(command)
  await ends(command)
}

const byOthers = (command: string): void => void execFileSync('bash', ['-c', command.slice(1)], { cwd: root })

async function ends(command: string): Promise<void> {
  execFileSync('bash', ['-c', command], { cwd: root })
  await landResult(opened, { call: callOf('Bash', { command }), response: { stdout: '', stderr: '' } }).kept
}

const fresh = (name: string): string => {
  writeFileSync(join(root, name), 'export const a = 1\n')
  git('add', name)
  git('commit', '-qm', name)
  return name
}

const byHand = (name: string): void => appendFileSync(join(root, name), '// mine\n')

async function edits(name: string): Promise<void> {
  const path = join(root, name)
  expect(await decided('Edit', { file_path: path, old_string: 'a = 1', new_string: 'a = 2' })).toMatchObject({ decision: 'allow' })
  writeFileSync(path, 'export const a = 2\n')
}

describe('edits that are thrown away', () => {
  proves('T02', 'run with a flag where they are the session’s own', async () => {
    await edits('mine.js')
    expect(await decided('Bash', { command: 'git checkout -- mine.js' })).toEqual({ decision: 'flag', rules: ['discard-own-edits'] })
    git('checkout', '--', 'mine.js')
    await edits('mine.js')
    expect(await decided('Bash', { command: 'git restore mine.js' })).toMatchObject({ decision: 'flag' })
  })
  proves('T02', 'are asked about where somebody else edited the file after the session, or before it', async () => {
    await edits('theirs.js')
    appendFileSync(join(root, 'theirs.js'), '// mine\n')
    appendFileSync(join(root, 'before.js'), '// mine\n')
    await edits('before.js')
    for (const name of ['theirs.js', 'before.js']) {
      expect(await decided('Bash', { command: `git checkout -- ${name}` })).toEqual({ decision: 'ask', rules: ['discard-work'] })
    }
  })
})

describe('edits that a command made', () => {
  const ORDINARY: readonly (readonly [title: string, name: string, before: readonly string[], last: string])[] = [
    ['one by sed', 'sed.js', ["sed -i 's/1/2/' sed.js"], 'git checkout -- sed.js'],
    ['one by a script', 'script.js', ["python3 -c \"open('script.js', 'w').write('x')\""], 'git restore script.js'],
    [
      'several',
      'several.js',
      ["sed -i 's/1/2/' several.js", "perl -pi -e 's/2/3/' several.js", 'echo x >> several.js'],
      'git checkout several.js',
    ],
    ['one in the same call', 'same.js', [], "sed -i 's/1/2/' same.js; git diff; git checkout same.js"],
    ['one in the same call after another', 'both.js', ['echo x >> both.js'], 'echo y >> both.js && git checkout -- both.js'],
  ]
  for (const [title, name, before, last] of ORDINARY) {
    proves('T02', `are thrown away with a flag: ${title}`, async () => {
      fresh(name)
      for (const command of before) await runs(command)
      expect(await decided('Bash', { command: last })).toEqual({ decision: 'flag', rules: ['discard-own-edits'] })
    })
  }

  proves('T02', 'are asked about where somebody edited the file before, after, or where no result tells what was left', async () => {
    byHand(fresh('dirty.js'))
    await runs("sed -i 's/1/2/' dirty.js")
    await runs("sed -i 's/1/2/' " + fresh('touched.js'))
    byHand('touched.js')
    expect(await says('echo x >> ' + fresh('open.js'))).toBe('allow')
    appendFileSync(join(root, 'open.js'), 'x\n')
    for (const name of ['dirty.js', 'touched.js', 'open.js']) expect(await says(`git checkout -- ${name}`), name).toBe('ask')
    expect(await says("sed -i 's/1/3/' dirty.js; git checkout -- dirty.js")).toBe('ask')
  })

  proves('T02', 'are asked about where the result is of another call, or came late', async () => {
    expect(await says('echo x >> ' + fresh('other.js'))).toBe('allow')
    byHand('other.js')
    await landResult(opened, { call: callOf('Bash', { command: 'true' }), response: {} }).kept
    expect(await says('git checkout -- other.js')).toBe('ask')
  })

  proves('T02', 'are asked about where the same call brings somebody’s work into the file', async () => {
    fresh('moved.js')
    writeFileSync(join(root, 'notes.js'), '// mine\n')
    for (const command of [
      'mv notes.js moved.js; git checkout moved.js',
      'git stash pop; git checkout moved.js',
      'ln -f notes.js moved.js; git checkout moved.js',
    ]) {
      expect(await says(command), command).toBe('ask')
    }
  })
})

describe('a file that is taken from the index', () => {
  proves('T02', 'loses nothing where the index holds what it holds', async () => {
    byHand(fresh('staged.js'))
    git('add', 'staged.js')
    for (const command of [
      'git checkout -- staged.js',
      'git checkout staged.js',
      'git restore staged.js',
      'git -C . checkout -- staged.js',
    ]) {
      expect(await says(command), command).toBe('flag')
    }
  })
  proves('T02', 'is asked about where it holds more, where a commit takes its place, or where the call changes the index', async () => {
    byHand(fresh('ahead.js'))
    git('add', 'ahead.js')
    for (const command of [
      'git checkout HEAD -- ahead.js',
      'git checkout HEAD ahead.js',
      'git checkout main -- ahead.js',
      'git restore --source=HEAD ahead.js',
      'git restore -s HEAD ahead.js',
      'git restore --staged --worktree ahead.js',
      'git restore -SW ahead.js',
      'git reset -q ahead.js; git checkout -- ahead.js',
      'for i in 1 2; do git checkout -- ahead.js; git reset -q ahead.js; done',
      'git rm -q --cached ahead.js && git checkout -- ahead.js',
      'git checkout -- ahead.js; git update-index --force-remove ahead.js; git checkout -- ahead.js',
    ]) {
      // Another way to what was not agreed to is denied after a while.
      expect(await says(command), command).toMatch(/^(ask|deny)$/)
    }
    byHand('ahead.js')
    expect(await says('git checkout -- ahead.js')).toMatch(/^(ask|deny)$/)
  })
})

/** A name that no build makes anew, of a directory with work of somebody's in it. */
function theirs(name: string): string {
  mkdirSync(join(root, name))
  writeFileSync(join(root, name, 'work.js'), '// mine\n')
  return name
}

/** `{}` is a directory of somebody's. */
const placed = (command: string, name = ''): string => command.replaceAll('{}', name)

/** Makes a directory with work of somebody's in it. */
const work = (name: string): string => `mkdir -p ${name} && echo mine > ${name}/work.js`

describe('directories that the session made', () => {
  const ORDINARY: readonly (readonly [title: string, before: readonly string[], last: string])[] = [
    ['one that was made by name', ['mkdir -p ideas/first && echo x > ideas/first/a.txt'], 'rm -rf ideas'],
    ['what is in it', ['mkdir -p plans/first'], 'rm -r plans/first'],
    ['a copy', ['cp -r . ../copied-elsewhere && ls ../copied-elsewhere'], 'rm -rf ../copied-elsewhere/'],
    [
      'a work tree with changes',
      ['git worktree add -q ../trial-tree -b trial', 'echo x >> ../trial-tree/mine.js'],
      'git worktree remove --force ../trial-tree',
    ],
    ['one that the call itself makes', [], 'mkdir fitting && cp mine.js fitting && rm -rf fitting'],
    ['one that was filled and changed since', ['mkdir filled', 'echo x > filled/a && mkdir filled/b && chmod 750 filled'], 'rm -rf filled'],
    ['one that was moved away and back', ['mkdir wandering', '!mv wandering ../w && mv ../w wandering'], 'rm -rf wandering'],
    ['one that the session made again itself', ['mkdir twice', 'rm -rf twice', 'mkdir twice'], 'rm -rf twice'],
    ['one that the session made again after somebody deleted it', ['mkdir thrice', '!rmdir thrice', 'mkdir thrice'], 'rm -rf thrice'],
    ['one beside which somebody works', ['mkdir -p beside/own', '!mkdir theirs && echo x > theirs/a'], 'rm -rf beside/own'],
  ]
  for (const [title, before, last] of ORDINARY) {
    proves('T02', `are deleted with a flag: ${title}`, async () => {
      for (const command of before) await runs(placed(command))
      const { decision, rules } = await decided('Bash', { command: placed(last) })
      expect(decision).toBe('flag')
      expect(rules).toContain('delete-own-directory')
    })
  }
  proves('T02', 'are deleted with a flag where a tool for files made them', async () => {
    const args = { file_path: join(root, 'journal', 'plan.md'), content: '# plan' }
    expect(await decided('Write', args)).toMatchObject({ decision: 'allow' })
    mkdirSync(join(root, 'journal'))
    writeFileSync(args.file_path, args.content)
    await landResult(opened, { call: callOf('Write', args), response: {} }).kept
    expect(await says('rm -rf journal')).toBe('flag')
  })

  const HOSTILE: readonly (readonly [title: string, before: readonly string[], last: string])[] = [
    ['it was there before', ['mkdir -p {}'], 'rm -rf {}'],
    ['somebody’s work was moved there', ['mkdir bag', 'mv {} bag/'], 'rm -rf bag'],
    ['somebody’s work was moved there by a script', ['mkdir sack', "python3 -c \"import os; os.rename('{}', 'sack/w')\""], 'rm -rf sack'],
    ['somebody’s work is moved there in the same call', ['mkdir crate'], 'mv {} crate/ && rm -rf crate'],
    ['somebody’s work is moved there, and it is made, in the same call', [], 'mkdir chest && mv {} chest/ && rm -rf chest'],
    ['the session deleted it before, and somebody made it again', ['mkdir again', 'rm -rf again', `!${work('again')}`], 'rm -rf again'],
    [
      'it went with one above that people let go, and somebody made it again',
      ['mkdir {}/own', 'rm -rf {}', `!${work('{}/own')}`],
      'rm -rf {}/own',
    ],
    [
      'it went by a script, and somebody made it again',
      ['mkdir gone', 'node -e \'fs.rmSync("gone", {recursive: true})\'', `!${work('gone')}`],
      'rm -rf gone',
    ],
    [
      'it went with what git does not know',
      ['mkdir swept', 'echo x > swept/a', 'git clean -fdq swept', `!${work('swept')}`],
      'rm -rf swept',
    ],
    ['somebody deleted it and made it again at once', ['mkdir quick', `!rmdir quick && ${work('quick')}`], 'rm -rf quick'],
    ['somebody’s took its name', ['mkdir renamed', '!mv renamed ../old-one && mv {} renamed'], 'rm -rf renamed'],
    ['somebody’s took the name of one above', ['mkdir -p {}/deep', `!mv {} ../old-two && ${work('{}/deep')}`], 'rm -rf {}/deep'],
    ['a link took its name', ['mkdir turned', '!rmdir turned && ln -s "$PWD/{}" turned'], 'rm -rf turned/'],
    [
      'a link took the name of one above',
      ['mkdir -p {}/low', `!mv {} ../old-three && ${work('{}-b/low')} && ln -s {}-b {}`],
      'rm -rf {}/low',
    ],
    ['a part of it is another’s now', ['mkdir part', 'mkdir part/of', `!rm -rf part && ${work('part/of')}`], 'rm -rf part/of'],
    [
      'a stash is taken out there',
      ['git worktree add -q ../stash-tree -b stashed', 'git stash -q', 'git -C ../stash-tree stash pop -q'],
      'git worktree remove --force ../stash-tree',
    ],
    ['somebody’s work was moved deeper down', ['mkdir outer', 'mkdir outer/inner', 'mv {} outer/inner/'], 'rm -rf outer'],
    ['somebody’s work was moved there after much else', ['mkdir many', `${'touch x1; mv x1 x2; '.repeat(9)}mv {} many/`], 'rm -rf many'],
    ['it only leads there', ['mkdir linked', 'ln -s "$PWD/{}" linked/in'], 'rm -rf linked/in/'],
  ]
  for (const [at, [title, before, last]] of HOSTILE.entries()) {
    proves('T02', `are asked about where ${title}`, async () => {
      const name = theirs(`theirs${at}`)
      for (const command of before) {
        await runsAnyhow(placed(command, name))
      }
      expect(await says(placed(last, name))).toMatch(/^(ask|deny)$/)
    })
  }
  proves('T02', 'are asked about where somebody’s was moved there while the call ran', async () => {
    const name = theirs('racer')
    await new Promise((later) => setTimeout(later, 100))
    expect(await says('mkdir -p racing')).toBe('allow')
    byOthers(`!mv ${name} racing`)
    await ends('mkdir -p racing')
    expect(await says('rm -rf racing')).toMatch(/^(ask|deny)$/)
  })
  proves('T02', 'are asked about where no result told that they are there', async () => {
    expect(await says('mkdir foreseen')).toBe('allow')
    theirs('foreseen')
    expect(await says('rm -rf foreseen')).toMatch(/^(ask|deny)$/)
  })
})
