/** The names that a policy may use: of families, packs, rules and layers. */
import { families, familyNames, runsCommands } from '../facts/tools/index.ts'
import type { Vocabulary } from '../policy/section.ts'
import { HAZARD_RULES, PACK_GROUPS } from './hazard/index.ts'
import type { Layer } from './layer.ts'

/** Most are looked up when they are asked for: a policy that was kept compiled asks for none, and the tables they stand in are large. */
export function vocabularyOf(layers: readonly Layer[]): Vocabulary {
  return {
    get families() {
      return families()
    },
    get packs() {
      return PACK_GROUPS
    },
    get hazards() {
      return HAZARD_RULES.map((rule) => rule.id)
    },
    layers: layers.map((layer) => layer.name).filter((name) => name !== 'integrity'),
    runsCommands,
    toolNames: familyNames,
  }
}
