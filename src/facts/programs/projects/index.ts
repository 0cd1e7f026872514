import type { CommandContext, Invocation, ParsedCommand } from '../../host.ts'
import * as compiled from './compiled.ts'
import type { Follower } from './follow.ts'
import * as js from './javascript.ts'
import * as jvm from './jvm.ts'
import { Loader } from './load.ts'
import * as manifests from './manifests.ts'
import * as monorepo from './monorepo.ts'
import * as native from './native.ts'
import * as pipelines from './pipelines.ts'
import * as python from './python.ts'
import { starts, startsPython } from './python-start.ts'
import * as ruby from './ruby.ts'
import * as tasks from './tasks.ts'
import { reportWatcher } from './watch.ts'

/** Who loads code of the project without being told, by the name of the program. */

const each = (names: string, ...followers: readonly Follower[]): readonly (readonly [string, readonly Follower[]])[] =>
  names.split(' ').map((name) => [name, followers] as const)

/** Tools of Node, which package managers run by their name alone. */
const NODE_TOOLS: ReadonlyMap<string, readonly Follower[]> = new Map([
  ...each('vitest', js.vitest),
  ...each('jest', js.jest),
  ...each('playwright', js.playwright),
  ...each('cypress', js.cypress),
  ...each('mocha', js.mocha),
  ...each('ava tap tape jasmine uvu karma qunit wdio nightwatch testcafe', js.others),
  ...each('vite', js.configured('vite.config')),
  ...each('webpack webpack-dev-server webpack-cli', js.configured('webpack.config', 'webpack.config.babel.js')),
  ...each('rollup', js.configured('rollup.config')),
  ...each('tsup', js.configured('tsup.config')),
  ...each('eslint', js.configured('eslint.config', '.eslintrc.js', '.eslintrc.cjs')),
  ...each('prettier', js.configured('prettier.config', '.prettierrc.js', '.prettierrc.cjs', '.prettierrc.mjs')),
  ...each('stylelint', js.configured('stylelint.config', '.stylelintrc.js', '.stylelintrc.cjs')),
  ...each('postcss', js.configured('postcss.config')),
  ...each('tailwindcss tailwind', js.configured('tailwind.config')),
  ...each('babel', js.configured('babel.config', '.babelrc.js', '.babelrc.cjs')),
  ...each('next', js.configured('next.config')),
  ...each('nuxt nuxi', js.configured('nuxt.config')),
  ...each('astro', js.configured('astro.config')),
  ...each('svelte-kit svelte-check', js.configured('svelte.config')),
  ...each('gatsby', js.configured('gatsby-config', 'gatsby-node')),
  ...each('gulp', js.configured('gulpfile')),
  ...each('grunt', js.configured('Gruntfile', 'gruntfile')),
  ...each('metro react-native', js.configured('metro.config', 'react-native.config')),
  ...each('commitlint', js.configured('commitlint.config')),
  ...each('lint-staged', js.configured('lint-staged.config', '.lintstagedrc.js', '.lintstagedrc.cjs')),
  ...each('drizzle-kit', js.configured('drizzle.config')),
  ...each('knex', js.configured('knexfile')),
  ...each('storybook start-storybook build-storybook', js.configured('.storybook/main', '.storybook/preview')),
  ...each('ember', js.configured('ember-cli-build.js')),
  ...each('turbo lerna lage', monorepo.runner),
  ...each('nx', monorepo.nx),
])

