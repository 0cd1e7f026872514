import { type Call, type Files, type Step, session, useGate } from '../projects/harness.ts'

/**
 * `git checkout -- FILE` and `git restore FILE` throw away what no commit holds. Where the session itself made every change since the file
 * was committed, nothing of the user's is lost. The labels were written before any verdict was looked at.
 */

useGate()

const ROOT = '/home/dev/shop'
const FILES: Files = {
  'src/a.js': 'export const a = 1\n',
  'src/b.js': 'export const b = 1\n',
  'src/[id].js': 'export const id = 1\n',
  'draft.js': 'export const a = "the user wrote this"\n',
}

type Each = Call | Step
const after = (call: Call, files: Files): Step => ({ call, after: files })
const write = (path: string, content: string): Step =>
  after({ tool: 'Write', args: { file_path: `${ROOT}/${path}`, content } }, { [path]: content })
const edit = (path: string, [from, to]: readonly [string, string], text: string): Step =>
  after({ tool: 'Edit', args: { file_path: `${ROOT}/${path}`, old_string: from, new_string: to } }, { [path]: text })
const A2 = edit('src/a.js', ['a = 1', 'a = 2'], 'export const a = 2\n')
const A3 = edit('src/a.js', ['a = 2', 'a = 3'], 'export const a = 3\n')
/** Somebody else edits meanwhile: the call itself only lists. */
const user = (files: Files): Step => after('ls', files)
const MINE = 'export const a = "mine"\n'

function all(label: 'asks' | 'runs', rows: Readonly<Record<string, readonly Each[]>>, clean = true): void {
  for (const [title, calls] of Object.entries(rows)) session(title, label, { files: FILES, calls, clean })
}

all('runs', {
  'an edit of the session is thrown away': [A2, 'git checkout -- src/a.js'],
  'two edits are': [A2, A3, 'git checkout src/a.js'],
  'by git restore': [A2, 'git restore src/a.js'],
  'from the last commit': [A2, 'git checkout HEAD -- src/a.js'],
  'in a directory that is named': [A2, `cd ${ROOT} && git checkout -- src/a.js 2>/dev/null`],
  'with -C': [A2, `git -C ${ROOT}/src checkout -- a.js`],
  'two files at once': [A2, write('src/b.js', 'export const b = 2\n'), 'git checkout -- src/a.js src/b.js'],
  'a file that was written whole': [write('src/a.js', MINE), 'git checkout -- src/a.js'],
  'a file that a here-document wrote': [after(`cat > src/a.js <<'EOF'\n${MINE}EOF`, { 'src/a.js': MINE }), 'git checkout -- src/a.js'],
  'a file that sed edited': [after("sed -i 's/a = 1/a = 2/' src/a.js", { 'src/a.js': 'export const a = 2\n' }), 'git checkout -- src/a.js'],
  'a file that is committed as it stands': ['git checkout -- src/a.js'],
  'and then the tests run': [A2, 'git checkout -- src/a.js && npm test'],
  'and then it is edited anew': [A2, 'git checkout -- src/a.js && sed -i s/1/4/ src/a.js'],
  'after it was thrown away once, and edited again': [
    A2,
    after('git checkout -- src/a.js', { 'src/a.js': FILES['src/a.js'] ?? '' }),
    A2,
    'git checkout -- src/a.js',
  ],
})

all('asks', {
  'the user edits after the session': [A2, user({ 'src/a.js': 'export const a = 2\n// mine\n' }), 'git checkout -- src/a.js'],
  'the user edits between two edits of the session': [
    A2,
    user({ 'src/a.js': 'export const a = 2\n// mine\n' }),
    edit('src/a.js', ['a = 2', 'a = 3'], 'export const a = 3\n// mine\n'),
    'git checkout -- src/a.js',
  ],
  'the user edits before the first edit of the session': [
    user({ 'src/a.js': '// mine\nexport const a = 1\n' }),
    edit('src/a.js', ['a = 1', 'a = 2'], '// mine\nexport const a = 2\n'),
    'git checkout -- src/a.js',
  ],
  'one of two files is the user’s': [A2, user({ 'src/b.js': MINE }), 'git checkout -- src/a.js src/b.js'],
  'the whole tree': [A2, 'git checkout -- .'],
  'a directory': [A2, 'git checkout -- src'],
  'a pattern': [A2, "git checkout -- 'src/*.js'"],
  'a name that git reads as a pattern': [write('src/[id].js', MINE), "git checkout -- 'src/[id].js'"],
  'a name with the words of git for patterns': [A2, "git checkout -- ':(icase)src/a.js'"],
  'everything, by reset': [A2, 'git reset --hard'],
  'another work tree': [A2, 'git --work-tree=/home/dev/other checkout -- src/a.js'],
  'another repository': [A2, 'git --git-dir=/home/dev/other/.git checkout -- src/a.js'],
  'another work tree by a variable': [A2, 'GIT_WORK_TREE=/home/dev/other git checkout -- src/a.js'],
  'another work tree by an exported variable': [A2, 'export GIT_WORK_TREE=/home/dev/other; git checkout -- src/a.js'],
  'another work tree by a setting': [A2, 'git -c core.worktree=/home/dev/other checkout -- src/a.js'],
  'a file that a program wrote': [after('node gen.js > src/a.js', { 'src/a.js': MINE }), 'git checkout -- src/a.js'],
  'work of the user’s that was moved there': [
    after('mv draft.js src/a.js', { 'src/a.js': FILES['draft.js'] ?? '', 'draft.js': '' }),
    'git checkout -- src/a.js',
  ],
  'work that the call moves there itself': [A2, 'mv draft.js src/a.js && git checkout -- src/a.js'],
  'work that the call takes off the stash': ['git stash pop && git checkout -- src/a.js'],
  'in a loop that takes work off the stash': ['for i in 1 2; do git checkout -- src/a.js; git stash pop; done'],
  'after a script that nobody has read': [A2, './unknown-tool --apply && git checkout -- src/a.js'],
  'through a link': [A2, user({}), 'ln -sf ../draft.js src/a.js && git checkout -- src/a.js'],
  'an edit that did not run': [
    { tool: 'Edit', args: { file_path: `${ROOT}/src/a.js`, old_string: 'a = 1', new_string: 'a = 2' } },
    user({ 'src/a.js': MINE }),
    'git checkout -- src/a.js',
  ],
  'a name that is only known when it runs': [A2, 'git checkout -- "$FILE"'],
})

all(
  'asks',
  {
    'a file that was edited before the session': [A2, 'git checkout -- src/a.js'],
    'a file of which nothing is known': ['git checkout -- src/a.js'],
  },
  false,
)
