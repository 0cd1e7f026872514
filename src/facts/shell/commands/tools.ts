import type { CommandTable } from '../spec.ts'
import { agents } from './agents.ts'
import { clouds } from './clouds.ts'
import { containers } from './containers.ts'
import { converters } from './converters.ts'
import { DEVELOPMENT } from './development-tables.ts'
import { dotnetTools } from './dotnet.ts'
import { everyday } from './everyday.ts'
import { git } from './git.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { gitops } from './gitops.ts'
import { golang } from './go.ts'
import { infrastructure } from './infrastructure.ts'
import { javascript } from './javascript.ts'
import { jvm } from './jvm.ts'
import { kubernetes } from './kubernetes.ts'
import { patching } from './patching.ts'
import { php } from './php.ts'
import { provisioning } from './provisioning.ts'
import { python } from './python.ts'
import { releases } from './release.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { schedulers } from './schedulers.ts'
import { versioning } from './versioning.ts'

/** Families of development and operations tools; the system's own programs are listed in index.ts. */
export const TOOLS: readonly CommandTable[] = [
  ...DEVELOPMENT,
  git,
  github,
  gitlab,
  versioning,
  agents,
  releases,
  containers,
  kubernetes,
  gitops,
  clouds,
  infrastructure,
  provisioning,
  javascript,
  python,
  rust,
  golang,
  jvm,
  ruby,
  dotnetTools,
  php,
  schedulers,
  patching,
  converters,
  everyday,
]
