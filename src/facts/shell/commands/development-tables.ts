import type { CommandTable } from '../spec.ts'
import { android } from './android.ts'
import { backups } from './backups.ts'
import { binaries } from './binaries.ts'
import { building } from './building.ts'
import { compilers } from './compilers.ts'
import { dataWork } from './data-work.ts'
import { documents } from './documents.ts'
import { frameworks } from './frameworks.ts'
import { languages } from './languages.ts'
import { functionalLanguages } from './languages-functional.ts'
import { ledgers } from './ledgers.ts'
import { linting } from './linting.ts'
import { machines } from './machines.ts'
import { migrations } from './migrations.ts'
import { mobile } from './mobile.ts'
import { models } from './models.ts'
import { remoteTools } from './remote-tools.ts'
import { runners } from './runners.ts'
import { sites } from './sites.ts'
import { testing } from './testing.ts'

/** Families of tools that build, test, check, run and ship the code of the workspace. */
export const DEVELOPMENT: readonly CommandTable[] = [
  android,
  backups,
  building,
  compilers,
  binaries,
  dataWork,
  documents,
  frameworks,
  languages,
  functionalLanguages,
  ledgers,
  linting,
  machines,
  migrations,
  mobile,
  models,
  remoteTools,
  runners,
  sites,
  testing,
]
