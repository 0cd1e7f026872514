import type { CommandSpec, CommandTable } from '../../host.ts'
import { byName, list } from '../tool.ts'
import { wrapping } from './words.ts'

/** Terminal windows: what is asked to run in them runs. */

/** A terminal window: what stands after `-e` runs in it, or all that is left. */
function terminal(flag: string, valued: string): CommandSpec {
  return {
    operands: [],
    inert: ['--help', '--version', '-version', '-help'],
    inertFirst: true,
    refine: ({ invocation }, context) => {
      const { args, name } = invocation
      const at = args.findIndex(({ text }) => text !== null && list(flag).includes(text))
      const values = list(valued)
      let start = 0
      while (at < 0 && args[start]?.prefix.startsWith('-') === true) start += values.includes(args[start]?.text ?? '') ? 2 : 1
      const words = at < 0 ? args.slice(start) : args.slice(at + 1)
      const [first] = words
      if (first === undefined) return
      if (words.length === 1 && first.text?.includes(' ') === true) context.shell(first.text, first.span, name)
      else context.command(first.text === '--' ? words.slice(1) : words, name)
    },
  }
}

export const TERMINALS: CommandTable = wrapping(
  byName({
    'xterm urxvt rxvt st uxterm lxterminal mate-terminal xfce4-terminal x-terminal-emulator konsole terminator tilix alacritty ghostty': {
      ...terminal(
        '-e -x --execute --command',
        '-T -title --title -geometry --geometry -fn -fa -fs -name -bg -fg -d --working-directory -t --class --workdir',
      ),
    },
    'kitty foot gnome-terminal': terminal(
      '-e -x --',
      '-T --title -d --directory --working-directory -o --override -c --config -a --app-id --geometry --class --name',
    ),
  }),
  'all',
)
