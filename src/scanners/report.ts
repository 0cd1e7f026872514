/**
 * What another scanner's exit code and report mean (Fullsend's wrapper of Tirith, FUL-32 to FUL-38). Pure. Exit code 0 means
 * nothing to report; everything else needs a report that can be read, and what cannot be read is an objection.
 */
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject, own } from '../core/json.ts'
import { SEVERITIES, type Severity } from '../core/severity.ts'

/** How a scanner ended. */
export type ScanOutcome =
  /** `report`: what it printed, undefined where that is not one JSON document. */
  | { readonly kind: 'ended'; readonly code: number; readonly report: Json | undefined }
  | { readonly kind: 'missing' | 'failed' | 'timeout'; readonly message: string }

export interface ScanObjection {
  readonly severity: string
  readonly rule: string
  readonly title: string
}

/** `clear`: no objection. `noted`: objections below the threshold. `blocked`: it says no. `unknown`: it gave no answer. */
export interface ScanReading {
  readonly says: 'clear' | 'noted' | 'blocked' | 'unknown'
  readonly message: string
  readonly objections: readonly ScanObjection[]
}

/** Most objections that are kept of one report. */
const MOST = 20

/** Reads an outcome. `failOn`: the least severity that blocks; one that nobody knows counts as that, a missing one as medium. */
export function readScan(outcome: ScanOutcome, failOn: Severity): ScanReading {
  if (outcome.kind !== 'ended') return { says: 'unknown', message: outcome.message, objections: [] }
  if (outcome.code === 0) return { says: 'clear', message: 'nothing to report', objections: [] }
  const { report } = outcome
  const listed = Array.isArray(report) ? report : isJsonObject(report ?? null) ? own(report as JsonObject, 'findings') : null
  if (report === undefined || listed === null) return blocked(`exit code ${outcome.code} without a report that can be read`)
  const objections = (Array.isArray(listed) ? listed : []).flatMap(objectionOf)
  const grave = objections.find(({ severity }) => rank(severity, failOn) >= SEVERITIES.indexOf(failOn))
  if (grave !== undefined) return blocked(`${grave.severity}: ${grave.title}`, objections)
  const action = isJsonObject(report) ? own(report, 'action') : 'warn'
  if (action === 'allow' || action === 'warn') return { says: 'noted', message: noted(objections), objections: objections.slice(0, MOST) }
  return blocked(action === 'block' ? 'its report says `block`' : 'its report names no action that is known', objections)
}

function blocked(message: string, objections: readonly ScanObjection[] = []): ScanReading {
  return { says: 'blocked', message, objections: objections.slice(0, MOST) }
}

function noted([first]: readonly ScanObjection[]): string {
  return first === undefined ? 'it warns without saying of what' : `${first.severity}: ${first.title}`
}

function rank(severity: string, failOn: Severity): number {
  const known = SEVERITIES.findIndex((each) => each === severity.toLowerCase())
  return known < 0 ? SEVERITIES.indexOf(failOn) : known
}

/** `{severity, rule_id, title}`, or the older `{severity, rule, message}`; what is no object is skipped. */
function objectionOf(item: Json): readonly ScanObjection[] {
  if (!isJsonObject(item)) return []
  const said = (...names: readonly string[]): string => {
    const found = names.map((name) => own(item, name)).find((value) => typeof value === 'string')
    return typeof found === 'string' ? found.slice(0, 300) : ''
  }
  const severity = own(item, 'severity')
  return [
    {
      severity: severity === undefined ? 'medium' : typeof severity === 'string' ? severity.slice(0, 40) : 'unknown',
      rule: said('rule_id', 'rule'),
      title: said('title', 'message') || 'a finding without a title',
    },
  ]
}
