import type { CommandContext, CommandTable, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { cleans, type Develops, develops } from '../development/develop.ts'
import { publishes } from '../packages/packages.ts'
import { byName, each, list, takes, tool } from '../tool.ts'

/** Documents: generators of documentation, TeX, diagrams, static sites. They read sources, load a configuration and write pages. */

const BUILD: Develops = { action: 'dev:build', operands: 'data' }

const DOCUMENT: Develops = {
  action: 'dev:build',
  verbs: 'build render serve test init clean preview',
  flags:
    '-q -W -n -E -a -v --quiet --watch -w --clean --open --interaction -halt-on-error -file-line-error -synctex -pdf ' +
    '-xelatex -lualatex -shell-restricted -no-shell-escape -f -g -C -c --include-private --verbose -r --recursive',
  valued:
    '-b -D -t -j -jobname -interaction -synctex -T -K --theme --template --port --to --profile --execute-params -l ' +
    '--log-level --entryPoints --plugin --format -F -P',
  loads: '-c --config --conf --options --tsconfig',
  writes: '-o --out -d --output-dir --output --destination --outdir -output-directory -outdir --dest --site-dir',
  inert: '--help -h --version -V -help -version',
}
/** What TeX is told on its command line to read, to write, and to run in Lua. */
function texLine(word: Word, context: CommandContext): void {
  const { span } = word
  const text = word.text?.slice(0, LONGEST_LINE) ?? ''
  const file = (name: string) => context.path(knownWord(name, span))
  for (const [, name = ''] of text.matchAll(/\\openout\\?\w{1,64}\s{0,8}=\s{0,8}([^\\\s{}]{1,512})/g))
    context.emit('write', file(name), { span })
  for (const [, name = ''] of text.matchAll(/\\(?:verbatiminput|lstinputlisting|input|include)\{([^{}\\]{1,512})\}/g))
    context.emit('read', file(name), { span })
  for (const [, code = ''] of text.matchAll(/\\directlua\s{0,8}\{([^{}]{1,4096})\}/g)) context.code('lua', code, span)
  for (const [, line = ''] of text.matchAll(/\\write18\s{0,8}\{([^{}]{1,4096})\}/g)) context.shell(line, span, 'write18')
}

const LONGEST_LINE = 65_536

/** TeX runs programs of the document only where it is told to. */
const TEX: Develops = {
  ...DOCUMENT,
  flags: `${DOCUMENT.flags} -shell-escape -enable-write18 --shell-escape --enable-write18`,
  singleDashLong: true,
  more: (parsed, context) => {
    for (const word of parsed.operands) if (word.text?.startsWith('\\') === true) texLine(word, context)
    if (!parsed.flag('-shell-escape', '-enable-write18', '--shell-escape', '--enable-write18')) return
    context.opaque('the document may run programs: shell escape is on', parsed.invocation.span)
  },
}

const LATEXMK = develops(TEX)
const LATEXMK_PROGRAMS = list('latex pdflatex xelatex lualatex hlatex bibtex biber makeindex dvips dvipdf ps2pdf')
  .map((name) => `-${name}`)
  .join(' ')

/** Sites: building writes, serving listens on this machine, deploying publishes. */
const SITE = tool('dev', {
  flags: ['-D', '--buildDrafts', '--minify', '-v', '--quiet', '--gc', '--incremental', '--drafts', '--watch', '--cleanDestinationDir'],
  options: {
    '-s': 'data',
    '--source': 'data',
    '-d': 'write',
    '--destination': 'write',
    '-b': 'data',
    '--baseURL': 'data',
    '--config': 'read',
    '-e': 'data',
    '--environment': 'data',
    '-p': 'data',
    '--port': 'data',
    '--bind': 'data',
    '--theme': 'data',
    '-t': 'data',
    '--out-dir': 'write',
    '--outDir': 'write',
    '--output': 'write',
    '--input': 'data',
  },
  subcommands: byName({
    'build export check doctor info list stats config convert import mod env write-translations swizzle new init generate add sync':
      develops(BUILD),
    'serve server start dev develop preview': develops({ ...BUILD, action: 'dev:serve' }),
    clean: cleans('public'),
    clear: cleans('build'),
    deploy: publishes({ action: 'pages:deploy' }, { options: { '--target': 'data' } }),
  }),
  operands: ['data'],
  refine: (parsed, context) => context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'dev:build' }),
})

export const documents: CommandTable = byName({
  'sphinx-build sphinx-autobuild rst2html': develops({ ...DOCUMENT, lastWritten: true }),
  ...each(
    'sphinx-apidoc typedoc jsdoc doxygen pdoc pdoc3 pydoc pydoc3 esdoc javadoc haddock rustdoc swift-doc jazzy yard rdoc ' +
      'ldoc asciidoctor asciidoctor-pdf mdbook quarto jupyter-book redoc-cli apidoc api-extractor docco compodoc',
    develops(DOCUMENT),
  ),
  'pdflatex latex xelatex lualatex tectonic bibtex biber makeindex dvips texi2pdf arara pdftex tex etex xetex luatex luahbtex':
    develops(TEX),
  latexmk: {
    ...LATEXMK,
    options: { ...LATEXMK.options, ...takes('-e', 'code:perl'), ...takes('-r', 'load'), ...takes(LATEXMK_PROGRAMS, 'program') },
  },
  d2: develops({ ...DOCUMENT, action: 'dev:generate', lastWritten: true }),
  'plantuml structurizr fdp sfdp twopi circo ditaa svgbob': develops({
    ...DOCUMENT,
    action: 'dev:generate',
    flags: '-v -q -O -n',
    valued: '-K -T -G -N -E -s -b -w -H --theme',
    writes: '-o --output',
    reads: '-i --input -c',
  }),
  'hugo jekyll zola docusaurus vuepress vitepress gatsby pelican eleventy hexo nikola bridgetown middleman honkit': SITE,
})
