/** What proxies could not look into, as the log was told. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Uninspected, uninspectedIn } from '../../audit/uninspected.ts'
import type { Check } from '../../hosts/adapter.ts'
import { stateDirectory } from '../../open.ts'
import { keysDirectory } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import { plainJson } from '../approvals-text.ts'
import { EXIT, print, visible } from '../terminal.ts'

const HOUR = 3_600_000

/** `stats uninspected`: what was most often first. */
export async function uninspected({ hours, json }: { readonly hours: number; readonly json?: boolean }): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    const all = summed(store, hours)
    for (const { proxy, upstream, what, passed, count } of all) {
      if (json === true) print(plainJson({ proxy, upstream, what, passed, count }))
      else print(visible(`${proxy} ${upstream}: ${count} times ${what}, ${passed ? 'which went on' : 'held back'}`))
    }
    if (all.length === 0 && json !== true) print(`everything was looked into in the last ${hours} hours`)
    return EXIT.ok
  } finally {
    store.close()
  }
}

/** Each kind once, what was most often first. */
function summed(store: Pick<Store, 'read' | 'now'>, hours: number): readonly Uninspected[] {
  const found = new Map<string, Uninspected>()
  for (const { body } of store.read({ kind: 'note', since: store.now() - hours * HOUR }) as Iterable<StoredRecord>) {
    const told = uninspectedIn(body)
    if (told === null) continue
    const { count, ...row } = told
    const key = JSON.stringify(Object.values(row))
    found.set(key, { ...row, count: (found.get(key)?.count ?? 0) + count })
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count)
}

/** One line for `doctor`; none where proxies looked into everything. */
export function uninspectedChecks(home: string): readonly Check[] {
  if (!existsSync(join(keysDirectory(home), 'audit.key'))) return []
  let store: ReturnType<typeof openStore>
  try {
    store = openStore({ directory: home })
  } catch {
    // Another line says what is wrong with the log.
    return []
  }
  try {
    const all = summed(store, DAY)
    if (all.length === 0) return []
    const times = (passed: boolean): number => all.reduce((sum, each) => sum + (each.passed === passed ? each.count : 0), 0)
    const told = `in the last ${DAY} hours ${times(true)} passed uninspected and ${times(false)} were held back`
    return [{ name: 'proxies', state: 'warn', detail: `${told}: \`countersign stats uninspected\` tells which` }]
  } finally {
    store.close()
  }
}

const DAY = 24
