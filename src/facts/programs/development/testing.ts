import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { deletePath, reachUrl } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, list, takes, tool } from '../tool.ts'
import { type Develops, develops, runsRest } from './develop.ts'

/** Test runners, coverage and load generators: they run the tests of the workspace, and so its code. */

/** pytest empties the directory of `--basetemp` before it starts. */
function basetemp(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.value('--basetemp')
  if (word !== null) deletePath(context, word, { action: 'dev:test', attributes: { recursive: true } })
}

const PYTEST: Develops = {
  action: 'dev:test',
  flags:
    '-q --quiet -v -vv --verbose -x --exitfirst -s -l --showlocals --lf --last-failed --ff --failed-first --nf --sw ' +
    '--stepwise --collect-only --co --pdb --trace --strict-markers --strict-config --cache-clear --no-header --no-summary ' +
    '--pyargs --doctest-modules --runxfail --setup-show --disable-warnings --no-cov --cov-append --forked --snapshot-update ' +
    '--reruns-only',
  valued:
    '-k -m -p -n --numprocesses --maxfail --tb --durations --durations-min -W --pythonwarnings -o --override-ini --capture ' +
    '--color --import-mode --log-level --log-cli-level --cov --cov-report --cov-config --cov-fail-under --dist --timeout ' +
    '--reruns --ignore --ignore-glob --deselect --markers --basetemp --rootdir -r --show-capture --html --ds ' +
    '--hypothesis-seed --asyncio-mode --verbosity',
  attached: '-r',
  reads: '-c --config-file',
  writes: '--junitxml --junit-xml --report-log --log-file --html --json-report-file --resultlog',
  inert: '--help -h --version -V --fixtures --markers',
  more: basetemp,
}

const JEST: Develops = {
  action: 'dev:test',
  operands: 'data',
  flags:
    '--watch --watchAll --coverage --ci --bail -b --runInBand -i --verbose --silent --no-cache --cache --onlyChanged -o ' +
    '--passWithNoTests --updateSnapshot -u --detectOpenHandles --forceExit --listTests --debug --run --ui --globals --dom ' +
    '--no-coverage --hideSkippedTests --watch=false --allowOnly',
  valued:
    '-t --testNamePattern --testPathPattern --testPathPatterns --maxWorkers -w --env --environment --testTimeout ' +
    '--selectProjects --projects --changedSince --shard --reporter --reporters --pool --coverageReporters --rootDir --root ' +
    '-r --roots --testMatch --testRegex --bail --retry --mode --project --exclude --hookTimeout --coverage.reporter ' +
    '--coverage.provider',
  loads:
    '-c --config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner --resolver --testEnvironment --transform',
  writes: '--outputFile --coverageDirectory --cacheDirectory --coverage.reportsDirectory',
  inert: '--help -h --version --showConfig --listTests --clearCache=false',
}

/** `-w` of vitest watches; that of jest is a number of workers. */
const VITEST: Develops = { ...JEST, flags: `${JEST.flags} -w`, valued: JEST.valued?.replace(' -w ', ' ') ?? '' }

const MOCHA: Develops = {
  action: 'dev:test',
  flags: '--watch -w --bail -b --recursive --exit --parallel --check-leaks --full-trace --no-timeouts -c --color --sort --forbid-only',
  valued: '-g --grep -f --fgrep -t --timeout -s --slow -R --reporter -u --ui -O --reporter-option --extension --retries -j --jobs --ignore',
  loads: '-r --require --import --config --loader -n --node-option --package',
  writes: '-o --output --outfile',
  inert: '--help -h --version -V --list-files --dry-run',
}

/** Browser tests: the address they are told to test is fetched. */
const BROWSER: Develops = {
  action: 'dev:test',
  operands: 'data',
  flags:
    '--headed --headless --debug --ui --trace --list -x --quiet -q --e2e --component --record --parallel -u --update-snapshots --forbid-only --fully-parallel',
  valued:
    '-g --grep --grep-invert --project --browser -b -j --workers --retries --reporter -s --spec --env -e --key --group ' +
    '--tag --shard --timeout --max-failures --repeat-each',
  loads: '-c --config --config-file -C',
  writes: '--output',
  inert: '--help -h --version -V --list',
}

/** Test programs that read nothing but what they are given. */
const PLAIN: Develops = {
  action: 'dev:test',
  flags:
    '-v --verbose -q --quiet -f -j -r -t -p -x --fail-fast --color --no-color --bail --parallel --watch --stop-on-failure --testdox --no-coverage --recursive',
  valued:
    '--filter --group --exclude-group --testsuite -e --example --tag -t --format --formatter --seed --order --jobs --processes --pattern',
  loads: '-r --require -c --configuration --config --bootstrap --helper',
  writes: '-o --out --output --log-junit --coverage-clover --coverage-html --coverage-xml --coverage-text',
  inert: '--help -h --version -V --list-tests --dry-run --list-suites',
}

/** `prove -e interpreter`: what runs the tests. */
const PROVE: Develops = {
  action: 'dev:test',
  flags:
    '-b -c -D -d -f -l -m -O -o -p -Q -q -r -s -T -t -U -u -v -W -w --blib --color --nocolor --comments --count --nocount ' +
    '--directives --dry --failures --fork --ignore-exit --lib --merge --normalize --norc --parse --quiet --QUIET --recurse ' +
    '--reverse --shuffle --taint-fail --taint-warn --timer --trap --verbose --warnings-fail --warnings-warn',
  valued: '-e --exec -I -j --jobs -M -P --ext --formatter --harness --rc --rules --source --state --statefile',
  writes: '-a --archive',
  inert: '--help -h -H --man -? --version -V --dry -D',
  more: (parsed, context) => {
    const word = parsed.value('-e', '--exec')
    if (word !== null && word.text !== '') context.shell(word.text, word.span, 'prove')
  },
}

