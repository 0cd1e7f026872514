/** How much of a name of a tool or a field is remembered. */
export const MAX_NAME = 40
