import { type Effect, hasClass, resolvedName } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'
import { lexical } from '../../../facts/resources/path/index.ts'
import type { HazardPack } from '../rule.ts'
import { isTestDatabase } from './local.ts'
import { action, attribute, byProject, deletesUnknown, family, has, madeInSession, sweeping, verb } from './match.ts'
import { foundAtRoot, isOwn } from './review-deletes.ts'

const ROOTS = ['filesystem-root', 'home-root', 'other-user'] as const

/** Below system directories, but somebody's data or added software: losing it breaks a service, not the machine. */
const NOT_THE_SYSTEM =
  /^(?:\/private)?\/(?:var\/(?:www|cache|tmp|ftp|backups)(?:\/|$)|var\/log\/.|srv(?:\/|$)|opt\/[^/]+(?:\/|$)|usr\/local\/[^/]+\/)/

/** What builds, tests and tools leave behind, by the names people give it. */
const MADE_ANEW = new RegExp(
  String.raw`^(?:build|dist|target|out|outputs?|bin|obj|coverage|htmlcov|generated|gen|release|debug|public|_?site|v?env` +
    String.raw`|node_modules|vendor|pods|deriveddata|logs?|te?mp|scratch|artifacts?|results?|backups?|old|cache|caches|__[a-z]+__` +
    String.raw`|\..+|.*[._-](?:cache|build|dist|out|tmp|temp|old|bak|backup|test|copy)|(?:te?mp|test|cache)[._-].*` +
    String.raw`|.*\.(?:egg-info|dsym|app|xcarchive))$`,
  'i',
)

/** A path from the workspace is such a place in any of its names; of an absolute one only the last says something. */
const madeAnew = ({ target }: Effect) => {
  const { names, absolute } = lexical(target.value)
  return absolute ? MADE_ANEW.test(names.at(-1) ?? '') : names.some((name) => MADE_ANEW.test(name))
}

/** A name that only files have, whatever option it is deleted with: lock files, sources, documents. Directories are called `vue.js`, too. */
const NAMES_A_FILE = new RegExp(
  String.raw`\.(?:lock|lockb|jsonc?|ya?ml|toml|txt|md|log|csv|tsv|xml|sql|tsx?|jsx|py|pyc|rb|rs|go|java|kt|c|h|cc|cpp|hpp|cs|php|sh` +
    String.raw`|s?css|html?|png|jpe?g|gif|svg|webp|pdf|zip|t?gz|bz2|xz|whl|jar|ipynb|db|sqlite3?|duckdb)$`,
  'i',
)

/** Below a home, but a copy of what tools fetch or build again when they need it. Models take hours, so they are no such copy. */
const FETCHED_ANEW = new RegExp(
  String.raw`/(?:\.cache|Library/Caches)/(?!huggingface|torch|whisper|models|ollama|lm-studio)[^/*?]+` +
    String.raw`|/Library/Developer/Xcode/DerivedData(?:/|$)|/\.npm/_(?:cacache|npx|logs)(?:/|$)|/\.gradle/caches(?:/|$)` +
    String.raw`|/\.bun/install/cache(?:/|$)`,
)

const isFetchedAnew = ({ target }: Effect) =>
  target.scope === 'home' && [target.value, resolvedName(target)].every((path) => FETCHED_ANEW.test(path) && !path.includes('..'))

/** What the kernel shows as files: whoever deletes there pulls devices and processes from under everybody. */
const KERNEL_TREES = /^\/(?:dev|proc|sys)(?:\/(?!shm\/.)|$)/

/** Shared by every program of the machine: sockets, locks and work in progress of others lie there. */
const SHARED_TEMPORARY = /^(?:\/private)?\/(?:var\/)?tmp(?:\/\*?)?$/

/** Branches, tags and objects of a repository; not its locks, which tools leave behind. */
const REFERENCES = /(?:^|\/)\.git\/(?:packed-refs|HEAD|refs|objects|logs)(?:\/|$)/

/** The history of the directory itself, or one that is named from the root; one below comes up from a template. */
const REPOSITORY = /^(?:\/(?:[^/]+\/){0,40}|(?:\.\/){0,9})\.(?:git|hg|svn|jj)\/?$/

const UNRECOVERABLE = 'What this deletes cannot be brought back.'

/** A name of a disk that ends, or is, what nobody knows. */
const SOME_DEVICE = /\/dev\/(?:disk\/by-\w{1,16}\/|mapper\/|(?:[hsv]d|xvd|nvme|mmcblk|r?disk)\w{0,8})?["']?[$`*{(…]/

const OVER_ALL = /\/\*{1,2}(?:\/|$)/
const FAR = /^[a-z][a-z0-9+]{1,19}:\/\/(?:[^@/\s]{0,200}@)?(?!localhost\b|127\.)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?:[:/?]|$)/i

