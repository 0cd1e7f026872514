/**
 * Compensators by name: what takes an act back, for how long, and what it cannot take back. `exercised` is true only where a test of this
 * project has run the act and the way back. Pure.
 */
import type { Effect } from '../core/effect.ts'
import type { Compensator, DeclaredWay, Ways } from './compensator.ts'
import { databaseOf, type Engine } from './databases/known.ts'
import { isKnownAtHub } from './services/names.ts'
import { isKnownObject } from './services/objects.ts'
import { isKnownStack } from './services/stacks.ts'

/** Of a policy that keeps what calls change; null where it keeps nothing. */
export function waysOf(
  policy: {
    readonly undo: Pick<Ways, 'databases'> | null
    readonly capabilities: { readonly compensators: readonly DeclaredWay[] }
  } | null,
): Ways | null {
  if (policy === null || policy.undo === null) return null
  return { databases: policy.undo.databases, declared: policy.capabilities.compensators }
}

const RETAINED = 'while the capture is kept (`undo.keep`)'
const isAct = (...actions: readonly string[]): Compensator['covers'] => {
  return ({ action }) => action !== null && actions.includes(action)
}

/** What a call does in a shell of another machine or of a container is not what it would do here. */
const here = (covers: Compensator['covers']): Compensator['covers'] => {
  return (effect, ways) => effect.target.scope !== 'elsewhere' && covers(effect, ways)
}

/** What a file has beside its content. */
const changesInode = (effect: Effect): boolean => isAct('fs:chmod', 'fs:chown')(effect, NONE) || changesAttributes(effect)

/** Extended attributes, which include access control lists and capabilities. Flags of the file system are not kept. */
export const changesAttributes = (effect: Effect): boolean =>
  isAct('fs:acl', 'privilege:capability')(effect, NONE) ||
  (effect.action === 'fs:attributes' && (effect.attributes?.extended === true || effect.attributes?.capabilities !== undefined))

const FILES: Compensator = {
  name: 'files',
  covers: (effect) =>
    (effect.verb === 'write' || effect.verb === 'delete' || changesInode(effect)) &&
    effect.target.kind === 'path' &&
    effect.target.real !== null &&
    effect.target.scope !== 'device' &&
    effect.action !== 'git:discard',
  captures:
    'content, permissions, owners, extended attributes, access control lists and links of every file that the call would write or delete, ' +
    'also untracked ones',
  how: 'the files are put back as they were; files that were not there are deleted',
  until: RETAINED,
  cost: 'a copy of the files, or a second name where more than 2,000 go',
  cannot:
    'owners where the gate may not set them; extended attributes and access control lists on other systems than Linux, and on one without ' +
    'Perl and Python; a deleted name of several comes back as a file of its own where the others were changed since; what somebody did ' +
    'with the files in between',
  owner: 'whoever runs the gate',
  run: 'files',
  exercised: true,
}

const SQLITE: Compensator = {
  name: 'database:sqlite',
  covers: here(({ verb, target }) => verb !== 'read' && target.kind === 'database' && /\.(?:db|db3|sqlite|sqlite3)$/.test(target.value)),
  captures: 'the file of the database, its journal and its log of changes',
  how: 'the files are put back as they were',
  until: RETAINED,
  cost: 'a copy of the file',
  cannot: 'what other programs wrote in between; a copy made while another program writes may be torn',
  owner: 'whoever runs the gate',
  run: 'files',
  exercised: true,
}

const dump = (engine: Engine, exercised: boolean, told: Pick<Compensator, 'captures' | 'how' | 'cannot'>): Compensator => ({
  ...told,
  name: `database:${engine}`,
  covers: (effect, { databases }) => databaseOf(effect, databases)?.engine === engine,
  until: RETAINED,
  cost: 'the time and the space of a dump; the call waits for it',
  owner: 'whoever runs the gate, with the address that the policy names',
  run: 'database',
  exercised,
})

