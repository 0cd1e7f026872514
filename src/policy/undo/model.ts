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
}
