import type { CommandContext, ParsedCommand } from '../../host.ts'
import { leadsAway } from '../../resources/environment/endpoints.ts'
import { managerOf } from '../../resources/environment/managers.ts'
import { textOf } from '../../resources/file-text.ts'
import { knownWord } from '../../resources/text/word.ts'

/** Where the packages that a manifest names come from, when that is another server than the registry. */

/** By the manifest: files of settings that a package manager reads where it runs. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['.npmrc', '.yarnrc.yml', '.yarnrc', 'bunfig.toml'],
  'requirements.txt': ['uv.toml', 'pyproject.toml'],
  'Cargo.toml': ['.cargo/config.toml'],
  '*.csproj': ['nuget.config'],
}
const LONGEST = 16_384

interface Installing {
  readonly manager: string
  readonly manifest: string
  readonly index?: readonly string[]
  readonly indexVariables?: readonly string[]
}

/** By an option, and by settings that this session wrote; a variable is judged where it is set, settings of the project are the project's. */
export function leadAway(parsed: ParsedCommand, context: CommandContext, options: Installing): void {
  const word = parsed.value(...(options.index ?? []))
  const away = word?.text == null ? null : leadsAway(options.indexVariables?.[0] ?? '', word.text)
  if (word !== null && away !== null) {
    context.emit('change', context.url(word), { action: 'net:redirect', span: word.span, attributes: { service: away.service } })
  }
  const { span } = parsed.invocation
  for (const name of context.cwd === null ? [] : (SETTINGS[options.manifest] ?? [])) {
    const path = `${context.cwd}/${name}`
    const file = knownWord(path, span)
    if (context.ofProject(path) && context.written(file) === null) continue
    const lines = managerOf(path)?.(textOf(file, context, LONGEST) ?? '') ?? []
    context.within({ attributes: {}, remote: false, files: [path] }, (inner) => {
      for (const line of lines) inner.shell(line, span, options.manager)
    })
  }
}
