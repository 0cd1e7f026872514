import type { CommandSpec, CommandTable } from '../../host.ts'
import { byName, does, list, takes } from '../tool.ts'

/**
 * Batch schedulers of shared clusters: Slurm, PBS and Grid Engine, LSF, HTCondor. Jobs belong to many people.
 * Actions: cluster:submit · cluster:cancel (attributes user, mass) · cluster:change · cluster:read.
 */

const HELP = ['--help', '--version', '--usage']

const SELECTS = takes(
  '-u --user -A --account -n --name --jobname -p --partition -q --qos -t --state -w --nodelist -M --clusters --reservation',
)

const cancel: CommandSpec = {
  flags: list('-b --batch -f --full -Q --quiet -v --verbose -i --interactive --hurry --me'),
  options: { ...SELECTS, ...takes('-s --signal') },
  inert: HELP,
  refine: (parsed, context) => {
    const selected = parsed.values(...Object.keys(SELECTS)).length > 0 || parsed.flag('--me')
    const attributes = selected || parsed.operands.some(({ text }) => text === 'all' || text === '-a' || text === '0') ? { mass: true } : {}
    const emit = (name: string) =>
      context.emit('delete', context.thing('resource', `job ${name}`), { action: 'cluster:cancel', reversible: false, attributes })
    if (parsed.operands.length === 0) emit('selection')
    for (const word of parsed.operands) emit(word.text ?? word.prefix)
  },
}

const submit = (options: string): CommandSpec => ({
  options: takes(options),
  stopAtOperand: true,
  inert: [...HELP, '--test-only'],
  refine: (parsed, context) => {
    const [program, ...args] = parsed.operands
    context.emit('execute', context.thing('resource', 'cluster job'), { action: 'cluster:submit' })
    if (program !== undefined)
      context.within({ attributes: { cluster: true }, remote: true }, (there) => there.command([program, ...args], parsed.invocation.name))
  },
})

const SLURM =
  '-J -p -A -q -t -N -n -c -w -x -o -e -D -d --job-name --partition --account --qos --time --nodes --ntasks --cpus-per-task --mem'

const alter = does(
  { verb: 'change', action: 'cluster:change', kind: 'resource', from: 0, value: 'cluster', reversible: false },
  { inert: HELP },
)

const read: CommandSpec = {
  inert: HELP,
  effects: [{ verb: 'fetch', action: 'cluster:read', target: { kind: 'service', value: 'cluster' } }],
}

const scontrol: CommandSpec = {
  flags: list('-a -d -h -o -Q -v --all --details --oneliner --quiet'),
  options: takes('-M --clusters -u --uid'),
  subcommands: byName({
    'show ping listpids version': read,
    'update create delete hold uhold release requeue requeuehold suspend resume reboot shutdown reconfigure power cancel_reboot top': alter,
  }),
}

export const schedulers: CommandTable = byName({
  'scancel qdel canceljob bkill condor_rm jobcancel': cancel,
  'sbatch srun salloc': submit(SLURM),
  'qsub bsub qrsh qlogin condor_submit': submit('-N -q -l -o -e -A -P -J -n -W -M -R -pe'),
  'squeue sinfo sacct sstat sprio sreport sshare qstat qhost bjobs bqueues bhosts condor_q condor_status': read,
  'qalter qhold qrls qmod bmod bstop bresume bswitch condor_hold condor_release condor_qedit sacctmgr sbcast strigger': alter,
  scontrol,
})
