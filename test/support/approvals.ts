/** Approvals at rest for tests of what reads and answers them: real rows, real signatures, a store of their own. */

import { type Binding, openApproval, type Terms } from '../../src/approvals/machine.ts'
import type { Keyed } from '../../src/approvals/store.ts'
import { insertApproval, type StoredApproval } from '../../src/approvals/store.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import type { EmbeddedStore } from '../../src/store/sqlite/open.ts'
import { NOTE } from './records.ts'
import { stateDirectoryOfTest } from './state.ts'
import { opened } from './store.ts'

export const ASKED_AT = 1_767_225_600_000

export const BINDING: Binding = {
  call: 'c',
  definition: null,
  policy: 'sha256:p',
  session: 's-1',
  principal: '["claude-code",null,"me",null,[]]',
  cwd: '/repo',
  judged: 'sha256:j',
  edit: null,
  standing: 'sha256:s',
  preview: null,
}

export const TERMS: Terms = {
  quorum: 1,
  excluded: ['agent:claude-code'],
  approvers: null,
  chain: [],
  breakGlass: [],
  approveWithin: 900_000,
  useWithin: 300_000,
  delegates: [],
  session: { within: 3_600_000, uses: 20 },
}

export const SHEET: JsonObject = {
  tool: 'Bash',
  call: { server: null, args: { command: 'git push --force origin main' } },
  digest: 'sha256:c',
  code: 'hazard.history',
  reason: 'it rewrites history',
  asks: [{ layer: 'hazard', rule: 'push-force', code: 'hazard.history' }],
  effects: [
    { verb: 'publish', action: 'git:push', target: { kind: 'repository', value: 'origin' }, reversible: false, certainty: 'certain' },
  ],
}

export interface Drafted extends Partial<Omit<StoredApproval, 'terms' | 'binding'>> {
  readonly terms?: Partial<Terms>
  readonly binding?: Partial<Binding>
  readonly at?: number
}

/** One that waits, as the gate opens it. */
export function waitingApproval(id: string, { terms, binding, at = ASKED_AT, ...changes }: Drafted = {}): StoredApproval {
  return {
    ...openApproval(id, { ...BINDING, call: `call of ${id}`, ...binding }, { terms: { ...TERMS, ...terms }, at }),
    version: 0,
    token: 'none',
    session: 's-1',
    tenant: '',
    sheet: SHEET,
    memory: { subjects: [`subject of ${id}`], limit: 1, within: 3_600_000, scope: 'session:s-1' },
    proposals: [],
    withheld: [],
    edit: null,
    decision: null,
    kept: null,
    applied: null,
    ...changes,
  }
}

export interface Rows {
  readonly directory: string
  readonly store: EmbeddedStore
  readonly keys: () => Keyed
  readonly put: (...approvals: readonly StoredApproval[]) => Promise<void>
}

/** A store of the test alone, with keys of its own. */
export function approvalRows(): Rows {
  const directory = stateDirectoryOfTest()
  const store = opened({ directory })
  const keys = () => loadKeys(directory)
  const note = { ...NOTE, at: ASKED_AT }
  return {
    directory,
    store,
    keys,
    put: async (...approvals) => {
      await store.run((tx) => {
        for (const approval of approvals) insertApproval(tx, approval, keys().current)
      }, note)
    },
  }
}
