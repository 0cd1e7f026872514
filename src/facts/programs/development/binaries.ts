import type { CommandContext, CommandSpec, CommandTable, Word } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Programs that change other programs in place: what a loader runs first, which libraries it takes, what is signed. They write
 * the file they are given, unless an option or a second operand names another.
 */

interface Changing {
  readonly flags?: string
  readonly valued?: string
  /** Options that name the file to write instead. */
  readonly output?: string
  /** With one of these it only looks. */
  readonly looks?: string
  /** A second operand is the file to write (`objcopy in out`). */
  readonly second?: boolean
}

function changing({ flags = '', valued = '', output = '', looks = '', second = false }: Changing): CommandSpec {
  const looking = list(looks)
  return {
    flags: [...list(flags), ...looking],
    options: { ...takes(valued), ...takes(output, 'write') },
    singleDashLong: true,
    operands: [],
    inert: ['--help', '--version', '-h', '-V'],
    refine: (parsed, context) => {
      const only = looking.length > 0 && parsed.flag(...looking)
      const other = output !== '' && parsed.value(...list(output)) !== null
      const [first, into] = parsed.operands
      if (second && first !== undefined && into !== undefined) {
        readPath(context, first)
        writePath(context, into, { action: 'dev:patch-binary' })
      } else for (const word of parsed.operands) only || other ? readPath(context, word) : change(word, context)
    },
  }
}

/** Read and put back changed. */
function change(word: Word, context: CommandContext): void {
  readPath(context, word)
  writePath(context, word, { action: 'dev:patch-binary' })
}

/** `upx` packs in place, `-o` elsewhere; `-t` and `-l` look. */
const upx = changing({ flags: '-1 -2 -3 -4 -5 -6 -7 -8 -9 -d -q -f -k --best --brute --ultra-brute', output: '-o', looks: '-t -l' })

const STRIP = '-g -S -s -d -x -X -D -U -p -v -u -n -w --strip-all --strip-debug --strip-unneeded --preserve-dates --only-keep-debug'

export const binaries: CommandTable = byName({
  patchelf: changing({
    flags: '--shrink-rpath --remove-rpath --force-rpath --no-default-lib --add-debug-tag --clear-symbol-version --no-sort --debug',
    valued:
      '--set-interpreter --page-size --set-soname --set-rpath --add-rpath --allowed-rpath-prefixes --add-needed ' +
      '--remove-needed --replace-needed --set-os-abi --rename-dynamic-symbols',
    output: '--output',
    looks: '--print-interpreter --print-rpath --print-soname --print-needed --print-os-abi --print-execstack',
  }),
  chrpath: changing({ flags: '-c -d -k --convert --delete --keepgoing', valued: '-r --replace', looks: '-l --list' }),
  elfedit: changing({ valued: '--input-mach --output-mach --input-type --output-type --input-osabi --output-osabi' }),
  'strip llvm-strip eu-strip sstrip': changing({
    flags: STRIP,
    valued: '-K -N -R -F -I -O --keep-symbol --remove-section',
    output: '-o -f',
  }),
  'objcopy llvm-objcopy gobjcopy': changing({
    flags: `${STRIP} --compress-debug-sections --decompress-debug-sections --weaken --localize-hidden`,
    valued:
      '-I -O -F -B -j -R -K -N -L -G -W --input-target --output-target --binary-architecture --only-section --remove-section ' +
      '--add-section --update-section --dump-section --set-section-flags --add-symbol --rename-section --redefine-sym ' +
      '--change-addresses --set-start --add-gnu-debuglink --pad-to --gap-fill --strip-symbol --strip-symbols ' +
      '--strip-unneeded-symbol --strip-unneeded-symbols --redefine-syms --keep-symbol --keep-symbols --keep-section ' +
      '--globalize-symbol --globalize-symbols --localize-symbol --localize-symbols --keep-global-symbol --keep-global-symbols ' +
      '--weaken-symbol --weaken-symbols --change-section-address --change-section-lma --change-section-vma --change-start ' +
      '--adjust-start --adjust-vma --alt-machine-code --prefix-symbols --prefix-sections --prefix-alloc-sections ' +
      '--set-section-alignment --split-dwo --image-base --subsystem --verilog-data-width --reverse-bytes --byte ' +
      '--interleave-width --section-alignment --file-alignment --stack --heap',
    second: true,
  }),
  'prelink execstack': changing({ flags: '-a -u -f -m -R -v -c -s', looks: '-p -q -y --verify' }),
  upx,
  vtool: changing({ valued: '-arch -set-source-version', output: '-output -o', looks: '-show -show-build -show-source' }),
  'ldid jtool2': changing({ flags: '-S -M -w', valued: '-K -I', looks: '-h -e -d' }),
  ranlib: changing({ flags: '-D -U -t' }),
})
