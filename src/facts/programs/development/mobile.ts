import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { CONFIGURES, installs, LISTS, LOOKS_UP, publishes, removes } from '../packages/packages.ts'
import { type Act, byName, does, each, list, nameOf, sayClaim, takes, tool } from '../tool.ts'
import { type Develops, develops } from './develop.ts'

/** Mobile development: Xcode, simulators, signing and the App Store, fastlane, CocoaPods, Expo. */

const STORE: Act = { verb: 'publish', action: 'store:upload', kind: 'service', value: 'app store', reversible: false }
const BUILD: Develops = { action: 'dev:build', operands: 'data' }

/** Actions stand among the operands: `xcodebuild clean build test`. */
function xcodebuild(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.operands.map((word) => word.text ?? '')
  const emit = (action: string) => context.emit('execute', context.thing('program', 'xcodebuild'), { action })
  if (words.includes('clean')) context.emit('delete', context.thing('resource', 'build output'), { action: 'dev:clean', reversible: true })
  if (words.some((word) => word.startsWith('test'))) emit('dev:test')
  if (words.length === 0 || words.some((word) => /^(?:build|archive|install|analyze|docbuild|build-for-testing)$/.test(word)))
    emit('dev:build')
  const plist = parsed.value('-exportOptionsPlist')
  if (plist !== null && parsed.flag('-allowProvisioningUpdates')) {
    context.emit('change', context.thing('account', 'apple developer'), { action: 'store:provisioning', certainty: 'likely' })
  }
}

const XCODEBUILD: CommandSpec = {
  singleDashLong: true,
  flags: list(
    '-alltargets -quiet -verbose -hideShellScriptEnvironment -exportArchive -allowProvisioningUpdates -skipMacroValidation ' +
      '-skipPackagePluginValidation -parallelizeTargets -enableCodeCoverage -resolvePackageDependencies',
  ),
  options: {
    ...takes(
      '-project -workspace -scheme -target -configuration -sdk -destination -arch -derivedDataPath -jobs -only-testing ' +
        '-skip-testing -testPlan -toolchain -xcconfig -xctestrun',
    ),
    ...takes('-exportOptionsPlist', 'read'),
    ...takes('-archivePath -exportPath -resultBundlePath', 'write'),
  },
  inert: list('-help -h -version -list -showsdks -showBuildSettings -showdestinations -usage -license -dry-run -n'),
  operands: ['data'],
  refine: xcodebuild,
}

const SIMCTL = tool('dev', {
  subcommands: byName({
    'list getenv listapps get_app_container appinfo help diagnose logverbose': LISTS,
    ...each(
      'boot shutdown create clone rename upgrade privacy location status_bar ui openurl push keychain addmedia install launch ' +
        'terminate spawn io icloud_sync pair',
      develops({ ...BUILD, action: 'dev:run' }),
    ),
    'erase delete uninstall': does({
      verb: 'delete',
      action: 'dev:simulator',
      kind: 'resource',
      from: 0,
      value: 'simulator',
      reversible: true,
    }),
  }),
})

/** `altool --upload-app`, `notarytool submit`, `xcrun stapler`. */
const ALTOOL: CommandSpec = {
  flags: list('--upload-app --upload-package --validate-app --notarize-app --list-apps --list-providers --notarization-history'),
  options: takes('-f --file -t --type -u --username -p --password --apiKey --apiIssuer --primary-bundle-id'),
  operands: ['data'],
  refine: (parsed, context) => {
    const file = parsed.value('-f', '--file')
    if (file !== null) readPath(context, file)
    if (parsed.flag('--upload-app', '--upload-package'))
      context.emit('publish', context.thing('service', 'app store'), { action: 'store:upload' })
    else context.emit('send', context.thing('service', 'app store'), { action: 'store:check' })
  },
}
const NOTARY = tool('dev', {
  options: takes('--apple-id --team-id --password --keychain-profile -p --key --key-id --issuer'),
  subcommands: byName({
    submit: does({ verb: 'send', action: 'store:notarize', kind: 'service', value: 'apple' }, { operands: ['read'], flags: ['--wait'] }),
    'info log history wait': LISTS,
    'store-credentials': does({ verb: 'change', action: 'tool:auth', kind: 'account', value: 'apple' }),
  }),
})

/** `xcrun swift build` runs a tool of the chosen Xcode. */
const XCRUN: CommandSpec = {
  flags: list('-v --verbose -n --no-cache -k --kill-cache -l --log -r --run'),
  options: takes('--sdk -sdk --toolchain'),
  inert: list('-f --find -find --show-sdk-path --show-sdk-version --show-sdk-platform-path --help -h --version'),
  stopAtOperand: true,
  operands: [],
  refine: ({ operands: [first, ...rest] }, context) => {
    if (first !== undefined) context.command([first, ...rest], 'xcrun')
  },
}

/** A lane is code of the workspace; some of them by their usual names release. */
const FASTLANE: CommandSpec = {
  inert: list('--help -h --version -v'),
  options: takes('--env'),
  operands: ['data'],
  refine: ({ operands }, context) => {
    const words = operands.map((word) => word.text ?? '').filter((word) => word !== '')
    const lane = words.join(' ')
    context.emit('execute', context.thing('script', `fastlane ${lane}`.trim()), { action: 'dev:task' })
    const uploads = words.some((word) =>
      /^(?:release|deploy|beta|upload|publish|deliver|pilot|supply|upload_to_\w+|testflight|production|appstore|playstore|submit)$/.test(
        word,
      ),
    )
    if (uploads) context.emit('publish', context.thing('service', 'app store'), { action: 'store:upload', certainty: 'likely' })
    if (words[0] === 'match' && words.includes('nuke'))
      context.emit('delete', context.thing('account', 'certificates'), { action: 'store:certificates' })
  },
}

