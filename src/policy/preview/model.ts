/** The compiled `preview` section. */
import type { ToolPattern } from '../glob.ts'
import type { OutcomeSection } from '../outcome/model.ts'
import type { UndoSection } from '../undo/model.ts'

/** What is done before a call runs. Null: the policy has no such section, and nothing is done. */
export interface BeforeSections {
  readonly preview: PreviewSection | null
  readonly undo: UndoSection | null
  /** Holds without a section, too. */
  readonly outcome: OutcomeSection
}

/** Programs that can say themselves what they would do. */
export const DRY_RUN_PROGRAMS = [
  'git',
  'rsync',
  'npm',
  'apt',
  'terraform',
  'kubectl',
  'helm',
  'ansible',
  'alembic',
  'flyway',
  'prisma',
  'drizzle',
  'psql',
  'mysql',
  'sqlite',
] as const
export type DryRunProgram = (typeof DRY_RUN_PROGRAMS)[number]

export interface PreviewSection {
  readonly run: 'asked' | 'always'
  /** Programs whose own dry run may run as it is, outside of the sandbox. */
  readonly dryRuns: readonly DryRunProgram[]
  /** Tools of MCP servers that can only show what they would do. */
  readonly modes: readonly ToolPreviewMode[]
  /** Null: every tool. */
  readonly onlyForTools: readonly ToolPattern[] | null
  /** What a call gets that cannot be tried out; null: nothing. */
  readonly onUnsupported: 'ask' | 'deny' | null
  readonly onFailure: 'ask' | 'deny'
  readonly onExit: 'ask' | 'pass'
  /** Null: no size is too large. */
  readonly askAbove: Readonly<Record<'files' | 'deleted' | 'lines' | 'rows', number | null>>
  /** What is kept of a preview so that an approver can have exactly it made; null: nothing is. */
  readonly apply: ApplySection | null
  readonly limits: {
    readonly timeMs: number
    readonly memoryBytes: number
    readonly outputBytes: number
    readonly spaceBytes: number
    readonly processes: number
  }
}

/** With this value of this argument the tool says what it would do, and does nothing. */
export interface ToolPreviewMode {
  readonly server: string
  readonly tool: string
  readonly argument: string
  readonly value: string | boolean
}

export interface ApplySection {
  /** Names that are created, changed or deleted. */
  readonly maxFiles: number
  readonly maxBytes: number
}
