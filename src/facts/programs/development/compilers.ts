import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { isRiskyValue } from '../../resources/environment/names.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { loadCode, ranUnread } from '../loads.ts'
import { byName, nameOf } from '../tool.ts'
import { type Develops, develops, runsRest } from './develop.ts'

/** Compilers, assemblers and linkers: they read sources and write objects; plug-ins and wrappers are code that runs. */

/** `@file` names a file of further options; `-fplugin=` is a library the compiler loads. */
function extras(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-f')) {
    const text = word.text ?? word.prefix
    const at = /^(?:pass-)?plugin=/.exec(text)?.[0].length ?? 0
    if (at > 0) loadCode(sliceWord(word, at), context)
  }
  const passed = parsed.values('-Xclang')
  for (const [at, word] of passed.entries()) if (passed[at - 1]?.text === '-load') loadCode(word, context)
  // What it starts as its parts.
  for (const { text, prefix, span } of parsed.values('-B')) {
    if (!isRiskyValue(`-B${text ?? prefix}`, 'flags')) continue
    const attributes = { variable: 'COMPILER_PATH', value: text }
    context.emit('change', context.thing('variable', 'COMPILER_PATH'), { action: 'env:inject', span, attributes })
  }
  for (const word of parsed.values('-specs')) ranUnread(word, context)
  const wrapper = parsed.value('-wrapper')
  if (wrapper?.text === null) context.opaque('the wrapper of the compiler is not known before it runs', wrapper.span)
  const words = wrapper?.text?.split(',').map((text) => knownWord(text, wrapper.span)) ?? []
  if (words.length > 0) context.command(words, parsed.invocation.name)
  const response = parsed.operands.filter((word) => word.prefix.startsWith('@'))
  for (const word of response) context.opaque(`further options are in \`${nameOf(sliceWord(word, 1))}\``, word.span)
}

const GCC: Develops = {
  action: 'dev:build',
  flags:
    '-c -S -E -v -w -P -C -CC -Q -M -MM -MD -MMD -MP -MG -shared -static -pthread -pipe -save-temps -ansi -pedantic ' +
    '-nostdlib -nostdinc -nodefaultlibs -rdynamic -pie -no-pie -pg -g -print-search-dirs',
  valued:
    '-I -L -l -D -U -x -u -z -isystem -iquote -idirafter -isysroot -arch -framework -F -target --target -Xlinker -Xclang ' +
    '-Xpreprocessor -Xassembler -MT -MQ -B --param -install_name -wrapper -specs',
  attached: '-f -W -O -m -s -n -p -r -d -t -i',
  reads: '-include -imacros -T',
  writes: '-o -MF -dumpdir',
  inert: '--help --version -dumpversion -dumpmachine -fsyntax-only',
  singleDashLong: true,
  more: (parsed, context) => {
    extras(parsed, context)
    const stops = parsed.flag('-c', '-S', '-E', '-M', '-MM') || parsed.value('-o') !== null || parsed.operands.length === 0
    if (!stops)
      context.emit('write', context.path({ ...parsed.invocation.program, text: 'a.out', prefix: 'a.out' }), { certainty: 'likely' })
  },
}
const gcc = develops(GCC)

const LINKER: Develops = {
  action: 'dev:build',
  flags: '-r -s -S -x -X -v -V -t -E -n -N -q -shared -static -pie -dylib -dynamic --gc-sections',
  valued: '-l -L -m -e -u -z -b -h -R -rpath -soname -arch -dynamic-linker -F -framework --defsym',
  attached: '-O',
  reads: '-T --script --version-script',
  writes: '-o --output -Map',
  singleDashLong: true,
  output: 'a.out',
}

/** A program that turns sources into one output. */
function compiler(about: Partial<Develops>): CommandSpec {
  return develops({ action: 'dev:build', writes: '-o --output', ...about })
}

const javac = compiler({
  flags: '-g -nowarn -verbose -deprecation -parameters -Werror -implicit:none --enable-preview',
  valued: '-cp -classpath --class-path --module-path -p -source -target --release -encoding -A -J -Xlint -proc -processor -sourcepath',
  loads: '-processorpath --processor-path',
  writes: '-d -s -h',
  inert: '-help --help -version --version',
  singleDashLong: true,
})

