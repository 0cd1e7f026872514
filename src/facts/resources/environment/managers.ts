/**
 * Settings of package managers and build tools that stand in the project: who they ask for packages, what they run first, and whether
 * they look at certificates. Each is said as the variable that means the same, so that both are judged alike.
 */
import { shellWords } from '../text/quote.ts'

interface Setting {
  /** The key is the first group, or the second where there are two; the value is the last. */
  readonly line: RegExp
  readonly variable: string
}

interface Manager {
  readonly file: RegExp
  readonly settings: readonly Setting[]
}

/** `key = value` and `key: value`, quoted or not, of one of the keys. */
const of = (keys: string, variable: string): Setting => ({
  line: new RegExp(`^[ \\t]*["']?(?:${keys})["']?[ \\t]{0,8}[:= \\t][ \\t]{0,8}["']?([^\\s"'#;]+)`, 'gm'),
  variable,
})

const PROXIES = of('https?-?proxy', 'npm_config_https_proxy')

const MANAGERS: readonly Manager[] = [
  {
    file: /^\.?npmrc$/,
    settings: [
      of('(?:@[\\w.-]{1,60}:)?registry', 'npm_config_registry'),
      of('strict-ssl', 'npm_config_strict_ssl'),
      of('script-shell', 'npm_config_script_shell'),
      of('node-options', 'NODE_OPTIONS'),
      of('onload-script', 'npm_config_onload_script'),
      of('git', 'npm_config_git'),
      PROXIES,
    ],
  },
  {
    file: /^\.yarnrc(?:\.yml)?$/,
    settings: [
      of('npmRegistryServer|registry', 'YARN_NPM_REGISTRY_SERVER'),
      of('enableStrictSsl|strict-ssl', 'npm_config_strict_ssl'),
      of('httpsProxy|httpProxy', 'npm_config_https_proxy'),
    ],
  },
  { file: /^bunfig\.toml$/, settings: [of('registry', 'BUN_CONFIG_REGISTRY')] },
  {
    file: /^pip\.(?:conf|ini)$|^(?:requirements|constraints)[\w.-]{0,40}\.(?:txt|in)$/,
    settings: [
      of('(?:--)?(?:extra-)?index-url|-i', 'PIP_INDEX_URL'),
      of('(?:--)?find-links|-f', 'PIP_FIND_LINKS'),
      of('(?:--)?trusted-host', 'PIP_TRUSTED_HOST'),
      of('proxy', 'https_proxy'),
    ],
  },
  {
    file: /^(?:uv|pyproject)\.toml$/,
    settings: [
      of('(?:extra-)?index-url|default-index', 'UV_INDEX_URL'),
      {
        line: /^\[\[(?:tool\.)?(?:uv\.index|index|poetry\.source|pdm\.source)\]\][^[]{0,400}?\burl[ \t]{0,8}=[ \t]{0,8}["']([^"'\n]+)/gm,
        variable: 'UV_INDEX_URL',
      },
    ],
  },
  // `\:` is how files of properties write it.
  { file: /^(?:gradle|maven)-wrapper\.properties$/, settings: [of('distributionUrl|wrapperUrl', 'BUILD_TOOL_DISTRIBUTION_URL')] },
  { file: /^nuget\.config$/i, settings: [{ line: /<add\s[^<>]{0,200}\bvalue="(https?:[^"\s]+)"/g, variable: 'NUGET_SOURCE' }] },
]

const CARGO: Manager = {
  file: /^config(?:\.toml)?$/,
  settings: [
    of('registry|index', 'CARGO_REGISTRY_INDEX'),
    of('rustc-wrapper|rustc-workspace-wrapper', 'RUSTC_WRAPPER'),
    of('runner', 'CARGO_BUILD_RUNNER'),
    of('linker', 'CARGO_BUILD_LINKER'),
    of('proxy', 'https_proxy'),
  ],
}

/** A file of settings has few lines that matter. */
const MOST = 32

/** What the settings of the file at `path` mean, as assignments of a shell; null where it is none of these files. */
export function managerOf(path: string): ((text: string) => readonly string[]) | null {
  const [name = '', holder] = path.split(/[/\\]/).reverse()
  const manager = holder === '.cargo' && CARGO.file.test(name) ? CARGO : MANAGERS.find(({ file }) => file.test(name))
  return manager === undefined ? null : (text) => assigned(manager, text)
}

function assigned({ settings }: Manager, text: string): readonly string[] {
  const found: string[] = []
  for (const { line, variable } of settings) {
    for (const [, value] of text.matchAll(line)) {
      if (found.length === MOST) return found
      if (value !== undefined) found.push(`export ${variable}=${shellWords([value.replace('\\:', ':')])}`)
    }
  }
  return found
}