const DUMPS: readonly Compensator[] = [
  dump('postgres', true, {
    captures: 'the whole database (`pg_dump`), and which objects there are',
    how: 'one transaction drops what came since and restores the dump (`pg_restore`, `psql`); a database that is gone is made again',
    cannot: 'what others wrote in between; roles and settings of the server; large objects that came since',
  }),
  dump('mysql', true, {
    captures: 'the whole database with routines, triggers and events (`mysqldump`)',
    how: 'the database is dropped, made again and filled from the dump (`mysql`); not in one transaction',
    cannot: 'what others wrote in between; accounts of the server; tables of engines without transactions may be torn',
  }),
  dump('mongodb', false, {
    captures: 'the whole database (`mongodump`), or the one collection that the call is about',
    how: 'the collections that were kept are dropped and restored from the dump (`mongorestore --drop`)',
    cannot: 'what others wrote in between; collections that came since stay',
  }),
  dump('redis', true, {
    captures: 'every key of all databases of the server, with its time (`DUMP`, `PTTL`); the server answers nobody else meanwhile',
    how: 'keys that came since are deleted and all others restored (`DEL`, `RESTORE … REPLACE`, by `redis-cli` 7 or later); not in one transaction',
    cannot: 'what others wrote in between; functions, users and settings of the server; a cluster, which is not dumped',
  }),
]

/** What is under way goes, with every conflict that was resolved in it: `git merge --abort`. */
const givesUp = ({ action, attributes }: Effect): boolean => action?.startsWith('git:') === true && attributes?.abandons === true

export const GIT: Compensator = {
  name: 'git',
  covers: here((effect) => isAct('git:discard', 'git:history')(effect, NONE) || givesUp(effect)),
  captures:
    'HEAD, the index, all refs, what is under way (a merge, a rebase), and every file of the work tree that is changed or untracked',
  how: 'refs, index and work tree are put back as they were',
  until: RETAINED,
  cost: 'references that keep commits, and a copy of changed files',
  cannot: 'ignored files that the act deletes, unless it names them',
  owner: 'whoever runs the gate',
  run: 'git',
  exercised: true,
}

/** Acts on branches, tags, the index and what is stashed, which lose nothing that a commit holds; those on files of the work tree are kept with it. */
export const GIT_LOCAL: Compensator = {
  name: 'git:local',
  covers: here(
    isAct(
      ...['git:commit', 'git:index', 'git:reset', 'git:branch', 'git:tag', 'git:notes'],
      ...['git:checkout', 'git:merge', 'git:stash', 'git:apply'],
    ),
  ),
  captures:
    'what is checked out, the index, what each branch has, and tags and notes where the act is about them; where it changes files of the work tree, ' +
    'also what was stashed and every file that is changed or untracked',
  how: 'branches and tags go back one by one, each only while it is where the call left it, and new ones are deleted; then index and work tree',
  until: `${RETAINED}, and until somebody else moves the branch or checks out another one`,
  cost: 'a few questions to git before the call, and a copy of the index',
  cannot: 'settings of a branch that is deleted again; what hooks did; repositories whose references lie in a table (`reftable`)',
  owner: 'whoever runs the gate',
  run: 'git',
  exercised: true,
}

/** Acts on files that are also acts on the index. */
const changesIndex = isAct('git:rm', 'git:mv')

/** Deployed by a program that pushes a branch: `gh-pages`. */
const isPushed = ({ action, attributes }: Effect): boolean => action === 'pages:deploy' && PUSHING.has(String(attributes?.by ?? ''))
const PUSHING: ReadonlySet<string> = new Set(['gh-pages', 'angular-cli-ghpages', 'mkdocs gh-deploy', 'mike'])

const GIT_PUSH: Compensator = {
  name: 'git:push',
  covers: here((effect) => isAct('git:push')(effect, NONE) || isPushed(effect)),
  captures: 'what each branch and tag that the push may change has at the remote, and what is pushed to it',
  how: 'each is pushed back with a lease: only while it still is what this push made of it',
  until: 'until somebody else pushes to the same branch or tag, and while the capture is kept',
  cost: 'one question to the remote before the push',
  cannot:
    'copies that others fetched; what hooks and workflows of the server did; remotes that refuse forced pushes; more than 200 references',
  owner: 'whoever may push to the branch',
  run: 'git-push',
  exercised: true,
}

