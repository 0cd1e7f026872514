import type { CommandTable } from '../spec.ts'
import { each } from './tool.ts'

/** Programs without an effect of their own: they compute, wait, or tell about this machine. Their operands are data. */

export const quiet: CommandTable = {
  ...each('echo printf true false yes seq sleep usleep expr factor bc dc test [ [[ let : tr numfmt units cal ncal', {}),
  ...each('which whereis type locate mlocate plocate apropos whatis info tldr cheat help', {}),
  ...each('pwd tty stty tput clear reset cls resize lolcat figlet toilet cowsay fortune banner neofetch fastfetch screenfetch', {}),
  ...each('locale timezone getconf ulimit uuidgen pwgen mcookie', {}),
  ...each('peco percol pv gum pastel tokei cloc scc', {}),
  ...each('sync wait times bg fg disown suspend shopt getopts getopt hash enable bind complete compgen compopt dirs', {}),
  ...each('alias unalias local readonly shift exit return break continue trap read readarray mapfile declare typeset export set', {}),
  // What pagers and editors are set to.
  ...each('col colcrt ul', {}),
  ...each('diff-so-fancy ydiff riff ov moar moor batpipe lesspipe lesspipe.sh lessfilter src-hilite-lesspipe.sh', { operands: ['read'] }),
  ...each('difftastic meld kdiff3 p4merge xxdiff tkdiff opendiff smerge vd pspg tig nvr mvim', { operands: ['read'] }),
  ...each('xrandr xset xdpyinfo xprop xwininfo wmctrl setxkbmap fc-list fc-cache fc-match amixer pactl playerctl brightnessctl', {}),
  ...each('shellcheck jsonlint yamllint hadolint actionlint markdownlint', { operands: ['read'] }),
}
