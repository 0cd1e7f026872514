import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { databaseGoal } from '../data/database-tasks.ts'
import { byName, does, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { installsNamed, LISTS } from './packages.ts'

/** Build tools of the Java world: Maven, Gradle, sbt, and their wrappers in the workspace. Goals are operands, any number of them. */

/** What a goal or task does by its name. */
type Kind = 'publish' | 'release' | 'test' | 'clean' | 'read' | 'run' | 'build'

const PUBLISHING = list(
  'deploy publish publishAllPublicationsToMavenCentralRepository publishToMavenCentral publishSigned uploadArchives ' +
    'publishPlugins bintrayUpload artifactoryPublish closeAndReleaseRepository releaseRepository',
)
const LOCAL = list('publishToMavenLocal publishLocal publishM2 install')

/** What a goal does by its name; the first row that holds. */
const GOALS: readonly (readonly [kind: Kind, name: RegExp])[] = [
  ['publish', /^publish(?!.*Local)|^publish.*Repository$/],
  ['clean', /^clean(?:All)?$/],
  ['test', /^(?:test|check|verify|integrationTest|connectedCheck|it)$|Test$/],
  ['read', /^(?:tasks|projects|dependencies|properties|help|tree|effective-pom|effective-settings)$/],
  ['read', /^(?:analyze|evaluate|describe|dependencyInsight|show|inspect)$/],
  ['run', /^(?:run|bootRun|exec|java)$/],
]

function goalKind(goal: string): Kind {
  const name = goal.slice(goal.lastIndexOf(':') + 1)
  if (LOCAL.includes(name)) return 'build'
  if (goal.includes('release:') && (name === 'perform' || name === 'prepare')) return 'release'
  if (PUBLISHING.includes(name) || goal.includes('deploy:deploy')) return 'publish'
  return GOALS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'build'
}

const ACTIONS: Readonly<Record<'test' | 'run' | 'build', string>> = { test: 'dev:test', run: 'dev:run', build: 'dev:build' }

function goal(name: string, parsed: ParsedCommand, context: CommandContext): void {
  if (databaseGoal(name, context, parsed.invocation.name)) return
  const kind = goalKind(name)
  const tool = parsed.invocation.name
  if (kind === 'publish' || kind === 'release') {
    context.emit('publish', context.thing('package', '.'), { action: 'maven:publish', attributes: { goal: name, tool } })
    if (kind === 'publish') return
    const attributes = { by: name, remote: 'origin' }
    context.emit('publish', context.thing('repository', 'origin'), { action: 'git:push', certainty: 'likely', attributes })
  } else if (kind === 'clean') context.emit('delete', context.thing('resource', 'build output'), { action: 'dev:clean', reversible: true })
  else if (kind === 'read') context.emit('read', context.thing('program', name), { action: 'pkg:read' })
  else context.emit('execute', context.thing('program', name), { action: ACTIONS[kind], attributes: { tool } })
}

/** `mvn exec:exec -Dexec.executable=program -Dexec.args='…'`. */
function runsProgram(parsed: ParsedCommand, context: CommandContext): void {
  const settings = new Map(
    parsed.values('-D', '--define').map(({ text }) => {
      const at = (text ?? '').indexOf('=')
      return [(text ?? '').slice(0, at), (text ?? '').slice(at + 1)] as const
    }),
  )
  const program = settings.get('exec.executable')
  const [word] = parsed.operands
  if (program !== undefined && word !== undefined)
    context.shell(
      `${program} ${settings.get('exec.args') ?? settings.get('exec.commandlineArgs') ?? ''}`.trim(),
      word.span,
      parsed.invocation.name,
    )
}

function goals(parsed: ParsedCommand, context: CommandContext): void {
  const dry = parsed.flag('-m', '--dry-run')
  for (const word of parsed.operands) {
    if (word.text === null) context.opaque(`a goal of \`${parsed.invocation.name}\` is not known before it runs`, word.span)
    else if (!dry) goal(nameOf(word), parsed, context)
  }
  runsProgram(parsed, context)
  if (parsed.operands.length === 0 || dry)
    context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:build' })
  for (const word of parsed.values('-I', '--init-script', '-b', '--build-file')) {
    context.emit('execute', context.path(word), { action: 'dev:build-script', attributes: { file: known(word) } })
  }
}

const MAVEN = refined(goals, {
  flags: list(
    '-B --batch-mode -q --quiet -X --debug -e --errors -o --offline -U --update-snapshots -N --non-recursive -am ' +
      '--also-make -amd --also-make-dependents -fae -ff -fn -nsu -ntp --no-transfer-progress -V --show-version -C -c -llr',
  ),
  options: {
    ...takes('-P --activate-profiles -pl --projects -rf --resume-from -T --threads -D --define -l -b --builder --color -t'),
    ...takes('-s --settings -gs --global-settings', 'read'),
    ...takes('-f --file', 'steps'),
  },
  inert: list('--help -h -v --version'),
})

const GRADLE = refined(goals, {
  flags: list(
    '-q --quiet -i --info -d --debug -s --stacktrace -S --offline --continue --parallel --no-parallel --daemon --no-daemon ' +
      '--build-cache --no-build-cache --rerun-tasks --refresh-dependencies --scan --no-scan --configure-on-demand --status ' +
      '--stop -m --dry-run --continuous -t --foreground -a --no-rebuild --configuration-cache --no-configuration-cache ' +
      '--write-locks --info -w',
  ),
  options: takes(
    '-P --project-prop -D --system-prop -p --project-dir -g --gradle-user-home -x --exclude-task -b --build-file -c ' +
      '--settings-file -I --init-script --tests --console --max-workers --warning-mode --include-build --project-cache-dir ' +
      '--configuration --dependency',
  ),
  inert: list('--help -h -? -v --version'),
})

const SBT = refined(
  (parsed, context) => {
    for (const word of parsed.operands) {
      if (word.text === null) context.opaque('an sbt command is not known before it runs', word.span)
      else
        for (const part of word.text.split(';'))
          if (part.trim() !== '') goal((part.trim().split(' ')[0] ?? '').replace('/', ':'), parsed, context)
    }
    if (parsed.operands.length === 0) context.emit('execute', context.thing('program', 'sbt'), { action: 'dev:build' })
  },
  {
    flags: list('-v -d --batch -batch -no-colors --no-colors --client'),
    options: takes('-J -D --sbt-dir --sbt-boot -mem'),
    inert: ['--help', '-h', '--version'],
  },
)

const SDKMAN = tool('sdk', {
  subcommands: byName({
    'install i upgrade u selfupdate': installsNamed('sdkman', 'sdk'),
    'uninstall rm flush': does({ verb: 'change', action: 'pkg:remove', kind: 'package', at: 0, value: 'sdk' }),
    'list ls current c home env use default': LISTS,
  }),
})

const JAR: CommandSpec = {
  refine: (parsed, context) => {
    const file = parsed.value('-f', '--file') ?? parsed.operands[0] ?? null
    if (file !== null)
      context.emit(parsed.flag('-c', '--create', '-u', '--update') ? 'write' : 'read', context.path(file), { action: 'dev:archive' })
  },
  flags: list('-c --create -t --list -x --extract -u --update -v --verbose -0 -M'),
  options: takes('-f --file -C -e --main-class -m --manifest'),
  inert: ['--help', '--version'],
}

export const jvm: CommandTable = byName({
  'mvn mvnw mvnd': MAVEN,
  'gradle gradlew': GRADLE,
  'sbt sbtn': SBT,
  sdk: SDKMAN,
  jar: JAR,
})
