import type { CommandContext, Invocation } from '../../host.ts'

/** Programs that run files of the project again whenever one of them changes: whoever writes there later runs what is written. */

type Watches = (words: readonly string[]) => boolean

const always: Watches = () => true
const given =
  (...options: readonly string[]): Watches =>
  (words) =>
    words.some((word) => options.includes(word.split('=', 1)[0] ?? '') && !/=(?:false|0)$/.test(word))
const first =
  (...verbs: readonly string[]): Watches =>
  (words) =>
    verbs.includes(words.find((word) => !word.startsWith('-')) ?? '')

const each = (names: string, watches: Watches): readonly (readonly [string, Watches])[] =>
  names.split(' ').map((name) => [name, watches] as const)

const WATCHERS: ReadonlyMap<string, Watches> = new Map([
  ...each(
    'nodemon ts-node-dev tsnd node-dev supervisor watchexec entr chokidar onchange air reflex bacon guard ptw pytest-watch watchmedo cargo-watch',
    always,
  ),
  ...each('vitest', (words) => !words.some((word) => /^(?:run|bench|list|related|--run|--watch=false|--no-watch)$/.test(word))),
  ...each('jest', given('--watch', '--watchAll')),
  ...each('mocha ava rollup webpack tsup tape node nodejs gulp', given('--watch', '-w')),
  ...each('bun deno', given('--watch', '--hot')),
  ...each('tsx', first('watch')),
  ...each('uvicorn gunicorn hypercorn granian', given('--reload')),
  ...each('fastapi', first('dev')),
  ...each('flask', given('--debug', '--reload')),
  ...each('manage.py django-admin', (words) => first('runserver')(words) && !words.includes('--noreload')),
  ...each('vite', (words) => first('dev', 'serve')(words) || !words.some((word) => !word.startsWith('-'))),
  ...each('next nuxt nuxi astro remix gatsby storybook', first('dev', 'develop')),
  ...each('ng vue-cli-service webpack-dev-server', first('serve', 's')),
  ...each('rails', first('server', 's')),
  ...each('mix', first('phx.server')),
  ...each('artisan', first('serve')),
  ...each('cargo dotnet', first('watch')),
  ...each('gradle gradlew', given('--continuous', '-t')),
  ...each('pytest', given('-f', '--looponfail')),
])

/** Says that the program watches the directory where it runs. */
export function reportWatcher({ name, args }: Invocation, context: CommandContext): void {
  const { cwd, remote } = context
  const watches = WATCHERS.get(name)
  if (watches === undefined || cwd === null || remote || !watches(args.map(({ text, prefix }) => text ?? prefix))) return
  context.watches(cwd)
}