const rustc = compiler({
  flags: '-g -O -v --test --verbose',
  valued:
    '--crate-type --crate-name --edition --emit --print --target --cfg --cap-lints -L -l -C -W -A -D -F -Z --codegen --error-format --color --extern',
  writes: '-o --out-dir',
  inert: '--help -h --version -V',
})

const tsc = develops({
  action: 'dev:build',
  flags:
    '--noEmit --strict --watch -w --build -b --listFiles --skipLibCheck --declaration -d --sourceMap --pretty --incremental ' +
    '--force -f --verbose -v --dry --clean --emitDeclarationOnly --allowJs --checkJs --noEmitOnError --esModuleInterop',
  valued: '--target -t --module -m --moduleResolution --lib --jsx --types --typeRoots --rootDir --baseUrl --paths',
  reads: '-p --project',
  writes: '--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace',
  inert: '--help -h --version -v --showConfig --listFilesOnly --dry',
  more: (parsed, context) => {
    if (!parsed.flag('--clean')) return
    const output = context.path({ ...parsed.invocation.program, text: '.', prefix: '.' })
    context.emit('change', output, { action: 'dev:clean' })
  },
})

const swiftc = compiler({
  flags: '-O -Onone -g -v -emit-library -emit-executable -emit-module -parse-as-library -static -whole-module-optimization -typecheck',
  valued: '-target -sdk -module-name -swift-version -I -L -l -F -framework -Xcc -Xlinker -Xfrontend -D -j',
  loads: '-load-plugin-library -load-plugin-executable',
  writes: '-o -emit-module-path -output-file-map',
  inert: '--help -help -h --version -version',
  singleDashLong: true,
})

const ghc = compiler({
  flags: '-c -v -w -O -O1 -O2 -Wall -threaded -static -dynamic -prof -fforce-recomp --make -no-link -shared -XGHC2021',
  valued: '-package -package-id -hide-package -main-is -optc -optl -pgmF -package-db',
  attached: '-X -W -f -d -r -t -i -I -L -l -D -j',
  loads: '-fplugin -plugin-package',
  writes: '-o -odir -hidir -outputdir -dumpdir',
  inert: '--help -? --version -V --numeric-version --info',
  singleDashLong: true,
  more: (parsed, context) => {
    const code = parsed.invocation.args.findIndex((word) => word.text === '-e')
    const word = parsed.invocation.args[code + 1]
    if (code >= 0 && word !== undefined) context.code('haskell', word.text, word.span)
  },
})

/** Looks into objects and libraries, and writes nothing. */
const inspects = (valued: string): CommandSpec => ({
  options: { ...Object.fromEntries(valued.split(' ').map((name) => [name, 'data' as const])) },
  operands: ['read'],
  inert: ['--help', '--version'],
})

/** `ar rcs lib.a x.o`: letters first, then the archive; `t` and `p` only look. */
const ar: CommandSpec = {
  inert: ['--help', '--version', '-V'],
  operands: [],
  refine: ({ operands: [first, ...others], unknown }, context) => {
    const letters = unknown[0]?.text?.slice(1) ?? first?.text ?? 'r'
    const [archive, ...members] = unknown.length > 0 && first !== undefined ? [first, ...others] : others
    if (archive === undefined) return
    const looks = /^[a-zA-Z]+$/.test(letters) && /[tp]/.test(letters) && !/[rqmdsx]/.test(letters)
    context.emit(looks || letters.includes('x') ? 'read' : 'write', context.path(archive), { action: 'dev:archive', span: archive.span })
    if (/[rq]/.test(letters)) for (const word of members) readPath(context, word)
  },
}

/** `strip x` rewrites, `strip -o y x` and `objcopy x y` write the other file. */
const INPLACE: Develops = {
  action: 'dev:build',
  operands: 'data',
  valued: '-K -N -R -j --keep-symbol --strip-symbol -F -O -I --output-target --set-rpath --add-needed --set-interpreter --replace-needed',
  writes: '-o --output',
  more: (parsed, context) => {
    const { operands, invocation } = parsed
    const elsewhere = parsed.value('-o', '--output') !== null
    const two = invocation.name === 'objcopy' && operands.length > 1
    for (const [index, word] of operands.entries()) {
      if (elsewhere || (two && index === 0)) readPath(context, word)
      else writePath(context, word)
    }
  },
}

