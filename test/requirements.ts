/**
 * Every requirement that a test can prove, as data: the vectors and weaknesses of the five seeds and of the shell scanner,
 * the promises, the threats and the pitfalls. A test cites ids with `proves`; test/coverage.test.ts holds the list against
 * the citations. What is not built yet is deferred with a reason, and that list may only shrink.
 */

import { aegis } from './requirements/aegis.ts'
import { fullsend } from './requirements/fullsend.ts'
import { pitfalls } from './requirements/pitfalls.ts'
import { promises } from './requirements/promises.ts'
import { promptise } from './requirements/promptise.ts'
import { roleOs } from './requirements/role-os.ts'
import { shell } from './requirements/shell.ts'
import { signet } from './requirements/signet.ts'
import { threats } from './requirements/threats.ts'

export interface Requirement {
  /** Stable id; single cases of a row carry a letter when cited (`ROS-1b`). */
  readonly id: string
  readonly text: string
}

/** Every requirement, in the order of the documents. */
export const requirements: readonly Requirement[] = [
  ...signet,
  ...roleOs,
  ...fullsend,
  ...shell,
  ...aegis,
  ...promptise,
  ...promises,
  ...threats,
  ...pitfalls,
]
