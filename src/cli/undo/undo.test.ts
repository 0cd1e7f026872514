/** Undo as an operator meets it: a call ran, its way back is shown, judged, taken, and stands in the log. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Home, makeHome } from '../../../test/hosts/harness.ts'
import { proves } from '../../../test/proves.ts'
import { commandLine } from '../../../test/support/command-line.ts'
import { openVault, sealText, textIn } from '../../undo/sealed.ts'

const POLICY = 'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\nhazards: { packs: [] }\nundo: {}\n'
const FINE = 'rules: { allow: [{ tool: Bash, when: "true", reason: fine }] }\n'
let home: Home
let work: string

beforeEach(() => {
  // Beside the files themselves, where a second name of a file can stand.
  home = makeHome(mkdtempSync(join(tmpdir(), 'cs-home-')))
  work = join(home.user, 'work')
  mkdirSync(home.state, { recursive: true })
  mkdirSync(join(work, 'build'), { recursive: true })
  writeFileSync(join(work, 'build', 'a.js'), 'one\n')
  policy(FINE)
})
afterEach(() => home.remove())

const policy = (rules: string): void => writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY}${rules}`)

async function ran(command: string, act: () => void, session = 's-1'): Promise<string> {
  const call = { tool: 'Bash', args: { command }, cwd: work, session }
  const { stdout, stderr, status } = await commandLine(home, ['check'], JSON.stringify(call))
  expect([status, stderr]).toEqual([0, ''])
  act()
  return (JSON.parse(stdout) as { audit_entry_id: string }).audit_entry_id
}
const undo = (...args: readonly string[]) => commandLine(home, ['undo', ...args])
const deletion = () => ran('rm -rf build', () => rmSync(join(work, 'build'), { recursive: true }))

test('a deletion is listed, shown, taken back, and taking back is taken back', async () => {
  const id = await deletion()
  expect((await undo('--list')).stdout).toMatch(new RegExp(`^${id}  .*  Bash  files  rm -rf build$`, 'm'))
  const nobody = await undo(id)
  expect([nobody.status, nobody.stdout]).toEqual([2, expect.stringContaining(`bring back ${work}/build/a.js`)])
  const back = await undo(id, '--yes')
  expect([back.status, back.stdout, back.stderr]).toEqual([0, expect.stringMatching(/taken back; record (\w+)/), ''])
  expect(readFileSync(join(work, 'build', 'a.js'), 'utf8')).toBe('one\n')
  const note = /record (\w+)/.exec(back.stdout)?.[1] ?? ''
  const shown = JSON.parse((await commandLine(home, ['audit', 'show', note])).stdout) as { intact: boolean; body: { undo: { of: string } } }
  expect([shown.intact, shown.body.undo.of]).toEqual([true, id])
  expect((await undo('--list')).stdout).not.toContain(id)
  expect((await undo(note, '--yes')).status).toBe(0)
  expect(readdirSync(work)).toEqual([])
})

test('the newest, and a whole session from its end', async () => {
  await ran('echo two > build/a.js', () => writeFileSync(join(work, 'build', 'a.js'), 'two\n'))
  await ran('echo three > build/a.js', () => writeFileSync(join(work, 'build', 'a.js'), 'three\n'))
  expect((await undo('--last', '--yes')).status).toBe(0)
  expect(readFileSync(join(work, 'build', 'a.js'), 'utf8')).toBe('two\n')
  expect((await undo('--session', 's-1', '--yes')).status).toBe(0)
  expect(readFileSync(join(work, 'build', 'a.js'), 'utf8')).toBe('one\n')
  expect((await undo('--last', '--yes')).status).toBe(2)
})

test('where the newest never ran, the one before it is named, and not taken instead', async () => {
  const first = await ran('echo two > build/a.js', () => writeFileSync(join(work, 'build', 'a.js'), 'two\n'))
  await ran('rm -rf build', () => {})
  const nothing = await undo('--last', '--yes')
  expect([nothing.status, nothing.stderr]).toEqual([0, expect.stringContaining(`countersign undo ${first}`)])
  expect(readFileSync(join(work, 'build', 'a.js'), 'utf8')).toBe('two\n')
})

test('of a session, what was not taken back keeps earlier calls on the same files from it, and no others', async () => {
  const [file, other] = [join(work, 'build', 'a.js'), join(work, 'other')]
  const first = await ran('echo two > build/a.js', () => writeFileSync(file, 'two\n'))
  await ran('echo 1 > other', () => writeFileSync(other, '1\n'))
  const last = await ran('rm build/a.js', () => rmSync(file))
  // Through a link that came since nothing is put back.
  renameSync(join(work, 'build'), join(work, 'elsewhere'))
  symlinkSync('elsewhere', join(work, 'build'))
  const part = await undo('--session', 's-1', '--yes')
  expect([part.status, part.stderr]).toEqual([1, expect.stringContaining(`${first} is not taken back: ${last} came later`)])
  expect([existsSync(other), readdirSync(join(work, 'elsewhere'))]).toEqual([false, []])
  rmSync(join(work, 'build'))
  renameSync(join(work, 'elsewhere'), join(work, 'build'))
  expect([(await undo('--session', 's-1', '--yes')).status, readFileSync(file, 'utf8')]).toEqual([0, 'one\n'])
})

test('of a session, a call of which nothing was kept is said, and so is what nothing takes back', async () => {
  const file = join(work, 'build', 'a.js')
  writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY.replace('undo: {}', 'undo: { require_way_back: false }')}${FINE}`)
  const mixed = await ran('echo two > build/a.js; kubectl delete namespace shop', () => writeFileSync(file, 'two\n'))
  writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY.replace('undo: {}\n', '')}${FINE}`)
  const bare = await ran('echo three > build/a.js', () => writeFileSync(file, 'three\n'))
  policy(FINE)
  await ran('echo four > build/a.js', () => writeFileSync(file, 'four\n'))
  const { status, stdout, stderr } = await undo('--session', 's-1', '--yes')
  expect([status, stdout, readFileSync(file, 'utf8')]).toEqual([1, expect.stringContaining('nothing takes back k8s:delete'), 'one\n'])
  expect(stderr).toContain(`nothing was kept of ${bare} (Bash), which may have changed something`)
  expect(stderr).not.toContain(mixed)
})

test('what only a person takes back is said, with who can and how', async () => {
  writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY.replace('undo: {}', 'undo: { require_way_back: false }')}${FINE}`)
  const id = await ran('twine upload dist/*', () => {})
  const { status, stdout, stderr } = await undo(id, '--yes')
  expect([status, stdout, stderr]).toEqual([
    1,
    expect.stringMatching(/pypi:publish:\n {2}not possible here: a person has to do it: yank/),
    '',
  ])
  expect((await undo(await ran('ls', () => {}), '--yes')).stderr).toContain('nothing was kept for this record')
})

test('what was kept by a second name, and what was left out, is said wherever it is shown', async () => {
  const many = join(work, 'many')
  mkdirSync(many)
  for (let index = 0; index < 2_001; index++) writeFileSync(join(many, `${index}`), `${index}`)
  const linked = await ran('rm -rf many', () => rmSync(many, { recursive: true }))
  expect((await undo('--list')).stdout).toMatch(new RegExp(`${linked}.* files \\(2001 by a second name\\)`))
  const whole = await undo(linked, '--yes')
  expect([whole.status, whole.stdout]).toEqual([0, expect.stringMatching(/cannot take back: .*; 2001 files are kept by a second name/)])
  expect(readdirSync(many).length).toBe(2_001)
  writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY.replace('undo: {}', 'undo: { max_files: 1000 }')}${FINE}`)
  const capped = await ran('rm -rf many', () => rmSync(many, { recursive: true }))
  expect((await undo('--list')).stdout).toMatch(new RegExp(`${capped}.* files \\(partial: not kept: more than 1000 files\\)`))
  const part = await undo(capped, '--yes')
  expect([part.status, part.stdout]).toEqual([
    1,
    expect.stringMatching(/not kept: more than 1000 files\n[\\s\\S]*not all of it is taken back; record/),
  ])
  expect(readdirSync(many).length).toBe(999)
})

test('captures end: what is over is gone with `undo gc`, and so is the oldest beyond what all may take', async () => {
  const first = await deletion()
  await undo(first, '--yes')
  writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY.replace('undo: {}', 'undo: { total_mb: 1 }')}${FINE}`)
  expect((await undo('gc')).stdout).toBe('nothing had ended\n')
  const large = join(work, 'large')
  writeFileSync(large, Buffer.alloc(700_000, 'one'))
  const older = await ran('echo > large', () => writeFileSync(large, Buffer.alloc(700_000, 'two')))
  const newer = await ran('echo > large', () => writeFileSync(large, ''))
  expect((await undo('gc')).stdout).toMatch(/^[1-9] captures are gone\n$/)
  expect([(await undo(older, '--yes')).status, (await undo(newer, '--yes')).status]).toEqual([2, 0])
  expect(readFileSync(large, 'utf8').slice(0, 3)).toBe('two')
})

test('where the policy denies the way back, it is not taken', async () => {
  const id = await deletion()
  policy('rules: { deny: [{ tool: countersign_undo, reason: frozen }] }\n')
  const { status, stderr } = await undo(id, '--yes')
  expect([status, stderr, readdirSync(work)]).toEqual([4, expect.stringContaining('rules.denied'), []])
})

test('what was kept is what the log says, or it is not put back', async () => {
  const id = await deletion()
  const kept = readdirSync(join(home.state, 'undo')).find((name) => name.endsWith('.json')) ?? ''
  const path = join(home.state, 'undo', kept)
  const vault = openVault(home.state, join(home.state, 'undo', 'blobs'))
  const bytes = readFileSync(path)
  writeFileSync(path, sealText(vault, textIn(vault, bytes).replace('build/a.js', 'build/b.js')))
  expect(await undo(id, '--yes')).toMatchObject({ status: 2, stderr: expect.stringContaining('not what the log says') })
  writeFileSync(
    path,
    bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
  )
  expect(await undo(id, '--yes')).toMatchObject({ status: 2, stderr: expect.stringContaining('gone') })
  writeFileSync(path, bytes)
  expect(await undo(id, '--export', 'out')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nothing of this call is exported'),
  })
  rmSync(path)
  expect(await undo(id, '--yes')).toMatchObject({ status: 2, stderr: expect.stringContaining('gone') })
  expect((await undo('gc')).status).toBe(0)
})

test('an agent cannot reach what was kept', async () => {
  await deletion()
  policy(FINE)
  const call = { tool: 'Bash', args: { command: `rm -rf ${home.state}/undo` }, cwd: work }
  expect((await commandLine(home, ['check'], JSON.stringify(call))).status).toBe(4)
})

test('what somebody changed since is shown before anybody agrees, and comes back when the way back is taken back', async () => {
  const file = join(work, 'build', 'a.js')
  const id = await ran('echo two > build/a.js', () => writeFileSync(file, 'two\n'))
  expect((await undo(id)).stdout).not.toContain('was changed')
  writeFileSync(file, 'theirs\n')
  const later = Date.now() / 1000 + 7_200
  utimesSync(file, later, later)
  const shown = await undo(id)
  expect([shown.status, shown.stdout]).toEqual([
    2,
    expect.stringMatching(/a\.js was changed 120 minutes after the call was allowed, and that goes/),
  ])
  const taken = await undo(id, '--yes')
  expect([taken.status, readFileSync(file, 'utf8')]).toEqual([0, 'one\n'])
  expect((await undo(/record (\w+)/.exec(taken.stdout)?.[1] ?? '', '--yes')).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('theirs\n')
})

test('what was taken back in part is in the list until all of it is', async () => {
  const id = await deletion()
  // Through a link that came since nothing is put back.
  renameSync(work, `${work}-real`)
  symlinkSync(`${work}-real`, work)
  const part = await undo(id, '--yes')
  expect([part.status, part.stdout]).toEqual([1, expect.stringContaining('not all of it is taken back')])
  expect((await undo('--list')).stdout).toContain(id)
  rmSync(work)
  renameSync(`${work}-real`, work)
  expect((await undo('--session', 's-1', '--yes')).status).toBe(0)
  expect([readFileSync(join(work, 'build', 'a.js'), 'utf8'), (await undo('--list')).stdout]).toEqual([
    'one\n',
    expect.not.stringContaining(id),
  ])
})

proves('ROS-35', 'people see who takes the call back, how and until when, or that nothing does', async () => {
  policy('rules: { ask: [{ tool: Bash, reason: careful }] }\n')
  const ask = async (command: string) => {
    const { stdout } = await commandLine(home, ['check'], JSON.stringify({ tool: 'Bash', args: { command }, cwd: work }))
    const { approval } = JSON.parse(stdout) as { approval: { id: string } }
    return (await commandLine(home, ['approvals', 'show', approval.id])).stdout
  }
  expect(await ask('rm -rf build')).toMatch(
    /way back {5}files: the files are put back.*; while the capture is kept.*; by whoever runs the gate\. Not: owners/,
  )
  expect(await ask('npm publish')).toMatch(
    /way back {5}npm:publish by hand: `npm deprecate.*72 hours.*by an owner of the package.*\(untried\)/,
  )
  expect(await ask('kubectl delete namespace shop')).toMatch(/no way back {2}k8s:delete/)
  expect(await ask('terraform destroy -auto-approve')).toMatch(
    /kept first {3}terraform:destroy: nothing brings back what is destroyed: a person .*\nno way back {2}tf:destroy/,
  )
})

proves('ROS-35', 'what nothing takes back is asked about, unless the policy says otherwise', async () => {
  const says = async (command: string) => {
    const { stdout } = await commandLine(home, ['check'], JSON.stringify({ tool: 'Bash', args: { command }, cwd: work }))
    return (JSON.parse(stdout) as { code: string }).code
  }
  expect([await says('kubectl delete namespace shop'), await says('rm -rf build')]).toEqual(['undo.no_way_back', 'registry.permitted'])
  writeFileSync(join(home.state, 'countersign.yaml'), POLICY.replace('undo: {}', 'undo: { require_way_back: false }'))
  expect(await says('kubectl delete namespace shop')).toBe('registry.permitted')
})
