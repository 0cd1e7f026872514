/** How much of a name of a tool or a field is remembered. */
export const MAX_NAME = 40

/** The tool by whose name a session knows a prompt that another agent wrote. */
export const HANDED_ON = 'another_agent'
