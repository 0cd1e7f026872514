import type { Word } from '../../host.ts'

/** Variables that say where programs and packages are put or looked for, and values that lead where everybody may write. Pure data. */

/** Where tools keep what they install and later run. Where they keep copies of downloads is no such place. */
const HOMES: ReadonlySet<string> = new Set(
  [
    'GEM_HOME GEM_PATH GOPATH GOBIN CARGO_HOME CARGO_INSTALL_ROOT RUSTUP_HOME PIP_TARGET PIP_PREFIX PYTHONUSERBASE PIPX_HOME',
    'PIPX_BIN_DIR UV_TOOL_DIR UV_TOOL_BIN_DIR NVM_DIR PNPM_HOME BUN_INSTALL DENO_INSTALL DENO_INSTALL_ROOT VOLTA_HOME YARN_GLOBAL_FOLDER',
    'COMPOSER_HOME BUNDLE_PATH JAVA_HOME JDK_HOME M2_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME DOTNET_ROOT ASDF_DATA_DIR MISE_DATA_DIR',
    'PYENV_ROOT RBENV_ROOT NODENV_ROOT CONDA_PREFIX VIRTUAL_ENV XDG_DATA_HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS CUDA_HOME',
    'ANDROID_HOME ANDROID_SDK_ROOT FLUTTER_ROOT GOROOT PERL_LOCAL_LIB_ROOT PERL_MM_OPT R_LIBS R_LIBS_USER JULIA_DEPOT_PATH OPAMROOT',
  ].flatMap((line) => line.split(' ')),
)

const BY_NAME = /^npm_config_(?:prefix|globalconfig|userconfig)$/i

/** Everybody may write there; a name in it can be taken before its owner takes it. */
export const SHARED_PLACE = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/

/** Directories of programs that a project's own tools put into the path. */
const OF_TOOLS = /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/(?:bin|Scripts)|vendor\/bin|\.bundle\/bin)\/?$/

/** True where what is installed, or looked for, lies where others may put something of the same name. */
export function movesPlace(name: string, { text, prefix }: Word): boolean {
  if (name === 'PATH') return leadsPath((text ?? prefix).split(':'), text !== null)
  return (HOMES.has(name) || BY_NAME.test(name)) && SHARED_PLACE.test(text ?? prefix)
}

/** A directory named from where the command runs comes before those of the system. */
function leadsPath(entries: readonly string[], whole: boolean): boolean {
  const first = entries[0] ?? ''
  if (entries.length < 2 && !whole) return false
  return /^(?:\.{1,2}\/)?[\w@.-]/.test(first) && !first.startsWith('/') && !OF_TOOLS.test(first)
}
