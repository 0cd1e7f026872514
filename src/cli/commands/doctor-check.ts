/** One thing that the doctor looked at. `warn` weakens the gate, `fail` means it is not in force. */
export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
}
