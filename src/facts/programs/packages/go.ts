import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { ranUnread } from '../loads.ts'
import { byName, does, list, nameOf, takes, tool } from '../tool.ts'
import { BUILDS, CONFIGURES, installs, LISTS } from './packages.ts'

/** The go tool and what is usually installed beside it. */

const GRAMMAR: CommandSpec = {
  singleDashLong: true,
  flags: list(
    '-a -n -v -x -race -msan -asan -cover -work -trimpath -short -failfast -json -bench-mem -benchmem -i -u -t -f -m -e ' +
      '-deps -test -find -versions -all -cmd -s -fix -diff -mod-cache -cache -modcache -testcache -fuzzcache -w -d ' +
      '-asmflags-all',
  ),
  options: takes(
    '-C -p -asmflags -buildmode -buildvcs -compiler -gccgoflags -gcflags -installsuffix -ldflags -mod -modfile -overlay ' +
      '-pgo -pkgdir -tags -run -bench -benchtime -count -cpu -parallel -timeout -list -shuffle -skip -vet -covermode ' +
      '-coverpkg -fuzz -fuzztime -reuse -go -compat -require -droprequire -replace -dropreplace -exclude -dropexclude -module ' +
      '-tool -vettool -memprofilerate',
  ),
}

/** `-exec` and `-toolexec` name a program that the go tool runs; outputs are written. */
function programs(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-exec', '-toolexec', '-vettool')) context.shell(word.text, word.span, 'go')
}

function goSpec(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    flags: [...(spec.flags ?? []), ...(GRAMMAR.flags ?? [])],
    options: {
      ...GRAMMAR.options,
      ...takes('-exec -toolexec'),
      ...takes('-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir', 'write'),
      ...spec.options,
    },
    singleDashLong: true,
    refine: (parsed, context) => {
      spec.refine?.(parsed, context)
      programs(parsed, context)
    },
  }
}

function run(parsed: ParsedCommand, context: CommandContext): void {
  const first = parsed.operands[0]
  const name = first === undefined ? '.' : nameOf(first)
  if (first?.text === null && !/^\.{0,2}\//.test(first.prefix))
    context.opaque('which program `go` runs is not known before it runs', first.span)
  const remote = name.includes('@') && !name.startsWith('.') && !name.startsWith('/')
  const file = first !== undefined && name.endsWith('.go') ? ({ ...context.path(first), kind: 'script' } as const) : null
  const shared = file?.scope === 'temporary' || file?.scope === 'device'
  if (first !== undefined && shared && context.written(first) === null) ranUnread(first, context)
  context.emit('execute', file ?? context.thing(remote ? 'package' : 'program', name), { action: remote ? 'pkg:run' : 'dev:run' })
}

/** `-replace old=new`: another module in the place of a known one, unless it lies here. */
const MOD_EDIT = goSpec({
  ...BUILDS,
  options: takes('-replace -require -dropreplace -droprequire -exclude -retract -go -toolchain -module -tool'),
  refine: (parsed, context) => {
    context.emit('execute', context.thing('package', '.'), { action: 'dev:build' })
    for (const word of parsed.values('-replace')) {
      const into = nameOf(word).slice(nameOf(word).indexOf('=') + 1)
      if (!/^(?:\.{0,2}\/|[A-Za-z]:)/.test(into))
        context.emit('change', context.thing('package', into), { action: 'pkg:config', span: word.span })
    }
  },
})

const GO_INSTALL = goSpec(installs({ manager: 'go', manifest: 'go.mod', slashIsGit: false, indexVariables: ['GOPROXY'] }))

const go = tool('go', {
  subcommands: byName({
    'build generate fix vet': goSpec(BUILDS),
    fmt: goSpec(BUILDS),
    test: goSpec(does({ verb: 'execute', action: 'dev:test', kind: 'program', value: 'go test' })),
    run: goSpec({ stopAtOperand: true, refine: run }),
    'install get': GO_INSTALL,
    mod: {
      subcommands: byName({
        'download tidy vendor': goSpec(installs({ manager: 'go', manifest: 'go.mod', verb: 'download' })),
        init: goSpec(BUILDS),
        edit: MOD_EDIT,
        'graph verify why': goSpec(LISTS),
      }),
    },
    work: { subcommands: byName({ 'init use sync edit vendor': goSpec(BUILDS) }) },
    'list doc version bug': goSpec(LISTS),
    env: goSpec({
      operands: ['data'],
      refine: (parsed, context) => {
        const writes = parsed.flag('-w', '-u')
        if (!writes)
          context.emit('read', context.thing('variable', nameOf(parsed.operands[0] ?? parsed.invocation.program)), { action: 'pkg:read' })
        else for (const word of parsed.operands) context.emit('change', context.thing('variable', nameOf(word)), { action: 'pkg:config' })
      },
    }),
    clean: goSpec(does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' })),
    tool: goSpec({ ...BUILDS, stopAtOperand: true }),
    telemetry: goSpec(CONFIGURES),
  }),
})

const FORMATTER: CommandSpec = {
  singleDashLong: true,
  flags: list('-l -d -e -s -w -v'),
  options: takes('-r -local -cpuprofile'),
  refine: (parsed, context) => {
    for (const word of parsed.operands) context.emit(parsed.flag('-w') ? 'write' : 'read', context.path(word), { action: 'dev:format' })
  },
}

export const golang: CommandTable = byName({
  go,
  'gofmt goimports gofumpt': FORMATTER,
  'golint staticcheck golangci-lint govulncheck': does(
    { verb: 'execute', action: 'dev:lint', kind: 'program' },
    { inert: ['--help', '--version'] },
  ),
  'dlv delve': does({ verb: 'execute', action: 'dev:debug', kind: 'program' }, { inert: ['--help'] }),
})
