import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

describe('batch schedulers', () => {
  for (const [text, expected] of [
    ['scancel 4711', ['delete cluster:cancel job 4711']],
    ['scancel 4711 4712', ['delete cluster:cancel job 4711', 'delete cluster:cancel job 4712']],
    ['scancel -u ann', ['delete cluster:cancel job selection']],
    ['scancel --signal=USR1 4711', ['delete cluster:cancel job 4711']],
    ['scancel --help', []],
    ['qdel 12.server', ['delete cluster:cancel job 12.server']],
    ['bkill 0', ['delete cluster:cancel job 0']],
    ['condor_rm 7', ['delete cluster:cancel job 7']],
    ['sbatch -p gpu', ['execute cluster:submit cluster job']],
    ['srun -n 4 rm -rf /data/x', ['execute cluster:submit cluster job', 'delete /data/x']],
    ['sbatch --test-only job.sh', []],
    ['squeue -u ann', ['fetch cluster:read cluster']],
    ['sinfo', ['fetch cluster:read cluster']],
    ['qstat -f', ['fetch cluster:read cluster']],
    ['bjobs', ['fetch cluster:read cluster']],
    ['scontrol show job 4711', ['fetch cluster:read cluster']],
    ['scontrol hold 4711', ['change cluster:change 4711']],
    ['scontrol update JobId=4711 Priority=1', ['change cluster:change JobId=4711', 'change cluster:change Priority=1']],
    ['sacctmgr delete user ann', ['change cluster:change delete', 'change cluster:change user', 'change cluster:change ann']],
    ['qhold 12', ['change cluster:change 12']],
    ['bstop 12', ['change cluster:change 12']],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})
