import type { CommandTable } from '../spec.ts'
import { git } from './git.ts'

/** Families of development and operations tools; the system's own programs are listed in index.ts. */
export const TOOLS: readonly CommandTable[] = [git]
