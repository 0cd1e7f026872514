import type { CommandTable } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, list, runsLine, takes } from '../tool.ts'
import { runEscapes } from '../unknown/code.ts'

/** Programs without an effect of their own: they compute, wait, or tell about this machine. Their operands are data. */

export const quiet: CommandTable = byName({
  'echo printf true false yes seq sleep usleep expr factor bc test [ [[ let : tr numfmt units cal ncal': {},
  'which whereis type apropos whatis info tldr cheat help': {},
  'locate mlocate plocate mdfind': {
    flags: list('-i -c -b -w -e -r -q -0 --regex --basename --count --existing --ignore-case -live -literal -interpret'),
    options: takes('-n -l -d --limit --database -onlyin -name -attr'),
    singleDashLong: true,
    refine: (parsed, context) => {
      const sought = [...parsed.operands, ...parsed.values('-name')].flatMap(({ text }) => (text === null ? [] : [text]))
      if (sought.length === 0) return
      const root = parsed.value('-onlyin') ?? knownWord('/', parsed.invocation.span)
      readPath(context, root, { action: 'fs:list', attributes: { recursive: true, named: sought.slice(0, 16) } })
    },
  },
  'pwd tty stty tput clear reset cls resize lolcat figlet toilet fortune banner screenfetch': {},
  'locale timezone getconf ulimit uuidgen pwgen mcookie': {},
  neofetch: { options: takes('--config', 'load') },
  fastfetch: {
    options: { ...takes('-c --config', 'steps'), ...takes('-l --logo --file --raw --source', 'read') },
    inert: ['-h', '--help'],
  },
  // `!command` at the start of a line goes to a shell.
  dc: {
    options: { ...takes('-e --expression'), ...takes('-f --file', 'read') },
    refine: (parsed, context) => {
      const { input } = parsed.invocation
      for (const word of parsed.values('-e', '--expression')) runEscapes(word, context)
      if (input.kind === 'text' && input.text !== null) runEscapes(knownWord(input.text, input.span), context)
    },
  },
  peco: { options: takes('--exec', 'program') },
  gum: {
    stopAtOperand: true,
    operands: ['data'],
    subcommands: {
      spin: runsLine({
        flags: '--show-output --show-error --show-stdout --show-stderr',
        valued: '-s --spinner --title -a --align --timeout --padding',
      }),
    },
  },
  'percol pv pastel tokei cloc scc': {},
  // Books in plain text are only looked at.
  'ledger hledger bean-check bean-query bean-report bean-format': { options: takes('-f --file', 'read') },
  'sync wait times bg fg disown suspend shopt getopts getopt hash enable bind complete compgen compopt dirs': {},
  'alias unalias local readonly shift exit return break continue trap read readarray mapfile declare typeset export set': {},
  // What pagers and editors are set to.
  'col colcrt ul': {},
  'diff-so-fancy ydiff riff ov moar moor batpipe lesspipe lesspipe.sh lessfilter src-hilite-lesspipe.sh': { operands: ['read'] },
  'difftastic meld kdiff3 p4merge xxdiff tkdiff opendiff smerge vd pspg tig nvr mvim': { operands: ['read'] },
  'xrandr xset xdpyinfo xprop xwininfo wmctrl setxkbmap fc-list fc-cache fc-match amixer pactl playerctl brightnessctl': {},
  'shellcheck jsonlint yamllint hadolint actionlint markdownlint': { operands: ['read'] },
})