const COVERAGE: Develops = {
  action: 'dev:test',
  flags: '-q --quiet -b --branch --append -a --all --exclude-filtered --capture -c --list --demangle-cpp --checkCoverage -m',
  valued:
    '--source --include --omit --rcfile --context --directory --gcov-tool --ignore-errors --fail-under -i --reporter ' +
    '--exclude --ignore-filename-regex --root -r --object-directory --branches',
  writes: '-o --output-file --output --output-dir --reports-dir --output-directory --html-details --xml --data-file',
  inert: '--help -h --version -v',
}

/** Options with a body, where short ones mean different things: `wrk -d 5s` is a duration. */
const LOAD_BODIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['ab', ['-p', '-u']],
  ['hey', ['-d', '-D']],
  ['oha', ['-d', '-D']],
  ['bombardier', ['-b', '-f']],
  ['autocannon', ['-b', '-i']],
])

/** Load generators: many requests to one address; a body or a method other than GET sends. */
function load(parsed: ParsedCommand, context: CommandContext): void {
  const method = parsed.value('-m', '--method', '-X')?.text?.toUpperCase() ?? null
  const body = LOAD_BODIES.get(parsed.invocation.name) ?? []
  const sends =
    parsed.value('--body', '--data', '--body-file', ...body) !== null || (method !== null && !/^(?:GET|HEAD|OPTIONS)$/.test(method))
  for (const word of parsed.operands) {
    const known = word.text ?? word.prefix
    if (known.includes('://') || /^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/.test(known) || known.startsWith('localhost')) {
      reachUrl(context, word, { verb: sends ? 'send' : 'fetch', action: 'net:load', attributes: { mass: true } })
    }
  }
}

const LOAD: Develops = {
  action: 'dev:test',
  operands: 'data',
  flags: '-k -i -l -v -q -r --latency --insecure -disable-keepalive -disable-compression --no-usage-report --headless --quiet',
  valued:
    '-n -c -t -T -m -H -A -P -C -s -w -z -d -D -X -rate -duration -concurrency --threads --connections --duration --timeout ' +
    '--method --body --data --header --vus --iterations --stage -e --env -x --rate -b --tag --users --spawn-rate --run-time ' +
    '-u -L -h2',
  loads: '-f --locustfile --script',
  reads: '-p --body-file -targets',
  writes: '-o --out --output --summary-export --csv --html -g',
  inert: '--help -h --version -V',
  more: load,
}

/** Load tests as files of code. */
const SCENARIO: Develops = {
  ...LOAD,
  operands: 'read',
  verbs: 'run test quick inspect archive cloud report',
  valued: `${LOAD.valued} --host -H --environment -g --globals -d --iteration-data`,
  more: (parsed, context) => {
    const host = parsed.value('--host', '-H', '--target')
    if (host !== null) reachUrl(context, host, { verb: 'send', action: 'net:load', attributes: { mass: true } })
  },
}

/** `coverage run -m pytest`, `coverage run x.py` run what they are given; the other words report. */
const PY_COVERAGE: CommandSpec = tool('dev', {
  subcommands: byName({
    run: {
      flags: list('-a --append --branch -p --parallel-mode --timid -L --pylib'),
      options: takes('--source --include --omit --rcfile --context --concurrency --data-file'),
      stopAtOperand: true,
      operands: [],
      refine: ({ operands, invocation }, context) => {
        const at = invocation.args.findIndex((word) => word.text === '-m' || word.text === '--module')
        const words = at >= 0 ? invocation.args.slice(at) : operands
        if (words.length > 0) context.command([knownWord('python', invocation.span), ...words], 'coverage')
      },
    },
    'html xml json lcov report annotate combine erase debug': develops({
      ...COVERAGE,
      operands: 'data',
      writes: `${COVERAGE.writes} -d --directory`,
    }),
  }),
})

export const testing: CommandTable = byName({
  'pytest py.test pytest-3 ptw pytest-watch': develops(PYTEST),
  jest: develops(JEST),
  vitest: develops(VITEST),
  'mocha ava tap tape jasmine uvu karma qunit web-test-runner wtr japa borp': develops(MOCHA),
  'playwright cypress wdio nightwatch testcafe protractor puppeteer detox maestro appium backstop percy': develops(BROWSER),
  'rspec cucumber minitest guard parallel_rspec parallel_test spinach turnip': develops(PLAIN),
  'phpunit pest codecept behat paratest phpspec infection kahlan': develops(PLAIN),
  prove: develops(PROVE),
  'busted bats shellspec shunit2 kcov roundup': develops(PLAIN),
  'nose2 nosetests nosetests3 robot behave lettuce stestr zope-testrunner': develops(PLAIN),
  'nunit3-console xunit.console vstest.console vstest mstest expecto ginkgo gotestsum ntr cargo-nextest grcov kaocha stryker mutmut cosmic-ray':
    develops(PLAIN),
  'c8 nyc': runsRest(
    '--all -a --check-coverage --silent -s --cache --clean --no-clean',
    '-r --reporter --include -n --exclude -x --require -i --report-dir --temp-dir -t --cwd -e --extension',
  ),
  'coverage coverage3': PY_COVERAGE,
  'gcov gcovr lcov genhtml llvm-cov llvm-profdata istanbul slipcover diff-cover': develops(COVERAGE),
  'ab wrk wrk2 hey vegeta bombardier siege oha autocannon plow ali h2load httperf': develops(LOAD),
  'k6 locust jmeter artillery newman gatling bzt tsung': develops(SCENARIO),
})
