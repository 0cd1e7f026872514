/** Where hooks and the daemon of one state directory find each other's answers. */
import { join } from 'node:path'
import type { Deliveries, Elsewhere } from '../hosts/deliveries.ts'
import { hookKey } from '../hosts/seal.ts'
import { createSharedDeliveries } from '../hosts/shared-deliveries.ts'
import type { OpenedGate } from '../open.ts'

export interface DeliveriesOptions {
  /** The state directory. */
  readonly home: string
  /** Milliseconds that a hook waits for another one. */
  readonly waitMs: number
}

export function deliveriesOf({ store }: Pick<OpenedGate, 'store'>, { home, waitMs }: DeliveriesOptions): Deliveries & Elsewhere {
  return createSharedDeliveries({
    directory: join(home, 'run', 'deliveries'),
    key: () => hookKey(home),
    waitMs,
    recorded: (id) => store.query((tx) => tx.get('SELECT 1 AS one FROM records WHERE id = ?', id)) !== undefined,
  })
}
