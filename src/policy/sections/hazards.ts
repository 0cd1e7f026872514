/** Which hazard packs run, and at which level. */
import { ENFORCEMENTS } from '../../core/verdict.ts'
import type { HazardsSection } from '../policy.ts'
import { described, listOf, mapOf, oneOf } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { section, type Vocabulary } from '../section.ts'

const WRITTEN = ['flag', 'ask'] as const
const LEVELS = ['off', ...ENFORCEMENTS] as const

export const hazards = section({
  fields: (vocabulary) => ({
    hazards: described(
      record({
        packs: described(listOf(oneOf([...vocabulary.packs.keys()])), 'Packs that run; default: all. An empty list switches them off.'),
        enforcement: described(oneOf(ENFORCEMENTS), 'Level of every hazard that has none of its own under `rules`; default: each its own.'),
        rules: described(
          mapOf(oneOf(LEVELS), (id) => unknownHazard(id, vocabulary)),
          'Levels of single hazards by id; `off` switches one off.',
        ),
        written: described(
          oneOf(WRITTEN),
          'What becomes of a call that writes code for later which would run a program from elsewhere, hide what it does, or send secrets away: ' +
            '`flag` (default) where what runs later comes to the gate, `ask` where it does not.',
        ),
      }),
      'Dangerous effects, whatever causes them.',
    ),
  }),
  compile: (values, { options }): { hazards: HazardsSection } => {
    const { packs } = options.vocabulary
    const chosen = values.hazards?.packs ?? [...packs.keys()]
    return {
      hazards: {
        packs: new Set(chosen.flatMap((name) => packs.get(name) ?? [])),
        enforcement: values.hazards?.enforcement ?? null,
        rules: values.hazards?.rules ?? new Map(),
        written: values.hazards?.written ?? 'flag',
      },
    }
  },
})

function unknownHazard(id: string, { hazards: known }: Vocabulary) {
  if (known.includes(id)) return null
  return { code: 'policy.wrong_value', message: `there is no hazard \`${id}\``, help: suggestion(id, known) } as const
}
