import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { LISTS } from '../packages/packages.ts'
import { runHooks } from '../tasks/project-hooks.ts'
import { byName, does, each, tool } from '../tool.ts'
import { type Develops, develops } from './develop.ts'

/** Linters, formatters, type checkers and scanners: they read the workspace, run its configuration, and with a flag rewrite files. */

const ESLINT: Develops = {
  action: 'dev:lint',
  flags:
    '--quiet --cache --no-eslintrc --no-ignore --no-inline-config --debug --exit-on-fatal-error --stdin --fix-dry-run ' +
    '--no-error-on-unmatched-pattern --report-unused-disable-directives --color --no-color --verbose -v -q ' +
    '--allow-empty-input',
  valued:
    '--ext --format -f --max-warnings --rule --env --global --ignore-pattern --fix-type --cache-strategy --parser-options ' +
    '--stdin-filename --report-unused-disable-directives-severity --concurrency --flag --custom-syntax',
  loads: '-c --config --parser --plugin --resolve-plugins-relative-to --rulesdir --ignore-path',
  writes: '-o --output-file --cache-location --cache-file',
  fixes: '--fix',
  looks: '--fix-dry-run',
  inert: '--help -h --version -v --init=false --print-config --env-info',
}

const PRETTIER: Develops = {
  action: 'dev:format',
  flags:
    '--check -c --list-different -l --no-config --no-editorconfig --no-semi --single-quote --cache --ignore-unknown -u ' +
    '--debug-check --quiet --verbose --no-color',
  valued:
    '--parser --print-width --tab-width --trailing-comma --log-level --loglevel --stdin-filepath --end-of-line --prose-wrap ' +
    '--config-precedence --cache-location',
  loads: '--config --plugin',
  reads: '--ignore-path',
  fixes: '-w --write',
  inert: '--help -h --version -v --support-info --find-config-path --file-info',
}

/** Formatters that rewrite unless told to look. */
const REWRITER: Develops = {
  action: 'dev:format',
  flags:
    '-q --quiet -v --verbose --fast --safe --preview --skip-string-normalization -S --skip-magic-trailing-comma -C --atomic ' +
    '--profile-black --force-sort-within-sections --overwrite-in-place -r --recursive --in-place -i --all-files -a ' +
    '--no-lockfile --pyi --combine-as --only-modified --settings --aggressive --remove-all-unused-imports ' +
    '--expand-star-imports --py38-plus --py39-plus --py310-plus --keep-percent-format --staged',
  valued:
    '-l --line-length --line-width -t --target-version --include --exclude --extend-exclude --force-exclude ' +
    '--required-version -W --workers --profile --settings-path --sp --src -p --edition --config-path --style -m ' +
    '--multi-line --skip --skip-glob --known-first-party --max-line-length -j --jobs --ignore --select --indent-size ' +
    '--column-width --quote-style --assume-filename',
  reads: '--config --settings-file --style-file --rcfile',
  fixes: '*',
  looks: '--test --lint --dryrun --check --check-only -c --diff -d --dry-run -n --lint -l --list --mode=check --stdout --dump-ast --verify',
  inert: '--help -h --version -V --show-settings --show-config --show-files',
}

/** Formatters that print unless told to rewrite. */
const PRINTER: Develops = {
  action: 'dev:format',
  flags:
    '-l -d --diff -e -s -v --list-different --verbose -Werror -n --dry-run --sort-includes --dump-config --recursive -r --aggressive -a -p -ci -sr -kp -bn',
  valued:
    '--style --fallback-style --assume-filename --offset --length --lines --line-length --max-line-length -j --jobs --indent --width -ln -i=',
  reads: '--files --style-file',
  writes: '-o --output',
  fixes: '-i --in-place --inplace --write -w --fix --replace --overwrite',
  looks: '-n --dry-run',
  inert: '--help -h --version -V -help -version --dump-config',
}
/** shfmt: `-i` is the width of the indent. */
const SHFMT: Develops = {
  ...PRINTER,
  valued: '-i --indent -ln --language-dialect -p= --filename',
  fixes: '-w --write',
  looks: '-d --diff -l --list',
}