const NPM: Compensator = {
  name: 'npm:publish',
  covers: here((effect) => isAct('npm:publish')(effect, NONE) && typeof effect.attributes?.manifest === 'string'),
  captures: 'name and version of the package, and the registry that the call names',
  how: '`npm unpublish` within 72 hours where the package has other versions, else `npm deprecate`',
  until: 'deprecate always; unpublish 72 hours, and only while nothing depends on it',
  cost: 'a file is read; the way back asks the registry',
  cannot: 'the version number is used up; copies that were installed stay; a package with one version alone is only deprecated',
  owner: 'an owner of the package, with the settings of npm where it lies',
  run: 'npm',
  exercised: true,
}

const KUBERNETES: Compensator = {
  name: 'kubernetes',
  covers: isKnownObject,
  captures: 'the objects that kubectl names, by name, label or manifest, as the API server answers them, and which of them are not there',
  how: 'objects that are gone are created, changed ones replaced, and those that came since deleted, by `kubectl` in the same context',
  until: RETAINED,
  cost: 'a few questions to the API server before the call; secrets among the objects are kept, encrypted',
  cannot:
    'what pods did and volumes held; objects that an owner makes; what others changed in between; namespaces, nodes, volumes and ' +
    'definitions of types; a directory with a kustomization; another cluster, user or server than that of the settings',
  owner: 'whoever runs the gate, with the rights of its kubectl',
  run: 'kubernetes',
  exercised: true,
}

const hub = (name: string, action: string, told: Pick<Compensator, 'captures' | 'how' | 'until' | 'cannot' | 'owner'>): Compensator => ({
  ...told,
  name,
  covers: (effect) => effect.action === action && isKnownAtHub(effect),
  cost: 'one to three questions to the API before the call; the way back asks again',
  run: 'github',
  exercised: true,
})

const HUB: readonly Compensator[] = [
  hub('gh:release', 'gh:release', {
    captures: 'whether the release and its tag are there',
    how: 'the release is deleted, and the tag where it was made with it',
    until: RETAINED,
    cannot: 'downloads and mails that were sent; what workflows did',
    owner: 'whoever may write to the repository',
  }),
  hub('gh:pr-create', 'gh:pr-create', {
    captures: 'the number of the newest request, and the branch',
    how: 'requests from that branch that came since are closed',
    until: RETAINED,
    cannot: 'mails that were sent; workflows that ran',
    owner: 'the author of the request',
  }),
  hub('gh:pr-merge', 'gh:pr-merge', {
    captures: 'which request it is',
    how: 'a request that reverts it is made, for somebody to merge',
    until: `${RETAINED}; later commits may make conflicts`,
    cannot: 'the commits stay in the history; deployments that it started; a branch that was deleted with it',
    owner: 'whoever may push to the branch',
  }),
  hub('gh:repo-edit', 'gh:repo-edit', {
    captures: 'the settings of the repository',
    how: 'settings that differ are set to what they were',
    until: RETAINED,
    cannot: 'topics; forks, stars and watchers that a change of visibility took away',
    owner: 'an administrator of the repository',
  }),
]

const stack = (
  name: 'tf:state' | 'tf:apply' | 'tf:destroy',
  told: Pick<Compensator, 'how' | 'until' | 'cannot' | 'owner' | 'helps'>,
): Compensator => ({
  ...told,
  name: `terraform:${name.slice(3)}`,
  covers: (effect) => isKnownStack(effect, name),
  captures: 'the state of the workspace, as `terraform state pull` answers; so with `tofu` and `terragrunt`',
  cost: 'two questions to the backend before the call; secrets of the state are kept, encrypted',
  run: 'terraform',
  // After an apply a person goes the way.
  exercised: name === 'tf:state',
})

const STACKS: readonly Compensator[] = [
  stack('tf:state', {
    how: 'the state is pushed back as the next one of the same history',
    until: `${RETAINED}, and while the workspace has the same history`,
    cannot: 'what others changed in the state in between; another workspace, or a state that `-state` names',
    owner: 'whoever runs the gate, with the rights of its client',
  }),
  stack('tf:apply', {
    how: 'a person applies the configuration of before; `countersign undo <id> --export <directory>` writes the state of before',
    until: RETAINED,
    cannot: 'what the providers made, changed and deleted: a state that is put back does not change it',
    owner: 'whoever may apply',
  }),
  stack('tf:destroy', {
    how:
      'nothing brings back what is destroyed: a person makes it anew from the configuration and its data from copies of their own; ' +
      '`countersign undo <id> --export <directory>` writes the state of before, which says what there was',
    until: RETAINED,
    cannot:
      'the resources and all that they held; names and addresses that others have by then: a state that is put back brings none of them',
    owner: 'whoever may apply',
    helps: true,
  }),
]

