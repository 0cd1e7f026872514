import type { HazardPack } from '../rule.ts'
import { access } from './access.ts'
import { code } from './code.ts'
import { destruction } from './destruction.ts'
import { devices } from './devices.ts'
import { exfiltration } from './exfiltration.ts'
import { local } from './local.ts'
import { network } from './network.ts'
import { outside } from './outside.ts'
import { review } from './review.ts'
import { system } from './system.ts'
import { versions } from './versions.ts'

/** Every pack there is, in the order of the reference. */
export const PACKS: readonly HazardPack[] = [
  destruction,
  code,
  exfiltration,
  access,
  system,
  network,
  versions,
  outside,
  local,
  devices,
  review,
]
