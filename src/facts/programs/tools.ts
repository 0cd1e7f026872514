import type { CommandTable } from '../host.ts'
import { agents } from './agents/agents.ts'
import { clouds } from './cloud/clouds.ts'
import { gitops } from './cloud/gitops.ts'
import { infrastructure } from './cloud/infrastructure.ts'
import { provisioning } from './cloud/provisioning.ts'
import { containers } from './containers/containers.ts'
import { kubernetes } from './containers/kubernetes.ts'
import { everyday } from './development/everyday.ts'
import { DEVELOPMENT } from './development-tables.ts'
import { converters } from './files/converters.ts'
import { patching } from './files/patching.ts'
import { git } from './git/git.ts'
import { github } from './git/github.ts'
import { gitlab } from './git/gitlab.ts'
import { versioning } from './git/versioning.ts'
import { dotnetTools } from './packages/dotnet.ts'
import { golang } from './packages/go.ts'
import { javascript } from './packages/javascript.ts'
import { jvm } from './packages/jvm.ts'
import { php } from './packages/php.ts'
import { python } from './packages/python.ts'
import { releases } from './packages/release.ts'
import { ruby } from './packages/ruby.ts'
import { rust } from './packages/rust.ts'
import { schedulers } from './system/schedulers.ts'

/** Families of development and operations tools; the system's own programs are listed in system-tables.ts. */
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
