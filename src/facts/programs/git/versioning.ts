import type { CommandSpec, CommandTable } from '../../host.ts'
import { byName, type Doing, does, doing, each, list, takes, tool } from '../tool.ts'

/** Version control other than git: jj, hg, svn, Perforce. */

const vcs = (what: Doing, reversible = true, spec: CommandSpec = {}) =>
  does({ ...doing(what), kind: 'repository', at: 0, value: /^(?:publish|fetch) /.test(what) ? 'default' : '.', reversible }, spec)
const LOOK = does({ verb: 'read', action: 'vcs:read', kind: 'repository', value: '.' }, { operands: ['data'] })
const ALTER = does(
  { verb: 'change', action: 'vcs:change', kind: 'repository', value: '.' },
  { operands: ['data'], options: takes('-m --message -r --revision --rev -d --destination -s --source') },
)
const DROP = does({ verb: 'change', action: 'git:discard', kind: 'repository', value: '.', reversible: false })

const FORGET = does(
  { verb: 'change', action: 'git:history', kind: 'repository', value: '.', reversible: false, attributes: { operation: 'gc' } },
  { operands: ['data'], options: takes('--expire') },
)

/** The log of operations is what `jj undo` goes back by. */
const JJ_OPERATION: CommandSpec = {
  subcommands: byName({ 'log show diff': LOOK, 'restore undo revert integrate': ALTER, abandon: FORGET }),
}

const jj = tool('vcs', {
  options: takes('-R --repository --at-operation --color --config -T --template -r --revisions'),
  flags: list('--no-pager --ignore-working-copy --quiet'),
  subcommands: byName({
    git: {
      subcommands: byName({
        push: does(
          {
            verb: 'publish',
            action: 'git:push',
            kind: 'repository',
            option: ['--remote'],
            value: 'origin',
            reversible: true,
            flags: { all: ['--all'], delete: ['--deleted'] },
            values: { branch: list('-b --bookmark'), change: list('-c --change') },
            when: (p) => !p.flag('--dry-run'),
          },
          { flags: ['--dry-run', '--tracked', '-N', '--allow-new'] },
        ),
        'fetch clone': vcs('fetch git:fetch'),
        'init import export remote': { ...ALTER },
      }),
    },
    'log status st diff show evolog interdiff root tag config workspace sparse file help': LOOK,
    'op operation': JJ_OPERATION,
    util: {
      subcommands: byName({
        gc: FORGET,
        exec: { stopAtOperand: true, refine: ({ operands }, context) => context.command(operands, 'jj') },
        'completion config-schema install-man-pages markdown-help': LOOK,
      }),
    },
    'new commit describe desc edit squash split rebase bookmark branch duplicate backout resolve fix next prev undo absorb parallelize':
      ALTER,
    'abandon restore': DROP,
  }),
})

/** `hg update -C`: what was changed and not committed is gone. */
const UPDATE: CommandSpec = {
  ...ALTER,
  flags: list('-C --clean -c --check -m --merge'),
  refine: (parsed, context) => (parsed.flag('-C', '--clean') ? DROP : ALTER).refine?.(parsed, context),
}

const hg = tool('vcs', {
  options: takes('-R --repository --cwd --config --color'),
  flags: list('-q --quiet -v --verbose -y --noninteractive'),
  subcommands: byName({
    push: vcs('publish vcs:push', true, {
      flags: list('-f --force --new-branch'),
      options: takes('-r --rev -b --branch -B --bookmark'),
    }),
    'pull clone incoming outgoing identify': vcs('fetch vcs:fetch'),
    'log status diff cat annotate grep heads tip summary branches tags files manifest paths root verify': LOOK,
    'commit add addremove merge branch bookmark tag graft import rename copy forget resolve phase shelve unshelve': ALTER,
    'update up checkout': UPDATE,
    bisect: {
      ...ALTER,
      flags: list('-r --reset -g --good -b --bad -s --skip -e --extend -U --noupdate'),
      options: takes('-c --command', 'program'),
    },
    'revert strip rollback purge histedit': DROP,
  }),
  aliases: { ci: 'commit', st: 'status', co: 'checkout' },
})

const p4 = tool('vcs', {
  options: takes('-c -d -p -P -u -H -x -C -F'),
  flags: list('-s -q -I -G -ztag'),
  subcommands: byName({
    submit: vcs('publish vcs:push', false, { options: takes('-c -d -f') }),
    obliterate: does(
      { verb: 'delete', action: 'vcs:obliterate', kind: 'repository', at: 0, value: '.', reversible: false },
      { flags: list('-y -A -a -b -h') },
    ),
    revert: DROP,
    'sync clone fetch': vcs('fetch vcs:fetch'),
    ...each(
      'opened files diff diff2 describe changes changelists filelog print where have info fstat annotate status reconcile ' +
        'client clients grep sizes interchanges',
      LOOK,
    ),
    'edit add delete integrate merge resolve shelve unshelve move copy change label tag switch stream lock unlock': ALTER,
  }),
})

/** Locks that were left behind; with its options what is not under version control. */
const SVN_CLEANUP: CommandSpec = {
  ...ALTER,
  flags: list('--remove-unversioned --remove-ignored --vacuum-pristines --include-externals'),
  refine: (parsed, context) => (parsed.flag('--remove-unversioned', '--remove-ignored') ? DROP : ALTER).refine?.(parsed, context),
}

const svn = tool('vcs', {
  flags: list('-q --quiet -v --verbose -N --force --non-interactive'),
  options: takes('-m --message -F --file -r --revision --username --password --depth'),
  subcommands: byName({
    commit: vcs('publish vcs:push', false),
    'import mkdir copy move delete': vcs('publish vcs:push', false),
    'checkout update export switch list log info': vcs('fetch vcs:fetch'),
    'status diff cat blame propget proplist': LOOK,
    'add resolve merge propset changelist lock unlock upgrade relocate': ALTER,
    revert: DROP,
    cleanup: SVN_CLEANUP,
  }),
  aliases: { ci: 'commit', co: 'checkout', up: 'update', st: 'status', cp: 'copy', mv: 'move', rm: 'delete', ls: 'list' },
})

export const versioning: CommandTable = { jj, hg, p4, svn }