/** Linters whose rules run, and that rewrite with a flag. */
const LINTER: Develops = {
  action: 'dev:lint',
  flags:
    '-q --quiet -v --verbose -s --strict --no-color --cache --watch -w --stats --statistics --count --show-source ' +
    '--no-cache --incremental --ignore-missing-imports --install-types --non-interactive --pretty --namespace-packages ' +
    '--check-untyped-defs --no-error-summary --errors-only -E --recursive -r --all -a --parallel --display-cop-names -D ' +
    '--no-progress --ansi --no-ansi --clear-cache --debug --allow-empty -ll -iii --ci --unsafe --staged --changed ' +
    '--use-server --exit-zero --show-fixes --preview',
  valued:
    '-p --package -m --module -c= --python-version --platform --select --ignore --extend-select --extend-ignore ' +
    '--max-line-length --max-complexity --format -f --output-format --exclude --extend-exclude --per-file-ignores --disable ' +
    '--enable -d -e --rcfile= -j --jobs --level -l --severity --reporter --fail-level --only --except --target-version ' +
    '--line-length --pythonpath --pythonversion --follow-imports --shadow-file --max-diagnostics --diagnostic-level ' +
    '--memory-limit --standard --report --extensions -t --tests -x --confidence-level --rules --profile --min-severity ' +
    '--threshold',
  reads: '--config --config-file --rcfile -c --configuration --settings --project --baseline --ignore-file',
  writes:
    '-o --out --output --output-file --report-file --cache-dir --html-report --xml-report --junit-xml --generate-baseline --write-baseline',
  loads: '--load-plugins --require --plugin --autoload-file',
  fixes:
    '--fix --autocorrect -A --autocorrect-all --auto-correct --auto-correct-all --fix-only --write --apply --apply-unsafe --unsafe-fixes -a',
  looks: '--diff --fix-dry-run --dry-run',
  inert: '--help -h --version -V --show-settings --print-config',
}
/** Linters where `-a` and `-A` are no order to correct. */
const CHECKER: Develops = { ...LINTER, fixes: '--fix --fix-errors --fix-notes', inert: '--help -h --version -V -version -help' }

/** `ruff check`, `ruff format`, `biome lint`: the subcommand says whether it rewrites. */
const RUFF: CommandSpec = {
  inert: ['--help', '-h', '--version', '-V'],
  subcommands: byName({
    check: develops({ ...LINTER, fixes: '--fix --fix-only --unsafe-fixes --add-noqa' }),
    format: develops(REWRITER),
    lint: develops(LINTER),
    ci: develops(LINTER),
    fmt: develops(REWRITER),
    fix: develops(REWRITER),
    'output-file-paths': develops({ ...LINTER, fixes: '' }),
    analyze: develops({ action: 'dev:lint' }),
    clean: does({ verb: 'change', action: 'pkg:cache', kind: 'package', value: 'cache' }),
    init: does({ verb: 'write', action: 'dev:generate', kind: 'path', value: '.' }),
    migrate: does({ verb: 'write', action: 'dev:generate', kind: 'path', value: '.' }),
    search: develops({ action: 'dev:lint', operands: 'data' }),
    server: does({ verb: 'execute', action: 'dev:serve', kind: 'program', value: 'language server' }),
    'rule config linter version explain rage': {},
  }),
  operands: ['read'],
  refine: (_, context) => context.emit('execute', context.thing('program', 'ruff'), { action: 'dev:lint' }),
}
/** biome and dprint: `check` and `format` print unless `--write`. */
const BIOME: CommandSpec = {
  ...RUFF,
  subcommands: {
    ...RUFF.subcommands,
    check: develops({ ...LINTER, fixes: '--write --fix --apply --apply-unsafe --unsafe' }),
    format: develops({ ...LINTER, action: 'dev:format', fixes: '--write --fix' }),
  },
  refine: (parsed, context) => context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:lint' }),
}

/** Scanners ask a server for what is known; some send what they found. */
const SCANNER: Develops = {
  action: 'dev:lint',
  verbs:
    'detect dir git protect scan ci test monitor fs filesystem image repo repository config code container iac run report ' +
    'analyse analyze check auth login update',
  flags:
    '-q --quiet -v --verbose --json --no-git --redact --only-verified --no-verification --offline-scan --skip-db-update ' +
    '--skip-update -r --recursive --staged --all-projects --dev --full',
  valued:
    '-f --format --severity --scanners --ignore-unfixed --exit-code --timeout --input -s --scope --only-fixed --fail-on ' +
    '--by-cve -i --ignore --exclude --skip-dirs --severity-threshold --org --branch --since-commit --depth -l --lang ' +
    '--metrics -b --log-opts --source --report-format --max-target-bytes --config -c --baseline-path --skip-check -d ' +
    '--directory',
  reads: '--ignorefile --policy --config-policy --requirement --file',
  writes: '-o --output --report-path -r= --json-file-output --sarif-file-output --sarif-output --json-output --report',
  fixes: '--autofix --fix',
  inert: '--help -h --version -V',
}