/** The database is said to be on a machine with a whole name or number; one word is most often a service of the project. */
const isOnAnother = ({ target, attributes }: Effect, { effects }: Facts): boolean =>
  Object.hasOwn(attributes, 'served_by') ||
  FAR.test(target.value) ||
  effects.some(
    (other) =>
      action(other, 'sql:connect') && other.target.scope !== 'loopback' && other.target.value.includes('.') && other.target.real !== null,
  )

export const destruction: HazardPack = {
  name: 'destruction',
  summary: 'data that cannot be brought back: roots, devices, whole directories outside the workspace, databases',
  rules: [
    {
      id: 'delete-root',
      code: 'hazard.destruction',
      level: 'hard',
      reason: 'deletes a home directory or the file system',
      advice: 'Delete only the files you made, by name, inside the workspace.',
      safer: 'rm -rf ./build',
      examples: {
        match: ['rm -rf ~', 'rm -rf /', 'rm -rf "$HOME"', 'sudo rm -rf /*', 'find / -delete'],
        not_match: ['rm -rf ./dist', 'rm /tmp/x', 'ls ~'],
      },
      verbs: ['delete'],
      when: (effect) => hasClass(effect.target, ...ROOTS) && sweeping(effect),
    },
    {
      id: 'destroy-device',
      code: 'hazard.destruction',
      level: 'hard',
      reason: 'writes over a disk',
      advice: UNRECOVERABLE,
      safer: 'lsblk',
      examples: {
        match: ['dd if=/dev/zero of=/dev/sda', 'mkfs.ext4 /dev/sdb1', 'cat x > /dev/sda'],
        not_match: [
          'dd if=/dev/zero of=./disk.img bs=1M count=1',
          'echo x > /dev/null',
          'chown me /dev/sdb',
          'mount -o remount,ro /dev/sdb1',
        ],
      },
      verbs: ['write', 'delete', 'change'],
      // Rights on a device and its place in the file tree are the matter of other rules: no content of it changes.
      when: (effect) => hasClass(effect.target, 'device') && !family(effect, 'mount') && !action(effect, 'fs:chmod', 'fs:chown'),
    },
    {
      id: 'unknown-device',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'may write over a disk: which device is meant is only known when it runs',
      advice: 'Name the device.',
      safer: 'lsblk',
      examples: {
        match: ['dd if=a.img of="/dev/$DISK"', 'cat a.img > "/dev/sd$X"', 'cp a.img "/dev/$X"'],
        not_match: [
          'echo hi > "/dev/pts/$N"',
          'echo AT > "/dev/ttyUSB$N"',
          'cat x > "/dev/fd/$N"',
          'dd if=a.img of="$OUT"',
          'cat "/dev/$X"',
        ],
      },
      verbs: ['write', 'delete'],
      when: (effect) => effect.target.scope === 'device' && has(effect, 'unresolved') && SOME_DEVICE.test(effect.target.value),
    },
    {
      id: 'delete-system',
      code: 'hazard.destruction',
      level: 'hard',
      reason: 'deletes part of the operating system',
      advice: UNRECOVERABLE,
      safer: 'rm -rf ./build',
      examples: {
        match: [
          'rm -rf /etc',
          'rm -rf /usr/lib/python3',
          'sudo rm -r /boot',
          'rm -rf /var/lib/dpkg',
          'rm -rf /usr/local/lib',
          'rm -rf /var/log',
          'rm -rf /dev',
        ],
        not_match: [
          'rm -rf node_modules',
          'cat /etc/hosts',
          'rm -rf /var/www/shop',
          'rm -rf /usr/local/lib/node_modules/npm',
          'rm -rf /opt/app',
          'rm -rf /dev/shm/scratch',
        ],
      },
      verbs: ['delete'],
      when: (effect) => {
        const path = resolvedName(effect.target)
        if (!sweeping(effect)) return false
        return (hasClass(effect.target, 'system', 'boot') && !NOT_THE_SYSTEM.test(path)) || KERNEL_TREES.test(path)
      },
    },
    {
      id: 'delete-temporary',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'empties the temporary directory that all programs share',
      advice: 'Delete the temporary files you made, by name.',
      safer: 'rm -rf /tmp/scratch',
      examples: {
        match: ['rm -rf /tmp', 'rm -rf /tmp/*', 'find /tmp -delete', 'find /tmp -type f | xargs rm -f'],
        not_match: [
          'rm -rf /tmp/scratch',
          'rm -f /tmp/*.log',
          'find /tmp -name "x-*" -delete',
          'rm -rf "$TMPDIR/x"',
          'python3 -c "import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)"',
        ],
      },
      verbs: ['delete'],
      when: (effect) =>
        !has(effect, 'filtered') &&
        (effect.reason === null || !effect.target.value.endsWith('*')) && // not the fresh directory of `mkdtemp`, whose name is unknown
        (sweeping(effect) || has(effect, 'glob')) &&
        SHARED_TEMPORARY.test(resolvedName(effect.target)),
    },
    {
      id: 'delete-outside',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'deletes outside the workspace',
      advice: 'Keep deletions inside the workspace or a temporary directory.',
      safer: 'rm -rf ./build',
      examples: {
        match: ['rm -rf ~/projects', 'rm -rf ../sibling', 'rm ~/notes.txt', 'rm -rf /var/www/shop', 'rm -rf /opt/app'],
        not_match: ['rm -rf build', 'rm -rf /tmp/scratch', 'rm -rf ~/.cache/pip', 'rm -rf ~/Library/Developer/Xcode/DerivedData'],
      },
      verbs: ['delete'],
      when: (effect) =>
        !effect.reversible &&
        effect.target.kind === 'path' &&
        (effect.target.scope === 'home' || effect.target.scope === 'elsewhere' || effect.target.scope === 'system') &&
        !madeInSession(effect) &&
        !isFetchedAnew(effect),
    },
    {
      id: 'delete-workspace',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'deletes the whole workspace or its version history',
      advice: 'Name the files to delete one by one.',
      safer: 'rm -rf ./build',
      examples: {
        match: [
          ...['rm -rf .', 'rm -rf *', 'rm -rf .git', 'rm -rf "$PWD"', 'find . -delete', 'rm .git/packed-refs'],
          ...['find . -print0 | xargs -0 rm -rf', 'find . -type f | xargs rm', 'fd -x rm {}', 'mv .git /tmp/old-git'],
        ],
        not_match: [
          ...['rm -rf ./dist', 'rm -f *.log', 'gzip *', 'mv * ../elsewhere/', 'rm -f .git/index.lock', 'mv scaffold/.git .'],
          ...["find . -name '*.pyc' | xargs rm", 'find . | grep pyc | xargs rm', 'fd -e pyc -x rm {}', 'find . | xargs cat'],
        ],
      },
      verbs: ['delete'],
      when: (effect) =>
        (action(effect, 'fs:move') && effect.target.scope !== 'temporary' && REPOSITORY.test(effect.target.value)) ||
        (!effect.reversible &&
          ((hasClass(effect.target, 'workspace-root', 'vcs') && sweeping(effect)) ||
            (effect.target.kind === 'path' && REFERENCES.test(effect.target.value)))),
    },
    {
      id: 'delete-directory',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'deletes a directory of the workspace that no build makes anew',
      advice: 'Delete single files by name, or let your user delete the directory.',
      safer: 'rm -rf ./dist',
      examples: {
        match: ['rm -rf src', 'rm -r docs/guide', 'rm -rf ./packages/core/'],
        not_match: [
          'rm -rf node_modules',
          'rm -rf packages/core/dist',
          'rm -rf .pytest_cache',
          'rm notes.txt',
          'rm -rf /tmp/src',
          'rm -rf *.egg-info',
          'rm -rf node_modules package-lock.json',
        ],
      },
      verbs: ['delete'],
      when: (effect, facts) =>
        has(effect, 'recursive') &&
        !has(effect, 'glob') &&
        !has(effect, 'rebuilt') &&
        !(byProject(effect) && isOwn(effect, facts)) &&
        !action(effect, 'fs:remove') && // what a search found, by name or age
        !effect.reversible &&
        effect.target.scope === 'workspace' &&
        !madeInSession(effect) &&
        !NAMES_A_FILE.test(effect.target.value) &&
        !madeAnew(effect),
    },
    {
      id: 'delete-own-directory',
      code: 'hazard.destruction',
      level: 'advisory',
      reason: 'deletes a directory that this session made',
      advice: 'Keep what you may want back.',
      safer: 'ls',
      examples: {
        match: ['mkdir work && cp README.md work && rm -rf work', 'git worktree add ../trial && git worktree remove --force ../trial'],
        not_match: [
          'rm -rf src',
          'mkdir src; mv docs src; rm -rf src',
          'mkdir work && touch work/a && rm work/a',
          'rsync -a --delete a/ b/',
        ],
      },
      verbs: ['delete'],
      when: (effect) => madeInSession(effect) && (sweeping(effect) || action(effect, 'git:worktree')),
    },
    {
      id: 'delete-unknown',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'deletes something whose name cannot be told in advance',
      advice: 'Write the path out in full.',
      safer: 'rm -rf ./build',
      examples: { match: ['rm -rf "$DIR"', 'rm -rf $(cat list)', 'rm $(curl https://x.example/l)'], not_match: ['D=build; rm -rf "$D"'] },
      verbs: ['delete'],
      when: (effect) => deletesUnknown(effect) && !byProject(effect),
    },
    {
      id: 'overwrites-home',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'writes over all that is in the home directory',
      advice: 'Name the files that are meant.',
      safer: 'ls ~',
      examples: {
        match: ['for f in ~/*; do : > "$f"; done', 'sed -i s/a/b/ ~/*'],
        not_match: ['cp notes.txt ~', 'sed -i s/a/b/ src/*', 'cat ~/*.md'],
      },
      verbs: ['write'],
      when: ({ target }, { home }) =>
        home !== undefined && OVER_ALL.test(target.value) && target.value.replace(/^~/, home).startsWith(`${home}/*`),
    },
    {
      id: 'database-destruction',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'deletes or rewrites database content without a limit',
      advice: 'Limit the statement with a condition, or ask for a backup first.',
      safer: 'sqlite3 app.db "SELECT count(*) FROM users"',
      examples: {
        match: [
          'sqlite3 app.db "DROP TABLE users"',
          'psql -c "DELETE FROM users"',
          'mysql -e "TRUNCATE orders"',
          'dropdb prod',
          'redis-cli FLUSHALL',
          'psql -c "ALTER TABLE users DROP COLUMN age"',
        ],
        not_match: [
          'psql -c "DELETE FROM users WHERE id = 3"',
          'sqlite3 app.db "SELECT 1"',
          'sqlite3 :memory: "CREATE TABLE t (a); DROP TABLE t"',
          'psql -c "ALTER TABLE users ADD COLUMN age int"',
          'psql -c "ALTER TABLE users DROP CONSTRAINT age_positive"',
        ],
      },
      when: (effect, facts) =>
        effect.target.kind === 'database' &&
        effect.target.value !== ':memory:' && // SQLite's own name of a database that ends with the call
        !effect.reversible &&
        !isTestDatabase(effect, facts) &&
        (action(effect, 'sql:drop', 'sql:truncate', 'sql:flush') || attribute(effect, 'where') === false || has(effect, 'drops')),
    },
    {
      id: 'remote-data',
      code: 'hazard.remote_change',
      level: 'soft',
      reason:
        'changes data of a database on another machine, of one in production, or of one behind a server that does not say where it is',
      advice: 'Try it on a database of this machine, or let your user run it.',
      safer: 'psql -h localhost -c "UPDATE users SET plan = 1 WHERE id = 2"',
      examples: {
        match: [
          'psql -h db.example.net -c "UPDATE users SET plan = 1 WHERE id = 2"',
          'redis-cli -h cache.example.net SET plan 1',
          'psql postgres://app@db.example.net/shop -c "DELETE FROM carts WHERE id = 1"',
          'RAILS_ENV=production rails db:migrate',
          'dbt run --target prod',
        ],
        not_match: [
          'psql -h db.example.net -c "SELECT 1"',
          'psql -h localhost -c "UPDATE users SET plan = 1 WHERE id = 2"',
          'redis-cli SET plan 1',
          'psql -h db -c "DELETE FROM carts WHERE id = 1"',
          'rails db:migrate',
          'dbt run --target dev',
        ],
      },
      verbs: ['write', 'delete', 'change', 'execute'],
      when: (effect, facts) =>
        effect.action?.startsWith('sql:') === true &&
        (attribute(effect, 'environment') === 'production' ||
          (effect.target.kind === 'database' && !verb(effect, 'execute') && !isTestDatabase(effect, facts) && isOnAnother(effect, facts))),
    },
    {
      id: 'empty-trash',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'empties the trash, with everything that anybody put there',
      advice: UNRECOVERABLE,
      safer: 'trash ./old.txt',
      examples: { match: ['trash-empty'], not_match: ['trash old.txt', 'trash-list'] },
      verbs: ['delete'],
      actions: ['fs:trash'],
      when: ({ target }) => target.kind === 'resource',
    },
    {
      id: 'shred',
      code: 'hazard.destruction',
      level: 'soft',
      reason: 'overwrites files so that they cannot be recovered',
      advice: UNRECOVERABLE,
      safer: 'rm -f ./secret.tmp',
      examples: { match: ['shred -u notes.txt', 'truncate -s 0 /var/log/app.log'], not_match: ['truncate --help', 'rm notes.txt'] },
      actions: ['fs:shred', 'fs:truncate'],
      when: (effect, facts) =>
        action(effect, 'fs:shred') ||
        (effect.target.scope !== 'workspace' && effect.target.scope !== 'temporary' && !(has(effect, 'unresolved') && byProject(effect))) ||
        (has(effect, 'mass') && (has(effect, 'root') || foundAtRoot(effect, facts))),
    },
  ],
}
