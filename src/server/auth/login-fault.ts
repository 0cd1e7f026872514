/** Why a login did not come about; for the operator and for the person alike, so it names no secret. */
export class LoginFault extends Error {
  override readonly name = 'LoginFault'
}
