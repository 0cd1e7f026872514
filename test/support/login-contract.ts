/** A contract that knows what a session knows: `cancel` runs for the user whom an earlier `login` returned, and for nobody else. */
export const LOGIN_CONTRACT = `unregistered: allow
contracts:
  state: { user: [{ tools: [login], value: result.id }] }
  tools:
    cancel:
      enforcement: hard
      constraints: [{ kind: known, of: { state: user } }, { kind: cmp, op: eq, left: user, right: { state: user } }]
`