const FOLLOWERS: ReadonlyMap<string, readonly Follower[]> = new Map([
  ...each('pytest py.test pytest-3 ptw pytest-watch', python.pytest),
  ...each('unittest nose2', python.unittest),
  ...each('manage.py django-admin', python.django),
  ...each('uvicorn gunicorn hypercorn daphne waitress-serve granian fastapi celery streamlit chainlit dramatiq rq', python.serves),
  ...each('flask', python.flask),
  ...each('pip pip3 uv pipx', python.builds, manifests.pip),
  ...each('pyproject-build build', python.builds),
  ...each('locust', python.named('locustfile.py')),
  ...each('scons', python.named('SConstruct', 'SConscript')),
  ...each('fab', python.named('fabfile.py')),
  ...each('doit', python.named('dodo.py')),
  ...each('sphinx-build', python.named('docs/conf.py', 'doc/conf.py', 'conf.py')),
  ...NODE_TOOLS,
  ...each('rspec parallel_rspec', ruby.rspec),
  ...each('rake', ruby.rake),
  ...each('rails', ruby.rails),
  ...each('bundle bundler', ruby.bundler),
  ...each('guard', ruby.evaluates('Guardfile')),
  ...each('pod', ruby.evaluates('Podfile')),
  ...each('fastlane', ruby.fastlane),
  ...each('vagrant', ruby.evaluates('Vagrantfile')),
  ...each('rackup puma unicorn thin', ruby.evaluates('config.ru', 'config/puma.rb')),
  ...each('danger', ruby.evaluates('Dangerfile')),
  ...each('phpunit pest paratest', ruby.phpunit),
  ...each('cargo', compiled.cargo, manifests.cargo, pipelines.cargoMake),
  ...each('cargo-make makers', pipelines.cargoMake),
  ...each('cabal stack', manifests.haskell),
  ...each('go gotestsum ginkgo richgo', compiled.go),
  ...each('gradle gradlew', jvm.gradle),
  ...each('mvn mvnw mvnd', jvm.maven),
  ...each('ant', jvm.ant),
  ...each('dotnet msbuild', jvm.dotnet),
  ...each('cmake cmake3', native.cmake),
  ...each('meson', native.meson),
  ...each('bazel bazelisk buck buck2', native.bazel),
  ...each('zig', native.zig),
  ...each('swift', native.swift),
  ...each('mix iex', native.mix),
  ...each('nix nix-shell', native.nix),
  ...each('terraform tofu', native.terraform),
  ...each('mise rtx', tasks.mise),
  ...each('poe poethepoet', tasks.poe),
  ...each('pdm rye', tasks.pdm, python.builds),
  ...each('hatch', tasks.hatch),
  ...each('tox', tasks.tox),
  ...each('lefthook', tasks.lefthook),
  ...each('molecule', tasks.molecule),
  ...each('skaffold', tasks.skaffold),
  ...each('jupyter papermill', tasks.notebook),
  ...each('snakemake', pipelines.snakemake),
  ...each('nextflow', pipelines.nextflow),
  ...each('dvc', pipelines.dvc),
  ...each('earthly', pipelines.earthly),
  ...each('pixi', pipelines.pixi),
  ...each('latexmk', pipelines.latexmk),
  ...each('waf', python.named('wscript')),
  ...each('behave', pipelines.behave),
  ...each('robot', pipelines.robot),
  ...each('mkdocs', pipelines.mkdocs),
  ...each('airflow', pipelines.airflow),
  ...each('npm pnpm yarn', monorepo.workspaces, manifests.npm),
  ...each('node nodejs tsx', js.nodeTest),
  ...each('bun', monorepo.workspaces, manifests.npm, js.bunTest, js.templates),
  ...each('zx', js.templates),
  ...each('deno', tasks.deno),
  ...each('ruby jruby', ruby.interpreter),
])

/** True of a tool of Node that loads code of the project. */
export function loadsProject(name: string): boolean {
  return NODE_TOOLS.has(name)
}

/** Loads what the program loads where it runs. In a container or on another machine, these are not the files of this one. */
export function followProject(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation } = parsed
  if (parsed.inert || context.cwd === null || context.remote) return
  reportWatcher(invocation, context)
  const followers = [...(startsPython(invocation.name) ? [starts] : []), ...(FOLLOWERS.get(invocation.name) ?? [])]
  if (followers.length === 0) return
  const loader = new Loader({ context, span: invocation.span, by: invocation.name })
  const words = invocation.args.map(({ text, prefix }) => text ?? prefix)
  const operands = [...parsed.path, ...parsed.operands.map(({ text, prefix }) => text ?? prefix)]
  for (const follow of followers) follow({ loader, context, invocation, parsed, operands, words })
}

/** The same for a program that no table knows. */
export function followByName(invocation: Invocation, context: CommandContext): void {
  followProject(bare(invocation), context)
}

function bare(invocation: Invocation): ParsedCommand {
  const operands = invocation.args.filter(({ prefix }) => !prefix.startsWith('-'))
  return {
    invocation,
    path: [],
    flag: (...names) => invocation.args.some(({ text }) => text !== null && names.includes(text)),
    value: () => null,
    values: () => [],
    operands,
    rest: [],
    unknown: [],
    unconsumed: () => [],
    inert: invocation.args.some(({ text }) => text === '--help' || text === '--version'),
  }
}