const PODS = installs(
  { manager: 'cocoapods', manifest: 'Podfile' },
  {
    flags: list('--repo-update --verbose --clean-install --deployment --no-repo-update --silent'),
    options: takes('--project-directory'),
    operands: ['data'],
  },
)
const POD = tool('pod', {
  subcommands: byName({
    install: PODS,
    update: installs({ manager: 'cocoapods', manifest: 'Podfile', verb: 'upgrade' }, { flags: ['--no-repo-update', '--verbose'] }),
    deintegrate: removes('cocoapods'),
    'outdated list env ipc': LISTS,
    'search info try': LOOKS_UP,
    'init lib spec cache plugins setup': { ...develops(BUILD) },
    repo: {
      subcommands: byName({
        push: publishes({ action: 'pods:publish', dryRun: [] }),
        'add update remove add-cdn': CONFIGURES,
        'list lint': LISTS,
      }),
    },
    trunk: {
      subcommands: byName({
        push: publishes({ action: 'pods:publish', dryRun: [] }, { flags: list('--allow-warnings --skip-tests --verbose') }),
        'delete deprecate': does({ verb: 'publish', action: 'pods:yank', kind: 'package', at: 0, value: '.' }),
        'register add-owner remove-owner': does({
          verb: 'change',
          action: 'pods:owner',
          kind: 'account',
          at: 0,
          value: 'cocoapods',
          reversible: false,
        }),
        'info me': LISTS,
      }),
    },
  }),
})
const CARTHAGE = tool('carthage', {
  subcommands: byName({
    'bootstrap checkout build fetch': installs({ manager: 'carthage', manifest: 'Cartfile' }),
    update: installs({ manager: 'carthage', manifest: 'Cartfile', verb: 'upgrade' }),
    archive: develops(BUILD),
    'outdated validate version': LISTS,
  }),
})

const APP = tool('app', {
  flags: list('--non-interactive --json --clear --dev-client --tunnel --no-wait --auto-submit --local --clear-cache'),
  options: takes('-p --platform --profile -e --branch --message -m --channel --device -d --variant --mode --port --target'),
  subcommands: byName({
    ...each(
      'build prebuild export doctor customize install diagnostics lint config copy sync add init update resources plugin ' +
        'platform prepare compile open bundle codegen',
      develops(BUILD),
    ),
    'start serve run run:ios run:android run-ios run-android emulate ios android log-ios log-android livereload': develops({
      ...BUILD,
      action: 'dev:serve',
    }),
    submit: does({ ...STORE }),
    'publish update:publish': does({ verb: 'publish', action: 'store:update', kind: 'service', value: 'expo', reversible: false }),
    'whoami list ls info': LISTS,
    'login logout register': does({ verb: 'change', action: 'tool:auth', kind: 'account', value: 'expo' }),
    'credentials secret env': does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'credentials' }, { operands: ['data'] }),
  }),
  operands: ['data'],
  refine: (parsed, context) => context.emit('execute', context.thing('program', nameOf(parsed.invocation.program)), { action: 'dev:run' }),
})
/** With `eas`, `update` publishes what users download. */
const EAS = tool('app', {
  flags: list('--non-interactive --json --auto --auto-submit --no-wait'),
  options: takes('-p --platform --profile --branch --message -m --channel'),
  subcommands: byName({
    build: does(
      { verb: 'send', action: 'store:build', kind: 'service', value: 'expo' },
      { flags: ['--auto-submit', '--local'], operands: ['data'] },
    ),
    submit: does({ ...STORE }),
    update: does({ verb: 'publish', action: 'store:update', kind: 'service', value: 'expo', reversible: false }, { operands: ['data'] }),
    deploy: does({ verb: 'publish', action: 'pages:deploy', kind: 'service', value: 'expo', reversible: false }),
    'build:list build:view whoami channel:list branch:list update:list project:info diagnostics config': LISTS,
    'credentials env:pull env:list secret:list': does({ verb: 'read', action: 'secret:read', kind: 'resource', value: 'credentials' }),
    'init build:configure update:configure device:create': develops(BUILD),
  }),
  operands: ['data'],
  refine: (parsed, context) => {
    const attributes = { command: nameOf(parsed.operands[0] ?? parsed.invocation.program) }
    context.emit('change', context.thing('service', 'expo'), { action: 'store:change', attributes })
    sayClaim(parsed, context)
  },
})

export const mobile: CommandTable = byName({
  xcodebuild: XCODEBUILD,
  xcrun: XCRUN,
  simctl: SIMCTL,
  'altool iTMSTransporter': ALTOOL,
  notarytool: NOTARY,
  'xcodegen tuist xcbeautify xcpretty xcresulttool agvtool ibtool actool xcstringstool sourcery swiftgen mint': develops(BUILD),
  fastlane: FASTLANE,
  'pod pods': POD,
  carthage: CARTHAGE,
  'expo cap capacitor cordova react-native nativescript': APP,
  'eas eas-cli': EAS,
})
