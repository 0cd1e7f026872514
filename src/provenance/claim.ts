/** Fields in which anybody can write any address: who a message says that it is from. A name in a chat is that of a member. Pure. */
const CLAIMS = /^(?:sender|from|from_\w+|reply_?to|return_path|author|submitted_by|name_of_sender)$/

/** @param field the whole way to the value, such as `messages.sender`. */
export function isClaimed(field: string, value: string): boolean {
  return value.includes('@') && CLAIMS.test(field.slice(field.lastIndexOf('.') + 1).toLowerCase())
}