export const compilers: CommandTable = byName({
  'gcc g++ cc c++ clang clang++ cpp gfortran flang gdc c89 c99 tcc icc icx ifort emcc em++ nvcc hipcc zapcc musl-gcc': gcc,
  'x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-none-eabi-gcc x86_64-w64-mingw32-gcc riscv64-unknown-elf-gcc': gcc,
  'ld ld.lld ld.gold lld gold mold': develops(LINKER),
  'as gas nasm yasm fasm': compiler({ valued: '-f -I -D -g -march --defsym -l', flags: '-W -w -g' }),
  javac,
  'kotlinc kotlinc-jvm scalac scala3c groovyc': compiler({
    valued: '-cp -classpath -jvm-target -e -expression',
    writes: '-d',
    flags: '-include-runtime -nowarn -script',
    loads: '-Xplugin',
    more: (parsed, context) => {
      for (const word of parsed.values('-e', '-expression')) context.opaque('an expression of the language is not read here', word.span)
    },
    singleDashLong: true,
    inert: '-help --help -version',
  }),
  rustc,
  'tsc tsgo vue-tsc svelte-check': tsc,
  swiftc: swiftc,
  ghc: ghc,
  'ocamlc ocamlopt ocamlfind': compiler({
    flags: '-c -a -linkpkg -g -thread -shared',
    valued: '-package -I -w -cclib -ccopt -pp',
    loads: '-ppx',
    singleDashLong: true,
    inert: '-help --help -version -vnum',
  }),
  'dmd ldc2 gdmd ldmd2': compiler({
    flags: '-c -O -g -release -unittest -main',
    attached: '-I -J -L',
    singleDashLong: true,
    inert: '--help -h --version',
  }),
  'csc mcs fsc fsharpc vbc': compiler({ attached: '-out -target -reference -r -t', singleDashLong: true }),
  'fpc gprbuild gnatmake cobc gprclean': compiler({ flags: '-x -c -O -g -q -v', valued: '-P -I', inert: '--help -h --version' }),
  'solc vyper': compiler({
    flags: '--abi --bin --optimize --overwrite',
    valued: '--base-path --include-path --optimize-runs --evm-version',
    writes: '-o --output-dir',
  }),
  'elixirc erlc': compiler({ flags: '-W -v', valued: '-I -D -pa -pz', inert: '--help -v' }),
  'valac haxe coffee purs idris2 agda coqc rescript': compiler({ valued: '--pkg -I -Q -R --main', flags: '-c -p -w' }),
  'verilator iverilog ghdl vvp yosys': compiler({
    flags: '-a -e -r --cc --binary --build --lint-only -Wall -q',
    valued: '-I -D -s -g --top-module -p --Mdir',
  }),
  'wat2wasm wasm2wat wasm-opt wasm-ld wasm-bindgen': compiler({ writes: '-o --output --out-dir --out-name' }),
  protoc: compiler({
    flags: '--experimental_allow_proto3_optional --include_imports --include_source_info',
    valued: '-I --proto_path',
    loads: '--plugin',
    writes:
      '-o --descriptor_set_out --python_out --cpp_out --java_out --go_out --go-grpc_out --js_out --ts_out --csharp_out ' +
      '--ruby_out --php_out --grpc_python_out --pyi_out --kotlin_out --rust_out --dart_out',
  }),
  'thrift flatc capnp': compiler({ flags: '-r --gen-all -c -p -n -j', valued: '--gen -I --plugin', writes: '-o -out' }),
  'c++filt addr2line dwarfdump javap llvm-objdump llvm-nm': inspects('-j -M --start-address --stop-address -arch -m -cp -classpath -t -e'),
  'llvm-ar gcc-ar': ar,
  dsymutil: develops(INPLACE),
  'ccache sccache distcc icecc buildcache': runsRest('-s -z -C -c', '-M -F -k -o'),
  'bear scan-build intercept-build': runsRest('-v -V --append -a', '--output -o --config --use-analyzer --use-cc --use-c++'),
})
