/** What a call would have a shell or an interpreter run, as words for a program. Pure. */
import type { ToolCall } from '../core/call.ts'
import { own } from '../core/json.ts'
import { runsCommands } from '../facts/tools/index.ts'

export interface PreviewCommand {
  readonly words: readonly string[]
  /** The text itself, for showing. */
  readonly text: string
}

const LINES = ['command', 'cmd', 'CommandLine', 'commandLine', 'command_line']
const CODE = ['code', 'script', 'source']

/** Null where the tool is not known to run commands, or the call does not give one in a form that is known. */
export function commandOf({ tool, args }: ToolCall): PreviewCommand | null {
  const name = tool.server === null ? tool.name : `${tool.server}/${tool.name}`
  if (runsCommands(name) !== true || /powershell|applescript/i.test(tool.name)) return null
  for (const key of LINES) {
    const value = own(args, key)
    if (typeof value === 'string') return { words: ['/bin/bash', '-c', value], text: value }
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return { words: value.map(String), text: value.join(' ') }
  }
  const code = CODE.map((key) => own(args, key)).find((value) => typeof value === 'string')
  if (typeof code !== 'string') return null
  if (/python|jupyter|ipython/i.test(name)) return { words: ['python3', '-c', code], text: code }
  return /javascript|node|js\b/i.test(name) ? { words: ['node', '-e', code], text: code } : null
}