/** `pre-commit install` leaves a hook behind; `run` runs what the configuration names. */
function hooks(parsed: ParsedCommand, context: CommandContext): void {
  const verb = parsed.operands[0]?.text ?? (parsed.operands.length > 0 ? null : 'run')
  const program = parsed.invocation.name
  if (verb === null) context.opaque(`the subcommand of \`${program}\` is not known before it runs`, parsed.operands[0]?.span)
  else if (/^(?:install|install-hooks|add|init-templatedir|set|init)$/.test(verb)) {
    context.emit('persist', context.thing('repository', '.'), { action: 'git:hooks', attributes: { by: program } })
  } else if (/^(?:uninstall|remove|rm)$/.test(verb)) {
    context.emit('change', context.thing('repository', '.'), { action: 'git:hooks', attributes: { by: program } })
  } else if (/^(?:validate|validate-config|validate-manifest|list|dump|version|help|check-install)$/.test(verb)) {
    context.emit('read', context.thing('repository', '.'), { action: 'dev:lint' })
  } else {
    context.emit('execute', context.thing('program', program), { action: 'dev:run' })
    if (/^(?:pre-commit|prek)$/.test(program)) runHooks(parsed, context)
  }
}

export const linting: CommandTable = byName({
  'eslint eslint_d xo standard semistandard ts-standard stylelint tslint jshint jscs oxlint htmlhint textlint': develops(ESLINT),
  'prettier prettierd prettier-eslint js-beautify css-beautify html-beautify': develops(PRETTIER),
  ...each(
    'black isort blue ufmt darker docformatter autoflake pyupgrade add-trailing-comma usort rustfmt ktfmt scalafmt taplo ' +
      'swiftformat astyle buildifier phpcbf pint stylua mdformat djlint djhtml erb-format rufo yamlfmt gci nixfmt alejandra ' +
      'nixpkgs-fmt treefmt elm-format csharpier',
    develops(REWRITER),
  ),
  ...each(
    'autopep8 yapf clang-format ormolu fourmolu hindent stylish-haskell swift-format google-java-format perltidy uncrustify ' +
      'cljfmt cmake-format latexindent sqlformat pg_format sqlfluff-format zprint ocamlformat gersemi',
    develops(PRINTER),
  ),
  shfmt: develops(SHFMT),
  'php-cs-fixer': tool('dev', {
    subcommands: byName({ fix: develops(REWRITER), check: develops(LINTER), 'describe list-files self-update': LISTS }),
  }),
  ruff: RUFF,
  'biome dprint rome sqlfluff': BIOME,
  'rubocop standardrb brakeman reek haml-lint slim-lint erblint rails_best_practices solargraph steep srb': develops({
    ...LINTER,
    inert: '--help -h --version -v -V -L --list-target-files',
  }),
  ...each(
    'mypy dmypy pyright basedpyright pyre pytype pyflakes pycodestyle pydocstyle flake8 pylint vulture radon xenon bandit ' +
      'dlint interrogate ty pyrefly codespell proselint vale cspell alex write-good markdownlint-cli2 remark',
    develops(CHECKER),
  ),
  'phpstan psalm phpcs phpmd rector phan phplint phpcpd deptrac': develops({ ...CHECKER, stopAtOperand: false, operands: 'data' }),
  'clang-tidy cppcheck cpplint include-what-you-use iwyu splint sparse flawfinder oclint infer clangd ccls': develops({
    ...CHECKER,
    valued: `${CHECKER.valued} -checks -header-filter -I -D --std --enable --suppress`,
    singleDashLong: true,
  }),
  ...each(
    'ktlint detekt checkstyle spotbugs pmd swiftlint hlint luacheck selene perlcritic sqllint tsqllint helm-docs ' +
      'kube-linter kubeval kubeconform conftest kube-score cfn-lint cfn_nag spectral redocly swagger-cli protolint eclint ' +
      'editorconfig-checker ec typos nitpick vint zlint solhint slither mythril aderyn',
    develops({ ...LINTER, fixes: '--fix --autocorrect --write --format -F', inert: '--help -h --version -V -v' }),
  ),
  ...each(
    'knip depcheck madge ts-prune unimported size-limit license-checker publint attw dependency-cruiser depcruise syncpack ' +
      'manypkg sherif type-coverage bundlesize source-map-explorer webpack-bundle-analyzer',
    develops({ ...LINTER, operands: 'data', fixes: '--fix' }),
  ),
  ...each(
    'semgrep grype syft snyk codeql sonar-scanner safety pip-audit detect-secrets osv-scanner dependency-check retire ' +
      'auditjs nancy bundler-audit bundle-audit cve-bin-tool horusec dockle clair opengrep',
    develops(SCANNER),
  ),
  'pre-commit lefthook husky overcommit prek lint-staged simple-git-hooks': {
    inert: ['--help', '-h', '--version', '-V'],
    flags: ['-a', '--all-files', '-v', '--verbose', '-f', '--overwrite'],
    options: { '-t': 'data', '--hook-type': 'data', '-c': 'read', '--config': 'read', '--files': 'data' },
    operands: ['data'],
    refine: hooks,
  },
})
