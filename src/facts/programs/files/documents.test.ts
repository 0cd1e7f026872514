import { cases } from '../table-harness.ts'

cases('documentation', [
  ['sphinx-build -b html docs out', 'execute dev:build sphinx-build | read docs | write dev:build out'],
  ['sphinx-build docs out -c conf', 'execute dev:build sphinx-build | read docs | write dev:build out | execute dev:load conf'],
  ['typedoc --out docs src/index.ts', 'write docs | execute dev:build typedoc | read src/index.ts'],
  ['doxygen Doxyfile', 'execute dev:build doxygen | read Doxyfile'],
  ['jsdoc -d out src', 'write out | execute dev:build jsdoc | read src'],
  ['javadoc -d out a.java', 'write out | execute dev:build javadoc | read a.java'],
  ['mdbook build', 'execute dev:build mdbook'],
  ['asciidoctor -o out.html a.adoc', 'write out.html | execute dev:build asciidoctor | read a.adoc'],
  ['quarto render a.qmd', 'execute dev:build quarto | read a.qmd'],
  ['pydoc x', 'execute dev:build pydoc | read x'],
])

cases('TeX', [
  ['pdflatex a.tex', 'execute dev:build pdflatex | read a.tex'],
  ['pdflatex -shell-escape a.tex', 'execute dev:build pdflatex | read a.tex | ? the document may run programs: shell escape is on'],
  ['pdflatex -output-directory=out a.tex', 'write out | execute dev:build pdflatex | read a.tex'],
  ['pdflatex -interaction=nonstopmode a.tex', 'execute dev:build pdflatex | read a.tex'],
  ['pdflatex --version', ''],
  ['latexmk -pdf a.tex', 'execute dev:build latexmk | read a.tex'],
  ['latexmk -C', 'execute dev:build latexmk'],
  ['xelatex --shell-escape a', 'execute dev:build xelatex | read a | ? the document may run programs: shell escape is on'],
  ['bibtex a', 'execute dev:build bibtex | read a'],
])

cases('diagrams', [
  ['plantuml a.puml', 'execute dev:generate plantuml | read a.puml'],
  ['d2 a.d2 b.svg', 'execute dev:generate d2 | read a.d2 | write dev:generate b.svg'],
])

cases('sites', [
  ['hugo', 'execute dev:build hugo'],
  ['hugo server -D', 'execute dev:serve hugo server'],
  ['hugo new post.md', 'execute dev:build hugo new'],
  ['hugo --destination /var/www', 'write /var/www | execute dev:build hugo'],
  ['hugo deploy', 'publish pages:deploy . !'],
  ['jekyll build', 'execute dev:build jekyll build'],
  ['jekyll serve', 'execute dev:serve jekyll serve'],
  ['jekyll clean', 'likely delete dev:clean public'],
  ['docusaurus build', 'execute dev:build docusaurus build'],
  ['docusaurus deploy', 'publish pages:deploy . !'],
  ['gatsby develop', 'execute dev:serve gatsby develop'],
  ['gatsby clean', 'likely delete dev:clean public'],
  ['zola build', 'execute dev:build zola build'],
  ['eleventy', 'execute dev:build eleventy'],
  ['vitepress dev docs', 'execute dev:serve vitepress dev'],
  ['hugo version', 'execute tool:help dev'],
])
