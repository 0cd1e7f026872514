import type { CommandTable } from '../host.ts'
import { fileWrappers } from './files/wrappers.ts'
import { interpreters } from './interpreters/interpreters.ts'
import { shellPrograms } from './interpreters/shells.ts'
import { debugWrappers } from './running/debug.ts'
import { namedWrappers } from './running/named.ts'
import { parallelWrappers } from './running/parallel.ts'
import { privilegeWrappers } from './running/privileges.ts'
import { remoteWrappers } from './running/remote.ts'
import { RUNNERS } from './running/runners.ts'
import { sessionWrappers } from './running/sessions.ts'
import { TERMINALS } from './running/terminals.ts'
import { tmuxWrappers } from './running/tmux.ts'
import { makeWrappers } from './tasks/make.ts'
import { projectWrappers } from './tasks/project.ts'

/** Families of programs that run others: wrappers, shells, interpreters, runners of tasks. */
export const WRAPPERS: readonly CommandTable[] = [
  RUNNERS,
  TERMINALS,
  privilegeWrappers,
  shellPrograms,
  interpreters,
  fileWrappers,
  remoteWrappers,
  projectWrappers,
  makeWrappers,
  sessionWrappers,
  debugWrappers,
  namedWrappers,
  tmuxWrappers,
  parallelWrappers,
]
