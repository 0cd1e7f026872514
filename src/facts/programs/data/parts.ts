import type { CommandSpec } from '../../host.ts'
import { type Act, type Doing, does, doing, list, takes } from '../tool.ts'

/** What tools of data and models have in common: acts on what their first operand names, and changes that others notice. */

/** One act on the first operand, or on `value` where nothing is named. */
export const act = (what: Doing, kind: Act['kind'], value: string): Act => ({ ...doing(what), kind, at: 0, value })

/** Looks at what there is. */
export const READS: CommandSpec = does(act('read data:read', 'resource', 'data'), { operands: ['data'] })

/** Changes or deletes something at a service; what is deleted there is gone. */
export const remote = (verb: 'change' | 'delete', value: string): CommandSpec =>
  does(act(`${verb} cloud:${verb}`, 'resource', value), {
    operands: ['data'],
    options: takes('--name --id --project'),
  })

/** Fetches data into the workspace, or where an option says. */
export const downloads = (valued: string, writes = ''): CommandSpec =>
  does(
    [act('fetch data:download', 'resource', 'remote'), { ...doing('write data:download'), kind: 'path', value: '.', certainty: 'likely' }],
    {
      operands: ['data'],
      flags: list('--unzip -w -o -q -f --force --quiet --wp'),
      options: { ...takes(valued), ...takes(writes, 'write') },
    },
  )
