/** What proxies could not look into, as the log was told. */
import { own } from '../../core/json.ts'
import { stateDirectory } from '../../open.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { StoredRecord } from '../../store/store.ts'
import { plainJson } from '../approvals-text.ts'
import { EXIT, print, visible } from '../terminal.ts'

const HOUR = 3_600_000

/** `stats uninspected`: what was most often first. */
export async function uninspected({ hours, json }: { readonly hours: number; readonly json?: boolean }): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    const found = new Map<string, { row: Record<string, string | boolean>; count: number }>()
    for (const { body } of store.read({ kind: 'note', since: store.now() - hours * HOUR }) as Iterable<StoredRecord>) {
      if (own(body, 'event') !== 'uninspected') continue
      const { proxy, upstream, what } = body
      const row = { proxy: String(proxy), upstream: String(upstream), what: String(what), passed: body.passed === true }
      const key = JSON.stringify(Object.values(row))
      // Older records have only how often it had been by then, one for each minute at most.
      found.set(key, { row, count: (found.get(key)?.count ?? 0) + Number(own(body, 'count') ?? 1) })
    }
    const all = [...found.values()].toSorted((a, b) => b.count - a.count)
    for (const { row, count } of all) {
      const { proxy, upstream, what, passed } = row
      if (json === true) print(plainJson({ ...row, count }))
      else print(visible(`${proxy} ${upstream}: ${count} times ${what}, ${passed === true ? 'which went on' : 'held back'}`))
    }
    if (all.length === 0 && json !== true) print(`everything was looked into in the last ${hours} hours`)
    return EXIT.ok
  } finally {
    store.close()
  }
}
