import { type Follower, optionsOf } from './follow.ts'
import type { Loader } from './load.ts'
import { filesBelow } from './walk.ts'

/** Ruby and PHP: files that are evaluated by their names, and tests with their helpers. */

const files = (
  loader: Loader,
  { context, operands, fits, place }: { context: Loader['context']; operands: readonly string[]; fits: RegExp; place: readonly string[] },
): void => {
  const named = operands.map((word) => word.split(/[:[]/, 1)[0] ?? '').filter((word) => /\.(?:rb|php)$/.test(word))
  const language = fits.source.includes('php') ? 'php' : 'ruby'
  for (const name of named) loader.load(name, language)
  const places = operands.filter(
    (word) =>
      !/\.(?:rb|php)/.test(word) && loader.path(word) !== null && context.view.realpath(loader.path(word) ?? '').type === 'directory',
  )
  if (named.length > 0) return
  for (const directory of places.length > 0 ? places : place) {
    const path = loader.path(directory)
    if (path !== null) for (const file of filesBelow(path, context, (name) => fits.test(name))) loader.load(file, language)
  }
}

export const rspec: Follower = ({ loader, context, operands, words }) => {
  const said = loader.isThere('.rspec') ? (loader.text('.rspec') ?? '').split(/\s+/) : []
  for (const name of ['spec_helper', 'rails_helper', ...optionsOf([...said, ...words], '-r', '--require')])
    if (!loader.load(`spec/${name}.rb`, 'ruby') && /[/.]/.test(name)) loader.load(name, 'ruby')
  files(loader, { context, operands, fits: /_spec\.rb$/, place: ['spec'] })
}

/** A Rakefile and what rake loads beside it. */
export const rake: Follower = ({ loader, context }) => {
  loader.first(['Rakefile', 'rakefile', 'Rakefile.rb'], 'ruby')
  for (const place of ['rakelib', 'lib/tasks']) {
    const path = loader.path(place)
    if (path !== null) for (const file of filesBelow(path, context, (name) => name.endsWith('.rake'))) loader.load(file, 'ruby')
  }
}

export const bundler: Follower = ({ loader, context }) => {
  loader.load(context.variable('BUNDLE_GEMFILE')?.text ?? 'Gemfile', 'ruby')
  const root = loader.path('.')
  for (const name of root === null ? [] : (context.view.list(root, 200) ?? [])) if (name.endsWith('.gemspec')) loader.load(name, 'ruby')
}

/** `bin/rails test`: the helper and the tests. */
export const rails: Follower = (follow) => {
  const { loader, operands, context } = follow
  for (const name of ['config/boot.rb', 'config/application.rb', 'config/environment.rb']) loader.load(name, 'ruby')
  rake(follow)
  if (!/^(?:t|test)(?::\w+)?$/.test(operands[0] ?? '')) return
  loader.load('test/test_helper.rb', 'ruby')
  files(loader, { context, operands: operands.slice(1), fits: /_test\.rb$/, place: ['test'] })
}

export const evaluates =
  (...names: readonly string[]): Follower =>
  ({ loader }) => {
    for (const name of names) loader.load(name, 'ruby')
  }

/** Actions by which a lane hands a build to stores, testers or the public. */
const HANDS_OUT = new RegExp(
  String.raw`^(?:upload_to_\w{1,40}|deliver|pilot|supply|testflight|appstore|playstore|firebase_app_distribution|appcenter_upload` +
    String.raw`|(?:set_)?github_release|push_to_git_remote|s3|rsync|scp)\b`,
)
const MAX_LANES = 16

/** The Fastfile is code of the workspace; what the named lanes and those that they name hand out is told. */
export const fastlane: Follower = ({ loader, context, operands, invocation }) => {
  for (const name of ['fastlane/Fastfile', 'Fastfile']) {
    loader.load(name, 'ruby')
    const text = loader.isThere(name) ? (loader.text(name) ?? '') : ''
    const lanes = new Map<string, string>()
    for (const part of text.split(/^(?=\s{0,16}(?:private_)?lane\s{1,8}:)/m).slice(0, 200)) {
      const lane = /^\s{0,16}(?:private_)?lane\s{1,8}:(\w{1,80})/.exec(part)?.[1]
      if (lane !== undefined) lanes.set(lane, part)
    }
    const open = operands.filter((word) => lanes.has(word))
    for (let at = 0; at < open.length && at < MAX_LANES; at += 1) {
      const lines = (lanes.get(open[at] ?? '') ?? '').split('\n').map((line) => line.trim())
      for (const word of lines) if (lanes.has(word) && !open.includes(word)) open.push(word)
      const action = lines.flatMap((line) => HANDS_OUT.exec(line)?.[0] ?? [])[0]
      if (action === undefined) continue
      const reason = `lane \`${open[at]}\` of \`${name}\` calls \`${action}\``
      context.emit('publish', context.thing('service', action), {
        action: 'store:upload',
        certainty: 'likely',
        span: invocation.span,
        reason,
      })
    }
  }
}

/** PHPUnit and Pest: the file that their settings name, and the tests. */
export const phpunit: Follower = ({ loader, context, operands, words }) => {
  const given = optionsOf(words, '-c', '--configuration')
  const settings = [...given, 'phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].find((name) => loader.isThere(name))
  const text = settings === undefined ? '' : (loader.text(settings) ?? '')
  const bootstrap = optionsOf(words, '--bootstrap')[0] ?? /\bbootstrap\s*=\s*"([^"]{1,300})"/.exec(text)?.[1]
  if (bootstrap !== undefined) loader.load(bootstrap, 'php')
  loader.load('tests/Pest.php', 'php')
  files(loader, { context, operands, fits: /Test\.php$/, place: ['tests', 'test'] })
}

/** `ruby -Itest test/cart_test.rb`: what the program requires by its name, where it is told to look. */
export const interpreter: Follower = ({ loader, operands, words }) => {
  const file = operands.find((word) => word.endsWith('.rb'))
  const places = words.flatMap((word, at) => (word === '-I' ? [words[at + 1] ?? ''] : word.startsWith('-I') ? [word.slice(2)] : []))
  const text = file === undefined || places.length === 0 ? '' : (loader.text(file) ?? '')
  for (const [, name = ''] of text.matchAll(/\brequire[ (]{1,4}["']([\w./-]{1,200})["']/g))
    for (const place of places.flatMap((list) => list.split(':'))) loader.load(`${place}/${name.replace(/\.rb$/, '')}.rb`, 'ruby')
}
