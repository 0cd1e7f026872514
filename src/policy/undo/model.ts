/** The compiled `undo` section. */
export interface UndoSection {
  /** Milliseconds that a capture is kept. */
  readonly keepMs: number
  /** Files of one call that are captured, and their bytes. */
  readonly maxFiles: number
  readonly maxBytes: number
  /** Bytes of all captures together; the oldest go first. */
  readonly totalBytes: number
  /** What a call gets whose capture failed. */
  readonly onFailure: 'pass' | 'deny'
  /** True: an act that cannot be undone and has no compensator is asked about. */
  readonly requireWayBack: boolean
  /** Databases that are dumped before calls change them. */
  readonly databases: readonly DatabaseSection[]
}

export interface DatabaseSection {
  readonly name: string
  readonly engine: 'postgres' | 'mysql' | 'mongodb' | 'redis'
  /** Variable with its address. */
  readonly urlEnv: string
  /** Names under which calls know it; `*` stands for any run of characters. */
  readonly names: readonly string[]
  /** Names of the server under which calls reach it; so too. */
  readonly hosts: readonly string[]
  /** How long a dump may take. */
  readonly timeoutMs: number
}
