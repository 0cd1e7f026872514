import { generatedBy, linesOfCmake, linesOfNix, linesOfSwift, linesOfTerraform, linesOfXml } from './lines.ts'
import { linesOfTasks } from './tasks.ts'

/** Command lines in build files and settings of projects, by the name of the file, for whoever writes one. */

type Lines = (text: string) => readonly string[]

const FILES: readonly (readonly [RegExp, Lines])[] = [
  [/^(?:pom|build)\.xml$/, linesOfXml],
  [/\.(?:csproj|fsproj|vbproj|proj|targets|props)$/, linesOfXml],
  [/^CMakeLists\.txt$|\.cmake$/, linesOfCmake],
  [/^Package\.swift$/, linesOfSwift],
  [/^(?:flake|shell|default)\.nix$/, linesOfNix],
  [/\.tf$/, linesOfTerraform],
  [/^\.?mise\.toml$|^pyproject\.toml$|^tox\.toml$|^netlify\.toml$/, linesOfTasks],
  [/\.go$/, generatedBy],
  [/^vercel\.json$/, settingsOfJson],
  [/^(?:nx|project)\.json$/, settingsOfJson],
  [/\.pth$/, importsOf],
]

/** How command lines are found in such a file; null where it is none. */
export function buildLines(path: string): Lines | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return FILES.find(([file]) => file.test(name))?.[1] ?? null
}

/** `"buildCommand": "…"` and the like. */
function settingsOfJson(text: string): readonly string[] {
  return [...text.matchAll(/"(?:build|install|dev|ignore)?[cC]ommand"\s{0,8}:\s{0,8}("(?:[^"\\\n]|\\.){1,2000}")/g)].map(
    ([, value = '""']) => String(JSON.parse(value)),
  )
}

/** Lines of a path file that begin with `import` are run by every start of Python. */
function importsOf(text: string): readonly string[] {
  const code = text.split('\n').filter((line) => /^import[ \t]/.test(line))
  return code.length === 0 ? [] : [`python3 -c '${code.join('\n').replaceAll("'", "'\\''")}'`]
}