const NONE: Ways = { databases: [], declared: [] }

const manual = (
  name: string,
  covers: Compensator['covers'],
  told: Pick<Compensator, 'how' | 'until' | 'cannot' | 'owner'>,
): Compensator => ({
  ...told,
  name,
  covers,
  captures: 'nothing',
  cost: 'a person has to do it',
  run: 'manual',
  exercised: false,
})

const MANUAL: readonly Compensator[] = [
  manual('npm:publish by hand', isAct('npm:publish'), {
    how: '`npm deprecate <package>@<version> <reason>`; within 72 hours `npm unpublish <package>@<version>`',
    until: 'deprecate always; unpublish 72 hours, and only while nothing depends on it',
    cannot: 'the version number is used up; copies that were installed stay',
    owner: 'an owner of the package',
  }),
  manual('pypi:publish', isAct('pypi:publish'), {
    how: 'yank the release in the settings of the project at the index (`https://pypi.org/manage/project/<name>/release/<version>/`), which has no API for it',
    until: 'always',
    cannot: 'who pins the version still gets it; its file name is used up',
    owner: 'a maintainer of the project',
  }),
  manual('gh:release by hand', isAct('gh:release'), {
    how: '`gh release delete <tag>`, and `git push --delete <remote> <tag>` where the tag was made with it',
    until: 'always',
    cannot: 'downloads and mails that were sent',
    owner: 'whoever may write to the repository',
  }),
  manual('gh:pr-create by hand', isAct('gh:pr-create'), {
    how: '`gh pr close <number>`',
    until: 'always',
    cannot: 'mails that were sent; workflows that ran',
    owner: 'the author of the request',
  }),
  manual('gh:pr-merge by hand', isAct('gh:pr-merge'), {
    how: 'the button "Revert" of the request, or `git revert -m 1 <merge>` and a push',
    until: 'always; later commits may make conflicts',
    cannot: 'the commits stay in the history; deployments that it started',
    owner: 'whoever may push to the branch',
  }),
  manual('gh:repo-edit by hand', isAct('gh:repo-edit'), {
    how: '`gh repo edit` with the settings of before',
    until: 'always; a deleted repository 90 days, by the support of the service',
    cannot: 'forks, stars and watchers that a change of visibility took away',
    owner: 'an administrator of the repository',
  }),
  manual('pages:deploy', isAct('pages:deploy', 'gh:pages'), {
    how: 'deploy the commit of before again; the branch that `gh-pages` and its like push goes back by `git:push`',
    until: 'always',
    cannot: 'what visitors and caches saw',
    owner: 'whoever may deploy',
  }),
]

export const COMPENSATORS: readonly Compensator[] = [
  GIT_PUSH,
  GIT,
  GIT_LOCAL,
  FILES,
  ...DUMPS,
  SQLITE,
  NPM,
  KUBERNETES,
  ...STACKS,
  ...HUB,
  ...MANUAL,
]

/** The way back of one effect; null: there is none. */
export function wayBack(effect: Effect, ways: Ways): Compensator | null {
  return COMPENSATORS.find(({ covers, helps }) => helps !== true && covers(effect, ways)) ?? declaredFor(effect, ways)
}

/** All that something is kept for before the effect: its way back, and what only helps a person. */
export function compensatorsOf(effect: Effect, ways: Ways): readonly Compensator[] {
  const back = wayBack(effect, ways)
  const beside = here(changesIndex)(effect, ways) ? [GIT_LOCAL] : []
  return [
    ...(back === null ? [] : [back]),
    ...beside,
    ...COMPENSATORS.filter(({ covers, helps }) => helps === true && covers(effect, ways)),
  ]
}

function declaredFor({ action }: Effect, { declared }: Ways): Compensator | null {
  const found = declared.find((each) => each.action === action)
  return found === undefined ? null : manual(found.action, isAct(found.action), found)
}

/** True of an act that changes something and cannot be taken back with what the caller has. */
export function isFinal({ verb, reversible, certainty }: Effect): boolean {
  return !reversible && certainty !== 'possible' && verb !== 'read' && verb !== 'fetch' && verb !== 'execute' && verb !== 'opaque'
}
