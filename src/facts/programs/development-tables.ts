import type { CommandTable } from '../host.ts'
import { machines } from './containers/machines.ts'
import { ledgers } from './data/ledgers.ts'
import { migrations } from './data/migrations.ts'
import { models } from './data/models.ts'
import { dataWork } from './data/work.ts'
import { android } from './development/android.ts'
import { binaries } from './development/binaries.ts'
import { building } from './development/building.ts'
import { compilers } from './development/compilers.ts'
import { frameworks } from './development/frameworks.ts'
import { linting } from './development/linting.ts'
import { mobile } from './development/mobile.ts'
import { runners } from './development/runners.ts'
import { sites } from './development/sites.ts'
import { testing } from './development/testing.ts'
import { backups } from './files/backups.ts'
import { documents } from './files/documents.ts'
import { remoteTools } from './network/remote-tools.ts'
import { languages } from './packages/languages.ts'
import { functionalLanguages } from './packages/languages-functional.ts'

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
